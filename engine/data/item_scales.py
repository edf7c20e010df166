"""Which scale each item belongs to, read from the beginnings of their names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from engine.data.preparing.roles import demographics

MOST_SCALES = 4
"""Beginnings that are taken for scales; more are taken for names."""
COVERED = 0.8
"""Share of the names that scales must hold; age and sex may stand beside them."""
_BEGINNING = re.compile(r"([^_\s]+)[_\s]+\S")


def scales_by_prefix(names: Sequence[str]) -> dict[str, str]:
    """Name -> the beginning of the name up to the first "_" or space, of those that share it with others.

    Parameters
    ----------
    names : of the items; an age, a sex and the like are on no scale

    Returns
    -------
    empty unless all names begin in two to four ways, each at least twice, or four in five do, each three times; of
    words, such as "feeling low", always three times

    Examples
    --------
    >>> scales_by_prefix(["mood_low", "mood_flat", "sleep_late", "sleep_short"])["sleep_late"]
    'sleep'
    >>> scales_by_prefix(["mood_low", "age"])
    {}
    """
    beside = set(demographics(names, {}))
    begun = {name: found.group(1) for name in names if name not in beside and (found := _BEGINNING.match(name))}
    many = Counter(begun.values())
    least = 2 if len(begun) == len(names) and not any(re.search(r"\s", name) for name in names) else 3
    result = {name: scale for name, scale in begun.items() if many[scale] >= least}
    if len(result) < COVERED * len(names) or not 2 <= len(set(result.values())) <= MOST_SCALES:
        return {}
    return result

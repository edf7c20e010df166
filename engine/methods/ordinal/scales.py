"""Which scale each item belongs to, read from the beginnings of their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

MOST_SCALES = 4
"""Beginnings that are taken for scales; more are taken for names."""
COVERED = 0.8
"""Share of the names that scales must hold; age and sex may stand beside them."""


def scales_by_prefix(names: Sequence[str]) -> dict[str, str]:
    """Name -> the beginning of the name up to the first "_", of those that share it with others.

    Parameters
    ----------
    names : of the items

    Returns
    -------
    empty unless all names begin in two to four ways, each at least twice, or four in five do, each three times

    Examples
    --------
    >>> scales_by_prefix(["mood_low", "mood_flat", "sleep_late", "sleep_short"])["sleep_late"]
    'sleep'
    >>> scales_by_prefix(["mood_low", "age"])
    {}
    """
    begun = {name: name.split("_", 1)[0] for name in names if "_" in name.strip("_")}
    many = Counter(begun.values())
    least = 2 if len(begun) == len(names) else 3
    result = {name: scale for name, scale in begun.items() if many[scale] >= least}
    if len(result) < COVERED * len(names) or not 2 <= len(set(result.values())) <= MOST_SCALES:
        return {}
    return result

"""Which scale each item belongs to, read from the beginnings of their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

MOST_SCALES = 4
"""Beginnings that are taken for scales; more are taken for names."""


def scales_by_prefix(names: Sequence[str]) -> dict[str, str]:
    """Name -> the beginning of the name up to the first "_".

    Parameters
    ----------
    names : of the items

    Returns
    -------
    empty unless all names begin in two to four ways, each at least twice

    Examples
    --------
    >>> scales_by_prefix(["mood_low", "mood_flat", "sleep_late", "sleep_short"])["sleep_late"]
    'sleep'
    >>> scales_by_prefix(["mood_low", "age"])
    {}
    """
    result = {name: name.split("_", 1)[0] for name in names if "_" in name.strip("_")}
    many = Counter(result.values())
    if len(result) < len(names) or not 2 <= len(many) <= MOST_SCALES or min(many.values()) < 2:
        return {}
    return result

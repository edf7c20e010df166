"""Which items form a scale: by their levels and the beginnings of their names, and by how well they go together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from engine.data.dataset import Dataset
from engine.data.preparing.roles import demographics

MOST_SCALES = 4
"""Beginnings that are taken for scales; more are taken for names."""
COVERED = 0.8
"""Share of the names that scales must hold; age and sex may stand beside them."""
FEWEST = 3
"""Ordered variables with the same levels from which on they are taken for items of one scale."""
COHERENT = 0.3
"""Mean correlation of an item with the mean of the others from which on items are added up (Nunnally & Bernstein)."""
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


def items_alike(levels: Mapping[str, tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Ordered variables that may be added up: all that share their levels, and the beginning of their names if any.

    Parameters
    ----------
    levels : variable -> its levels in order, of those that have an order

    Returns
    -------
    names of three or more each

    Examples
    --------
    >>> items_alike({"a": ("no", "yes"), "b": ("no", "yes"), "c": ("no", "yes"), "d": ("low", "high")})
    [('a', 'b', 'c')]
    """
    beginnings, alike = scales_by_prefix(list(levels)), dict[object, list[str]]()
    for name, own in levels.items():
        alike.setdefault((own, beginnings.get(name)), []).append(name)
    return [tuple(names) for names in alike.values() if len(names) >= FEWEST]


def added_up(scores: np.ndarray) -> np.ndarray | None:
    """Which items go together, so that their mean says something: those that do not go against the rest.

    Parameters
    ----------
    scores : (k, N) numbers of the levels, NaN where missing

    Returns
    -------
    (k,) True of an item that is added up, False of one correlated negatively with the mean of the others; None where
    those left are fewer than three, correlate less than .3 with their rest on average, or one of them negatively

    Examples
    --------
    >>> low = np.arange(9.0)
    >>> added_up(np.array([low, low, low, -low])).tolist()
    [True, True, True, False]
    """
    whole = np.isfinite(scores).all(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        kept = ~(_with_rest(scores[:, whole]) < 0)
        together = _with_rest(scores[kept][:, whole]) if kept.sum() >= FEWEST else np.array([-1.0])
    return None if not np.nanmean(together) >= COHERENT or (together < 0).any() else kept


def _with_rest(scores: np.ndarray) -> np.ndarray:
    """(k,) correlation of each of (k, N) items with the sum of the others; NaN where one of both is constant."""
    centred = scores - scores.mean(axis=1, keepdims=True)
    rest = centred.sum(axis=0) - centred
    both = np.sqrt((centred**2).sum(axis=1) * (rest**2).sum(axis=1))
    return np.asarray((centred * rest).sum(axis=1) / both)


def lowest_code(data: Dataset, name: str, levels: Sequence[str]) -> int:
    """The code that the file gives to the first level, where those of the others go up from it by one; else 1."""
    reading = data.report.reading if data.report is not None else None
    codes = {label: code for code, label in (reading or {}).get("labelled", {}).get(name, ())}
    first = codes.get(levels[0], "") if levels else ""
    begins = int(first) if first.removeprefix("-").isdecimal() else 1
    return begins if all(codes.get(level) == str(begins + k) for k, level in enumerate(levels)) else 1


def level_steps(levels: Sequence[str], lowest: int) -> np.ndarray:
    """(k,) the levels where these are numbers, one apart, else numbers from the lowest up."""
    first = int(levels[0]) if levels[0].isdecimal() else 1
    numbered = tuple(levels) == tuple(str(first + k) for k in range(len(levels)))
    return np.arange(len(levels), dtype=float) + (first if numbered else lowest)

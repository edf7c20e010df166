"""Links that the way a table is made may explain: columns of which one row has one only, codes that follow, gaps.

All of it is asked of counts that a result keeps anyway. The notes ask rather than say: whether two columns cannot both
be yes by construction is known to those who made the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.methods.log_linear.counts import Margin

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

EXPECTED = 5.0
"""Rows that must be expected, were the two unrelated, where none is: fewer may be missing by luck."""
TOGETHER, COINCIDE = 5, 0.5
"""Rows in which two columns lack their values, at least; and the share of the rarer one's gaps that they are."""
_NO = frozenset({"no", "n", "0", "false", "f", "absent", "never", "none", "negative", "nein", "non", "not"})
_YES = frozenset({"yes", "y", "1", "true", "t", "present", "positive", "ja", "oui", "si", "sí"})


@dataclass(frozen=True)
class Gaps:
    """Rows in which both variables of a link lack their values.

    Attributes
    ----------
    table : counts of the rows in which neither does, the ends of the link last
    arity : (p,) numbers of levels without those that mean missing
    """

    table: Margin
    arity: np.ndarray


def missing_levels(data: Dataset, names: Iterable[str]) -> dict[str, str]:
    """The level of each variable that stands for missing values, where it has one.

    Parameters
    ----------
    data : the table
    names : of the variables that are asked about
    """
    return {name: level for name in names if (level := data.missing_level(name)) is not None}


def level_note(names: tuple[str, str], levels: Mapping[str, Sequence[str]], table: np.ndarray) -> str:
    """Whether two columns cannot both be yes, or a level of one goes with a single level of the other.

    Parameters
    ----------
    names : of the two variables
    levels : of each
    table : (r, s) their counts

    Returns
    -------
    a sentence without its full stop; "" where nothing is to be noted
    """
    yes = [_yes(levels[name]) for name in names]
    if None not in yes:
        i, j = (place or 0 for place in yes)
        if not table[i, j] and _expected(table)[i, j] >= EXPECTED:
            return f"no row has both: cannot {names[0]} and {names[1]} both be yes by construction?"
    result = [*_followers(names, levels, table), *_followers(names[::-1], levels, table.T)]
    if not result:
        return ""
    _, source, target = max(result, key=lambda item: item[0])
    return f"every row with {source} has {target}: does the one follow from the other?"


def gaps_of(
    names: tuple[str, str],
    table: Margin,
    arity: np.ndarray,
    levels: Mapping[str, Sequence[str]],
    missing: Mapping[str, str],
) -> Gaps | None:
    """The rows in which both variables of a link lack their values, where these are many.

    Parameters
    ----------
    names : of the last two variables of the table, in its order
    table : counts of what the link is given, and of its two ends
    arity, levels : of all variables
    missing : variable -> its level that stands for missing values

    Returns
    -------
    None where a variable has no such level, or they are seldom missing together
    """
    if not set(names) <= set(missing):
        return None
    code = [levels[name].index(missing[name]) for name in names]
    gap = table.cells[:, -2:] == code
    own, other = (int(table.counts[gap[:, k]].sum()) for k in (0, 1))
    both = int(table.counts[gap.all(axis=1)].sum())
    if both < max(TOGETHER, COINCIDE * min(own, other)):
        return None
    without_gap = ~gap.any(axis=1)
    fewer = arity.copy()
    fewer[list(table.variables[-2:])] -= 1
    return Gaps(Margin(table.variables, table.cells[without_gap], table.counts[without_gap]), fewer)


def _yes(levels: Sequence[str]) -> int | None:
    """Which of two levels says yes; None where they do not say yes and no."""
    plain = [str(level).strip().casefold() for level in levels]
    if len(plain) != 2:
        return None
    return next((i for i in (0, 1) if plain[i] in _YES and plain[1 - i] in _NO), None)


def _followers(
    names: tuple[str, str], levels: Mapping[str, Sequence[str]], table: np.ndarray
) -> list[tuple[tuple[float, float], str, str]]:
    """Levels of the first that occur with one level of the second only, and both in words.

    Before them by what they are ranked: rows expected elsewhere, and how rare the level is.
    """
    result, expected = [], _expected(table)
    for i, line in enumerate(table):
        if np.count_nonzero(line) == 1 and np.count_nonzero(table.sum(axis=0)) > 1:
            j = int(line.argmax())
            elsewhere = float(expected[i].sum() - expected[i, j])
            if elsewhere >= EXPECTED:
                ends = (f"{name} = {levels[name][place]}" for name, place in zip(names, (i, j), strict=True))
                source, target = (f"\u201c{end}\u201d" for end in ends)
                result.append(((round(elsewhere, 6), -float(line.sum())), source, target))
    return result


def _expected(table: np.ndarray) -> np.ndarray:
    """Counts of unrelated variables with the same margins."""
    return np.outer(table.sum(axis=1), table.sum(axis=0)) / max(table.sum(), 1)

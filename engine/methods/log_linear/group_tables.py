"""The cells of one clique, as `LogLinearResult.residuals` gives them: which are far off, and a part of very many."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

FAR = 2.0
"""Adjusted residuals beyond this are farther off than chance allows for one cell in twenty."""


@dataclass(frozen=True)
class FarOff:
    """How far the counts are from what was expected.

    Attributes
    ----------
    far, cells : cells farther off than chance allows, of how many
    levels : of the cell farthest off, by variable
    observed, expected : its counts
    thin : cells of which too few rows are expected to judge them
    """

    far: int
    cells: int
    levels: Mapping[str, Any]
    observed: int
    expected: float
    thin: int


def far_off(table: pd.DataFrame) -> FarOff:
    """What stands out in a table of residuals, whatever its variables are called."""
    observed, expected, _, adjusted, small = table.columns[-5:]
    size = table[adjusted].abs()
    row: Hashable = size.idxmax()
    return FarOff(
        int((size > FAR).sum()),
        len(table),
        {str(name): table.at[row, name] for name in table.columns[:-5]},
        int(table.at[row, observed]),
        float(table.at[row, expected]),
        int(table[small].sum()),
    )


def held_fast(table: pd.DataFrame, order: Sequence[str], most: int) -> tuple[list[str], list[str]]:
    """The variables to hold at one level so that at most so many cells are left, and the others; at least two stay."""
    rest, cells = list(order), len(table)
    while cells > most and len(rest) > 2:
        cells //= max(table[rest[0]].nunique(), 1)
        rest = rest[1:]
    return list(order[: len(order) - len(rest)]), rest


def parts_of(table: pd.DataFrame, held: Sequence[str]) -> list[tuple[str, ...]]:
    """The combinations of levels of some variables, that with the largest sum of squared residuals first."""
    adjusted = table.columns[-2]
    off: dict[tuple[str, ...], float] = {}
    for row in table.to_dict("records"):
        part = tuple(str(row[name]) for name in held)
        off[part] = off.get(part, 0.0) + float(row[adjusted]) ** 2
    return sorted(off, key=lambda part: -off[part])

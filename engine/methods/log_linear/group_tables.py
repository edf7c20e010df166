"""The cells of groups of variables: expected counts and residuals of a model, and which of them stand out."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import DataError
from engine.models import elimination
from engine.models.elimination import Factor

if TYPE_CHECKING:
    import pandas as pd

    from engine.methods.log_linear.result import LogLinearResult


MOST_CELLS = 1_000_000
SMALL = 5.0
"""Expected counts below this are marked: their residuals are no approximate normal deviates."""
FAR = 2.0
"""Adjusted residuals beyond this are farther off than chance allows for one cell in twenty."""


def expected(result: LogLinearResult, variables: Sequence[str]) -> pd.Series:
    """See `LogLinearResult.expected`."""
    import pandas as pd

    names = list(variables)
    if len(set(names)) != len(names) or not names:
        raise DataError("Name one or more different variables to work out their expected counts.")
    keep = [result.position(name) for name in names]
    wanted = 0
    for x in keep:
        wanted |= result.chosen.component(x)
    tables = [keep, *(margin.variables for margin in result.margins if wanted >> margin.variables[0] & 1)]
    cells = [math.prod(float(result.arity[x]) for x in variables) for variables in tables]
    matches = None
    if cells[0] <= MOST_CELLS and max(cells) <= elimination.MOST_CELLS:
        matches = elimination.sum_out(_factors(result, wanted), result.arity, keep)
    if matches is None:
        raise DataError(f"The table of {len(names)} variables has too many cells to be worked out; choose fewer.")
    index = pd.MultiIndex.from_product([result.levels[name] for name in names], names=names)
    return pd.Series(matches[1].ravel() * result.n_rows, index=index, name="expected")


def _factors(result: LogLinearResult, wanted: int) -> list[Factor]:
    """The conditional tables p(rest of the clique | separator) of the components in the bit set `wanted`."""
    matches = []
    seen = 0
    for margin in result.margins:  # in the order of the clique tree: what was seen before is the separator
        if not wanted >> margin.variables[0] & 1:
            continue
        joint = margin.dense(result.arity).astype(float)
        new = tuple(i for i, x in enumerate(margin.variables) if not seen >> x & 1)
        below = joint.sum(axis=new, keepdims=True)
        matches.append((margin.variables, np.divide(joint, below, out=np.zeros_like(joint), where=below > 0)))
        seen |= sum(1 << x for x in margin.variables)
    return matches


def residuals(result: LogLinearResult, clique: Sequence[str], without: tuple[str, str] | None) -> pd.DataFrame:
    """See `LogLinearResult.residuals`."""
    import pandas as pd

    names = list(clique)
    positions = [result.position(name) for name in names]
    if len(set(names)) != len(names) or not names:
        raise DataError("Name one or more different variables to compare their counts with the model.")
    if math.prod(len(result.levels[name]) for name in names) > MOST_CELLS:
        raise DataError("This group has too many cells to be shown; choose fewer variables.")
    observed = result.margin_of(positions).dense(result.arity).astype(float)
    if without is None:
        wanted, adjustment = observed, np.ones_like(observed)
    else:
        if not set(without) <= set(names) or len(set(without)) != 2:
            raise DataError("The edge to leave out must lie between two of these variables.")
        wanted, adjustment = _without(observed, *(names.index(x) for x in without))
    pearson = np.divide(observed - wanted, np.sqrt(wanted * result.effect), out=np.zeros_like(wanted), where=wanted > 0)
    adjusted = np.divide(pearson, np.sqrt(adjustment), out=np.zeros_like(pearson), where=adjustment > 1e-12)
    index = pd.MultiIndex.from_product([result.levels[name] for name in names], names=range(len(names)))
    frame = index.to_frame(index=False)
    frame.columns = pd.Index(names)
    values = {
        "observed": observed.ravel().astype(np.int64),
        "expected": wanted.ravel(),
        "pearson": pearson.ravel(),
        "adjusted": adjusted.ravel(),
        "small": wanted.ravel() < SMALL * result.effect,
    }
    for title, column in values.items():
        while title in names:  # a variable may be called so
            title += "*"
        frame[title] = column
    return frame


def _without(observed: np.ndarray, i: int, j: int) -> tuple[np.ndarray, np.ndarray]:
    """Expected counts when axes i and j are independent given the others, and the variance factor of the residuals.

    expected = n(S+a) n(S+b) / n(S); the Pearson residual has variance (1 - n(S+a)/n(S)) (1 - n(S+b)/n(S)).
    """
    first, second = observed.sum(axis=j, keepdims=True), observed.sum(axis=i, keepdims=True)
    given = observed.sum(axis=(i, j), keepdims=True)
    safe = np.where(given > 0, given, 1)
    return first * second / safe, (1 - first / safe) * (1 - second / safe)


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


def parts_of(table: pd.DataFrame, fixed: Sequence[str]) -> list[tuple[str, ...]]:
    """The combinations of levels of some variables, that with the largest sum of squared residuals first."""
    adjusted = table.columns[-2]
    off: dict[tuple[str, ...], float] = {}
    for row in table.to_dict("records"):
        part = tuple(str(row[name]) for name in fixed)
        off[part] = off.get(part, 0.0) + float(row[adjusted]) ** 2
    return sorted(off, key=lambda part: -off[part])

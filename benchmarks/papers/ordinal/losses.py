"""What a claim is judged by: for every table one loss of each approach, under two readings of a curve.

The paper compares curves of TPR against FPRp by the eye. Read as a number that is either

- `BEST`: SHD over true links (the Manhattan distance from the corner, as the paper has it) at the setting whose mean is
  lowest in the cell, or
- `REACH`: the share of true links missed, 1 - TPR, at the setting of those with a mean FPRp of at most 0.5 whose mean
  is lowest.

Both were fixed before a figure was seen, and every claim stands under both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.papers.ordinal.draw import Cell

if TYPE_CHECKING:
    import pandas as pd

BEST, REACH = "SHD over links at the best setting", "links missed at FPRp up to 0.5"
READINGS = (BEST, REACH)
MOST_FALSE = 0.5
Losses = Mapping[str, np.ndarray]
"""Approach -> (runs,) its losses in a cell."""
BY = ["data", "variables", "rows", "levels"]


def chosen(here: pd.DataFrame, reading: str) -> float:
    """The setting of an approach in a cell that a reading takes.

    Parameters
    ----------
    here : the rows of the approach in the cell
    reading : one of `READINGS`
    """
    means = here.groupby("setting")[["SHD", "TPR", "FPRp"]].mean()
    if reading == BEST:
        return float(means["SHD"].idxmin())
    allowed = means[means["FPRp"] <= MOST_FALSE]
    return float(allowed["TPR"].idxmax() if len(allowed) else means["FPRp"].idxmin())


def loss(here: pd.DataFrame, reading: str) -> np.ndarray:
    """(runs,) of some rows, in the order of their runs."""
    ordered = here.sort_values("run", kind="stable")
    values = ordered["SHD"] / ordered["true links"] if reading == BEST else 1 - ordered["TPR"]
    return values.to_numpy(dtype=float)


def losses(rows: pd.DataFrame, reading: str) -> dict[Cell, dict[str, np.ndarray]]:
    """Cell -> approach -> the losses of its runs, each approach at its own setting.

    Parameters
    ----------
    rows : of the study, those of drawn tables
    reading : one of `READINGS`
    """
    found: dict[Cell, dict[str, np.ndarray]] = {}
    for cell, here in rows.groupby(BY, sort=False):
        own: Cell = (str(cell[0]), int(cell[1]), int(cell[2]), int(cell[3]))
        found[own] = {
            str(approach): loss(one[one["setting"] == chosen(one, reading)], reading)
            for approach, one in here.groupby("approach", sort=False)
        }
    return found


def best_of(here: Losses, approaches: Sequence[str]) -> np.ndarray:
    """(runs,) of the one of some approaches whose mean is lowest."""
    return min((here[one] for one in approaches), key=lambda values: float(values.mean()))


def lower(differences: np.ndarray, level: float = 0.05) -> bool:
    """Whether a mean difference is significantly below 0: a t test over pairs, one-sided.

    Parameters
    ----------
    differences : (n,) of one table each
    level : of the test
    """
    from scipy.stats import ttest_1samp

    if len(differences) < 2 or not differences.any():
        return False
    if np.ptp(differences) == 0:
        return bool(differences[0] < 0)
    return bool(ttest_1samp(differences, 0.0, alternative="less").pvalue < level)

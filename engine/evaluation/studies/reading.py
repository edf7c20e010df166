"""What one asks of a stored run: its repeats one by one, the range of a cell's runs, the cell farthest from print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.measures.comparing import compare
from engine.measures.curves import auc

if TYPE_CHECKING:
    import pandas as pd


def repeats(block: pd.DataFrame, names: Sequence[str], case: str, other: str) -> pd.DataFrame:
    """A line a repeat (from 1): cases, others, areas, and DeLong's p of two scores; only those with a curve.

    Parameters
    ----------
    block : scores of a block with their "repeat" and "truth"
    names : its columns of scores
    case, other : headings of the counts
    """
    import pandas as pd

    lines = []
    for repeat, here in block.groupby("repeat"):
        truth = here["truth"].to_numpy()
        cases = int(truth.sum())
        if not 0 < cases < len(truth):
            continue
        line: dict[str, float] = {"repeat": int(repeat) + 1, case: cases, other: len(truth) - cases}
        line |= {f"AUC, {name}": auc(here[name], truth).value for name in names}
        if len(names) == 2:
            line["DeLong p"] = compare(here[names[0]], here[names[1]], truth).p
        lines.append(line)
    return pd.DataFrame(lines)


def scores_of(block: pd.DataFrame, repeat: int) -> pd.DataFrame:
    """The lines of one repeat, counted from 1 as in `repeats`."""
    return block[block["repeat"] == repeat - 1]


def extremes(runs: pd.DataFrame) -> tuple[float, float]:
    """The smallest and the largest value of the runs of a cell."""
    return float(runs["value"].min()), float(runs["value"].max())


def farthest(cells: pd.DataFrame) -> int:
    """The label of the cell whose difference is largest; of the first where nothing is printed."""
    far = cells["difference"].abs()
    return int(far.idxmax() if far.notna().any() else cells.index[0])


def largest(cells: pd.DataFrame, columns: Sequence[str]) -> float:
    """The largest size of any number in some columns; not a number where there is none."""
    return float(cells[list(columns)].abs().max().max())


def printed_share(cells: pd.DataFrame) -> float:
    """Share of the cells that the paper prints a number for."""
    return float(cells["printed"].notna().mean())


def of_cell(table: pd.DataFrame, cell: pd.Series, keys: Sequence[str]) -> pd.DataFrame:
    """The lines of a table with the same keys as a cell; a key that is missing fits one that is missing."""
    kept = table[keys[0]].notna() | True
    for key in keys:
        kept &= table[key].isna() if cell[key] != cell[key] or cell[key] is None else table[key] == cell[key]
    return table[kept]

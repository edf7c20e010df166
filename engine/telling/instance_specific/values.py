"""How rows are told by their values alone: the most extreme ones, and the kinds that they fall into."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from engine.lazy import pd
from engine.models.kinds import apart
from engine.text import Count, Level, Name, Number, Share, Text, joined, listed, told
from engine.words import in_percent, with_minus

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.models.kinds import Extremes, Kinds


def farthest_row(data: Dataset, extremes: Extremes, named: Callable[[int], str]) -> Text:
    """The row farthest from all others, and what sets it apart.

    Parameters
    ----------
    data : the table
    extremes : its most extreme rows
    named : row -> what it is called
    """
    row, _, names = extremes.rows[0]
    others, values = Count(data.n_rows - 1, "patient"), listed(_values(data, row, names))
    return told("{} lies farthest from the other {}: {}.", Level(named(row)), others, values)


def how_far(extremes: Extremes) -> Text:
    """The largest distance beside the median one."""
    distance, middle = Number(f"{extremes.rows[0][1]:.1f}"), Number(f"{extremes.middle:.1f}")
    return told("Distance {}, where half of the patients have at most {}.", distance, middle)


def extremes_table(data: Dataset, extremes: Extremes, named: Callable[[int], str]) -> pd.DataFrame:
    """One row a row of the table that lies far from the others.

    Parameters
    ----------
    data : the table
    extremes : its most extreme rows
    named : row -> what it is called

    Returns
    -------
    columns patient, distance, what sets it apart most
    """
    rows = [(named(row), far, joined(_values(data, row, names), "; ")) for row, far, names in extremes.rows]
    return pd.DataFrame(rows, columns=["patient", "distance", "what sets it apart most"])


def kinds_table(data: Dataset, kinds: Kinds) -> pd.DataFrame:
    """One row a kind: how many rows, and what sets it apart from the others, most of all first.

    Parameters
    ----------
    data : the table
    kinds : its kinds

    Returns
    -------
    columns kind, rows, what sets it apart
    """
    result = []
    for kind in range(int(kinds.codes.max()) + 1):
        inside = kinds.codes == kind
        words = joined((_difference(data, name, inside) for name in apart(data, kinds, kind)), "; ")
        result.append({"kind": f"kind {kind + 1}", "rows": int(inside.sum()), "what sets it apart": words})
    return pd.DataFrame(result)


def _values(data: Dataset, row: int, names: tuple[str, ...]) -> list[Text]:
    """'lactate = 8.2', 'smoking = yes' of one row."""
    return [told("{} = {}", Name(name), _value(data, row, name)) for name in names]


def _value(data: Dataset, row: int, name: str) -> Text:
    """A number as it is, anything else as its level."""
    if name in data.numbers:
        return told("{}", Number(with_minus(f"{data.numbers[name].column[row]:.6g}")))
    return told("{}", Level(data.levels[name][data.column(name)[row]]))


def _difference(data: Dataset, name: str, inside: np.ndarray) -> Text:
    """'lactate median 4.2 (others 1.8)', 'smoking = yes in 80 % (others 12 %)'."""
    if name in data.numbers:
        column = np.asarray(data.numbers[name].column, dtype=float)
        own, rest = (Number(with_minus(f"{float(np.nanmedian(column[rows])):.4g}")) for rows in (inside, ~inside))
        return told("{} median {} (others {})", Name(name), own, rest)
    codes = data.column(name)
    size = len(data.levels[name])
    here, others = (np.bincount(codes[rows], minlength=size) / max(rows.sum(), 1) for rows in (inside, ~inside))
    level = int(np.argmax(here - others))
    shares = (Share(in_percent(here[level])), Share(in_percent(others[level])))
    return told("{} = {} in {} (others {})", Name(name), Level(data.levels[name][level]), *shares)

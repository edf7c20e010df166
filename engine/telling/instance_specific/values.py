"""How rows are told by their values alone: the most extreme ones, and the kinds that they fall into."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

import numpy as np

from engine.lazy import pd
from engine.models.kinds import apart
from engine.text import Count, Level, Name, Number, Share, Text, first, joined, listed, told
from engine.words import in_percent, with_minus

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.models.kinds import Extremes, Kinds

MOST_LETTERS = 60
"""Of the values in a headline; of longer ones the first alone stands there, since the table below has all."""


def in_doubt(data: Dataset, extremes: Extremes, asked: Mapping[str, Collection[float]]) -> dict[int, tuple[str, ...]]:
    """Extreme row -> its variables whose number may be an error.

    Parameters
    ----------
    data : the table
    extremes : its most extreme rows
    asked : variable -> numbers of which it is asked whether they are errors
    """
    rows = {row: [name for name in asked if name in data.numbers] for row, _, _ in extremes.rows}
    found = {
        row: tuple(name for name in names if float(data.numbers[name].column[row]) in asked[name])
        for row, names in rows.items()
    }
    return {row: names for row, names in found.items() if names}


def farthest_row(
    data: Dataset, extremes: Extremes, named: Callable[[int], str], doubted: Mapping[int, tuple[str, ...]]
) -> Text:
    """The row farthest from all others, and what sets it apart; one without a number in doubt, where there is one.

    Parameters
    ----------
    data : the table
    extremes : its most extreme rows
    named : row -> what it is called
    doubted : what `in_doubt` gives
    """
    row, _, names = _first(extremes, doubted)
    others, values = Count(data.n_rows - 1, "patient"), _values(data, row, names, doubted.get(row, ()))
    some = first(values, 1 if sum(map(len, values)) > MOST_LETTERS else len(values))
    apart_from = told(" without a number in doubt" if doubted and row not in doubted else "")
    return told("{} lies farthest from the other {}{}: {}.", Level(named(row)), others, apart_from, some)


def how_far(
    data: Dataset, extremes: Extremes, named: Callable[[int], str], doubted: Mapping[int, tuple[str, ...]]
) -> Text:
    """The distance of the row that is named first beside the median one, and the row farther out that is in doubt."""
    named_first = _first(extremes, doubted)
    distance, middle = Number(f"{named_first[1]:.1f}"), Number(f"{extremes.middle:.1f}")
    text = told("Distance {}, where half of the patients have at most {}.", distance, middle)
    row = extremes.rows[0][0]
    if row not in doubted:
        return text
    farther = " lies farther out" if row != named_first[0] else ""
    template = "{} {}{}: {} may be an error; see the question on Data."
    name = named(row)
    begins = Level(name[:1].upper() + name[1:])
    return told(template, text, begins, farther, listed(_values(data, row, doubted[row])))


def _first(extremes: Extremes, doubted: Collection[int]) -> tuple[int, float, tuple[str, ...]]:
    """The farthest row without a number in doubt, else the farthest."""
    return next((item for item in extremes.rows if item[0] not in doubted), extremes.rows[0])


def extremes_table(
    data: Dataset, extremes: Extremes, named: Callable[[int], str], doubted: Mapping[int, tuple[str, ...]]
) -> pd.DataFrame:
    """One row a row of the table that lies far from the others.

    Parameters
    ----------
    data : the table
    extremes : its most extreme rows
    named : row -> what it is called
    doubted : what `in_doubt` gives

    Returns
    -------
    columns patient, distance, what sets it apart most
    """
    rows = [
        (named(row), f"{far:.1f}", joined(_values(data, row, names, doubted.get(row, ())), "; "))
        for row, far, names in extremes.rows
    ]
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


def _values(data: Dataset, row: int, names: tuple[str, ...], doubted: Collection[str] = ()) -> list[Text]:
    """'lactate = 8.2', 'smoking = yes' of one row, with a word on what may be an error."""
    return [
        told("{} = {}{}", Name(name), _value(data, row, name), " (may be an error)" if name in doubted else "")
        for name in names
    ]


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

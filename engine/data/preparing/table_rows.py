"""Rows of the table as it was read, and the rows of the data set made of it: which is which, and what one row holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.data.dataset import Dataset
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd


def table_rows(data: Dataset, which: np.ndarray) -> np.ndarray:
    """Numbers (from 0) that rows of the data set have in the table it was made of."""
    return data.origin[np.asarray(which, dtype=np.int64)].astype(np.int64)


def data_row(data: Dataset, row: int) -> int | None:
    """Row of the data set that a row of the table became (both from 0), None when it was left out."""
    places = np.flatnonzero(data.origin == row)
    return int(places[0]) if len(places) else None


def table_length(data: Dataset) -> int:
    """Rows of the table that the data set was made of."""
    return data.report.rows_read if data.report is not None else int(data.origin.max(initial=-1)) + 1


def known_values(data: Dataset, table: pd.DataFrame | None, row: int, **choices: Any) -> dict[str, str]:
    """What one row of the table holds, as levels of the data set; without what is missing or has no level.

    Parameters
    ----------
    table : what `data` was made of; where it is None, an incomplete row says nothing
    row : its number from 0, complete or not
    choices : `merge` and `missing_tokens` as they were given to `Dataset.from_frame`
    """
    place = data_row(data, row)
    if place is not None:
        return {name: data.levels[name][data.codes[i, place]] for i, name in enumerate(data.names)}
    if table is None:
        return {}
    one = table.iloc[[row]]
    found = {name: _code(data, one[[name]], name, choices) for name in data.names if name in one.columns}
    return {name: data.levels[name][code] for name, code in found.items() if code is not None}


def _code(data: Dataset, cell: pd.DataFrame, name: str, choices: dict[str, Any]) -> int | None:
    """The code of one cell, prepared just as its column was."""
    own = {what: {name: about[name]} for what, about in choices.items() if name in (about or {})}
    kind = data.kinds[name]
    if kind == "continuous":
        own["bins"] = {name: list(data.cuts[name])}
    else:
        own["levels"] = {name: list(data.levels[name])}
    unmerged = {what: about for what, about in own.items() if what != "merge"}
    for way in (own, unmerged):  # a merge of spellings that this cell does not have is refused
        try:
            return int(Dataset.from_frame(cell, kinds={name: kind}, **way).codes[0, 0])
        except DataError:
            continue
    return None  # missing, or a rare level that went into another

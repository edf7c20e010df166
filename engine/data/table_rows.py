"""Rows of the table as it was read, and the rows of the data set made of it: which is which, and what one row holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.data.dataset import Dataset
from engine.data.preparing.fixed import UNKNOWN

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


def row_codes(data: Dataset, row: int) -> np.ndarray:
    """(p,) codes of one row of the data set; quick also where the whole table is kept in another form."""
    return data.store.some(np.array([row]))[:, 0]


def known_values(data: Dataset, table: pd.DataFrame | None, row: int) -> dict[str, str]:
    """What one row of the table holds, as levels of the data set; without what is missing or has no level.

    Parameters
    ----------
    table : what `data` was made of; where it is None, an incomplete row says nothing
    row : its number from 0, complete or not
    """
    place = data_row(data, row)
    if place is None and table is None:
        return {}
    if place is not None:
        codes = row_codes(data, place)
    else:
        codes = data.recipe.codes(table.iloc[[row]])[0][:, 0] if table is not None else np.zeros(0)
    return {name: data.levels[name][code] for name, code in zip(data.names, codes, strict=True) if code != UNKNOWN}

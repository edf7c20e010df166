"""One patient's values, as levels or as they stand in a file, coded like the rows of a data set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.data.dataset import Dataset
from engine.data.preparing.fixed import UNKNOWN, FixedColumn
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

_EMPTY = ("", "None", "nan", "<NA>", "NaT")
"""How what is missing is written, whatever pandas stores it as."""


def code_patient(
    data: Dataset, patient: Mapping[str, object] | pd.Series | pd.DataFrame, *, strict: bool | None = None
) -> tuple[np.ndarray, tuple[str, ...]]:
    """The codes of a patient's values, and what of them is not known, in words.

    A value is a level ("below 50", "yes") or what a file would hold (47.5, True, a merged spelling), which is coded as
    the column was. What is left out, empty or no level counts as not known.

    Parameters
    ----------
    patient : name -> value; a row of a pandas table, or a table with one row (their other columns are passed over)
    strict : whether a text that is no level is an error, since it is likely a slip of the pen; by default in a
        dictionary, which somebody wrote, and not in a row, which was measured

    Returns
    -------
    codes : (p,) int64, -1 where the value is not known
    words : one sentence for each value that was given and is not known

    Raises
    ------
    DataError : a dictionary speaks of a variable that is not there; a text that is no level where that is strict; a
        table with more rows than one

    Examples
    --------
    >>> import engine, pandas
    >>> table = pandas.DataFrame({"age": range(20, 80), "sex": ["f", "m"] * 30})
    >>> data = engine.Dataset.from_frame(table, kinds={"age": "continuous"}, bins=2)
    >>> code_patient(data, {"age": 54.3})[0].tolist(), code_patient(data, table.iloc[0])[0].tolist()
    ([1, -1], [0, 0])
    """
    written = isinstance(patient, Mapping)
    strict = written if strict is None else strict
    codes, words = np.full(data.n_variables, UNKNOWN, dtype=np.int64), []
    rules = {column.name: column for column in data.recipe.columns}
    for name, value in _cells(patient).items():
        if not written and name not in data:
            continue
        place = data.index(name)
        codes[place] = _code(rules[data.names[place]], value)
        if codes[place] == UNKNOWN:
            if strict and isinstance(value, str) and value.strip():
                raise DataError(_no_level(data, name, value), column=name)
            words.append(_not_known(data, name, value))
    return codes, tuple(words)


def _cells(patient: Any) -> dict[str, Any]:
    if hasattr(patient, "columns"):
        if len(patient) != 1:
            raise DataError(f"A patient is one row; the table has {len(patient):,}. Give table.iloc[[0]], say.")
        return {str(name): patient[name].iloc[0] for name in patient.columns}
    if not hasattr(patient, "items"):
        raise DataError("Give the patient as a dictionary {name: value}, a row of a pandas table, or a row's number.")
    return {str(name): value for name, value in patient.items()}


def _code(column: FixedColumn, value: Any) -> int:
    """A level by its name first, then a value as a file would hold it."""
    import pandas as pd

    if str(value) in column.levels:
        return column.levels.index(str(value))
    return int(column.code(pd.Series([value], dtype=object)).codes[0])


def _no_level(data: Dataset, name: str, value: object) -> str:
    shown = ", ".join(map(repr, data.levels[name][:6])) + (", ..." if len(data.levels[name]) > 6 else "")
    return f"'{name}' has no level {str(value)!r}; it has {shown}. Leave it out where the value is unknown."


def _not_known(data: Dataset, name: str, value: Any) -> str:
    if str(value).strip() in _EMPTY:
        return f"'{name[:60]}' is empty, so it counts as not known."
    shown = ", ".join(f"'{level[:40]}'" for level in data.levels[name][:6]) + (
        ", ..." if len(data.levels[name]) > 6 else ""
    )
    return f"'{name[:60]}' has no level '{str(value)[:40]}' (it has {shown}), so it counts as not known."

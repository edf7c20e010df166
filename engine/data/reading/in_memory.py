"""Tables that are in memory already: pandas, arrow, polars and whatever else gives an arrow stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.data.reading.arrow_files import arrow_table_frame
from engine.data.reading.limits import Limits
from engine.data.reading.report import ReadingReport
from engine.data.reading.text_tables import Choices
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


def is_table(source: Any) -> bool:
    """Whether `source` is a table in memory and not a file."""
    return hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__") or _is_pandas(source)


def table_in_memory(source: Any, name: str, choices: Choices, limits: Limits) -> pd.DataFrame:
    """The same cleaning as for a file that declares its types; nothing of it is foreign, so it is done here."""
    import pyarrow as pa

    report = ReadingReport(name, "table")
    try:
        table = _from_pandas(source) if _is_pandas(source) else pa.table(source)
    except (pa.ArrowException, TypeError, ValueError):
        raise DataError(
            f"This {type(source).__name__} is no table of named columns. Give a pandas, arrow or polars table."
        ) from None
    return arrow_table_frame(table, choices, limits, report)


def _is_pandas(source: Any) -> bool:
    kind = type(source)
    return kind.__name__ == "DataFrame" and kind.__module__.partition(".")[0] == "pandas"


def _from_pandas(frame: pd.DataFrame) -> pa.Table:
    """Column by column, since a column of mixed objects is one of texts, and two columns may have one name."""
    import pyarrow as pa

    arrays = []
    for position in range(frame.shape[1]):
        column = frame.iloc[:, position]
        try:
            arrays.append(pa.array(column, from_pandas=True))
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            absent = column.isna().to_numpy()
            arrays.append(
                pa.array(
                    [None if gone else str(value) for value, gone in zip(column, absent, strict=True)], pa.string()
                )
            )
    return pa.table(arrays, names=[str(name) for name in frame.columns])

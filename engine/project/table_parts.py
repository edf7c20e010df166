"""A table as it was read, in a file: numbers and codes as Parquet, the distinct texts as JSON.

What comes back makes the same data set: every column keeps its type, or one that is seen alike. Row labels are not
kept. Texts stand in the JSON and not in the Parquet, so that no column can hold more than its rows times their width.
The library that reads Parquet was met to end its process over one changed byte, so it works in one that may die.
"""

from __future__ import annotations

import datetime
import decimal
import io
import math
import numbers
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.data.reading.foreign import ReaderChannel, read_foreign
from engine.data.reading.limits import Limits
from engine.data.reading.report import ReadingReport, plain, reading_facts
from engine.errors import DataError, Retold
from engine.lazy import pa, pd, pq
from engine.methods.fitting import misfit
from engine.project.archive import MOST_DIGITS, MOST_TEXT, refuse

_DAMAGED = "The table in this file is damaged; save the file again."
_JOB = "engine.project.table_parts:read_parquet"
_TEXTS = {"str", "string", "string[python]", "string[pyarrow]"}
_INTEGERS = tuple(f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64))
_MASKED = {*_INTEGERS, "Float32", "Float64", "boolean"}
_NUMBER = re.compile(r"[iuf][1248]|b1")
_TIME = re.compile(r"(?:datetime64|timedelta64)\[(?:s|ms|us|ns)\]")
_KEYS = {
    "number": ("type",),
    "masked": ("type",),
    "time": ("type",),
    "cells": ("type", "cells"),
    "category": ("type", "cells", "ordered"),
}
"""Form of a column -> the keys of its plan beside form and label."""


def packed(table: pd.DataFrame) -> tuple[dict[str, Any], bytes]:
    """The plan (rows, columns with form and distinct texts, how the table was read), and the Parquet file."""
    columns, arrays = [], {}
    for position, label in enumerate(table.columns):
        form, values = _packed_column(table.iloc[:, position])
        columns.append({"label": label if type(label) in (str, int) else str(label), **form})
        arrays[str(position)] = pa.array(values, from_pandas=form["form"] == "masked")
    plan = {"rows": len(table), "columns": columns, "reading": plain(reading_facts(table)) or None}
    content = io.BytesIO()
    pq.write_table(pa.table(arrays), content, compression="none", store_schema=False)
    return plan, content.getvalue()


def unpacked(plan: Any, content: Callable[[], bytes], spend: Callable[[int], None] | None = None) -> pd.DataFrame:
    """The table that `packed` packed; `spend` is told its bytes of memory before the content is asked for."""
    if not isinstance(plan, dict) or set(plan) != {"rows", "columns", "reading"}:
        refuse(_DAMAGED)
    rows, columns = plan["rows"], plan["columns"]
    if type(rows) is not int or rows < 0 or not isinstance(columns, list):
        refuse(_DAMAGED)
    Limits().check_shape(rows, len(columns))
    for form in columns:
        if not isinstance(form, dict) or form.get("form") not in _KEYS or type(form.get("label")) not in (str, int):
            refuse(_DAMAGED)
        if set(form) != {"label", "form", *_KEYS[form["form"]]}:
            refuse(_DAMAGED)
    if spend is not None:
        spend(8 * rows * len(columns))
    wanted = {"names": [str(position) for position in range(len(columns))], "rows": rows}
    parquet = content()
    read, _ = read_foreign(_JOB, parquet, wanted, Limits()) if columns else (None, {})
    with Retold(DataError(_DAMAGED), TypeError, ValueError, LookupError, ArithmeticError, NotImplementedError):
        series = {
            position: pd.Series(_column(form, read[str(position)]))
            for position, form in enumerate(columns)
            if read is not None
        }
        table = pd.DataFrame(series, index=pd.RangeIndex(rows), columns=range(len(columns)))
    labels = [form["label"] for form in columns]
    try:
        table.columns = pd.Index(labels)
    except UnicodeEncodeError:  # half a letter, which only an index of objects holds
        table.columns = pd.Index(labels, dtype=object)
    if plan["reading"] is not None:
        checked_reading(plan["reading"]).attach(table)
    return table


def read_parquet(
    data: bytes, options: dict[str, Any], limits: Limits, channel: ReaderChannel
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """What the process that may die does: columns of numbers and flags, whole ones with a mask."""
    channel.kind("project file")
    with Retold(DataError(_DAMAGED), pa.ArrowException, OSError, ValueError):
        file = pq.ParquetFile(pa.BufferReader(data))
        if file.schema_arrow.names != options["names"]:
            refuse("A table in this file has other columns than the file says; it is damaged.")
        if file.metadata.num_rows != options["rows"]:
            refuse("A table in this file is not as long as the file says; it is damaged.")
        kinds = file.schema_arrow.types
        plain_kinds = pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean
        if not all(any(is_kind(kind) for is_kind in plain_kinds) for kind in kinds):
            refuse("A table in this file has a column that holds no plain numbers; it is damaged.")
        table = file.read(use_threads=False)
    masked = {getattr(pa, name.lower())(): pd.api.types.pandas_dtype(name) for name in _INTEGERS}
    masked[pa.bool_()] = pd.BooleanDtype()
    return table.to_pandas(types_mapper=masked.get, ignore_metadata=True), {}


# -- one column -------------------------------------------------------------------------------------------------------


def _packed_column(column: pd.Series) -> tuple[dict[str, Any], Any]:
    """The form of a column, and its numbers or codes."""
    kind = column.dtype
    if isinstance(kind, np.dtype) and kind.kind in "biuf":
        values = column.to_numpy()
        values = values.astype("f4" if kind.itemsize < 4 else "f8") if kind.kind == "f" else values
        form = {"form": "number", "type": f"{kind.kind}{min(kind.itemsize, 8)}"}
        return form, np.ascontiguousarray(values, values.dtype.newbyteorder("="))
    if isinstance(kind, pd.CategoricalDtype):
        values = distinct_cells(list(kind.categories))[1]
        categories = str(kind.categories.dtype)
        own = categories if categories in {"object", *_TEXTS} else "found"
        category: dict[str, Any] = {"form": "category", "type": own, "cells": values, "ordered": bool(kind.ordered)}
        return category, np.asarray(column.cat.codes, dtype=np.int32)
    if str(kind) in _MASKED:
        return {"form": "masked", "type": str(kind)}, column.array
    if isinstance(kind, np.dtype) and kind.kind in "mM" and _TIME.fullmatch(str(kind)):
        return {"form": "time", "type": str(kind)}, column.to_numpy().view(np.int64)
    if isinstance(kind, pd.DatetimeTZDtype):
        return _packed_column(column.dt.tz_localize(None))  # the day on the wall, which is what a data set is made of
    codes, values = distinct_cells(column.astype(object).tolist())
    name = "complex" if kind.kind == "c" else str(kind) if str(kind) in _TEXTS else "object"
    return {"form": "cells", "type": name, "cells": values}, codes


def _column(form: Mapping[str, Any], values: pd.Series) -> Any:
    """The values of a column of the table, of what `read_parquet` gave."""
    kind, kinds = form["type"], values.dtype.kind
    if not isinstance(kind, str):
        refuse(_DAMAGED)
    if form["form"] == "number" and _NUMBER.fullmatch(kind) and kinds == kind[0]:
        return values.to_numpy(dtype=kind)
    if form["form"] == "masked" and kind in _MASKED and kinds == np.dtype(kind.lower().replace("boolean", "bool")).kind:
        return values.astype(kind)
    if form["form"] == "time" and _TIME.fullmatch(kind) and kinds == "i":
        return values.to_numpy(dtype=np.int64).view(kind)
    if form["form"] not in ("cells", "category") or kinds != "i":
        refuse(_DAMAGED)
    codes, distinct = values.to_numpy(dtype=np.int64), decode_cells(form["cells"])
    least = -1 if form["form"] == "category" else 0
    if ((codes < least) | (codes >= len(distinct))).any() or kind not in {"object", "found", "complex", *_TEXTS}:
        refuse(_DAMAGED)
    if form["form"] == "cells":
        every = _objects(distinct)[codes]
        if kind in _TEXTS:
            return pd.array([cell if isinstance(cell, str) else None for cell in every], dtype=kind)
        return pd.Series(every, dtype="complex" if kind == "complex" else "object")
    if type(form["ordered"]) is not bool:
        refuse(_DAMAGED)
    categories = pd.Index(distinct) if kind == "found" else pd.Index(_objects(distinct), dtype=kind)
    return pd.Categorical.from_codes(codes, categories=categories, ordered=form["ordered"])


def _objects(values: list[Any]) -> np.ndarray:
    """Values as an array of objects, tuples among them kept whole."""
    array = np.empty(len(values), dtype=object)
    for position, value in enumerate(values):
        array[position] = value
    return array


_NUMBER_TEXT = re.compile(r"[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,4})?|nan|-?inf", re.ASCII)
_DAMAGED_CELL = "The table in this file has a cell that no table has; the file is damaged."


def encode_cell(cell: Any) -> Any:
    """A cell as JSON takes it."""
    if isinstance(cell, np.generic):
        cell = cell.item()
    if cell is None or isinstance(cell, bool) or type(cell) is str:
        return cell
    if isinstance(cell, int):
        return int(cell) if abs(cell) < 10**MOST_DIGITS // 10 else ["text", str(cell)]
    if isinstance(cell, float):
        return ["float", repr(float(cell))]
    if isinstance(cell, complex):
        return ["complex", str(cell)]
    if cell is pd.NA or cell is pd.NaT:
        return ["NA" if cell is pd.NA else "NaT", ""]
    if isinstance(cell, pd.Timestamp):
        return ["moment", cell.isoformat()]
    if isinstance(cell, datetime.datetime | datetime.date):
        return ["time" if isinstance(cell, datetime.datetime) else "date", cell.isoformat()]
    if isinstance(cell, decimal.Decimal):
        return ["decimal", str(cell)]
    if isinstance(cell, bytes | list | tuple | dict | set | np.ndarray):
        return ["compound", str(cell)[:MOST_TEXT]]
    return ["text", str(cell)[:MOST_TEXT]]


def decode_cells(cells: Any) -> list[Any]:
    """The cells that `encode_cell` wrote."""
    if not isinstance(cells, list):
        refuse(_DAMAGED_CELL)
    return [_decode_cell(cell) for cell in cells]


def _decode_cell(cell: Any) -> Any:
    if cell is None or type(cell) in (str, bool, int):
        return cell
    if not (isinstance(cell, list) and len(cell) == 2 and all(isinstance(item, str) for item in cell)):
        refuse(_DAMAGED_CELL)
    kind, text = cell
    if kind not in _MAKE:
        refuse(_DAMAGED_CELL)
    try:
        return _MAKE[kind](text)
    except (ValueError, ArithmeticError, TypeError):
        refuse(_DAMAGED_CELL)


_MAKE: dict[str, Callable[[str], Any]] = {
    "NA": lambda _: pd.NA,
    "NaT": lambda _: pd.NaT,
    "float": lambda text: float(text if _NUMBER_TEXT.fullmatch(text) else refuse(_DAMAGED_CELL)),
    "moment": lambda text: pd.Timestamp(text if len(text) <= 60 else refuse(_DAMAGED_CELL)),
    "time": datetime.datetime.fromisoformat,
    "date": datetime.date.fromisoformat,
    "decimal": lambda text: decimal.Decimal(text if len(text) <= MOST_DIGITS else refuse(_DAMAGED_CELL)),
    "complex": lambda text: complex(text if len(text) <= 60 else refuse(_DAMAGED_CELL)),
    "compound": lambda text: (text,),
    "text": str,
}


def distinct_cells(cells: Sequence[Any]) -> tuple[np.ndarray, list[Any]]:
    """Which of the distinct cells each is, and these; a true, a 1 and a 1.0 are three."""
    positions: dict[Any, int] = {}
    result: list[Any] = []
    codes = np.empty(len(cells), dtype=np.int32)
    for row, cell in enumerate(cells):
        key = cell if type(cell) is str else _key(cell)
        place = positions.get(key)
        if place is None:
            place = positions[key] = len(result)
            result.append(encode_cell(cell))
        codes[row] = place
    return codes, result


def _key(cell: Any) -> Any:
    """What tells a cell that is no text from others; a NaN from a NaN does not count."""
    if isinstance(cell, numbers.Real) and not isinstance(cell, int):
        value = float(cell)
        return (type(cell), "nan" if math.isnan(value) else str(cell))
    return (type(cell), str(cell))


_NO_READING = "What this file says of how its table was read is damaged; save the file again."


def checked_reading(document: Any) -> ReadingReport:
    """The report that `ReadingReport.to_dict` wrote; `DataError` where it is none."""
    if not isinstance(document, dict) or set(document) - set(ReadingReport.__dataclass_fields__):
        refuse(_NO_READING)
    try:
        report = ReadingReport.from_dict(document)
    except (TypeError, ValueError, LookupError, AttributeError):
        refuse(_NO_READING)
    cells = (*report.invalid, *report.not_numeric, *report.renamed)
    if misfit(ReadingReport, vars(report)) or any(misfit(type(cell), vars(cell)) for cell in cells):
        refuse(_NO_READING)
    return report

"""A table as it was read, in a file: numbers and codes as Parquet, the distinct texts as JSON.

What comes back makes the same data set: every column keeps its type, or one that is seen alike. Row labels are not
kept. Texts stand in the JSON and not in the Parquet, so that no column can hold more than its rows times their width.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.data.reading.limits import Limits
from engine.data.reading.report import KEY, plain
from engine.errors import DataError
from engine.project import cells
from engine.project.archive import refuse
from engine.project.parquet_pages import columns_in, parquet_of, physical
from engine.project.readings import checked_reading

if TYPE_CHECKING:
    import pandas as pd
_DAMAGED = "The table in this file is damaged; save the file again."
_TEXTS = {"str", "string", "string[python]", "string[pyarrow]"}
_MASKED = {
    *(f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)),
    *("Float32", "Float64", "boolean"),
}
_NUMBER = re.compile(r"[iuf][1248]|b1|c8|c16")
_TIME = re.compile(r"(?:datetime64|timedelta64)\[(?:s|ms|us|ns)\]")


def packed(table: pd.DataFrame) -> tuple[dict[str, Any], bytes]:
    """A table as plain values and Parquet.

    Parameters
    ----------
    table : any pandas table

    Returns
    -------
    plan : rows, columns with their form and distinct texts, and how the table was read
    content : the Parquet file with the numbers and codes
    """
    arrays: dict[str, np.ndarray] = {}
    columns = []
    for place, label in enumerate(table.columns):
        form, own = _packed(table.iloc[:, place])
        arrays.update({f"{place}.{part}": array for part, array in own.items()})
        columns.append({"label": label if type(label) in (str, int) else str(label), **form})
    reading = table.attrs.get(KEY)
    plan = {
        "rows": len(table),
        "columns": columns,
        "reading": plain(dict(reading)) if isinstance(reading, Mapping) else None,
    }
    return plan, parquet_of(arrays) if arrays else b""


def unpacked(plan: Any, content: Callable[[], bytes], spend: Callable[[int], None] | None = None) -> pd.DataFrame:
    """The table that `packed` packed.

    Parameters
    ----------
    plan : plain values
    content : gives the Parquet file; asked for after a look at the plan
    spend : told how many bytes of memory the table takes, before they are taken

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    DataError : plan and content do not fit each other, or are damaged
    """
    import pandas as pd

    if not isinstance(plan, dict) or set(plan) != {"rows", "columns", "reading"}:
        refuse(_DAMAGED)
    rows, columns = plan["rows"], plan["columns"]
    if type(rows) is not int or rows < 0 or not isinstance(columns, list):
        refuse(_DAMAGED)
    Limits().check_shape(rows, len(columns))
    names = []
    for place, one in enumerate(columns):
        if not isinstance(one, dict) or one.get("form") not in _FORMS or type(one.get("label")) not in (str, int):
            refuse(_DAMAGED)
        parts, keys = _FORMS[one["form"]]
        if set(one) != {"label", "form", *keys}:
            refuse(_DAMAGED)
        names += [f"{place}.{part}" for part in parts]
    if spend is not None:
        spend(8 * rows * len(names))
    found = columns_in(content(), names, rows) if names else {}
    series = {}
    try:
        for place, one in enumerate(columns):
            series[place] = pd.Series(_UNPACK[one["form"]](one, _Part(found, place)))
        table = pd.DataFrame(series, index=pd.RangeIndex(rows), columns=range(len(columns)))
    except (TypeError, ValueError, LookupError, ArithmeticError, NotImplementedError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(_DAMAGED) from None
    labels = [one["label"] for one in columns]
    try:
        table.columns = pd.Index(labels)
    except UnicodeEncodeError:  # half a letter, which only an index of objects holds
        table.columns = pd.Index(labels, dtype=object)
    if plan["reading"] is not None:
        checked_reading(plan["reading"]).attach(table)
    return table


# -- one column -------------------------------------------------------------------------------------------------------


def _packed(column: pd.Series) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    import pandas as pd

    kind = column.dtype
    if isinstance(kind, np.dtype) and kind.kind in "biufc" and kind.itemsize <= 16:
        return _packed_numbers(column.to_numpy())
    if isinstance(kind, pd.CategoricalDtype):
        found = cells.distinct(list(kind.categories))[1]
        held = str(kind.categories.dtype)
        form = {"type": held if held in {"object", *_TEXTS} else "found", "cells": found, "ordered": bool(kind.ordered)}
        return {"form": "category", **form}, {"codes": np.asarray(column.cat.codes, dtype=np.int32)}
    if str(kind) in _MASKED:
        missing = column.isna().to_numpy()
        values_ = column.to_numpy(dtype=str(kind).lower() if str(kind) != "boolean" else bool, na_value=0)
        return {"form": "masked", "type": str(kind)}, {"value": values_, "missing": missing}
    if isinstance(kind, np.dtype) and kind.kind in "mM" and _TIME.fullmatch(str(kind)):
        return {"form": "time", "type": str(kind)}, {"value": column.to_numpy().view(np.int64)}
    if isinstance(kind, pd.DatetimeTZDtype):
        return _packed(column.dt.tz_localize(None))  # the day on the wall, which is what a data set is made of
    codes, found = cells.distinct(column.astype(object).tolist())
    if str(kind) in _TEXTS:
        return {"form": "text", "type": str(kind), "cells": found}, {"codes": codes}
    return {"form": "cells", "cells": found}, {"codes": codes}


def _packed_numbers(values: np.ndarray) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    kind = f"{values.dtype.kind}{values.dtype.itemsize}"
    if kind == "f16":
        values, kind = values.astype(float), "f8"
    values = np.ascontiguousarray(values).astype(values.dtype.newbyteorder("="))
    if values.dtype.kind == "c":
        return {"form": "complex", "type": kind}, {"real": values.real.copy(), "imag": values.imag.copy()}
    return {"form": "number", "type": kind}, {"value": values}


class _Part:
    """The Parquet columns of one column of the table."""

    def __init__(self, whole: Mapping[str, np.ndarray], place: int) -> None:
        self.whole, self.place = whole, place

    def __getitem__(self, part: str) -> np.ndarray:
        return self.whole[f"{self.place}.{part}"]


def _number(form: Mapping[str, Any], part: _Part) -> Any:
    if not isinstance(form["type"], str) or not _NUMBER.fullmatch(form["type"]):
        refuse(_DAMAGED)
    kind = np.dtype(form["type"])
    if form["form"] == "complex":
        return (part["real"] + 1j * part["imag"]).astype(kind)
    return _typed(part["value"], kind)


def _typed(values: np.ndarray, kind: np.dtype[Any]) -> np.ndarray:
    """Values in the type they had before they were written."""
    if values.dtype != physical(kind):
        refuse(_DAMAGED)
    return values.astype(kind)


def _masked(form: Mapping[str, Any], part: _Part) -> Any:
    import pandas as pd

    values, missing = part["value"], part["missing"]
    if form["type"] not in _MASKED or missing.dtype != bool:
        refuse(_DAMAGED)
    wanted = np.dtype(bool if form["type"] == "boolean" else form["type"].lower())
    found = pd.array(_typed(values, wanted), dtype=form["type"])
    found[missing] = pd.NA
    return found


def _time(form: Mapping[str, Any], part: _Part) -> Any:
    if not isinstance(form["type"], str) or not _TIME.fullmatch(form["type"]) or part["value"].dtype != np.int64:
        refuse(_DAMAGED)
    return part["value"].copy().view(form["type"])


def _objects(values: list[Any]) -> np.ndarray:
    """Values as an array of objects, tuples among them kept whole."""
    found = np.empty(len(values), dtype=object)
    for i, one in enumerate(values):
        found[i] = one
    return found


def _taken(values: np.ndarray, codes: np.ndarray, least: int = 0) -> np.ndarray:
    if codes.dtype != np.int32 or ((codes < least) | (codes >= len(values))).any():
        refuse(_DAMAGED)
    return np.asarray(values[codes])


def _cells(form: Mapping[str, Any], part: _Part) -> Any:
    import pandas as pd

    found = _taken(_objects(cells.read(form["cells"])), part["codes"])
    if form["form"] == "cells":
        return pd.Series(found, dtype=object)
    if form["type"] not in _TEXTS:
        refuse(_DAMAGED)
    return pd.array([one if isinstance(one, str) else None for one in found], dtype=form["type"])


def _category(form: Mapping[str, Any], part: _Part) -> Any:
    import pandas as pd

    found, codes = cells.read(form["cells"]), part["codes"]
    if form["type"] not in {"object", "found", *_TEXTS} or type(form["ordered"]) is not bool:
        refuse(_DAMAGED)
    _taken(np.arange(len(found)), codes[codes != -1])
    named = pd.Index(found) if form["type"] == "found" else pd.Index(_objects(found), dtype=form["type"])
    return pd.Categorical.from_codes(codes, categories=named, ordered=form["ordered"])


_FORMS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "number": (("value",), ("type",)),
    "complex": (("real", "imag"), ("type",)),
    "masked": (("value", "missing"), ("type",)),
    "time": (("value",), ("type",)),
    "text": (("codes",), ("type", "cells")),
    "cells": (("codes",), ("cells",)),
    "category": (("codes",), ("type", "cells", "ordered")),
}
"""Form -> its Parquet columns, and the keys of its plan beside form and label."""
_UNPACK: dict[str, Callable[[Mapping[str, Any], _Part], Any]] = {
    "number": _number,
    "complex": _number,
    "masked": _masked,
    "time": _time,
    "text": _cells,
    "cells": _cells,
    "category": _category,
}

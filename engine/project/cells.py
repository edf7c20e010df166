"""Cells of a table as JSON takes them: texts, whole numbers and flags as they are, all else with what it is."""

from __future__ import annotations

import datetime
import decimal
import math
import numbers
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.project.archive import MOST_DIGITS, MOST_TEXT, refuse

_NUMBER = re.compile(r"[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,4})?|nan|-?inf", re.ASCII)
_DAMAGED = "The table in this file has a cell that no table has; the file is damaged."


def written(cell: Any) -> Any:
    """A cell as JSON takes it.

    Parameters
    ----------
    cell : a value of a column of objects

    Returns
    -------
    a text, whole number, flag or None; else [what it is, text]
    """
    import pandas as pd

    if isinstance(cell, np.generic):
        cell = cell.item()
    if cell is None or isinstance(cell, bool) or type(cell) is str:
        return cell
    if cell is pd.NA or cell is pd.NaT:
        return ["NA" if cell is pd.NA else "NaT", ""]
    if isinstance(cell, int):
        return int(cell) if abs(cell) < 10**MOST_DIGITS // 10 else ["text", str(cell)]
    if isinstance(cell, float):
        return ["float", repr(float(cell))]
    if isinstance(cell, complex):
        return ["complex", str(cell)]
    if isinstance(cell, pd.Timestamp):
        return ["moment", cell.isoformat()]
    if isinstance(cell, datetime.datetime | datetime.date):
        return ["time" if isinstance(cell, datetime.datetime) else "date", cell.isoformat()]
    if isinstance(cell, decimal.Decimal):
        return ["decimal", str(cell)]
    if isinstance(cell, bytes | list | tuple | dict | set | np.ndarray):
        return ["compound", str(cell)[:MOST_TEXT]]
    return ["text", str(cell)[:MOST_TEXT]]


def read(cells: Any) -> list[Any]:
    """The cells that `written` wrote.

    Parameters
    ----------
    cells : a list out of JSON

    Returns
    -------
    values; what was neither text, number nor time is a text now

    Raises
    ------
    DataError : one is nothing that was written so
    """
    if not isinstance(cells, list):
        refuse(_DAMAGED)
    return [_read(cell) for cell in cells]


def _read(cell: Any) -> Any:
    if cell is None or type(cell) in (str, bool, int):
        return cell
    if not (isinstance(cell, list) and len(cell) == 2 and all(isinstance(item, str) for item in cell)):
        refuse(_DAMAGED)
    kind, text = cell
    if kind not in _MAKE:
        refuse(_DAMAGED)
    try:
        return _MAKE[kind](text)
    except (ValueError, ArithmeticError, TypeError):
        refuse(_DAMAGED)


def _float(text: str) -> float:
    return float(text if _NUMBER.fullmatch(text) else refuse(_DAMAGED))


def _decimal(text: str) -> decimal.Decimal:
    return decimal.Decimal(text if len(text) <= MOST_DIGITS else refuse(_DAMAGED))


def _moment(text: str) -> Any:
    import pandas as pd

    return pd.Timestamp(text if len(text) <= 60 else refuse(_DAMAGED))


def _missing(kind: str) -> Callable[[str], Any]:
    def make(_: str) -> Any:
        import pandas as pd

        return getattr(pd, kind)

    return make


_MAKE: dict[str, Callable[[str], Any]] = {
    "NA": _missing("NA"),
    "NaT": _missing("NaT"),
    "float": _float,
    "moment": _moment,
    "time": datetime.datetime.fromisoformat,
    "date": datetime.date.fromisoformat,
    "decimal": _decimal,
    "complex": lambda text: complex(text if len(text) <= 60 else refuse(_DAMAGED)),
    "compound": lambda text: (text,),
    "text": str,
}


def distinct(cells: Sequence[Any]) -> tuple[np.ndarray, list[Any]]:
    """Which of the distinct cells each is, and these; a true, a 1 and a 1.0 are three.

    Parameters
    ----------
    cells : of a column of objects

    Returns
    -------
    codes : (n,) positions
    found : cells as JSON takes them, in order of appearance
    """
    places: dict[Any, int] = {}
    result: list[Any] = []
    codes = np.empty(len(cells), dtype=np.int32)
    for row, cell in enumerate(cells):
        key = cell if type(cell) is str else _key(cell)
        place = places.get(key)
        if place is None:
            place = places[key] = len(result)
            result.append(written(cell))
        codes[row] = place
    return codes, result


def _key(cell: Any) -> Any:
    """What tells a cell that is no text from others; a NaN from a NaN does not count."""
    if isinstance(cell, numbers.Real) and not isinstance(cell, int):
        value = float(cell)
        return (type(cell), "nan" if math.isnan(value) else str(cell))
    return (type(cell), str(cell))

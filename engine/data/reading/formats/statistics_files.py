"""SPSS (.sav, .zsav), Stata (.dta) and SAS (.xpt, .sas7bdat) files, with their labels and measurement levels."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from string import ascii_lowercase
from typing import Any

import pandas as pd
import pyarrow as pa
import pyreadstat

from engine.data.reading.columns import text_of
from engine.data.reading.filetype import KINDS
from engine.data.reading.formats.declared import DeclaredColumns, texts_of
from engine.data.reading.headers import LONGEST_LABEL
from engine.data.reading.limits import Choices, Limits, Progress
from engine.data.reading.report import ReadingReport
from engine.errors import DataError, InputError
from engine.words import short

_OBJECT = 60
"""Bytes of a text beside its letters, while the library's own table is in memory."""
_MEASURES = ("nominal", "ordinal", "scale")
ASSUMED = "assumed"
"""Measurement level of numbers that a file calls nominal by default."""
_NAMED = 3
_READERS: dict[str, Callable[..., Any]] = {
    "sav": pyreadstat.read_sav,
    "dta": pyreadstat.read_dta,
    "xpt": pyreadstat.read_xport,
    "sas7bdat": pyreadstat.read_sas7bdat,
}
_READ = 0.5
"""Part of the work that is done when the library has made its table."""


def read_statistics(
    data: bytes, choices: Choices, limits: Limits, report: ReadingReport, progress: Progress
) -> pd.DataFrame:
    """An SPSS, Stata or SAS file.

    The library that knows these formats is written in C and can be brought down by a damaged file (a segmentation
    fault was met with one changed byte): so can every reader, which is why each runs in a process of its own.

    Value labels become level names, in the order of their codes; values that the file declares missing are missing,
    and counted; variable labels and measurement levels go into the report. SPSS calls numbers nominal where nobody
    said what they are: that is believed of labelled ones only.
    """
    what = KINDS[report.format]
    frame, variables, missing = _read(data, choices, limits, report.format)
    limits.check_shape(*frame.shape)
    if not len(frame) or not len(frame.columns):
        raise InputError(f"The {what} has no rows. Choose a file with data in it.")
    builder = DeclaredColumns([variable["name"] for variable in variables], choices)
    by_name = dict(zip(builder.names, variables, strict=True))
    for position, (name, variable) in enumerate(by_name.items()):
        progress(_READ + (1 - _READ) * position / len(by_name))
        _add(builder, name, _array(frame.iloc[:, position]), variable)
        if variable["name"] in missing:
            builder.add_declared_missing(name, missing[variable["name"]])
    declared = {name: variable["measure"] for name, variable in by_name.items() if variable["measure"] in _MEASURES}
    by_default = [
        name
        for name, measure in declared.items()
        if measure == "nominal" and pd.api.types.is_numeric_dtype(builder.series[name].dtype)
    ]
    if by_default:
        named = ", ".join(f"'{short(name, 40)}'" for name in by_default[:_NAMED])
        named += ", ..." if len(by_default) > _NAMED else ""
        one = len(by_default) == 1
        note = (
            f"The file calls {named} nominal, as it does by default; without value labels {'its' if one else 'their'} "
            f"numbers decide what {'it is' if one else 'they are'}."
        )
        report = replace(report, notes=(*report.notes, note))
    report = replace(
        report,
        labelled=builder.labelled,
        labels={name: variable["label"][:LONGEST_LABEL] for name, variable in by_name.items() if variable["label"]},
        measures={**declared, **dict.fromkeys(by_default, ASSUMED)},
    )
    return builder.finish(report, len(frame))


def _read(
    data: bytes, choices: Choices, limits: Limits, kind: str
) -> tuple[pd.DataFrame, list[dict[str, Any]], dict[str, dict[str, int]]]:
    """The library's table, what the file says about its columns, and the cells that it declares missing; sizes are
    checked before it is made.
    """
    read = _READERS[kind]
    try:
        _, about = read(io.BytesIO(data), metadataonly=True, encoding=choices.encoding)
        columns, widths = about.number_columns or 0, [width or 8 for width in about.variable_storage_width.values()]
        # a transport file does not say how many rows it has; they cannot be more than fit into it
        rows = len(data) // max(sum(widths), 1) if about.number_rows is None else max(about.number_rows, 0)
        limits.check_shape(rows, columns)
        limits.check_memory(KINDS[kind], rows * sum(8 if width <= 8 else width + _OBJECT for width in widths))
        most = min(limits.rows, limits.cells // max(columns, 1)) + 1
        frame, about = read(io.BytesIO(data), row_limit=most, encoding=choices.encoding)
        declared = {"sav": _declared_missing, "xpt": _nothing_declared}.get(kind, partial(_extended_missing, read))
        missing = declared(data, choices, frame, about, most)
        return frame, [_facts(about, name) for name in about.column_names], missing
    except (DataError, MemoryError):
        raise
    except Exception as error:  # the library raises many kinds
        if "memory" in str(error).lower():
            raise MemoryError from None
        raise InputError(
            f"The {KINDS[kind]} is damaged or of an unknown version. Open and save it again, "
            "or export the table as CSV."
        ) from None


def _declared_missing(
    data: bytes, choices: Choices, frame: pd.DataFrame, about: Any, most: int
) -> dict[str, dict[str, int]]:
    """Column -> value that an SPSS file declares missing, with its label -> how many cells have it."""
    read = partial(pyreadstat.read_sav, encoding=choices.encoding, user_missing=True)
    _, declared = read(io.BytesIO(data), metadataonly=True)
    names = [name for name in declared.missing_ranges if name in frame]
    if not names or len(set(about.column_names)) < len(about.column_names):
        return {}
    raw, _ = read(io.BytesIO(data), usecols=names, row_limit=most)
    result = {}
    for name in names:
        labels = about.variable_value_labels.get(name) or {}
        cells = raw[name][(frame[name].isna() & raw[name].notna()).to_numpy()]
        counts = cells[cells != ""].value_counts()
        result[name] = {_with_label(value, labels.get(value)): int(n) for value, n in counts.items()}
    return {name: counts for name, counts in result.items() if counts}


def _nothing_declared(*_: Any) -> dict[str, dict[str, int]]:
    """The library does not tell the missing values .a to .z of a transport file apart."""
    return {}


def _extended_missing(
    read: Callable[..., Any], data: bytes, choices: Choices, frame: pd.DataFrame, about: Any, most: int
) -> dict[str, dict[str, int]]:
    """Column -> missing value .a to .z of a Stata or SAS file, with its label -> how many cells have it."""
    numbers = [name for name in frame.columns if frame[name].isna().any() and not _holds_words(frame[name])]
    if not numbers or len(set(about.column_names)) < len(about.column_names):
        return {}
    raw, _ = read(io.BytesIO(data), usecols=numbers, row_limit=most, encoding=choices.encoding, user_missing=True)
    result = {}
    for name in numbers:
        labels = about.variable_value_labels.get(name) or {}
        counts = pd.Series([cell for cell in raw[name] if isinstance(cell, str)], dtype=object).value_counts()
        result[name] = {_with_label(f".{letter}", labels.get(letter)): int(n) for letter, n in counts.items()}
    return {name: counts for name, counts in result.items() if counts}


def _with_label(value: Any, label: str | None) -> str:
    text = text_of(value)
    return f"{text} ({label})" if label else text


def _holds_words(column: pd.Series) -> bool:
    """True where a column of the library's table, or of ours, is one of words."""
    first = column.first_valid_index()
    return first is not None and isinstance(column[first], str)


def _array(column: Any) -> pa.ChunkedArray:
    if column.dtype == object:  # whole numbers beside a missing one are objects, as dates and words are
        try:
            return pa.chunked_array([pa.array(column, from_pandas=True)])
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            return pa.chunked_array([texts_of(column)])
    return pa.chunked_array([pa.array(column, from_pandas=True)])


def _facts(about: Any, name: str) -> dict[str, Any]:
    """Name, label, measurement level and value labels (code, label) of one variable, without those of .a to .z."""
    labels = about.variable_value_labels.get(name) or {}
    extended = set(ascii_lowercase) if any(isinstance(code, int | float) for code in labels) else set()
    return {
        "name": str(name),
        "label": str(about.column_names_to_labels.get(name) or ""),
        "measure": str(about.variable_measure.get(name, "unknown")),
        "labels": {
            code if isinstance(code, int | float) else str(code): str(label)
            for code, label in labels.items()
            if code not in extended
        },
    }


def _add(builder: DeclaredColumns, name: str, column: pa.ChunkedArray, variable: dict[str, Any]) -> None:
    if variable["labels"]:
        values, ordered = column.to_pandas().to_numpy(), variable["measure"] == "ordinal"
        if builder.add_labelled(name, values, variable["labels"], ordered=ordered):
            return
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        builder.add_numbers(name, column.cast(pa.float64()).to_numpy())
    else:
        builder.add_arrow(name, column)

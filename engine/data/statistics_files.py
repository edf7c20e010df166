"""SPSS (.sav, .zsav) and Stata (.dta) files, with their labels and measurement levels."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.data.headers import clean_names
from engine.data.limits import Limits
from engine.data.reading_report import ReadingReport
from engine.data.text_tables import Choices, header_problems
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

_PROGRAM = {"sav": "SPSS", "dta": "Stata"}


def read_statistics(data: bytes, choices: Choices, limits: Limits, report: ReadingReport) -> pd.DataFrame:
    """An SPSS or Stata file, read from memory (nothing is written to disk).

    Value labels become level names, in the order of their codes, where every value has one; values that the
    file declares missing are missing; variable labels and measurement levels go into the report.
    """
    frame, about = _read(data, choices, limits, report.format)
    if not len(frame) or not frame.shape[1]:
        raise DataError(f"The {_PROGRAM[report.format]} file has no rows. Choose a file with data in it.")
    names, renamed = clean_names([str(name) for name in frame.columns])
    from engine.data.declared import DeclaredColumns

    columns = DeclaredColumns(choices)
    measures, labels = {}, {}
    for position, (name, original) in enumerate(zip(names, frame.columns, strict=True)):
        measure = about.variable_measure.get(original, "unknown")
        if measure in ("nominal", "ordinal", "scale"):
            measures[name] = measure
        if about.column_names_to_labels.get(original):
            labels[name] = str(about.column_names_to_labels[original])[:500]
        value_labels = about.variable_value_labels.get(original)
        _add(columns, name, frame.iloc[:, position], value_labels, ordered=measure == "ordinal")
    report = columns.finish(report)
    report = replace(
        report,
        rows=len(frame),
        columns=len(names),
        renamed=tuple(renamed),
        labels=labels,
        measures=measures,
        problems=(*report.problems, *header_problems(names)),
    )
    import pandas as pd

    return report.attach(pd.DataFrame(columns.series))


def _read(data: bytes, choices: Choices, limits: Limits, kind: str) -> tuple[pd.DataFrame, Any]:
    import pyreadstat

    read = pyreadstat.read_sav if kind == "sav" else pyreadstat.read_dta
    try:
        _, about = read(io.BytesIO(data), metadataonly=True, encoding=choices.encoding)
        limits.check_shape(max(about.number_rows or 0, 0), about.number_columns or 0)
        frame, about = read(io.BytesIO(data), row_limit=limits.rows + 1, encoding=choices.encoding)
    except DataError:
        raise
    except Exception:  # the library raises its own, plain and overflow errors for damaged files
        raise DataError(
            f"The {_PROGRAM[kind]} file is damaged or of an unknown version. Open and save it again, "
            "or export the table as CSV."
        ) from None
    limits.check_shape(*frame.shape)
    return frame, about


def _add(columns: Any, name: str, series: pd.Series, labels: dict[Any, str] | None, *, ordered: bool) -> None:
    import pyarrow as pa
    from pandas.api import types

    if labels and columns.add_labelled(name, series.to_numpy(), labels, ordered=ordered):
        return
    if types.is_numeric_dtype(series.dtype):
        columns.add_numbers(name, series.to_numpy(dtype=float, na_value=float("nan")))
    elif types.is_datetime64_any_dtype(series.dtype):
        columns.series[name] = series
    else:
        texts = [None if value is None or value != value else str(value) for value in series]
        columns.add_texts(name, pa.chunked_array([pa.array(texts, pa.string())]))

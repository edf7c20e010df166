"""SPSS (.sav, .zsav) and Stata (.dta) files, with their labels and measurement levels."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.data.reading.declared import DeclaredColumns
from engine.data.reading.headers import clean_names
from engine.data.reading.limits import Limits
from engine.data.reading.report import ReadingReport
from engine.data.reading.text_tables import Choices, header_problems
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_PROGRAM = {"sav": "SPSS", "dta": "Stata"}
_CHILD = Path(__file__).with_name("statistics_child.py")
_SECONDS = 300


def read_statistics(data: bytes, choices: Choices, limits: Limits, report: ReadingReport) -> pd.DataFrame:
    """An SPSS or Stata file, read in a process of its own (nothing is written to disk).

    Value labels become level names, in the order of their codes, where every value has one; values that the
    file declares missing are missing; variable labels and measurement levels go into the report.
    """
    import pandas as pd

    table, facts = _from_child(data, choices, limits, report.format)
    limits.check_shape(facts["rows"], facts["columns"])
    if not table.num_rows or not table.num_columns:
        raise DataError(f"The {_PROGRAM[report.format]} file has no rows. Choose a file with data in it.")
    variables = facts["variables"]
    names, renamed = clean_names([variable["name"] for variable in variables])
    columns = DeclaredColumns(choices)
    for name, column, variable in zip(names, table.columns, variables, strict=True):
        _add(columns, name, column, variable)
    report = columns.finish(report)
    report = replace(
        report,
        rows=table.num_rows,
        columns=len(names),
        renamed=tuple(renamed),
        labels={name: one["label"][:500] for name, one in zip(names, variables, strict=True) if one["label"]},
        measures={
            name: one["measure"]
            for name, one in zip(names, variables, strict=True)
            if one["measure"] in ("nominal", "ordinal", "scale")
        },
        problems=(*report.problems, *header_problems(names)),
    )
    return report.attach(pd.DataFrame(columns.series))


def _from_child(data: bytes, choices: Choices, limits: Limits, kind: str) -> tuple[pa.Table, dict[str, Any]]:
    """The columns (in order) and what the file says about them; a crash of the reader is a sentence."""
    import pyarrow as pa

    sizes = [str(limits.rows), str(limits.columns), str(limits.cells)]
    # -P: the folder of the script, whose modules are ours, must not hide the standard library's
    command = [sys.executable, "-P", str(_CHILD), kind, *sizes, choices.encoding or ""]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=_SECONDS, check=True)  # noqa: S603
        with pa.ipc.open_stream(done.stdout) as stream:
            table = stream.read_all()
        return table, json.loads(table.schema.metadata[b"facts"])
    except (subprocess.SubprocessError, pa.ArrowException, OSError, ValueError, KeyError, TypeError):
        raise DataError(
            f"The {_PROGRAM[kind]} file is damaged or of an unknown version. Open and save it again, "
            "or export the table as CSV."
        ) from None


def _add(columns: Any, name: str, column: pa.ChunkedArray, variable: dict[str, Any]) -> None:
    import pyarrow as pa

    if variable["labels"]:
        labels = dict(variable["labels"])
        values = column.to_pandas().to_numpy()
        if columns.add_labelled(name, values, labels, ordered=variable["measure"] == "ordinal"):
            return
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        columns.add_numbers(name, column.cast(pa.float64()).to_numpy())
    else:
        columns.add_arrow(name, column)

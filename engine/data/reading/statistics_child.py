"""Run as a script in a process of its own: an SPSS or Stata file from stdin, an arrow stream to stdout.

The library that knows these formats is written in C and can be brought down by a damaged file (a segmentation
fault was met with one changed byte). Here only this small process dies, and the reader says a sentence.
The arguments are the kind ("sav" or "dta"), the largest numbers of rows, columns and cells, and the encoding
("" to find out). Nothing of the project is imported, so that the process starts fast.
"""

from __future__ import annotations

import io
import json
import sys
from typing import Any


def main() -> None:
    """Read, convert, write."""
    import pyarrow as pa
    import pyreadstat

    kind, rows, columns, cells, encoding = sys.argv[1:6]
    data = sys.stdin.buffer.read()
    read = pyreadstat.read_sav if kind == "sav" else pyreadstat.read_dta
    _, about = read(io.BytesIO(data), metadataonly=True, encoding=encoding or None)
    n_rows, n_columns = max(about.number_rows or 0, 0), about.number_columns or 0
    arrays: list[Any] = []
    if n_rows <= int(rows) and n_columns <= int(columns) and n_rows * n_columns <= int(cells):
        most = min(int(rows), int(cells) // max(n_columns, 1)) + 1
        frame, about = read(io.BytesIO(data), row_limit=most, encoding=encoding or None)
        n_rows, n_columns = frame.shape
        arrays = [_array(frame.iloc[:, position]) for position in range(n_columns)]
    facts = {"rows": n_rows, "columns": n_columns, "variables": [_facts(about, name) for name in about.column_names]}
    schema_names = [str(position) for position in range(len(arrays))]
    table = pa.table(dict(zip(schema_names, arrays, strict=True))).replace_schema_metadata({"facts": json.dumps(facts)})
    with pa.ipc.new_stream(sys.stdout.buffer, table.schema) as stream:
        stream.write_table(table)


def _array(column: Any) -> Any:
    import pyarrow as pa

    if column.dtype == object:
        return pa.array([None if value is None or value != value else str(value) for value in column], pa.string())
    return pa.array(column, from_pandas=True)


def _facts(about: Any, name: str) -> dict[str, Any]:
    """Name, label, measurement level and value labels (code, label) of one variable."""
    labels = about.variable_value_labels.get(name) or {}
    return {
        "name": str(name),
        "label": str(about.column_names_to_labels.get(name) or ""),
        "measure": str(about.variable_measure.get(name, "unknown")),
        "labels": [
            [code if isinstance(code, int | float) else str(code), str(label)] for code, label in labels.items()
        ],
    }


if __name__ == "__main__":
    main()

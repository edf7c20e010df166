"""A table in a file: what comes back is seen as it was, column by column, and makes the same data set."""

from __future__ import annotations

import pandas as pd

from engine.project.archive import as_json, read_json
from engine.project.table_parts import packed, unpacked


def through(table: pd.DataFrame) -> pd.DataFrame:
    """The table out of what is written of it."""
    plan, content = packed(table)
    return unpacked(read_json(as_json(plan)), lambda: content)


def test_names_may_be_odd_or_the_same() -> None:
    """Columns are kept by position; a name that is neither text nor whole number becomes its text."""
    table = pd.DataFrame([[1, 2, 3, 4]] * 3, columns=["a", "a", 7, ("x", 2.5)])
    assert list(through(table).columns) == ["a", "a", 7, "('x', 2.5)"]
    odd = pd.DataFrame([[1, 2, 3]], columns=pd.Index(["", "\ud800", "a.b/c\x00"], dtype=object))
    assert list(through(odd).columns) == list(odd.columns)


def test_no_text_stands_in_the_parquet_part() -> None:
    """So that no column can hold more than its rows times their width."""
    plan, content = packed(pd.DataFrame({"x": ["a very special text"] * 5}))
    assert b"special" not in content
    assert plan["columns"][0]["cells"] == ["a very special text"]

"""A table in a file: what comes back is seen as it was, column by column, and makes the same data set."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from engine.errors import DataError
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


CATEGORY = {"form": "category", "label": "a", "type": "object", "cells": ["x"], "ordered": False}


@pytest.mark.parametrize(
    "damage",
    [
        {"rows": True},
        {"rows": -1},
        {"rows": "2"},
        {"columns": {}},
        {"columns": ["x"]},
        {"columns": [{"form": "number", "label": "a"}]},
        {"columns": [CATEGORY | {"form": "strange"}]},
        {"columns": [CATEGORY | {"label": None}]},
        {"columns": [CATEGORY | {"more": 1}]},
        {"columns": [CATEGORY | {"ordered": 1}]},
        {"columns": [CATEGORY | {"type": "i8"}]},
        {"columns": [CATEGORY | {"cells": []}]},
        {"more": 1},
    ],
)
def test_a_damaged_plan_is_one_sentence(damage: dict[str, Any]) -> None:
    """Whatever stands in the place of what we write; and a plan that is none."""
    plan, content = packed(pd.DataFrame({"a": pd.Categorical(["x", "x"])}))
    for damaged in (plan | damage, [plan], {"rows": 2, "columns": plan["columns"]}):
        with pytest.raises(DataError, match=r"^The table in this file is damaged; save the file again\.$"):
            unpacked(damaged, lambda: content)

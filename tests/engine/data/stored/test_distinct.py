"""A column coded by its distinct values has the codes that it has cell by cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.data.preparing.column_coding import UNKNOWN
from engine.data.stored import distinct
from engine.data.stored.distinct import Distinct

WORDS = ["a", "b ", " b", "other", "", "NA", "n/a", "1", "1.0", "01", "true"]
SAMPLES: dict[str, tuple[Any, list[Any]]] = {
    "texts": (pa.string(), WORDS),
    "packed texts": (pa.dictionary(pa.int32(), pa.string()), WORDS),
    "whole numbers": (pa.int16(), [0, 1, 2, 3, -9]),
    "flags": (pa.bool_(), [True, False]),
    "numbers": (pa.float64(), [0.5, 1.0, 2.0, -1.5]),
}


def read(cells: pa.Array | pa.ChunkedArray) -> pd.Series:
    """As a file is read."""
    return engine.read_table(pa.table({"x": cells})).iloc[:, 0]


def column(values: list[Any], **choices: Any) -> Any:
    """How a column of a sample was coded."""
    frame = engine.read_table(pa.table({"x": pa.array(values), "y": pa.array(["p", "q"] * (len(values) // 2))}))
    return engine.Dataset.from_frame(frame, **choices).recipe.columns[0]


RULES = {
    "words": column(["a", "b", "a", "b"]),
    "with a level for gaps": column(["a", "b", None, "b"] * 3, missing="level"),
    "with tokens": column(["a", "b", "a", "other"] * 3, missing_tokens={"x": ["other"]}, kinds={"x": "nominal"}),
    "numbers": column([0, 1, 2, 1, 0, 2] * 3, kinds={"x": "ordinal"}),
    "cut": column([float(i) / 2 for i in range(40)], kinds={"x": "continuous"}, bins={"x": [1.0]}),
    "flags": column([True, False, True, False]),
}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(list(RULES)), st.sampled_from(list(SAMPLES)), st.data())
def test_the_codes_are_those_of_every_cell(rule: str, kind: str, more: st.DataObject) -> None:
    """And what is told of them is the same, for one part after the other."""
    type_, values = SAMPLES[kind]
    column = RULES[rule]
    quick = Distinct(column, read)
    for _ in range(2):
        cells = pa.chunked_array([pa.array(more.draw(st.lists(st.sampled_from([*values, None]), min_size=1)), type_)])
        found = quick.code(cells)
        expected = column.code(read(cells))
        assert found.codes.tolist() == expected.codes.tolist()
        assert (dict(found.strange), found.lacking) == (dict(expected.strange), expected.lacking)


def test_what_would_not_pay_is_coded_cell_by_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many different values, many without a level, or several pieces."""
    column = RULES["words"]
    for cells in (
        pa.chunked_array([pa.array([f"w{i}" for i in range(700)])]),
        pa.chunked_array([pa.array([f"w{i}" for i in range(100)] * 50)]),
        pa.chunked_array([pa.array(["a", "b"]), pa.array(["b"])]),
    ):
        found = Distinct(column, read).code(cells)
        assert found.codes.tolist() == column.code(read(cells)).codes.tolist()
    assert (Distinct(column, read).code(pa.chunked_array([pa.array([], pa.string())])).codes == UNKNOWN).sum() == 0


def test_values_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as the same ones come; and not remembered without end."""
    asked = []

    def counted(cells: pa.Array) -> pd.Series:
        asked.append(len(cells))
        return read(cells)

    quick = Distinct(RULES["words"], counted)
    cells = pa.chunked_array([pa.array(["a", "b"] * 500)])
    for _ in range(3):
        assert quick.code(cells).codes.tolist() == [0, 1] * 500
    assert asked == [3]
    monkeypatch.setattr(distinct, "_MOST", 1)
    for word in "abcde":
        quick.code(pa.chunked_array([pa.array([word] * 500)]))
    assert len(quick._known) <= 2
    assert np.unique(quick.code(cells).codes).tolist() == [0, 1]

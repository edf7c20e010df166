"""Exports that a spreadsheet cannot run."""

from __future__ import annotations

import csv
import io

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.exchange.safe_csv import to_csv


def test_formulas_get_an_apostrophe_numbers_do_not() -> None:
    """Texts and headers that start like a formula are defused; a negative number stays a number."""
    frame = pd.DataFrame({"=x": ["=1+1", "+a", "-b", "@c", "\td", "ok"], "n": [-1.5, 2, 3, 4, 5, None]})
    rows = list(csv.reader(io.StringIO(to_csv(frame), newline="")))
    assert rows[0] == ["'=x", "n"]
    assert [row[0] for row in rows[1:]] == ["'=1+1", "'+a", "'-b", "'@c", "'\td", "ok"]
    assert [row[1] for row in rows[1:]] == ["-1.5", "2.0", "3.0", "4.0", "5.0", ""]


def test_categories_and_index() -> None:
    """Categories and an index of texts are defused too; numbers inside a mixed column are not."""
    frame = pd.DataFrame({"a": pd.Categorical(["=x", "y"]), "m": [-1, "-z"]}, index=["@i", "j"])
    frame.index.name = "+name"
    assert to_csv(frame, index=True) == "'+name,a,m\r\n'@i,'=x,-1\r\nj,y,'-z\r\n"


def test_two_columns_of_one_name() -> None:
    """Columns of the same name do not get in each other's way."""
    frame = pd.DataFrame([["=a", 1]], columns=["x", "x"])
    assert to_csv(frame) == "x,x\r\n'=a,1\r\n"


@settings(max_examples=80)
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=8), min_size=1, max_size=5))
def test_texts_come_back(texts: list[str]) -> None:
    """Every text can be read back, but for the apostrophe, and none starts a formula."""
    table = pd.DataFrame({"t": pd.Series(texts, dtype=object)})
    rows = list(csv.reader(io.StringIO(to_csv(table), newline="")))[1:]
    for row, text in zip(rows, texts, strict=True):
        cell = row[0] if row else ""
        assert cell in (text, "'" + text)
        assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))

"""Kinds that are proposed just at and just beyond their thresholds, and lists that end at twenty."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from engine.data.dataset import Dataset
from engine.data.preparing.proposals import propose_column
from engine.data.preparing.variables import make_variable
from engine.errors import DataError


def kind(values: list[Any], name: str = "x") -> str:
    return propose_column(pd.Series(values, dtype=object), name).kind


def words(many: int, rows: int, letters: int = 4) -> list[str]:
    """So many different words (no numbers in them) over so many rows."""
    names = [f"{chr(97 + i // 26)}{chr(97 + i % 26)}" + "q" * (letters - 2) for i in range(many)]
    return [names[i % many] for i in range(rows)]


@pytest.mark.parametrize(
    ("many", "rows", "expected"),
    [(50, 200, "nominal"), (51, 200, "ignore"), (11, 22, "nominal"), (11, 21, "ignore"), (10, 19, "nominal")],
)
def test_words_are_levels_up_to_fifty_and_where_they_repeat(many: int, rows: int, expected: str) -> None:
    """At most fifty, and of more than ten at most half as many as rows."""
    assert kind(words(many, rows)) == expected


@pytest.mark.parametrize(("many", "expected"), [(10, "nominal"), (11, "ignore")])
def test_long_words_that_hardly_repeat_are_free_text(many: int, expected: str) -> None:
    """Eleven long texts in twenty rows are free text, ten are not."""
    proposal = propose_column(pd.Series(words(many, 19, letters=40)), "note")
    assert proposal.kind == expected
    assert ("free text" in proposal.reason) == (expected == "ignore")


@pytest.mark.parametrize(("many", "identifier"), [(40, False), (50, False), (51, True), (60, True)])
def test_a_name_like_an_identifiers_with_very_many_words(many: int, identifier: bool) -> None:
    """More than fifty words under an identifier's name need not all differ to be one."""
    proposal = propose_column(pd.Series(words(many, 300)), "case number")
    assert ("identifier" in proposal.reason) == identifier


@pytest.mark.parametrize("mark", [".", ","])
def test_numbers_with_either_mark_are_seen_among_words(mark: str) -> None:
    """Most cells are numbers with one decimal mark, a few are not: it is said which kept them from being numbers."""
    values = [f"{i}{mark}5" for i in range(30)] + ["unknown", "n.m."]
    proposal = propose_column(pd.Series(values), "dose")
    assert proposal.kind == "ignore"
    assert "numeric but for 2 cells, the first in row 31: 'unknown'" in proposal.reason


def test_the_first_twenty_cells_are_listed() -> None:
    """Of more only the first twenty, each with its row from 1."""
    variable = make_variable(pd.Series(["a", "b"] * 30), "x")
    found = variable.where(np.array([True, False]))
    assert found == tuple((row, "a") for row in range(1, 41, 2))
    assert len(variable.where(np.array([True, True]), 3)) == 3


def test_a_single_value_outside_the_levels_is_an_error() -> None:
    """One row is enough."""
    frame = pd.DataFrame({"a": ["x", "y"] * 9 + ["z", "x"]})
    with pytest.raises(DataError, match="'z' in row 19"):
        Dataset.from_frame(frame, kinds={"a": "nominal"}, levels={"a": ["x", "y"]})


def test_cuts_of_whole_numbers_are_whole() -> None:
    """Ages are cut at whole years, with few digits; fractions may be cut at fractions."""
    ages = pd.DataFrame({"age": np.arange(20, 80) % 60 + 20})
    cuts = Dataset.from_frame(ages, kinds={"age": "continuous"}).cuts["age"]
    assert all(cut == int(cut) for cut in cuts)
    shares = pd.DataFrame({"share": np.linspace(0.01, 0.99, 60)})
    cuts = Dataset.from_frame(shares, kinds={"share": "continuous"}).cuts["share"]
    assert all(0 < cut < 1 for cut in cuts)
    assert all(len(f"{cut:g}") <= 5 for cut in cuts)

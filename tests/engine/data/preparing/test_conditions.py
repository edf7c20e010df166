"""Filters of rows: against pandas' own comparisons, with gaps, and what is refused."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.data.preparing.conditions import checked, columns_of, conditions_sentence, weigh
from engine.data.preparing.variables import look_at
from engine.errors import DataError

OPERATORS = {"over": operator.gt, "at least": operator.ge, "under": operator.lt, "at most": operator.le}


def table() -> pd.DataFrame:
    """Words, numbers with gaps, numbers as words, dates and flags."""
    rng = np.random.default_rng(1)
    n = 60
    return pd.DataFrame(
        {
            "sex": rng.choice(["f", "m"], n),
            "age": pd.array([None if i % 7 == 0 else int(v) for i, v in enumerate(rng.integers(18, 90, n))], "Int64"),
            "dose": [f"{i % 5},5" for i in range(n)],
            "seen": pd.date_range("2024-01-01", periods=n, freq="3D"),
            "sure": [i % 3 == 0 for i in range(n)],
            "arm": rng.choice(["a", "b"], n),
        }
    )


def rows(conditions: Any) -> tuple[np.ndarray, np.ndarray]:
    """Flags of the rows that are meant, and of those where that can be told."""
    return weigh(checked(conditions), {one.name: one for one in look_at(table())}, 60)


@given(st.sampled_from(sorted(OPERATORS)), st.integers(10, 95))
@settings(max_examples=40, deadline=None)
def test_comparisons_are_those_of_pandas(what: str, bound: int) -> None:
    """A gap is never inside, and never told."""
    inside, told = rows([("age", what, bound)])
    age = table()["age"]
    assert (inside == OPERATORS[what](age, bound).fillna(False).to_numpy(bool)).all()
    assert (told == age.notna().to_numpy()).all()


def test_each_sort_of_condition() -> None:
    """Values, their opposite, ranges, gaps, dates, flags and numbers written with a comma."""
    frame = table()
    known = frame["age"].notna()
    for given_, wanted in (
        ([("sex", "is", "f")], frame["sex"] == "f"),
        ([("sex", "is not", ["f", "x"])], frame["sex"] == "m"),
        ([("age", "is", [frame["age"][1]])], (frame["age"] == frame["age"][1]).fillna(False)),
        ([("age", "is not", frame["age"][1])], (frame["age"] != frame["age"][1]).fillna(False) & known),
        ([("age", "between", (30, 50))], frame["age"].between(30, 50).fillna(False)),
        ([("age", "is missing")], ~known),
        ([("age", "is known")], known),
        ([("seen", "over", "2024-03-01")], frame["seen"] > "2024-03-01"),
        ([("seen", "at most", "31.03.2024")], frame["seen"] <= "2024-03-31"),
        ([("sure", "is", True)], frame["sure"]),
        ([("dose", "at least", "2,5")], frame["dose"].str.replace(",", ".").astype(float) >= 2.5),
        ([("sex", "is", "f"), ("age", "over", 40)], (frame["sex"] == "f") & (frame["age"] > 40).fillna(False)),
        ([("any", ("sex", "is", "f"), ("age", "over", 40))], (frame["sex"] == "f") | (frame["age"] > 40).fillna(False)),
    ):
        assert rows(given_)[0].tolist() == wanted.to_numpy(bool).tolist(), given_


def test_a_known_cell_can_settle_what_a_gap_leaves_open() -> None:
    """No woman is a man over 40, whatever her age; a woman is one of the two for sure."""
    frame = table()
    _, told = rows([("sex", "is", "m"), ("age", "over", 40)])
    assert (told == (frame["age"].notna() | (frame["sex"] == "f")).to_numpy()).all()
    _, told = rows([("any", ("sex", "is", "m"), ("age", "over", 40))])
    assert (told == (frame["age"].notna() | (frame["sex"] == "m")).to_numpy()).all()


def test_words_of_conditions() -> None:
    """One line a person reads, and the columns that are looked at."""
    found = checked(
        [["sex", "is", "f"], ["age", "over", 40.0], ["any", ["dose", "under", 2.5], ["sure", "is", [True]]]]
    )
    assert conditions_sentence(found) == "sex is f and age over 40 and (dose under 2.5 or sure is True)"
    assert columns_of(found) == ("sex", "age", "dose", "sure")
    assert checked(("sex", "is", "f")) == (("sex", "is", ("f",)),)


@pytest.mark.parametrize(
    ("given_", "words"),
    [
        ("sex == 'f'", "list such as"),
        ([("sex", "contains", "f")], "it can say is"),
        ([("sex", "is")], "needs one value"),
        ([("sex", "is", [])], "names no value"),
        ([("age", "over", "__import__('os')")], "give a number or a date"),
        ([("age", "between", 3)], "two ends"),
        ([("age", "over", float("nan"))], "give a number"),
        ([("any", ("any", ("sex", "is", "f")))], "inside another"),
        ([3], "no condition"),
    ],
)
def test_what_is_no_condition(given_: Any, words: str) -> None:
    """A sentence each, when the recipe is made; nothing of it is evaluated."""
    with pytest.raises(DataError, match=words):
        engine.Recipe(where=given_)


@pytest.mark.parametrize(
    ("given_", "words"),
    [
        ([("sex", "over", 3)], "holds words"),
        ([("seen", "over", 3)], "compare it with a date"),
        ([("age", "over", "2024-01-01")], "cannot be compared"),
        ([("seen", "over", "01.03.2024")], "a date like 2024-05-31"),
        ([("heigth", "over", 3)], "the table lacks"),
        ([("age", "over", 1000)], "No row is left"),
    ],
)
def test_what_does_not_fit_the_table(given_: Any, words: str) -> None:
    """A sentence each, when the recipe is applied."""
    with pytest.raises(DataError, match=words):
        engine.Recipe(where=given_).apply(table())

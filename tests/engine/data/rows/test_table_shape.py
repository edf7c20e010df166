"""Tables whose rows are not one case each, and columns of two units, are named; ordinary tables are not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine

RNG = np.random.default_rng(4)
N = 80


def problems(columns: Any) -> list[str]:
    """What needs a look in a table."""
    report = engine.Dataset.from_frame(pd.DataFrame(columns)).report
    assert report is not None
    return [*report.problems]


def long(what: str, value: str, names: tuple[str, ...] = ("CRP", "Na"), apart: float = 100) -> dict[str, Any]:
    """Twenty patients, seen twice, with one row for each thing that was measured."""
    kinds = np.tile(np.repeat([0, 1], 2), 20)
    return {
        "patient": np.repeat(np.arange(20), 4),
        "visit": np.tile(["a", "b"], 40),
        what: np.array(names)[kinds],
        value: RNG.normal(20, 3, N).round(1) + apart * kinds,
    }


@pytest.mark.parametrize(
    ("what", "value", "apart"),
    [("parameter", "value", 0), ("Test_Name", "Result", 0), ("item", "antwort", 0), ("what", "value", 100)],
)
def test_a_long_table_is_named(what: str, value: str, apart: float) -> None:
    """By what its columns are called, or by one name and values that lie apart."""
    (found,) = (one for one in problems(long(what, value, apart=apart)) if "long" in one)
    assert found == (
        f"The table is long: each row holds one '{value}', and '{what}' says of what. Make it one row of each "
        f"'patient' with a column for each '{what}' (a pivot table) before you use it."
    )


@pytest.mark.parametrize(
    ("what", "value", "apart", "whose"),
    [
        ("ward", "crp", 100, "patient"),  # no name says so
        ("arm", "score", 0, "patient"),
        ("parameter", "value", 100, "row"),  # nobody has several rows
    ],
)
def test_repeated_measures_are_no_long_table(what: str, value: str, apart: float, whose: str) -> None:
    """A row of them is a visit."""
    table = pd.DataFrame(long(what, value, apart=apart)).rename(columns={"patient": whose})
    assert not [one for one in problems(table) if "long" in one]


def test_a_table_on_its_side_is_named() -> None:
    """Its rows are variables; turned, it is not."""
    right = pd.DataFrame(
        {"age": RNG.integers(20, 80, 12), "crp": RNG.normal(9, 2, 12).round(1), "arm": ["a", "b"] * 6}
    ).astype(str)
    lying = right.T.rename(columns=lambda i: f"P{i}").reset_index(names="variable")
    (found,) = (one for one in problems(lying) if "side" in one)
    assert found.startswith("The table lies on its side: its rows, such as 'age' and 'crp', look like variables")
    assert not [one for one in problems(lying.drop(index=2)) if "side" in one]  # numbers only: nobody can tell
    wide = pd.DataFrame({"id": list("abcde"), **{f"q{i}": RNG.choice(["yes", "no"], 5) for i in range(9)}})
    assert not [one for one in problems(wide) if "side" in one]


def between(cell: str, at: int = 30, **row: Any) -> pd.DataFrame:
    """A table of patients with one row in between."""
    table = pd.DataFrame(
        {"ward": ["A"] * 40 + ["B"] * 40, "id": np.arange(N) + 1.0, "age": RNG.integers(20, 80, N), "crp": AGES}
    )
    extra = {"ward": cell, "id": np.nan, "age": 51.2, "crp": 8.1, **row}
    return pd.concat([table[:at], pd.DataFrame([extra]), table[at:]], ignore_index=True)


AGES = RNG.normal(9, 2, N).round(1)


@pytest.mark.parametrize("cell", ["A mean", "Mean", "Total:", "Summe", "Mittelwert A"])
def test_a_mean_between_the_rows_is_named(cell: str) -> None:
    """With its row and its cell."""
    (found,) = problems(between(cell))
    assert found == (
        f"1 row looks like a total or mean, such as row 31 with '{cell}' in 'ward': delete or filter out what is no "
        "case."
    )


@pytest.mark.parametrize("row", [{"id": 99.0}, {"ward": "A"}, {"ward": "total hip", "id": 99.0}])
def test_a_case_is_no_total(row: dict[str, Any]) -> None:
    """It has a number of its own, whatever its words are."""
    assert not [one for one in problems(between("Total", **row)) if "total" in one]


@pytest.mark.parametrize(
    ("low", "high", "named"),
    [
        ((1.5, 1.9), (150, 190), True),  # m and cm
        ((0.4, 0.7), (40, 70), True),  # a share and percent
        ((36.2, 39.4), (97.1, 102), True),  # Celsius and Fahrenheit
        ((5, 20), (30, 90), False),
        ((20, 50), (1_000, 900_000), False),  # what lies above is as wide as the gap
    ],
)
def test_two_units_in_one_column_are_named(low: Any, high: Any, named: bool) -> None:
    """Two ranges with a long way between; one alone, or a few values beyond, are none."""
    some, more = np.exp(RNG.uniform(*np.log(low), 40)).round(2), np.exp(RNG.uniform(*np.log(high), 40)).round(2)
    found = [one for one in problems({"x": [*some, *more], "y": AGES}) if one.startswith("'x' may have two units")]
    assert bool(found) is named
    if named:
        assert f"go up to {some.max():g} and from {more.min():g} on" in found[0]
    for other in ([*some, *(some + 0.003)], [*some, *(some[:38] + 0.003), *more[:2]]):
        assert not [one for one in problems({"x": other, "y": AGES}) if "two units" in one]

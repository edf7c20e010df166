"""New columns: against pandas' own arithmetic; gaps stay gaps; what cannot be made is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.preparing.derived import checked_ways, derived_sentence, with_derived
from engine.data.preparing.variables import Variable, look_at
from engine.errors import DataError


def table() -> pd.DataFrame:
    """Numbers with a gap and a zero, words, numbers as words."""
    return pd.DataFrame(
        {
            "kg": [70.0, 81.5, np.nan, 60.0, 90.0, 55.0],
            "m": [1.7, 0.0, 1.6, 1.5, 1.8, 1.6],
            "sex": ["f", "m", "f", None, "m", "f"],
            "age": ["31", "45", "52", "38", "60", "71"],
        }
    )


def made(**ways: Any) -> Variable:
    """The last of the new columns."""
    return with_derived(look_at(table()), checked_ways(ways), 6)[-1]


def cells(variable: Variable) -> list[str | None]:
    """What each row has, as text."""
    names = (*variable.level_names(), None)
    return [names[code] for code in variable.codes]


def numbers(variable: Variable) -> np.ndarray:
    """The number of each row."""
    assert variable.numbers is not None
    return np.append(variable.numbers, np.nan)[variable.codes]


def test_ratio_and_difference() -> None:
    """As NumPy has them; nothing is divided by zero; words that are numbers are calculated with."""
    frame = table()
    ratio = frame["kg"] / frame["m"].replace(0.0, np.nan)
    assert np.array_equal(numbers(made(bmi=("ratio", "kg", "m"))), ratio, equal_nan=True)
    difference = frame["age"].astype(float) - frame["kg"]
    assert np.array_equal(numbers(made(d=("difference", "age", "kg"))), difference, equal_nan=True)


def test_words_made_of_others() -> None:
    """Cut, merged, combined, yes or no; a row that lacks a part is a gap unless what is there settles it."""
    assert (
        cells(made(old=("cut", "age", [40, 60])))
        == ["below 40", "40 to 59", "40 to 59", "below 40"] + ["60 and above"] * 2
    )
    assert cells(made(s=("merge", "sex", {"f": "w"}))) == ["w", "m", "w", None, "m", "w"]
    both = made(old=("cut", "age", [50]), both=("combine", "sex", "old"))
    assert cells(both) == ["f, below 50", "m, below 50", "f, 50 and above", None, "m, 50 and above", "f, 50 and above"]
    assert cells(made(y=("if", [("kg", "over", 65), ("sex", "is", "f")]))) == ["yes", "no", None, "no", "no", "no"]


def test_a_new_column_is_prepared_like_any_other() -> None:
    """It has a kind, levels and a rule for new rows; the order in which they are given counts."""
    frame = pd.concat([table()] * 5, ignore_index=True)
    recipe = engine.Recipe(derive={"bmi": ("ratio", "kg", "m"), "big": ("if", [("bmi", "over", 45)])}, missing="level")
    data = recipe.apply(frame)
    assert {"bmi", "big"} <= set(data.names)
    again = engine.Recipe.load(data.recipe.to_json().encode()).apply(frame)
    assert again.fingerprint == data.fingerprint
    codes, words = data.recipe.codes(pd.DataFrame({"kg": [100.0], "m": [1.6]}))
    assert data.levels["big"][codes[data.names.index("big"), 0]] == "yes"
    assert any("'sex'" in one for one in words)


@pytest.mark.parametrize(
    ("ways", "words"),
    [
        ({"x": "kg / m"}, "can be one of ratio"),
        ({"x": ("ratio", "kg")}, "needs two columns"),
        ({"x": ("cut", "kg", [3, 2])}, "rising numbers"),
        ({"x": ("if", [])}, "needs a condition"),
        ({" x": ("ratio", "kg", "m")}, "needs a name"),
        ({"kg": ("ratio", "kg", "m")}, "has a column 'kg' already"),
        ({"x": ("ratio", "kg", "y")}, "the table lacks"),
        ({"x": ("ratio", "kg", "sex")}, "holds words"),
        ({"x": ("merge", "sex", {"q": "w"})}, "has none of the levels"),
    ],
)
def test_what_cannot_be_made(ways: Any, words: str) -> None:
    """A sentence each."""
    with pytest.raises(DataError, match=words):
        engine.Recipe(derive=ways).apply(table())


def test_words_of_new_columns() -> None:
    """Each way in one sentence that names what it is made of."""
    ways = checked_ways(
        {
            "r": ("ratio", "a", "b"),
            "d": ("difference", "a", "b"),
            "c": ("combine", "a", "b"),
            "k": ("cut", "a", [1, 2.5]),
            "m": ("merge", "a", {"x": "y"}),
            "i": ("if", [("a", "over", 3)]),
        }
    )
    said = [derived_sentence(name, way) for name, way in ways.items()]
    assert said[0] == "New column 'r': 'a' divided by 'b'."
    assert said[3] == "New column 'k': 'a' cut at 1, 2.5."
    assert said[4] == "New column 'm': 'a' with merged levels ('x' becomes 'y')."
    assert said[5] == "New column 'i': yes where a over 3, else no."

"""What options say of rows and columns is what comes out, whatever was pressed before; pressing twice undoes."""

from __future__ import annotations

import random
import re
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
import sample_data
from engine.data.preparing.deciding.decision import Decision, Option
from tests.ugly_tables import UGLY

_KEEPS = re.compile(r"keeps (?:all )?([\d,]+)(?: of ([\d,]+))? rows? and ([\d,]+) columns?$")


@cache
def tables() -> dict[str, pd.DataFrame]:
    """The ugly tables and the sample whose name says that it is one."""
    return {**{name: make().table for name, make in UGLY.items()}, "clinic": sample_data.load("clinic_export")}


def check_effect(table: pd.DataFrame, recipe: engine.Recipe, card: Decision, option: Option) -> None:
    """What an option says it keeps is what is kept."""
    said = _KEEPS.search(option.effect)
    assert said is not None, option.effect
    assert not re.search(r"\b1 cell\b.* become gaps", option.effect), option.effect
    rows, whole, columns = (int(text.replace(",", "")) if text else None for text in said.groups())
    if not columns:
        assert not option.change
        return
    found = engine.Recipe(**engine.settle(recipe, card, option)).apply(table)
    assert (rows, columns) == (found.n_rows, found.n_variables), (card.key, option.effect)
    assert whole in (None, len(table))


@pytest.mark.parametrize("name", [*UGLY, "clinic"])
def test_effects_are_true(name: str) -> None:
    """Rows and columns of every option, also after others were chosen at random, are those of the data set."""
    table, recipe, rng = tables()[name], engine.Recipe(), random.Random(4)
    for _ in range(3):
        cards = engine.decisions(table, recipe)
        for one in cards:
            assert 2 <= len(one.options) <= 3
            for option in one.options:
                check_effect(table, recipe, one, option)
        if not cards:
            break
        one = rng.choice(cards)
        recipe = engine.Recipe(**engine.settle(recipe, one, rng.choice(one.options)))


@pytest.mark.parametrize("name", [*UGLY, "clinic"])
def test_an_option_can_be_taken_back(name: str) -> None:
    """Pressing each option after the other leaves what the last one alone would have left, and the card stays."""
    table, recipe = tables()[name], engine.Recipe()
    for one in engine.decisions(table, recipe):
        alone = {option.key: engine.settle(recipe, one, option) for option in one.options}
        for first in one.options:
            settled = engine.Recipe(**alone[first.key])
            again = next(card for card in engine.decisions(table, settled) if card.key == one.key)
            assert [option.key for option in again.options] == [option.key for option in one.options]
            assert [option.key for option in again.options if option.now] == [first.key]
            for second in again.options:
                after = engine.settle(settled, again, second)
                assert engine.Recipe(**after) == engine.Recipe(**alone[second.key])


def test_settling_leaves_other_choices_alone() -> None:
    """Tokens are added to those of the user, of the column and of all; kinds of other columns stay."""
    table = pd.DataFrame({"a": [1, 2, 3, 999] * 9, "b": ["x", "y", "?", "none"] * 9, "c": [1.5, 2, 3, 4] * 9})
    recipe = engine.Recipe(missing_tokens=["none"], missing="level", kinds={"c": "ordinal"})
    cards = {one.columns: one for one in engine.decisions(table, recipe)}
    for columns in (("a",), ("b",)):
        recipe = engine.Recipe(**engine.settle(recipe, cards[columns], cards[columns].option("missing")))
    assert {name: set(tokens) for name, tokens in recipe.missing_tokens.items()} == {
        "a": {"none", "999"}, "b": {"none", "?"}, "c": {"none"},
    }  # fmt: skip
    assert recipe.missing == "level"
    assert recipe.kinds == {"c": "ordinal"}
    assert set(recipe.settled.values()) == {"missing"}


def test_the_page_may_hold_its_choices_as_dictionaries() -> None:
    """Plain arguments and a recipe give the same, and neither is changed."""
    table = pd.DataFrame({"a": [1, 2, 3, 999] * 9, "b": [1.5, 2, 3, 999] * 9})
    plain = {"kinds": {"a": "nominal"}, "missing_tokens": {"a": ["3"]}}
    recipe = engine.Recipe(**plain)
    card = engine.decisions(table, recipe)[0]
    found = engine.settle(plain, card, card.option("missing"))
    assert engine.Recipe(**found) == engine.Recipe(**engine.settle(recipe, card, card.option("missing")))
    assert found["missing_tokens"] == {"a": ["3", "999"], "b": ["999"]}
    assert plain == {"kinds": {"a": "nominal"}, "missing_tokens": {"a": ["3"]}}


def test_settled_codes_are_remembered() -> None:
    """No, 999 is a value: the card is there with its answer, in the recipe's file too, and asks nothing new."""
    table = pd.DataFrame({"steps": [*range(100, 1100, 7), *[999] * 40]})
    card = engine.decisions(table, engine.Recipe())[0]
    recipe = engine.Recipe(**engine.settle(engine.Recipe(), card, card.option("value")))
    again = engine.decisions(table, engine.Recipe.from_dict(recipe.to_dict()))
    assert [(one.key, [way.key for way in one.options if way.now]) for one in again] == [(card.key, ["value"])]
    assert recipe.settled == {card.key: "value"}


def test_a_choice_by_hand_needs_no_card() -> None:
    """What was chosen without a card is not asked."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.choice([1, 2, 3, 4, 999], 60), "town": rng.choice([f"t{i}" for i in range(20)], 60)})
    assert {one.kind for one in engine.decisions(table, engine.Recipe())} == {"missing-code", "many-levels"}
    steps = {"a": "ordinal"}
    merged = engine.Recipe(kinds=steps, missing_tokens={"a": ["999"]}, rare={"town": 4}, missing="level")
    assert not engine.decisions(table, merged)
    left = engine.Recipe(kinds={**steps, "town": "ignore"}, missing_tokens=["999"], missing={"a": "level"})
    assert not engine.decisions(table, left)


_COLUMNS = {
    "codes": lambda rng, n: rng.choice([1, 2, 3, 9, 99, 999], n),
    "numbers, with gaps": lambda rng, n: np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n).round(1)),
    "half:gone": lambda rng, n: np.where(rng.random(n) < 0.45, np.nan, rng.choice([1, 2, 999], n)),
    "words": lambda rng, n: rng.choice(["a", "b", "unknown", "?", "refused"], n),
    "limits": lambda rng, n: np.where(rng.random(n) < 0.2, "<1", rng.integers(1, 30, n).astype(str)),
    "limits and marks": lambda rng, n: rng.choice(["<1", "2.5", "3", "4", "5", ">9", "n/k"], n),
    "site_id": lambda rng, n: rng.integers(0, 12, n),
    "towns": lambda rng, n: rng.choice([f"town {i}" for i in range(25)], n),
    "slot": lambda rng, n: rng.permutation(n),
    "time": lambda rng, n: rng.integers(1, 500, n),
    "status": lambda rng, n: rng.choice([0, 1], n),
    "day": lambda rng, n: pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 99, n), unit="D"),
    "mixed": lambda rng, n: rng.choice(np.array([1, "x", None, 2.5, True], object), n),
    "nothing": lambda rng, n: np.full(n, np.nan),
}
"""Name -> values; names have signs that keys are made of."""


@given(st.integers(0, 2**32 - 1), st.lists(st.sampled_from(sorted(_COLUMNS)), min_size=1, max_size=6, unique=True))
@settings(max_examples=25, deadline=None)
def test_any_table_is_told_the_truth(seed: int, names: list[str]) -> None:
    """Tables of odd columns and a copy: the effects hold, and no change is refused."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 90))
    table = pd.DataFrame({name: _COLUMNS[name](rng, n) for name in names})
    table["copy, of it"] = table[names[0]]
    recipe = engine.Recipe()
    for _ in range(2):
        cards = engine.decisions(table, recipe)
        assert len({one.key for one in cards}) == len(cards)
        for one in cards:
            assert sum(option.now for option in one.options) <= 1
            for option in one.options:
                check_effect(table, recipe, one, option)
        if cards:
            one = cards[int(rng.integers(len(cards)))]
            pressed = one.options[int(rng.integers(len(one.options)))]
            recipe = engine.Recipe(**engine.settle(recipe, one, pressed))
            assert one.key in {again.key for again in engine.decisions(table, recipe)}

"""Codes that may be names, values that nobody has, and many questions of one kind."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.preparing.deciding.joined import MOST_CARDS

RNG = np.random.default_rng(5)
N = 120
ARM = RNG.choice(["A", "B"], N)


def cards(table: dict[str, object], kind: str, **choices: object) -> list[tuple[str, ...]]:
    """The columns of each card of a kind."""
    found = engine.decisions(pd.DataFrame(table), engine.Recipe(**choices))
    return [item.columns for item in found if item.kind == kind]


def test_codes_of_names_are_asked_in_one_card() -> None:
    """Neither by name nor by neighbours an order: asked; a rating, items of a questionnaire and steps are not."""
    table: dict[str, object] = {"marital": RNG.integers(1, 6, N), "insurer": RNG.integers(1, 5, N), "arm": ARM}
    assert cards(table, "bare-codes") == [("marital", "insurer")]
    assert not cards({"rating": table["marital"], "arm": ARM}, "bare-codes")
    assert not cards({f"q{i}": RNG.integers(0, 4, N) for i in range(4)}, "bare-codes")
    steps = RNG.integers(1, 6, N)
    assert not cards({"xyz": steps, "other": steps * 10 + RNG.normal(0, 5, N)}, "bare-codes")
    assert not cards(table, "bare-codes", kinds={"marital": "nominal", "insurer": "nominal"})


@pytest.mark.parametrize(
    ("name", "value", "asked"),
    [("age", 200, True), ("Alter", -1, True), ("weight", 700, True), ("weight", 121, False), ("age", 101, False)],
)
def test_impossible_and_lonely_values_are_asked(name: str, value: int, asked: bool) -> None:
    """By what the name says, or by the distance from all others."""
    values = RNG.integers(45, 100, N)
    values[7] = value
    table = {"patient": [f"P{i}" for i in range(N)], name: values, "arm": ARM}
    assert bool(cards(table, "extremes")) is asked
    if asked:
        (card,) = (item for item in engine.decisions(pd.DataFrame(table), engine.Recipe()) if item.kind == "extremes")
        far = "Far from all other values" if name == "weight" else "Impossible in a living person"
        assert card.why.startswith(f"{far}: row 8 (P7). Until")


def test_a_few_values_in_another_unit_are_asked_together() -> None:
    """Three of a skewed column, ten times too large; more of them are a part of the table."""
    lactate, arm = np.exp(RNG.normal(0.9, 0.5, 800)).clip(0.5, 12).round(1), np.tile(["A", "B"], 400)
    lactate[:3] = 88.0, 99.0, 120.0
    assert cards({"lactate": lactate, "arm": arm}, "extremes") == [("lactate",)]
    assert cards({"lactate": lactate[:400], "arm": arm[:400]}, "extremes") == [("lactate",)], "three of 400 are few too"
    lactate[3:12] = np.linspace(85.0, 110.0, 9)
    assert not cards({"lactate": lactate, "arm": arm}, "extremes")


def test_skewed_values_are_no_extremes() -> None:
    """What grows by factors has a long end."""
    assert not cards({"crp": np.exp(RNG.normal(0, 1.3, N)).round(2), "arm": ARM}, "extremes")


def test_a_code_of_one_column_is_asked_of_all_that_hold_it() -> None:
    """Beside their values, not among them: a weight of 99 is one."""
    items = {f"q{i}": RNG.integers(0, 4, N) for i in range(5)}
    for name in ("q0", "q1", "q2"):
        items[name][RNG.choice(N, 5, replace=False)] = 99
    items["q4"][3] = 99
    weight = np.r_[99, RNG.integers(45, 120, N - 1)]
    assert cards({**items, "weight": weight}, "missing-code") == [("q0", "q1", "q2", "q4")]
    alone = RNG.integers(18, 80, N)
    alone[2] = -99
    assert cards({"age": alone, "arm": ARM}, "missing-code") == [("age",)]


def test_questions_alike_are_one_card_where_they_are_many() -> None:
    """Ten columns with a word each: one card, one press, and the decision can be taken again."""
    words = ["hemolysed", "clotted", "repeat", "lost", "qns", "spilled", "late", "broken", "gone", "odd"]
    table = pd.DataFrame({f"v{i}": RNG.integers(10, 90, N).astype(str) for i in range(len(words))}).assign(arm=ARM)
    for i, word in enumerate(words):
        table.loc[i, f"v{i}"] = word
    found = engine.decisions(table, engine.Recipe())
    assert len(found) == 1 <= MOST_CARDS
    assert len(found[0].columns) == len(words)
    for option in found[0].options:
        recipe = engine.Recipe(**engine.settle(engine.Recipe(), found[0], option))
        again = engine.decisions(table, recipe)
        assert [item.key for item in again if item.kind == "odd-words"] == [found[0].key]
        assert again[0].option(option.key).now
    assert len(engine.decisions(table.iloc[:, :3], engine.Recipe())) == 3

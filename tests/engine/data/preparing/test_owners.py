"""Persons by how their numbers behave, and variables that others determine."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.rows.determined import undetermined

RNG = np.random.default_rng(3)
PEOPLE, EACH = 40, 4
WHO = np.repeat(RNG.permutation(9000)[:PEOPLE] + 1000, EACH)
DIARY = pd.DataFrame(
    {
        "numéro": WHO,
        "humeur": np.repeat(RNG.normal(0, 10, PEOPLE), EACH) + RNG.normal(50, 7, PEOPLE * EACH),
        "sexe": np.repeat(RNG.choice(["f", "m"], PEOPLE), EACH),
    }
).round()


def together(table: pd.DataFrame) -> list[str]:
    """Columns that are asked to say which rows belong together."""
    return [item.columns[0] for item in engine.decisions(table, engine.Recipe()) if item.kind == "rows-together"]


@pytest.mark.parametrize(
    "table",
    [
        DIARY,
        DIARY.sample(frac=1, random_state=0),
        DIARY.drop(columns="sexe"),
        DIARY[["humeur", "sexe", "numéro"]],
        DIARY.assign(numéro=[f"VP{x}" for x in DIARY["numéro"]]),
        DIARY.assign(humeur=RNG.integers(0, 90, len(DIARY)), temps=list(range(EACH)) * PEOPLE).drop(columns="sexe"),
    ],
    ids=["in order", "shuffled", "alike only", "last column", "text", "planned"],
)
def test_persons_in_any_language(table: pd.DataFrame) -> None:
    """A sex that never changes, a mood that is alike, or a plan of times tells whose rows they are."""
    assert together(table) == ["numéro"]


def test_a_few_second_rows_are_enough() -> None:
    """Most have one row; what never changes where there are two says so."""
    once = DIARY.iloc[::EACH].assign(ort=RNG.choice(list("ABC"), PEOPLE), gr=RNG.choice(list("xy"), PEOPLE))
    assert together(pd.concat([once, once.iloc[:15].assign(humeur=1.0)])) == ["numéro"]


def test_measures_are_nobody() -> None:
    """Ages with their groups, pressures that rise with them, counts; days, though all else is alike within them."""
    age = RNG.integers(20, 80, 400)
    table = pd.DataFrame({"years": age, "old": age > 50, "sbp": (100 + age / 2 + RNG.normal(0, 9, 400)).round()})
    assert not together(table.assign(children=RNG.integers(0, 8, 400), steps=RNG.integers(0, 99, 400)))
    assert not together(DIARY.rename(columns={"numéro": "length of stay (days)"}))


def test_sums_cuts_and_codes_are_determined() -> None:
    """Of items, their sum, a cut of it and the items in words only the items are left."""
    items = RNG.integers(0, 4, (4, 300))
    total = items.sum(axis=0)
    codes = [*items, total, (total > 6).astype(int), 3 - items[0]]
    assert undetermined(codes, [None] * len(codes)) == [0, 1, 2, 3] or len(undetermined(codes, [None] * 7)) == 4
    noise = [*items, RNG.integers(0, 12, 300)]
    assert undetermined(noise, [None] * 5) == [0, 1, 2, 3, 4]


def test_every_row_twice_is_seen() -> None:
    """However few the columns are."""
    table = pd.DataFrame({"x": RNG.integers(20, 80, 60), "arm": RNG.choice(["A", "B"], 60)})
    doubled = pd.concat([table, table]).sample(frac=1, random_state=0)
    assert [item.kind for item in engine.Dataset.from_frame(doubled).relations] == ["copied-rows"]

"""Copies, survival data, many levels, identifiers and labelled codes; and that tables without any of it ask nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.data.preparing.deciding.decision import Decision

N = 400
RNG = np.random.default_rng(0)
AGES = RNG.integers(18, 90, N)
SEX = RNG.choice(["f", "m"], N)


def cards(columns: Any, **choices: Any) -> list[Decision]:
    """Of a table."""
    return list(engine.decisions(pd.DataFrame(columns), engine.Recipe(**choices)))


def keys(columns: Any, **choices: Any) -> set[str]:
    """Keys of the cards of a table."""
    return {one.key for one in cards(columns, **choices)}


def test_a_column_under_other_names_is_a_copy() -> None:
    """Words and their codes, numbers in another unit: the words stay."""
    kilos = RNG.normal(75, 12, N)
    found = cards({"sex_code": np.where(SEX == "f", 2, 1), "sex": SEX, "kg": kilos, "lb": kilos * 2.2, "age": AGES})
    assert {one.key for one in found} == {"copy:sex_code,sex", "copy:kg,lb"}
    by_key = {one.key: one for one in found}
    assert by_key["copy:sex_code,sex"].option("drop").change == {"kinds": {"sex_code": "ignore"}}
    assert by_key["copy:kg,lb"].option("drop").change == {"kinds": {"lb": "ignore"}}


def test_one_row_that_disagrees_and_it_is_no_copy() -> None:
    """A single difference is information."""
    other = np.where(SEX == "f", "w", "h")
    other[7] = "w" if other[7] == "h" else "h"
    kilos = RNG.normal(75, 12, N)
    near = kilos * 2.2
    near[11] += 1
    assert not keys({"sex": SEX, "genre": other, "kg": kilos, "lb": near})


def test_columns_that_another_determines() -> None:
    """Groups of ages, numbers cut by a threshold, regions of hospitals."""
    hospital = RNG.integers(0, 8, N)
    bmi = RNG.normal(26, 4, N)
    found = cards(
        {
            "age": AGES,
            "age_group": np.where(AGES < 50, "young", "old"),
            "bmi": bmi,
            "obese": (bmi >= 30).astype(int),
            "hospital": [f"h{i}" for i in hospital],
            "region": [f"r{i // 2}" for i in hospital],
        }
    )
    assert {one.key for one in found} == {
        "determined:age,age_group", "determined:bmi,obese", "determined:hospital,region",
    }  # fmt: skip
    said = {one.key: one.sentence for one in found}
    assert "'age_group' is cut from 'age'" in said["determined:age,age_group"]
    assert "'region' follows from 'hospital'" in said["determined:hospital,region"]


@given(st.integers(0, 10_000))
@settings(max_examples=25)
def test_columns_drawn_apart_ask_nothing(seed: int) -> None:
    """No card for columns that have nothing to do with each other."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(60, 500))
    table = {
        "number": rng.normal(size=n).round(2),
        "whole": rng.integers(0, 80, n),
        "words": rng.choice(["a", "b", "c"], n),
        "two": rng.choice([0, 1], n),
        "answers": rng.integers(1, 6, n),
        "count": rng.poisson(4, n),
    }
    assert not {key for key in keys(table) if not key.startswith("rare-levels")}


@pytest.mark.parametrize(
    ("time", "status"),
    [
        ("time", "status"), ("futime", "fustat"), ("os_months", "os_status"), ("survival", "censors"),
        ("dtime", "death"), ("days", "event"), ("OS_MONTHS", "VITAL_STATUS"), ("follow-up", "died"),
        ("survival_days", "dead"), ("rtime", "recur"),
    ],
)  # fmt: skip
def test_survival_data(time: str, status: str) -> None:
    """Names of public data sets; without both there is no card."""
    table = {time: RNG.exponential(300, N).round() + 1, status: (AGES % 3 == 0).astype(int), "age": AGES}
    found = cards(table)
    assert [(one.kind, one.columns) for one in found] == [("survival", (time, status))]
    assert found[0].option("drop").effect == "keeps all 400 rows and 1 column"
    assert found[0].option("status").change == {"kinds": {time: "ignore"}}
    assert not keys({name: values for name, values in table.items() if name != time})
    assert not keys({name: values for name, values in table.items() if name != status})


@pytest.mark.parametrize(
    ("time", "status"),
    [("reaction time", "correct"), ("days", "state"), ("months", "smoking status"), ("age", "death"), ("weeks", "sex")],
)
def test_other_times_are_no_survival_data(time: str, status: str) -> None:
    """Either name alone is not enough."""
    assert not keys({time: RNG.exponential(300, N).round() + 1, status: (AGES % 3 == 0).astype(int)})


def test_many_and_rare_levels() -> None:
    """One card for columns of many levels and one for rare levels; merging leaves twelve levels at most."""
    towns = RNG.zipf(1.6, N) % 30
    rows = np.arange(N)
    table = pd.DataFrame({"town": [f"town {i}" for i in towns], "job": [f"j{i}" for i in AGES % 20], "age": AGES})
    table["sex"] = np.select([rows < 2, rows == 7], ["odd", "new"], SEX)
    table["two"] = np.where(rows < 3, "alone", SEX[::-1])
    found = {one.kind: one for one in engine.decisions(table, engine.Recipe())}
    assert found.keys() == {"many-levels", "rare-levels"}
    assert found["many-levels"].columns == ("town", "job")
    assert found["rare-levels"].columns == ("sex",)
    recipe = engine.Recipe()
    for card in found.values():
        recipe = engine.Recipe(**engine.settle(recipe, card, card.option("merge")))
    data = recipe.apply(table)
    assert all(len(data.levels[name]) <= 12 for name in ("town", "job"))
    top = pd.Series(table["town"]).value_counts()
    assert set(data.levels["town"]) - {"other"} <= set(top.index[:12])
    assert data.levels["sex"] == ("f", "m", "other")
    assert data.levels["two"] == ("alone", "f", "m")  # alone, a level would only get another name


def test_identifiers_in_doubt() -> None:
    """Sites called by an id have few values; a shuffled list is no measure; sure ones are not asked about."""
    sites = RNG.integers(101, 111, N)
    table = {"site_id": np.where(sites > 109, 120, sites) * 3 + RNG.integers(0, 2, N), "patient_id": RNG.permutation(N)}
    table |= {"slot": RNG.permutation(N) + 1, "age": AGES, "population": RNG.permutation(10 * N)[:N]}
    found = {one.key: one for one in cards(table)}
    assert {key for key in found if key.startswith("identifier")} == {
        "identifier:site_id:left out",
        "identifier:slot,population:used",  # so many whole numbers are not all different by chance
    }
    left_out = {"kinds": {"slot": "ignore", "population": "ignore"}}
    assert found["identifier:slot,population:used"].option("drop").change == left_out


def labelled(labels: dict[str, list[str]], seed: int = 5) -> pd.DataFrame:
    """A table as the reader makes it of an SPSS file: categories in the order of the codes."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {name: pd.Categorical(rng.choice(some, N), categories=some) for name, some in labels.items()}
    ).assign(age=AGES)
    pairs = {name: [(str(code), label) for code, label in enumerate(some, 1)] for name, some in labels.items()}
    table.attrs["reading"] = {"labelled": pairs}
    return table


def test_labelled_codes() -> None:
    """Columns with the same labels share a card; in either case the levels stand in the order of the codes."""
    moods = ["awful", "so so", "grand"]
    table = labelled({"a": moods, "b": moods, "region": ["west", "east", "north"], "sex": ["male", "female"]})
    found = {one.kind: one for one in engine.decisions(table, engine.Recipe())}
    assert found.keys() == {"labelled-codes"}
    card = found["labelled-codes"]
    assert card.columns == ("a", "b")
    assert card.sentence == "'a' and 'b' have 3 labelled codes, 1 'awful' to 3 'grand': is that an order?"
    for option, kind in (("grades", "ordinal"), ("names", "nominal")):
        data = engine.Recipe(**engine.settle({}, card, card.option(option))).apply(table)
        assert data.levels["a"] == data.levels["b"] == tuple(moods)
        assert data.kinds["a"] == data.kinds["b"] == kind


def test_labels_that_say_how_much_in_the_order_of_their_codes_are_grades() -> None:
    """Either way round; not where codes and words disagree."""
    degrees = [
        "did not apply at all",
        "applied to some degree",
        "applied to a considerable degree",
        "applied very much",
    ]
    for words in (degrees, degrees[::-1]):
        data = engine.Recipe().apply(labelled({"a": words, "b": words}))
        assert data.kinds["a"] == "ordinal"
        assert data.levels["a"] == tuple(words)
    (card,) = engine.decisions(labelled({"a": [*degrees[1:], degrees[0]]}), engine.Recipe())
    assert card.kind == "labelled-codes"


def test_labels_for_no_answer_are_asked_about_first() -> None:
    """Whether "refused" is a level comes before whether the levels have an order."""
    moods = ["awful", "so so", "grand", "don't know", "refused"]
    table = labelled({"a": moods})
    first = engine.decisions(table, engine.Recipe())
    assert [one.kind for one in first] == ["missing-code"]
    recipe = engine.Recipe(**engine.settle({}, first[0], first[0].option("missing")), missing="level")
    card = next(one for one in engine.decisions(table, recipe) if one.kind == "labelled-codes")
    assert card.option("grades").change["levels"] == {"a": moods[:3]}


def test_order_of_cost_and_stability() -> None:
    """Most costly first; the same cards with the same keys when the table is read again."""
    table = pd.DataFrame(
        {"a": RNG.choice([1, 2, 3, 999], N), "b": RNG.choice(["x", "y", "?"], N), "c": AGES, "d": AGES}
    )
    first, again = (engine.decisions(table.copy(), engine.Recipe()) for _ in range(2))
    assert first == again
    costs = [one.cost for one in first]
    assert costs == sorted(costs, reverse=True)
    assert len({one.key for one in first}) == len(first) == 3
    shuffled = engine.decisions(table.sample(frac=1, random_state=1).reset_index(drop=True), engine.Recipe())
    assert {one.key for one in shuffled} == {one.key for one in first}


def test_tables_of_every_size() -> None:
    """One row, one column, more rows than are compared one by one, and columns that hold no values."""
    assert not engine.decisions(pd.DataFrame({"a": [1]}), engine.Recipe())
    empty = pd.DataFrame({"a": [None] * 30, "b": [[1]] * 30, "c": range(30)})
    assert not engine.decisions(empty, engine.Recipe())
    long = pd.DataFrame({"a": np.tile([1, 2, 3, 999], 60_000), "b": np.tile([5, 6, 999, 7], 60_000)})
    assert [one.key for one in engine.decisions(long, engine.Recipe())] == ["missing-code:a,b:999", "rare-levels:a"][:1]


def test_names_with_the_signs_of_keys() -> None:
    """Commas and colons in names of columns: settled cards are found again."""
    names = ["a,b", "c:d", "e", "e,f"]
    rng = np.random.default_rng(1)
    table = pd.DataFrame({name: np.where(rng.random(N) < 0.15, np.nan, rng.normal(size=N).round(1)) for name in names})
    table = table.assign(**{f"whole {i}": rng.normal(size=N).round(1) for i in range(9)})
    card = engine.decisions(table, engine.Recipe())[0]
    assert card.kind == "gaps"
    for option in card.options:
        recipe = engine.Recipe(**engine.settle({}, card, option))
        again = [one for one in engine.decisions(table, recipe) if one.key == card.key]
        assert [one.columns for one in again] == [card.columns]
        assert again[0].option(option.key).now


def test_gaps_of_ratings_can_be_left_open_for_ordinal_networks() -> None:
    """All rows are kept, the card says so, and the method that can use them is told; of names it is not offered."""
    generator = np.random.default_rng(3)
    steps = ["never", "rarely", "often", "always"]
    table = pd.DataFrame({f"q{i}": generator.choice(steps, 200) for i in range(6)})
    for name in table:
        table.loc[generator.random(200) < 0.04, name] = None
    (card,) = (one for one in engine.decisions(table, engine.Recipe()) if one.kind == "gaps")
    assert [one.key for one in card.options] == ["rows", "open", "level"]
    assert card.option("open").effect.endswith("keeps all 200 rows and 6 columns")
    assert "all 6 ratings with gaps" in card.option("open").effect
    assert len(card.columns) == 6 and card.option("open").label == "Leave them open"
    assert "bias" in card.option("rows").effect
    recipe = engine.Recipe(**engine.settle(engine.Recipe(), card, card.option("open")))
    data = recipe.apply(table)
    assert data.n_rows == 200
    assert engine.Ordinal.propose(data) == engine.Ordinal(missing="latent")
    (again,) = (one for one in engine.decisions(table, recipe) if one.kind == "gaps")
    assert [one.key for one in again.options if one.now] == ["open"]
    names = table.replace(dict(zip(steps, ["red", "blue", "green", "grey"], strict=True)))
    (card,) = (one for one in engine.decisions(names, engine.Recipe()) if one.kind == "gaps")
    assert "open" not in [one.key for one in card.options]


def test_gaps_that_are_spread_over_ratings_can_be_left_open() -> None:
    """No few columns cost the rows, so none is to be left out; what was decided stands, of names nothing is asked."""
    generator = np.random.default_rng(4)
    steps = ["never", "rarely", "often", "always"]
    table = pd.DataFrame({f"q{i}": generator.choice(steps, 400) for i in range(28)}).astype(object)
    for row in np.flatnonzero(generator.random(400) < 0.2):
        table.iloc[row, generator.choice(28, 2, replace=False)] = None
    complete = len(table.dropna())
    (card,) = (one for one in engine.decisions(table, engine.Recipe()) if one.kind == "gaps")
    assert [one.key for one in card.options] == ["rows", "open", "level"]
    assert list(card.columns) == [name for name in table if table[name].isna().any()]
    assert card.why.endswith(f"ordinal networks use {400 - complete} more rows.")
    recipe = engine.Recipe(**engine.settle(engine.Recipe(), card, card.option("open")))
    assert recipe.apply(table).n_rows == 400
    (again,) = (one for one in engine.decisions(table, recipe) if one.kind == "gaps")
    assert again.key == card.key and [one.key for one in again.options if one.now] == ["open"]
    names = table.replace(dict(zip(steps, ["red", "blue", "green", "grey"], strict=True)))
    assert "gaps" not in {one.kind for one in engine.decisions(names, engine.Recipe())}


def test_a_later_card_for_gaps_counts_what_an_earlier_one_has_won() -> None:
    """As it stands is as it is: gaps that were made a level before cost no row any more."""
    generator = np.random.default_rng(5)
    steps = ["never", "rarely", "often", "always"]
    table = pd.DataFrame({f"q{i}": generator.choice(steps, 300) for i in range(30)})
    for i, name in enumerate(table):
        table.loc[generator.random(300) < (0.2 if i < 5 else 0.012), name] = None
    choices: dict[str, object] = {}
    seen = []
    while card := next(
        (
            one
            for one in engine.decisions(table, engine.Recipe(**choices))
            if one.kind == "gaps" and one.key not in seen
        ),
        None,
    ):
        now = engine.Recipe(**choices).apply(table).n_rows
        (standing,) = (option for option in card.options if option.now)
        assert f"keeps {now} of 300 rows" in standing.effect
        seen.append(card.key)
        choices = engine.settle(choices, card, card.option("level"))
    assert len(seen) > 1

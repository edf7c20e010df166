"""Columns of numbers in which a few cells are words, and what cards say of new columns and of rows that are kept."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.preparing.deciding.decision import Decision

N = 300
NUMBERS = np.random.default_rng(0).normal(5, 1, N).round(1).astype(str).astype(object)
AGES = np.random.default_rng(1).integers(20, 80, N)


def table(words: dict[str, int], limits: int = 0) -> pd.DataFrame:
    """Numbers, from row 41 on words so many times each, and in the first rows cells below a limit."""
    cells = NUMBERS.copy()
    cells[:limits] = "<0.5"
    cells[40 : 40 + sum(words.values())] = np.repeat(list(words), list(words.values()))
    return pd.DataFrame({"crp": cells, "age": AGES})


def cards(some: pd.DataFrame, recipe: engine.Recipe | None = None) -> dict[str, Decision]:
    """Key -> card, but for that of the order of rows: the cells below a limit stand together."""
    found = engine.decisions(some, recipe or engine.Recipe())
    return {one.key: one for one in found if one.kind != "row-order"}


@pytest.mark.parametrize("word", ["hemolysed", "n/d", "neg", "12,5*", "unknown"])
def test_limits_among_which_a_few_cells_are_words(word: str) -> None:
    """One card, which makes the words missing too; taking another option leaves nothing of the one before."""
    some = table({word: 3}, 31)
    found = cards(some)
    assert found.keys() == {"detection-limit:crp"}
    card = found["detection-limit:crp"]
    assert f"'{word}' in row 41" in card.why and card.cost == 31
    rows = {"level": N - 3, "bound": N - 3, "missing": N - 34}
    for first, kept in rows.items():
        recipe = engine.Recipe(**engine.settle({}, card, card.option(first)))
        assert recipe.apply(some).n_rows == kept
        again = cards(some, recipe)
        assert again.keys() - {"gaps:crp"} == found.keys() and again[card.key].option(first).now
        for second in card.options:
            after = engine.settle(recipe, again[card.key], second)
            assert engine.Recipe(**after) == engine.Recipe(**engine.settle({}, card, second))


@pytest.mark.parametrize(
    ("words", "kept"),
    [({"hemolysed": 3}, N - 3), ({"hemolysed": 40}, N - 40), ({"hemolysed": 2, "unknown": 40}, N - 42)],
)
def test_a_few_words_keep_a_column_from_being_numbers(words: dict[str, int], kept: int) -> None:
    """Missing, and the column is continuous; or they are values, and it stays left out, the answer remembered."""
    some = table(words)
    card = cards(some)["odd-words:crp"]
    assert card.sentence.startswith(f"{N - kept} cells of 'crp' are no numbers, such as 'hemolysed' in row 41")
    recipe = engine.Recipe(**engine.settle({}, card, card.option("missing")))
    data = recipe.apply(some)
    assert (data.n_rows, data.kinds["crp"]) == (kept, "continuous")
    again = cards(some, recipe)
    assert again.keys() - {"gaps:crp"} == {card.key} and again[card.key].option("missing").now
    back = engine.Recipe(**engine.settle(recipe, again[card.key], card.option("value")))
    assert not back.missing_tokens and "crp" not in back.apply(some).names
    assert cards(some, back)[card.key].option("value").now


@pytest.mark.parametrize(
    "words",
    [{"hemolysed": 70}, {f"V{i}": 1 for i in range(9)}, {"n/d": 9, "neg": 9}],
    ids=["too many cells", "too many words", "together"],
)
@pytest.mark.parametrize("limits", [0, 31])
def test_many_words_are_the_rule(words: dict[str, int], limits: int) -> None:
    """More than one cell in twenty (in five of one word), or more than five words, may be the rule."""
    assert not cards(table(words, limits))


def test_what_was_chosen_by_hand_is_not_asked() -> None:
    """A kind, or the word among the missing tokens."""
    some = table({"hemolysed": 3})
    assert not cards(some, engine.Recipe(kinds={"crp": "ignore"}))
    assert not cards(some, engine.Recipe(missing_tokens={"crp": ("hemolysed",)}))
    some = table({"hemolysed": 3}, 31)
    assert not cards(some, engine.Recipe(missing_tokens={"crp": ("hemolysed",)}, limits={"crp": "bound"}))


def test_a_word_that_limits_made_missing_cannot_be_given_back_by_another_card() -> None:
    """Once limits are decided, a card of other columns with the same word leaves this one alone."""
    some = table({"unknown": 3}, 31).assign(site=np.where(np.arange(N) % 9 == 0, "unknown", AGES % 3).astype(object))
    card = cards(some)["detection-limit:crp"]
    recipe = engine.Recipe(**engine.settle({}, card, card.option("level")))
    site = next(one for key, one in cards(some, recipe).items() if key.startswith("missing-code"))
    assert site.columns == ("site",)
    for option in site.options:
        assert engine.Recipe(**engine.settle(recipe, site, option)).apply(some).kinds["crp"] == "continuous"


@pytest.mark.parametrize(("limits", "key"), [(31, "detection-limit:crp"), (0, "odd-words:crp")])
def test_taking_an_option_back_leaves_what_another_card_made_missing(limits: int, key: str) -> None:
    """The answer about 'unknown' stands, whatever becomes of the other words."""
    some = table({"unknown": 3, "hemolysed": 2}, limits).assign(
        site=np.where(np.arange(N) % 9 == 0, "unknown", AGES % 3).astype(object)
    )
    words = next(one for name, one in cards(some).items() if name.startswith("missing-code"))
    assert words.columns == ("crp", "site")
    first = engine.Recipe(**engine.settle({}, words, words.option("missing")))
    card = cards(some, first)[key]
    for pressed in card.options:
        again = engine.Recipe(**engine.settle(first, card, pressed))
        for option in card.options:
            after = engine.Recipe(**engine.settle(again, cards(some, again)[key], option))
            assert after == engine.Recipe(**engine.settle(first, card, option))
            assert "unknown" in after.chosen_for("missing_tokens", "crp")


def test_no_card_gives_a_new_column_tokens_or_limits() -> None:
    """It is made of what is known already: every option of every card can be pressed."""
    rng = np.random.default_rng(2)
    some = table({}, 31).assign(site=rng.choice(["A", "B", "C", "D", "unknown"], N))
    derive = {"site2": ("merge", "site", {"A": "B"}), "crp2": ("merge", "crp", {"<0.5": "<0.5"})}
    recipe = engine.Recipe(derive=derive, kinds={"crp": "nominal"})
    found = cards(some, recipe)
    assert {one.columns for key, one in found.items() if key.startswith("missing-code")} == {("site",)}
    assert not any(key.startswith("detection-limit") for key in found)
    for one in found.values():
        for option in one.options:
            engine.Recipe(**engine.settle(recipe, one, option)).apply(some)


def test_rare_levels_are_counted_in_the_rows_that_are_kept() -> None:
    """Levels and cells that the card names are those that the data set merges."""
    sizes = {"a": 150, "b": 120, "c": 9, "d": 3, "e": 4, "f": 30}
    levels = np.repeat(list(sizes), list(sizes.values()))
    gone = [0, 1, *range(270, 276), 279, *range(286, 316)]  # of a, c, d and all of f
    some = pd.DataFrame({"level": levels, "age": np.arange(len(levels)) % 41}).astype({"age": float})
    some.loc[gone, "age"] = np.nan
    kept = some["level"][some["age"].notna()].value_counts()
    rare = kept[kept < 5]
    assert set(rare.index) == {"c", "d", "e"}
    card = cards(some)["rare-levels:level"]
    assert card.sentence.startswith("3 levels of 'level'")
    assert card.options[0].effect.startswith(f"{rare.sum()} cells move")
    data = engine.Recipe(**engine.settle({}, card, card.option("merge"))).apply(some)
    assert int((np.asarray(data["level"]) == "other").sum()) == rare.sum()
    # with d in e, c is rare alone, and would only get another name
    assert "rare-levels:level" not in cards(some, engine.Recipe(merge={"level": {"d": "e"}}))


def test_an_answer_about_rare_levels_stays_when_other_rows_are_kept() -> None:
    """The card was about these columns, and no other asks about them again."""
    levels = np.repeat(["a", "b", "c", "d"], [150, 130, 3, 2])
    some = pd.DataFrame({"x": levels, "y": levels[::-1], "age": np.arange(len(levels)) % 41})
    card = next(one for key, one in cards(some).items() if key.startswith("rare-levels"))
    settled = engine.Recipe(**engine.settle({}, card, card.option("keep")))
    for most in (40, 20, 5):  # under 20, no row of 'x' has a rare level
        fewer = engine.Recipe(**{**settled.given(), "where": [("age", "under", most)]})
        assert [key for key in cards(some, fewer) if key.startswith("rare-levels")] == [card.key] == ["rare-levels:x,y"]


def test_a_column_that_is_left_out_for_many_words_is_named_where_no_card_asks() -> None:
    """What the eye would miss: a measurement is gone. Not where a card asks, and not by a choice."""
    lost = table({"n/d": 9, "neg": 9}, 0)
    said = engine.Dataset.from_frame(lost).report
    assert said is not None
    (problem,) = said.problems
    assert problem.startswith("'crp' is left out: it would be numeric but for 18 cells, the first in row")
    assert problem.endswith("; count these as missing to use it.")
    asked = engine.Dataset.from_frame(table({"hemolysed": 3}, 0)).report
    chosen = engine.Dataset.from_frame(lost, kinds={"crp": "ignore"}).report
    assert asked is not None and chosen is not None and asked.problems == chosen.problems == ()


def test_a_point_in_a_remark_is_no_decimal_mark() -> None:
    """'k.A.' and 'n.b.' in a column of '12,4' and '<0,5': it is asked about, and read with its commas."""
    rng = np.random.default_rng(4)
    values = [f"{value:.1f}".replace(".", ",") for value in rng.normal(12, 3, 100).clip(1)]
    values[3:6], values[20:24] = ["k.A."] * 3, ["<0,5"] * 4
    frame = pd.DataFrame({"crp": values, "arm": rng.choice(["a", "b"], 100)})
    (card,) = engine.decisions(frame, engine.Recipe())
    assert (card.kind, card.columns) == ("detection-limit", ("crp",))
    data = engine.Recipe(**engine.settle({}, card, card.option("bound"))).apply(frame)
    assert data.n_rows == 97 and set(data.names) == {"crp", "arm"}
    read = [float(value.strip("<").replace(",", ".")) for value in values if value != "k.A."]
    assert data.values("crp") == pytest.approx(read)


@pytest.mark.parametrize("sign", ["{}/{}", "{}:{}", "{}.{} mmHg", "({}.{})"], ids=str)
def test_measurements_that_are_no_plain_numbers_are_named(sign: str) -> None:
    """A blood pressure such as 135/82 is left out, which is said; with a single other word it has too many levels."""
    rng = np.random.default_rng(6)
    every = zip(rng.integers(10, 24, 90), rng.integers(10, 60, 90), strict=True)
    pairs = [sign.format(a, b) for a, b in every]
    frame = pd.DataFrame({"BP": pairs, "arm": rng.choice(["a", "b"], 90)})
    report = engine.Dataset.from_frame(frame).report
    assert report is not None
    (problem,) = report.problems
    assert (
        problem
        == f"'BP' is left out: a cell such as '{pairs[0]}' is no plain number; write one number a cell to use it."
    )
    postcodes = frame.assign(BP=[f"0{number}" for number in range(1000, 1090)])
    for other in (frame.replace(pairs[0], "high"), postcodes):
        report = engine.Dataset.from_frame(other).report
        assert report is not None and report.problems == ()


def _weights(cells: list[str], name: str = "weight") -> pd.DataFrame:
    """Forty rows, written as these cells in turn."""
    written = [cells[i % len(cells)].format(50 + i) for i in range(40)]
    return pd.DataFrame({name: written, "arm": ["a", "b"] * 20})


def test_a_unit_in_some_cells_is_asked_and_then_read() -> None:
    """The numbers are those in the cells, with their unit; another table may write it anywhere."""
    frame = _weights(["{0}.5 kg", "{0}", "{0}kg"])
    (card,) = (item for item in engine.decisions(frame, engine.Recipe()) if item.columns == ("weight",))
    assert card.sentence == "27 cells of 'weight' say kg, such as '50.5 kg': are all its numbers in kg?"
    unasked = engine.Dataset.from_frame(frame)
    assert "weight" not in unasked.names
    assert unasked.report is not None and not [one for one in unasked.report.problems if "weight" in one]
    recipe = engine.Recipe(**engine.settle(engine.Recipe(), card, card.option("unit")))
    data = recipe.apply(frame)
    assert (data.kinds["weight"], data.units["weight"]) == ("continuous", "kg")
    expected = [50 + i + 0.5 * (i % 3 == 0) for i in range(40)]
    assert data.numbers["weight"].column.tolist() == expected
    again = {item.key: item for item in engine.decisions(frame, recipe)}
    assert again[card.key].option("unit").now
    other = data.recipe.apply(pd.DataFrame({"weight": ["51", "70 kg", "88"], "arm": ["a", "b", "a"]}))
    plain = data.recipe.apply(pd.DataFrame({"weight": [51, 70, 88], "arm": ["a", "b", "a"]}))
    assert other.column("weight").tolist() == plain.column("weight").tolist()
    words = engine.Recipe(**engine.settle(engine.Recipe(), card, card.option("words")))
    assert "weight" not in words.apply(frame).names


@pytest.mark.parametrize(
    ("cells", "unit", "first"), [(["{0} %", "{0}", "{0},5%"], "%", 50), (["{0},50 €", "{0},50"], "€", 50.5)]
)
def test_a_percentage_or_a_price_in_some_cells_is_asked(cells: list[str], unit: str, first: float) -> None:
    """Few different ones too, since no dose is written so."""
    frame = _weights(cells, "x")
    for table in (frame, pd.DataFrame({"x": frame["x"][:8].tolist() * 5, "arm": frame["arm"]})):
        (card,) = (item for item in engine.decisions(table, engine.Recipe()) if item.kind == "unit")
        data = engine.Recipe(**engine.settle(engine.Recipe(), card, card.option("unit"))).apply(table)
        assert data.units["x"] == unit
        assert "continuous" in (data.kinds["x"], "continuous" if len(set(table["x"])) <= 10 else "")
    assert engine.Dataset.from_frame(frame, units={"x": unit}).numbers["x"].column[0] == first


@pytest.mark.parametrize(("cells", "named"), [(["{0} %", "0.{0}"], True), (["{0} %", "{0}.5"], False)])
def test_shares_beside_percentages_are_named(cells: list[str], named: bool) -> None:
    """0.5 and 50 % in one column are never two levels, nor two numbers, whatever unit is chosen."""
    for given in ({}, {"units": {"x": "%"}}):
        report = engine.Dataset.from_frame(_weights(cells, "x"), **given).report
        assert report is not None
        told = "'x' is left out: it has shares such as 0.89 beside percentages such as 50 %; write all in one way"
        assert bool([one for one in report.problems if one.startswith(told)]) is named
        assert (report.column("x").kind == "ignore") is (named or not given)


def test_the_name_may_say_the_unit_too() -> None:
    """Where it says another one, nobody knows in what the bare numbers are."""
    asked = [item.kind for item in engine.decisions(_weights(["{0} kg", "{0}"], "weight kg"), engine.Recipe())]
    assert "unit" in asked
    asked = [item.kind for item in engine.decisions(_weights(["{0} kg", "{0}"], "weight lbs"), engine.Recipe())]
    assert "unit" not in asked


@pytest.mark.parametrize(
    "cells",
    [
        ["{0} kg", "{0} lbs", "{0}"],  # two units
        ["{0} kg", "{0} g"],
        ["{0} %", "0.{0}"],  # shares beside percent
        ["{0}a", "{0}"],  # no unit
        ["{0} kg", "{0}", "about {0}"],
        ["5 mg", "10 mg", "20"],  # doses
        ["{0} m", "{0}"],  # a letter, maybe a mark
        ["{0} H", "{0}"],
        ["{0}/70", "{0}"],
    ],
)
def test_what_is_no_unit_for_certain_is_not_asked(cells: list[str]) -> None:
    """It stays words, and a column that is left out for it is named."""
    assert "unit" not in [item.kind for item in engine.decisions(_weights(cells, "x"), engine.Recipe())]
    given = engine.Dataset.from_frame(_weights(cells, "x"), units={"x": "kg"})
    assert "x" not in given.numbers


def test_two_units_are_named() -> None:
    """Their column is left out, and the problems say so."""
    report = engine.Dataset.from_frame(_weights(["{0} kg", "{0} lbs", "{0}"])).report
    assert report is not None
    assert [one for one in report.problems if one.startswith("'weight' is left out: a cell such as '50 kg'")]


def test_an_age_of_90_and_over_is_a_limit() -> None:
    """As files write it that hide the oldest; beside few numbers it is a step, as three and four or more."""
    ages = [str(30 + i) if i < 60 else "90+" for i in range(72)]
    frame = pd.DataFrame({"age": ages, "children": [("0", "1", "2", "3", "4+")[i % 5] for i in range(72)]})
    (card,) = (item for item in engine.decisions(frame, engine.Recipe()) if item.kind != "identifier")
    assert card.sentence == "12 cells of 'age' only say that a limit was passed, such as '90+': how do they count?"
    data = engine.Recipe(**engine.settle(engine.Recipe(), card, card.option("bound"))).apply(frame)
    assert data.numbers["age"].column.tolist() == [30 + i if i < 60 else 90 for i in range(72)]
    assert (data.kinds["children"], data.levels["children"][-1]) == ("ordinal", "4+")

"""What a script is told, and tables with questions of many kinds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat

import engine
from engine.data.preparing.deciding.joined import MOST_CARDS, REST

RNG = np.random.default_rng(7)
N = 120


def test_a_report_says_what_a_card_would_ask() -> None:
    """One sentence a card, with the Python of each answer that changes something; none once that is said."""
    table = pd.DataFrame({"chol": RNG.integers(150, 300, N), "arm": RNG.choice(["a", "b"], N)})
    table.loc[:8, "chol"] = 999
    data = engine.Dataset.from_frame(table)
    assert data.report is not None
    asked = "999 stands 9 times in 'chol': does it mean missing? Missing: Recipe(missing_tokens={'chol': ['999']})."
    assert data.report.questions == (asked,)
    assert asked in data.report.sentences()
    answered = engine.Dataset.from_frame(table, missing_tokens={"chol": ["999"]})
    assert answered.report is not None
    assert not [one for one in answered.report.questions if "999" in one]


def test_questions_of_many_kinds_are_seven_cards() -> None:
    """Those that have the same answers become one, which can be settled and taken back."""
    table: dict[str, object] = {"arm": RNG.choice(["a", "b"], N)}
    for i, word in enumerate(("lost", "late", "gone")):
        table[f"w{i}"] = np.where(np.arange(N) == i, word, RNG.integers(10, 90, N).astype(str))
    for i, code in enumerate((999, 888, -99)):
        table[f"c{i}"] = np.where(np.arange(N) < 6 + i, code, RNG.integers(20, 60, N))
    table["age"] = np.where(np.arange(N) == 3, 200, RNG.integers(20, 80, N))
    table["marital"] = RNG.integers(1, 6, N)
    table["town"] = RNG.choice(["x-y", "X-Y", "z"], N)
    table["limit"] = np.where(np.arange(N) < 9, "<0.5", RNG.uniform(1, 9, N).round(1).astype(str))
    table["ldl"] = table["c0"]
    table["gap"] = np.where(np.arange(N) < 20, np.nan, RNG.normal(0, 1, N))
    table["copy"] = np.where(np.asarray(table["arm"]) == "a", "one", "two")
    table["site"] = np.repeat(["p", "q", "r", "s"], [2, 40, 40, N - 82])
    for i in range(3):
        table[f"s{i}"] = RNG.choice(["blue", "green", "red"], N)
    found = engine.decisions(pd.DataFrame(table), engine.Recipe())
    assert len(found) <= MOST_CARDS, [item.key for item in found]
    rest = next(item for item in found if item.key.endswith(f":{REST}"))
    for option in rest.options:
        recipe = engine.Recipe(**engine.settle(engine.Recipe(), rest, option))
        again = {item.key: item for item in engine.decisions(pd.DataFrame(table), recipe)}
        assert again[rest.key].option(option.key).now


def test_spellings_of_yes_and_no_are_one_without_a_question() -> None:
    """They are told beside the column's kind; who lists both as levels keeps both."""
    table = pd.DataFrame({"smokes": ["no", "yes", "No", "no"] * 10, "arm": RNG.choice(["a", "b"], 40)})
    assert not [item for item in engine.decisions(table, engine.Recipe()) if item.kind == "same-words"]
    data = engine.Dataset.from_frame(table)
    assert data.levels["smokes"] == ("no", "yes")
    assert data.report is not None
    assert "counted as one: 'No' and 'no'" in data.report.column("smokes").reason
    both = engine.Dataset.from_frame(table, levels={"smokes": ["No", "no", "yes"]})
    assert both.levels["smokes"] == ("No", "no", "yes")


def test_labelled_answers_beside_a_measure_are_asked_however_many(tmp_path: Path) -> None:
    """A labelled value among ages is no age, as the file says; so many words that nobody labelled may be the rule."""
    ages = np.where(np.arange(N) % 4 == 0, 97, RNG.integers(18, 80, N)).astype(float)
    file = tmp_path / "ages.sav"
    frame = pd.DataFrame({"age": ages, "arm": RNG.choice(["a", "b"], N)})
    pyreadstat.write_sav(frame, file, variable_value_labels={"age": {97.0: "lives abroad"}})
    table = engine.read_table(file)
    (card,) = engine.decisions(table, engine.Recipe())
    assert card.sentence.startswith(f"{N // 4} cells of 'age' are no numbers, such as 'lives abroad'")
    recipe = engine.Recipe(**engine.settle(engine.Recipe(), card, card.option("missing")))
    assert recipe.apply(table).kinds["age"] == "continuous"
    bare = pd.DataFrame({**table, "age": table["age"].astype(str)})
    assert not engine.decisions(bare, engine.Recipe())


def test_what_stands_before_only_is_carried_whatever_the_name_of_the_person() -> None:
    """Each code before and after: it is a person by how it behaves."""
    rows = [(f"X{i}Q", when, i * 7 % 41) for i in range(30) for when in ("pre", "post")]
    table = pd.DataFrame(rows, columns=["code", "time", "score"])
    table["sex"] = np.where(table["time"] == "pre", RNG.choice(["f", "m"], 60), None)
    card = next(item for item in engine.decisions(table, engine.Recipe()) if item.kind == "carried")
    assert card.columns == ("sex",)
    assert card.option("carry").change["roles"] == {"code": "subject"}


def test_few_ages_are_a_measure() -> None:
    """By name and numbers; groups of ages are ordered."""
    ages, groups = RNG.integers(10, 19, N), RNG.integers(1, 7, N)
    data = engine.Dataset.from_frame(pd.DataFrame({"age": ages, "Alter (Jahre)": ages, "age_2": groups, "agent": ages}))
    assert data.kinds == {"age": "continuous", "Alter (Jahre)": "continuous", "age_2": "ordinal", "agent": "ordinal"}


def test_what_stands_once_to_a_person_is_carried_to_the_other_rows() -> None:
    """Offered in one card, as new columns; what changes within a person is not among them, and rows stay together."""
    visit, person = np.tile(np.arange(3), 40), np.repeat(np.arange(40), 3)
    table = pd.DataFrame(
        {
            "record_id": person,
            "event": [f"visit {number}" for number in visit],
            "sex": np.where(visit == 0, RNG.choice(["f", "m"], 120), None),
            "age": np.where(visit == 0, RNG.integers(20, 80, 120), np.nan),
            "sbp": np.where(visit < 2, RNG.integers(100, 160, 120), np.nan),
        }
    )
    card = next(item for item in engine.decisions(table, engine.Recipe()) if item.kind == "carried")
    assert card.columns == ("sex", "age")
    recipe = engine.Recipe(**engine.settle(engine.Recipe(), card, card.option("carry")))
    again = {item.kind: item for item in engine.decisions(table, recipe)}
    assert again["carried"].option("carry").now
    assert recipe.roles == {"record_id": "subject"} and "rows-together" not in again
    data = recipe.apply(table)
    assert "sex (record_id)" in data.names
    assert data.report is not None
    assert data.report.column("sex (record_id)").missing == data.report.column("age (record_id)").missing == 0
    assert data.recipe.apply(table).fingerprint == data.fingerprint


def test_columns_of_one_value_or_nothing_are_ticks() -> None:
    """Answers of which several may be ticked: a yes or no each once that is said; one such column is a remark."""
    table = pd.DataFrame(
        {"sex": ["f", "m"] * 20, "phone": ["Phone", None] * 20, "web": ["Web", None, "Web", "Web"] * 10}
    )
    card = next(item for item in engine.decisions(table, engine.Recipe()) if item.kind == "ticks")
    assert card.columns == ("phone", "web")
    recipe = engine.Recipe(**engine.settle(engine.Recipe(), card, card.option("ticked")))
    data = recipe.apply(table)
    assert data.levels == {"sex": ("f", "m"), "phone ticked": ("no", "yes"), "web ticked": ("no", "yes")}
    assert np.bincount(data.codes[data.names.index("web ticked")]).tolist() == [10, 30]
    again = next(item for item in engine.decisions(table, recipe) if item.kind == "ticks")
    assert again.option("ticked").now and again.key in recipe.settled
    assert not [c for c in engine.decisions(table.drop(columns="web"), engine.Recipe()) if c.kind == "ticks"]

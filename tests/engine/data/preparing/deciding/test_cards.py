"""What a script is told, and tables with questions of many kinds."""

from __future__ import annotations

import numpy as np
import pandas as pd

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


def test_answers_beside_a_measure_are_asked_however_many() -> None:
    """A labelled value among ages is no age; a column of words is not asked for its numbers."""
    ages = RNG.integers(18, 90, N).astype(str)
    ages[: N // 4] = "refused"
    found = engine.decisions(pd.DataFrame({"age": np.where(ages == "refused", "lives abroad", ages)}), engine.Recipe())
    assert [item.kind for item in found] == ["odd-words"]
    few = np.where(np.arange(N) % 2 == 0, "lives abroad", RNG.integers(1, 5, N).astype(str))
    assert not engine.decisions(pd.DataFrame({"a": few, "arm": RNG.permutation(["x", "y"] * 60)}), engine.Recipe())


def test_few_ages_are_a_measure() -> None:
    """By name and numbers; groups of ages are ordered."""
    ages, groups = RNG.integers(10, 19, N), RNG.integers(1, 7, N)
    data = engine.Dataset.from_frame(pd.DataFrame({"age": ages, "Alter (Jahre)": ages, "age_2": groups, "agent": ages}))
    assert data.kinds == {"age": "continuous", "Alter (Jahre)": "continuous", "age_2": "ordinal", "agent": "ordinal"}

"""Settings, and what is proposed for a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine
from engine.execution import silent
from engine.methods.discriminative.method import likely_target, shuffled_best
from engine.methods.discriminative.pipeline import known_of, sides
from engine.methods.discriminative.points import Dealer
from engine.methods.discriminative.structure import fit_pair
from tests.engine.methods.discriminative.make import METHOD, counted, dataset, points, row_frame, series_frame

NO_CLASS = "No column can be the class: it needs 2 to 6 different values"


def test_the_likeliest_class_column_is_proposed() -> None:
    """By role, by name, and one class a subject; never the subject or the time."""
    assert likely_target(dataset(series_frame())) == "class"
    assert engine.Discriminative.propose(dataset(series_frame())).target == "class"
    frame = row_frame()
    frame["death"] = frame["v2"]
    assert likely_target(engine.Dataset.from_frame(frame)) == "class"
    assert likely_target(engine.Dataset.from_frame(frame, roles={"death": "outcome"})) == "death"
    words = frame.drop(columns=["death", "class"]).assign(alarm=frame["v2"], farm=frame["v2"], HIVstatus=frame["v2"])
    assert likely_target(engine.Dataset.from_frame(words)) == "HIVstatus"
    frame = series_frame(steps=8).drop(columns="class")
    data = dataset(frame)
    assert likely_target(data) is None
    assert engine.Discriminative.unfit(data).startswith(
        "No column can be the class: it needs 2 to 6 different values, with at least 2 subjects"
    )
    with pytest.raises(engine.SettingsError, match="No column can be the class"):
        engine.Discriminative.propose(data)


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (
            {"diagnosis": ["ill"] * 60},
            f"{NO_CLASS}, each on at least 2 rows. 'diagnosis' is left out",
        ),
        (
            {"ward": [f"ward {i}" for i in range(60)]},
            f"{NO_CLASS}, each on at least 2 rows. 'ward' is left out",
        ),
        (
            {"diagnosis": ["ill", "well"] * 30, "age": None, "size": None},
            "Only 'diagnosis' is in use.",
        ),
    ],
)
def test_a_table_without_classes_is_refused_with_the_column_and_why(column: dict[str, Any], words: str) -> None:
    """One value, a value a row, nothing beside the classes: which column is meant is said."""
    frame = pd.DataFrame({"age": np.linspace(20, 80, 60), "size": np.sin(range(60))} | column).dropna(axis=1)
    assert words in engine.Discriminative.unfit(engine.Dataset.from_frame(frame))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"score": "luck"}, "score is 'luck'"),
        ({"parameters": "most"}, "parameters is 'most'"),
        ({"max_parents": 5}, "max_parents is 5"),
        ({"top_families": 0}, "top_families is 0"),
        ({"eps": 0.0}, "eps is 0.0"),
        ({"folds": 1}, "folds is 1"),
        ({"folds": "rows"}, "folds is 'rows'"),
        ({"shared": True, "score": "ccl"}, "shared is for the score 'acl'"),
        ({"knowledge": "none"}, "knowledge is 'none'"),
        ({"discretise": "rows"}, "discretise is 'rows'"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, object], words: str) -> None:
    """With the name of the setting."""
    with pytest.raises(engine.SettingsError, match=words):
        engine.Discriminative("class", **given)  # type: ignore[arg-type]


def test_knowledge_of_strange_variables_is_named() -> None:
    """Before anything is counted."""
    known = engine.Knowledge(forbidden=[("v0", "weather")])
    with pytest.raises(engine.SettingsError, match="weather"):
        engine.Discriminative("class", knowledge=known).run(dataset(series_frame(steps=6)))


def test_the_best_by_chance_is_the_best_link_and_the_best_levels_of_any_network() -> None:
    """Of permuted classes, dealt once more here and fitted family by family."""
    of = points(series_frame())
    method = replace(METHOD, shuffles=5)
    gains, levels = shuffled_best(of, counted(of), method, silent)
    generator, dealer = np.random.default_rng(np.random.SeedSequence([method.seed, 2])), Dealer(of)
    for gain, level in zip(gains, levels, strict=True):
        pairs = [fit_pair(counted(of), side, method, known_of(of, method)) for side in sides(dealer.deal(generator), 2)]
        networks = [network for pair in pairs for network in (pair.own, pair.others)]
        assert gain == np.max([network.gain for network in networks])
        assert level == np.max([network.alone for network in networks])


def test_what_takes_hours_is_not_offered_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """CCL over rows of many variables; over series it is quick."""
    rows, series = engine.Dataset.from_frame(row_frame()), dataset(series_frame())
    assert "ccl" in METHOD.other_methods(rows)
    monkeypatch.setattr("engine.methods.discriminative.method.MOST_MOVES", 1)
    assert "ccl" not in METHOD.other_methods(rows)
    assert "ccl" in METHOD.other_methods(series)
    assert METHOD.score not in METHOD.other_methods(series)


def test_a_class_that_no_role_names_is_a_guess() -> None:
    """An outcome is none; without one the form says why it begins with a column; ages and the like come last, what
    is named like an end first."""
    frame = pd.DataFrame({"age": ["50 and over", "under 50"] * 20, "cough": ["yes", "no", "no", "yes"] * 10})
    plain = engine.Dataset.from_frame(frame)
    assert engine.Discriminative.why_proposed(plain) == (
        "no column has the role of an outcome, so 'cough' is taken for the class."
    )
    assert engine.Discriminative.why_proposed(engine.Dataset.from_frame(frame, roles={"cough": "outcome"})) == ""
    died = engine.Dataset.from_frame(frame.assign(Died=frame["cough"]))
    assert engine.Discriminative.why_proposed(died) == "'Died' is taken for the class, by its name."

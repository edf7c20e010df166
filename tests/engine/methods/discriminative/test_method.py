"""Settings, and what is proposed for a table."""

from __future__ import annotations

import pytest

import engine
from engine.methods.discriminative.method import likely_target
from tests.engine.methods.discriminative.make import dataset, row_frame, series_frame


def test_the_likeliest_class_column_is_proposed() -> None:
    """By role, by name, and one class a subject; never the subject or the time."""
    assert likely_target(dataset(series_frame())) == "class"
    assert engine.Discriminative.propose(dataset(series_frame())).target == "class"
    frame = row_frame()
    frame["death"] = frame["v2"]
    assert likely_target(engine.Dataset.from_frame(frame)) == "class"
    assert likely_target(engine.Dataset.from_frame(frame, roles={"death": "outcome"})) == "death"
    frame = series_frame(steps=8).drop(columns="class")
    data = dataset(frame)
    assert likely_target(data) is None
    assert engine.Discriminative.unfit(data).startswith("No column says which of two to six classes")
    with pytest.raises(engine.SettingsError, match="No column says"):
        engine.Discriminative.propose(data)


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

"""Stepping through a search on a page: forwards and backwards, and small counts."""

from __future__ import annotations

from typing import Any

import pyarrow.ipc
import pytest
from streamlit.testing.v1 import AppTest

import engine
from dashboard.server.memory import memory
from dashboard.session.keys import of_names
from dashboard.session.session import Session
from dashboard.views.workshop.steps import VERDICTS
from engine.methods.log_linear.steps import selection_steps
from engine.search.step_wording import headline
from engine.search.steps import Obstacle, search_steps
from sample_data.catalog import dataset


def show() -> None:
    """The view alone on a page."""
    from dashboard.views.workshop.steps import show_steps

    show_steps()


def opened(data: engine.Dataset | None = None) -> AppTest:
    """The page, with a table or without."""
    at = AppTest.from_function(show, default_timeout=60)
    at.session_state["diptych"] = Session(dataset=data)
    at.run()
    assert not at.exception
    return at


def box(at: AppTest, label: str) -> Any:
    """A list to choose from."""
    return next(item for item in at.selectbox if item.label == label)


def press(at: AppTest, label: str) -> str:
    """What the page says after a button."""
    next(item for item in at.button if item.label == label).click()
    return said(at.run())


def said(at: AppTest) -> str:
    """The headline as it is read."""
    assert not at.exception
    return at.title[0].value.replace("\\", "")


def test_steps_go_forwards_and_backwards() -> None:
    """The headlines are those of the engine's steps; at the ends there is no further button."""
    at = opened()
    data = dataset("cough_and_smoke")
    recorded = search_steps(data.select(data.names[:8]), engine.BDeu(), engine.HillClimbing(tabu=0))
    assert said(at) == headline(recorded, 0)
    assert press(at, "Next") == headline(recorded, 1)
    assert press(at, "Last") == headline(recorded, len(recorded) - 1)
    assert next(item for item in at.button if item.label == "Next").disabled
    assert press(at, "Back") == headline(recorded, len(recorded) - 2)
    assert press(at, "First") == headline(recorded, 0)
    assert next(item for item in at.button if item.label == "Back").disabled


def test_a_loss_has_a_minus() -> None:
    """What is displayed of the candidates of the last step, none of which gains: each the engine's, no hyphen."""
    at = opened()
    press(at, "Last")
    data = dataset("cough_and_smoke")
    last = search_steps(data.select(data.names[:8]), engine.BDeu(), engine.HillClimbing(tabu=0))[-1]
    table = at.dataframe[0]
    with pyarrow.ipc.open_stream(table.proto.arrow_data.styler.display_values) as stream:
        shown = stream.read_all().column("gain").to_pylist()
    assert shown == [f"{item.gain:z.1f}".replace("-", "\u2212") for item in last.candidates[: len(shown)]]
    assert "\u2212" in shown[-1]


def test_every_refusal_of_a_move_is_explained_above_its_column() -> None:
    """Those of colliders have a sentence of their own; a path back is called what it would bring."""
    moves = set(Obstacle) - {Obstacle.SEPARATES, Obstacle.AMBIGUOUS, Obstacle.CONTRADICTED}
    assert [item.value for item in moves if f"*{item.value}*" not in VERDICTS] == []
    assert Obstacle.PATH.value == "may cycle"


def test_required_and_forbidden_arrows_and_links_are_honoured() -> None:
    """The page's steps are the engine's with the same knowledge; what contradicts itself gets a sentence."""
    data = dataset("cough_and_smoke")
    data = data.select(data.names[:8])
    first = search_steps(data, engine.BDeu(), engine.HillClimbing(tabu=0))[0].move
    knowledge = engine.Knowledge(forbidden=[first[1:3]])
    recorded = search_steps(data, engine.BDeu(), engine.HillClimbing(tabu=0), knowledge)
    key = f"workshop.steps.arrows.{of_names(data.names)}"
    at = opened()
    at.session_state[f"{key}.forbidden.pairs"] = (first[1:3],)
    assert said(at.run()) == headline(recorded, 0)
    assert press(at, "Last") == headline(recorded, len(recorded) - 1)
    at.session_state[f"{key}.required.pairs"] = (first[1:3],)
    at.run()
    assert not at.exception and any(
        "is required, but it is forbidden" in item.value.replace("\\", "") for item in at.warning
    )
    box(at, "Search").set_value("Log-linear (Chordalysis)").run()
    method = engine.LogLinear(forbidden=[first[1:3]])
    for name, pairs in (("forbidden", (first[1:3],)), ("required", ())):
        at.session_state[f"workshop.steps.links.{of_names(data.names)}.{name}.pairs"] = pairs
    assert said(at.run()) == headline(selection_steps(data, method), 0)
    at.session_state[f"workshop.steps.links.{of_names(data.names)}.required.pairs"] = (first[1:3],)
    at.run()
    assert not at.exception and any("is forbidden, but also in" in item.value.replace("\\", "") for item in at.warning)


def test_a_missing_level_tells_a_search_nothing_unless_asked() -> None:
    """Rows without a value are left out, which a line says; by the switch they are rows of a level as others."""
    whole = dataset("cough_and_smoke").to_frame().iloc[:, :3].astype(object)
    whole.iloc[:40, 0] = None
    data = engine.Dataset.from_frame(whole, missing="level")
    at = opened(data)
    known = data.rows(data.column(data.names[0]) != data.levels[data.names[0]].index("missing"))
    recorded = search_steps(known.without_empty_levels()[0], engine.BDeu(), engine.HillClimbing(tabu=0))
    assert said(at) == headline(recorded, 0)
    assert any("1,960 of 2,000 rows: the others lack a value" in item.value for item in at.caption)
    next(item for item in at.toggle if item.label == "Missing is a level").set_value(True).run()
    assert said(at) == headline(search_steps(data, engine.BDeu(), engine.HillClimbing(tabu=0)), 0)
    assert said(at) != headline(recorded, 0)
    assert "Missing is a level" not in [item.label for item in opened(known.without_empty_levels()[0]).toggle]


def test_the_open_table_is_offered_unless_small_counts_are_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a smallest cell only samples are, and a sentence says why."""
    data = dataset("two_hospitals")
    assert box(opened(data), "Table").options[0] == "The open table"
    monkeypatch.setattr(memory(), "smallest_cell", 11)
    at = opened(data)
    assert "The open table" not in box(at, "Table").options
    assert any("small counts are hidden" in item.value for item in at.caption)

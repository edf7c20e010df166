"""The workshop's page, driven as a reader drives it: evidence, X and Y, drawing, probabilities, tasks, sampling."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import dashboard
import engine
from dashboard.network.workshop import WorkshopEvent
from dashboard.session.cards import Card
from dashboard.session.session import Session
from dashboard.views.workshop import page as view
from dashboard.views.workshop import sources
from dashboard.views.workshop.state import WorkshopState
from engine.exchange import network_to_bif
from engine.models import Network, posteriors
from engine.models.drawing import add_variable
from sample_data.workshop_networks import WORKSHOP_NETWORKS

PAGE = str(Path(dashboard.__file__).parent / "app_pages" / "workshop.py")


def page(held: Session | None = None) -> AppTest:
    """The page as it opens."""
    at = AppTest.from_file(PAGE, default_timeout=60)
    at.session_state["diptych"] = held or Session()
    at.run()
    assert not at.exception
    return at


def state_of(at: AppTest) -> WorkshopState:
    """What it shows."""
    state: WorkshopState = at.session_state["diptych"].state(WorkshopState)
    return state


def shown(at: AppTest) -> str:
    """Heading, captions, warnings and markup, without backslashes."""
    elements: Any = [*at.title, *at.caption, *at.warning, *at.markdown, *at.error, *at.success, *at.info]
    texts = [item.value for item in elements] + [item.proto.body for item in at.get("html")]
    return "\n".join(texts).replace("\\", "")


def test_it_opens_on_explaining_away() -> None:
    """The sample's sentence, the answer and its path, the acting row."""
    text = shown(page())
    assert (
        "Given Wheeze = yes, Asthma and Smokes become associated: also knowing Smokes = yes lowers P(Asthma = yes)"
        in text
    )
    assert "**Explaining away.**" in text
    assert "No. One path is open." in text and "Asthma → <u>Wheeze</u> ← Smokes" in text
    assert "Wheeze is a collider and is known." in text
    assert (
        "<tr class='acting'><td>" in text
        and "<td>blocked, unless a descendant is known</td><td><b>open</b></td>" in text
    )


def test_given_is_evidence_and_separates() -> None:
    """A variable added to what is given is known at its yes; without it X and Y are d-separated."""
    at = page()
    at.multiselect(key="workshop.given").set_value([]).run()
    assert state_of(at).evidence == {} and "Yes. Every path is blocked." in shown(at)
    at.multiselect(key="workshop.given").set_value(["Breathless"]).run()
    assert state_of(at).evidence == {"Breathless": "yes"}
    assert "its descendant Breathless is known" in shown(at)
    at.selectbox(key="workshop.x").set_value("Smokes").run()
    assert (state_of(at).x, state_of(at).y) == ("Smokes", "Asthma")
    at.button(key="workshop.clear").click().run()
    assert state_of(at).evidence == {} and not at.exception
    assert not at.button(key="workshop.clear").disabled  # a press on a bar does not draw the sidebar again


def test_an_old_list_of_what_is_given_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy browser sends the label of an earlier level, or the list as it was before a press on a bar."""
    state = WorkshopState()
    state.open(WORKSHOP_NETWORKS["cough"].make(), "", "x", evidence={"Wheeze": "no"})
    values: dict[str, Any] = {view.GIVEN: ["Wheeze = yes"]}
    monkeypatch.setattr(view, "workshop", lambda: state)
    monkeypatch.setattr(view, "value_of", values.get)
    view._change_given()
    assert state.evidence == {"Wheeze": "no"}
    values |= {view.GIVEN: [], view.PICTURE: SimpleNamespace(event={"kind": "set", "node": 0, "level": 1})}
    view._change_given()
    assert state.evidence == {"Wheeze": "no"}
    values[view.PICTURE] = SimpleNamespace(event=None)
    view._change_given()
    assert state.evidence == {}


def test_clicks_set_and_impossible_evidence_is_refused() -> None:
    """The state's posteriors are the engine's; evidence of probability 0 is one sentence and changes nothing."""
    at = page()
    state = state_of(at)
    state.apply(WorkshopEvent("set", "Cough", level="yes"))
    assert state.evidence == {"Wheeze": "yes", "Cough": "yes"}
    expected = posteriors(state.network, state.evidence)
    assert all(state.posterior[name].tolist() == expected[name].tolist() for name in state.network.names)
    at.selectbox(key="workshop.network").set_value("sample chest").run()
    for name, level in (("Tuberculosis", "yes"), ("Either of two", "no")):
        state.apply(WorkshopEvent("set", name, level=level))
    at.run()
    assert state.evidence == {"Tuberculosis": "yes"} and "has probability 0" in shown(at)


def test_a_file_with_a_variable_of_very_many_levels_is_refused() -> None:
    """In one sentence, and the network that is there stays; as many as are shown are taken."""
    state = WorkshopState()
    for number in (50, 51):
        levels = tuple(f"s{i}" for i in range(number))
        sources._open_file(
            state,
            network_to_bif(Network(("code",), (levels,), ((),), (np.full((1, number), 1 / number),))).encode(),
            "a",
        )
    assert len(state.network.levels[0]) == 50
    assert state.error == "code has 51 levels; the workshop shows up to 50."


def test_drawing_by_picture_and_by_form() -> None:
    """From nothing to an arrow that does something; a circle is refused in a sentence; undo takes a step back."""
    at = page()
    at.selectbox(key="workshop.network").set_value("empty").run()
    state = state_of(at)
    assert "Draw two variables" in shown(at)
    for name in ("Rain", "Wet", "Mud"):
        state.apply(WorkshopEvent("add", name=name, point=(0.0, 0.0)))
    state.apply(WorkshopEvent("link", "Rain", "Wet"))
    at.run()
    at.selectbox(key="workshop.from").set_value("Wet")
    at.selectbox(key="workshop.to").set_value("Mud")
    at.button(key="workshop.link").click().run()
    assert state.network.parents == ((), (0,), (1,))
    with_rain, without = posteriors(state.network, {"Rain": "yes"}), posteriors(state.network, {"Rain": "no"})
    assert with_rain["Mud"].tolist() != without["Mud"].tolist()
    state.apply(WorkshopEvent("link", "Mud", "Rain"))
    at.run()
    assert "Mud → Rain would close a circle: Rain → Wet → Mud → Rain" in shown(at)
    at.button(key="workshop.undo").click().run()
    assert state.network.parents == ((), (0,), ()) and not at.exception
    state.apply(WorkshopEvent("rename", "Rain", name="Snow"))
    state.apply(WorkshopEvent("unlink", "Snow", "Wet"))
    state.apply(WorkshopEvent("remove", "Mud"))
    assert state.network.names == ("Snow", "Wet") and state.network.parents == ((), ())


def test_undo_brings_back_title_and_ends_and_no_change_is_none() -> None:
    """Typed probabilities that are the network's own leave it as it is, and nothing is there to be undone."""
    at = page()
    state = state_of(at)
    network, about = state.network, state.about
    at.button(key="workshop.apply").click().run()
    assert state.network is network and state.about == about and not state.undone
    state.apply(WorkshopEvent("remove", "Smokes"))
    state.choose("x", "Breathless")
    state.choose("y", "Cough")
    at.run()
    at.button(key="workshop.undo").click().run()
    assert (state.network, state.about, state.x, state.y) == (network, about, "Asthma", "Smokes")


def test_boxes_stay_when_another_network_of_their_variables_is_opened_and_when_a_drawing_is_undone() -> None:
    """Whatever its arrows are; what was dragged after the arrow stays dragged."""
    state = state_of(page())
    state.apply(WorkshopEvent("link", "Cough", "Heart failure"))
    state.apply(WorkshopEvent("move", "Smokes", point=(-320.0, -150.0)))
    dragged = dict(state.positions)
    assert dragged["Smokes"] == (-320.0, -150.0)
    state.undo()
    assert state.positions == dragged
    names = state.network.names[::-1]
    levels, table = (("no", "yes"),) * len(names), np.array([[0.5, 0.5]])
    state.open(Network(names, levels, ((),) * len(names), (table,) * len(names)), "another", "file another")
    assert state.positions == dragged
    state.open(WORKSHOP_NETWORKS["chest"].make(), "chest", "file chest")
    assert not set(state.positions) & {"Heart failure"}


def test_two_networks_of_one_method_have_two_names() -> None:
    """By the setting that differs, in the list and as the page calls the open one; equal settings by their numbers."""
    rows = np.random.default_rng(1).integers(0, 2, (3, 200))
    data = engine.Dataset.from_codes(rows, [2, 2, 2], ["a", "b", "c"])
    held = Session(dataset=data)
    for key, ess in ((1, 1.0), (2, 10.0), (3, 10.0)):
        result = engine.LogLinear(criterion="bic" if ess > 1 else "mml").run(data)
        held.cards.add(Card(key, result, data, source="a.csv"))
    at = page(held)
    options = at.selectbox(key="workshop.network").options
    own = [option for option in options if "directed" in option]
    assert [option[:13] for option in own] == ["directed, 1. ", "directed, 2. ", "directed, 3. "]
    assert [option.count("mml") for option in own] == [1, 0, 0]
    at.selectbox(key="workshop.network").set_value("result 2 directed").run()
    assert state_of(at).about.startswith("directed, 2. ")


def test_a_task_is_checked_and_solved() -> None:
    """A wrong choice shows the path, a right one is said to be right."""
    at = page()
    state = state_of(at)
    check = next(button for button in at.button if button.label == "Check")
    check.click().run()
    assert "Not yet. Cough ← Smokes → Wheeze → Breathless is open" in shown(at)
    at.multiselect[1].set_value(["Smokes"]).run()
    next(button for button in at.button if button.label == "Check").click().run()
    assert "Right. Given Smokes" in shown(at)
    for number in range(1, len(state.questions) + 1):
        if not state.questions[number - 1].several:  # the reason would be the solution
            next(button for button in at.button if button.label == "Check").click().run()
            assert [item.value for item in at.info] == ["Choose first."] and not at.error
        next(button for button in at.button if button.label == "Show a solution").click().run()
        assert at.info and not at.exception
        next(button for button in at.button if button.label == "Next task").click().run()
        assert any(f"Task {number % len(state.questions) + 1} of 5" in item.label for item in at.expander)


def test_why_has_shares_that_sum() -> None:
    """The largest first, together the change."""
    at = page()
    state = state_of(at)
    state.apply(WorkshopEvent("set", "Cough", level="yes"))
    at.run()
    explained = engine.models.explain_change(state.network, "Asthma", "yes", state.evidence)
    text = shown(at)
    assert text.index("<td>Wheeze = yes</td>") < text.index("<td>Cough = yes</td>")
    assert f"<b>{engine.words.points(explained.change)}</b>" in text


def test_a_sample_opens_in_data_and_the_network_stays() -> None:
    """As many rows as asked, levels in their order; the workshop's network outlasts the new table, not the session."""
    at = page()
    state = state_of(at)
    frame_rows = 250
    at.number_input(key="workshop.rows").set_value(frame_rows)
    at.button(key="workshop.sample").click().run()
    held = at.session_state["diptych"]
    assert held.dataset.n_rows == frame_rows and held.dataset.names == state.network.names
    assert tuple(held.dataset.levels.values()) == state.network.levels
    assert held.state(WorkshopState) is state
    held.end()
    assert held.state(WorkshopState) is not state


def test_names_of_a_file_do_nothing() -> None:
    """Markup in names is shown as text in the sentence, the answer and the shares."""
    at = page()
    state = state_of(at)
    bad = "<img src=x onerror=alert(1)>"
    network = add_variable(add_variable(engine.models.Network((), (), (), ()), bad), "**b** :red[x]", ("no", "<b>"))
    state.open(network, bad, "file x")
    state.link(bad, "**b** :red[x]")
    state.set_level("**b** :red[x]", "<b>")
    at.run()
    assert not at.exception
    assert not any("<img" in item.proto.body for item in at.get("html"))
    assert "\\<img" in at.title[0].value

"""See and do, as a reader uses it: X set beside X seen, sets tried, an estimate by a table, rows with X by lot."""

from __future__ import annotations

import pandas as pd
from streamlit.testing.v1 import AppTest

import engine
from dashboard.network.workshop import Marks, WorkshopEvent, network_data, spread
from dashboard.session.session import Session
from dashboard.views.workshop import sources
from dashboard.views.workshop.page import DOING
from dashboard.views.workshop.state import WorkshopState
from engine.exchange import read_network_file, write_network
from engine.models import intervene, posteriors
from engine.models.drawing import sample_rows
from sample_data.workshop_networks import WORKSHOP_NETWORKS
from tests.dashboard.views.workshop.test_page import page, shown, state_of
from tests.engine.exchange.test_network_file import DAGITTY, of_37


def doing(held: Session | None = None) -> AppTest:
    """The view, on the sprinkler."""
    at = page(held)
    next(one for one in at.sidebar.radio if one.label == "Look at").set_value(DOING).run()
    next(one for one in at.sidebar.selectbox if one.label == "Network").set_value("sample sprinkler").run()
    assert not at.exception
    return at


def test_setting_and_seeing_stand_beside_each_other() -> None:
    """Cloudy confounds the sprinkler and the rain: the sentence, the path, the table, the set that adjusts."""
    at = doing()
    text = shown(at)
    assert "Setting Sprinkler = yes leaves P(Rain = yes) at 50" in text
    assert "**Confounding.**" in text
    assert "Sprinkler ← Cloudy → Rain is open" in text
    heads = "<th>Rain</th><th>set X = yes</th><th>set X = no</th><th>effect, pp</th>"
    assert heads in text and "<td>0.0</td>" in text, "whatever seeing tells, setting does nothing to the rain"
    assert "Cloudy." in text and "Without holding any fixed, it stays confounded." in text
    tried = next(one for one in at.multiselect if one.label == "Try variables to hold fixed")
    text = shown(tried.set_value(["Cloudy"]).run())
    assert "They suffice." in text
    next(one for one in at.selectbox if one.label == "Set X to").set_value("no").run()
    assert state_of(at).doing == {"Sprinkler": "no"}
    assert "Setting Sprinkler = no" in shown(at)


def test_setting_begins_where_it_differs_from_seeing() -> None:
    """Two effects of one cause, the first time; what was chosen before, and what is chosen later, stays."""
    first = WORKSHOP_NETWORKS["cough"]
    network, ends = first.make(), (first.x, first.y)
    state = WorkshopState()
    state.open(network, "cough", "sample", ends)
    state.begin_doing()
    assert set(state.graph.predecessors(state.x)) & set(state.graph.predecessors(state.y))
    for end in ("x", "y"):
        state.choose(end, ends["xy".index(end)])
    state.begin_doing()
    assert (state.x, state.y) == ends
    state.open(network, "cough", "sample", ends)
    state.choose("x", "Phlegm")
    state.begin_doing()
    assert state.x == "Phlegm"


def test_a_click_sets_a_variable_and_cuts_its_arrows() -> None:
    """What the picture is told: the level that is set, and the arrow that is cut; a second variable beside X."""
    network = WORKSHOP_NETWORKS["sprinkler"].make()
    state = WorkshopState()
    state.open(network, "rain", "sample", ("Sprinkler", "Rain"))
    state.apply_doing(WorkshopEvent("set", "Wet grass", level="yes"))
    assert state.doing == {"Sprinkler": "yes", "Wet grass": "yes"}
    assert state.evidence == {}
    state.apply_doing(WorkshopEvent("set", "Wet grass"))
    assert state.doing == {"Sprinkler": "yes"}
    known = posteriors(intervene(network, state.doing))
    marks = Marks(cut=[("Cloudy", "Sprinkler")])
    data = network_data(network, state.positions, known, state.prior, state.doing, marks)
    assert data["doing"]
    assert [arc["status"] for arc in data["arcs"]].count("cut") == 1
    assert not network_data(network, state.positions, known, state.prior, {}, Marks())["doing"]


def test_the_difference_by_a_table_is_adjusted() -> None:
    """Rows of the sprinkler: the plain difference is far from 0, the adjusted one holds it."""
    held = Session()
    held.dataset = engine.Dataset.from_frame(sample_rows(WORKSHOP_NETWORKS["sprinkler"].make(), 4000, 1))
    text = shown(doing(held))
    assert "Holding Cloudy" in text and "Plain: −0." in text
    held.dataset = engine.Dataset.from_frame(pd.DataFrame({"a": ["x", "y"] * 20}))
    assert "Open a table on Data that has the columns Sprinkler and Rain" in shown(doing(held))


def test_files_of_other_programs_open_with_their_places() -> None:
    """Ends and notes of DAGitty, places of XDSL moved apart; a file that is none is refused in a sentence."""
    state = WorkshopState()
    sources._open_file(state, b"<html/>", "x.xdsl")
    assert "no network of GeNIe" in state.error
    sources._open_file(state, DAGITTY, "x.txt")
    assert (state.x, state.y) == ("Drug", "death")
    assert "probabilities were drawn" in state.notice
    network = of_37()
    places = {name: (150.0 * (i % 6), 90.0 * (i // 6)) for i, name in enumerate(network.names)}
    sources._open_file(state, write_network(network, "xdsl", places).encode(), "x.xdsl")
    read = read_network_file(write_network(network, "xdsl", places).encode())
    boxes = spread(read.network, read.positions)
    assert set(boxes) == set(network.names)
    a, b, c = (boxes[name] for name in ("X01", "X02", "X07"))
    assert b[0] - a[0] > 140 and abs(b[1] - a[1]) < 1e-9 and c[1] - a[1] > 90

"""The picture of the page: what items are called, when it is drawn anew, and what a click leads to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np
import pytest

import engine
from dashboard.network.component import NetworkEvent
from dashboard.session.labels import names_shown
from dashboard.session.session import session
from dashboard.views.ordinal import picture
from dashboard.views.ordinal.picture import DrawnPictures, SidePanel, averaged_links, item_labels, show_picture
from engine.methods.ordinal.result import SLUG, OrdinalResult
from engine.simulation.ordinal import cut_graph

BAD = "x_<b>mood</b>"
NAMES = ["x_a", "y_b_c", BAD, "y_d"]
METHOD = engine.Ordinal(approach="gpc")


@pytest.fixture(scope="module")
def data() -> engine.Dataset:
    """Four answers on two scales, one link going down, a hostile name."""
    graph = nx.DiGraph()
    graph.add_nodes_from(NAMES)
    graph.add_edge("x_a", BAD, weight=1.2)
    graph.add_edge("y_b_c", BAD, weight=-1.2)
    graph.add_edge(BAD, "y_d", weight=1.0)
    return cut_graph(graph, 3).sample(300, np.random.default_rng(1))


@pytest.fixture(scope="module")
def result(data: engine.Dataset) -> OrdinalResult:
    """Its network."""
    return METHOD.run(data)


class Screen:
    """What is shown in place of the component, what it answers, and how often the page is drawn again."""

    def __init__(self) -> None:
        self.shown: list[Any] = []
        self.event = NetworkEvent()
        self.reruns = 0

    def show(self, pictures: Any, names: Any, **_: Any) -> NetworkEvent:
        """The component."""
        self.shown.append(pictures)
        return self.event

    def rerun(self, scope: str) -> None:
        """Streamlit's."""
        self.reruns += scope == "fragment"


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    """In a session in which nothing was drawn."""
    screen = Screen()
    monkeypatch.setattr(picture, "show_rings", screen.show)
    monkeypatch.setattr(picture.st, "rerun", screen.rerun)
    monkeypatch.setitem(session()._states, DrawnPictures, DrawnPictures())
    monkeypatch.setitem(session()._states, SidePanel, SidePanel())
    monkeypatch.delitem(session().picked, SLUG, raising=False)
    yield screen
    session().picked.pop(SLUG, None)


def test_items_are_called_by_their_labels_else_without_their_scale() -> None:
    """A label of the file or the dictionary first; spaces for underscores; a scale that not all begin with stays."""
    assert item_labels(NAMES) == {"x_a": "a", "y_b_c": "b c", BAD: "<b>mood</b>", "y_d": "d"}
    with names_shown({"y_d": "Down_hearted"}):
        assert item_labels(NAMES)["y_d"] == "Down_hearted"
    numbered = ["S1_01", "S1_02", "S2_01", "S2_03"]
    assert item_labels(numbered) == {name: name for name in numbered}
    assert item_labels(["low_mood", "guilt"]) == {"low_mood": "low mood", "guilt": "guilt"}


def test_it_is_drawn_once_and_anew_when_scales_labels_or_links_change(
    screen: Screen, data: engine.Dataset, result: OrdinalResult
) -> None:
    """All layouts with all three kinds, names as text; the legend has the scales of now."""
    show_picture(result)
    show_picture(result)
    first, second = screen.shown
    assert first is second
    assert list(first) == ["spring", "circle", "layers"]
    assert all(set(kinds) == {"arrows", "lines", "implied"} for kinds in first.values())
    assert "<b>" not in first["spring"]["lines"]
    scaled = result.with_parts(METHOD.partial_network(data, {"x_a": "sad <i>", "y_d": "glad"}))
    show_picture(scaled)
    assert "sad &lt;i&gt;" not in first["circle"]["lines"]
    assert "sad &lt;i&gt;" in screen.shown[-1]["circle"]["lines"]
    with names_shown({"x_a": "Restless"}):
        show_picture(scaled)
    assert ">Restless<" in screen.shown[-1]["spring"]["arrows"]
    averaged = averaged_links(result.with_parts(METHOD.edge_strength(data, runs=4)), 0.0)
    show_picture(scaled, averaged)
    assert {kind for kinds in screen.shown[-1].values() for kind in kinds} == {"arrows"}
    assert screen.shown[-1]["spring"]["arrows"].count("rings-link") == len(averaged) > 0
    show_picture(scaled, averaged[:1])
    assert screen.shown[-1]["spring"]["arrows"].count("rings-link") == 1


def test_a_click_opens_the_card_and_one_beside_all_does_not(screen: Screen, result: OrdinalResult) -> None:
    """An item, a line that is no link of the search, then nothing; the same click twice runs nothing again."""
    screen.event = NetworkEvent(node="y_d")
    show_picture(result)
    assert session().state(SidePanel).clicked and session().picked[SLUG] == "y_d"
    assert screen.reruns == 1
    session().state(SidePanel).clicked = False
    screen.event = NetworkEvent(node="of another table")
    show_picture(result)
    assert screen.reruns == 1 and not session().state(SidePanel).clicked
    screen.event = NetworkEvent(cleared=True)
    show_picture(result)
    assert screen.reruns == 2 and not session().state(SidePanel).clicked
    assert session().picked[SLUG] is None


def test_averaged_links_follow_the_threshold(data: engine.Dataset, result: OrdinalResult) -> None:
    """Those of more than that share of the samples, each with its share in words; none where nothing was resampled."""
    sure = result.with_parts(METHOD.edge_strength(data, runs=4))
    assert sure.strength is not None
    links = averaged_links(sure, 0.5)
    assert links and all(sure.strength.share(link.source, link.target) > 0.5 for link in links)
    assert all("of 4 bootstrap samples" in link.words for link in links)
    assert not averaged_links(sure, 1.0)

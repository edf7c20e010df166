"""The switch for a room."""

from __future__ import annotations

import networkx as nx
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.session.session import Session
from dashboard.views.shared import network_view, page_parts


def page() -> None:
    """Only the switch."""
    from dashboard.views.shared.page_parts import projector

    projector()


def test_it_is_off_to_begin_with_and_restyles_the_page_when_on() -> None:
    """Off nothing is added; on, letters are larger and the sidebar is gone; off again, nothing is left."""
    at = AppTest.from_function(page, default_timeout=30).run()
    assert at.sidebar.toggle[0].value is False
    assert not at.get("html") and not at.get("bidi_component")
    at.sidebar.toggle[0].set_value(True).run()
    (style,) = at.get("html")
    assert "font-size:21px" in style.proto.body
    assert "stSidebar" in style.proto.body
    assert not at.exception
    at.sidebar.toggle[0].set_value(False).run()
    assert not at.get("html")


def test_a_room_has_places_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """While it is on a picture is laid out for a whole screen; the page's own places are as the user left them."""
    held = Session()
    monkeypatch.setattr(network_view, "session", lambda: held)
    graph = nx.DiGraph([(f"a long name {i}", f"a long name {i + 1 + i % 2}") for i in range(20)])
    names = list(graph)
    here = dict(network_view.positions_of(names, [graph]))
    monkeypatch.setattr(network_view, "projected", lambda: True)
    there = network_view.positions_of(names, [graph])
    high, low = (max(y for _, y in one.values()) - min(y for _, y in one.values()) for one in (here, there))
    assert low < high
    assert network_view.positions_of(names, [graph]) == there
    monkeypatch.setattr(network_view, "projected", lambda: False)
    assert network_view.positions_of(names, [graph]) == here
    assert page_parts.projected() is False

"""Networks on their way to the screen and events on their way back."""

from __future__ import annotations

import html
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.network.component import NetworkEvent, read_event
from dashboard.network.labels import node_label, node_sizes
from dashboard.network.panel import Edge, Node, Panel, build_network, panel_data
from dashboard.network.standalone import standalone_html
from dashboard.theme import ARCS

HOSTILE = "</script><img src=http://evil.example/x onerror=alert(1)>"
NAMES = ["age", HOSTILE, "href"]
PLACES = {"age": (0.0, 0.0), HOSTILE: (50.0, 100.0), "href": (10.0, 200.0)}
PANEL = Panel(
    "A",
    "10 rows",
    [Node("age", 1.0, "odds 10"), Node(HOSTILE), Node("href")],
    [Edge("age", HOSTILE, "only_a", 0.5), Edge(HOSTILE, "href", "same", directed=False)],
)


def test_pyvis_holds_the_network() -> None:
    """Integer ids, given places, physics off, an arrow for arcs and none for lines."""
    network = build_network(PANEL, PLACES)
    assert network.node_ids == [0, 1, 2]
    assert [(node["x"], node["y"]) for node in network.nodes] == list(PLACES.values())
    assert [edge.get("arrows") for edge in network.edges] == ["to", ""]
    assert network.options["physics"] == {"enabled": False}


def test_arcs_in_both_directions_are_kept() -> None:
    """Pyvis would drop a second edge between two nodes of an undirected network; a pair must survive."""
    panel = Panel("A", "", PANEL.nodes, [Edge("age", "href"), Edge("href", "age")])
    assert len(panel_data([panel], PLACES)["panels"][0]["edges"]) == 2


def test_data_is_plain_json() -> None:
    """Everything passes through strict JSON, also with evidence that is infinite or missing."""
    nodes = [Node("age", float("inf")), Node(HOSTILE, float("nan")), Node("href", float("-inf"))]
    data = panel_data([Panel("A", "", nodes, [Edge("age", "href", weight=float("nan"))])], PLACES)
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_legend_names_only_what_is_drawn() -> None:
    """A kind of arc that no panel has is not in the legend; the caller's words replace the theme's."""
    data = panel_data([PANEL], PLACES, words={"only_a": "only in placebo"}, evidence="odds")
    assert [entry["words"] for entry in data["legend"]] == ["in both", "only in placebo", "odds"]
    assert data["legend"][1]["dash"] == list(ARCS["only_a"].dash)


def test_events_carry_names() -> None:
    """Numbers become the names they stand for."""
    assert read_event({"kind": "node", "node": 2}, NAMES, 1) == NetworkEvent(node="href")
    assert read_event({"kind": "node", "node": None}, NAMES, 1) == NetworkEvent(cleared=True)
    edge = {"kind": "edge", "source": 0, "target": 1, "panel": 2}
    assert read_event(edge, NAMES, 3) == NetworkEvent(edge=("age", HOSTILE, 2))
    moved = {"kind": "moved", "positions": [[0, 1, 2.5], [9, 0, 0]]}
    assert read_event(moved, NAMES, 1) == NetworkEvent(moved={"age": (1.0, 2.5)})


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        {},
        {"kind": "node", "node": 99},
        {"kind": "node", "node": True},
        {"kind": "node", "node": "age"},
        {"kind": "edge", "source": 0, "target": 99, "panel": 0},
        {"kind": "edge", "source": 0, "target": 1, "panel": 7},
        {"kind": "moved", "positions": [[0, float("nan"), 1], [0, 1], "x", [0, 1e9, 0], [0, "1", 1]]},
    ],
)
def test_events_that_do_not_fit_are_nothing(raw: object) -> None:
    """A browser can send anything; what does not fit moves and selects nothing."""
    event = read_event(raw, NAMES, 3)
    assert (event.node, event.edge, dict(event.moved)) == (None, None, {})


@given(st.text(max_size=60), st.integers(1, 60))
@settings(max_examples=60)
def test_labels_are_narrow(name: str, variables: int) -> None:
    """At most two lines, none wider than the crowd allows, never empty."""
    lines = node_label(name, variables).split("\n")
    assert 1 <= len(lines) <= 2
    assert 0 < max(map(len, lines)) <= 16


def test_sizes_match_labels() -> None:
    """The layout is told the width of what is drawn: the longest line, or what stands below it."""
    assert node_sizes(["age", "blood pressure"]) == {"age": 48.0, "blood pressure": 8 * 14 + 24.0}
    assert node_sizes(["age"], below="changed") == {"age": 8 * 7 + 24.0}
    long = "mean_pressure_left_ventricle_day_2"
    (width,) = node_sizes([long]).values()
    assert width == 24 + 8 * max(map(len, node_label(long, 1).split("\n")))


def test_standalone_page_is_sealed() -> None:
    """A policy in both pages, a sandbox, no address to load from, and hostile names only as data."""
    page = standalone_html([PANEL], PLACES, f"Title {HOSTILE}")
    assert page.count("default-src 'none'") == page.count("default-src &#x27;none&#x27;") == 1
    assert 'sandbox="allow-scripts allow-downloads"' in page
    assert "allow-same-origin" not in page
    outer, inner = page.split(' srcdoc="')
    assert not re.search(r"\b(src|href)\s*=", outer.split("<iframe")[1])
    assert "<script" not in outer
    assert not re.search(r"<(script|link|iframe)[^>]*\b(src|href)\s*=", html.unescape(inner))
    assert "<img" not in inner
    assert "\\u003c/script\\u003e\\u003cimg" in inner

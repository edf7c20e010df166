"""Networks on their way to the screen and events on their way back."""

from __future__ import annotations

import html
import itertools
import json
import random
import re

import networkx as nx
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.network.boxes import FEW, FONT_SIZE, MARGIN, node_height, node_label, node_sizes
from dashboard.network.component import NetworkEvent, read_event
from dashboard.network.panel import (
    Edge,
    Node,
    Panel,
    build_network,
    drawn_height,
    drawn_sizes,
    panel_data,
    strongest_links,
)
from dashboard.network.standalone import standalone_html
from dashboard.theme import ARCS, CHANGED
from engine.graphs.drawing.labels import LEAST, WORD, box_width, text_width
from engine.graphs.drawing.layout import layout

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


def test_the_strongest_links_of_two_networks_are_one_panel() -> None:
    """With the boxes that they touch; a link of both is drawn of both."""
    names = "abcde"
    panels = [
        Panel("well", "", [Node(name) for name in names], [Edge("a", "b", "only_a"), Edge("c", "d", "only_a")]),
        Panel("ill", "", [Node(name) for name in names], [Edge("a", "b", "only_b"), Edge("d", "e", "only_b")]),
    ]
    links = pd.DataFrame({"source": ["a", "c", "d"], "target": ["b", "d", "e"], "strength": [2.0, 1.0, 3.0]})
    found = strongest_links(panels, links, 2)
    assert (found.title, found.subtitle) == ("well and ill", "the strongest 3 of 4 links")
    assert [node.name for node in found.nodes] == ["a", "b", "d", "e"]
    assert [(edge.source, edge.status) for edge in found.edges] == [("a", "only_a"), ("a", "only_b"), ("d", "only_b")]


def test_legend_names_only_what_is_drawn() -> None:
    """A kind of arc that no panel has is not in the legend; the caller's words replace the theme's."""
    data = panel_data([PANEL], PLACES, words={"only_a": "only in placebo"}, evidence="odds")
    assert [entry["words"] for entry in data["legend"]] == ["in both", "only in placebo", "odds"]
    assert data["legend"][1]["dash"] == list(ARCS["only_a"].dash)
    marked = Panel("A", "", [Node("age", changed=True), Node("sex", fill="#ABCDEF")], [])
    known = panel_data([marked], {"age": (0.0, 0.0), "sex": (9.0, 0.0)}, words={CHANGED: "beyond chance"})
    assert [(entry["colour"], entry["words"]) for entry in known["legend"]] == [(CHANGED, "beyond chance")]


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
    """At most three lines, none wider than the crowd allows unless it is one word, never empty."""
    lines = node_label(name, [str(number) for number in range(variables)]).split("\n")
    assert 1 <= len(lines) <= 3
    assert 0 < max(map(len, lines)) <= WORD
    assert all(len(line) <= 18 or " " not in line for line in lines)


@pytest.mark.parametrize("others", [0, 11, 40])
def test_no_two_boxes_read_alike(others: int) -> None:
    """Names that differ in their middle only, alone, among few and among many; whole among few, in three lines."""
    names = [f"Systolic pressure at {when} visit (mmHg, sitting, mean of 3)" for when in ("first", "second", "last")]
    every = [*names, *map(str, range(others))]
    assert len({node_label(name, every) for name in every}) == len(every)
    brief = "Readmitted within 30 days of discharge"
    assert (node_label(brief, [brief, *every]).replace("\n", " ") == brief) == (len(every) < FEW)


def test_sizes_match_labels() -> None:
    """The layout is told the width of what is drawn: the widest line, or what stands below it."""
    assert node_sizes(["age"]) == {"age": LEAST}
    assert node_sizes(["age"], below="unchanged") == {"age": box_width("unchanged")}
    assert (
        node_sizes(["age", "sex"], below={"sex": "= female"})["age"] == LEAST < node_sizes(["sex"], "= female")["sex"]
    )
    long = "mean_pressure_left_ventricle_day_2"
    assert node_sizes([long]) == {long: max(map(box_width, node_label(long, [long]).split("\n")))}
    assert node_height([long], "= 3") == node_height([long]) + FONT_SIZE


def test_boxes_are_drawn_as_large_as_the_layout_was_told() -> None:
    """A box has at least the width that the layout left room for, whatever stands in it."""
    panel = Panel("A", "", [Node("age", value="= a long value"), Node("sex", shape="round"), Node(HOSTILE)], [])
    drawn = build_network(panel, dict.fromkeys(["age", "sex", HOSTILE], (0.0, 0.0))).nodes
    for node, told in zip(drawn, drawn_sizes(panel.nodes).values(), strict=True):
        margin = node["margin"]["left"] if "margin" in node else MARGIN
        assert node["widthConstraint"]["minimum"] + 2 * margin == told
        assert max(map(text_width, node["label"].split("\n"))) <= node["widthConstraint"]["minimum"] + 2 * MARGIN


@pytest.mark.parametrize("variables", [10, 30, 60])
@pytest.mark.parametrize("below", ["", "= moderately high"])
def test_no_box_covers_another(variables: int, below: str) -> None:
    """Long names, with and without a patient's values, in layers and by forces: every pair of boxes stands apart."""
    rng = random.Random(variables)
    words = ("mean worst", "concave", "smoothness", "fractal dimension", "serum", "creatinine_systolic", "compactness")
    names = [f"{' '.join(rng.sample(words, rng.randint(1, 4)))} {i}" for i in range(variables)]
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from(
        (names[rng.randrange(i)], names[i]) for i in range(1, variables) for _ in range(rng.randint(0, 2))
    )
    nodes = [Node(name, value=below) for name in names]
    sizes, height = drawn_sizes(nodes), drawn_height(nodes)
    assert (sizes, height) == (node_sizes(names, below), node_height(names, below))
    for one in (graph, graph.to_undirected()):
        places = layout([one], sizes=sizes, height=height)
        for (a, (ax, ay)), (b, (bx, by)) in itertools.combinations(places.items(), 2):
            assert abs(ax - bx) >= (sizes[a] + sizes[b]) / 2 or abs(ay - by) >= height, (a, b)


def test_every_colour_has_its_counterpart_on_a_dark_screen() -> None:
    """All that is painted is in the list that the component looks colours up in."""
    data = panel_data([PANEL], PLACES, evidence="odds")
    painted = {
        colour for node in data["panels"][0]["nodes"] for colour in [*node["color"].values(), node["font"]["color"]]
    }
    painted |= {edge["color"]["color"] for edge in data["panels"][0]["edges"]}
    painted |= {colour for entry in data["legend"] for colour in entry.get("colours", [entry.get("colour")])}
    assert painted <= set(data["dark"])
    assert data["style"]["letters"] == FONT_SIZE


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

"""The true network and the one found, side by side on one layout."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.network.boxes import node_height, node_sizes
from dashboard.network.panel import Edge, Node, Panel
from dashboard.session.caches import Point
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.views.shared.network_view import network_view, pick_node
from engine.graphs import layout
from engine.graphs.compare import Arc
from engine.graphs.compare import panels as arcs_of
from engine.words import count

if TYPE_CHECKING:
    import networkx as nx

    from engine.evaluation import Outcome, Picture

WORDS = {
    "same": "in both",
    "only_a": "missed: only in the truth",
    "only_b": "false: not in the truth",
    "reversed": "in both, its direction differs",
    "dropped": "✕ switched off for this patient",
}
ODDS = "orange above even odds, blue below; number: log10 odds"
BOTH = ("same", "reversed")
CHANGED = "◆"
FEW = 3
"""Pictures up to which they are chosen by a click rather than from a list."""


@st.fragment
def show_networks(outcome: Outcome, key: str) -> None:
    """One picture at a time; a fragment, so that a drag or a choice draws only this."""
    place = _pick(outcome.pictures, key)
    picture = outcome.pictures[place]
    positions = _positions(outcome, f"{key}.{place if len(outcome.pictures) > FEW else 0}")
    network_view(
        network_panel_pair(picture, positions),
        positions,
        widget_key(key, "networks"),
        picked=session().picked.get(key),
        words=WORDS,
        evidence=ODDS if picture.values else "",
        clicked=pick_node(key),
    )
    st.caption(network_words(picture))


def network_panel_pair(picture: Picture, names: Sequence[str] | dict[str, Point]) -> list[Panel]:
    """The truth on the left, what was found on the right; what differs is marked in both."""
    truth, result = arcs_of(picture.truth, picture.found)
    left = [*map(_edge, truth), *(_off(arc) for arc in picture.off)]
    right = [*map(_edge, result), *(_off(arc) for arc in picture.called_off)]
    return [
        Panel(f"{picture.title}: the truth", _count(truth), [_true_node(picture, name) for name in names], left),
        Panel(f"{picture.title}: found", _count(result), [_result_node(picture, name) for name in names], right),
    ]


def network_words(picture: Picture) -> str:
    """What the picture shows, in a line."""
    statuses, result = ([arc.status for arc in arcs] for arcs in arcs_of(picture.truth, picture.found))
    false, turned = result.count("only_b"), statuses.count("reversed")
    text = f"{len([status for status in statuses if status in BOTH])} of {len(statuses)} true links were found"
    text += f" ({turned} with another direction)" if turned else ""
    text += f", and {false or 'none'} that {'are' if false > 1 else 'is'} not there."
    if picture.truth.is_directed():
        undirected = any(not arc.directed for arc in arcs_of(picture.truth, picture.found)[0])
        text += " A line without an arrowhead: no data could tell its direction." if undirected else ""
    if picture.values:
        text += f" {CHANGED} marks what was changed." if picture.marked else ""
        text += " The numbers on the right are log10 odds for a difference."
    if picture.off:
        text += " Heavy borders: variables for which a link is switched off."
    return text


def _pick(pictures: Sequence[Picture], key: str) -> int:
    if len(pictures) == 1:
        return 0
    options: dict[str, Any] = {
        "options": range(len(pictures)),
        "format_func": lambda i: pictures[i].title,
        "key": widget_key(key, "picture"),
        "label_visibility": "collapsed",
    }
    if len(pictures) <= FEW:
        return int(st.segmented_control("Network", default=0, required=True, **options) or 0)
    return int(st.selectbox("Network", width=260, **options) or 0)


def _positions(outcome: Outcome, key: str) -> dict[str, Point]:
    """Where the variables of this try stand, and where the user has dragged them; new for every try."""
    stored = session().choices.setdefault(widget_key(key, "places"), {})
    if stored.get("of") is not outcome:
        first = outcome.pictures[0]
        graphs = [_with_off(picture) for picture in outcome.pictures[:FEW]] + [first.found]
        if not first.truth.is_directed():  # of many variables those without any link only take room
            linked = {name for graph in graphs for edge in graph.edges for name in edge}
            graphs = [graph.subgraph(linked or graph.nodes).copy() for graph in graphs]
        names, below = list(graphs[0].nodes), f"{CHANGED} changed" if first.values else ""
        placed = layout(graphs, sizes=node_sizes(names, below), height=node_height(names, below))
        stored["of"], stored["places"] = outcome, placed
    positions: dict[str, Point] = stored["places"]
    return positions


def _with_off(picture: Picture) -> nx.Graph:
    graph = picture.truth.copy()
    graph.add_edges_from(picture.off)
    return graph


def _edge(arc: Arc) -> Edge:
    return Edge(arc.source, arc.target, arc.status, words=WORDS[arc.status], directed=arc.directed)


def _off(arc: tuple[str, str]) -> Edge:
    return Edge(*arc, "dropped", words="switched off for this patient", mark="✕")


def _count(arcs: Sequence[Arc]) -> str:
    return count(len(arcs), "link")


def _true_node(picture: Picture, name: str) -> Node:
    marked = name in picture.marked
    if not picture.values:
        return Node(name, words="has lost a parent for this patient" if marked else "", changed=marked)
    return Node(
        name, words="was changed" if marked else "", value=f"{CHANGED} changed" if marked else " ", changed=marked
    )


def _result_node(picture: Picture, name: str) -> Node:
    odds = picture.values.get(name, math.nan)
    if not math.isfinite(odds):
        return Node(name)
    mark = f"{CHANGED} " if name in picture.marked else ""
    return Node(name, odds, words=f"log10 odds for a difference {odds:+.2f}", value=f"{mark}{odds:+z.1f}")  # z: no -0.0

"""Try it: what cutting does to a network. One is drawn, its values are cut, and every approach looks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.forms.settings_form import choose_pairs
from dashboard.network.panel import Edge, Node, Panel, in_rows
from dashboard.session.keys import widget_key
from dashboard.text import plain
from dashboard.views.ordinal.compare_approaches import called
from dashboard.views.shared.downloads import show_figure
from dashboard.views.shared.network_view import network_view, positions_of
from dashboard.views.shared.running import start_on_press
from engine.evaluation.lessons.ordinal import EXAMPLES, TABLES, Cutting, cutting
from engine.graphs.comparison import panels as statuses
from engine.methods.ordinal.result import SLUG
from engine.telling.ordinal.figures.tables import cutting_figure
from engine.words import count

if TYPE_CHECKING:
    from engine.graphs.comparison import ComparedEdge

LEVELS = (2, 3, 4, 5, 6, 7)
ROWS = (100, 200, 500, 1000, 2000)
WORDS = {
    "same": "in both",
    "only_a": "missed: only in what was drawn",
    "only_b": "wrong: not in what was drawn",
    "reversed": "in both, direction differs",
}
ALL_NAMES = tuple(dict.fromkeys(name for arcs in EXAMPLES.values() for pair in arcs for name in pair))


def show_lesson() -> None:
    """The network, levels and rows; the job; bars and networks."""
    with st.expander("Try it: what cutting does to a network"):
        _show_controls()


@st.fragment
def _show_controls() -> None:
    st.markdown(
        "Latent values are drawn from a network that you choose and cut into levels with about as many rows in each. "
        "Then every way of reading the levels looks for the network. Two levels hide much of it from all; the more "
        "levels, the more is missed by a way that takes them for mere names."
    )
    graph, edit, levels_at, rows_at = st.columns([5, 4, 4, 4], gap="medium")
    name = graph.selectbox("Network", list(EXAMPLES), index=len(EXAMPLES) - 1, key=widget_key(SLUG, "lesson", "graph"))
    with edit:
        st.space("xsmall")
        arcs = choose_pairs(
            "Arrows",
            "Each runs from cause to effect.",
            ALL_NAMES,
            widget_key(SLUG, "lesson", "arcs", name),
            EXAMPLES[name],
            arrows=True,
        )
    levels = levels_at.select_slider("Levels", LEVELS, value=3, key=widget_key(SLUG, "lesson", "levels"))
    rows = rows_at.select_slider("Rows", ROWS, value=200, key=widget_key(SLUG, "lesson", "rows"))
    key = ("cutting", arcs, levels, rows)
    pressed = st.button("Draw, cut and look", key=widget_key(SLUG, "lesson", "go"), icon=":material/school:")
    result = start_on_press(pressed, key, cutting, arcs, levels, rows)
    if result is not None:
        _show(result, widget_key(SLUG, "lesson", hash(key)))


def lesson_panels(cutting: Cutting, approaches: list[str]) -> list[Panel]:
    """What was drawn, and what each approach found in the first table."""
    names = list(cutting.truth.nodes)
    arcs = [statuses(cutting.truth, cutting.networks[approach]) for approach in approaches]
    truth = [Edge(arc.source, arc.target, directed=arc.directed) for arc in (arcs[0][0] if arcs else ())]
    drawn = Panel("What was drawn", count(len(truth), "link"), [Node(name) for name in names], truth)
    return [
        drawn,
        *(_panel(names, approach_value, ours) for approach_value, (_, ours) in zip(approaches, arcs, strict=True)),
    ]


def _panel(names: list[str], approach: str, arcs: tuple[ComparedEdge, ...]) -> Panel:
    edges = [Edge(arc.source, arc.target, arc.status, words=WORDS[arc.status], directed=arc.directed) for arc in arcs]
    return Panel(called(approach), count(len(edges), "link"), [Node(name) for name in names], edges)


def _show(cutting: Cutting, key: str) -> None:
    st.markdown(plain(cutting.headline()))
    table = cutting.frame()
    show_figure(
        cutting_figure(table, {item: called(item) for item in table["approach"]}),
        "cutting",
        alt=cutting.headline(),
        key=widget_key(key, "bars"),
        table=table,
    )
    st.caption(
        f"Mean of {TABLES} tables; whiskers: 95 % of the mean. An arrow found as a line, or a line as an arrow, counts "
        "half right and half wrong. Wrong links can be more than there are links. Each approach has its usual settings."
    )
    approaches = st.pills(
        "Networks of the first table",
        list(cutting.networks),
        default=list(cutting.networks)[::2][:2],
        selection_mode="multi",
        format_func=called,
        key=widget_key(key, "which"),
    )
    if not approaches:
        return
    positions = positions_of(list(cutting.truth.nodes), [cutting.truth])
    for number, panels in enumerate(in_rows(lesson_panels(cutting, list(approaches)))):
        network_view(panels, positions, widget_key(key, "networks", number, len(panels)), words=WORDS)
    st.caption("On the left lines have a direction that no data could tell; an arrow is not a cause in real data.")

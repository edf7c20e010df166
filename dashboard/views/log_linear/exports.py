"""Everything an analysis of associations can be taken away as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.network.panel import standalone_html
from dashboard.session.session import Point
from dashboard.views.instance_specific.exports import script
from dashboard.views.log_linear.edge_words import Pair
from dashboard.views.log_linear.graph import WORDS, model_panel, most_edges, places, shown_edges
from dashboard.views.shared.downloads import download, download_report, file_name
from engine import exchange

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.log_linear.result import LogLinearResult

LABELS = {"Edges": "Links", "Steps": "Steps", "Not taken": "Links not taken"}


def show_exports(result: LogLinearResult, data: Dataset) -> None:
    """Tables, networks, the formula, the whole result, and the Python that repeats it."""
    with st.expander("Take it away: tables, networks, Python"):
        tables, networks, code = st.columns([4, 5, 9], gap="medium")
        with tables:
            st.markdown("**Tables**")
            download_report(result, {title: LABELS.get(title, title) for title in result.titles}, "associations")
        with networks:
            st.markdown("**Networks**")
            edges = shown_edges(result, most_edges(result))
            page = partial(_page, result, edges, dict(places(result, edges)))
            download(page, file_name("associations", "html"), "text/html", "Web page, opens offline")
            for which, title in (("model", "The model"), ("directed", "The same as a directed network")):
                st.caption(title)
                with st.container(horizontal=True):
                    for ending, label in (("graphml", "GraphML"), ("dot", "DOT")):
                        make = partial(_graph_file, result, which, ending)
                        download(make, file_name(f"associations-{which}", ending), "text/plain", label)
            st.caption("PNG and SVG of a network: the buttons above it. SVG of a chart: the camera in its toolbar.")
        with code:
            st.markdown("**The model as a formula**")
            st.code(result.formula, language=None, wrap_lines=True)
            st.markdown("**Copy as Python**")
            st.code(association_script(result, data), language="python")


def association_script(result: LogLinearResult, data: Dataset) -> str:
    """The Python that reads the table as it was read here, prepares it so, and repeats the search."""
    return script(result.method, data, {}, "result.table('Edges')")


def _page(result: LogLinearResult, edges: Sequence[Pair], positions: Mapping[str, Point]) -> bytes:
    panel = model_panel(result, edges, None)
    return standalone_html([panel], positions, "Which variables hang together", words=WORDS).encode("utf-8")


def _graph_file(result: LogLinearResult, which: str, ending: str) -> bytes:
    graph = result.directed() if which == "directed" else result.graph
    return {"graphml": exchange.to_graphml, "dot": exchange.to_dot}[ending](graph).encode("utf-8")

"""Everything a group comparison can be taken away as."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.downloads import download, download_page, download_table, file_name
from dashboard.session import session
from dashboard.views.comparison import EVIDENCE, panels, status_words
from dashboard.views.data_choices import work
from dashboard.views.network import standalone_html
from engine.methods.script import analysis_script

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.group_difference.result import GroupDifferenceResult


def show_exports(result: GroupDifferenceResult, data: Dataset) -> None:
    """Tables, networks, the whole result, and the Python that repeats it."""
    with st.expander("Take it away: tables, networks, Python"):
        tables, networks, script = st.columns([2, 3, 5], gap="large")
        with tables:
            st.markdown("**Tables**")
            for title, table in result.tables().items():
                download_table(table, title, label=title)
            download(result.summary().encode("utf-8"), file_name("summary", "txt"), "text/plain", "Summary")
            download(
                result.to_json().encode("utf-8"), file_name("result", "json"), "application/json", "All of it (JSON)"
            )
        with networks:
            st.markdown("**Networks**")
            page = standalone_html(
                panels(result),
                session().positions(result.names, {}),
                "Networks of two groups",
                words=status_words(result),
                evidence=EVIDENCE,
            )
            download_page(page, "networks", "Web page, opens offline")
            _graph_files(result, data)
            st.caption("PNG and SVG: the buttons above the networks and in the toolbar of each chart.")
        with script:
            st.markdown("**Copy as Python**")
            st.code(_script(result, data), language="python")


def _graph_files(result: GroupDifferenceResult, data: Dataset) -> None:
    from engine import exchange

    pooled = data.select(result.names)
    for number, (graph, title) in enumerate(zip(result.graphs().values(), ("A", "B", "both"), strict=True)):
        left, middle, right = st.columns(3)
        with left:
            download(
                exchange.to_graphml(graph), file_name(f"network-{number}", "graphml"), "text/xml", f"{title}: GraphML"
            )
        with middle:
            download(exchange.to_dot(graph), file_name(f"network-{number}", "dot"), "text/plain", f"{title}: DOT")
        with right:
            if title == "both":
                bif = exchange.to_bif(graph, pooled)
                download(bif, file_name("network", "bif"), "text/plain", "both: BIF")


def _script(result: GroupDifferenceResult, data: Dataset) -> str:
    state, about = session(), work()
    return analysis_script(
        result.method,
        data.fingerprint,
        file=about.name or state.source,
        sample=about.sample or None,
        reading=about.reading,
        preparing=None if state.table is None else about.arguments(about.proposals(state.table)),
    )

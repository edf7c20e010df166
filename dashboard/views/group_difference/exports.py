"""Everything a group comparison can be taken away as."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.network.panel import standalone_html
from dashboard.session.session import Point, session
from dashboard.text import plain, short
from dashboard.views.data.choices import work
from dashboard.views.group_difference.networks import EVIDENCE, panels, status_words
from dashboard.views.shared.downloads import download, download_report, file_name
from engine.exchange.script import analysis_script
from engine.methods.group_difference.groups import split_groups

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.group_difference.result import GroupDifferenceResult


def show_exports(result: GroupDifferenceResult, data: Dataset) -> None:
    """Tables, networks, the whole result, and the Python that repeats it."""
    with st.expander("Take it away: tables, networks, Python"):
        tables, networks, script = st.columns([3, 9, 8], gap="medium")
        with tables:
            st.markdown("**Tables**")
            download_report(result, {title: title for title in result.titles})
        with networks:
            st.markdown("**Networks**")
            positions = dict(session().positions(result.names, {}))
            download(
                partial(_page, result, positions), file_name("networks", "html"), "text/html", "Web page, opens offline"
            )
            _graph_files(result, data)
            st.caption(
                "PNG and SVG of the networks: the buttons above them. SVG of a chart: the camera in its toolbar."
            )
        with script:
            st.markdown("**Copy as Python**")
            st.code(_script(result, data), language="python")


def _page(result: GroupDifferenceResult, positions: Mapping[str, Point]) -> bytes:
    page = standalone_html(
        panels(result), positions, "Networks of two groups", words=status_words(result), evidence=EVIDENCE
    )
    return page.encode("utf-8")


def _graph_files(result: GroupDifferenceResult, data: Dataset) -> None:
    """Each network as GraphML, DOT and BIF, its tables from the rows it was learned on; made when asked for."""
    titles = (*(plain(short(label, 14)) for label in result.labels), "both together")
    for number, (title, column) in enumerate(zip(titles, st.columns(3), strict=True)):
        with column:
            st.caption(title)
            for ending, label in (("graphml", "GraphML"), ("dot", "DOT"), ("bif", "BIF")):
                make = partial(_graph_file, result, data, number, ending)
                download(make, file_name(f"network-{number + 1}", ending), "text/plain", label)


def _graph_file(result: GroupDifferenceResult, data: Dataset, number: int, ending: str) -> bytes:
    from engine import exchange

    graph = list(result.graphs().values())[number]
    if ending == "bif":
        groups = split_groups(result.method, data)
        return exchange.to_bif(graph, (groups.first, groups.second, groups.pooled)[number]).encode("utf-8")
    return {"graphml": exchange.to_graphml, "dot": exchange.to_dot}[ending](graph).encode("utf-8")


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

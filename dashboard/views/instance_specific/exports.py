"""Everything one patient's result can be taken away as."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.network.panel import standalone_html
from dashboard.session.session import Point, session
from dashboard.views.data.choices import work
from dashboard.views.instance_specific.networks import changes_words, in_one, side_by_side
from dashboard.views.shared.downloads import download, download_report, file_name
from engine.exchange.script import analysis_script

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.instance_specific.result import InstanceSpecificResult


def show_exports(result: InstanceSpecificResult, data: Dataset, title: str) -> None:
    """Tables, networks, the whole result, and the Python that repeats it."""
    with st.expander("Take it away: tables, networks, Python"):
        tables, networks, script = st.columns([3, 5, 8], gap="medium")
        with tables:
            st.markdown("**Tables**")
            download_report(result, {title: title for title in result.table_titles()}, "patient")
        with networks:
            st.markdown("**Networks**")
            positions = dict(session().positions(result.names, {}))
            for overlay, label in ((False, "Web page, side by side"), (True, "Web page, in one picture")):
                make = partial(_page, result, positions, title, overlay)
                stem = "patient-overlay" if overlay else "patient-networks"
                download(make, file_name(stem, "html"), "text/html", label)
            for which, words in (("population", "The population"), ("patient", "This patient")):
                for ending, label in (("graphml", "GraphML"), ("dot", "DOT")):
                    make = partial(_graph_file, result, which, ending)
                    download(make, file_name(f"network-{which}", ending), "text/plain", f"{words}: {label}")
            st.caption(
                "PNG and SVG of the networks: the buttons above them. SVG of a chart: the camera in its toolbar."
            )
        with script:
            st.markdown("**Copy as Python**")
            st.code(patient_script(result, data), language="python")


def _page(result: InstanceSpecificResult, positions: Mapping[str, Point], title: str, overlay: bool) -> bytes:
    panels = in_one(result, title) if overlay else side_by_side(result, title)
    return standalone_html(panels, positions, "One patient beside the population", words=changes_words()).encode()


def _graph_file(result: InstanceSpecificResult, which: str, ending: str) -> bytes:
    from engine import exchange

    return {"graphml": exchange.to_graphml, "dot": exchange.to_dot}[ending](result.graphs()[which]).encode("utf-8")


def patient_script(result: InstanceSpecificResult, data: Dataset) -> str:
    """The Python that repeats the result."""
    run = {"instance": result.patient if result.row is None else result.row}
    if result.target is not None:
        run["target"] = result.target  # type: ignore[assignment]
    return script(result.method, data, run, "result.families()")


def script(method: object, data: Dataset, run: Mapping[str, object], shown: str, call: str = "run") -> str:
    """The Python that reads the table as it was read here, prepares it so, and runs the method."""
    state, about = session(), work()
    return analysis_script(
        method,
        data.fingerprint,
        file=about.name or state.source,
        sample=about.sample or None,
        reading=about.reading,
        preparing=None if state.table is None else about.arguments(about.proposals(state.table)),
        call=call,
        run=run,
        shown=shown,
    )

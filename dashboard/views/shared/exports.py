"""Everything an answer can be taken away as: tables, networks, one file, the Python that repeats it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.network.panel import Panel
from dashboard.network.standalone import standalone_html
from dashboard.session.labels import labelled, names_shown, shown_names, whole_labels
from dashboard.session.masking import masked, smallest_cell, without
from dashboard.session.session import session
from dashboard.session.work import work
from dashboard.text import plain
from dashboard.views.shared.downloads import download, download_pictures, file_name, labelled_csv
from dashboard.views.shared.neighbourhood import part_of
from engine import exchange
from engine.exchange.script import analysis_script, changed_settings, comparison_script
from engine.project.file import ENDING, to_bytes

if TYPE_CHECKING:
    import networkx as nx

    from dashboard.session.caches import Point
    from engine import Dataset
    from engine.comparison.result import ComparisonResult
    from engine.methods.result import Result
    from engine.models.network import Network

MOST_CODE = 220
"""Pixels that a script is high in the menu."""


@dataclass(frozen=True)
class WebPage:
    """Networks as a page of their own, made when it is asked for.

    Attributes
    ----------
    label, stem : of the button and of the file
    title : of the page
    panels : what it shows
    positions : where the variables stand
    words, evidence : of its legend
    names : the variables whose boxes it has; None for all
    labels : what is shown in place of names
    """

    label: str
    stem: str
    title: str
    panels: Callable[[], Sequence[Panel]]
    positions: Mapping[str, Point]
    words: Mapping[str, str] | None = None
    evidence: str = ""
    names: Collection[str] | None = None
    labels: Mapping[str, str] = field(default_factory=shown_names)

    def content(self) -> bytes:
        """The page."""
        with names_shown(self.labels):
            panels = self.panels()
            if self.names is not None:
                panels = [part_of(panel, self.names) for panel in panels]
            title = labelled(self.title)
            page = standalone_html(panels, self.positions, title, words=self.words, evidence=self.evidence)
        return page.encode("utf-8")


@dataclass(frozen=True)
class GraphFile:
    """A network for other programs, made when it is asked for.

    Attributes
    ----------
    title : above its buttons
    stem : of its files
    graph : makes it
    rows : makes the rows that its tables come from, where it goes out as BIF too
    fitted : makes it with tables of its own, where it goes out as BIF with those
    labels : of the variables, beside their names where the format has room
    """

    title: str
    stem: str
    graph: Callable[[], nx.Graph]
    rows: Callable[[], Dataset] | None = None
    fitted: Callable[[], Network] | None = None
    labels: Mapping[str, str] = field(default_factory=whole_labels)

    def kinds(self) -> dict[str, str]:
        """Ending -> the button's label."""
        return {"graphml": "GraphML", "dot": "DOT"} | ({"bif": "BIF"} if self.rows or self.fitted else {})

    def content(self, ending: str) -> bytes:
        """The file of this ending."""
        if ending == "bif" and self.fitted is not None:
            return exchange.network_to_bif(self.fitted()).encode("utf-8")
        if ending == "bif" and self.rows is not None:
            return exchange.to_bif(self.graph(), self.rows()).encode("utf-8")
        if ending == "graphml":
            return exchange.to_graphml(self.graph(), self.labels).encode("utf-8")
        return exchange.to_dot(self.graph()).encode("utf-8")


@dataclass(frozen=True)
class PaperFile:
    """Something that a paper needs, made when it is asked for.

    Attributes
    ----------
    label, name : of the button and of the file, with its ending
    kind : its media type
    make : makes it
    group : stands above it and those beside it; "" where it stands alone
    """

    label: str
    name: str
    kind: str
    make: Callable[[], str | bytes]
    group: str = ""

    def content(self) -> bytes:
        """The file."""
        made = self.make()
        return made.encode("utf-8") if isinstance(made, str) else made


def export_menu(
    result: Result,
    data: Dataset | None,
    *,
    stem: str = "",
    labels: Mapping[str, str] | None = None,
    pages: Sequence[WebPage] = (),
    graphs: Sequence[GraphFile] | None = None,
    paper: Sequence[PaperFile] = (),
    formula: str = "",
    printed: str = "result.summary()",
    run: Mapping[str, object] | None = None,
    call: str = "run",
    then: Sequence[str] = (),
    python: str = "",
    note: str = "",
) -> None:
    """All that a result can leave as, behind one button; filled last, since it lists the figures that were drawn.

    Parameters
    ----------
    stem : begins the names of the files
    labels : title of a table -> what its button is called; the title itself where it is left out
    pages, graphs : the networks; without `graphs` those of the answer
    paper : what a paper needs
    formula : of the model, where it has one
    printed : what the script prints;  run : what `run` takes beside the data;  call : the function that it calls
    then : lines of the script that go on with the result
    python : the script, where it is another
    note : below the script
    """
    with st.popover("Export", icon=":material/download:", width="content"):
        if smallest_cell():
            _masked_files(result, data, pages, stem)
            return
        tables, networks = st.columns(2)
        with tables:
            st.markdown("**Tables**")
            _tables(result, labels or {}, stem)
            st.markdown("**The whole result**")
            _whole(result, stem)
        with networks:
            _networks(pages, _graph_files(result, stem) if graphs is None else graphs)
            download_pictures()
            if paper:
                st.markdown("**For a paper**")
            for group, files in groupby(paper, key=lambda file: file.group):
                if group:
                    st.caption(group)
                with st.container(horizontal=bool(group)):
                    for file in files:
                        download(file.content, file.name, file.kind, file.label)
        if formula:
            st.markdown("**The model as a formula**")
            st.code(formula, language=None, wrap_lines=True)
        st.markdown("**Copy as Python**")
        st.code(
            python or script(result.method, data, run or {}, printed, call, then), language="python", height=MOST_CODE
        )
        if note:
            st.caption(note)


def _masked_files(result: Result, data: Dataset | None, pages: Sequence[WebPage], stem: str) -> None:
    """What can leave where small counts are hidden: masked tables, the drawn networks, and the settings as Python."""
    shown, known = masked(result), whole_labels()

    def table(title: str) -> bytes:
        return labelled_csv(shown.written(title), known)

    st.markdown("**Tables**")
    for title in filter(shown.shows, result.table_titles()):
        download(partial(table, title), file_name(f"{stem}-{title}", "csv"), "text/csv", title, masked=True)
    for page in pages:
        download(page.content, file_name(page.stem, "html"), "text/html", page.label, masked=True)
    st.caption(without("Other files were left out: they"))
    if data is not None:
        st.markdown("**Copy as Python**")
        st.code(script(result.method, data, {}, "result.summary()"), language="python", height=MOST_CODE)


def _tables(result: Result, labels: Mapping[str, str], stem: str) -> None:
    known = whole_labels()

    def table(title: str) -> bytes:
        return labelled_csv(result.table(title), known)

    for title in result.table_titles():
        download(partial(table, title), file_name(f"{stem}-{title}", "csv"), "text/csv", labels.get(title, title))


def _whole(result: Result, stem: str) -> None:
    download(lambda: result.summary().encode("utf-8"), file_name(f"{stem}-summary", "txt"), "text/plain", "Summary")
    download(result.to_json, file_name(f"{stem}-result", "json"), "application/json", "For other programs (JSON)")
    ending = ENDING.removeprefix(".")
    download(partial(to_bytes, result), file_name(f"{stem}-result", ending), "application/zip", "For Diptych, to load")


def _networks(pages: Sequence[WebPage], graphs: Sequence[GraphFile]) -> None:
    if not pages and not graphs:
        return
    st.markdown("**Networks**")
    for page in pages:
        download(page.content, file_name(page.stem, "html"), "text/html", page.label)
    for graph in graphs:
        st.caption(plain(graph.title))
        with st.container(horizontal=True):
            for ending, label in graph.kinds().items():
                download(partial(graph.content, ending), file_name(graph.stem, ending), "text/plain", label)
    st.caption("The buttons below each network save it: SVG has vectors, PNG and PDF have pixels.")


def _graph_files(result: Result, stem: str) -> list[GraphFile]:
    """The networks of the answer, each under its own title."""
    return [
        GraphFile(title, f"{stem}-network-{number + 1}", partial(network_of, result, title))
        for number, title in enumerate(result.graphs())
    ]


def network_of(result: Result, title: str) -> nx.Graph:
    """The network of this title."""
    return result.graphs()[title]


def comparison_python(result: ComparisonResult) -> str:
    """The Python that asks every group again and compares them; of other tables, that opens the saved answer."""
    state = session()
    here = state.dataset is not None and state.dataset.is_of(result.fingerprint) and not _by_path()
    if not (here and result.group and len(result.learned) == len(result.answers)):
        return _loading("result.summary()")
    return comparison_script(
        [answer.method for answer in result.learned],
        result.group,
        result.levels,
        result.fingerprint,
        settings=changed_settings(result.method),
        **_open_table(),
    )


def _open_table() -> dict[str, Any]:
    """How the open table was read and prepared, as scripts say it."""
    state, about = session(), work()
    return {
        "file": about.name or state.source,
        "sample": about.sample or None,
        "reading": about.reading,
        "preparing": None if state.table is None else about.arguments(state.table),
    }


def _by_path() -> bool:
    """Whether only the codes of the open table are there: no script says where its file lies."""
    return session().table is None and session().dataset is not None


def _loading(printed: str) -> str:
    """The Python that opens a saved answer."""
    return "\n".join(("import engine", "", f'result = engine.load("diptych-result{ENDING}")', f"print({printed})"))


def script(
    method: Any,
    data: Dataset | None,
    run: Mapping[str, object],
    printed: str,
    call: str = "run",
    then: Sequence[str] = (),
) -> str:
    """The Python that reads the table as it was read here, prepares it so, and runs the method.

    Where another table is open now, or another part of it, the Python opens the saved answer.
    """
    state = session()
    if data is None or (state.dataset is not None and data.fingerprint != state.dataset.fingerprint) or _by_path():
        return _loading(printed)
    return analysis_script(method, data.fingerprint, call=call, run=run, then=then, shown=printed, **_open_table())

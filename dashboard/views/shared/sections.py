"""An answer by its own sections: sentences, networks, tables; what a method without a page of its own is shown by."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.network.panel import Edge, Node, Panel, in_rows
from dashboard.pages import page_title
from dashboard.session.keys import widget_key
from dashboard.session.labels import labelled, shown_names, with_brief_names
from dashboard.session.masking import (
    NO_PEOPLE,
    headline,
    rows_shown,
    sentences_shown,
    smallest_cell,
    table_shown,
    without,
)
from dashboard.session.session import session
from dashboard.text import plain, short
from dashboard.theme import ARCS, DIFFERENT
from dashboard.views.shared.downloads import show_with_file
from dashboard.views.shared.exports import WebPage, export_menu
from dashboard.views.shared.neighbourhood import choose_part, part_drawn, part_of, strengths
from dashboard.views.shared.network_view import network_view, pick_clicked, positions_of
from dashboard.views.shared.page_parts import page_head, show_sentence
from engine.graphs.dag import each_edge
from engine.methods.evidence import YES
from engine.methods.links_result import LinksResult
from engine.telling.subjects import subjects_of
from engine.words import count

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd
    from streamlit.delta_generator import DeltaGenerator

    from engine import Dataset
    from engine.methods.result import Result
    from engine.telling.sections import Section

HEIGHT = 420


def show_answer(result: Result, data: Dataset | None, about: str = "", more: str = "") -> DeltaGenerator:
    """The head of a result's page: which page, its sentence and how sure that is; returns the place of the menu.

    Parameters
    ----------
    result : whose
    data : what it was learned from, where it is there
    about : beside the page's name; how many rows of which table, where nothing better is known
    more : what else says how sure the sentence is
    """
    some = result.made.rows_used < result.made.rows_given and not smallest_cell()
    rows = rows_of(result) if some or not about else ""
    card = session().cards.numbered(session().page(result.slug).opened)
    source = session().source if card is None else card.source
    where = ", ".join(filter(None, (labelled(about) or source, rows)))
    with page_head(result.slug, result.title or page_title(result.slug), where, of_table=card is None):
        menu = st.container(width="content")
    certainty = " ".join(sentences_shown(result, filter(None, [*result.sentences()[:1], more])))
    show_sentence(result.slug, headline(result), with_brief_names(certainty, result.names))
    warn_dropped(data)
    return menu


def warn_dropped(data: Dataset | None) -> None:
    """Where more rows were dropped for gaps than are used: how many, and where most of the gaps are."""
    report = None if data is None else data.report
    if report is None or report.rows_dropped <= report.rows_kept or smallest_cell():
        return
    worst = max(report.dropped_for, key=lambda name: report.dropped_for[name])
    used = f"Only {report.rows_kept:,} rows are used: {report.rows_dropped:,} lack a value"
    where = f"most often in '{short(shown_names().get(worst, worst), 32)}'"
    st.warning(plain(f"{used}, {where}. The data page has other ways."), icon=":material/warning:")


def rows_of(result: Result) -> str:
    """'36 subjects, 5,760 rows', or '60 of 260 rows': what a result rests on."""
    rows = rows_shown(result.made.rows_used, result.made.rows_given)
    if smallest_cell() or not isinstance(result, LinksResult) or not result.subjects:
        return rows
    return f"{subjects_of(result.subject, result.subjects)}, {rows}"


def show_other_sentences(result: Result) -> None:
    """The sentences of a result after its headline, what limits it, and how it was computed."""
    if rest := sentences_shown(result, [*result.sentences()[1:], *result.notes(), *result.section("method").sentences]):
        st.markdown(plain(labelled(" ".join(rest))))


@st.fragment
def show_sections(result: Any, data: Dataset | None) -> None:
    """A whole answer, section by section; `data` is None where the answer came without its table.

    Where small counts are hidden, every result is shown so, from its masked tables.
    """
    if smallest_cell() and result.about_people():
        st.info(NO_PEOPLE, icon=":material/visibility_off:")
        return
    menu = show_answer(result, data)
    for section in result.sections():
        if section.name == "method":
            with method_part(result):
                show_other_sentences(result)
                _show_tables(result, section)
        elif section.name != "answer":
            _show_section(result, section)
    with menu:
        export_menu(
            result,
            data,
            stem=result.slug.replace("_", "-") if smallest_cell() else "",
            pages=_web_pages(result),
            printed=f"result.table({result.table_titles()[0]!r})",
        )


@contextmanager
def method_part(result: Result) -> Iterator[None]:
    """The fold at the end of a page that says how it was computed; settings belong at its end."""
    with st.expander(plain(result.section("method").title)):
        yield


def show_settings(result: Result) -> None:
    """The settings as a table."""
    table = result.table("Settings")
    show_with_file(table, "settings")


def result_panels(result: Result) -> list[Panel]:
    """Every network of an answer, its edges drawn by their status."""
    claims = result.claims()
    differing = {*claims["about"][(claims["kind"] == "differs") & (claims["verdict"] == YES)]}
    return [_panel(title, graph, differing) for title, graph in result.graphs().items()]


def _panel(title: str, graph: nx.Graph, differing: Collection[str]) -> Panel:
    edges = [
        Edge(source, target, _status(about.get("status")), directed=directed)
        for source, target, directed, about in each_edge(graph)
    ]
    return Panel(
        title,
        count(len(edges), "link"),
        [Node(name, fill=DIFFERENT if name in differing else "") for name in graph.nodes],
        edges,
    )


def _status(status: Any) -> str:
    return status if status in ARCS else "plain"


def _show_section(result: Result, section: Section) -> None:
    st.markdown(f"**{plain(' '.join(sentences_shown(result, [section.title])))}**")
    if section.sentences:
        st.markdown(plain(" ".join(sentences_shown(result, section.sentences))))
    if "networks" in section.figures:
        _show_networks(result)
    if smallest_cell() and any(figure != "networks" for figure in section.figures):
        st.caption(without("A chart was left out: it"))
    _show_tables(result, section)


def _show_networks(result: Result) -> None:
    graphs = list(result.graphs().values())
    if not graphs:
        return
    every = result_panels(result)
    names = choose_part(result.slug, result.names, lambda: strengths(every))
    positions = positions_of(names, graphs)
    for number, panels in enumerate(in_rows(every)):
        network_view(
            [part_of(panel, names) for panel in panels],
            positions,
            widget_key(result.slug, "networks", number),
            picked=session().picked.get(result.slug),
            clicked=pick_clicked(result.slug),
        )


def _web_pages(result: Result) -> list[WebPage]:
    """The networks as a page of their own, where there are any."""
    graphs = list(result.graphs().values())
    if not graphs:
        return []
    names = part_drawn(result.slug, result.names, lambda: strengths(result_panels(result)))
    positions = dict(positions_of(names, graphs))
    stem, panels = f"{result.slug}-networks", partial(result_panels, result)
    return [WebPage("Web page, opens offline", stem, headline(result), panels, positions, names=names)]


def _show_tables(result: Result, section: Section) -> None:
    for title in section.tables:
        if len(section.tables) > 1:
            st.markdown(f"**{plain(title)}**")
        table = table_shown(result, title)
        if table is None:
            st.caption(f"{NO_PEOPLE} Each row of this table is one person.")
        else:
            show_table(table, title, masked=bool(smallest_cell()))


def show_table(table: pd.DataFrame, stem: str, *, masked: bool = False) -> None:
    """A table with its file; headings without underscores."""
    display = table.rename(columns=lambda name: str(name).replace("_", " "))
    show_with_file(display, stem, most=HEIGHT, masked=masked)

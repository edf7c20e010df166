"""Any two results side by side: one layout, what agrees, what differs, and how often chance alone would differ so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.network.panel import Edge, Node, Panel
from dashboard.session.cards import Card
from dashboard.session.keys import drop_value, value_of, widget_key
from dashboard.session.session import session
from dashboard.text import plain, short
from dashboard.views.results.chance import show_chance
from dashboard.views.shared.downloads import download, file_name
from dashboard.views.shared.neighbourhood import part_view
from dashboard.views.shared.network_view import pick_clicked, places_of
from dashboard.views.shared.opened import where_from
from dashboard.views.shared.sections import show_table
from dashboard.views.shared.side_by_side import FIRST, SECOND
from engine.data.reading.filetype import short_name
from engine.errors import DataError
from engine.exchange import read_graph, to_graphml
from engine.methods.result import each_edge
from engine.project.compare import compare
from engine.words import count

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from engine.project.compare import ResultComparison

PAGE = "results"
FILE = 0
"""In the list of the second, in place of a card's number: a network from a file."""
_HEADINGS = {
    "a": "A",
    "b": "B",
    "mark_a": "in A",
    "mark_b": "in B",
    "verdict_a": "A says",
    "verdict_b": "B says",
    "probability_a": "probability in A",
    "probability_b": "probability in B",
    "network_b": "network of B",
}
MARKS = {"only_a": "A", "only_b": "B", "reversed": "\u27f2"}
"""On the middle of an arc, so that colour says nothing alone."""


@dataclass(frozen=True)
class Side:
    """One of the two."""

    answer: Any
    name: str
    card: Card | None = None


def show_compare() -> None:
    """Choose two, and see them."""
    cards = list(session().cards)
    left, right = st.columns(2)
    with left:
        first = _choose("The first (A)", cards, FIRST, cards[-1])
    with right:
        others = [one for one in cards if one is not first.card]
        second = _second(others)
    if second is None:
        return
    try:
        networks = _networks(first, second)
        found = compare(first.answer, second.answer, networks=networks)
    except DataError as error:
        st.error(plain(error), icon=":material/error:")
        return
    _show(found, first, second)
    if first.card is not None and second.card is not None:
        show_chance(first.card, second.card)


def _choose(label: str, cards: Sequence[Card], key: str, usual: Card, more: Sequence[int] = ()) -> Side:
    by_number = {card.number: card for card in cards}
    numbers = [*by_number, *more]
    start = numbers.index(usual.number) if usual.number in numbers else 0
    kept = value_of(key)
    if kept is not None and kept not in numbers:
        drop_value(key)
    number = st.selectbox(
        label,
        numbers,
        index=start,
        format_func=lambda one: "A network from a file" if one == FILE else _label(by_number[one]),
        key=key,
        persist_state="session",
    )
    card = by_number.get(number)
    if card is None:
        return Side(None, "a file")
    st.caption(where_from(card))
    return Side(card.result, card.name(), card)


def _label(card: Card) -> str:
    return f"{card.number}. {short(card.name(), 50)}, {short(card.source, 30)}"


def _second(others: Sequence[Card]) -> Side | None:
    """The other one: a card, or a network out of a file."""
    usual = others[-1] if others else None
    if usual is None:
        st.caption("There is one result so far; compare it with a network from a file.")
        return _from_file()
    side = _choose("The second (B)", others, SECOND, usual, [FILE])
    return side if side.card is not None else _from_file()


def _from_file() -> Side | None:
    given = st.file_uploader(
        "A network: BIF, GraphML, JSON, or a table of edges (CSV)", key=widget_key(PAGE, "network"), max_upload_size=20
    )
    if given is None:
        return None
    try:
        return Side(read_graph(given.getvalue(), name=given.name), short_name(given.name) or "a file")
    except DataError as error:
        st.error(plain(error), icon=":material/error:")
        return None


def graphs_of(side: Side) -> dict[str, nx.Graph]:
    """Title -> network."""
    return side.answer.graphs() if side.card is not None else {"network": side.answer}


def _networks(first: Side, second: Side) -> dict[str, str] | None:
    """Which network of the one is laid beside which of the other; None where each title is in both."""
    ours, theirs = list(graphs_of(first)), list(graphs_of(second))
    if set(ours) == set(theirs) or not ours or not theirs:
        return None
    left, right = st.columns(2)
    one = left.selectbox("Network of A", ours, key=widget_key(PAGE, "network", "a", *ours))
    other = right.selectbox("Network of B", theirs, key=widget_key(PAGE, "network", "b", *theirs))
    return {str(one): str(other)}


def _show(found: ResultComparison, first: Side, second: Side) -> None:
    """The comparison in words, the networks, and the tables."""
    st.markdown("#### " + plain(found.sentences()[-1]))
    st.markdown(plain(" ".join(found.sentences()[:-1])))
    differences = found.graphs()
    if differences:
        title = next(iter(differences))
        if len(differences) > 1:
            title = str(st.selectbox("Network", list(differences), key=widget_key(PAGE, "which", *differences)))
        _show_networks(found, differences[title], title, first, second)
    _show_tables(found)


def _show_networks(found: ResultComparison, difference: nx.Graph, title: str, first: Side, second: Side) -> None:
    names = list(found.variables)
    pair = [
        _panel(letter, side, _under(graphs_of(side), title, difference, letter), names)
        for letter, side in (("A", first), ("B", second))
    ]
    panels = [*pair, _difference(difference, names)]
    part_view(
        widget_key(PAGE, "networks"),
        panels,
        names,
        lambda some: places_of(some, [difference]),
        widget_key(PAGE, "networks", title),
        picked=session().picked.get(PAGE),
        words={
            "same": "in both",
            "only_a": "in A only",
            "only_b": "in B only",
            "reversed": "turned, or directed in one only",
        },
        clicked=pick_clicked(PAGE),
        scope="app",
    )
    st.caption("All three have one layout. An arrow is not a cause. Drag a box and it moves in all of them.")


def _under(graphs: dict[str, nx.Graph], title: str, difference: nx.Graph, letter: str) -> nx.Graph:
    """The network of one side that a difference is about."""
    about = difference.graph.get("networks", {})
    return graphs.get(about.get(letter.lower(), title)) or next(iter(graphs.values()))


def _panel(letter: str, side: Side, graph: nx.Graph, names: Sequence[str]) -> Panel:
    inside = set(names)
    edges = [
        Edge(source, target, directed=directed)
        for source, target, directed, _ in each_edge(graph)
        if source in inside and target in inside
    ]
    return Panel(f"{letter}: {short(side.name, 40)}", count(len(edges), "edge"), [Node(name) for name in names], edges)


def _difference(graph: nx.Graph, names: Sequence[str]) -> Panel:
    edges = [
        Edge(
            source,
            target,
            str(about.get("status", "same")),
            directed=directed,
            mark=MARKS.get(str(about.get("status")), ""),
        )
        for source, target, directed, about in each_edge(graph)
    ]
    unlike = [edge for edge in edges if edge.status != "same"]
    return Panel(
        "The difference", f"{len(unlike)} of {count(len(edges), 'edge')}", [Node(name) for name in names], edges
    )


def _show_tables(found: ResultComparison) -> None:
    tabs = st.tabs(["Edges", "Claims", "Settings", "Rows and preparation"])
    for tab, table, stem, nothing in zip(
        tabs,
        (found.edges, found.claims, found.settings, found.rows),
        ("compared-edges", "compared-claims", "compared-settings", "compared-rows"),
        ("Neither has an edge.", "Neither makes a claim about the variables both have.", "No settings.", "No rows."),
        strict=True,
    ):
        with tab:
            if len(table):
                show_table(_shown(table), stem)
            else:
                st.caption(nothing)
    for title, graph in found.graphs().items():
        download(
            lambda one=graph: to_graphml(one).encode("utf-8"),
            file_name(f"difference-{title}", "graphml"),
            "text/plain",
            "Difference (GraphML)",
        )
        break


def _shown(table: pd.DataFrame) -> pd.DataFrame:
    """The table as one reads it: without a network's title that is the same in every row, A and B by their letters."""
    single = [one for one in ("network", "network_b") if one in table and len(set(table[one])) < 2]
    return table.drop(columns=single).rename(columns=_HEADINGS)

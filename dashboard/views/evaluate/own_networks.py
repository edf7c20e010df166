"""A true network beside one that was found: what was found, missed, made up or turned, in words, picture and table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain, short, visible
from dashboard.views.evaluate.own_match import show_match
from dashboard.views.evaluate.own_upload import KEY, Upload, file_area, store_upload, upload
from engine import DataError, DiptychError
from engine.evaluation import example_networks, matched
from engine.exchange.edge_list import Columns, NetworkRead, directed, guess_columns, network_from_table, read_network
from engine.words import count, listed

if TYPE_CHECKING:
    import pandas as pd

TRUTH, RESULT = "truth", "found"
HELP = (
    "An edge list is a table with a line for each edge: from, to, and if you like whether it is directed (yes, no) and "
    "a score. JSON and BIF as Diptych and other programs save them. It stays in memory; nothing is sent anywhere."
)


def show_networks() -> None:
    """Bring two networks, and see how near one is to the other."""
    words, button = st.columns([4, 1], vertical_alignment="center")
    words.markdown(
        "The true network is known, such as one that rows were drawn from. How much of it was found, what was not?"
    )
    with button:
        if st.button(
            "Show me an example", key=widget_key(KEY, "networks", "example"), icon=":material/school:", width="stretch"
        ):
            _example()
    with file_area("The two networks", TRUTH, RESULT):
        left, right = st.columns(2, gap="large")
    with left:
        truth = _network("The true network (edge list, JSON or BIF)", TRUTH)
    with right:
        result = _result_network()
    if truth is None or result is None:
        return
    try:
        match = matched(truth.graph, result.graph)
    except DiptychError as error:
        st.info(plain(error))
        return
    show_match(match, result.scores, result.least)


def _result_network() -> NetworkRead | None:
    """The network of a file, or of this session."""
    networks = session_networks()
    name = None
    if networks:
        name = st.selectbox(
            "A result of this session",
            list(networks),
            index=None,
            placeholder="a file instead",
            key=widget_key(KEY, "session"),
            persist_state="session",
        )
    if name is None:
        return _network("The network found (edge list, JSON or BIF)", RESULT)
    st.caption(_size_words(networks[name]))
    return networks[name]


def session_networks() -> dict[str, NetworkRead]:
    """Method and title -> network, of the latest result of every kind in this session; nothing is computed.

    A link of the associations is scored by the bits that it is worth.
    """
    latest = {type(analysis.result): analysis.result for analysis in session().analyses if analysis.result is not None}
    networks: dict[str, NetworkRead] = {}
    for result in latest.values():
        for title, graph in result.graphs().items():
            try:
                network = NetworkRead(directed(graph), _bits(graph))
            except DataError:  # too large to compare
                continue
            networks[f"{result.method.title}: {visible(title)}"] = network
    return networks


def _bits(graph: Any) -> dict[frozenset[Any], float]:
    result = {}
    for a, b, about in graph.edges(data=True):
        values = [about[name] for name in ("evidence_bits", "entry_bits") if math.isfinite(about.get(name, math.nan))]
        if values:
            result[frozenset((a, b))] = float(values[0])
    return result


def _example() -> None:
    truth, result = example_networks()
    store_upload(TRUTH, "an example that rows were drawn from", truth)
    store_upload(RESULT, "links found in 20 resamples", result)


def read_any(content: bytes, name: str) -> NetworkRead | pd.DataFrame:
    """A network, or the table of an edge list that has two columns; `DataError` otherwise."""
    result = read_network(content, name)
    if not isinstance(result, NetworkRead):
        guess_columns(result)
    return result


def _network(label: str, slot: str) -> NetworkRead | None:
    """The network that was brought; of a table, by what its columns are."""
    given = upload(label, slot, read_any, HELP)
    if given is None:
        return None
    try:
        result = given.content if isinstance(given.content, NetworkRead) else _from_table(given, slot)
    except DiptychError as error:
        st.error(plain(error), icon=":material/error:")
        return None
    st.caption(" ".join((_size_words(result), *result.notes)))
    return result


def _from_table(given: Upload, slot: str) -> NetworkRead:
    """The edge list as its columns say."""
    table = given.content
    guess, names = guess_columns(table), [str(name) for name in table.columns]
    numbers = [name for name in names if table[name].dtype.kind in "iuf"]
    with st.popover("Which column says what"):
        values: dict[str, Any] = {}
        for field, title, options, least in (
            ("source", "From", names, True),
            ("target", "To", names, True),
            ("directed", "Directed: yes or no", names, False),
            ("score", "Score", numbers, False),
        ):
            first = getattr(guess, field)
            values[field] = st.selectbox(
                title,
                options,
                index=options.index(first) if first in options else None,
                placeholder="none",
                key=widget_key(KEY, slot, given.number, field),
            )
            if least and values[field] is None:
                values[field] = first
    columns = Columns(**values)
    st.caption(
        f"Columns: {plain(short(columns.source))} → {plain(short(columns.target))}"
        + (f"; directed: {plain(short(columns.directed))}" if columns.directed else "")
        + (f"; score: {plain(short(columns.score))}" if columns.score else "")
    )
    return network_from_table(table, columns)


def _size_words(network_read: NetworkRead) -> str:
    variables, arcs, lines = network_read.size
    parts = [count(number, word) for number, word in ((arcs, "arc"), (lines, "undirected edge")) if number]
    return f"{count(variables, 'variable')}, {listed(parts) or 'no edge'}."

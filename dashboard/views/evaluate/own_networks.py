"""A true network beside one that was found: what was found, missed, made up or turned, in words, picture and table."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.network.panel import Edge, Node, Panel
from dashboard.session.keys import widget_key
from dashboard.session.masking import smallest_cell
from dashboard.session.session import session
from dashboard.text import plain, short, visible
from dashboard.views.evaluate.curve import Items, Line, show_curve
from dashboard.views.evaluate.own_upload import KEY, Upload, file_area, offer_example, store_upload, upload
from dashboard.views.shared.downloads import download_table
from dashboard.views.shared.network_view import network_view, pick_node, positions_of
from dashboard.views.shared.page_parts import choose_option
from engine import DataError, DiptychError
from engine.evaluation.examples import example_networks
from engine.evaluation.networks import cuts, matched, nearest
from engine.exchange.network_reader import (
    Columns,
    NetworkRead,
    directed,
    guess_columns,
    network_from_table,
    read_network,
)
from engine.graphs.comparison import panels
from engine.words import count, first, listed

if TYPE_CHECKING:
    import pandas as pd

    from engine.evaluation.networks import Match

TRUTH, RESULT = "truth", "found"
HELP = (
    "An edge list is a table with a line for each edge: from, to, and if you like whether it is directed (yes, no) and "
    "a score. JSON and BIF as Diptych and other programs save them. It stays in memory; nothing is sent anywhere."
)


def show_networks() -> None:
    """Bring two networks, and see how near one is to the other."""
    words = "The true network is known, such as one that rows were drawn from. How much of it was found, what was not?"
    if offer_example(words, "networks"):
        true_network, links = example_networks()
        store_upload(TRUTH, "an example that rows were drawn from", true_network)
        store_upload(RESULT, "links found in 20 resamples", links)
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
    if smallest_cell():  # what a link is worth is said to all its digits
        return {}
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


STATUS = {
    "same": "in truth and found",
    "only_a": "only in the truth: missed",
    "only_b": "only found: not there",
    "reversed": "in truth and found, other direction",
}
DATA, DRAWN, LINKS = "What data can tell", "Every arrow", "Links only"
WHY = {
    DATA: "Compared as CPDAGs: an arrow counts only where every network that fits data just as well has it, since no "
    "data can tell the others.",
    DRAWN: "Compared arrow by arrow, as drawn: also arrows that no data could tell.",
    LINKS: "Compared without directions.",
}
MOST_DRAWN, MOST_EDGES = 120, 1_000
STEPS = 200
"""Most scores that the slider stops at."""
PAIRS = Items("pair", "pairs", "linked", "unlinked")
NAMED = 12


def show_match(match: Match, scores: Mapping[frozenset[Hashable], float], start: float | None = None) -> None:
    """Everything about two networks.

    Parameters
    ----------
    scores : of the links found, where there are any
    start : the score from which on a link counts as found, to begin with; None for all
    """
    where = st.columns([1, 1], gap="large")
    with where[0]:
        larger, least = (True, None) if len(set(scores.values())) < 2 else _cut(scores, start)
    if least is not None:
        match = match.keeping(scores, least, larger)
    with where[0 if least is None else 1]:
        match, way = _as(match)
    st.markdown(match_words(match, way))
    for sentence in strangers(match):
        st.caption(sentence)
    _picture(match)
    _tables(match)
    if least is not None:
        st.markdown("**Every pair of variables, by the score of its link**")
        st.caption(
            "A pair that has no score comes last. All scores count here, whatever the slider above leaves out. The "
            "interval takes the pairs as independent, though they share variables: it may be too narrow."
        )
        values, truth = match.pair_scores(scores, larger)
        unit = "" if larger else "minus the score"
        show_curve(
            [Line("score of a link", values, truth, unit)], widget_key(KEY, "pairs", larger), PAIRS, stem="own-network"
        )


def _cut(scores: Mapping[frozenset[Hashable], float], start: float | None) -> tuple[bool, float]:
    """Whether larger scores are better, and from which score on a link counts as found."""
    left, right = st.columns([1, 2])
    larger = left.selectbox(
        "A larger score means",
        [True, False],
        format_func={True: "a surer link", False: "a weaker link"}.__getitem__,
        key=widget_key(KEY, "pairs", "larger"),
    )
    words = "A link counts as found from this score on" if larger else "A link counts as found up to this score"
    options = cuts(scores.values(), STEPS)
    begin = options[0] if larger else options[-1]
    if larger and start is not None:
        begin = nearest(options, start)
    key = widget_key(KEY, "cut", options[0], options[-1], len(options), larger)
    least = right.select_slider(words, options, begin, format_func="{:.4g}".format, key=key)
    return larger, float(least)


def _as(match: Match) -> tuple[Match, str]:
    """The networks as they are compared, and how."""
    arrows = match.arrows
    ways = [DATA] * match.has_patterns + [DRAWN, LINKS]
    if not all(arrows):
        ways = [LINKS] if not any(arrows) else [LINKS, DRAWN]
    way = choose_option("Compare", ways, widget_key(KEY, "way", len(ways), ways[0]), label_visibility="visible")
    why = WHY[way]
    if way == LINKS and not all(arrows):
        why += " At least one of the two has no arrow."
    st.caption(why)
    return (match.as_patterns() if way == DATA else match.as_links() if way == LINKS else match), way


def match_words(match: Match, way: str) -> str:
    """How much was found and how much made up, as Markdown."""
    links = match.adjacency
    words = (
        f"**{links.right} of {count(links.there, 'true link')} {_were(1 if links.there == 1 else links.right)} found"
    )
    words += f", and {links.wrong or 'no'} false {'ones' if links.wrong > 1 else 'one'}.**"
    parts = []
    if links.found:
        parts.append(f"Of {links.found} found, {links.right} {_are(links.right)} true: precision {links.precision:.2f}")
    if links.there:
        parts.append(f"recall {links.recall:.2f}")
        parts.append(f"F {links.f:.2f}")
    words += f" {', '.join(parts)}." if parts else ""
    if way != LINKS:
        words += _arrow_words(match)
    distance = match.difference
    if not distance.total:
        return f"{words} The two networks are the same."
    turned = "" if way == LINKS else f", {count(distance.reversed, 'points', 'point')} another way"
    changes = f"{distance.added} added, {distance.deleted} missing{turned}"
    return f"{words} Structural Hamming distance **{distance.total}**: {changes}."


def _arrow_words(match: Match) -> str:
    arrows = match.arrowhead
    words = f" Of {count(arrows.there, 'true arrow')}, {arrows.right} {_are(arrows.right)} found in the right direction"
    if not arrows.there:
        words = " The truth has no arrow that counts"
    return words + (f"; {arrows.wrong} found {_are(arrows.wrong)} wrong." if arrows.wrong else ".")


def strangers(match: Match) -> list[str]:
    """Variables that only one of the files names."""
    sentences = []
    for names, here, there in (
        (match.only_truth, "the truth", "the network found"),
        (match.only_found, "the network found", "the truth"),
    ):
        if names:
            named, have = (
                first((plain(short(name)) for name in names), NAMED),
                "it has" if len(names) == 1 else "they have",
            )
            sentences.append(f"Only {here} names {named}; in {there} {have} no edge.")
    return sentences


def match_panels(match: Match) -> list[Panel]:
    """Truth and what was found, every edge with what it is to the other."""
    nodes = [Node(str(name)) for name in match.truth.nodes]
    titles = ("The truth", "What was found")
    drawn = []
    for title, arcs in zip(titles, panels(match.truth, match.found), strict=True):
        edges = [
            Edge(str(arc.source), str(arc.target), arc.status, 0.4, STATUS[arc.status], arc.directed) for arc in arcs
        ]
        drawn.append(Panel(title, count(len(edges), "edge"), nodes, edges))
    return drawn


def _picture(match: Match) -> None:
    names = [str(name) for name in match.truth.nodes]
    edges = match.most_edges
    if len(names) > MOST_DRAWN or edges > MOST_EDGES:
        st.info(
            f"{len(names):,} variables with {edges:,} edges are too many to draw; the tables below have every edge."
        )
        return
    network_view(
        match_panels(match),
        positions_of(names, [match.truth, match.found]),
        widget_key(KEY, "picture"),
        picked=session().picked.get(KEY),
        words=STATUS,
        clicked=pick_node(KEY),
        scope="app",
    )


def _tables(match: Match) -> None:
    left, right = st.columns([11, 9], gap="medium")
    edges, measures = match.edges(), match.measures()
    with left:
        st.dataframe(
            edges, hide_index=True, height=min(420, 38 + 35 * max(len(edges), 1)), alt="Every edge, and what it is"
        )
        download_table(edges, "own-network-edges", label="Edges")
    with right:
        shares = {name: st.column_config.NumberColumn(format="%.2f") for name in ("precision", "recall", "F")}
        st.dataframe(measures, hide_index=True, column_config=shares, placeholder="–", alt="Precision, recall and F")
        distance = match.difference
        st.caption(
            f"Distance {distance.total} = {distance.added} added + {distance.deleted} missing + {distance.reversed} "
            "pointing another way. Precision: share of what was found that is true. Recall: share of what is true that "
            "was found. F: both in one number."
        )
        download_table(measures, "own-network-measures", label="Measures")


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"

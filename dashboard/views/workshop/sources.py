"""Where the workshop's network comes from: samples, results of this session, a file, or nothing to begin with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.network.workshop import spread
from dashboard.session.keys import set_value, value_of, widget_key
from dashboard.session.masking import smallest_cell
from dashboard.session.session import session
from dashboard.text import distinct, short, visible
from dashboard.views.shared.card_names import names_apart
from dashboard.views.shared.page_parts import take_dropped_file
from dashboard.views.workshop.state import DRAWN, FROM_FILE, SLUG, WorkshopState, open_sample_network, workshop
from engine import DataError
from engine.exchange.network_reader import FORMATS, read_network_file
from engine.methods.with_tables import network_makers
from engine.models.drawing import MOST_VARIABLES, empty_network
from sample_data.workshop_networks import WORKSHOP_NETWORKS

if TYPE_CHECKING:
    from dashboard.session.cards import Card
    from engine.models.network import Network

CHOICE, FILE = widget_key(SLUG, "network"), widget_key(SLUG, "file")
EMPTY = "empty"
ENCODINGS = {"": "found out", "utf-8": "UTF-8", "utf-16": "UTF-16", "cp1252": "Windows-1252"} | {
    name: name for name in ("latin-1", "cp1250", "cp1251", "cp1253", "shift_jis", "gb18030")
}
LETTERS = 60
"""Of what the list calls a network."""
MOST_LEVELS = 50
"""Levels of a variable of a network that is opened; its table has a column for each."""


def choose_source() -> None:
    """The list of networks in the sidebar, a place for a file, and what clears the evidence."""
    state = workshop()
    titles = {f"sample {key}": item.title for key, item in WORKSHOP_NETWORKS.items()}
    titles |= {f"result {number} {title}": words for number, title, words in _result_titles()}
    titles[EMPTY] = "Empty, to draw in"
    titles.setdefault(state.source, short(state.about, 40))
    set_value(CHOICE, state.source)
    st.selectbox(
        "Network", list(titles), format_func=lambda item: visible(titles[item]), key=CHOICE, on_change=_open_chosen
    )
    if smallest_cell():
        st.caption("Networks of your results are not offered here, since small counts are hidden.")
    with st.expander("From a file"):
        encoding = st.selectbox(
            "Encoding", list(ENCODINGS), format_func=ENCODINGS.__getitem__, key=widget_key(SLUG, "encoding")
        )
        given = take_dropped_file("Network file", widget_key(SLUG, "seen"), key=FILE)
        if given is not None:
            _open_file(state, given.getvalue(), given.name, encoding or None)
            st.rerun()
        st.caption(f"Reads {', '.join(FORMATS.values())}.")
    st.button("Clear evidence", on_click=state.clear, width="stretch", key=widget_key(SLUG, "clear"))
    if state.undone:
        st.button("Undo the last drawing", on_click=state.undo, width="stretch", key=widget_key(SLUG, "undo"))


def _open_chosen() -> None:
    """A source was chosen from the list."""
    state, (kind, _, rest) = workshop(), str(value_of(CHOICE)).partition(" ")
    if kind == "sample":
        open_sample_network(state, rest)
    elif kind == "result":
        number, _, title = rest.partition(" ")
        _open_result(state, int(number), title)
    elif kind == EMPTY:
        state.open(empty_network(), DRAWN, EMPTY)
    state.redraw = False


def _open_file(state: WorkshopState, content: bytes, name: str, encoding: str | None = None) -> None:
    try:
        with session().job_queue.counted():
            read = read_network_file(content, encoding)
        check_size(read.network)
    except DataError as error:
        state.error = str(error)
        return
    places = spread(read.network, read.positions)
    state.open(read.network, visible(name), f"{FROM_FILE} {name}", read.ends, places=places)
    as_text = f" as {read.encoding}" if read.encoding not in ("", "utf-8") else ""
    state.notice = " ".join([f"Read as {read.format}{as_text}.", *read.notes]) if as_text or read.notes else ""


def check_size(network: Network) -> None:
    """`DataError` for a network that is larger than is drawn."""
    if len(network.names) > MOST_VARIABLES:
        raise DataError(f"This network has {len(network.names)} variables; the workshop draws up to {MOST_VARIABLES}.")
    for name, levels in zip(network.names, network.levels, strict=True):
        if len(levels) > MOST_LEVELS:
            raise DataError(f"{short(name, 40)} has {len(levels):,} levels; the workshop shows up to {MOST_LEVELS}.")


# -- results -------------------------------------------------------------------------------------------------------


def _result_titles() -> list[tuple[int, str, str]]:
    """Number of the card, title of the network, and what it is called, of each network that can be opened."""
    if smallest_cell():
        return []
    offered = [(card, title) for card in session().cards for title in _makers(card)]
    names = names_apart([*dict(offered)])
    words = distinct([f"{title}, {names[card.number]}" for card, title in offered], LETTERS)  # what differs comes first
    return [(card.number, title, text) for (card, title), text in zip(offered, words, strict=True)]


def _open_result(state: WorkshopState, number: int, title: str) -> None:
    card = session().cards.numbered(number)
    make = None if card is None or smallest_cell() else _makers(card).get(title)
    if card is None or make is None:
        state.error = "This result is no longer here; choose another network."
        return
    try:
        network = make()
        check_size(network)
    except DataError as error:
        state.error = str(error)
        return
    named = names_apart([other for other in session().cards if _makers(other)])[number]
    state.open(network, f"{title}, {named}", f"result {number} {title}")


def _makers(card: Card) -> dict[str, Callable[[], Network]]:
    """Title -> what makes the network, of those of a result whose rows are here and whose edges have arrows."""
    return network_makers(card.result, card.data)

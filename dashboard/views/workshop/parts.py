"""What the views of a network have in common: the two variables that are looked at, and the files."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboard.session.keys import set_value, value_of, widget_key
from dashboard.session.labels import full_name
from dashboard.text import plain, visible
from dashboard.views.shared.downloads import download, file_name
from dashboard.views.workshop.state import SLUG, WorkshopState, workshop
from engine import exchange
from engine.exchange.network_reader import FORMATS

X, Y = widget_key(SLUG, "x"), widget_key(SLUG, "y")


def choose_ends(state: WorkshopState) -> None:
    """X and Y beside each other."""
    for column, end, key in zip(st.columns(2, gap="small"), ("x", "y"), (X, Y), strict=True):
        set_value(key, getattr(state, end))
        column.selectbox(
            end.upper(),
            list(state.network.names),
            format_func=lambda name: visible(full_name(name)),
            key=key,
            on_change=partial(_choose_end, end, key),
        )


def _choose_end(end: str, key: str) -> None:
    workshop().choose(end, value_of(key))


def show_said(state: WorkshopState) -> None:
    """What could not be done, and what is good to know, below the picture: above it, it would move every box."""
    if state.error:
        st.warning(plain(state.error))
    if state.notice:
        st.info(plain(state.notice))


def show_export(state: WorkshopState) -> None:
    """The network for other programs."""
    network, graph = state.network, state.graph
    with st.popover("Export", icon=":material/download:", width="content"):
        if not network.names:
            st.caption("There is nothing to export yet.")
            return
        st.markdown("**The network with its probabilities**")
        for kind, title in FORMATS.items():
            if kind == "dagitty":
                st.markdown("**Its arrows**")
            make = partial(exchange.write_network, network, kind, state.positions, (state.x, state.y))
            name = file_name("workshop-network", "txt" if kind == "dagitty" else kind)
            download(partial(_encoded, make), name, "text/plain", title, masked=True)
        for name, ending, mime, write in (
            ("JSON", "json", "application/json", exchange.to_json),
            ("GraphML", "graphml", "text/plain", exchange.to_graphml),
            ("DOT", "dot", "text/plain", exchange.to_dot),
        ):
            made = partial(_encoded, partial(write, graph))
            download(made, file_name("workshop-network", ending), mime, name, masked=True)
        st.caption("The buttons below the network save it: SVG has vectors, PNG and PDF have pixels.")


def _encoded(make) -> bytes:  # type: ignore[no-untyped-def]  # a writer of the engine
    return make().encode("utf-8", "replace")

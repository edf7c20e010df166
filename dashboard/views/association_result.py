"""The whole answer on screen: sentence, picture, one group; below it one view at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session import session
from dashboard.text import plain, visible
from dashboard.views.association_facts import PAGE, groups_of, strengths_of
from dashboard.views.association_graph import (
    MOST_EDGES,
    MOST_OUTLINES,
    WORDS,
    model_panel,
    outlined,
    places,
    shown_edges,
)
from dashboard.views.association_group import choose_group, chosen_group, group_of_edge, show_group
from dashboard.views.network import NetworkEvent, network_panels
from engine.methods.log_linear.words import NOT_CAUSAL

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.log_linear.result import LogLinearResult


def show_result(result: LogLinearResult, data: Dataset) -> None:
    """Everything below the title."""
    _show_words(result)
    _show_model(result)


def _show_words(result: LogLinearResult) -> None:
    """The answer in a sentence, the strongest links, and what it rests on."""
    sentences = result.summary().splitlines()
    st.markdown(f"#### {plain(sentences[0])}")
    rest = [one for one in sentences[1:] if one != NOT_CAUSAL]
    if rest:
        st.markdown(plain(" ".join(rest)))


@st.fragment
def _show_model(result: LogLinearResult) -> None:
    """The picture on the left, the group in the spotlight on the right; a fragment, so that a click draws only them."""
    left, right = st.columns([11, 9], gap="large")
    with left:
        _show_network(result)
    with right:
        show_group(result)


def _show_network(result: LogLinearResult) -> None:
    total = len(strengths_of(result))
    if not total:
        st.markdown("##### The model")
        st.markdown("No link to draw: every variable stands alone.")
        return
    strongest = total
    if total > 12:
        strongest = st.slider(
            "Strongest links shown",
            min(5, total),
            total,
            min(total, MOST_EDGES),
            key=f"{PAGE}.strongest.{total}",
            help="By the bits a link saves. The others stay in the model, they are only not drawn.",
        )
    edges = shown_edges(result, strongest)
    event = network_panels(
        [model_panel(result, edges, chosen_group(result))],
        places(result),
        session().picked.get(PAGE),
        key=f"{PAGE}.network",
        words=WORDS,
    )
    left_out = len(outlined(result, edges)) - MOST_OUTLINES
    if left_out > 0:
        st.caption(f"The {MOST_OUTLINES} largest groups are outlined, {left_out} more are not; show fewer links.")
    alone = result.isolated
    if alone:
        st.markdown(f"**Alone, without any link ({len(alone)}):** {plain(', '.join(map(visible, alone)))}")
    st.caption(plain(NOT_CAUSAL))
    _react(result, edges, event)


def _react(result: LogLinearResult, edges: list[tuple[str, str]], event: NetworkEvent) -> None:
    """What a click or a drag changes."""
    state = session()
    if event.moved:
        state.move(result.names, event.moved)
        st.rerun(scope="fragment")
    if event.edge:
        a, b = event.edge[:2]
        group = group_of_edge(result, a, b)
        if group is not None:
            choose_group(group, next(edge for edge in edges if set(edge) == {a, b}))
            st.rerun(scope="fragment")
    if event.group:
        shown = outlined(result, edges)[:MOST_OUTLINES]
        if event.group[0] < len(shown):
            choose_group(shown[event.group[0]])
            st.rerun(scope="fragment")
    if (event.cleared or event.node) and event.node != state.picked.get(PAGE):
        state.picked[PAGE] = event.node
        own = None if event.node is None else _own_group(result, event.node)
        if own is not None:
            choose_group(own)
        st.rerun(scope="fragment")


def _own_group(result: LogLinearResult, name: str) -> tuple[str, ...] | None:
    """The largest group a variable is in; the one on screen when it is in that."""
    mine = [group for group in groups_of(result) if name in group]
    shown = chosen_group(result)
    return shown if shown in mine else next(iter(mine), None)

"""The page: what a click did in one sentence, the network, whether X and Y are d-separated, and drawers."""

from __future__ import annotations

import streamlit as st

from dashboard.charts.workshop import answer_box, kinds_table
from dashboard.network.workshop import Marks, read_event, show_network
from dashboard.session.keys import set_value, value_of, widget_key
from dashboard.session.labels import full_name
from dashboard.styles import WORKSHOP, sheet
from dashboard.text import capital, visible
from dashboard.views.shared.page_parts import page_head, show_sentence
from dashboard.views.workshop.doing import show_doing_page
from dashboard.views.workshop.drawers import show_drawers, show_why
from dashboard.views.workshop.parts import choose_ends, show_export, show_said
from dashboard.views.workshop.sources import choose_source
from dashboard.views.workshop.state import SLUG, WorkshopState, workshop
from dashboard.views.workshop.steps import show_steps
from engine.graphs.separation import Path, PathList, d_separated, open_paths, paths
from engine.models.evidence import certain_variables
from engine.models.network import Network
from engine.words import count

PICTURE, GIVEN = widget_key(SLUG, "picture"), widget_key(SLUG, "given")
VIEWS = EVIDENCE, DOING, STEPS = "Evidence and paths", "See and do", "Step through a search"
MOST_MARKED = 4
"""Blocked paths that are marked in the picture, the shortest first."""


def show_workshop() -> None:
    """The whole page."""
    st.html(sheet(WORKSHOP))
    key = widget_key(SLUG, "view")
    with st.sidebar:
        view = st.radio("Look at", VIEWS, key=key, persist_state="session")
    if view == STEPS:
        show_steps()
        return
    with st.sidebar:
        choose_source()
    if view == DOING:
        show_doing_page()
        return
    _show_evidence()
    show_drawers()


@st.fragment
def _show_evidence() -> None:
    """What a click redraws: the sentence, the picture, the reading beside it, and why."""
    state = workshop()
    if state.redraw:
        state.redraw = False
        st.rerun()
    with page_head(SLUG, "Workshop", f"d-separation, on {state.about}"):
        show_export(state)
    _show_headline(state)
    with st.container(key=widget_key(SLUG, "row")):
        left, right = st.columns([3, 2], gap="small")
    separated = _separation(state)
    with left.container(border=True, gap="small", height="stretch"):
        _show_picture(state, separated)
        show_said(state)
    with right.container(border=True, gap="small", height="stretch"):
        _show_separation(state, separated)
    show_why(state)


def _show_headline(state: WorkshopState) -> None:
    effect = state.effect()
    if effect is None:
        how = "A double-click in the empty field below adds a variable; drag from one to the other for the arrow."
        show_sentence(SLUG, "Draw two variables and an arrow between them.", how)
    else:
        show_sentence(SLUG, effect.sentence, effect.reason, effect.name)
    if state.posterior.draws:
        st.caption(f"Estimated from {count(state.posterior.draws, 'drawn row')}: exact tables would be too large.")


# -- the picture ---------------------------------------------------------------------------------------------------


def _separation(state: WorkshopState) -> tuple[bool, PathList, PathList] | None:
    """Whether X and Y are d-separated by what else is known, the open paths, and all paths."""
    if not state.x or not state.y:
        return None
    graph, given = state.graph, state.given
    apart = d_separated(graph, state.x, state.y, given)
    return apart, open_paths(graph, state.x, state.y, given), paths(graph, state.x, state.y)


def _show_picture(state: WorkshopState, separated: tuple[bool, PathList, PathList] | None) -> None:
    certain = certain_variables(state.network, state.evidence)
    marks = Marks(certain=certain)
    if separated is not None:
        _, opened, every = separated
        marks = Marks(
            {state.x: "X", state.y: "Y"},
            {arrow for path in opened for arrow in path.arrows},
            {arrow for path in every[:MOST_MARKED] for arrow in path.arrows},
            {triple.middle for path in opened for triple in path.triples(state.given) if triple.kind == "collider"},
            certain,
        )
    how = "from drawn rows" if state.posterior.draws else "exactly from the network's probabilities"
    show_network(
        state.network,
        state.positions,
        state.posterior,
        state.prior,
        state.evidence,
        marks,
        key=PICTURE,
        on_event=_on_event,
        note=f"{_bars(state.network)} to set its value, again to change or clear it. Every bar is recomputed {how}.",
    )


def _bars(network: Network) -> str:
    """The first words of the note: what a bar shows, where that is the same level of all variables with two."""
    shown = {levels[1] for levels in network.levels if len(levels) == 2}
    return f"A bar is P({shown.pop()}). Click one" if len(shown) == 1 else "Click a bar"


def _on_event() -> None:
    """Something was done to the picture."""
    state = workshop()
    event = read_event(getattr(value_of(PICTURE), "event", None), state.network)
    if event is not None:
        state.apply(event)


# -- X, Y and what is given ----------------------------------------------------------------------------------------


def _show_separation(state: WorkshopState, separated: tuple[bool, PathList, PathList] | None) -> None:
    st.markdown("**Are X and Y d-separated: is every path blocked?**")
    if separated is None:
        st.caption("The network needs two variables.")
        return
    names = list(state.network.names)
    choose_ends(state)
    set_value(GIVEN, [name for name in names if name in state.given])
    st.multiselect(
        "Given",
        [name for name in names if name not in (state.x, state.y)],
        format_func=lambda name: visible(" = ".join(filter(None, (full_name(name), state.evidence.get(name))))),
        key=GIVEN,
        on_change=_change_given,
        placeholder="add a variable",
    )
    apart, opened, every = separated
    path = _deciding_path(apart, opened, every)
    st.html(answer_box(_answer(apart, opened, every), path, state.given, _reason(path, state)))
    acting = {(triple.kind, triple.known is not None) for triple in (path.deciding(state.given) if path else ())}
    st.html(kinds_table(acting))


def _deciding_path(apart: bool, opened: PathList, every: PathList) -> Path | None:
    """The path that is spelt out: the shortest open one, or the shortest of all."""
    listed = every if apart else opened
    return listed[0] if listed else None


def _answer(apart: bool, opened: PathList, every: PathList) -> str:
    if apart:
        return "Yes. Every path is blocked." if every else "Yes. No path joins them."
    if len(opened) == 1 and opened.complete:
        return "No. One path is open." if len(opened[0].nodes) > 2 else "No. An arrow joins them."
    return f"No. {'' if opened.complete else 'More than '}{len(opened)} paths are open."


def _reason(path: Path | None, state: WorkshopState) -> str:
    if path is None:
        return ""
    reason = path.reason(state.given)
    return capital(reason) if reason.startswith(("it ", "an ")) else reason


def _change_given() -> None:
    """A variable was added to what is known, or taken away; a list that came with a press on a bar is an old one."""
    state, wanted = workshop(), value_of(GIVEN)
    if getattr(value_of(PICTURE), "event", None) or not set(wanted) <= set(state.network.names):
        return
    for name in [name for name in state.given if name not in wanted]:
        state.set_level(name, None)
    for name in wanted:
        if name not in state.evidence:
            state.add_known(name)

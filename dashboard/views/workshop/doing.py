"""See and do: X set to one level beside another, and beside X seen; what adjusts, an estimate by a table, X by lot."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

import streamlit as st

from dashboard.charts.workshop import answer_box, doing_table
from dashboard.network.workshop import Marks, read_event, show_network
from dashboard.session.keys import of_names, set_value, value_of, widget_key
from dashboard.session.masking import smallest_cell
from dashboard.session.session import session
from dashboard.text import capital, plain, visible
from dashboard.views.shared.page_parts import page_head, show_sentence, show_svg
from dashboard.views.workshop.drawers import show_sample
from dashboard.views.workshop.parts import choose_ends, show_export, show_said
from dashboard.views.workshop.state import SLUG, WorkshopState, workshop
from engine import DataError
from engine.graphs import adjustment_sets, check_adjustment, open_paths
from engine.graphs.adjustment import describe_sets
from engine.graphs.dag import to_networkx
from engine.graphs.drawing.interval_plot import Measured, draw_intervals
from engine.models import adjusted_effect, intervene, posteriors
from engine.models.effects import describe_doing
from engine.words import count, listed, with_sign

PICTURE, LEVEL, TRIED = (widget_key(SLUG, "do", name) for name in ("picture", "level", "tried"))


@st.fragment
def show_doing_page() -> None:
    """What a click redraws, and the drawers."""
    state = workshop()
    if state.redraw:
        state.redraw = False
        st.rerun()
    state.begin_doing()
    with page_head(SLUG, "Workshop", f"see and do, on {state.about}"):
        show_export(state)
    if not state.x or not state.y:
        show_sentence(SLUG, "The network needs two variables.", "Draw them in *Evidence and paths*.")
        return
    try:
        _show_head(state)
    except DataError as error:  # a level that X never has cannot be seen
        show_sentence(SLUG, f"Setting {state.x} cannot be compared with seeing it.", str(error))
    with st.container(key=widget_key(SLUG, "row", "do")):
        left, right = st.columns([3, 2], gap="small")
    with left.container(border=True, gap="small", height="stretch"):
        _show_picture(state)
        show_said(state)
    with right.container(border=True, gap="small", height="stretch"):
        _show_panel(state)
    with st.container(border=True):
        _show_sets(state)
    _show_estimate(state)
    show_sample(
        intervene(state.network, {name: level for name, level in state.done.items() if name != state.x}, [state.x]),
        f"Randomise {state.x} and sample a table",
        f"Each level of {state.x} is drawn by lot, whatever its causes; what else is set stays set.",
        ("lots",),
    )


def _show_head(state: WorkshopState) -> None:
    effect = describe_doing(state.network, state.x, state.y, state.doing)
    show_sentence(SLUG, effect.sentence, effect.reason, effect.name)


def _show_picture(state: WorkshopState) -> None:
    acting = intervene(state.network, state.doing)
    graph = to_networkx(acting.parents, acting.names)
    done = posteriors(acting)
    try:
        seen = posteriors(state.network, state.doing)
    except DataError:
        seen = state.prior
    ways = open_paths(graph, state.x, state.y)
    marks = Marks(
        {state.x: "X", state.y: "Y"},
        {arrow for path in ways for arrow in path.arrows},
        cut=[arrow for arrow in state.graph.edges if arrow not in graph.edges],
    )
    note = "Click a bar to set that level from outside; arrows into it are cut. Marks are P where X is only seen."
    show_network(
        state.network, state.positions, done, seen, state.doing, marks, key=PICTURE, on_event=_on_event, note=note
    )


def _on_event() -> None:
    state = workshop()
    event = read_event(getattr(value_of(PICTURE), "event", None), state.network)
    if event is not None:
        state.apply_doing(event)


# -- the effect, and what adjusts ------------------------------------------------------------------------------------


def _show_panel(state: WorkshopState) -> None:
    st.markdown("**What does setting X do to Y, if the arrows are right?**")
    choose_ends(state)
    levels = dict(zip(state.network.names, state.network.levels, strict=True))
    set_value(LEVEL, state.doing[state.x])
    st.selectbox("Set X to", levels[state.x], format_func=visible, key=LEVEL, on_change=_set_level)
    own = state.doing[state.x]
    both = own, next((level for level in levels[state.x] if level != own), own)
    done = {level: posteriors(intervene(state.network, state.doing | {state.x: level}))[state.y] for level in both}
    if len(done) > 1:
        st.html(doing_table(state.y, levels[state.y], done))
    st.markdown("**What to adjust for, if X cannot be set?**")
    st.markdown(plain(describe_sets(adjustment_sets(state.graph, state.x, state.y))))


def _show_sets(state: WorkshopState) -> None:
    left, right = st.columns(2, gap="medium", vertical_alignment="center")
    options = [name for name in state.network.names if name not in (state.x, state.y)]
    tried = left.multiselect(
        "Try variables to hold fixed",
        options,
        format_func=visible,
        key=widget_key(TRIED, of_names(options)),
        placeholder="nothing",
    )
    verdict = check_adjustment(state.graph, state.x, state.y, tried)
    paths = [*verdict.open_paths, *verdict.cut_paths]
    title = "They suffice." if verdict.works else "They do not suffice."
    if not tried:
        title = "Nothing need be held fixed." if verdict.works else "Without holding any fixed, it stays confounded."
    right.html(
        answer_box(
            title,
            None if verdict.works or not paths else paths[0],
            tried,
            "Every path into X is blocked, and none of them is an effect of X."
            if verdict.works
            else capital(verdict.reasons(tried)[0].removeprefix(f"{paths[0]} " if paths else "")),
        )
    )


def _set_level() -> None:
    state = workshop()
    state.done[state.x] = value_of(LEVEL)


def _named(one: frozenset[Hashable]) -> str:
    return listed(sorted(map(visible, one))) or "nothing"


# -- by a table ----------------------------------------------------------------------------------------------------


def _show_estimate(state: WorkshopState) -> None:
    data, x, y = session().dataset, state.x, state.y
    with st.expander("In your table: the adjusted and the plain difference"):
        if data is None or not {x, y} <= set(data.names):
            st.caption(plain(f"Open a table on Data that has the columns {x} and {y}, named as here."))
            return
        if smallest_cell():
            st.caption("Not shown, since small counts are hidden.")
            return
        sets = adjustment_sets(state.graph, x, y, among=data.names)
        if not sets:
            st.caption("No set of variables of the table adjusts: one that would is not in it.")
            return
        key = widget_key(SLUG, "do", of_names([x, y, *data.names]))
        first, second, third = st.columns(3, gap="small")
        from_level = first.selectbox("From", data.levels[x], 0, format_func=visible, key=widget_key(key, "from"))
        to_level = second.selectbox(
            "To", data.levels[x], len(data.levels[x]) - 1, format_func=visible, key=widget_key(key, "to")
        )
        held = third.selectbox("Held", sets, format_func=_named, key=widget_key(key, "held"))
        asked = partial(adjusted_effect, data, x, y, levels=(from_level, to_level))
        try:
            plain_one, adjusted = asked(), asked(sorted(map(str, held)))
        except DataError as error:
            st.warning(plain(str(error)))
            return
        number = y in data.numbers
        about = f"Mean {y}" if number else f"Share of {y} = {data.levels[y][-1]}"
        rows = [plain_one, adjusted]
        measured = Measured(about, *zip(*((one.estimate, one.low, one.high) for one in rows), strict=True))
        labels = ["Plain", f"Holding {_named(held)}"]
        said = [
            f"{label}: {with_sign(one.estimate, 3)} ({with_sign(one.low, 3)} to {with_sign(one.high, 3)})"
            for label, one in zip(labels, rows, strict=True)
        ]
        show_svg(draw_intervals(labels, [None, None], [measured], ident="do", title=about), ". ".join(said), "auto")
        st.markdown(plain(f"{about}, {x} = {to_level} less {from_level}, with 95 % intervals. {'. '.join(said)}."))
        if adjusted.left_out:
            st.caption(
                f"{count(adjusted.left_out, 'row')} left out: none like it has the other level, or a value is missing."
            )
        st.caption(
            "The difference is what X does only if the arrows are right and no common cause is missing from them."
        )

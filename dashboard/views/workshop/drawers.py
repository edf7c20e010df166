"""Below the picture, closed: tasks, why a probability changed, arrows that may turn, probabilities, and a sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.charts.workshop import shares_table
from dashboard.session.keys import of_names, set_value, value_of, widget_key
from dashboard.session.labels import labelled
from dashboard.session.session import session
from dashboard.text import plain, visible
from dashboard.views.data.choices import open_table
from dashboard.views.shared.downloads import csv_bytes
from dashboard.views.workshop.state import SLUG, WorkshopState, workshop
from engine import DataError
from engine.classroom.network_questions import NetworkQuestion, check_answer, solve_question
from engine.graphs import compelled
from engine.models import drawing
from engine.models.effects import bearing_paths, holds_level
from engine.models.evidence import DRAWS, MOST_ORDERED, ORDER_PAIRS, explain_change
from engine.words import chance_in_percent, count, listed

if TYPE_CHECKING:
    from engine.models.network import Network

QUESTION, VARIABLE = widget_key(SLUG, "question"), widget_key(SLUG, "variable")
MOST_SAMPLED = 100_000
"""Rows that a sampled table has at the most."""


def show_why(state: WorkshopState) -> None:
    """How much each piece of evidence adds to the change of X, or of Y where X is known, and by which paths."""
    target = next((name for name in (state.x, state.y) if name and name not in state.evidence), None)
    if target is None or not state.evidence:
        return
    level = holds_level(state.network, target)
    with st.expander(f"Why P({plain(target)} = {plain(level)}) is what it is: shares of the evidence"):
        try:
            explanation = explain_change(state.network, target, level, state.evidence)
        except DataError as error:
            st.caption(plain(str(error)))
            return
        st.markdown(
            f"All that is known together changes it from {plain(chance_in_percent(explanation.before))} to "
            f"{plain(chance_in_percent(explanation.after))}."
        )
        st.html(shares_table(explanation, state.evidence))
        st.caption("  \n".join(map(plain, bearing_paths(state.network, target, state.evidence))))
        if explanation.orders:
            st.caption(f"Shares are means over {explanation.orders} drawn orders of the evidence.")


def show_drawers() -> None:
    """The drawers that a click on a bar leaves alone."""
    state = workshop()
    _show_questions(state)
    _show_equivalence(state)
    _show_editor(state)
    show_sample(state.network, "Sample a table from it")
    _show_details()


# -- questions -----------------------------------------------------------------------------------------------------


@st.fragment
def _show_questions(state: WorkshopState) -> None:
    questions = state.questions
    if not questions:
        return
    number = min(int(value_of(QUESTION, 0)), len(questions) - 1)
    question = questions[number]
    key = widget_key(SLUG, "question", of_names([*state.network.names, question.text]))
    with st.expander(
        f"Task {number + 1} of {len(questions)}: {plain(labelled(question.text))}", key=widget_key(SLUG, "questions")
    ):
        chosen = _choose_options(question, key)
        check, show, after = st.columns([1, 1, 1], gap="small")
        if check.button("Check", key=widget_key(key, "check"), type="primary", width="stretch"):
            _show_check(state, question, chosen)
        if show.button("Show a solution", key=widget_key(key, "show"), width="stretch"):
            solution = solve_question(state.network, question)
            reason = check_answer(state.network, question, solution).reason
            st.info(plain(labelled(f"{listed(solution) if solution else 'Nothing has to be chosen'}. {reason}")))
        after.button(
            "Next task",
            key=widget_key(key, "next"),
            on_click=set_value,
            args=(QUESTION, (number + 1) % len(questions)),
            width="stretch",
        )


def _show_check(state: WorkshopState, question: NetworkQuestion, chosen: list[str]) -> None:
    """Say if the choice is right, and why; no choice is one only where any number may be chosen."""
    if not chosen and not question.several:
        st.info("Choose first.")
        return
    result = check_answer(state.network, question, chosen)
    said = plain(labelled(("Right. " if result.right else "Not yet. ") + result.reason))
    (st.success if result.right else st.error)(said)


def _choose_options(question: NetworkQuestion, key: str) -> list[str]:
    if question.several:
        return st.multiselect(
            "Choose any number",
            question.options,
            format_func=visible,
            key=widget_key(key, "many"),
            placeholder="nothing",
        )
    if len(question.options) <= 3:
        picked = st.radio("Choose one", question.options, index=None, key=widget_key(key, "one"), horizontal=True)
    else:
        picked = st.selectbox(
            "Choose one", question.options, index=None, format_func=visible, key=widget_key(key, "one")
        )
    return [] if picked is None else [picked]


# -- arrows that may turn ------------------------------------------------------------------------------------------


def _show_equivalence(state: WorkshopState) -> None:
    graph = state.graph
    if not graph.number_of_edges():
        return
    fixed = compelled(graph)
    free = [arrow for arrow in graph.edges if arrow not in fixed]
    with st.expander("Which arrows may turn"):
        st.markdown(
            f"{len(free)} of {count(graph.number_of_edges(), 'arrow')} may turn without changing which variables are "
            "independent given which others; data alone cannot give their direction."
        )
        turning, staying = st.columns(2)
        for column, title, arrows in ((turning, "May turn", free), (staying, "Fixed", sorted(fixed))):
            column.markdown(f"**{title}**")
            column.markdown("  \n".join(plain(f"{a} → {b}") for a, b in arrows) or "none")


# -- drawing by form, and probabilities ----------------------------------------------------------------------------


def _show_editor(state: WorkshopState) -> None:
    with st.expander("Variables, arrows and probabilities"):
        variables, arrows, tables = st.tabs(["Variables", "Arrows", "Probabilities"])
        with variables:
            _edit_variables(state)
        with arrows:
            _edit_arrows(state)
        with tables:
            _edit_tables(state)


def _edit_variables(state: WorkshopState) -> None:
    with st.form(widget_key(SLUG, "add"), clear_on_submit=True, border=False):
        name, levels, button = st.columns([2, 2, 1], vertical_alignment="bottom")
        called = name.text_input("New variable", max_chars=drawing.LONGEST_NAME)
        own = levels.text_input("Its levels, with commas between", "no, yes")
        if button.form_submit_button("Add", width="stretch"):
            _draw(state, lambda: drawing.add_variable(state.network, called, own.split(",")))
    if not state.network.names:
        return
    name, new, levels, rename, remove = st.columns([2, 2, 2, 1, 1], vertical_alignment="bottom")
    picked = name.selectbox("Variable", state.network.names, format_func=visible, key=widget_key(SLUG, "renamed"))
    stem = widget_key(SLUG, "names", of_names([picked]))
    now = ", ".join(state.network.levels[state.network.names.index(picked)])
    called = new.text_input("Name", picked, max_chars=drawing.LONGEST_NAME, key=widget_key(stem, "name"))
    own = levels.text_input("Levels", now, key=widget_key(stem, "levels", of_names([now])))
    if rename.button("Rename", key=widget_key(SLUG, "rename"), width="stretch"):
        typed = tuple(own.split(",")) if own != now else None
        _try(state, lambda: state.rename(picked, called, typed))
    if remove.button("Remove", key=widget_key(SLUG, "remove"), width="stretch"):
        _draw(state, lambda: drawing.remove_variable(state.network, picked))


def _edit_arrows(state: WorkshopState) -> None:
    names = state.network.names
    if len(names) < 2:
        st.caption("An arrow needs two variables.")
        return
    source, target, add, remove = st.columns([2, 2, 1, 1], vertical_alignment="bottom")
    a = source.selectbox("From", names, format_func=visible, key=widget_key(SLUG, "from"))
    b = target.selectbox("To", names, index=1, format_func=visible, key=widget_key(SLUG, "to"))
    if add.button("Draw", key=widget_key(SLUG, "link"), width="stretch"):
        _try(state, lambda: state.link(a, b))
    if remove.button("Remove", key=widget_key(SLUG, "unlink"), width="stretch"):
        _draw(state, lambda: drawing.remove_arrow(state.network, a, b))


def _edit_tables(state: WorkshopState) -> None:
    if not state.network.names:
        st.caption("There is no variable yet.")
        return
    name = st.selectbox("Variable", state.network.names, format_func=visible, key=VARIABLE)
    frame = drawing.table_frame(state.network, name)
    headings = drawing.level_headings(state.network, name)
    stamp = of_names([name, frame.to_csv()])
    edited = st.data_editor(
        frame,
        hide_index=True,
        disabled=[column for column in frame if column not in headings],
        column_config=dict.fromkeys(
            headings, st.column_config.NumberColumn(min_value=0.0, max_value=1.0, format="%.3f", required=True)
        ),
        key=widget_key(SLUG, "table", stamp),
    )
    apply, seed, draw = st.columns([2, 1, 2], vertical_alignment="bottom")
    if apply.button("Use these probabilities", key=widget_key(SLUG, "apply"), width="stretch"):
        _draw(state, lambda: drawing.read_table_frame(state.network, name, edited), typed=True)
    number = seed.number_input("Seed", 0, 2**31 - 1, 1, key=widget_key(SLUG, "table", "seed"))
    if draw.button("Draw all probabilities", key=widget_key(SLUG, "draw"), width="stretch"):
        _draw(state, lambda: drawing.draw_tables(state.network, number))
    st.caption("Every row sums to 1. Drawn rows come from a Dirichlet distribution that is uniform.")


def _draw(state: WorkshopState, change, *, typed: bool = False) -> None:  # type: ignore[no-untyped-def]
    """Draw what a change makes of the network, where it makes another of it."""

    def draw() -> None:
        network = change()
        if network is not state.network:
            state.draw(network)
            state.by_hand = state.by_hand or typed

    _try(state, draw)


def _try(state: WorkshopState, change) -> None:  # type: ignore[no-untyped-def]
    """Do it and draw the page again; what is refused is said at its head."""
    try:
        change()
    except DataError as error:
        state.error = str(error)
    state.redraw = False
    st.rerun()


# -- a sample, and the method --------------------------------------------------------------------------------------


def show_sample(network: Network, title: str, words: str = "", place: tuple[str, ...] = ()) -> None:
    """A drawer that draws rows of a network and opens them on *Data*.

    Parameters
    ----------
    network : what they are drawn from
    title, words : of the drawer
    place : keeps its keys apart from those of another
    """
    if not network.names:
        return
    with st.expander(plain(title)):
        rows, seed, button = st.columns([1, 1, 2], vertical_alignment="bottom")
        many = rows.number_input("Rows", 10, MOST_SAMPLED, 1_000, key=widget_key(SLUG, "rows", *place))
        number = seed.number_input("Seed", 0, 2**31 - 1, 1, key=widget_key(SLUG, "seed", *place))
        if button.button(
            "Open in Data", icon=":material/table_chart:", key=widget_key(SLUG, "sample", *place), width="stretch"
        ):
            frame = drawing.sample_rows(network, many, number)
            levels = dict(zip(network.names, map(list, network.levels), strict=True))
            open_table(frame, f"workshop-{many}-rows.csv", content=csv_bytes(frame), chosen={"levels": levels})
            st.switch_page("app_pages/data.py")
        if words:
            st.caption(plain(words))
        if session().has_table:
            st.caption("It takes the place of the open table; results stay.")


def _show_details() -> None:
    with st.expander("Details of the method"):
        st.markdown(
            "Posteriors are exact: one pass along a tree of cliques (Lauritzen and Spiegelhalter 1988). Where its "
            f"tables would be too large, {DRAWS:,} rows are drawn and weighted by the evidence (likelihood weighting). "
            "Shares of the evidence are Shapley values: what each piece changes, averaged over all orders in which the "
            f"evidence could have come. Above {MOST_ORDERED} pieces, {2 * ORDER_PAIRS} orders are drawn, in pairs with "
            "their reverse; the shares still sum to the change."
        )
        st.markdown(
            "X and Y are d-separated when every path between them is blocked. A chain or fork is blocked where its "
            "middle is known. A collider is blocked unless it, or a descendant of it, is known (Pearl 1988)."
        )

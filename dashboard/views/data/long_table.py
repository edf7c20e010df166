"""Rows that belong together: which column says whose row each is, which when it was taken; a few of the series."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.charts.series import MOST_VARIABLES, lively, series_alt, series_figure, strips
from dashboard.session.keys import value_of, widget_key
from dashboard.session.session import session
from dashboard.session.work import Work, work
from dashboard.text import plain, short
from dashboard.views.shared.downloads import draw_figure
from engine import Dataset
from engine.data import BESIDE
from engine.words import listed

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

QUESTION = "Several rows a subject, or a cluster?"
ITSELF = "Every row by itself"
ROLES = {"subject": "Subject or cluster", "time": "Time", "outcome": "Class"}
"""Role -> what its box is called, in the order in which they are asked."""
NONE = {"subject": "(none: every row by itself)", "time": "(none)", "outcome": "(none)"}
"""Role -> how its box says that no column has it; in a form that is hardly a column's name."""
_HELP = {
    "subject": "What several rows are of: a patient, clinic, ward, school or family. It is kept beside the variables.",
    "time": "The column that says when a row was taken: numbers, dates or words in order. Kept beside the variables.",
    "outcome": "The column that says what class a subject is of; it stays a variable.",
}


def show_long_table() -> None:
    """The roles of a long table in one line, the boxes that change them, and a few of its series."""
    state, current = session(), work()
    if state.table is None:
        return
    long = current.with_role("subject") is not None
    used = state.dataset if not current.error else None
    # another key opens and closes it anew when the table becomes a long one, or is one no more
    with st.expander(_line(current, used), expanded=long, key=widget_key("data", "long", id(current), long)):
        if used is None or not long or current.with_role("time") is None:
            _boxes(current, list(current.proposals(state.table)), st.columns(len(ROLES)))
            return
        boxes, picture = st.columns([1, 3], gap="large")
        with boxes:
            _boxes(current, list(current.proposals(state.table)), [st.container() for _ in ROLES])
        with picture:
            _picture(used, current.with_role("outcome"))


def _line(current: Work, data: Dataset | None) -> str:
    """The roles as they stand, as one line of Markdown."""
    subject, time, outcome = map(current.with_role, ROLES)
    if subject is None:
        return QUESTION
    words = f"Several rows a subject: **{plain(short(subject))}** is each row's subject"
    words += f", **{plain(short(time))}** its time" if time else ""
    words += f", **{plain(short(outcome))}** its class" if outcome else ""
    if _refused(current):
        return words + "; this cannot be used"
    if time is None:
        words = f"Rows belong together: **{plain(short(subject))}** says which"
        words += f", **{plain(short(outcome))}** is the class" if outcome else ""
        return f"{words}{together_words(data)}"
    return words + (f"; {data.steps.sentence()}" if data is not None and data.steps is not None else "")


def together_words(data: Dataset | None) -> str:
    """What becomes of rows with one subject where no column has the time, after the roles."""
    if data is None or data.steps is None:
        return ""
    if data.clusters is None:
        return "; but no two rows that are used share a value, so this changes nothing"
    return f"; {data.steps.sizes()}, which no method counts as independent"


def _refused(current: Work) -> bool:
    """Whether it is these roles that the engine cannot use."""
    return bool(current.error) and current.roles.get(current.error_column or "") in BESIDE


def _boxes(current: Work, columns: Sequence[str], containers: Sequence[DeltaGenerator]) -> None:
    """One box a role, where the rows are by themselves or the proposal is one press away, and why it is proposed."""
    for place, role in zip(containers, ROLES, strict=True):
        with place:
            _box(current, columns, role)
    subject = current.with_role("subject")
    if subject is None:
        st.caption(
            "Where rows belong together (visits of a patient, patients of a clinic), say so: no method then counts "
            "them as independent. With a time, methods for series follow each subject from step to step."
        )
    elif _refused(current):
        st.caption(f":material/warning: Choose another column, or press *{ITSELF}*.")
    elif current.proposed and current.roles == current.begins:
        st.caption(f"Proposed: {plain(current.proposed)}")
    if subject is not None:
        rest = {name: role for name, role in current.roles.items() if role not in ("subject", "time")}
        st.button(ITSELF, on_click=_take, args=(current, rest), key=widget_key("data", "long", "off"))
    elif current.begins and current.roles != current.begins:
        proposal = listed(f"{short(name)} ({ROLES.get(role, role).lower()})" for name, role in current.begins.items())
        key = widget_key("data", "long", "on")
        st.button(f"Take the proposal: {plain(proposal)}", on_click=_take, args=(current, current.begins), key=key)


def _box(current: Work, columns: Sequence[str], role: str) -> None:
    now = current.with_role(role)
    others = {name for name, other in current.roles.items() if other != role}
    present = [] if now is None else [now]  # a new column that cannot be made just now has its role all the same
    options = [NONE[role], *dict.fromkeys([*(name for name in columns if name not in others), *present])]
    key = widget_key("data", "long", role, id(current), current.version)
    st.selectbox(
        ROLES[role],
        options,
        index=0 if now is None else options.index(now, 1),
        key=key,
        help=_HELP[role],
        disabled=role == "time" and current.with_role("subject") is None,
        on_change=lambda: _choose(current, role, value_of(key)),
    )


def _choose(current: Work, role: str, column: str) -> None:
    """Give a role to another column, or to none; a time without a subject means nothing."""
    roles = {name: other for name, other in current.roles.items() if other != role}
    if column != NONE[role]:
        roles[column] = role
    elif role == "subject":
        roles = {name: other for name, other in roles.items() if other != "time"}
    _take(current, roles)


def _take(current: Work, roles: dict[str, str]) -> None:
    current.take_roles(roles)
    current.version += 1


def _picture(data: Dataset, outcome: str | None) -> None:
    """Up to three variables of a few subjects."""
    drawn = strips(data, outcome)
    if not drawn:
        st.caption("No subject has two rows that are used, so there is no series to show.")
        return
    names = [name for name in data.names if name != outcome]
    begins = lively(data, drawn, outcome)
    variables = st.multiselect(
        "Variables to look at",
        names,
        default=begins,
        max_selections=MOST_VARIABLES,
        key=widget_key("data", "long", "variables", id(work()), hash(tuple(names))),
        placeholder="up to three",
    )
    if variables:
        figure = series_figure(data, drawn, variables)
        draw_figure(
            figure, "series", key=widget_key("data", "long", "series"), alt=series_alt(drawn, variables), bare=True
        )

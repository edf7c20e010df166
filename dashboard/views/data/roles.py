"""What columns are for: whose row each is, when it was taken, who is compared, what came of it, what was known when."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.charts.series import MOST_VARIABLES, lively, series_alt, series_figure, strips
from dashboard.network.component import MOST_BOXES, tiers_board
from dashboard.session.keys import value_of, widget_key
from dashboard.session.labels import full_name, shown_names
from dashboard.session.masking import NO_PEOPLE, sentence_shown, smallest_cell
from dashboard.session.preparing import put_first
from dashboard.session.session import session
from dashboard.session.work import Work, work
from dashboard.text import plain, short
from dashboard.views.shared.downloads import show_figure
from engine import Dataset
from engine.data.preparing.choices import BESIDE
from engine.data.preparing.roles import demographics, propose_group
from engine.words import listed

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from engine.data.preparing.proposals import Proposal

QUESTION = "Do rows belong together: visits of one patient, patients of one clinic?"
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
    steps = "" if data is None or data.steps is None else sentence_shown(data.steps.sentence())
    return f"{words}; {steps}" if steps else words


def together_words(data: Dataset | None) -> str:
    """What becomes of rows with one subject where no column has the time, after the roles."""
    if data is None or data.steps is None:
        return ""
    if data.clusters is None:
        return "; but no two rows that are used share a value, so this changes nothing"
    return f"; {sentence_shown(data.steps.sizes())}, which no method counts as independent"


def _refused(current: Work) -> bool:
    """Whether it is these roles that the engine cannot use."""
    return bool(current.error) and current.roles.get(current.error_column or "") in BESIDE


def _boxes(current: Work, columns: Sequence[str], containers: Sequence[DeltaGenerator]) -> None:
    """One box a role, where the rows are by themselves or the proposal is one press away, and why it is proposed."""
    for place, role in zip(containers, ROLES, strict=True):
        with place:
            _role_box(
                current,
                columns,
                role,
                widget_key("data", "long", role, id(current), current.version),
                title=ROLES[role],
                none=NONE[role],
                help=_HELP[role],
                choose=partial(_choose, current, role),
                disabled=role == "time" and current.with_role("subject") is None,
            )
    subject = current.with_role("subject")
    if subject is None:
        st.caption(
            "Where rows belong together (visits of a patient, patients of a clinic), say so: no method then counts "
            "them as independent. With a time, methods for series follow each subject from step to step."
        )
    elif _refused(current):
        st.caption(f":material/warning: Choose another column, or press *{ITSELF}*.")
    elif current.proposed and current.roles == current.begins:
        st.caption(f"Proposed: {plain(sentence_shown(current.proposed))}")
    time = current.with_role("time")
    if time is not None and not _refused(current):
        st.caption(f"To compare networks of different times, set Time to (none): {plain(short(time))} is then a group.")
    if subject is not None:
        rest = {name: role for name, role in current.roles.items() if role not in ("subject", "time")}
        st.button(ITSELF, on_click=_keep, args=(current, rest), key=widget_key("data", "long", "off"))
    elif current.begins and current.roles != current.begins:
        proposal = listed(f"{short(name)} ({ROLES.get(role, role).lower()})" for name, role in current.begins.items())
        key = widget_key("data", "long", "on")
        st.button(f"Take the proposal: {plain(proposal)}", on_click=_keep, args=(current, current.begins), key=key)


def _role_box(
    current: Work,
    columns: Sequence[str],
    role: str,
    key: str,
    *,
    title: str,
    none: str,
    help: str,
    choose: Callable[[str], None],
    disabled: bool = False,
) -> None:
    """The box that says which column has a role; `none` is what it says where no column has it."""
    now = current.with_role(role)
    others = {name for name, other in current.roles.items() if other != role}
    present = [] if now is None else [now]  # a new column that cannot be made just now has its role all the same
    options = [none, *dict.fromkeys([*(name for name in columns if name not in others), *present])]
    st.selectbox(
        title,
        options,
        index=0 if now is None else options.index(now, 1),
        format_func=full_name,
        key=key,
        help=help,
        disabled=disabled,
        on_change=lambda: choose(value_of(key)),
    )


def _choose(current: Work, role: str, column: str) -> None:
    """Give a role to another column, or to none; a time without a subject means nothing."""
    roles = {name: other for name, other in current.roles.items() if other != role}
    if column != NONE[role]:
        roles[column] = role
    elif role == "subject":
        roles = {name: other for name, other in roles.items() if other != "time"}
    _keep(current, roles)


def _keep(current: Work, roles: dict[str, str]) -> None:
    current.take_roles(roles)
    current.version += 1


def _picture(data: Dataset, outcome: str | None) -> None:
    """Up to three variables of a few subjects."""
    if smallest_cell():
        st.caption(f"{NO_PEOPLE} Their series were left out.")
        return
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
        format_func=full_name,
        max_selections=MOST_VARIABLES,
        key=widget_key("data", "long", "variables", id(work()), hash(tuple(names))),
        placeholder="up to three",
    )
    if variables:
        figure = series_figure(data, drawn, variables)
        show_figure(figure, "series", key=widget_key("data", "long", "series"), alt=series_alt(drawn, variables))


NO_COLUMN = "(none)"
_BOXES = {
    "group": ("Group", "Who is compared: a treatment, a hospital, a diagnosis. *Group differences* begins with it."),
    "outcome": ("Outcome", "What came of it, or the class: *Class networks* begins with it."),
    "weight": (
        "Weight",
        "How often each row counts: 0, 1, 2 and so on. A sampling weight with fractions is no count; leave it out.",
    ),
}
"""Role that one column can have -> what its box is called, and what it does."""


def show_roles() -> None:
    """Boxes for the roles, and the board of what was known when."""
    state, current = session(), work()
    if state.table is None:
        return
    proposals = current.proposals(state.table)
    for place, role in zip(st.columns(4), [*_BOXES, "identifier"], strict=True):
        with place:
            if role == "identifier":
                _identifiers(current, list(proposals))
            else:
                title, help_ = _BOXES[role]
                _role_box(
                    current,
                    list(proposals),
                    role,
                    widget_key("data", "roles", role, id(current), current.version),
                    title=title,
                    none=NO_COLUMN,
                    help=help_,
                    choose=partial(_assign, current, role),
                )
    guess = propose_group(
        {name: proposal.levels for name, proposal in proposals.items() if current.kind(proposal) != "ignore"}
    )
    if guess is not None and current.with_role("group") is None:
        st.caption(f"Without a group, *Group differences* begins with a guess: {plain(sentence_shown(guess[1]))}")
    st.caption("Which rows belong together (subject or cluster) and when each was taken (time) are asked above.")
    _order(current, proposals)


def _identifiers(current: Work, columns: Sequence[str]) -> None:
    """Columns that only tell rows apart; several can be."""
    now = [name for name, role in current.roles.items() if role == "identifier"]
    others = {name for name, role in current.roles.items() if role != "identifier"}
    key = widget_key("data", "roles", "identifier", id(current), current.version)
    st.multiselect(
        "Identifiers",
        list(dict.fromkeys([*(name for name in columns if name not in others), *now])),
        default=now,
        format_func=full_name,
        key=key,
        placeholder=NO_COLUMN,
        help="Numbers and names that only tell rows apart; they are kept beside the variables.",
        on_change=lambda: _take(current, "identifier", value_of(key)),
    )


def _assign(current: Work, role: str, column: str) -> None:
    """Let this column alone have a role, or none."""
    _take(current, role, [] if column == NO_COLUMN else [column])


def _take(current: Work, role: str, names: Sequence[str]) -> None:
    """Let these columns, and no others, have a role."""
    rest = {name: other for name, other in current.roles.items() if other != role}
    _keep(current, rest | dict.fromkeys(names, role))


def _order(current: Work, proposals: Mapping[str, Proposal]) -> None:
    """The board, what it does, and the tiers as a sentence."""
    st.markdown("**What was known before what**")
    st.caption(
        "Drag columns into the order of time, or move them with the arrows. In networks with arrows no arrow then runs "
        "from a later box to an earlier one; columns without a place may stand anywhere. An order is not a cause."
    )
    names = [name for name, proposal in proposals.items() if current.kind(proposal) != "ignore"]
    tiers = current.tiers
    counted = widget_key("data", "roles", "boxes", id(current))
    boxes = min(max(len(tiers), value_of(counted) or 3, 2), MOST_BOXES)
    arranged = current.boxed(names, boxes)
    moved = tiers_board(names, arranged, key=widget_key("data", "roles", "board", id(current)))
    if moved is not None and moved != arranged:
        current.keep_boxes(moved)
        st.rerun()
    first = [] if tiers else demographics(names, current.labels)
    rest = [name for name in names if name not in first]
    with st.container(horizontal=True, vertical_alignment="center"):
        if first and rest:
            st.button(
                f"{plain(listed(short(shown_names().get(name, name), 24) for name in first))} first",
                on_click=put_first,
                args=(first, rest),
                key=widget_key("data", "roles", "first"),
            )
        st.number_input("Boxes", 2, MOST_BOXES, boxes, key=counted, width=120)
        st.button(
            "Take all out",
            on_click=partial(current.keep_boxes, ()),
            disabled=not tiers,
            key=widget_key("data", "roles", "out"),
        )
        if tiers:
            text = " → ".join(listed(plain(short(full_name(name), 40)) for name in tier) for tier in tiers)
            more = "" if len(tiers) > 1 else " (one box alone is no order)"
            st.markdown(f":small[{text}{more}]", width="stretch")

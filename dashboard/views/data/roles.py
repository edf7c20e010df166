"""What columns are for, once for all methods: who is compared, what came of it, what was known before what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.network.tiers_board import MOST_BOXES, tiers_board
from dashboard.session.keys import value_of, widget_key
from dashboard.session.session import session
from dashboard.session.work import Work, work
from dashboard.text import plain, short
from engine.data import propose_group
from engine.words import listed

if TYPE_CHECKING:
    from engine.data import Proposal

NONE = "(none)"
ROLES = {
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
    for place, role in zip(st.columns(4), [*ROLES, "identifier"], strict=True):
        with place:
            if role == "identifier":
                _identifiers(current, list(proposals))
            else:
                _box(current, list(proposals), role)
    guess = propose_group(
        {name: proposal.levels for name, proposal in proposals.items() if current.kind(proposal) != "ignore"}
    )
    if guess is not None and current.with_role("group") is None:
        st.caption(f"Without a group, *Group differences* begins with a guess: {plain(guess[1])}")
    st.caption("Which rows belong together (subject or cluster) and when each was taken (time) are asked above.")
    _order(current, proposals)


def _box(current: Work, columns: Sequence[str], role: str) -> None:
    now = current.with_role(role)
    others = {name for name, other in current.roles.items() if other != role}
    present = [] if now is None else [now]  # a new column that cannot be made just now has its role all the same
    options = [NONE, *dict.fromkeys([*(name for name in columns if name not in others), *present])]
    key = widget_key("data", "roles", role, id(current), current.version)
    title, help_ = ROLES[role]
    st.selectbox(
        title,
        options,
        index=0 if now is None else options.index(now, 1),
        key=key,
        help=help_,
        on_change=lambda: _take(current, role, [] if value_of(key) == NONE else [value_of(key)]),
    )


def _identifiers(current: Work, columns: Sequence[str]) -> None:
    """Columns that only tell rows apart; several can be."""
    now = [name for name, role in current.roles.items() if role == "identifier"]
    others = {name for name, role in current.roles.items() if role != "identifier"}
    key = widget_key("data", "roles", "identifier", id(current), current.version)
    st.multiselect(
        "Identifiers",
        list(dict.fromkeys([*(name for name in columns if name not in others), *now])),
        default=now,
        key=key,
        placeholder=NONE,
        help="Numbers and names that only tell rows apart; they are kept beside the variables.",
        on_change=lambda: _take(current, "identifier", value_of(key)),
    )


def _take(current: Work, role: str, names: Sequence[str]) -> None:
    """Let these columns, and no others, have a role."""
    rest = {name: other for name, other in current.roles.items() if other != role}
    current.take_roles(rest | dict.fromkeys(names, role))
    current.version += 1


def _order(current: Work, proposals: Mapping[str, Proposal]) -> None:
    """The board, what it does, and the tiers as a sentence."""
    st.markdown("##### What was known before what")
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
    with st.container(horizontal=True, vertical_alignment="center"):
        st.number_input("Boxes", 2, MOST_BOXES, boxes, key=counted, width=120)
        st.button(
            "Take all out",
            on_click=partial(current.keep_boxes, ()),
            disabled=not tiers,
            key=widget_key("data", "roles", "out"),
        )
        if tiers:
            text = " → ".join(listed(plain(short(name, 30)) for name in tier) for tier in tiers)
            more = "" if len(tiers) > 1 else " (one box alone is no order)"
            st.markdown(f":small[{text}{more}]", width="stretch")

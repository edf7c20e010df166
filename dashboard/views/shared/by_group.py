"""The same question put to each group of the table by itself, beside the whole: results that are then compared."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.jobs.job_queue import method_key
from dashboard.pages import COMPARE, address
from dashboard.session.cards import MOST_GROUPS, group_name, parts_of, too_small
from dashboard.session.keys import drop_value, of_table, set_value, widget_key
from dashboard.session.labels import column_names, full_name, labelled, shown_names
from dashboard.session.masking import sentence_shown
from dashboard.session.session import session
from dashboard.session.work import work
from dashboard.text import plain, short
from dashboard.views.shared.running import await_job
from engine.data.preparing.roles import demographics, propose_group
from engine.methods.group_pair import control_first
from engine.words import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dashboard.pages import MethodPage
    from dashboard.session.cards import Card
    from dashboard.session.session import Analysis
    from engine import Dataset

LEFT, RIGHT = widget_key(COMPARE.slug, "first"), widget_key(COMPARE.slug, "second")
"""Keys of the two results that the page of comparisons shows."""
MOST_OTHERS = 3
"""Columns that are offered in place of the one that was guessed."""
_ITEMS = 3
"""Columns of the same three levels and more from which on they are items of one questionnaire."""


def choose_group(page: MethodPage, data: Dataset) -> str | None:
    """The column whose groups are asked one by one too, the one with the role of a group at first; None for none."""
    names = possible_groups(data)
    if not names:
        return None
    group = work().with_role("group")
    return st.selectbox(
        "Also by group",
        names,
        index=None if group is None or group not in names else names.index(group),
        placeholder="no",
        format_func=full_name,
        key=widget_key(page.slug, "by", of_table(data)),
        persist_state="session",
        help="Learns one more network for each group of this column, from its rows alone, and compares them.",
    )


def possible_groups(data: Dataset) -> list[str]:
    """The columns of few levels: one named like a group, an age or a sex, what has no order, then items."""
    names = [name for name in data.names if 1 < len(data.levels[name]) <= MOST_GROUPS]
    proposed, early = propose_group({name: data.levels[name] for name in names}), demographics(names, work().labels)
    first = [*early] if proposed is None or proposed[0] in early else [proposed[0]]
    return sorted(names, key=lambda name: (name not in first, name not in early, data.kinds[name] == "ordinal"))


def other_groups(data: Dataset, column: str) -> list[str]:
    """Columns that are offered in place of one that was guessed: names without order, no items of a questionnaire."""
    alike = Counter(data.levels[name] for name in data.names if len(data.levels[name]) > 2)
    names = [name for name in possible_groups(data) if name != column and data.kinds[name] == "nominal"]
    return [name for name in names if alike[data.levels[name]] < _ITEMS][:MOST_OTHERS]


def show_guess(why: str, data: Dataset, column: str, ask: Callable[[str], None], slug: str) -> None:
    """The line above an answer that says which column was guessed and why, and others to ask by, a press each."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        label = own_label(column)
        label = f" Its label: {label}." if label else ""
        st.caption(f"Column guessed: {plain(labelled(sentence_shown(why)))}{label}", width="content")
        for other in other_groups(data, column):
            words = f"By {plain(short(full_name(other), 24))}"
            own_key = widget_key(slug, "instead", of_table(data), other)
            st.button(words, type="tertiary", on_click=ask, args=(other,), key=own_key)


def own_label(column: str) -> str:
    """The label, quoted, of a column that is called by its name on the page; "" of any other."""
    label = "" if column in shown_names() else column_names().labels.get(column, "")
    return f"“{plain(short(label, 60))}”" if label and label != column else ""


def last_group(page: MethodPage) -> str | None:
    """The column whose groups were asked last."""
    asked: str | None = session().picked.get(_place(page.slug))
    return asked


def ask_groups(method: Any, data: Dataset, group: str | None) -> None:
    """Run the same settings on the rows of each group; what still runs of another press ends."""
    state = session()
    state.picked[_place(method.slug)] = group
    parts = {} if group is None else parts_of(data, group)
    method = _of_groups(method, group)
    state.leave_groups(method.slug, [method_key(method, part) for part in parts.values()])
    for name, part in parts.items():
        state.ask_group(method, part, name)


def _of_groups(method: Any, group: str | None) -> Any:
    """The settings of the groups: what is known says nothing of the column that parts them, which none of them has."""
    if group is None or not hasattr(method, "knowledge"):
        return method
    return replace(method, knowledge=method.knowledge.without([group]))


def show_groups(page: MethodPage, data: Dataset) -> None:
    """How far the groups' runs are, and the way to their comparison."""
    method = session().page(page.slug).method
    group = session().picked.get(_place(page.slug))
    if method is None or group is None or group not in data.names:
        return
    runs = runs_of(method, data, group)
    small = too_small(data, group)
    if not runs and not small:
        return
    words = f"**By group of {plain(group)}:** {plain(listed([run.group for run in runs]) or 'none')}."
    if small:
        words += f" Left out, with too few rows to be asked: {plain(listed(small))}."
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(words)
        _lay(page, runs)
    for run in runs:
        if run.job is not None:
            await_job(run.job)


def _lay(page: MethodPage, runs: Sequence[Analysis]) -> None:
    """The way to the comparison of all groups that there are, once none is computed any more."""
    cards = [card for run in runs if (card := session().cards.get(run.key)) is not None]
    if len(cards) < 2 or any(run.job is not None and run.job.active for run in runs):
        return
    if st.button("Compare these groups", icon=COMPARE.icon, type="primary", key=widget_key(page.slug, "groups")):
        compare(*cards[:2] if len(cards) == 2 else cards[:1])
        st.switch_page(address(COMPARE))


def runs_of(method: Any, data: Dataset, group: str) -> Sequence[Analysis]:
    """The runs on this very table, a control first; the table prepared otherwise has others."""
    method = _of_groups(method, group)
    result = {
        analysis.group: analysis
        for analysis in session().analyses
        if analysis.method == method
        and analysis.group
        and analysis.data is not None
        and analysis.data.whole == data.whole
    }
    return [result[name] for level in control_first(data, group) if (name := group_name(group, level)) in result]


def _place(slug: str) -> str:
    return f"{slug}.group"


def compare(first: Card, second: Card | None = None) -> None:
    """Let the page that compares show these when it is drawn next; of several groups it finds the others itself."""
    session().page(COMPARE.slug).opened = None
    set_value(LEFT, first.number)
    if second is None:
        drop_value(RIGHT)
    else:
        set_value(RIGHT, second.number)

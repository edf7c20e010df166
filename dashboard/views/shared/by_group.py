"""The same question put to each group of the table by itself, beside the whole: two results to lay side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.session.keys import of_table, widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.shared.running import await_job
from dashboard.views.shared.side_by_side import compare
from engine.project.groups import by_group
from engine.words import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dashboard.pages import MethodPage
    from dashboard.session.session import Analysis
    from engine.data.dataset import Dataset

MOST_GROUPS = 4
LEAST_ROWS = 2


def choose_group(page: MethodPage, data: Dataset) -> str | None:
    """The column whose groups are asked one by one too; None for none."""
    names = [name for name in data.names if 1 < len(data.levels[name]) <= MOST_GROUPS]
    if not names:
        return None
    return st.selectbox(
        "Also by group",
        names,
        index=None,
        placeholder="no",
        key=widget_key(page.slug, "by", of_table(data)),
        persist_state="session",
        help="Learns one more network for each group of this column, from its rows alone, to lay them side by side.",
    )


def ask_groups(method: Any, data: Dataset, group: str | None) -> None:
    """Run the same settings on the rows of each group."""
    kept = session().picked
    kept[_place(method.slug)] = group
    if group is None:
        return
    for level, part in by_group(data, group).items():
        if part.n_rows >= LEAST_ROWS:
            session().ask_beside(method, part, f"{group} = {level}")


def show_groups(page: MethodPage, data: Dataset) -> None:
    """How far the groups' runs are, and the way to their comparison."""
    asked = session().page(page.slug).asked
    group = session().picked.get(_place(page.slug))
    if asked is None or group is None or group not in data.names:
        return
    runs = _runs(asked, data, group)
    if not runs:
        return
    with st.container(border=True):
        st.markdown(f"**By group of {plain(group)}:** {plain(listed([one.group for one in runs]))}.")
        done = [await_job(one.job) for one in runs if one.job is not None]
        cards = [card for one in runs if (card := session().cards.get(one.key)) is not None]
        ready = len(cards) > 1 and all(one is not None for one in done)
        if ready and st.button("Lay them side by side", icon=":material/compare:", key=widget_key(page.slug, "groups")):
            compare(*cards[:2])
            st.switch_page("app_pages/results.py")


def _runs(asked: Any, data: Dataset, group: str) -> Sequence[Analysis]:
    names = {f"{group} = {level}" for level in data.levels[group]}
    return [one for one in session().analyses if one.method == asked and one.group in names]


def _place(slug: str) -> str:
    return f"{slug}.group"

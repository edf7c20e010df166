"""The page before there are two results: what is missing, and the one press that makes and compares them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.pages import COMPARE, address, method_page, method_pages
from dashboard.session.caches import cached
from dashboard.session.comparing import Comparisons
from dashboard.session.keys import has_value, of_table, widget_key
from dashboard.session.labels import full_name
from dashboard.session.session import session
from dashboard.session.work import work
from dashboard.text import plain, short
from dashboard.views.shared.analysis_page import proposed
from dashboard.views.shared.by_group import LEFT, ask_groups, compare, possible_groups, runs_of, show_guess
from dashboard.views.shared.running import AT_ONCE, await_job
from dashboard.views.shared.worked_example import show_example
from engine.methods.group_pair import likely_group, likely_group_why
from engine.text import Name, told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dashboard.pages import MethodPage
    from engine import Dataset
    from engine.methods.method import Method

QUESTION = "Which links differ between two networks?"


def learning_groups() -> bool:
    """Whether the groups that a press asked for are still being learned, which is drawn; then they are compared."""
    state, data = session().state(Comparisons), session().dataset
    if state.asked is None or data is None or state.asked[1] not in data.names:
        return False
    method, group = state.asked
    runs, place = runs_of(method, data, group), st.empty()
    place.title(QUESTION)
    for run in runs:
        if run.job is not None:
            await_job(run.job)
    if any(run.job is not None and run.job.active for run in runs):
        return True
    place.empty()
    session().collect()
    cards = [card for run in runs if (card := session().cards.get(run.key)) is not None]
    if len(cards) > 1:
        state.asked = None
        compare(*cards[:2] if len(cards) == 2 else cards[:1])  # of more the clearest two
    return False


def invite() -> None:
    """What the page is for, and where results come from; without a table its worked example."""
    data = session().dataset
    if data is None:
        show_example(
            COMPARE,
            "It opens on *Ordinal networks* and learns a network of each language: then press *Compare these groups*.",
        )
        return
    st.title(QUESTION)
    cards = [card for card in session().cards if card.slug != COMPARE.slug]
    if len(cards) > 1 and has_value(LEFT):  # B is a network from a file, and there is none yet
        st.markdown("Choose the file of a network on the left, or another result as B.")
    elif len(cards) > 1:
        if st.button("Compare the two latest results", key=widget_key(COMPARE.slug, "structure")):
            compare(cards[-1], cards[-2])
            st.rerun()
    elif cards:
        name = f"{method_page(cards[-1].slug).title}, {short(cards[-1].name(), 40)}"
        st.markdown(f"One result is there: **{plain(name)}**. A second one is missing.")
    else:
        st.markdown("Two results are needed, and there is none of this table yet.")
    _offer_groups(data)
    st.markdown("These pages make results; a network from a file will do too.")
    for page in method_pages():
        st.page_link(address(page), label=page.title, icon=page.icon)


def begin_at_once() -> bool:
    """Whether groups of the open table begin to be learned without a press: once a table, where that is quick."""
    data, state = session().dataset, session().state(Comparisons)
    if data is None or has_value(LEFT) or (state.begun is not None and state.begun[0] == data.fingerprint):
        return False
    names, known = possible_groups(data), _choose_method(data)
    if not names or known is None:
        return False
    method, group = known[1], _likely(data, names)
    if not session().has_time(method, data, AT_ONCE):  # that of the groups together: each has some of the rows
        return False
    state.begun, state.asked = (data.fingerprint, group), (method, group)
    ask_groups(method, data, group)
    return True


def _likely(data: Dataset, names: Sequence[str]) -> str:
    """The column whose groups are compared where nobody chose: that of Group differences, where it is among these."""
    likely = cached(data, likely_group)
    return likely if likely is not None and likely in names else names[0]


def _why(data: Dataset, group: str) -> str:
    """Why the groups of this column are compared."""
    likely, why = cached(data, likely_group_why)
    return why if likely == group else told("the groups of '{}' are compared.", Name(group))


def say_guess() -> None:
    """The column whose groups were learned without a press, and others to ask by, a press each."""
    data, state = session().dataset, session().state(Comparisons)
    if data is None or state.begun is None or state.begun[0] != data.fingerprint:
        return
    group, known = state.begun[1], _choose_method(data)
    if group == work().with_role("group") or known is None:
        return
    method = known[1]

    def ask(other: str) -> None:
        state.begun, state.asked = (data.fingerprint, other), (method, other)
        ask_groups(method, data, other)

    show_guess(_why(data, group), data, group, ask, COMPARE.slug)


def _offer_groups(data: Dataset) -> None:
    """One press learns a network of each group of a column and compares them."""
    names, known = possible_groups(data), _choose_method(data)
    if not names or known is None:
        return
    page, method = known
    with st.container(border=True, horizontal=True, vertical_alignment="bottom"):
        group = st.selectbox(
            "Groups",
            names,
            index=names.index(_likely(data, names)),
            format_func=full_name,
            key=widget_key(COMPARE.slug, "by", of_table(data)),
            width=260,
        )
        if st.button("Compare these groups", icon=COMPARE.icon, type="primary", key=widget_key(COMPARE.slug, "ask")):
            session().state(Comparisons).asked = (method, group)
            ask_groups(method, data, group)
            st.rerun()
        st.caption(f"Learns one network of each group on its rows alone ({page.title.lower()}), then tests every link.")


def _choose_method(data: Dataset) -> tuple[MethodPage, Method] | None:
    """The method that suits the table, as the latest result of it was asked; None where no method does."""
    kinds = list(data.kinds.values())
    pages = [page for page in method_pages() if page.groups and page.fits(data)]
    if kinds.count("ordinal") > kinds.count("nominal"):  # the last of the registry uses the order of steps
        pages.reverse()
    if not pages:
        return None
    for card in reversed(list(session().cards)):
        if card.slug == pages[0].slug and card.data is not None and card.data.whole == data.whole:
            return pages[0], card.result.method
    return pages[0], pages[0].method(**proposed(pages[0], data))

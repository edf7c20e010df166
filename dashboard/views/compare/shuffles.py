"""Every network learned again in shuffles of the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.pages import COMPARE
from dashboard.session.comparing import Comparisons, begin_batch, seconds_of
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.shared.running import POLL_SECONDS, show_bar
from engine.methods.cost import about
from engine.methods.result import Result
from engine.telling.comparison.wording import permuted
from engine.words import count, duration

if TYPE_CHECKING:
    from collections.abc import Hashable

    from dashboard.session.comparing import Shuffling
    from dashboard.views.compare.request import ComparisonRequest

RUNS = (20, 100, 200, 500)


def can_shuffle(request: ComparisonRequest) -> bool:
    """Whether every network can be learned again from rows that are at hand."""
    return len(request.parts) == len(request.result.answers) and all(
        isinstance(answer, Result) for answer in request.result.answers
    )


def _continue(request: ComparisonRequest) -> None:
    """The next batch, as long as more are wanted than there are."""
    shuffling = _shuffling(request.key)
    if shuffling.job is None and shuffling.done < shuffling.wanted:
        begin_batch(session(), request.key, request.result, request.parts)


def show_shuffles(request: ComparisonRequest) -> None:
    """The second opinion: what it costs, how far it is, what it has found so far."""
    with st.expander("Whole networks: permutation test with every network learned again"):
        if not can_shuffle(request):
            st.caption("It needs the rows of every group. Open their table to have them.")
            return
        result, shuffling = request.result, _shuffling(request.key)
        st.caption(
            "Group labels are shuffled and both networks are learned again, many times. It takes long "
            "and finds less than the test above; it shows that the test does not depend on the search. Links, sums and "
            "nodes are tested so."
        )
        if result.shuffles is not None:
            st.markdown(plain(permuted(result)))
        _continue(request)
        if shuffling.job is not None:
            _follow(request.key)
            return
        with st.container(horizontal=True, vertical_alignment="bottom"):
            runs = int(st.selectbox("Permutations", RUNS, index=1, key=widget_key(COMPARE.slug, "runs"), width=140))
            cost = about(seconds_of(runs, result, request.cards, request.parts))
            more = "more" if result.shuffles is not None else ""
            if st.button(f"Run {runs} {more}: {cost}".replace(" :", ":"), key=widget_key(COMPARE.slug, "again")):
                shuffling.want(runs)
                st.rerun()


def _shuffling(key: Hashable) -> Shuffling:
    return session().state(Comparisons).shuffles(key)


@st.fragment(run_every=POLL_SECONDS)
def _follow(key: Hashable) -> None:
    shuffling = _shuffling(key)
    job = shuffling.job
    if job is None or not job.active:
        st.rerun()
    words = plain(progress_words(key, shuffling))
    if show_bar(shuffling.fraction, words, widget_key(COMPARE.slug, "cancel")):
        job.cancel()
        st.rerun()


def progress_words(key: Hashable, shuffling: Shuffling) -> str:
    """How far it is, what has come of it so far, and how long it may still take."""
    if shuffling.job is not None and shuffling.job.state == "queued":
        return "Waiting for a free processor"
    words = f"{shuffling.ready:,} of {count(shuffling.wanted, 'permutation')}"
    state = session().state(Comparisons).results[key].shuffles
    if state is not None:
        words += f"; so far {int(state.reached[0])} of {state.many} had as large a difference"
    left = shuffling.seconds_left
    return words if left is None else f"{words}; about {duration(left)} left"

"""What two searches share beside what random halves would, and every network learned again in shuffles of the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.pages import COMPARE
from dashboard.session.comparing import BATCH, Comparisons, begin_batch, is_quick, seconds_of
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.shared.running import POLL_SECONDS
from engine.methods.method import about
from engine.methods.result import Result
from engine.words import count, duration

if TYPE_CHECKING:
    from collections.abc import Hashable

    from dashboard.session.comparing import Shuffling
    from dashboard.views.compare.asked import Asked

RUNS = (20, 100, 200, 500)


def show_shared(asked: Asked) -> None:
    """How many links two searches share, with what two random halves of the table share."""
    result = asked.found
    if len(result.labels) == 2:
        st.markdown(plain(result.sentences()[-1]))
    if can_shuffle(asked):
        begin_quietly(asked)
        _continue(asked)
        if _shuffling(asked.key).job is not None and not _shuffling(asked.key).pressed:
            _follow(asked.key)


def can_shuffle(asked: Asked) -> bool:
    """Whether every network can be learned again from rows that are at hand."""
    return len(asked.parts) == len(asked.found.answers) and all(
        isinstance(answer, Result) for answer in asked.found.answers
    )


def begin_quietly(asked: Asked) -> None:
    """The first batch begins by itself where it is quick."""
    shuffling = _shuffling(asked.key)
    if shuffling.done or shuffling.wanted or shuffling.stopped:
        return
    if is_quick(asked.found, asked.cards, asked.parts):
        shuffling.wanted = BATCH


def _continue(asked: Asked) -> None:
    """The next batch, as long as more are wanted than there are."""
    shuffling = _shuffling(asked.key)
    if shuffling.job is None and shuffling.done < shuffling.wanted:
        begin_batch(session(), asked.key, asked.found, asked.parts)


def show_shuffles(asked: Asked) -> None:
    """The second opinion: what it costs, how far it is, what it has found so far."""
    with st.expander("Permutation test with every network learned again"):
        if not can_shuffle(asked):
            st.caption("It needs the rows of every group. Open their table to have them.")
            return
        result, shuffling = asked.found, _shuffling(asked.key)
        st.caption(
            "Rows are dealt to the groups at random and both networks are learned again, many times. It takes long "
            "and finds less than the test above; it shows that the test does not depend on the search."
        )
        if result.shuffles is not None:
            st.markdown(plain(result.sentences()[2]))
        if shuffling.pressed and shuffling.job is not None:
            _follow(asked.key)
            return
        with st.container(horizontal=True, vertical_alignment="bottom"):
            runs = int(st.selectbox("Permutations", RUNS, index=1, key=widget_key(COMPARE.slug, "runs"), width=140))
            cost = about(seconds_of(runs, result, asked.cards, asked.parts))
            more = "more" if result.shuffles is not None else ""
            if st.button(f"Run {runs} {more}: {cost}".replace(" :", ":"), key=widget_key(COMPARE.slug, "again")):
                shuffling.want(runs)
                _continue(asked)
                st.rerun()


def _shuffling(key: Hashable) -> Shuffling:
    return session().state(Comparisons).shuffles(key)


@st.fragment(run_every=POLL_SECONDS)
def _follow(key: Hashable) -> None:
    shuffling = _shuffling(key)
    job = shuffling.job
    if job is None or not job.active:
        st.rerun()
    bar, button = st.columns([6, 1], vertical_alignment="center")
    bar.progress(shuffling.fraction, text=plain(standing_of(key, shuffling)))
    if button.button("Cancel", key=widget_key(COMPARE.slug, "cancel"), width="stretch"):
        shuffling.stopped = True
        job.cancel()
        st.rerun()


def standing_of(key: Hashable, shuffling: Shuffling) -> str:
    """How far it is, what has come of it so far, and how long it may still take."""
    if shuffling.job is not None and shuffling.job.state == "queued":
        return "Waiting for a free processor"
    words = f"{shuffling.made:,} of {count(shuffling.wanted, 'permutation')}"
    state = session().state(Comparisons).found[key].shuffles
    if state is not None:
        words += f"; so far {int(state.reached[0])} of {state.many} had as large a difference"
    left = shuffling.seconds_left
    return words if left is None else f"{words}; about {duration(left)} left"

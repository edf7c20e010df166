"""A job on a page: progress, time left, cancel; and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.session.masking import sentence_shown
from dashboard.session.session import session
from dashboard.text import capital, place_of_rows, plain
from engine import DiptychError
from engine.methods.cost import about
from engine.words import duration

if TYPE_CHECKING:
    from dashboard.jobs.runner import Job
    from engine.data.dataset import Dataset

BY_ITSELF = 120.0
"""Seconds of one core that are computed beside an answer without anybody having asked for it."""

AT_ONCE, CHANGED_AT_ONCE = 10.0, 3.0
"""Seconds of one core up to which a page that is opened answers without a press, and one whose settings change."""

_waited_for: WeakSet[Job] = WeakSet()

POLL_SECONDS = 0.5
PATIENCE = 0.4
"""Seconds that a page waits for a job before it shows a progress bar instead."""


def await_job(job: Job, patience: float = PATIENCE) -> Any | None:
    """The job's result when it is done within moments; otherwise draw where it stands and return None.

    While it runs, a fragment polls it and ends with one full rerun of the page.
    """
    if job.active and job not in _waited_for:
        _waited_for.add(job)  # once: a page that is drawn again while a job runs shows its bar at once
        job.wait(patience)
    if job.state == "done":
        return job.result
    show_job(job)
    return None


def start_on_press(pressed: bool, key: Hashable, function: Callable[..., Any], *args: Any) -> Any | None:
    """What a job gives that a press starts; None before it is done, with how far it is on screen."""
    job_queue = session().job_queue
    if pressed:
        job_queue.start(key, function, *args)
    job = job_queue.get(key)
    return None if job is None else await_job(job)


def in_background(key: Hashable, function: Callable[..., Any], *args: Any) -> Any | None:
    """What a job gives that begins by itself and ends with the page; None until then, with how far it is on screen."""
    return await_job(session().quietly(key, function, *args), patience=0)


def refuse_remote(what: str, call: Any, data: Dataset) -> bool:
    """Whether a method's call looks at rows one by one and those of the table are only counted; said in a caption.

    Parameters
    ----------
    what : is to be done, as the subject of a sentence
    call : a method's own, bound to it
    data : the table
    """
    if data.in_memory or call.__name__ in call.__self__.counts_only:
        return False
    where = place_of_rows(data.store.where)
    st.caption(f"{what} needs the rows one by one, and those of this table are {where}. Open a sample instead.")
    return True


def computed_here(answer: Any) -> bool:
    """Whether this session has computed the answer for its page, rather than opened it again or read it from a file."""
    analysis = session().answered(answer.slug)
    return analysis is not None and analysis.result is answer and analysis.job is not None


def follow_together(jobs: Sequence[Job]) -> None:
    """Draw jobs that begin by themselves; the page is drawn once more, when the last of them has ended.

    Parameters
    ----------
    jobs : of which no answer is on the page yet
    """
    if any(job.active for job in jobs):
        _follow(*jobs)
    elif any(job.state == "done" for job in jobs):
        st.rerun()  # it ended while the page was drawn, whose sentences stand above
    for job in jobs:
        if not job.active:
            show_job(job)


def may_begin(key: Hashable, seconds: float, label: str) -> bool:
    """Whether a job of `in_background` may begin: a short one by itself, a long one once its button was pressed.

    Parameters
    ----------
    key : of the job
    seconds : about how long it takes
    label : what the button says
    """
    if seconds <= BY_ITSELF or session().job_queue.get(key) is not None:
        return True
    return st.button(f"{label}: {about(seconds)}", key=widget_key("begin", label), icon=":material/hourglass_empty:")


def compute_here(function: Callable[[], Any]) -> Any | None:
    """What a quick function gives, worked out in the page; what it refuses is said there, and None given."""
    try:
        return function()
    except DiptychError as error:
        st.error(plain(sentence_shown(str(error))), icon=":material/error:")
        return None


def show_job(job: Job) -> None:
    """Draw a job: a bar with a cancel button while it is active, a sentence when it ended otherwise."""
    if job.active:
        _follow(job)
    elif job.state == "failed":
        st.error(plain(sentence_shown(job.error or "")), icon=":material/error:")
    elif job.state == "cancelled":
        st.info("Stopped. Nothing was changed; start it again when you like.", icon=":material/cancel:")


@st.fragment(run_every=POLL_SECONDS)
def _follow(*jobs: Job) -> None:
    if not any(job.active for job in jobs):
        st.rerun()
    for job in jobs:
        if job.active and show_bar(job.fraction, plain(capital(job_words(job))), widget_key("cancel", id(job))):
            job.cancel()
            st.rerun()


def show_bar(fraction: float, words: str, key: str) -> bool:
    """How far something is, with a button beside it; whether that was pressed to cancel it."""
    bar, button = st.columns([6, 1], vertical_alignment="center")
    bar.progress(fraction, text=words)
    return button.button("Cancel", key=key, width="stretch")


def job_words(job: Job) -> str:
    """One line: what is being done, for how long, and how long it may still take."""
    if job.state == "queued":
        place = job.queue_position or 1
        text = "next" if place == 1 else f"number {place}"
        return f"Waiting for a free processor: {text} in the queue"
    words = capital(job.words or "starting")
    return f"{words} ({duration(job.elapsed)} elapsed{time_left(job.seconds_left)})"


def time_left(seconds: float | None) -> str:
    """How long something may still take, after how long it has taken; "" where nobody knows, or it is a moment."""
    return "" if seconds is None or seconds < 1 else f", about {duration(seconds)} left"

"""A job on a page: progress, time left, cancel; and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.text import plain
from engine.words import duration

if TYPE_CHECKING:
    from dashboard.jobs.runner import Job

POLL_SECONDS = 0.5


def await_job(job: Job) -> Any | None:
    """The job's result when it is done; otherwise draw where it stands and return None.

    While it runs, a fragment polls it and ends with one full rerun of the page.
    """
    if job.state == "done":
        return job.result
    show_job(job)
    return None


def show_job(job: Job) -> None:
    """Draw a job: a bar with a cancel button while it is active, a sentence when it ended otherwise."""
    if job.active:
        _follow(job)
    elif job.state == "failed":
        st.error(plain(job.error), icon=":material/error:")
    elif job.state == "cancelled":
        st.info("Stopped. Nothing was changed; start it again when you like.", icon=":material/cancel:")


@st.fragment(run_every=POLL_SECONDS)
def _follow(job: Job) -> None:
    if not job.active:
        st.rerun()
    bar, button = st.columns([6, 1], vertical_alignment="center")
    bar.progress(job.fraction, text=plain(standing(job)))
    if button.button("Cancel", key=f"cancel-{id(job)}", width="stretch"):
        job.cancel()
        st.rerun()


def standing(job: Job) -> str:
    """One line: what is being done, for how long, and how long it may still take."""
    if job.state == "queued":
        place = job.queue_position or 1
        before = "next" if place == 1 else f"number {place}"
        return f"Waiting for a free processor: {before} in the queue"
    words = job.words or "starting"
    left = job.seconds_left
    rest = "" if left is None else f", about {duration(left)} left"
    return f"{words} ({duration(job.elapsed)}{rest})"

"""The same try with many seeds: a mean with its interval, every run as a dot, and one curve of them all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts.trial import runs_figure
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.evaluate.curve import Line, show_curve
from dashboard.views.evaluate.try_said import show_said
from dashboard.views.shared.downloads import download_table, show_figure
from dashboard.views.shared.running import await_job
from engine.evaluation.trials.repeat import repeat

if TYPE_CHECKING:
    from engine.evaluation.trials.outcome import Trial
    from engine.evaluation.trials.repeat import Repeated

TIMES = (10, 20, 50, 100)


def show_repeat(trial: Trial, method: Any, second: str | None) -> None:
    """The button, the job, and what came out."""
    key = widget_key("evaluate", "try", trial.slug, "repeat")
    st.markdown("##### Once is chance: the same again")
    st.markdown(
        "One try says little. Each run draws another truth and other rows; the first is the one above (seed "
        f"{trial.seed})."
    )
    left, right = st.columns([2, 3], vertical_alignment="bottom", gap="medium")
    with left:
        times = st.select_slider("Runs", TIMES, value=20, key=widget_key(key, "times"))
    name = ("try again", times, repr(trial), repr(method), second)
    with right:
        pressed = st.button(f"Repeat {times} times", key=widget_key(key, "start"), icon=":material/repeat:")
    job_queue = session().job_queue
    if pressed:
        job_queue.start(name, repeat, trial, method, second, times, 1)
    job = job_queue.get(name)
    repeated = None if job is None else await_job(job)
    if repeated is not None:
        _show(repeated, key)


def _show(repeated: Repeated, key: str) -> None:
    st.markdown(f"#### {plain(repeated.headline())}")
    trial = repeated.trial
    show_said(trial, repeated.said_words(), repeated.as_said(), "runs", f"try-{trial.slug}-runs")
    if repeated.has_curve:
        st.markdown(plain(repeated.spread()))
        show_figure(
            runs_figure(repeated),
            f"try-{repeated.trial.slug}-runs",
            alt=repeated.headline(),
            key=widget_key(key, "runs"),
        )
        st.markdown("##### All runs as one")
        st.caption(
            f"The {repeated.trial.items.many} of all runs on one curve. The interval draws whole runs again "
            "(bootstrap), since those of one run belong together."
        )
        lines = [
            Line(
                name,
                pooled.scores,
                pooled.truth,
                repeated.units[number],
                repeated.usual[number],
                clusters=pooled.block,
                interval=repeated.intervals[number],
            )
            for number, (name, pooled) in enumerate(
                (name, repeated.pooled(number)) for number, name in enumerate(repeated.names)
            )
        ]
        show_curve(lines, widget_key(key, "curve"), repeated.trial.items, stem=f"try-{repeated.trial.slug}-pooled")
    with st.expander(f"The {len(repeated.runs)} runs as a table"):
        table = repeated.table()
        st.dataframe(table, hide_index=True)
        download_table(table, f"try-{repeated.trial.slug}-runs")

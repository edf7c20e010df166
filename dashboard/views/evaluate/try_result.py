"""One try on screen: the answer in a sentence, truth beside result, the curve, every item, and many seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts.curve import alarms_figure, runs_figure
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.evaluate.curve import Line, show_curve
from dashboard.views.evaluate.try_networks import show_networks
from dashboard.views.shared.downloads import download, download_table, file_name, show_figure
from dashboard.views.shared.running import await_job
from engine.evaluation.trials.outcome import script
from engine.evaluation.trials.repeat import repeat
from engine.evaluation.trials.verdict_counts import in_words

if TYPE_CHECKING:
    import pandas as pd

    from engine.evaluation.trials.outcome import Outcome, Trial
    from engine.evaluation.trials.repeat import Repeated

TIMES = (10, 20, 50, 100)


def show_outcome(trial: Trial, method: Any, second: str | None, outcome: Outcome) -> None:
    """Everything below the choices."""
    key = widget_key("evaluate", "try", trial.slug)
    st.markdown(f"#### {plain(outcome.headline())}")
    show_verdicts(trial, outcome.claims_sentence(), outcome.claim_counts(), trial.drawn_together, f"try-{trial.slug}")
    if outcome.called_sentence():
        st.markdown(plain(outcome.called_sentence()))
    st.caption(plain(outcome.remark))
    if outcome.pictures:
        show_networks(outcome, key)
    if outcome.has_curve:
        st.markdown("##### How well the scores tell them apart")
        lines = [
            Line(score.name, score.values, outcome.truth, score.unit, score.usual, outcome.clusters)
            for score in outcome.scores
        ]
        show_curve(lines, widget_key(key, "curve"), outcome.trial.items, stem=f"try-{trial.slug}")
    else:
        _show_alarms(outcome)
    _show_items(outcome)
    show_repeat(trial, method, second)
    with st.expander("The script behind it"):
        source = script(trial, method, second)
        st.code(source, language="python")
        download(source, file_name(f"try-{trial.slug}", "py"), "text/x-python", "Python")


def _show_alarms(outcome: Outcome) -> None:
    """No cases, so no curve: what is called all the same."""
    items = outcome.trial.items
    if outcome.truth.any() or not len(outcome.truth):
        return
    st.markdown("##### False alarms")
    st.markdown(
        f"There is no curve: it needs {items.case} {items.many}, and the truth has none. What can be seen is the false "
        f"alarms, here those {items.many} that the method calls {items.case} all the same."
    )
    figure = alarms_figure(outcome)
    alt = f"Scores of {len(outcome.truth)} {items.many}, highest first; {len(outcome.called.nonzero()[0])} are called."
    show_figure(
        figure,
        f"try-{outcome.trial.slug}-false-alarms",
        alt=alt,
        key=widget_key("evaluate", "try", outcome.trial.slug, "alarms"),
    )


def _show_items(outcome: Outcome) -> None:
    """Every item with truth, scores and ranks."""
    items = outcome.trial.items
    table = outcome.table().rename(columns={"truth": items.case, "called": "called by the method"})
    with st.expander(f"All {len(table):,} {items.many} with truth, score and rank"):
        number, check = st.column_config.NumberColumn, st.column_config.CheckboxColumn
        formats: dict[str, Any] = {score.name: number(format="%.3g", help=score.unit) for score in outcome.scores}
        formats |= {items.case: check(), "called by the method": check()}
        st.dataframe(table, hide_index=True, column_config=formats, height=min(420, 38 + 35 * len(table)))
        download_table(table, f"try-{outcome.trial.slug}-items")


def show_verdicts(trial: Trial, sentence: str, table: pd.DataFrame, whole: str, key: str) -> None:
    """What is said of the items, counted by truth: the sentence with the table under it; nothing without verdicts.

    `whole` is what the intervals draw again as a whole ("runs"), empty where each item stands by itself.
    """
    if table.empty:
        return
    st.markdown("##### As said")
    st.markdown(plain(sentence))
    left, right = st.columns([1, 1], gap="medium")
    with left:
        st.dataframe(
            in_words(table, (trial.items.case, trial.items.other)),
            hide_index=True,
            alt=f"What is said of {trial.items.case} and of {trial.items.other} {trial.items.many}",
        )
    with right:
        st.caption(plain(verdicts_note(trial, whole)))
        download_table(table, f"{key}-as-said")


def verdicts_note(trial: Trial, whole: str) -> str:
    """How to read the table."""
    drawn = f"whole {whole} drawn again" if whole else f"each {trial.items.one} by itself"
    note = f" {trial.claims_note}" if trial.claims_note else ""
    return (
        f"These are the verdicts that the method's own page shows. {trial.case_words} is false of what is "
        f'{trial.items.other}; "cannot tell" is never false.{note} In brackets: 95 % interval, {drawn}.'
    )


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
    desk = session().job_queue
    if pressed:
        desk.start(name, repeat, trial, method, second, times, 1)
    job = desk.get(name)
    repeated = None if job is None else await_job(job)
    if repeated is not None:
        _show_repeated(repeated, key)


def _show_repeated(repeated: Repeated, key: str) -> None:
    st.markdown(f"#### {plain(repeated.headline())}")
    trial = repeated.trial
    show_verdicts(trial, repeated.claims_sentence(), repeated.claim_counts(), "runs", f"try-{trial.slug}-runs")
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
            for number, name in enumerate(repeated.names)
            for pooled in [repeated.pooled(number)]
        ]
        show_curve(lines, widget_key(key, "curve"), repeated.trial.items, stem=f"try-{repeated.trial.slug}-pooled")
    with st.expander(f"The {len(repeated.runs)} runs as a table"):
        table = repeated.table()
        st.dataframe(table, hide_index=True)
        download_table(table, f"try-{repeated.trial.slug}-runs")

"""One try on screen: the answer in a sentence, truth beside found, the curve, every item, and the same again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts.trial import alarms_figure
from dashboard.session.keys import widget_key
from dashboard.text import plain
from dashboard.views.evaluate.curve import Line, show_curve
from dashboard.views.evaluate.try_networks import show_networks
from dashboard.views.evaluate.try_repeat import show_repeat
from dashboard.views.evaluate.try_said import show_said
from dashboard.views.shared.downloads import download, download_table, file_name, show_figure
from engine.evaluation.trials.outcome import script

if TYPE_CHECKING:
    from engine.evaluation.trials.outcome import Outcome, Trial


def show_outcome(trial: Trial, method: Any, second: str | None, outcome: Outcome) -> None:
    """Everything below the choices."""
    key = widget_key("evaluate", "try", trial.slug)
    st.markdown(f"#### {plain(outcome.headline())}")
    show_said(trial, outcome.said_words(), outcome.as_said(), trial.together, f"try-{trial.slug}")
    if outcome.own_words():
        st.markdown(plain(outcome.own_words()))
    st.caption(plain(outcome.remark))
    if outcome.pictures:
        show_networks(outcome, key)
    if outcome.has_curve:
        st.markdown("##### How well the scores tell them apart")
        show_curve(lines_of(outcome), widget_key(key, "curve"), outcome.trial.items, stem=f"try-{trial.slug}")
    else:
        _show_alarms(outcome)
    _show_items(outcome)
    show_repeat(trial, method, second)
    with st.expander("The script behind it"):
        source = script(trial, method, second)
        st.code(source, language="python")
        download(source, file_name(f"try-{trial.slug}", "py"), "text/x-python", "Python")


def lines_of(outcome: Outcome) -> list[Line]:
    """The scores as the curve wants them."""
    return [
        Line(score.name, score.values, outcome.truth, score.unit, score.usual, outcome.clusters)
        for score in outcome.scores
    ]


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

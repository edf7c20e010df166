"""How sure each link is: the rows drawn again many times, and how often it comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.jobs.job_queue import method_key
from dashboard.session.keys import widget_key
from dashboard.text import plain, short, visible
from dashboard.views.shared.downloads import show_figure, show_with_file
from dashboard.views.shared.running import refuse_remote, start_on_press
from engine.methods.log_linear.method import least_stable
from engine.methods.log_linear.result import SLUG
from engine.telling.charts.recurrence import stability_figure
from engine.words import count, in_percent

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset
    from engine.methods.log_linear.method import LogLinear
    from engine.methods.log_linear.result import LogLinearResult

RUNS = (50, 100, 200, 500)
MOST_LINKS = 40
SAFE = 0.9


def show_stability(result: LogLinearResult, data: Dataset) -> None:
    """One press draws the rows again; a bar a link, with its interval."""
    if refuse_remote("Resampling", result.method.stability, data):
        return
    st.markdown(
        f"{drawn_words(data)} resampled with replacement (bootstrap), and the search is repeated. A link that "
        "comes back nearly every time does not depend on a few rows. The interval is for the share itself, 95 %."
    )
    if given := given_words(result.method):
        st.caption(given)
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    runs = left.select_slider("Times", RUNS, value=100, key=widget_key(SLUG, "runs"), persist_state="session")
    pressed = right.button("Resample the rows", key=widget_key(SLUG, "stability"), icon=":material/casino:")
    key = ("stability", runs, *method_key(result.method, data))
    table = start_on_press(pressed, key, result.method.stability, data, runs)
    if table is not None:
        _show(table, runs)


def drawn_words(data: Dataset) -> str:
    """What is drawn: rows, or the subjects that they belong to."""
    return "Rows are" if data.clusters is None else "Whole subjects, with all their rows, are"


def given_words(method: LogLinear) -> str:
    """Which shares say less than they seem to."""
    words = []
    if method.start:
        words.append("Each sample is searched from no link at all, not from the links that this search started from.")
    if forced := len(method.forced):
        words.append(f"{count(forced, 'forced link comes', 'forced links come')} back every time, by your demand.")
    return " ".join(words)


def _show(table: pd.DataFrame, runs: int) -> None:
    st.markdown(stability_words(table, runs))
    rows = stability_rows(table)
    if len(rows):
        show_figure(
            stability_figure(rows),
            "stability",
            alt="; ".join(
                f"{short(row['a'], 30)} - {short(row['b'], 30)} {in_percent(row['share'])}"
                for _, row in rows.iterrows()
            ),
            key=widget_key(SLUG, "stability", "chart"),
        )
    display = table.rename(columns={"in_model": "in the model"})
    percent = st.column_config.NumberColumn(format="percent")
    with st.expander(f"All {len(table)} links that ever came, as a table"):
        show_with_file(display, "stability", column_config=dict.fromkeys(("share", "low", "high"), percent))


def stability_words(table: pd.DataFrame, runs: int) -> str:
    """How many links are safe, and which is the least so."""
    model = table[table["in_model"]]
    if not len(model):
        return f"The model has no link; {len(table)} came at least once in {runs} bootstrap samples."
    safe = len(model[model["share"] >= SAFE])
    words = (
        f"**{safe} of the {len(model)} links come back in at least {in_percent(SAFE)} of {runs} bootstrap samples.**"
    )
    weakest = least_stable(table)
    if weakest["share"] < SAFE:
        words += (
            f" The least sure: {plain(visible(weakest['a']))} - {plain(visible(weakest['b']))}, "
            f"{in_percent(weakest['share'])} "
            f"({in_percent(weakest['low'])} to {in_percent(weakest['high'])})."
        )
    rivals = table[~table["in_model"] & (table["share"] >= 0.5)]
    if len(rivals):
        words += f" {count(len(rivals), 'link outside the model comes', 'links outside the model come')} in half of "
        words += "them or more."
    return words


def stability_rows(table: pd.DataFrame) -> pd.DataFrame:
    """The rows worth a bar: the least sure links of the model, then the strongest outside it."""
    model, rest = table[table["in_model"]], table[~table["in_model"]]
    inside = model.tail(MOST_LINKS)
    outside = rest.head(min(8, MOST_LINKS))
    return table.loc[[*inside.index, *outside.index]].reset_index(drop=True)

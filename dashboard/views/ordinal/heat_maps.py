"""Several approaches on the same bootstrap samples: a heat map of arrows each, items in one order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.jobs.job_queue import method_key
from dashboard.session.keys import widget_key
from dashboard.views.ordinal.compare_approaches import called, second_method, show_second_approach
from dashboard.views.ordinal.stability import RUNS, order_of
from dashboard.views.shared.downloads import show_figure
from dashboard.views.shared.running import start_on_press
from engine.methods.cost import WORTH_SECONDS, Size, about
from engine.methods.ordinal.approaches import resample_approaches, seconds_of_approaches, shares_by_approach
from engine.methods.ordinal.result import SLUG
from engine.methods.ordinal.settings import APPROACHES
from engine.telling.ordinal.figures.tables import approach_shares_figure
from engine.words import count, listed

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.ordinal.method import Ordinal
    from engine.methods.ordinal.result import OrdinalResult

OF_THE_PAPER = ("osem", "bic", "bde", "bge")
MOST_ITEMS = 40
"""Items up to which heat maps are legible beside each other."""


def show_approaches(result: OrdinalResult, data: Dataset) -> None:
    """Two networks, then the shares of arrows of several approaches."""
    show_second_approach(result, data)
    if len(result.names) <= MOST_ITEMS:
        _show_heat_maps(result, data)


def own_settings(method: Ordinal, approach: str) -> Ordinal:
    """Those of the page; of the Gaussian BIC hill climbing at penalty 1, as in the paper's Figure S11."""
    same = second_method(method, approach)
    return replace(same, penalty=1.0, search="hill_climbing") if approach == "bic" != method.approach else same


def _show_heat_maps(result: OrdinalResult, data: Dataset) -> None:
    """The choice, the job, the figure."""
    st.markdown("**Which arrows return, approach by approach**")
    left, middle, right = st.columns([5, 3, 2], vertical_alignment="bottom", gap="medium")
    approaches = left.multiselect(
        "Approaches",
        list(APPROACHES),
        default=list(OF_THE_PAPER),
        format_func=APPROACHES.__getitem__,
        key=widget_key(SLUG, "heat", "approaches"),
    )
    runs = middle.select_slider("Bootstrap samples", RUNS, value=50, key=widget_key(SLUG, "heat", "runs"))
    methods = {approach: own_settings(result.method, approach) for approach in approaches}
    seconds = seconds_of_approaches(methods, Size.of(data), runs)
    pressed = right.button(
        "Draw" if seconds < WORTH_SECONDS else f"Draw: {about(seconds)}",
        key=widget_key(SLUG, "heat"),
        icon=":material/grid_on:",
        disabled=len(approaches) < 2,
    )
    key = ("heat", tuple(approaches), runs, *method_key(result.method, data))
    strengths = start_on_press(pressed, key, resample_approaches, methods, data, runs)
    if strengths is None:
        st.caption(
            "Every approach learns from the same bootstrap samples; a cell is the share of its networks with an arrow "
            "from the row to the column."
        )
        return
    order, breaks = order_of(result)
    shares = {called(name): strength.directed_shares for name, strength in strengths.items()}
    show_figure(
        approach_shares_figure(shares, result.names, order, breaks),
        "approaches",
        alt=f"Shares of {count(runs, 'network')} with each arrow, of {listed(list(shares))}.",
        key=widget_key(SLUG, "heat", "chart"),
        table=shares_by_approach(strengths),
    )
    st.caption(
        f"Of {count(runs, 'network')} each, in percent; a line counts a half each way. The Gaussian BIC climbs at "
        "penalty 1, as in the paper's Figure S11."
    )

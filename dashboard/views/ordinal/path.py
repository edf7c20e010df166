"""What another penalty (or alpha, or prior) would give: links, distance, loss on rows held out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts.ordinal import path_figure
from dashboard.jobs.job_queue import method_key
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.views.shared.downloads import show_figure
from dashboard.views.shared.running import await_job
from engine.methods.ordinal.held_out_loss import tuning
from engine.methods.ordinal.method import PENALTIES
from engine.methods.ordinal.result import SLUG
from engine.words import count

if TYPE_CHECKING:
    import pandas as pd

    from engine.data import Dataset
    from engine.methods import Ordinal
    from engine.methods.ordinal.result import OrdinalResult

VALUES = {
    "penalty": PENALTIES,
    "alpha": (0.001, 0.005, 0.01, 0.05, 0.1, 0.2),
    "ess": (0.1, 0.5, 1.5, 5.0, 20.0),
    "am": (0.005, 0.02, 0.05, 0.2, 1.0),
}
NAMES = {
    "penalty": "penalty (lambda)",
    "alpha": "significance (alpha)",
    "ess": "equivalent sample size (chi)",
    "am": "weight of the prior (am)",
}
SPLITS = (0, 5, 10, 20)


def values_of(method: Ordinal) -> tuple[float, ...]:
    """The values to try: the usual ones, and the one chosen."""
    name = tuning(method)
    return tuple(sorted({*map(float, VALUES[name]), float(getattr(method, name))}))


def show_path(result: OrdinalResult, data: Dataset) -> None:
    """The button, the job, the curves."""
    method = result.method
    name = tuning(method)
    st.markdown(f"##### What another {NAMES[name]} would give")
    left, right = st.columns([3, 4], vertical_alignment="bottom", gap="large")
    with left:
        splits = st.select_slider(
            "Splits of the rows for the loss",
            SPLITS,
            value=5,
            key=widget_key(SLUG, "splits"),
            help="The rows are split so often into 80 % to learn from and 20 % to predict; 0 leaves the loss out.",
        )
    values = values_of(method)
    job_queue, key = session().job_queue, ("path", splits, values, *method_key(method, data))
    with right:
        if st.button(f"Try {len(values)} values", key=widget_key(SLUG, "path"), icon=":material/timeline:"):
            job_queue.start(key, walk, method, data, values, splits)
    job = job_queue.get(key)
    table = None if job is None else await_job(job)
    if table is None:
        st.caption(
            "Structure and prediction seldom want the same value: prediction gains from links that are too weak to be "
            "believed one by one. Both are shown, and none is chosen for you."
        )
        return
    _show(table, method, splits)


def walk(method: Ordinal, data: Dataset, values: tuple[float, ...], repeats: int, progress: Any) -> pd.DataFrame:
    """What the job does."""
    return method.lambda_path(data, values, repeats=repeats, progress=progress)


def path_words(table: pd.DataFrame, chosen: float, name: str) -> str:
    """Which value predicts best, and what it would change."""
    own = table[table["penalty"] == chosen].iloc[0]
    text = f"With {chosen:g}, the one chosen: {count(int(own['links']), 'link')}."
    with_loss = table[table["log_loss"].notna()]
    if not len(with_loss):
        return text
    best = with_loss.sort_values("log_loss", kind="stable").iloc[0]
    if best["penalty"] == chosen:
        return f"{text} None of the others predicts rows held out better."
    clear = best["high"] < own["log_loss"]
    return (
        f"{text} Rows held out are predicted best with {best['penalty']:g} ({count(int(best['links']), 'link')}; "
        f"{best['log_loss']:.3f} against {own['log_loss']:.3f} nats a row; "
        f"{'the interval of the difference leaves 0 out' if clear else 'the interval of the difference holds 0'}). "
        f"That is about prediction, and no reason by itself to change the {name.split(' ')[0]} for the structure."
    )


def _show(table: pd.DataFrame, method: Ordinal, splits: int) -> None:
    name = tuning(method)
    chosen = float(getattr(method, name))
    st.markdown(path_words(table, chosen, NAMES[name]))
    show_figure(
        path_figure(table, chosen, NAMES[name]),
        "path",
        alt=path_words(table, chosen, NAMES[name]),
        key=widget_key(SLUG, "path", "chart"),
        table=table,
    )
    loss = (
        f" Loss: minus the logarithm of the probability of a row held out, mean of {splits} splits; bars are 95 % "
        "intervals of its difference to the chosen value's, on the same splits."
        if splits
        else ""
    )
    st.caption(
        "Distance: links to add, take away or turn (a half for an arrow against a line) to get from that network to "
        f"the one shown above.{loss}"
    )

"""How well rows held out are predicted, by this and by other approaches, on the same splits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts.ordinal.losses import losses_figure
from dashboard.jobs.job_queue import method_key
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.views.ordinal.compare_approaches import called, second_method
from dashboard.views.shared.downloads import show_figure
from dashboard.views.shared.running import await_job
from engine.methods.ordinal.result import SLUG
from engine.methods.ordinal.settings import APPROACHES
from engine.words import count, listed

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset
    from engine.methods.ordinal.method import Ordinal
    from engine.methods.ordinal.result import OrdinalResult

REPEATS = (5, 10, 20)
LOST = (
    "What it means where this approach predicts worse: cutting a normal scale does not describe these answers. Perhaps "
    "middle answers hang together in a way of their own, or a level is not between its neighbours. Its links may still "
    "be there; but read their sizes, and links that only it finds, with care."
)


def show_loss(result: OrdinalResult, data: Dataset) -> None:
    """Against whom, how often, the job, the differences."""
    st.markdown("##### Which reading predicts rows it has not seen?")
    own = result.method.approach
    rivals = [approach for approach in APPROACHES if approach != own]
    left, middle, right = st.columns([5, 3, 2], vertical_alignment="bottom", gap="medium")
    with left:
        against = st.multiselect(
            "Against",
            rivals,
            default=[item for item in ("osem", "bge", "bde") if item != own],
            format_func=lambda item: APPROACHES[item],
            key=widget_key(SLUG, "against", own),
        )
    with middle:
        repeats = st.select_slider("Splits into 80 % and 20 %", REPEATS, value=10, key=widget_key(SLUG, "repeats"))
    job_queue, key = session().job_queue, ("loss", tuple(against), repeats, *method_key(result.method, data))
    with right:
        pressed = st.button(
            "Hold rows out", key=widget_key(SLUG, "loss"), icon=":material/content_cut:", disabled=not against
        )
    if pressed:
        job_queue.start(key, hold_out, result.method, data, tuple(against), repeats)
    job = job_queue.get(key)
    table = None if job is None else await_job(job)
    if table is None:
        st.caption(
            "Every approach learns from the same 80 % of the rows and gives each row of the other 20 % a probability; "
            "the loss is minus its logarithm, in nats a row."
        )
        return
    _show(table, repeats)


def hold_out(method: Ordinal, data: Dataset, against: tuple[str, ...], repeats: int, progress: Any) -> pd.DataFrame:
    """What the job does."""
    rivals = [second_method(method, item) for item in against]
    return method.log_loss(data, against=rivals, repeats=repeats, progress=progress)


def loss_sentences(table: pd.DataFrame, repeats: int) -> list[str]:
    """The first one's loss, each difference with its interval, and what it means where the first loses."""
    first = table.iloc[0]
    sentences = [
        f"{called(first['approach'])}: {first['log_loss']:.2f} nats a row, over {count(repeats, 'split')} with "
        f"{count(int(first['n']), 'row')} held out each."
    ]
    lost = []
    for row in table.iloc[1:].itertuples():
        ends = f"{row.difference:+.3f} nats a row, 95 % interval {row.low:+.3f} to {row.high:+.3f}"
        name = called(row.approach)
        if row.low > 0:
            verdict = "predicts worse"
        elif row.high < 0:
            verdict = "predicts better"
            lost.append(name)
        else:
            verdict = "cannot be told apart in prediction"
        sentences.append(f"{name} {verdict} ({ends}; it lost more on {row.better} of {repeats} splits).")
    if lost and first["approach"] == "osem":
        sentences.append(f"{LOST} (Better here: {listed(lost)}.)")
    return sentences


def _show(table: pd.DataFrame, repeats: int) -> None:
    sentences = loss_sentences(table, repeats)
    st.markdown("\n".join(f"- {item}" for item in sentences))
    show_figure(
        losses_figure(table, {entry: called(entry) for entry in table["approach"]}),
        "log-loss",
        alt=" ".join(sentences),
        key=widget_key(SLUG, "loss", "chart"),
        table=table,
    )
    st.caption(
        "Intervals allow for splits that share rows (Nadeau and Bengio 2003). Each approach has the settings on the "
        "left; to move these by hand until one wins is to tune it on these very rows."
    )

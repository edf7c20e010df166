"""How stable the answer is, and what chance alone would show: re-runs on request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.jobs.desk import method_key
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.views.shared.downloads import download_table
from dashboard.views.shared.running import await_job
from engine.methods.group_difference.result import SLUG

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.group_difference.result import GroupDifferenceResult


def show_resampling(learned: GroupDifferenceResult, result: GroupDifferenceResult, data: Dataset) -> None:
    """Two questions, each one click: other orders of the variables, and shuffled group labels.

    `learned` is the result as the job gave it, `result` the same under the prior on screen, which re-runs follow too.
    """
    with st.expander("Is it stable? Could it be chance?"):
        left, right = st.columns(2, gap="large")
        with left:
            st.markdown(
                "**Other orders.** Ties between equally good arcs, and the order of variables, are decided by name. "
                "Here they are decided at random, again and again."
            )
            runs = st.select_slider("Runs", (10, 20, 50, 100), value=20, key=widget_key(SLUG, "orders"))
            stability = _job("stability", learned.method.stability, "Run with other orders", learned, data, runs)
            if stability is not None:
                _show(stability.with_settings(result.method).table(), "stability")
        with right:
            st.markdown(
                "**Shuffled labels.** The rows keep their values but are dealt to the two groups at random, so every "
                "difference that shows is chance."
            )
            runs = st.select_slider("Shuffles", (20, 50, 100, 200), value=50, key=widget_key(SLUG, "shuffles"))
            null = _job("null", learned.method.null, "Run with shuffled labels", learned, data, runs)
            if null is not None:
                null = null.with_settings(result.method)
                st.caption(
                    "share as high: how many shufflings, this one included, reach the observed odds. For the overall "
                    f"odds it is {null.share_overall(result.overall_log_odds):.3f}."
                )
                _show(null.table(result.log_odds), "shuffled-labels")


def _job(kind: str, function: Any, label: str, learned: GroupDifferenceResult, data: Dataset, runs: int) -> Any | None:
    desk = session().desk
    key = (kind, runs, *method_key(learned.method, data))
    if st.button(label, key=widget_key(SLUG, kind)):
        desk.start(key, function, data, runs)
    job = desk.get(key)
    return None if job is None else await_job(job)


def _show(table: Any, stem: str) -> None:
    display = table.rename(columns=lambda name: name.replace("_", " ")).reset_index()
    st.caption("log10 odds over the runs; share above even: runs in which a difference is the more likely.")
    numbers = {
        name: st.column_config.NumberColumn(format="%+.2f") for name in ("lowest", "median", "highest", "observed")
    }
    st.dataframe(display, hide_index=True, column_config=numbers)
    download_table(display, stem)

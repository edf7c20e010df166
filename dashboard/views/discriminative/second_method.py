"""Another method, or settings chosen in an inner loop, on the same folds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts.curve import Line
from dashboard.jobs.job_queue import method_key
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.discriminative.verdicts import items_of, line_of
from dashboard.views.evaluate.curve import show_curve
from dashboard.views.shared.downloads import download_table
from dashboard.views.shared.running import await_job
from engine.methods.discriminative.evaluate import BASELINES
from engine.methods.discriminative.evaluation import comparison_sentence
from engine.methods.discriminative.result import SLUG
from engine.methods.discriminative.settings import CHOOSABLE
from engine.words import listed

if TYPE_CHECKING:
    from engine.data import Dataset
    from engine.methods.discriminative.evaluation import Evaluation
    from engine.methods.discriminative.result import DiscriminativeResult

NOBODY = "none"
CHOICE_WORDS = {
    "max_parents": "parents (1 or 2)",
    "top_families": "families used",
    "parameters": "probabilities",
    "eps": "least count",
}


def show_second_method(result: DiscriminativeResult, data: Dataset) -> None:
    """The controls, the job, and both methods side by side."""
    with st.expander("Would another method, or chosen settings, do better?"):
        st.markdown(
            "Settings that the program chooses are chosen anew inside every fold, by subjects that the fold learns "
            "from; to move settings by hand until the figure pleases is to tune it on its own folds. The second method "
            "stands on the same folds. With chosen settings no p is given: every shuffle would have to choose anew."
        )
        left, middle, right = st.columns([4, 4, 3], vertical_alignment="bottom", gap="medium")
        with left:
            choose = st.pills(
                "Choose in an inner loop",
                CHOOSABLE,
                selection_mode="multi",
                format_func=lambda name: CHOICE_WORDS[name],
                key=widget_key(SLUG, "choose"),
            )
        with middle:
            second = st.selectbox(
                "Second method",
                [NOBODY, *BASELINES],
                format_func=lambda name: BASELINES.get(name, "none"),
                index=list(BASELINES).index("naive_bayes") + 1,
                key=widget_key(SLUG, "second"),
            )
        with right:
            repeats = st.select_slider("Times over", (1, 5, 10), key=widget_key(SLUG, "repeats"))
        key = ("second", tuple(choose), second, repeats, *method_key(result.method, data))
        job_queue = session().job_queue
        if st.button("Hold them out again", key=widget_key(SLUG, "again"), icon=":material/repeat:"):
            other = None if second == NOBODY else second
            job_queue.start(key, evaluate_with, result.method, data, tuple(choose), other, repeats)
        job = job_queue.get(key)
        evaluation = None if job is None else await_job(job)
        if evaluation is not None:
            _show(evaluation, key[1:4])


def evaluate_with(
    method: Any, data: Dataset, choose: tuple[str, ...], second: str | None, repeats: int, progress: Any
) -> Evaluation:
    """What the job does; shuffles only where nothing is chosen, since each would choose anew."""
    shuffles = 0 if choose else method.shuffles
    evaluation: Evaluation = method.evaluate(
        data, choose=choose, second=second, repeats=repeats, shuffles=shuffles, progress=progress
    )
    return evaluation


def _show(evaluation: Evaluation, about: tuple[Any, ...]) -> None:
    st.markdown(f"#### {plain(comparison_sentence(evaluation))}")
    if evaluation.choose:
        table = evaluation.chosen_table()
        st.caption(plain(f"Chosen, fold by fold: {listed(evaluation.choose)}."))
        st.dataframe(table, hide_index=True, height=min(250, 38 + 35 * len(table)))
        download_table(table, "chosen-settings")
    of = evaluation.classes[int(evaluation.sizes.argmin())]
    lines = [line_of(evaluation, of, "class networks")]
    if evaluation.second is not None:
        lines.append(
            Line(
                BASELINES.get(evaluation.second.name, "second"),
                evaluation.other_score(of),
                evaluation.truth(of),
                clusters=evaluation.clusters,
            )
        )
    show_curve(lines, widget_key(SLUG, "both", *about), items_of(evaluation, of), stem="both-methods-roc")

"""Other methods and covariates on the same folds as the networks, side by side by one press."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.jobs.job_queue import method_key
from dashboard.session.caches import cached
from dashboard.session.keys import widget_key
from dashboard.text import plain, visible
from dashboard.views.discriminative.verdicts import items_of, line_of
from dashboard.views.evaluate.curve import show_curve
from dashboard.views.shared.downloads import download_table, show_with_file
from dashboard.views.shared.running import start_on_press
from engine.methods.discriminative.method import likely_covariates
from engine.methods.discriminative.result import SLUG
from engine.methods.discriminative.settings import CHOOSABLE
from engine.telling.discriminative.wording import covariates_sentences
from engine.words import fraction, in_percent, listed

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.discriminative.evaluation import Evaluation
    from engine.methods.discriminative.result import DiscriminativeResult

CHOICE_WORDS = {
    "max_parents": "parents (1 or 2)",
    "top_families": "families used",
    "parameters": "probabilities",
    "eps": "least count",
}
FIGURES = ("accuracy", "balanced accuracy", "AUC")


def show_comparison(result: DiscriminativeResult, data: Dataset) -> None:
    """The controls, the job, and all methods in a table."""
    st.markdown(
        "Is it only site or age? Covariates alone, other methods and the class networks are learned and tested on "
        "the same folds. Settings chosen in an inner loop are chosen without the held-out fold."
    )
    method = result.method
    names = [name for name in data.names if name != method.target]
    left, right = st.columns([5, 2], gap="medium")
    covariates = left.multiselect(
        "Covariates",
        names,
        default=cached(data, likely_covariates, method.target),
        format_func=visible,
        key=widget_key(SLUG, "covariates", *names),
        placeholder="such as site or age",
    )
    choose = st.pills(
        "Chosen in an inner loop",
        CHOOSABLE,
        selection_mode="multi",
        format_func=CHOICE_WORDS.__getitem__,
        key=widget_key(SLUG, "choose"),
    )
    repeats = right.select_slider("Repeats", (1, 5, 10), key=widget_key(SLUG, "repeats"))
    asked = tuple(choose), tuple(covariates), repeats
    key = ("compared", *asked, *method_key(method, data))
    pressed = st.button("Compare", key=widget_key(SLUG, "compare"), icon=":material/balance:")
    evaluation = start_on_press(pressed, key, compare, method, data, *asked)
    if evaluation is not None:
        _show_table(evaluation)
        _show_curves(evaluation, asked)


def compare(
    method: Any, data: Dataset, choose: tuple[str, ...], covariates: tuple[str, ...], repeats: int, progress: Any
) -> Evaluation:
    """What the job does; classes are not permuted again."""
    evaluation: Evaluation = method.evaluate(
        data,
        choose=choose,
        others=method.other_methods(data),
        covariates=covariates,
        repeats=repeats,
        shuffles=0,
        progress=progress,
    )
    return evaluation


def _show_table(evaluation: Evaluation) -> None:
    if evaluation.covariates:
        st.markdown(f"**{plain(' '.join(covariates_sentences(evaluation)))}**")
    table = evaluation.comparison_table()
    display = table[["method"]].copy()
    for name in FIGURES:
        percent = name != "AUC"
        display[f"{name} (95 %)"] = [
            _with_interval(*row, percent=percent) for row in table[[name, f"{name} low", f"{name} high"]].to_numpy()
        ]
    for name in ("p accuracy", "p AUC"):
        display[name] = ["" if p != p else fraction(p) for p in table[name]]
    column = st.column_config.TextColumn
    st.dataframe(
        display,
        hide_index=True,
        column_config={
            "p accuracy": column(help="Exact McNemar test against the class networks."),
            "p AUC": column(help="DeLong's test, or a permutation, against the class networks."),
        },
    )
    st.caption(plain(f"AUC for {evaluation.case}. p against the class networks, not corrected for several methods."))
    download_table(table, "compared-methods")
    if evaluation.choose:
        st.caption(plain(f"Chosen, fold by fold: {listed(evaluation.choose)}."))
        show_with_file(evaluation.chosen_table(), "chosen-settings", most=250)


def _with_interval(value: float, low: float, high: float, *, percent: bool) -> str:
    text = in_percent(value) if percent else f"{value:.2f}"
    ends = f"{in_percent(low)} to {in_percent(high)}" if percent else f"{low:.2f} to {high:.2f}"
    return f"{text} ({ends})" if low < high else text


def _show_curves(evaluation: Evaluation, asked: tuple[Any, ...]) -> None:
    titles = {other.key: other.title for other in evaluation.others}
    other = st.selectbox(
        "Curve of",
        list(titles),
        format_func=lambda name: visible(titles[name]),
        index=list(titles).index("covariates") if evaluation.covariates else 0,
        key=widget_key(SLUG, "beside", *asked),
    )
    of = evaluation.case
    lines = [
        line_of(evaluation, of, "class networks"),
        line_of(evaluation.compared[other], of, titles[other]),
    ]
    show_curve(
        lines,
        widget_key(SLUG, "both", other, *asked),
        items_of(evaluation, of),
        stem="compared-methods-roc",
        usual=True,
    )

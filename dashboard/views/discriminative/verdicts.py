"""How well the networks classify: the curve, costs, the confusion table, subjects as points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.keys import begin_with, set_value, value_of, widget_key
from dashboard.session.labels import labelled
from dashboard.session.session import session
from dashboard.text import plain, short, visible
from dashboard.views.evaluate.curve import show_curve
from dashboard.views.shared.downloads import show_figure, show_with_file
from dashboard.views.shared.page_parts import choose_option
from engine.methods.discriminative.evaluation import FEW, FEW_OF_A_CLASS
from engine.methods.discriminative.result import SLUG
from engine.telling.charts.curves import Items, Line
from engine.telling.discriminative.figures import benefit_figure, name_axes, points_figure, pushes_figure
from engine.telling.discriminative.wording import class_sentence, cost_sentence

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset
    from engine.methods.discriminative.classification import Classification
    from engine.methods.discriminative.evaluation import Evaluation
    from engine.methods.discriminative.result import DiscriminativeResult


SUBJECT = widget_key(SLUG, "subject")
SEVERAL = (
    "The sensitivities at the top give each its likeliest class. Here one class is looked for: at first as many are "
    "called as belong to it, those with the highest scores."
)
MOST_LETTERS = 24
"""Of a class's name in a curve and its axes."""


@dataclass
class Pushed:
    """The scores and pushes of the result on screen, worked out once.

    Attributes
    ----------
    of : the result
    table : as its `predict` gives it for its own table
    """

    of: DiscriminativeResult | None = None
    table: pd.DataFrame | None = None


def show_verdicts(result: DiscriminativeResult, data: Dataset) -> None:
    """The curve with its point, and what each was classified as."""
    evaluation = result.held_out
    open_verdict = not evaluation.too_few and not tells_classes(evaluation)
    with st.expander(f"Scores, thresholds, every {evaluation.noun}"):
        if open_verdict:
            st.markdown(plain(labelled(class_sentence(evaluation))))
        _show_scores(result, data)
        if evaluation.has_probabilities:
            _show_benefit(evaluation)
        else:
            st.caption(f"No probabilities are given for {_without(evaluation)}: a score is not one. Scores only order.")


def tells_classes(evaluation: Evaluation) -> bool:
    """Whether the first screen has sensitivity and specificity: not of classes that are not seen to be separated."""
    return not evaluation.too_few and (evaluation.separates or not len(evaluation.null))


def _show_scores(result: DiscriminativeResult, data: Dataset) -> None:
    """The curve of the class that is looked for, what a threshold costs, and every row as a point."""
    evaluation = result.held_out
    of = _class(evaluation)
    if len(evaluation.classes) > 2:
        st.caption(SEVERAL)
    show_curve(
        [line_of(evaluation, of)],
        widget_key(SLUG, "roc", of),
        items_of(evaluation, of),
        stem="held-out-ROC",
        usual=True,
    )
    _show_costs(evaluation, of)
    _show_points(result, data, of)


def _without(evaluation: Evaluation) -> str:
    """What has no probabilities."""
    if len(evaluation.classes) > 2:
        return "several classes"
    return f"under {FEW} subjects, or {FEW_OF_A_CLASS} of a class"


def line_of(evaluation: Classification, of: str, name: str = "held-out score") -> Line:
    """The scores for a class, as a curve takes them."""
    own = 0.0 if len(evaluation.classes) == 2 else None
    truth, clusters = evaluation.truth(of), evaluation.clusters
    return Line(name, evaluation.score(of), truth, own=own, clusters=clusters)


def items_of(evaluation: Classification, of: str) -> Items:
    """What is classified, in words."""
    return Items(
        evaluation.noun,
        f"{evaluation.noun}s",
        _name_of(evaluation, of),
        "other" if len(evaluation.classes) > 2 else _name_of(evaluation, _other(evaluation, of)),
    )


def _name_of(evaluation: Classification, of: str) -> str:
    """A class in the words of a curve, with the target's name where that leaves it whole."""
    name = evaluation.display_name(of)
    return name if len(name) <= MOST_LETTERS else short(of, MOST_LETTERS)


def _other(evaluation: Classification, of: str) -> str:
    return next(name for name in evaluation.classes if name != of)


def _class(evaluation: Evaluation) -> str:
    """The class that is looked for, to begin with that of the sentences."""
    result = choose_option(
        "Looked for",
        evaluation.classes,
        widget_key(SLUG, "class", *evaluation.classes),
        default=evaluation.case,
        format_func=lambda name: plain(short(name, 30)),
        label_visibility="visible",
    )
    return str(result)


def _show_costs(evaluation: Evaluation, of: str) -> None:
    st.markdown("**What would a mistake cost?**")
    missed, false, prevalence = st.columns(3, vertical_alignment="bottom")
    cost_missed = missed.number_input(
        "One missed",
        0.01,
        1000.0,
        1.0,
        key=widget_key(SLUG, "missed"),
        help=plain(f"Of class {short(evaluation.display_name(of), 40)}, classified otherwise."),
    )
    cost_false = false.number_input(
        "One wrongly classified",
        0.01,
        1000.0,
        1.0,
        key=widget_key(SLUG, "false"),
        help="Of another class, classified as this one.",
    )
    share = prevalence.number_input(
        "Share where it is used",
        0.001,
        0.999,
        min(max(round(evaluation.share(of), 3), 0.001), 0.999),
        format="%.3f",
        key=widget_key(SLUG, "prevalence", of),
        help="How common the class is where the networks would be used; here it is what your table has.",
    )
    st.markdown(plain(cost_sentence(evaluation, of, cost_missed, cost_false, share)))
    st.caption("The threshold was chosen on the same held-out scores, so a new table would do a little worse.")


def show_confusion(evaluation: Classification, stem: str) -> None:
    """Counts by class and by what was classified as it, as wide as they need."""
    st.markdown("Confusion table")
    display = evaluation.confusion().rename(columns=lambda name: f"called {short(name, 20)}")
    display = display.reset_index(names=f"{short(evaluation.method.target, 20)} is")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        show_with_file(display, stem, width="content")


def _show_points(result: DiscriminativeResult, data: Dataset, of: str) -> None:
    evaluation = result.held_out
    contrast = 0 if len(evaluation.classes) == 2 else evaluation.code(of)
    left, right = st.columns([11, 9], gap="large")
    own, others = result.titles_of(contrast, 1)
    begin_with(SUBJECT, evaluation.ids[0])
    if value_of(SUBJECT) not in evaluation.ids:
        set_value(SUBJECT, evaluation.ids[0])
    with left:
        st.markdown(f"**Every {evaluation.noun}**", help=f"Click a point to see that {evaluation.noun} on the right.")
        figure = name_axes(
            points_figure(
                evaluation, result.likelihoods, contrast, value_of(SUBJECT), result.learned[contrast].boundary
            ),
            others,
            own,
            series=result.series,
        )
        key = widget_key(SLUG, "points", contrast, evaluation.ids.index(value_of(SUBJECT)))
        show_figure(
            figure,
            f"every-{evaluation.noun}",
            alt=(
                f"Log-likelihoods of {evaluation.n} {evaluation.noun}s by both networks; {evaluation.hits} "
                "classified correctly."
            ),
            key=key,
            table=evaluation.table(),
            on_select=lambda: _pick(key, evaluation),
            selection_mode="points",
        )
        st.caption(
            f"Filled: held out, by networks that had not seen the {evaluation.noun}. Hollow: by the networks above, "
            "which learned from it, so their classes lie further apart than new ones would."
        )
    with right:
        _show_pushes(result, data, evaluation)


def _pick(key: str, evaluation: Evaluation) -> None:
    points = value_of(key).selection.points
    if points and "customdata" in points[0]:
        place = points[0]["customdata"]
        set_value(SUBJECT, evaluation.ids[int(place[0] if isinstance(place, list) else place)])


def _show_pushes(result: DiscriminativeResult, data: Dataset, evaluation: Evaluation) -> None:
    st.markdown(f"**Contributions to the score of one {evaluation.noun}**")
    table = predictions(result, data)
    if table is None:
        st.caption("Load the table of this result to see what every family adds.")
        return
    order = evaluation.table()[evaluation.noun].tolist()
    name = st.selectbox(
        evaluation.noun.capitalize(), order, format_func=visible, key=SUBJECT, label_visibility="collapsed"
    )
    row = table[table[evaluation.noun] == name].iloc[0]
    at = evaluation.ids.index(name)
    truth, called = evaluation.classes[evaluation.labels[at]], evaluation.classes[evaluation.predicted[at]]
    text = f"Class {truth}; classified as {called} by networks that had not seen this {evaluation.noun}."
    st.markdown(plain(labelled(text)))
    ends = result.titles_of(0, 0)[0], result.titles_of(0, 1)[0]
    if len(evaluation.classes) > 2:
        ends = f"not {row['class']}", str(row["class"])
    show_figure(
        pushes_figure(row, ends),
        "contributions",
        alt=f"What every family adds to the score of {name}.",
        key=widget_key(SLUG, "pushes", at),
        table=row.to_frame("value").reset_index(names="what"),
    )
    st.caption(
        f"By the networks of all {evaluation.noun}s, this one among them. Start, half-way between the classes, and the "
        f"contributions sum to the score; above 0 it is {plain(short(ends[1], 24))}."
    )


def predictions(result: DiscriminativeResult, data: Dataset) -> pd.DataFrame | None:
    """Scores and pushes of the table's own points; None where the result is of another table."""
    if not data.is_of(result.fingerprint) or data.numbers_digest != result.digest:
        return None
    state = session().state(Pushed)
    if state.of is not result:
        state.of, state.table = result, result.predict(data)
    return state.table


def _show_benefit(evaluation: Evaluation) -> None:
    st.markdown("**Would acting on it do more good than harm?**")
    st.caption(
        "Net benefit: true less false positives, weighed by the probability from which one acts; "
        "probabilities by a logistic curve fitted inside every fold."
    )
    case = evaluation.classes[1]
    table = evaluation.net_benefit()
    show_figure(
        benefit_figure(table, case),
        "net-benefit",
        alt=f"Net benefit of acting on the probability of {case}.",
        key=widget_key(SLUG, "benefit"),
        table=table,
    )

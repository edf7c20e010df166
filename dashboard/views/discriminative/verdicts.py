"""How well the networks tell: the curve, costs, verdicts, subjects as points; and another method on the same folds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts.curve import Items, Line
from dashboard.charts.discriminative import benefit_figure, name_axes, points_figure, pushes_figure
from dashboard.jobs.job_queue import method_key
from dashboard.session.keys import begin_with, set_value, value_of, widget_key
from dashboard.session.session import session
from dashboard.text import plain, short, visible
from dashboard.views.evaluate.curve import show_curve
from dashboard.views.shared.downloads import show_figure, show_with_file
from dashboard.views.shared.page_parts import choose_option
from dashboard.views.shared.running import start_on_press
from engine.methods.discriminative.evaluate import BASELINES
from engine.methods.discriminative.evaluation import FEW, FEW_OF_A_CLASS, comparison_sentence
from engine.methods.discriminative.result import SLUG
from engine.methods.discriminative.settings import CHOOSABLE
from engine.methods.discriminative.wording import cost_sentence
from engine.words import listed

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset
    from engine.methods.discriminative.evaluation import Evaluation
    from engine.methods.discriminative.result import DiscriminativeResult


SUBJECT = widget_key(SLUG, "subject")


@dataclass
class Pushed:
    """The scores and pushes of the answer on screen, worked out once.

    Attributes
    ----------
    of : the answer
    table : as its `predict` gives it for its own table
    """

    of: DiscriminativeResult | None = None
    table: pd.DataFrame | None = None


def show_verdicts(result: DiscriminativeResult, data: Dataset) -> None:
    """The curve with its point, and what was told of whom."""
    evaluation = result.held_out
    section = result.section("verdicts")
    st.markdown(f"**{section.title}**")
    st.markdown(plain(" ".join(section.sentences)))
    of = _class(evaluation)
    show_curve([line_of(evaluation, of)], widget_key(SLUG, "roc", of), items_of(evaluation, of), stem="held-out-roc")
    costs, confusion = st.columns([11, 9], gap="medium")
    with costs:
        _show_costs(evaluation, of)
    with confusion:
        _show_confusion(evaluation)
    _show_points(result, data, of)
    if evaluation.has_probabilities:
        _show_benefit(evaluation)
    else:
        few = (
            "several classes"
            if len(evaluation.classes) > 2
            else f"under {FEW} subjects, or {FEW_OF_A_CLASS} of a class"
        )
        st.caption(f"No probabilities are given for {few}: a score is not one. Scores only order.")


def line_of(evaluation: Evaluation, of: str, name: str = "held-out score") -> Line:
    """The held-out scores for a class, as a curve takes them."""
    own = 0.0 if len(evaluation.classes) == 2 else None
    return Line(name, evaluation.score(of), evaluation.truth(of), own=own, clusters=evaluation.clusters)


def items_of(evaluation: Evaluation, of: str) -> Items:
    """What is told, in words."""
    return Items(
        evaluation.noun,
        f"{evaluation.noun}s",
        short(evaluation.display_name(of), 24),
        "other" if len(evaluation.classes) > 2 else short(evaluation.display_name(_other(evaluation, of)), 24),
    )


def _other(evaluation: Evaluation, of: str) -> str:
    return next(name for name in evaluation.classes if name != of)


def _class(evaluation: Evaluation) -> str:
    """The class that is looked for: the rarest to begin with."""
    rarest = int(evaluation.sizes.argmin())
    result = choose_option(
        "Looked for",
        evaluation.classes,
        widget_key(SLUG, "class", *evaluation.classes),
        default=evaluation.classes[rarest],
        format_func=lambda name: plain(short(name, 30)),
        label_visibility="visible",
    )
    return str(result)


def _show_costs(evaluation: Evaluation, of: str) -> None:
    st.markdown("**What would a mistake cost?**")
    missed, false, prevalence = st.columns(3)
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


def _show_confusion(evaluation: Evaluation) -> None:
    st.markdown(f"**Told, {evaluation.noun} by {evaluation.noun}**")
    table = evaluation.confusion()
    display = table.rename(columns=lambda name: f"told {name}").reset_index()
    show_with_file(display, "confusion")


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
            "subjects",
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
            "Filled: by networks that never saw it. Hollow: by the networks above, which did. Hollow points lie "
            "further apart than new ones would; only filled ones count."
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
        st.caption("Load the table this answer was made from to see what every family adds.")
        return
    order = evaluation.table()[evaluation.noun].tolist()
    name = st.selectbox(
        evaluation.noun.capitalize(), order, format_func=visible, key=SUBJECT, label_visibility="collapsed"
    )
    row = table[table[evaluation.noun] == name].iloc[0]
    at = evaluation.ids.index(name)
    truth, called = evaluation.classes[evaluation.labels[at]], evaluation.classes[evaluation.predicted[at]]
    text = f"Is {truth}; told {called} by networks that never saw this {evaluation.noun}."
    st.markdown(plain(text))
    ends = result.titles_of(0, 0)[0], result.titles_of(0, 1)[0]
    if len(evaluation.classes) > 2:
        ends = f"not {row['class']}", str(row["class"])
    show_figure(
        pushes_figure(row, ends),
        "pushes",
        alt=f"What every family adds to the score of {name}.",
        key=widget_key(SLUG, "pushes", at),
        table=row.to_frame("value").reset_index(names="what"),
    )
    st.caption(
        f"By the networks of all {evaluation.noun}s, this one among them. Start is half-way between the classes; "
        "with every "
        f"family's contribution it sums to the score, above 0 for {plain(short(ends[1], 24))}."
    )


def predictions(result: DiscriminativeResult, data: Dataset) -> pd.DataFrame | None:
    """Scores and pushes of the table's own points; None where the answer is of another table."""
    if not data.is_of(result.fingerprint) or data.numbers_digest != result.digest:
        return None
    state = session().state(Pushed)
    if state.of is not result:
        state.of, state.table = result, result.predict(data)
    return state.table


def _show_benefit(evaluation: Evaluation) -> None:
    with st.expander("Would acting on it do more good than harm? (decision curve)"):
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
        choose = left.pills(
            "Choose in an inner loop",
            CHOOSABLE,
            selection_mode="multi",
            format_func=CHOICE_WORDS.__getitem__,
            key=widget_key(SLUG, "choose"),
        )
        second = middle.selectbox(
            "Second method",
            [NOBODY, *BASELINES],
            format_func=lambda name: BASELINES.get(name, "none"),
            index=list(BASELINES).index("naive_bayes") + 1,
            key=widget_key(SLUG, "second"),
        )
        repeats = right.select_slider("Times over", (1, 5, 10), key=widget_key(SLUG, "repeats"))
        key = ("second", tuple(choose), second, repeats, *method_key(result.method, data))
        other = None if second == NOBODY else second
        pressed = st.button("Hold them out again", key=widget_key(SLUG, "again"), icon=":material/repeat:")
        evaluation = start_on_press(pressed, key, evaluate_with, result.method, data, tuple(choose), other, repeats)
        if evaluation is not None:
            _show_both(evaluation, key[1:4])


def evaluate_with(
    method: Any, data: Dataset, choose: tuple[str, ...], second: str | None, repeats: int, progress: Any
) -> Evaluation:
    """What the job does; shuffles only where nothing is chosen, since each would choose anew."""
    shuffles = 0 if choose else method.shuffles
    evaluation: Evaluation = method.evaluate(
        data, choose=choose, second=second, repeats=repeats, shuffles=shuffles, progress=progress
    )
    return evaluation


def _show_both(evaluation: Evaluation, about: tuple[Any, ...]) -> None:
    st.markdown(f"**{plain(comparison_sentence(evaluation))}**")
    if evaluation.choose:
        table = evaluation.chosen_table()
        st.caption(plain(f"Chosen, fold by fold: {listed(evaluation.choose)}."))
        show_with_file(table, "chosen-settings", most=250)
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

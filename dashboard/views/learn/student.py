"""A lesson step by step: read, predict, see the result, compare; at the end all predictions beside the results."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.text import capital
from dashboard.theme import dark_svg, is_dark
from dashboard.views.learn.address import PAGE, go_to, new_seed, show_menu
from dashboard.views.learn.progress import LessonProgress, lessons_begun
from dashboard.views.shared.page_parts import page_head, show_svg
from engine.classroom.catalog import LESSONS
from engine.classroom.exercise import Amount, Drawing, MultipleChoice, Prediction
from engine.classroom.lesson import LessonStep, OpenedLesson, Question

RIGHT, WRONG = ":material/check_circle:", ":material/cancel:"


def show_lesson(lesson: OpenedLesson) -> None:
    """The step that the student is at, or the comparison behind the last one."""
    progress = lessons_begun().open(lesson.template.slug, lesson.seed)
    done = progress.position == len(lesson.steps)
    number = f"lesson {list(LESSONS).index(lesson.template.slug) + 1}"
    with page_head(PAGE, "Learn", f"{number}: {lesson.template.concept}" if done else number):  # before, it would tell
        show_menu(lesson, teacher=False)
    st.title(lesson.template.question, anchor=False)
    if progress.position < len(lesson.steps):
        _show_step(lesson, progress)
    else:
        _show_comparison(lesson, progress)


def show_drawing(drawing: Drawing | None) -> None:
    """A picture of a lesson in the colours of the screen."""
    if drawing is not None:
        show_svg(dark_svg(drawing.svg) if is_dark() else drawing.svg, drawing.alternative, "auto")


def _show_step(lesson: OpenedLesson, progress: LessonProgress) -> None:
    """One step on screen: the text and the question beside the picture."""
    position = progress.position
    step = lesson.steps[position]
    st.progress(
        (position + 1) / len(lesson.steps), text=f"Step {position + 1} of {len(lesson.steps)}: **{step.title}**"
    )
    reading, picture = st.columns([55, 45], gap="medium")
    key = widget_key(PAGE, lesson.template.slug, lesson.seed, position)
    with reading:
        st.markdown(step.text)
        st.markdown(f"**{step.question.text}**")
        if position in progress.predictions:
            _show_result(step, progress.predictions[position])
        else:
            _ask(step.question, progress, key)
        _show_way(progress, len(lesson.steps), key)
    drawing = (position in progress.predictions and step.result_drawing) or step.drawing
    with picture.container(border=drawing is not None):
        show_drawing(drawing)


def _ask(question: Question, progress: LessonProgress, key: str) -> None:
    """The prediction, stored when *Check* is pressed and before the result is shown."""
    with st.form(widget_key(key, "form"), border=False):
        prediction = _prediction_widget(question, key)
        pressed = st.form_submit_button("Check", type="primary")
    if pressed and prediction is None:
        st.warning("Predict something first; a wrong prediction costs nothing.")
    elif pressed and prediction is not None:
        progress.predictions[progress.position] = prediction
        st.rerun()


def _prediction_widget(question: Question, key: str) -> Prediction | None:
    """Where a student predicts: an option, several, or a number; None before that."""
    solution, options = question.solution, question.options
    label: dict[str, Any] = {
        "label": question.text,
        "label_visibility": "collapsed",
        "key": widget_key(key, "prediction"),
    }
    if isinstance(solution, Amount):
        unit = f"In {solution.unit}: " if solution.unit else ""
        st.caption(capital(f"{unit}right if {solution.nearness}."))
        return st.number_input(value=None, min_value=0.0, max_value=solution.most, step=1.0, width=280, **label)
    if isinstance(solution, MultipleChoice):
        st.caption("Pick all that apply.")
        return tuple(st.pills(options=list(options), selection_mode="multi", **label)) or None
    return st.radio(options=list(options), format_func=options.__getitem__, index=None, **label)


def _show_result(step: LessonStep, prediction: Prediction) -> None:
    """The prediction beside the result, and where it was wrong, why."""
    question = step.question
    words = f"You predicted: {question.in_words(prediction)}. Result: {question.solution_in_words}."
    if question.solution.is_right(prediction):
        st.success(words, icon=RIGHT)
    else:
        st.error(words, icon=WRONG)
    st.markdown(f"**Why:** {step.correction}")  # a right prediction may have been a lucky one
    st.markdown(step.result)


def _show_way(progress: LessonProgress, total: int, key: str) -> None:
    """Back to an earlier step, and on once a prediction is stored."""
    with st.container(horizontal=True, gap="small"):
        if progress.position in progress.predictions:
            last = progress.position == total - 1
            if st.button("Compare all" if last else "Next", type="primary", key=widget_key(key, "next")):
                progress.position += 1
                st.rerun()
        if progress.position and st.button("Back", type="tertiary", key=widget_key(key, "back")):
            progress.position = progress.position - 1
            st.rerun()


def _show_comparison(lesson: OpenedLesson, progress: LessonProgress) -> None:
    """All predictions beside the results, and what to take away."""
    right, total = lesson.number_right(progress.predictions), len(lesson.steps)
    st.markdown(f"### You predicted {right} of {total} correctly.")
    st.info(lesson.template.summary, icon=":material/lightbulb:")
    for position, step in enumerate(lesson.steps):
        prediction, question = progress.predictions[position], step.question
        is_right = question.solution.is_right(prediction)
        title = step.title if step.title.endswith("?") else f"{step.title}."
        with st.expander(
            f"**{title}** Predicted: {question.in_words(prediction)}. Result: {question.solution_in_words}.",
            icon=RIGHT if is_right else WRONG,
        ):
            st.markdown(f"**Why:** {step.correction}")
            st.markdown(step.result)
    with st.container(horizontal=True, gap="small"):
        if st.button("Draw a new exercise", type="primary", key=widget_key(PAGE, "again"), icon=":material/casino:"):
            go_to(lesson.template.slug, new_seed())
            st.rerun()
        if st.button("Back to the steps", type="tertiary", key=widget_key(PAGE, "steps")):
            progress.position = 0
            st.rerun()

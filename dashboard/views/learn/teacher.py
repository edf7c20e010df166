"""All steps of a lesson on one page, with solutions, for the teacher."""

from __future__ import annotations

import streamlit as st

from dashboard.views.learn.address import PAGE, show_menu
from dashboard.views.learn.student import show_drawing
from dashboard.views.shared.page_parts import page_head
from engine.classroom.exercise import Amount
from engine.classroom.lesson import LessonStep, OpenedLesson


def show_for_teacher(lesson: OpenedLesson) -> None:
    """The whole lesson: text, question, solution, result and correction of every step."""
    with page_head(PAGE, "Learn", f"teacher's view of exercise {lesson.seed}"):
        show_menu(lesson, teacher=True)
    st.title(lesson.template.question, anchor=False)
    st.caption(f"{lesson.template.concept}. {lesson.template.minutes} minutes. {lesson.template.summary}")
    st.caption(lesson.selection)
    for number, step in enumerate(lesson.steps, 1):
        with st.container(border=True):
            _show_step(number, step)


def _show_step(number: int, step: LessonStep) -> None:
    """One step, its solution marked."""
    reading, picture = st.columns([55, 45], gap="medium")
    solution = step.question.solution
    with reading:
        st.markdown(f"**{number}. {step.title}**")
        st.markdown(step.text)
        st.markdown(f"**{step.question.text}**")
        if isinstance(solution, Amount):
            st.markdown(f":material/check_circle: {step.question.solution_in_words}, {solution.nearness}")
        else:
            marks = (
                ":material/check_circle:" if solution.has(key) else ":material/circle:" for key in step.question.options
            )
            lines = [f"{mark} {text}" for mark, text in zip(marks, step.question.options.values(), strict=True)]
            st.markdown("  \n".join(lines))
        st.markdown(step.result)
        st.caption(f"For a wrong prediction: {step.correction}")
    with picture:
        show_drawing(step.drawing)
        if step.result_drawing is not None and step.result_drawing != step.drawing:
            st.caption("With the result:")
            show_drawing(step.result_drawing)

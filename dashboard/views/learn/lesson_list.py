"""The lessons as cards: question, concept and minutes."""

from __future__ import annotations

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.views.learn.address import PAGE, go_to, new_seed
from dashboard.views.learn.progress import lessons_begun
from dashboard.views.shared.page_parts import in_rows, page_head
from engine.classroom.catalog import LESSONS
from engine.classroom.lesson_file import lesson_file
from engine.words import NO_BREAK

ACROSS = 5


def show_lessons() -> None:
    """All lessons in rows, each with a button that begins it with an exercise of its own or goes on."""
    with page_head(PAGE, "Learn", f"{len(LESSONS)} lessons"):
        pass
    st.title("Predict first, then see the result", anchor=False)
    st.caption(
        "Each lesson asks one question. You predict, the result is computed, and a wrong prediction shows why. "
        "Every student gets other numbers."
    )
    for row in in_rows(enumerate(LESSONS, 1), ACROSS):
        for place, (number, slug) in zip(st.columns(ACROSS, gap="small"), row, strict=False):
            with place.container(
                border=True, height="stretch", vertical_alignment="distribute", key=widget_key(PAGE, "card", slug)
            ):
                _show_card(number, slug)


def _show_card(number: int, slug: str) -> None:
    """One lesson: its question, what it teaches, how long it takes."""
    lesson = lesson_file(slug)
    with st.container(gap="xsmall"):  # one block, so that the button alone stands at the foot
        st.markdown(f"**{number}. {lesson.question}**")
        st.caption(f"{lesson.concept}. {lesson.minutes}{NO_BREAK}minutes.")
    begun = lessons_begun().latest(slug)
    words = "Begin" if begun is None else f"Go on ({len(begun.predictions)} of {len(lesson.steps)})"
    if st.button(words, key=widget_key(PAGE, "begin", slug), width="stretch"):
        go_to(slug, new_seed() if begun is None else str(begun.seed))
        st.rerun()

"""The lessons as cards under their topics: question and minutes; what a lesson teaches is in a drawer for teachers."""

from __future__ import annotations

from itertools import islice

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.views.learn.address import PAGE, go_to, new_seed
from dashboard.views.learn.progress import lessons_begun
from dashboard.views.shared.page_parts import page_head
from engine.classroom.catalog import LESSONS
from engine.classroom.lesson_file import lesson_file
from engine.words import NO_BREAK

ACROSS = 4
_NONE, _SOME = "no statistics needed", "some statistics: p values, intervals, the score of a model"
TOPICS = {
    "Comparing groups": (3, _NONE),
    "Links that mislead": (3, _NONE),
    "What data can show": (4, _SOME),
    "Priors, patients, prediction": (4, _SOME),
}
"""Topic -> how many of the lessons it has, in their order, and what they ask of a student."""


def show_lessons() -> None:
    """All lessons in rows, each with a button that begins it with an exercise of its own or goes on."""
    with page_head(PAGE, "Learn", f"{len(LESSONS)} lessons"):
        pass
    st.title("Predict first, then see the result", anchor=False)
    st.caption(
        "A lesson has about six steps. In each you predict, then the result is explained. Patients are invented, and "
        "numbers new at each start. For the same ones in a class, begin a lesson and hand out the address that the "
        "browser then shows."
    )
    with st.expander("For teachers: what each lesson teaches"):
        taught = [f"1. **{lesson_file(slug).concept}.** {lesson_file(slug).summary}" for slug in LESSONS]
        st.markdown("\n".join(taught))
    lessons = enumerate(LESSONS, 1)
    for topic, (many, level) in TOPICS.items():
        st.markdown(f"**{topic}** :gray[{level}]")
        for place, (number, slug) in zip(st.columns(ACROSS, gap="small"), islice(lessons, many), strict=False):
            with place.container(
                border=True, height="stretch", vertical_alignment="distribute", key=widget_key(PAGE, "card", slug)
            ):
                _show_card(number, slug)


def _show_card(number: int, slug: str) -> None:
    """One lesson: its question, how long it takes, and once it is done what it taught; before, that would tell."""
    lesson = lesson_file(slug)
    begun = lessons_begun().latest(slug)
    done = begun is not None and len(begun.predictions) == len(lesson.steps)
    with st.container(gap="xsmall"):  # one block, so that the button alone stands at the foot
        st.markdown(f"**{number}. {lesson.question}**")
        st.caption(f"{lesson.concept}." if done else f"{lesson.minutes}{NO_BREAK}minutes")
    words = "Begin" if begun is None else f"Go on ({len(begun.predictions)} of {len(lesson.steps)})"
    start = number == 1 and begun is None
    key = widget_key(PAGE, "begin", slug)
    if st.button(words, type="primary" if start else "secondary", key=key, width="stretch"):
        go_to(slug, new_seed() if begun is None else str(begun.seed))
        st.rerun()

"""A lesson: how small a difference between two classes can each method tell?"""

from __future__ import annotations

import streamlit as st

from dashboard.charts.class_lesson import lesson_figure
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.shared.downloads import show_figure
from dashboard.views.shared.running import await_job
from engine.evaluation.lessons.discriminative import RUNS, STOPS, Lesson, lesson
from engine.methods.discriminative.result import SLUG


def show_lesson() -> None:
    """The slider, and how many series every method tells at that difference."""
    with st.expander("A lesson: how small a difference can be told?"):
        st.markdown(
            "Four made-up variables, two classes. A strong link that is the same in both classes masks a weaker one "
            f"that differs by c. Each of {RUNS} runs draws other classes, learns from 5 series of 500 steps a class, "
            "and tells 5 new ones of each (section 5.1 of the paper)."
        )
        c = st.select_slider("Difference c", STOPS, value=0.08, key=widget_key(SLUG, "lesson"))
        job_queue = session().job_queue
        key = ("lesson", c)
        if st.button("Draw and tell", key=widget_key(SLUG, "draw"), icon=":material/school:"):
            job_queue.start(key, _lesson, c)
        job = job_queue.get(key)
        result = None if job is None else await_job(job)
        if result is not None:
            _show(result)


def _lesson(c: float, progress: object) -> Lesson:
    return lesson(c, progress=progress)  # type: ignore[arg-type]


def _show(lesson: Lesson) -> None:
    st.markdown(plain(lesson.headline()))
    show_figure(lesson_figure(lesson), "lesson", alt=lesson.headline(), key=widget_key(SLUG, "lesson", lesson.c))
    st.caption(
        "Each class by itself (BDE) looks for what is strong, not for what differs. CCL one network at a time stops "
        "before it finds a weak difference; adding the same link to both networks does not. Whiskers: 95 % of the mean."
    )

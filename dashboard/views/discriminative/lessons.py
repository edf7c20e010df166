"""Lessons: the smallest difference that can be detected, and a link that switches with the class."""

from __future__ import annotations

import streamlit as st

from dashboard.charts.discriminative import lesson_figure
from dashboard.session.keys import widget_key
from dashboard.text import plain
from dashboard.views.shared.downloads import show_figure
from dashboard.views.shared.running import start_on_press
from engine.evaluation.lessons.discriminative import (
    LEVELS,
    ROWS,
    RUNS,
    STOPS,
    SWITCHING_RUNS,
    Lesson,
    Switching,
    lesson,
    switching,
)
from engine.methods.discriminative.result import SLUG


def show_lesson() -> None:
    """The slider, and how many series every method classifies correctly at that difference."""
    st.markdown(
        "**Smallest difference.** Four made-up variables; a strong link, the same in two classes, masks a weaker one "
        f"that differs by c. Each of {RUNS} runs draws other classes, learns from 5 series of 500 steps a class, "
        "and classifies 5 new ones of each (section 5.1 of the paper)."
    )
    c = st.select_slider("Difference c", STOPS, value=0.08, key=widget_key(SLUG, "lesson"))
    pressed = st.button("Run", key=widget_key(SLUG, "draw"), icon=":material/school:")
    result = start_on_press(pressed, ("lesson", c), lesson, c)
    if result is not None:
        _show_lesson(result)


def _show_lesson(lesson: Lesson) -> None:
    st.markdown(plain(lesson.headline()))
    show_figure(lesson_figure(lesson), "lesson", alt=lesson.headline(), key=widget_key(SLUG, "lesson", lesson.c))
    st.caption(
        "Each class by itself (BDE) looks for what is strong, not for what differs. CCL one network at a time stops "
        "before it finds a weak difference; adding the same link to both networks does not. Whiskers: 95 % of the mean."
    )


def show_switching() -> None:
    """Levels and rows, and how many rows each kind of network classifies correctly."""
    st.markdown(
        "**A link that switches.** X3 follows X1 in one class and X2 in the other. One network for both classes "
        "needs a table of X3 for every pair of levels of X1 and X2 in each class. A network for each class needs "
        f"one link (Figure 1 of the paper). Each of {SWITCHING_RUNS} runs draws other rows."
    )
    left, right = st.columns(2, gap="medium")
    levels = left.select_slider("Levels", LEVELS, value=8, key=widget_key(SLUG, "switching", "levels"))
    rows = right.select_slider(
        "Training rows of each class", ROWS, value=100, key=widget_key(SLUG, "switching", "rows")
    )
    pressed = st.button("Draw and classify", key=widget_key(SLUG, "switching", "go"), icon=":material/school:")
    result = start_on_press(pressed, ("switching", levels, rows), switching, levels, rows)
    if result is not None:
        _show_switching(result)


def _show_switching(result: Switching) -> None:
    st.markdown(plain(result.headline()))
    key = widget_key(SLUG, "switching", result.levels, result.rows)
    show_figure(lesson_figure(result, "rows"), "switching", alt=result.headline(), key=key)
    st.caption(
        "With many levels and few rows the larger table is estimated badly; with many rows all are as good. "
        "BDE leaves out links for which there are too few rows. Whiskers: 95 % of the mean."
    )

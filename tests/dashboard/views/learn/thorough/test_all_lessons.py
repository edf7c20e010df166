"""Every lesson on screen, from start to end, with a right and a wrong student."""

from __future__ import annotations

from typing import Any

import pytest

from engine.classroom.catalog import LESSONS
from engine.classroom.lesson import open_lesson
from tests.dashboard.views.learn.test_learn import page, predict, press, words
from tests.engine.classroom.students import right, wrong


@pytest.mark.parametrize("student", [right, wrong])
@pytest.mark.parametrize("slug", LESSONS)
def test_every_lesson_from_start_to_end(slug: str, student: Any) -> None:
    """Each step is checked, right or wrong is said and explained, and the end counts them."""
    lesson = open_lesson(slug, 7)
    at = page(lesson=slug, seed="7")
    for place, step in enumerate(lesson.steps, 1):
        predict(at, student(step.question))
        press(at, "Check")
        assert step.correction in words(at)
        assert (bool(at.success), bool(at.error)) == (student is right, student is wrong)
        press(at, "Next" if place < len(lesson.steps) else "Compare all")
    right_ones = len(lesson.steps) if student is right else 0
    assert f"You predicted {right_ones} of {len(lesson.steps)} correctly." in words(at)

"""The page Learn: the list, a lesson from start to end, the teacher's view, and what the address asks for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import dashboard
from engine.classroom.catalog import LESSONS
from engine.classroom.lesson import open_lesson
from tests.engine.classroom.students import right, wrong

APP = str(Path(dashboard.__file__).parent / "app.py")
SLUG, SEED = "simpson", 41


def page(**address: str) -> AppTest:
    """The page at an address."""
    at = AppTest.from_file(APP, default_timeout=60)
    at.switch_page("app_pages/learn.py")
    for name, value in address.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def words(at: AppTest) -> str:
    """All that stands on the page."""
    kinds = ("title", "markdown", "caption", "success", "error", "info", "warning", "code")
    labels = [fold.label for fold in at.expander]
    return "\n".join([*(one.value for kind in kinds for one in getattr(at, kind)), *labels])


def press(at: AppTest, label: str) -> AppTest:
    """Press the button of this label."""
    button = next(one for one in at.button if one.label == label)
    button.click().run()
    assert not at.exception
    return at


def predict(at: AppTest, prediction: Any) -> None:
    """Say what is predicted, in whatever widget is there."""
    if isinstance(prediction, str):
        at.main.radio[0].set_value(prediction)
    elif isinstance(prediction, tuple):
        at.main.get("button_group")[0].set_value(list(prediction))
    else:
        at.main.number_input[0].set_value(float(prediction))


def test_the_list_begins_an_exercise_of_ones_own() -> None:
    """Every lesson has a card; beginning one gives the address its name and a seed, and shows the first step."""
    at = page()
    assert sum(button.label == "Begin" for button in at.button) == len(LESSONS)
    at.button(key=f"learn.begin.{SLUG}").click().run()
    assert at.query_params["lesson"] == SLUG
    seed = int(at.query_params["seed"])
    step = open_lesson(SLUG, seed).steps[0]
    assert step.text in words(at)
    assert step.result not in words(at)


@pytest.mark.parametrize("student", [right, wrong])
def test_a_lesson_from_start_to_end(student: Any) -> None:
    """Predictions are stored before the result is seen, a wrong one gets the reason, and all are compared."""
    lesson = open_lesson(SLUG, SEED)
    at = page(lesson=SLUG, seed=str(SEED))
    assert "Predict something first" in words(press(at, "Check"))
    for place, step in enumerate(lesson.steps, 1):
        assert step.result not in words(at)
        prediction = student(step.question)
        predict(at, prediction)
        press(at, "Check")
        assert step.result in words(at)
        assert f"**Why:** {step.correction}" in words(at), "a right prediction may have been a lucky one"
        assert step.question.in_words(prediction) in words(at)
        press(at, "Next" if place < len(lesson.steps) else "Compare all")
    right_ones = len(lesson.steps) if student is right else 0
    assert f"You predicted {right_ones} of {len(lesson.steps)} correctly." in words(at)
    press(at, "Back to the steps")
    assert lesson.steps[0].result in words(at), "what was predicted stays"


def test_the_list_goes_on_where_the_student_was() -> None:
    """The button of a lesson with a prediction says so and opens the same exercise; a new table takes nothing away."""
    at = page(lesson=SLUG, seed=str(SEED))
    step = open_lesson(SLUG, SEED).steps[0]
    predict(at, right(step.question))
    press(at, "Check")
    at.session_state["diptych"].load(None, "")
    press(at, "All lessons")
    press(at, f"Go on (1 of {len(open_lesson(SLUG, SEED).steps)})")
    assert at.query_params["seed"] == str(SEED) or at.query_params["seed"] == [str(SEED)]
    assert step.result in words(at)


def test_a_number_has_bounds_and_says_how_near_is_near_enough() -> None:
    """A share is from 0 to 100 %, and the tolerance stands above the field before anything is predicted."""
    at = page(lesson="prior", seed="7")
    number = at.main.number_input[0]
    assert (number.min, number.max) == (0, 100)
    assert "In %: right if within 4." in words(at)


def test_the_teacher_sees_all_steps_with_solutions() -> None:
    """Every text and result on one page; back to the student's view by one press."""
    at = page(lesson=SLUG, seed=str(SEED), view="teacher")
    for step in open_lesson(SLUG, SEED).steps:
        assert step.text in words(at)
        assert step.result in words(at)
    assert f"?lesson={SLUG}&seed={SEED}" in words(at)
    assert open_lesson(SLUG, SEED).selection in words(at)
    press(at, "Student's view")
    assert "view" not in at.query_params
    assert any(button.label == "Check" for button in at.button)


@pytest.mark.parametrize(
    "address",
    [
        {"lesson": "<b>none</b>", "seed": "1"},
        {"lesson": SLUG, "seed": "one"},
        {"lesson": SLUG, "seed": "-3"},
        {"lesson": SLUG, "seed": "9" * 5000},
        {"lesson": SLUG, "seed": "٣"},
    ],
)
def test_an_address_that_means_nothing_gets_a_sentence_and_the_list(address: dict[str, str]) -> None:
    """Nothing fails, no markup of an address acts, and the lessons are there to choose from."""
    at = page(**address)
    assert len(at.error) == 1
    assert "<b>" not in at.error[0].value
    assert sum(button.label == "Begin" for button in at.button) == len(LESSONS)

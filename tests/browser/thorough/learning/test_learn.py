"""The page Learn in a real browser: a student's and a teacher's path through two lessons, on two screens."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import Any

import pytest

from engine.classroom.exercise import Amount, MultipleChoice, Prediction
from engine.classroom.lesson import Question, open_lesson
from tests.browser.conftest import DIPTYCH, expect, server, settled
from tests.engine.classroom.students import right, wrong

pytestmark = pytest.mark.browser

SCREENS = [(1440, 900), (1024, 768)]
SEED = 41
LEAST_LETTERS = 11


def predict(page: Any, question: Question, prediction: Prediction) -> None:
    """Say what is predicted, by mouse and keyboard."""
    main = page.get_by_test_id("stMain")
    if isinstance(question.solution, Amount):
        main.get_by_test_id("stNumberInput").locator("input").fill(str(round(float(prediction), 2)))  # type: ignore[arg-type]
        return
    options = list(question.options)
    if isinstance(question.solution, MultipleChoice):
        for option in prediction:  # type: ignore[union-attr]
            main.get_by_test_id("stButtonGroup").get_by_text(option, exact=True).click()
        return
    main.get_by_test_id("stRadioOption").nth(options.index(str(prediction))).click()


def visible_picture(page: Any, width: int) -> None:
    """The picture is whole on the screen, its letters not too small."""
    picture = page.get_by_test_id("stMain").locator("img[src^='data:image/svg']")
    if picture.count():
        box = picture.first.bounding_box()
        assert box["x"] + box["width"] <= width
        svg = base64.b64decode(picture.first.get_attribute("src").partition(",")[2]).decode()
        units = float(re.search(r"viewBox='\S+ \S+ (\S+)", svg)[1])  # type: ignore[index]
        letters = float(re.search(r"font-size='([\d.]+)", svg)[1])  # type: ignore[index]
        assert letters * box["width"] / units >= LEAST_LETTERS


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize(
    ("slug", "student"),
    [("simpson", right), ("collider", wrong), ("adjustment", right), ("bad-control", wrong), ("missing", wrong)],
)
def test_a_student_goes_through_a_lesson(
    app_address: str, open_page: Callable[[str], Any], slug: str, student: Any, screen: tuple[int, int]
) -> None:
    """Each step fits the screen; the result comes after the prediction; at the end all are compared."""
    lesson = open_lesson(slug, SEED)
    page = open_page(f"{app_address}/learn?lesson={slug}&seed={SEED}")
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    for place, step in enumerate(lesson.steps, 1):
        page.get_by_text(f"Step {place} of {len(lesson.steps)}").wait_for()
        settled(page)
        expect(page.get_by_text("Result:")).to_have_count(0)
        predict(page, step.question, student(step.question))
        page.get_by_role("button", name="Check", exact=True).click()
        page.get_by_text("You predicted:").wait_for()
        settled(page)
        expect(page.get_by_text("Why:")).to_have_count(1)
        visible_picture(page, screen[0])
        button = page.get_by_role("button", name="Next" if place < len(lesson.steps) else "Compare all", exact=True)
        expect(button).to_be_in_viewport()
        button.click()
    right_ones = len(lesson.steps) if student is right else 0
    page.get_by_text(f"You predicted {right_ones} of {len(lesson.steps)} correctly.").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_reload_and_another_page_keep_step_and_predictions(app_address: str, open_page: Callable[[str], Any]) -> None:
    """At the second step after a prediction: loaded anew, by the list from another page, and beside a second tab."""
    lesson = open_lesson("simpson", SEED)
    page = open_page(f"{app_address}/learn?lesson=simpson&seed={SEED}")
    for place in (1, 2):
        page.get_by_text(f"Step {place} of {len(lesson.steps)}").wait_for()
        settled(page)
        predict(page, lesson.steps[place - 1].question, right(lesson.steps[place - 1].question))
        page.get_by_role("button", name="Check", exact=True).click()
        page.get_by_text("You predicted:").wait_for()
        if place == 1:
            page.get_by_role("button", name="Next", exact=True).click()
    page.reload()
    page.get_by_text("Step 2 of").wait_for()
    expect(page.get_by_text("You predicted:")).to_be_visible()
    settled(page)
    navigation = page.get_by_test_id("stSidebarNav")
    navigation.get_by_role("link", name="Start").click()
    settled(page)
    navigation.get_by_role("link", name="Learn").click()
    page.get_by_role("button", name=f"Go on (2 of {len(lesson.steps)})").click()
    page.get_by_text("Step 2 of").wait_for()
    expect(page.get_by_text("You predicted:")).to_be_visible()
    beside = page.context.new_page()
    beside.goto(f"{app_address}/learn?lesson=collider&seed={SEED}")
    beside.get_by_text("Step 1 of").wait_for()


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("slug", ["simpson", "collider"])
def test_a_teacher_steps_through_and_prints(
    app_address: str, open_page: Callable[[str], Any], slug: str, screen: tuple[int, int]
) -> None:
    """All steps with solutions, the address for the class, a new exercise, and both sheets, which load nothing."""
    lesson = open_lesson(slug, SEED)
    page = open_page(f"{app_address}/learn?lesson={slug}&seed={SEED}&view=teacher")
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    page.get_by_text("For a wrong prediction:").last.wait_for()
    settled(page)
    expect(page.get_by_text("For a wrong prediction:")).to_have_count(len(lesson.steps))
    page.get_by_role("button", name="Hand out").click()
    page.get_by_text(f"/learn?lesson={slug}&seed={SEED}").wait_for()
    for label, solutions in (("Without solutions", False), ("For teachers: with solutions", True)):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=label, exact=True).click()
        sheet = waiting.value.path().read_text(encoding="utf-8")
        assert sheet.count("<section>") == len(lesson.steps)
        assert ("class='result'" in sheet) == solutions
        assert "://" not in sheet
    page.get_by_role("button", name="Draw a new exercise").click()
    page.wait_for_url(re.compile(rf"seed=(?!{SEED}\b)\d+"))
    assert "view=teacher" in page.url


def test_the_same_address_is_the_same_exercise_on_another_server(
    app_address: str, open_page: Callable[[str], Any]
) -> None:
    """Two servers show the same words and pictures for one address."""

    def shown(address: str) -> tuple[str, list[str]]:
        page = open_page(f"{address}/learn?lesson=explaining-away&seed=12&view=teacher")
        page.get_by_text("For a wrong prediction:").nth(5).wait_for()
        settled(page)
        main = page.get_by_test_id("stMain")
        pictures = main.locator("img").evaluate_all("all => all.map(one => one.src)")
        return main.inner_text(), pictures

    with server(DIPTYCH) as other:
        assert shown(app_address) == shown(other)

"""The page of class networks in a real browser: all that its first steps leave out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Watch, assert_names_are_text, expect, settled
from tests.browser.thorough.methods.test_discriminative_sample import opened, ready

__all__ = ["opened"]

pytestmark = pytest.mark.browser


def test_hostile_names_are_text(
    page_address: Callable[[str], str], open_page: Callable[[str], Any], watch: Watch
) -> None:
    """Nothing acts as markup, nothing is fetched outside; the networks leave as a file."""
    page = ready(open_page(page_address("discriminative")))
    page.get_by_text("largest gains").click()
    settled(page)
    page.get_by_text("Two networks").click()
    settled(page)
    assert_names_are_text(page, watch)


@pytest.fixture
def scores(opened: Any) -> Any:
    """The page with the part of the scores unfolded."""
    part = opened.locator("[data-testid=stExpander]").filter(has_text="Scores, thresholds, every subject").first
    if not part.locator("details[open]").count():
        part.locator("summary").first.click()
        settled(opened)
    return opened


def test_costs_move_the_threshold(scores: Any) -> None:
    """A missed case that costs a hundred times as much is called from a lower score."""
    opened = scores
    before = opened.get_by_text("Cheapest among these 40").inner_text()
    box = opened.get_by_role("spinbutton", name="One missed")
    box.fill("100")
    box.press("Enter")
    settled(opened)
    expect(opened.get_by_text("Cheapest among these 40")).not_to_have_text(before)
    expect(opened.get_by_text("Cheapest among these 40")).to_contain_text("16 of 16 found")


def test_another_subject_has_pushes_of_its_own(scores: Any) -> None:
    """Chosen in the box; the sentence says its class, and what it was classified as."""
    opened = scores
    box = opened.get_by_role("combobox", name="Subject", exact=True)
    box.scroll_into_view_if_needed()  # a list closes when the page scrolls under it
    settled(opened)
    box.click()
    opened.get_by_role("option", name="P07").first.click()
    settled(opened)
    opened.get_by_text("by networks that had not seen this subject").wait_for()
    bars = opened.locator("[class*='st-key-discriminative-pushes'] .barlayer")
    bars.first.wait_for()


def test_a_click_on_a_point_shows_its_subject(scores: Any) -> None:
    """The box and the bars follow the scatter."""
    opened = scores
    plot = opened.locator("[class*='st-key-discriminative-points']").first
    plot.scroll_into_view_if_needed()
    settled(opened)
    box = opened.get_by_role("combobox", name="Subject", exact=True)
    before = box.input_value()
    point = plot.locator(".scatterlayer .trace").nth(1).locator("path.point").nth(5).bounding_box()
    x, y = point["x"] + point["width"] / 2, point["y"] + point["height"] / 2
    opened.mouse.move(x, y)
    opened.mouse.click(x, y)
    expect(box).not_to_have_value(before)
    assert opened.get_by_text("Something went wrong").count() == 0

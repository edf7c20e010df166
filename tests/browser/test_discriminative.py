"""The page of class networks in a real browser: a sample from its card to a verdict, a family and a subject."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Watch, assert_names_are_text, expect, settled, spot

pytestmark = pytest.mark.browser

MAIN = "[data-testid=stMain]"


def ready(page: Any) -> Any:
    """Wait for the answer and the picture."""
    page.get_by_text("rightly told").first.wait_for()
    page.locator(".dn-head").first.wait_for()
    page.get_by_text("What pushed one").wait_for()
    settled(page)
    return page


@pytest.fixture(scope="module")
def opened(app_address: str, open_once: Callable[[str], Any]) -> Any:
    """The sample table opened from its card."""
    page = open_once(app_address)
    page.locator(".st-key-start-open-regions button").click()
    return ready(page)


def test_hostile_names_are_text(
    page_address: Callable[[str], str], open_page: Callable[[str], Any], watch: Watch
) -> None:
    """Nothing acts as markup, nothing is fetched outside; the networks leave as a file."""
    page = ready(open_page(page_address("discriminative")))
    page.get_by_text("the ten that gain most").click()
    settled(page)
    page.get_by_text("Side by side").click()
    settled(page)
    assert_names_are_text(page, watch)


def test_the_sample_leads_to_the_links_that_were_planted(opened: Any) -> None:
    """From its card, without a setting; the sentence has count, interval, chance and p."""
    head = opened.locator(f"{MAIN} h4").first
    expect(head).to_contain_text("34 of 40 held-out subjects rightly told (85%, 95 %: 71 to 93)")
    expect(head).to_contain_text("by 200 shuffles")
    expect(opened.locator(MAIN)).to_contain_text("3 links gain more than the best of at least 95 % of shuffles")
    expect(opened.locator(MAIN)).to_contain_text("AUC for demented")
    assert (
        opened.get_by_role("combobox", name="Family, the largest gain first")
        .input_value()
        .startswith("posterior cingulate → hippocampus L")
    )


def test_a_click_on_a_link_shows_its_family(opened: Any) -> None:
    """The select box, the sentence and the tables follow."""
    canvas = opened.locator(".dn-canvas").first
    x, y, _ = spot(opened, canvas, lambda said: "thalamus R (t) → parahippocampal R (t+1)" in said)
    opened.mouse.click(x, y)
    settled(opened)
    family = opened.get_by_role("combobox", name="Family, the largest gain first")
    assert family.input_value().startswith("thalamus R → parahippocampal R")
    opened.get_by_text("parahippocampal R (t+1)").first.wait_for()


def test_costs_move_the_threshold(opened: Any) -> None:
    """A missed case that costs a hundred times as much is told from a lower score."""
    before = opened.get_by_text("Cheapest among these 40").inner_text()
    box = opened.get_by_role("spinbutton", name="One missed")
    box.fill("100")
    box.press("Enter")
    settled(opened)
    expect(opened.get_by_text("Cheapest among these 40")).not_to_have_text(before)
    expect(opened.get_by_text("Cheapest among these 40")).to_contain_text("16 of 16 found")


def test_another_subject_has_pushes_of_its_own(opened: Any) -> None:
    """Chosen in the box; the sentence says what it is, and what was told of it."""
    box = opened.get_by_role("combobox", name="Subject", exact=True)
    box.scroll_into_view_if_needed()  # a list closes when the page scrolls under it
    settled(opened)
    box.click()
    opened.get_by_role("option", name="P07").first.click()
    settled(opened)
    opened.get_by_text("by networks that never saw this subject").wait_for()
    bars = opened.locator("[class*='st-key-discriminative-pushes'] .barlayer")
    bars.first.wait_for()


def test_a_click_on_a_point_shows_its_subject(opened: Any) -> None:
    """The box and the bars follow the scatter."""
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

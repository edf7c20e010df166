"""The page of ordinal networks in a real browser: all that its first steps leave out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.conftest import PATIENCE, Watch, assert_names_are_text, expect, settled
from tests.browser.thorough.methods.test_ordinal_sample import LETTERS, MAIN, READ, line, once, opened, press, ready

__all__ = ["once", "opened"]

pytestmark = pytest.mark.browser
WIDE, SMALL = {"width": 1440, "height": 900}, {"width": 1024, "height": 768}


def test_hostile_names_are_text_and_the_slider_thins_the_network(
    page_address: Callable[[str], str], open_page: Callable[[str], Any], watch: Watch
) -> None:
    """Nothing acts as markup, nothing is fetched outside; at 100 % no link is left; the picture leaves as a file."""
    page = ready(open_page(page_address("ordinal")))
    page.get_by_role("radio", name="Averaged over bootstrap samples").click()
    settled(page)
    expect(page.locator(MAIN)).to_contain_text("L1 rule")
    assert line(page).count() > 0
    slider = page.get_by_role("slider", name="Links in more than this share of bootstrap samples")
    slider.focus()
    slider.press("End")
    settled(page)
    expect(page.locator(".rings-link")).to_have_count(0)
    assert_names_are_text(page, watch)


@pytest.fixture
def many(page_address: Callable[[str], str], open_page: Callable[[str], Any]) -> Iterator[Any]:
    """A page with 28 items of two scales, with long names."""
    page = ready(open_page(f"{page_address('ordinal')}&items=28"))
    expect(page.get_by_text("In the background:")).to_have_count(0, timeout=3 * PATIENCE)
    settled(page)
    yield page
    page.set_viewport_size(WIDE)  # the tab goes on to other tests


def test_28_items_can_be_read_on_every_screen(many: Any) -> None:
    """Whole on the first screen of 1440 by 900, letters of eleven pixels and more."""
    for size in (SMALL, WIDE):
        many.set_viewport_size(size)
        many.wait_for_timeout(500)
        for layout in ("Layers", "Circle", "Spring"):
            press(many, layout)
            assert many.locator(".dr-field text").evaluate_all(LETTERS) >= READ
        assert many.evaluate("document.documentElement.scrollWidth") <= size["width"]
    many.get_by_test_id("stMain").evaluate("one => one.scrollTo(0, 0)")
    for layout in ("Spring", "Circle"):
        press(many, layout)
        picture, field = (many.locator(place).bounding_box() for place in (".dr-field svg", ".dr-field"))
        assert picture["y"] + picture["height"] <= WIDE["height"]
        assert picture["width"] <= field["width"]


def test_another_reading_stands_beside_it(opened: Any) -> None:
    """Two panels, and how many links both have."""
    opened.get_by_text("Two approaches", exact=True).click()
    settled(opened)
    opened.get_by_role("button", name="Learn this one too").click()
    opened.locator(".dn-panel").nth(1).wait_for()
    settled(opened)
    expect(opened.locator(MAIN)).to_contain_text("Levels taken as numbers (BGe)")
    assert opened.get_by_text("Something went wrong").count() == 0

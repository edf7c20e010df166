"""The page of ordinal networks in a real browser: all that its first steps leave out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Watch, assert_names_are_text, expect, settled, spot
from tests.browser.thorough.methods.test_ordinal_sample import MAIN, opened, ready

__all__ = ["opened"]

pytestmark = pytest.mark.browser


def test_hostile_names_are_text_and_the_slider_thins_the_network(
    page_address: Callable[[str], str], open_page: Callable[[str], Any], watch: Watch
) -> None:
    """Nothing acts as markup, nothing is fetched outside; at 100 % no link is left; the networks leave as a file."""
    page = ready(open_page(page_address("ordinal")))
    page.get_by_role("radio", name="Averaged over bootstrap samples").click()
    settled(page)
    expect(page.locator(MAIN)).to_contain_text("L1 rule")
    slider = page.get_by_role("slider", name="Links in more than this share of bootstrap samples")
    slider.focus()
    slider.press("End")
    settled(page)
    expect(page.locator(".dn-sub").first).to_contain_text("0 links")
    assert_names_are_text(page, watch)


def test_a_click_on_a_box_shows_its_thresholds(opened: Any) -> None:
    """Its levels with their shares, and the curve."""
    canvas = opened.locator(".dn-canvas").first
    x, y, _ = spot(opened, canvas, lambda said: said.startswith("guilt"))
    opened.mouse.click(x, y)
    settled(opened)
    opened.get_by_text("Levels from low to high").wait_for()
    opened.locator("[class*='st-key-ordinal-card-cuts'] .scatterlayer").first.wait_for()


def test_another_reading_stands_beside_it(opened: Any) -> None:
    """Two panels more, and how many links both have."""
    opened.get_by_text("Two approaches", exact=True).click()
    settled(opened)
    opened.get_by_role("button", name="Learn this one too").click()
    opened.locator(".dn-panel").nth(2).wait_for()
    settled(opened)
    expect(opened.locator(MAIN)).to_contain_text("Levels taken as numbers (BGe)")
    assert opened.get_by_text("Something went wrong").count() == 0

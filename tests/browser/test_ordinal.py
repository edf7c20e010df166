"""The page of ordinal networks in a real browser: from its card to a link, another reading and the averaged network."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Watch, assert_names_are_text, expect, settled, spot

pytestmark = pytest.mark.browser

MAIN = "[data-testid=stMain]"


def ready(page: Any) -> Any:
    """Wait for the answer and the picture."""
    page.locator(".dn-head").first.wait_for()
    page.get_by_text("Look closer").wait_for()
    settled(page)
    return page


@pytest.fixture(scope="module")
def opened(app_address: str, open_once: Callable[[str], Any]) -> Any:
    """The sample table opened from its card."""
    page = open_once(app_address)
    page.locator(".st-key-start-open-symptoms button").click()
    return ready(page)


def test_hostile_names_are_text_and_the_slider_thins_the_network(
    page_address: Callable[[str], str], open_page: Callable[[str], Any], watch: Watch
) -> None:
    """Nothing acts as markup, nothing is fetched outside; at 100 % no link is left; the networks leave as a file."""
    page = ready(open_page(page_address("ordinal")))
    page.get_by_role("radio", name="Averaged over drawn tables").click()
    settled(page)
    expect(page.locator(MAIN)).to_contain_text("L1 rule")
    slider = page.get_by_role("slider", name="Links in more than this share of drawn tables")
    slider.focus()
    slider.press("End")
    settled(page)
    expect(page.locator(".dn-sub").first).to_contain_text("0 links")
    assert_names_are_text(page, watch)


def test_the_sample_leads_to_its_network(opened: Any) -> None:
    """From its card, without a setting."""
    expect(opened.locator(f"{MAIN} h4").first).to_contain_text("join all 12 variables")
    expect(opened.locator(MAIN)).to_contain_text("550 rows tell as much as")


def test_a_click_on_a_link_shows_its_card(opened: Any) -> None:
    """The box and the sentences follow."""
    canvas = opened.locator(".dn-canvas").first
    ends = re.compile(r"low_mood [→–—-]+ guilt")  # a line where too few halves of the rows turn it alike
    x, y, _ = spot(opened, canvas, lambda said: ends.match(said) is not None)
    opened.mouse.click(x, y)
    settled(opened)
    expect(opened.locator(f"{MAIN} h5", has_text=ends)).to_be_visible()
    opened.get_by_text("Partial correlation of the hidden values").wait_for()


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

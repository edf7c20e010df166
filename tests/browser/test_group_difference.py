"""The group differences page in a real browser: hostile names, clicks, the prior, two users."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Watch, expect, settled, still

pytestmark = pytest.mark.browser


HEADLINE = "[data-testid=stMain] h4"


def ready(page: Any) -> Any:
    """Wait for the answer, what shuffled tables show, and the network; nothing runs in the background any more."""
    page.get_by_text("tables with shuffled labels, the largest").first.wait_for()
    page.get_by_text("Under K2").first.wait_for()
    page.locator(".dn-head").first.wait_for()
    settled(page)
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
    return page


@pytest.fixture(scope="module")
def page(page_address: Callable[[str], str], open_once: Callable[[str], Any]) -> Any:
    """The page over its hostile table, the prior as it begins."""
    return ready(open_once(page_address("group_difference")))


def test_the_answer_is_on_screen_and_hostile_names_are_text(page: Any, watch: Watch) -> None:
    """The sentence, the chart and the networks show; no name acted as markup, nothing was fetched outside."""
    assert re.search(
        r"^(.+ differs|\d of 6 variables differ, first .+)( where .+)?: .+ of .+, \d+ % .+\.$",
        page.inner_text(HEADLINE),
    )
    page.get_by_role("radio", name="Three panels").click(force=True)
    page.locator(".dn-head").nth(2).wait_for()
    text = page.inner_text("[data-testid=stMain]")
    assert ":red[b]" in text
    assert page.locator("[data-testid=stMain] img[src^='http://evil']").count() == 0
    assert watch.outside() == []
    assert not watch.refusals


def test_a_click_on_a_bar_shows_that_variable(page: Any) -> None:
    """Clicking the second bar puts its variable in the spotlight."""
    settled(page)
    box = page.get_by_role("combobox", name="Variable", exact=True)
    before = box.input_value()
    bar = still(page.locator("[data-testid=stPlotlyChart]").first.locator(".barlayer .point path").nth(1))
    page.mouse.click(bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] / 2)
    expect(box).not_to_have_value(before)
    assert page.get_by_text("Something went wrong").count() == 0

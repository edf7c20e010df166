"""The group differences page in a real browser: hostile names, clicks, the prior, two users."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Watch, expect, settled, spot, still, unfold

pytestmark = pytest.mark.browser


HEADLINE = "[data-testid=stMain] h1"
METHOD = "How this is computed, and with which settings"


def ready(page: Any) -> Any:
    """Wait for the answer, what shuffled tables show, and the network; nothing runs in the background any more."""
    unfold(page, METHOD)  # what is in it is drawn when it is opened
    for sentence in ("Shuffled group labels", "Under K2"):
        page.get_by_text(sentence).first.wait_for(state="attached")
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
        r"^(.+ differs|\d of 6 variables differ, first .+)( where .+)?: .+ of .+, \d+\s%\s.+\.$",
        page.inner_text(HEADLINE),
    )
    page.locator("[class*='st-key-group_difference-contexts'] .barlayer .point").first.wait_for()
    page.get_by_role("radio", name="Side by side").click(force=True)
    expect(page.locator(".dn-title")).to_have_text(["<img src=x>", ":red[b]"])
    page.get_by_role("radio", name="Difference", exact=True).click(force=True)
    expect(page.locator(".dn-title")).to_have_count(1)
    assert page.locator("[data-testid=stMain] img[src^='http://evil']").count() == 0
    assert watch.outside() == []
    assert not watch.refusals


def test_a_click_on_a_row_or_a_box_shows_that_variable(page: Any) -> None:
    """The second row of the table, then a box of the network, puts its variable in the spotlight."""
    settled(page)
    box = page.get_by_role("combobox", name="Variable", exact=True)
    first = box.input_value()
    table = page.locator("[class*='st-key-group_difference-table'] [data-testid=stDataFrame]")
    still(table)
    table.click(position={"x": 17, "y": 38 + 35 + 17})
    expect(box).not_to_have_value(first)
    settled(page)
    second = box.input_value()
    x, y, said = spot(page, page.locator(".dn-canvas"), lambda tip: "P(differs)" in tip and " → " not in tip)
    assert said.split("\n")[0] != second
    page.mouse.click(x, y)
    expect(box).to_have_value(said.split("\n")[0])
    assert page.get_by_text("Something went wrong").count() == 0

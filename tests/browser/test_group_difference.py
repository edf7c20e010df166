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


def prior(page: Any, label: str = "Prior probability that nothing differs", drawer: str = "Prior and margin") -> Any:
    """The slider of a prior, in its drawer."""
    handle = page.get_by_role("slider", name=label)
    if not handle.is_visible():
        page.get_by_text(drawer, exact=True).click()
    handle.wait_for()
    return handle


def papers_prior(page: Any) -> Any:
    """The slider of the paper's prior, in the drawer of the paper's own numbers."""
    return prior(page, "The paper's prior probability of no difference", "The paper's own numbers")


@pytest.fixture(scope="module")
def page(page_address: Callable[[str], str], open_once: Callable[[str], Any]) -> Any:
    """The page over its hostile table, the prior as it begins."""
    return ready(open_once(page_address("group_difference")))


def test_two_users_do_not_disturb_each_other(
    page: Any, page_address: Callable[[str], str], open_page: Callable[[str], Any]
) -> None:
    """A prior moved by one stays with that one."""
    one, two = ready(open_page(page_address("group_difference"))), page
    prior(two)
    handle = prior(one)
    handle.focus()
    handle.press("ArrowRight")
    one.get_by_text("under the prior of the run only").wait_for()
    expect(two.locator("[data-testid=stMain]")).to_contain_text("the largest P(differs) was")
    expect(two.locator("[data-testid=stMain]")).not_to_contain_text("under the prior of the run only")


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


def test_moving_the_papers_prior_changes_its_odds_and_no_verdict_and_learns_nothing(page: Any) -> None:
    """The slider's new prior stands in the published odds within a moment; the first sentence stays, no job starts."""
    said = page.inner_text(HEADLINE)
    handle = papers_prior(page)
    expect(page.locator("[data-testid=stMain]")).to_contain_text("prior probability of 0.5 for")
    handle.focus()
    handle.press("ArrowRight")
    page.get_by_text("prior probability of 0.6 for").wait_for()
    assert page.get_by_role("button", name="Cancel").count() == 0
    assert page.inner_text(HEADLINE) == said
    handle.press("ArrowLeft")
    page.get_by_text("prior probability of 0.5 for").wait_for()


def test_a_click_on_a_bar_shows_that_variable(page: Any) -> None:
    """Clicking the second bar puts its variable in the spotlight."""
    settled(page)
    box = page.get_by_role("combobox", name="Variable", exact=True)
    before = box.input_value()
    bar = still(page.locator("[data-testid=stPlotlyChart]").first.locator(".barlayer .point path").nth(1))
    page.mouse.click(bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] / 2)
    expect(box).not_to_have_value(before)
    assert page.get_by_text("Something went wrong").count() == 0

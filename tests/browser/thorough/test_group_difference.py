"""The group differences page in a real browser: all that its first steps leave out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import expect, settled, unfold
from tests.browser.test_group_difference import HEADLINE, page, ready

__all__ = ["page"]

pytestmark = pytest.mark.browser


METHOD = "How this is computed, and with which settings"


def prior(page: Any, label: str = "Prior probability that nothing differs", fold: str = "Prior and margin") -> Any:
    """The slider of a prior, in its fold."""
    unfold(page, fold)
    handle = page.get_by_role("slider", name=label)
    handle.wait_for()
    return handle


def papers_prior(page: Any) -> Any:
    """The slider of the paper's prior, in the fold on the method."""
    return prior(page, "The paper's prior probability of no difference", METHOD)


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


LINES = """() => [...window.diptychPictures].flatMap((all) => all.views.map(({ edges }) =>
    edges.get().filter((edge) => !edge.hidden).length))"""
"""How many lines each panel on screen has."""


def test_the_slider_of_links_hides_those_below_it_and_counts_the_others(page: Any) -> None:
    """At its low end all that may be there, at its high end the sure ones; the count follows, the page is not asked."""
    settled(page)
    handle = page.get_by_role("slider", name="Draw links of at least this probability")
    said, counts = [], []
    for key in ("Home", "End"):
        handle.press(key)
        lines = page.evaluate(LINES)
        drawn = page.locator(".dn-sub").all_inner_texts()
        for words, many in zip(drawn, lines, strict=True):
            assert words.endswith(f"{many} link{'s' * (many != 1)} drawn")
        said.append(page.locator(".dn-least").inner_text())
        counts.append(sum(lines))
    assert said == ["P(link) ≥ .05", "P(link) ≥ .95"]
    assert counts[0] > counts[1] > 0
    assert page.get_by_test_id("stApp").get_attribute("data-test-script-state") == "notRunning"
    page.get_by_role("radio", name="Side by side").click(force=True)
    page.locator(".dn-head").nth(1).wait_for()
    settled(page)
    assert len(page.evaluate(LINES)) == 2
    page.get_by_role("radio", name="Difference").click(force=True)
    expect(page.locator(".dn-head")).to_have_count(1)


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

"""The group differences page in a real browser: all that its first steps leave out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import expect, unfold
from tests.browser.thorough.test_group_difference_page import HEADLINE, METHOD, page, ready

__all__ = ["page"]

pytestmark = pytest.mark.browser


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
    expect(one.locator("[data-testid=stMain]")).to_contain_text("under the prior of the run only")
    expect(two.locator("[data-testid=stMain]")).to_contain_text("Shuffled group labels")
    expect(two.locator("[data-testid=stMain]")).not_to_contain_text("under the prior of the run only")


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

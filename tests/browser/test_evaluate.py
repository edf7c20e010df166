"""The Evaluate page in a real browser: the operating point slides, scores and curves switch, many runs come back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import expect, settled

pytestmark = pytest.mark.browser

CURVE = ".st-key-evaluate-try-group_difference-curve"


@pytest.fixture
def page(app_address: str, open_page: Callable[[str], Any]) -> Any:
    """The page with its first try on screen; no table was opened."""
    opened = open_page(f"{app_address}/evaluate")
    opened.get_by_text("What if the highest scores were called?").wait_for(timeout=60_000)
    opened.locator(f"{CURVE}-figure .scatterlayer .trace").first.wait_for(timeout=60_000)
    settled(opened)
    return opened


def counts(page: Any) -> list[int]:
    """Found, missed, false alarms, rightly left."""
    return [int(text) for text in page.locator(f"{CURVE}-counts h2").all_inner_texts()]


def ring(page: Any) -> Any:
    """The operating point in the picture."""
    return page.locator(f"{CURVE}-figure .scatterlayer .trace").last.locator("path.point")


def test_the_slider_moves_counts_and_ring(page: Any) -> None:
    """One more called is one more found or a false alarm; all called, nothing is left; the other score has its own."""
    found, missed, alarms, _ = counts(page)
    assert found + missed == 3
    called = found + alarms
    before = ring(page).get_attribute("transform")
    handle = page.locator(f"[class*='{CURVE[1:]}-called']").get_by_role("slider")
    handle.focus()
    handle.press("ArrowRight")
    page.get_by_text(f"{called + 1} called").wait_for()
    settled(page)
    more = counts(page)
    assert more[0] + more[2] == called + 1
    assert sum(more) == 12
    expect(ring(page)).not_to_have_attribute("transform", before)
    handle.press("End")
    page.get_by_text("12 called").wait_for()
    settled(page)
    assert counts(page) == [3, 0, 9, 0]
    handle.press("Home")
    page.get_by_text("No variable is called").wait_for()
    page.get_by_role("radio", name="lasso, told the order").click(force=True)
    page.get_by_text("lasso, told the order: AUC").wait_for()
    settled(page)
    assert counts(page) == [0, 3, 0, 9]
    page.get_by_role("radio", name="Precision and recall").click(force=True)
    title = page.locator(f"{CURVE}-figure .ytitle")
    expect(title).to_have_text(["precision (variables called that are changed)"])
    settled(page)
    assert counts(page) == [0, 3, 0, 9]
    assert page.get_by_text("Something went wrong").count() == 0

"""The page for one patient in a real browser: clicks, sliders, typed patients, and whatever may go wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import expect, settled, spot

pytestmark = pytest.mark.browser

MAIN = "[data-testid=stMain]"


def ready(page: Any) -> Any:
    """Wait for the answer and the networks."""
    page.get_by_text(
        "One variable: why"
    ).first.wait_for()  # while it is drawn again the one before may still stand there
    page.locator(".dn-head").first.wait_for()
    settled(page)
    return page


@pytest.fixture(scope="module")
def opened(app_address: str, open_once: Callable[[str], Any]) -> Any:
    """The sample table opened from its card."""
    page = open_once(app_address)
    page.locator(".st-key-start-open-cough_and_smoke button").click()
    return ready(page)


@pytest.fixture
def sample(opened: Any) -> Any:
    """Mrs. Nolan is on screen."""
    opened.get_by_role("radio", name="One patient").click(force=True)
    opened.get_by_role("button", name="Mrs. Nolan").click()
    opened.locator(".dn-title", has_text="Mrs. Nolan, who never smoked").wait_for()
    return ready(opened)


def test_the_sample_shows_the_true_context_and_a_click_its_evidence(sample: Any) -> None:
    """Mrs. Nolan: age drops out of cough; a click on another node shows that one's evidence, words first."""
    sample.get_by_text("With smoking = no, age no longer matters for cough.").first.wait_for()
    box = sample.get_by_role("combobox", name="Variable", exact=True)
    before = box.input_value()

    def unchanged(tip: str) -> bool:
        return tip.startswith("heart_failure\n") and "\nthis patient:" in tip and "other links" not in tip

    assert before != "heart_failure"
    x, y, said = spot(sample, sample.locator(".dn-canvas").first, unchanged)
    sample.mouse.click(x, y)
    now = said.split("\n")[0]
    expect(box).to_have_value(now)
    expect(sample.locator(MAIN)).to_contain_text("it is the only link into its variable")
    assert sample.get_by_text("Something went wrong").count() == 0

"""The page for one patient in a real browser: clicks, sliders, typed patients, and whatever may go wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import expect, open_sample, settled, spot, unfold

pytestmark = pytest.mark.browser

MAIN = "[data-testid=stMain]"
WHY, NETWORKS = "One variable: why", "The patient's network beside the population's"
"""Folds."""


def ready(page: Any) -> Any:
    """Wait for the answer, and open the networks and what stands behind one variable."""
    page.locator(".db-node").first.wait_for()
    settled(page)  # while it is drawn again the one before may still stand there
    for fold in (WHY, NETWORKS):
        unfold(page, fold)
    page.locator(".dn-head").first.wait_for()
    settled(page)
    return page


def pick(page: Any, name: str) -> None:
    """Choose one of the sample's patients in the picker, and close it."""
    page.get_by_role("button", name="Choose the patient").click()
    page.get_by_role("button", name=name).locator("visible=true").click()
    settled(page)
    page.keyboard.press("Escape")
    expect(page.locator("[data-testid=stPopoverBody]")).to_have_count(0)


@pytest.fixture(scope="module")
def opened(app_address: str, open_once: Callable[[str], Any]) -> Any:
    """The sample table opened from its card."""
    page = open_once(app_address)
    open_sample(page, "cough_and_smoke")
    return ready(page)


@pytest.fixture
def sample(opened: Any) -> Any:
    """Mrs. Nolan is on screen."""
    opened.get_by_role("radio", name="One patient").click(force=True)
    pick(opened, "Mrs. Nolan")
    ready(opened)
    opened.locator(".dn-title", has_text="Mrs. Nolan, who never smoked").wait_for()
    return opened


def test_charts_follow_the_page_from_light_to_dark(sample: Any) -> None:
    """Chosen in Streamlit's menu, with no reload: the letters of a chart are light then."""
    letter = sample.locator("[class*='st-key-instance_specific-cards'] .js-plotly-plot .ytick text").first
    letter.wait_for()
    before = letter.evaluate("one => getComputedStyle(one).fill")
    for scheme in ("Dark", "Light"):
        sample.get_by_test_id("stMainMenu").get_by_role("button").click()
        sample.get_by_text(scheme).first.click()
        sample.keyboard.press("Escape")
        if scheme == "Dark":
            expect(letter).not_to_have_css("fill", before)
    expect(letter).to_have_css("fill", before)


def test_the_sample_shows_the_true_context_and_a_click_its_evidence(sample: Any) -> None:
    """Mrs. Nolan: the prediction leads, age drops out of cough; a click on another node shows its evidence."""
    expect(sample.locator(f"{MAIN} h1")).to_contain_text("cough = yes: 11 % for this patient, 22 % of all rows")
    sample.get_by_text("With smoking = no, age no longer matters for cough").first.wait_for()
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

"""The page for one patient in a real browser: all that its first steps leave out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Watch, expect, settled
from tests.browser.test_instance_specific import MAIN, opened, ready, sample

__all__ = ["opened", "sample"]

pytestmark = pytest.mark.browser


@pytest.fixture
def address(page_address: Callable[[str], str]) -> str:
    """The page over its hostile table."""
    return page_address("instance_specific")


def choose(page: Any, label: str, option: str) -> None:
    """Open a select box by its label and take an option."""
    page.get_by_role("combobox", name=label).last.click()
    page.get_by_role("option", name=option, exact=True).last.click()
    settled(page)


def test_hostile_names_are_text(address: str, open_page: Callable[[str], Any], watch: Watch) -> None:
    """The sentence, the networks and the evidence show; no name acted as markup, nothing was fetched outside."""
    page = ready(open_page(address))
    expect(page.locator(MAIN)).to_contain_text("For this patient")
    assert page.locator(f"{MAIN} img[src^='http://evil']").count() == 0
    page.get_by_text("Type a patient").click()
    page.get_by_text("Nothing is known of this patient yet").wait_for()
    expect(page.locator(MAIN)).to_contain_text("<b>age</b>")
    assert watch.outside() == []
    assert not watch.refusals


def test_a_typed_patient_unknown_values_and_a_level_never_seen(address: str, open_page: Callable[[str], Any]) -> None:
    """All unknown has its sentence; a value chosen leaves the boxes open; a level without rows has its sentence."""
    page = ready(open_page(address))
    page.get_by_text("Type a patient").click()
    page.get_by_text("Nothing is known of this patient yet").wait_for()
    choose(page, "plain", ":red[never]")
    page.get_by_text("No row has plain = :red[never]").wait_for()
    expect(page.get_by_text("Nothing is known of this patient yet")).to_have_count(0)
    expect(page.get_by_role("combobox", name="plain").last).to_be_visible()


def test_a_row_with_a_missing_value(address: str, open_page: Callable[[str], Any]) -> None:
    """Its number gets the sentence; one press types what it does say, and the networks are back."""
    page = ready(open_page(address))
    box = page.get_by_role("spinbutton", name="Row (1 to 800)")
    box.fill("5")
    box.press("Enter")
    page.get_by_text("Row 5 lacks a value of 'plain'").wait_for()
    page.get_by_role("button", name="known values of row 5").click()
    ready(page)
    expect(page.locator(MAIN)).to_contain_text("Unknown and therefore in no context: plain")


def test_a_constant_target(address: str, open_page: Callable[[str], Any]) -> None:
    """The engine's sentence; another target is predicted at once."""
    page = ready(open_page(address))
    choose(page, "Predict (optional)", "same")
    page.get_by_text("nothing to predict").wait_for()
    choose(page, "Predict (optional)", "plain")
    page.get_by_text("Predicted: plain").wait_for()
    expect(page.get_by_text("nothing to predict")).to_have_count(0)


def test_the_other_teaching_patient_keeps_all_links(sample: Any) -> None:
    """Mrs. Young smokes: age matters more for her than for others, nothing is dropped, and the layout stays."""
    sample.get_by_role("button", name="Mrs. Young").click()
    sample.get_by_text("With smoking = yes, age matters more for cough.").first.wait_for()
    sample.locator(".dn-title", has_text="Mrs. Young, who smokes").wait_for()


def test_one_picture_holds_both_networks(sample: Any) -> None:
    """The switch leaves one panel, whose legend names what was dropped."""
    sample.get_by_text("In one picture", exact=True).click()
    sample.locator(".dn-title", has_text="The population and Mrs. Nolan").wait_for()
    expect(sample.locator(".dn-head")).to_have_count(1)
    expect(sample.locator(".dn-legend")).to_contain_text("✕ no longer")
    sample.get_by_text("In one picture", exact=True).click()
    expect(sample.locator(".dn-head")).to_have_count(2)


def test_the_slider_answers_while_it_moves(sample: Any) -> None:
    """A step of kappa stands in the sentence within a moment, and no job is drawn."""
    handle = sample.get_by_role("slider").first
    handle.focus()
    handle.press("ArrowRight")
    sample.get_by_text("kappa 0.2,").wait_for()
    handle.press("ArrowRight")
    sample.get_by_text("kappa 0.3,").wait_for()
    assert sample.get_by_role("button", name="Cancel").count() == 0
    handle.press("ArrowLeft")
    handle.press("ArrowLeft")
    sample.get_by_text("kappa 0.1,").wait_for()


def test_many_patients(sample: Any) -> None:
    """The press answers for all rows; groups carry their contexts as names."""
    sample.get_by_text("Many patients").click()
    sample.get_by_role("button", name="Learn the networks of 2,000 patients").click()
    sample.get_by_text("Groups of patients by what changes for them").wait_for()
    expect(sample.locator(MAIN)).to_contain_text("of 2,000 patients")

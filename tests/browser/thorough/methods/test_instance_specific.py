"""The page for one patient in a real browser: all that its first steps leave out."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Watch, expect, settled, unfold
from tests.browser.thorough.methods.test_instance_specific_sample import MAIN, opened, pick, ready, sample

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


def type_a_patient(page: Any) -> None:
    """Open the picker and its boxes; nothing is known yet."""
    page.get_by_role("button", name="Choose the patient").click()
    page.get_by_text("Type a patient").click()
    page.get_by_text("Nothing is known of this patient yet").wait_for()
    settled(page)


def test_hostile_names_are_text(address: str, open_page: Callable[[str], Any], watch: Watch) -> None:
    """The sentence, the networks and the evidence show; no name acted as markup, nothing was fetched outside."""
    page = ready(open_page(address))
    expect(page.locator(MAIN)).to_contain_text("For this patient")
    assert {"<b>age</b>", "</script><i>"} <= set(page.locator(".db-name").all_inner_texts())
    assert page.locator(".db :is(b, i, img, script)").count() == 0
    expect(page.locator(MAIN)).to_contain_text("<b>age</b>")
    type_a_patient(page)
    expect(page.locator("[data-testid=stPopoverBody]")).to_contain_text("<b>age</b>")
    assert page.locator("img[src^='http://evil']").count() == 0
    assert watch.outside() == []
    assert not watch.refusals


def test_a_typed_patient_unknown_values_and_a_level_never_seen(address: str, open_page: Callable[[str], Any]) -> None:
    """All unknown has its sentence; a value chosen leaves the boxes open; a level without rows has its sentence."""
    page = ready(open_page(address))
    type_a_patient(page)
    choose(page, "plain", ":red[never]")
    page.get_by_text("No row has plain = :red[never]").wait_for()
    expect(page.get_by_text("Nothing is known of this patient yet")).to_have_count(0)
    expect(page.get_by_role("combobox", name="plain").last).to_be_visible()


def test_a_row_with_a_missing_value(address: str, open_page: Callable[[str], Any]) -> None:
    """Its number gets the sentence; one press types what it does say, and the networks are back."""
    page = ready(open_page(address))
    page.get_by_role("button", name="Choose the patient").click()
    box = page.get_by_role("spinbutton", name="Row of the table (1 to 800")
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
    page.get_by_text(re.compile(r"plain = .+: \d+\s% \(95\s% interval")).wait_for()
    expect(page.get_by_text("nothing to predict")).to_have_count(0)


def test_the_other_teaching_patient_keeps_all_links(sample: Any) -> None:
    """Mrs. Young smokes: age matters more for her than for others, nothing is dropped, and the layout stays."""
    pick(sample, "Mrs. Young")
    sample.get_by_text("With smoking = yes, age matters more for cough").first.wait_for()
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
    unfold(sample, "Details of the method")
    handle = sample.get_by_role("slider", name="kappa")
    handle.focus()
    handle.press("ArrowRight")
    sample.get_by_text("kappa 0.2,").wait_for()
    handle.press("ArrowRight")
    sample.get_by_text("kappa 0.3,").wait_for()
    assert sample.get_by_role("button", name="Cancel").count() == 0
    handle.press("ArrowLeft")
    handle.press("ArrowLeft")
    sample.get_by_text("kappa 0.1,").wait_for()


def bar(page: Any, name: str, level: str) -> Any:
    """A level of a variable's box in the network of bars."""
    box = page.get_by_role("radiogroup", name=name, exact=True)
    return box.get_by_role("radio", name=re.compile(f"^{re.escape(level)}: "))


def beliefs(page: Any) -> list[str]:
    """What all bars say."""
    return [str(one.get_attribute("aria-label")) for one in page.locator(".db-level").all()]


def test_a_click_on_a_bar_sets_it_and_another_clears_it(sample: Any) -> None:
    """Every bar follows, those against the arrows too; a value of the patient can be taken away; Reset brings all."""
    head = sample.locator(f"{MAIN} p", has_text="Population network with")
    expect(head).to_contain_text("6 of 11 known")
    before, reset = beliefs(sample), sample.get_by_role("button", name="Reset")
    expect(reset).to_be_disabled()
    cough = str(bar(sample, "cough", "yes").get_attribute("aria-label"))
    bar(sample, "phlegm", "yes").click()
    expect(head).to_contain_text("values set here 7 of 11 known")
    expect(bar(sample, "phlegm", "yes")).to_have_attribute("aria-checked", "true")
    expect(bar(sample, "phlegm", "yes")).to_have_attribute(
        "aria-label", re.compile(r"^yes: set here, \d+.% given the others, everybody \d+.%$")
    )
    expect(bar(sample, "cough", "yes")).not_to_have_attribute("aria-label", cough)
    bar(sample, "phlegm", "yes").click()
    expect(head).to_contain_text("6 of 11 known")
    expect(bar(sample, "phlegm", "yes")).to_have_attribute("aria-checked", "false")
    assert beliefs(sample) == before
    bar(sample, "smoking", "no").click()
    expect(head).to_contain_text("5 of 11 known")
    bar(sample, "smoking", "yes").click()
    expect(bar(sample, "cough", "yes")).not_to_have_attribute("aria-label", cough)
    reset.click()
    expect(head).not_to_contain_text("with other values")
    settled(sample)
    assert beliefs(sample) == before
    expect(reset).to_be_disabled()
    assert sample.get_by_text("Something went wrong").count() == 0


def test_a_phone_is_told_that_the_bars_scroll(sample: Any) -> None:
    """Where they stand beyond the edge, and on no wide screen."""
    note = sample.locator(".db-note").first
    expect(note).to_be_empty()
    sample.set_viewport_size({"width": 390, "height": 844})
    expect(note).to_have_text("Swipe or scroll sideways to see the rest.")
    sample.set_viewport_size({"width": 1440, "height": 900})


def test_the_bars_are_used_by_keyboard(sample: Any) -> None:
    """One stop for each box; arrows go round its levels, Enter sets the one that is in focus and keeps it there."""
    stops = sample.locator(".db-node").evaluate_all(
        "all => all.map(one => one.querySelectorAll('.db-level[tabindex=\"0\"]').length)"
    )
    assert stops == [1] * 11
    no, yes = bar(sample, "phlegm", "no"), bar(sample, "phlegm", "yes")
    no.focus()
    sample.keyboard.press("ArrowUp")
    expect(yes).to_be_focused()
    sample.keyboard.press("ArrowDown")
    expect(no).to_be_focused()
    sample.keyboard.press("ArrowDown")
    sample.keyboard.press("Enter")
    expect(yes).to_have_attribute("aria-checked", "true")
    expect(yes).to_be_focused()
    sample.keyboard.press("Enter")
    expect(yes).to_have_attribute("aria-checked", "false")
    expect(sample.get_by_role("button", name="Reset")).to_be_disabled()


def test_many_patients(sample: Any) -> None:
    """The press answers for all rows; groups carry their contexts as names."""
    sample.get_by_text("Many", exact=True).click()
    sample.get_by_role("button", name="Learn the networks of 2,000 patients").click()
    sample.get_by_text("Patients grouped by the links in their networks").wait_for()
    expect(sample.locator(MAIN)).to_contain_text("of 2,000 patients")

"""The associations page in a real browser: all that its first steps leave out."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Watch, expect, settled
from tests.browser.thorough.methods.test_log_linear_sample import MAIN, opened, ready, sample

__all__ = ["opened", "sample"]

pytestmark = pytest.mark.browser


@pytest.fixture
def address(page_address: Callable[[str], str]) -> str:
    """The page over its hostile table."""
    return page_address("log_linear")


def choose(page: Any, label: str, option: str) -> None:
    """Open a select box by its label and take an option."""
    page.get_by_role("combobox", name=label, exact=True).last.click()
    page.get_by_role("option", name=option, exact=True).last.click()
    settled(page)


def test_hostile_names_are_text(address: str, open_page: Callable[[str], Any], watch: Watch) -> None:
    """In every view; no name acted as markup, nothing was fetched outside."""
    page = ready(open_page(address))
    expect(page.locator(MAIN)).to_contain_text(re.compile(r"The strongest of \d+ links"))
    for view in ("What if", "Another criterion", "Stability", "How it was built"):
        page.get_by_role("radio", name=view).click(force=True)
        settled(page)
        assert page.locator(f"{MAIN} img[src^='http://evil']").count() == 0
        assert page.get_by_text("Something went wrong").count() == 0
    assert watch.outside() == []
    assert not watch.refusals


def test_the_slider_replays_the_search(sample: Any) -> None:
    """A step back takes the last link away, in words and in the picture."""
    sample.get_by_text("Step 24: age with income").wait_for()
    handle = sample.get_by_role("slider").last
    handle.focus()
    handle.press("ArrowLeft")
    sample.get_by_text("Step 23: blood_pressure with diabetes").wait_for()
    sample.locator(".dn-title", has_text="After step 23").wait_for()
    expect(sample.locator(".dn-sub").last).to_have_text(re.compile(r"23 links$"))
    handle.press("Home")
    sample.get_by_text("Before the first step").wait_for()
    handle.press("End")
    sample.get_by_text("Step 24: age with income").wait_for()


def test_what_if_prices_applies_and_takes_back(sample: Any) -> None:
    """A missing link has its sentence and price; added it stands beside the model found; undo leaves that alone."""
    sample.get_by_role("radio", name="What if").click(force=True)
    sample.get_by_text("Message length: shorter is better").wait_for()
    choose(sample, "One", "region")
    choose(sample, "and another", "checkup")
    sample.get_by_text("region and checkup: nothing seen. The model has no link between them.").wait_for()
    sample.get_by_text("cost 22.8 bits").wait_for()
    sample.get_by_role("button", name="Add the link").click()
    sample.locator(".dn-title", has_text="The model by hand").wait_for()
    sample.get_by_role("button", name="Undo the last").click()
    sample.locator(".dn-title", has_text="The model by hand").wait_for(state="detached")


def test_two_criteria_on_one_layout(sample: Any) -> None:
    """MML beside SMT: two panels, the links of one only in words and in the legend."""
    sample.get_by_role("radio", name="Another criterion").click(force=True)
    sample.get_by_text("23 links in both.").wait_for()
    sample.locator(".dn-title", has_text="SMT, alpha 0.05").wait_for()
    expect(sample.locator(".dn-legend").last).to_contain_text("only with SMT, alpha 0.05")


def test_the_picture_leaves_with_its_outlines(sample: Any) -> None:
    """The SVG holds the outlines without another box inside, named in words."""
    with sample.expect_download() as waiting:
        sample.get_by_role("button", name="SVG").first.click()
    svg = waiting.value.path().read_text(encoding="utf-8")
    assert svg.count('fill-opacity="') >= 3  # a group that holds a link seen only with others held fixed has none
    assert re.search(r"[a-z_]+, [a-z_]+, [a-z_]+", svg), "the variables of an outline, by name"


def test_the_saved_page_draws_its_outlines_alone(sample: Any, chromium: Any, tmp_path: Path) -> None:
    """Opened from disk it shows the model and asks for nothing."""
    sample.get_by_role("button", name="Export").click()
    with sample.expect_download() as waiting:
        sample.get_by_role("button", name="Web page, opens offline").click()
    file = tmp_path / "model.html"
    file.write_bytes(waiting.value.path().read_bytes())
    page, asked, faults = chromium.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto(file.as_uri())
    inside = page.frame_locator("iframe")
    inside.locator(".dn-title", has_text="The model").wait_for()
    inside.get_by_text("a clique, with its number").wait_for()
    page.wait_for_timeout(500)
    page.close()
    assert not faults
    assert not [one for one in asked if one.startswith("http")]

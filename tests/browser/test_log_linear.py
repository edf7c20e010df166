"""The associations page in a real browser: replay, what-if, clicks into the picture, and hostile names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Watch, expect, settled, spots

pytestmark = pytest.mark.browser

MAIN = "[data-testid=stMain]"


@pytest.fixture
def address(page_address: Callable[[str], str]) -> str:
    """The page over its hostile table."""
    return page_address("log_linear")


def ready(page: Any) -> Any:
    """Wait for the answer and the picture."""
    page.get_by_text("One group, cell by cell").wait_for()
    page.locator(".dn-head").first.wait_for()
    settled(page)
    return page


def choose(page: Any, label: str, option: str) -> None:
    """Open a select box by its label and take an option."""
    page.get_by_role("combobox", name=label, exact=True).last.click()
    page.get_by_role("option", name=option, exact=True).last.click()
    settled(page)


def chosen(page: Any, label: str) -> str:
    """What a select box says."""
    return str(page.get_by_role("combobox", name=label, exact=True).last.input_value())


@pytest.fixture(scope="module")
def opened(app_address: str, open_once: Callable[[str], Any]) -> Any:
    """The sample table opened from its card."""
    page = open_once(app_address)
    page.locator(".st-key-start-open-health_survey button").click()
    return ready(page)


@pytest.fixture
def sample(opened: Any) -> Any:
    """The sample's answer, and how it was built."""
    opened.get_by_role("radio", name="How it was built").click(force=True)
    settled(opened)
    return opened


def test_hostile_names_are_text(address: str, open_page: Callable[[str], Any], watch: Watch) -> None:
    """In every view; no name acted as markup, nothing was fetched outside."""
    page = ready(open_page(address))
    expect(page.locator(MAIN)).to_contain_text("hang together")
    for view in ("What if", "Another criterion", "How sure", "How it was built"):
        page.get_by_role("radio", name=view).click(force=True)
        settled(page)
        assert page.locator(f"{MAIN} img[src^='http://evil']").count() == 0
        assert page.get_by_text("Something went wrong").count() == 0
    assert watch.outside() == []
    assert not watch.refusals


def test_a_click_inside_an_outline_shows_the_groups_mosaic(sample: Any) -> None:
    """A walk over the picture hits an outline; the select box, the sentence and the mosaic follow."""
    before = chosen(sample, "Group")
    walk = spots(sample.locator(".dn-canvas").first, columns=20, rows=9)
    middle = walk[len(walk) // 2]
    between = [(x, y) for x, y, said in walk if not said]  # on a box or a line a click asks for something else
    for x, y in sorted(between, key=lambda at: (at[0] - middle[0]) ** 2 + (at[1] - middle[1]) ** 2):
        sample.mouse.click(x, y)
        settled(sample)
        if chosen(sample, "Group") != before:
            break
    now = chosen(sample, "Group")
    assert now != before
    name = now.split(": ")[1].split(", ")[0]
    expect(sample.locator(MAIN)).to_contain_text(name)
    sample.locator("[class*='st-key-log_linear-mosaic'] .barlayer").first.wait_for()
    assert sample.get_by_text("Something went wrong").count() == 0


def test_the_slider_replays_the_search(sample: Any) -> None:
    """A step back takes the last link away, in words and in the picture."""
    sample.get_by_text("Step 24: age with income").wait_for()
    handle = sample.get_by_role("slider").last
    handle.focus()
    handle.press("ArrowLeft")
    sample.get_by_text("Step 23: blood_pressure with diabetes").wait_for()
    sample.locator(".dn-title", has_text="After step 23").wait_for()
    expect(sample.locator(".dn-sub").last).to_contain_text("23 of 24 links")
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
    """The SVG holds the groups' outlines, named in words."""
    with sample.expect_download() as waiting:
        sample.get_by_role("button", name="SVG").first.click()
    svg = waiting.value.path().read_text(encoding="utf-8")
    assert svg.count('fill-opacity="') >= 6
    assert "age, sex, education" in svg


def test_the_saved_page_draws_its_outlines_alone(sample: Any, chromium: Any, tmp_path: Path) -> None:
    """Opened from disk it shows the model and asks for nothing."""
    sample.get_by_text("Take it away: tables").click()
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
    inside.get_by_text("a group, with its number").wait_for()
    page.wait_for_timeout(500)
    page.close()
    assert not faults
    assert not [one for one in asked if one.startswith("http")]

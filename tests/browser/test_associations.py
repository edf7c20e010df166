"""The associations page in a real browser: replay, what-if, clicks into the picture, and hostile names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import PAGES, Watch, server

pytestmark = pytest.mark.browser

MAIN = "[data-testid=stMain]"
PATIENT = 30_000


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The page over its hostile table."""
    with server(PAGES / "associations.py") as here:
        yield here


def ready(page: Any) -> Any:
    """Wait for the answer and the picture."""
    page.get_by_text("One group, cell by cell").wait_for(timeout=60_000)
    page.locator(".dn-head").first.wait_for(timeout=PATIENT)
    settled(page)
    return page


def settled(page: Any) -> None:
    """Wait until the server has said its last."""
    page.wait_for_timeout(300)
    page.locator("[data-testid=stStatusWidget]").wait_for(state="detached", timeout=PATIENT)


def choose(page: Any, label: str, option: str) -> None:
    """Open a select box by its label and take an option."""
    page.get_by_role("combobox", name=label, exact=True).last.click()
    page.get_by_role("option", name=option, exact=True).last.click()
    settled(page)


def chosen(page: Any, label: str) -> str:
    """What a select box says."""
    return str(page.get_by_role("combobox", name=label, exact=True).last.input_value())


@pytest.fixture
def sample(app_address: str, open_page: Callable[[str], Any]) -> Any:
    """The sample table opened from its card."""
    page = open_page(app_address)
    page.locator(".st-key-start-open-health_survey button").click()
    return ready(page)


def test_hostile_names_are_text(address: str, open_page: Callable[[str], Any], watch: Watch) -> None:
    """In every view; no name acted as markup, nothing was fetched outside."""
    page = ready(open_page(address))
    assert "hang together" in page.inner_text(MAIN)
    for view in ("What if", "Another criterion", "How sure", "How it was built"):
        page.get_by_role("radio", name=view).click(force=True)
        settled(page)
        assert page.locator(f"{MAIN} img[src^='http://evil']").count() == 0
        assert page.get_by_text("Something went wrong").count() == 0
    assert watch.outside() == []
    assert not watch.refusals


def test_a_click_inside_an_outline_shows_the_groups_mosaic(sample: Any) -> None:
    """A walk over the picture hits an outline; the select box, the sentence and the mosaic follow."""
    canvas = sample.locator(".dn-canvas").first.bounding_box()
    before = now = chosen(sample, "Group")
    for step in range(1, 40):  # along a line through the outlines, until one other than the chosen is hit
        x, y = canvas["x"] + canvas["width"] * step / 40, canvas["y"] + canvas["height"] * 0.53
        sample.mouse.click(x, y)
        for _ in range(8):
            sample.wait_for_timeout(100)
            if (now := chosen(sample, "Group")) != before:
                break
        if now != before:
            break
    assert now != before
    settled(sample)
    name = now.split(": ")[1].split(", ")[0]
    assert name in sample.inner_text(MAIN)
    sample.locator("[class*='st-key-associations-mosaic'] .barlayer").first.wait_for(timeout=PATIENT)
    assert sample.get_by_text("Something went wrong").count() == 0


def test_the_slider_replays_the_search(sample: Any) -> None:
    """A step back takes the last link away, in words and in the picture."""
    sample.get_by_text("Step 24: age with income").wait_for(timeout=PATIENT)
    handle = sample.get_by_role("slider").last
    handle.focus()
    handle.press("ArrowLeft")
    sample.get_by_text("Step 23: blood_pressure with diabetes").wait_for(timeout=PATIENT)
    sample.locator(".dn-title", has_text="After step 23").wait_for(timeout=PATIENT)
    assert "23 of 24 links" in sample.locator(".dn-sub").last.inner_text()
    handle.press("Home")
    sample.get_by_text("Before the first step").wait_for(timeout=PATIENT)


def test_what_if_prices_applies_and_takes_back(sample: Any) -> None:
    """A missing link has its sentence and price; added it stands beside the model found; undo leaves that alone."""
    sample.get_by_role("radio", name="What if").click(force=True)
    sample.get_by_text("Message length: shorter is better").wait_for(timeout=PATIENT)
    choose(sample, "One", "region")
    choose(sample, "and another", "checkup")
    sample.get_by_text("region and checkup are independent").wait_for(timeout=PATIENT)
    sample.get_by_text("cost 22.8 bits").wait_for(timeout=PATIENT)
    sample.get_by_role("button", name="Add the link").click()
    sample.locator(".dn-title", has_text="The model by hand").wait_for(timeout=PATIENT)
    sample.get_by_role("button", name="Undo the last").click()
    sample.locator(".dn-title", has_text="The model by hand").wait_for(state="detached", timeout=PATIENT)


def test_two_criteria_on_one_layout(sample: Any) -> None:
    """MML beside SMT: two panels, the links of one only in words and in the legend."""
    sample.get_by_role("radio", name="Another criterion").click(force=True)
    sample.get_by_text("23 links in both.").wait_for(timeout=PATIENT)
    sample.locator(".dn-title", has_text="SMT, alpha 0.05").wait_for(timeout=PATIENT)
    assert "only with SMT, alpha 0.05" in sample.locator(".dn-legend").last.inner_text()


def test_the_picture_leaves_with_its_outlines(sample: Any) -> None:
    """The SVG holds the groups' outlines, named in words."""
    with sample.expect_download() as waiting:
        sample.get_by_role("button", name="SVG").first.click()
    svg = waiting.value.path().read_text(encoding="utf-8")
    assert svg.count('fill-opacity="') >= 6
    assert "age, sex, education" in svg


def test_the_saved_page_draws_its_outlines_alone(sample: Any, chromium: Any, tmp_path: Path) -> None:
    """Opened from disk it shows the model and asks for nothing."""
    sample.get_by_text("Take it away").click()
    with sample.expect_download() as waiting:
        sample.get_by_role("button", name="Web page, opens offline").click()
    file = tmp_path / "model.html"
    file.write_bytes(waiting.value.path().read_bytes())
    page, asked, faults = chromium.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto(file.as_uri())
    inside = page.frame_locator("iframe")
    inside.locator(".dn-title", has_text="The model").wait_for(timeout=PATIENT)
    inside.get_by_text("a group, with its number").wait_for(timeout=PATIENT)
    page.wait_for_timeout(500)
    page.close()
    assert not faults
    assert not [one for one in asked if one.startswith("http")]

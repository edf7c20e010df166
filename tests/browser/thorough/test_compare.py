"""From a sample with two groups to its starred comparison and the report, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Watch, expect, open_sample, settled

pytestmark = pytest.mark.browser

MAIN = "[data-testid=stMain]"


class Clicks:
    """A reader's presses, counted."""

    def __init__(self, page: Any) -> None:
        self.page, self.many = page, 0

    def press(self, what: Any) -> None:
        """Press something and let the page come to rest."""
        what.click()
        self.many += 1
        settled(self.page)


def button(page: Any, name: str) -> Any:
    """A button by its name."""
    return page.get_by_role("button", name=name).first


@pytest.fixture(scope="module")
def compared(app_address: str, open_once: Callable[[str], Any]) -> Clicks:
    """The sample's two languages, compared."""
    page = open_once(app_address)
    clicks = Clicks(page)
    open_sample(page, "boredom")
    clicks.many += 2  # the list of the others, and the table
    settled(page)
    page.locator(".dr-field svg").first.wait_for()
    button(page, "Compare these groups").wait_for(timeout=120_000)
    clicks.press(button(page, "Compare these groups"))
    page.locator(f"{MAIN} h1").wait_for()
    page.locator(".dn-head").nth(2).wait_for()
    settled(page)
    return clicks


def test_under_ten_clicks_lead_to_the_sentence(compared: Clicks, watch: Watch) -> None:
    """Which link differs, with sign and where; how sure that is; three networks on the first screen."""
    page = compared.page
    assert compared.many < 10
    assert page.inner_text(f"{MAIN} h1") == (
        "1 of 28 links probably differs: stimulation – sit_around is stronger in fr: −.08 in en, +.25 in fr."
    )
    expect(page.locator(MAIN)).to_contain_text("would be missed 1 time in 5 (power 80")
    assert page.locator(".dn-head").nth(2).bounding_box()["y"] < 900
    assert watch.outside() == []
    assert not watch.refusals


def test_a_click_on_a_row_lights_the_link_everywhere(compared: Clicks) -> None:
    """The reading names it, and so does the list."""
    page = compared.page
    page.locator(".js-plotly-plot .scatterlayer .point").first.wait_for()
    before = page.locator(MAIN).inner_text()
    point = page.locator(".js-plotly-plot .x2y .scatterlayer .point").last.bounding_box()  # of the last row
    page.mouse.click(point["x"] + point["width"] / 2, point["y"] + point["height"] / 2)
    settled(page)
    page.wait_for_function("before => document.querySelector('[data-testid=stMain]').innerText !== before", arg=before)
    expect(page.locator(MAIN)).to_contain_text("p =")


def test_a_kept_comparison_is_a_chapter_of_the_report(compared: Clicks, tmp_path: Path) -> None:
    """Starred by one press, it stands among the results; the report opens with its sentence and picture."""
    page = compared.page
    said = page.inner_text(f"{MAIN} h1")
    compared.press(button(page, "Keep this comparison"))
    expect(page.locator("[data-testid=stSidebar]")).to_contain_text("In the report as")
    compared.press(page.get_by_test_id("stSidebarNavLink").filter(has_text="Results"))
    compared.press(page.get_by_role("radio", name="Report"))
    expect(page.locator(MAIN)).to_contain_text("chapter")
    with page.expect_download() as waiting:
        compared.press(button(page, "Make the report"))
    path = tmp_path / "report.html"
    waiting.value.save_as(path)
    text = path.read_text(encoding="utf-8")
    assert said in text and "stroke='#DD8432'" in text

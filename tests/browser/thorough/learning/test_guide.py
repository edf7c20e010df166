"""The guide in a browser: from a page to its part and on within one tab, and as a folder without any server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Watch, expect, open_sample, profile, settled
from tests.thorough.test_guide import built

pytestmark = pytest.mark.browser

MAIN = "[data-testid=stMain]"
LINK = """() => {
    const link = document.createElement("a");
    link.href = "guide?page=glossary#prior";
    link.textContent = "a term";
    document.querySelector("[data-testid=stMain] h1").append(link);
}"""
"""A link to a term, as tooltips have them."""


def test_help_leads_to_the_part_and_links_go_on_in_the_same_tab(
    app_address: str, open_page: Callable[[str], Any], watch: Watch
) -> None:
    """Help, a link in the text to its top, a term to its place, and the table is still open; nobody else is asked."""
    page = open_page(app_address)
    open_sample(page, "two_hospitals")
    settled(page)
    page.get_by_role("link", name="Help").click()
    expect(page.locator(f"{MAIN} h1")).to_have_text("Group differences")
    assert page.locator(f"{MAIN} img").first.evaluate("picture => picture.naturalWidth") > 500
    page.locator(f"{MAIN} a[href^='guide?page=calibration']").first.click()
    expect(page.locator(f"{MAIN} h1")).to_contain_text("sentences are worth")
    expect(page.locator(f"{MAIN} h1")).to_be_in_viewport()
    page.locator("[data-testid=stSidebarNav]").get_by_role("link", name="Data").click()
    settled(page)
    page.evaluate(LINK)
    page.get_by_text("a term").click()
    expect(page.locator("#prior")).to_be_in_viewport()
    assert page.evaluate("location.search") == "?page=glossary"
    expect(page.get_by_text("Forget this table now")).to_be_visible()
    assert len(page.context.pages) == 1
    assert watch.outside() == []


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_no_page_of_the_guide_is_wider_than_the_screen(
    app_address: str, open_page: Callable[[str], Any], width: int
) -> None:
    """Tables and pictures stay within the column, and the list of pages beside or below it."""
    page = open_page(f"{app_address}/guide?page=group-difference")
    page.set_viewport_size({"width": width, "height": 900})
    expect(page.locator(f"{MAIN} h1")).to_have_text("Group differences")
    settled(page)
    assert page.evaluate(f"(e => e.scrollWidth - e.clientWidth)(document.querySelector('{MAIN}'))") == 0


def test_the_folder_opens_without_a_server(chromium: Any, tmp_path: Path) -> None:
    """From a file: pages with their pictures and styles, and nothing is asked of a network."""
    site, requests = built("html", tmp_path / "site"), []
    page = profile(chromium)
    page.on("request", lambda request: requests.append(request.url))
    page.goto((site / "guide" / "first-table.html").as_uri())
    expect(page.locator("h1")).to_contain_text("My first table")
    assert page.locator("article img").first.evaluate("picture => picture.naturalWidth") > 500
    page.get_by_role("link", name="Glossary").first.click()
    expect(page.locator("h1")).to_contain_text("Glossary")
    page.context.close()
    assert requests and all(one.startswith(("file:", "data:")) for one in requests)

"""Your own truth in a real browser: files are dropped, names stay text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Watch

pytestmark = pytest.mark.browser

MAIN = "[data-testid=stMain]"
PATIENT = 30_000


@pytest.fixture
def address(page_address: Callable[[str], str]) -> str:
    """The page."""
    return page_address("evaluate")


def settled(page: Any) -> None:
    """Wait until the server has said its last."""
    page.wait_for_timeout(300)
    page.locator("[data-testid=stStatusWidget]").wait_for(state="detached", timeout=PATIENT)


def view(page: Any, *names: str) -> Any:
    """Choose a view, and what there is in it."""
    for name in names:
        page.get_by_role("radio", name=name, exact=True).click(force=True)
        settled(page)
    return page


def test_a_true_network_is_compared_from_files(app_address: str, open_page: Callable[[str], Any], watch: Watch) -> None:
    """Two files are dropped; the picture has its words; no name acted as markup, nothing was fetched outside."""
    page = view(open_page(f"{app_address}/evaluate"), "Your own truth", "A found network with one you know")
    page.get_by_text("The network found (edge list").wait_for(timeout=PATIENT)
    page.locator("input[type=file]").nth(1).wait_for(state="attached", timeout=PATIENT)
    settled(page)  # the upload of the view before is gone
    name = "![p](http://evil.example/p.png)"
    for place, text in enumerate((f'from,to\n"{name}",b\nb,c\n', f'from,to,score\nb,"{name}",2\nb,<i>d</i>,1\n')):
        page.locator("input[type=file]").nth(place).set_input_files(
            {"name": "<b>edges</b>.csv", "mimeType": "text/csv", "buffer": text.encode()}
        )
        page.get_by_text("<b>edges</b>.csv, <b>edges</b>.csv" if place else ": <b>edges</b>.csv").wait_for(
            timeout=PATIENT
        )
        settled(page)
    page.get_by_text("1 of 2 true links was found, and 1 false one.").wait_for(timeout=PATIENT)
    page.locator(".dn-title", has_text="What was found").wait_for(timeout=PATIENT)
    assert "only found: not there" in page.locator(".dn-legend").inner_text()
    assert page.locator(f"{MAIN} img[src^='http']").count() == 0
    assert watch.outside() == []
    assert not watch.refusals


def test_an_example_needs_no_file(address: str, open_page: Callable[[str], Any]) -> None:
    """The curve of the made-up scores stands after one click."""
    page = view(open_page(address), "Your own truth")
    page.get_by_role("button", name="Show me an example").click()
    page.get_by_text("171 of 180 rows count").wait_for(timeout=PATIENT)
    page.locator("[class*='st-key-evaluate-own-roc'] .scatterlayer .js-line").first.wait_for(timeout=PATIENT)

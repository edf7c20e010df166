"""Networks that can be read: how large their letters are, that no box covers another, and whose the wheel is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import PATIENCE, settled, still

pytestmark = pytest.mark.browser

MEASURE = """() => [...window.diptychPictures].flatMap((all) => all.views.map(({ network, nodes, canvas, frame }) => {
    const boxes = nodes.getIds().map((id) => network.getBoundingBox(id)), frames = frame.getBoundingClientRect();
    const covered = boxes.filter((a, i) => boxes.some((b, j) =>
        i < j && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
    const letters = Math.min(...nodes.get().map((node) => node.font.size));
    return { letters: letters * network.getScale(), covered: covered.length, left: frames.left, top: frames.top,
        wide: canvas.clientWidth, words: nodes.get().map((node) => node.label) };
}))"""
SCREENS = {1440: 900, 1024: 768, 390: 844}
READ = 11 - 0.01
"""Pixels of a letter that can be read, but for rounding."""


def until(page: Any, there: Callable[[], bool]) -> None:
    """Wait for something that no selector says; the pages' policy lets Playwright's own waiting evaluate nothing."""
    for _ in range(PATIENCE // 100):
        if there():
            return
        page.wait_for_timeout(100)
    raise AssertionError("it did not come about")


@pytest.fixture
def shown(open_page: Callable[[str], Any], page_address: Callable[[str], str]) -> Any:
    """A page with three networks of so many variables."""

    def opened(nodes: int) -> Any:
        page = open_page(f"{page_address('networks')}&nodes={nodes}")
        page.wait_for_selector(".dn-canvas canvas")
        settled(page)
        pages.append(page)
        return page

    pages: list[Any] = []
    yield opened
    for page in pages:
        page.set_viewport_size({"width": 1440, "height": 900})  # the tab goes on to other tests


@pytest.mark.parametrize("nodes", [10, 30, 60])
def test_names_can_be_read_on_every_screen(shown: Callable[[int], Any], nodes: int) -> None:
    """Letters of eleven pixels and more, no box over another, names in whole words, one below another on a phone."""
    page = shown(nodes)
    for width, height in SCREENS.items():
        page.set_viewport_size({"width": width, "height": height})
        still(page.locator(".dn-canvas").first)
        panels = page.evaluate(MEASURE)
        assert [panel["covered"] for panel in panels] == [0, 0, 0]
        assert min(panel["letters"] for panel in panels) >= READ
        words = {word for label in panels[0]["words"] for word in label.split()}
        assert words <= {word for i in range(nodes) for word in f"marker {i} of panel {i % 4} sym_{i}".split()}
    assert len({panel["left"] for panel in panels}) == 1
    assert len({panel["top"] for panel in panels}) == 3
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_wheel_scrolls_the_page(shown: Callable[[int], Any]) -> None:
    """Over a network the wheel moves the page to its end and not the picture; with Ctrl it is the other way."""
    page = shown(30)
    place = still(page.locator(".dn-canvas").first)
    page.mouse.move(place["x"] + place["width"] / 2, min(place["y"] + 100, 800))
    main = page.get_by_test_id("stMain")
    left = "e => e.scrollHeight - e.clientHeight - e.scrollTop"
    before, letters = main.evaluate(left), page.evaluate(MEASURE)[0]["letters"]
    assert before > 100
    page.keyboard.down("Control")
    page.mouse.wheel(0, -120)
    until(page, lambda: page.evaluate(MEASURE)[0]["letters"] > letters + 0.1)
    page.keyboard.up("Control")
    assert main.evaluate(left) == before
    letters = page.evaluate(MEASURE)[0]["letters"]
    page.mouse.wheel(0, 20_000)
    until(page, lambda: main.evaluate(left) < 2)
    assert page.evaluate(MEASURE)[0]["letters"] == letters

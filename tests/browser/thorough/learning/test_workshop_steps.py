"""Stepping through GES in a real browser: buttons, keys and slider agree, boxes stand still, drawers open."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from tests.browser.conftest import expect, settled

pytestmark = pytest.mark.browser

NETWORK = "[class*=st-key-workshop-steps-network] canvas"


@pytest.fixture
def page(app_address: str, open_page: Callable[[str], Any]) -> Any:
    """The workshop with a search on a sample; no table was opened."""
    opened = open_page(f"{app_address}/workshop")
    settled(opened)
    opened.get_by_text("Step through a search", exact=True).first.click()
    opened.get_by_role("heading", name="Step 1 of").wait_for()
    settled(opened)
    return opened


def choose(page: Any, label: str, option: str) -> None:
    """Take one of a list in the sidebar."""
    from playwright.sync_api import TimeoutError  # not installed everywhere

    entry = page.get_by_role("option", name=option, exact=True)
    for _ in range(5):  # a list that opens while the page is drawn closes again
        page.get_by_test_id("stSidebar").get_by_role("combobox", name=label).first.click()
        with suppress(TimeoutError):
            entry.click(timeout=3000)
            break
    settled(page)


def test_a_stepped_ges(page: Any) -> None:
    """On by button and key, back by key, to the end by button; the slider follows; nothing jumps."""
    choose(page, "Search", "GES")
    page.get_by_role("heading", name="Step 1 of 8: insert").wait_for()
    picture = page.locator(NETWORK).first.bounding_box()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("heading", name="Step 2 of 8").wait_for()
    page.keyboard.press("n")
    page.get_by_role("heading", name="Step 3 of 8").wait_for()
    page.keyboard.press("b")
    page.get_by_role("heading", name="Step 2 of 8").wait_for()
    slider = page.get_by_role("slider", name="Step")
    expect(slider).to_have_value("2")
    slider.focus()
    slider.press("ArrowRight")
    page.get_by_role("heading", name="Step 3 of 8").wait_for()
    page.get_by_role("button", name="Last").click()
    page.get_by_role("heading", name="Step 8 of 8: deleting links ends").wait_for()
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    settled(page)
    assert page.locator(NETWORK).first.bounding_box() == picture


def test_drawers_say_why_and_from_what(page: Any) -> None:
    """A refused candidate has its reason, and the parts have the equation, set in type, and its terms."""
    settled(page)
    page.get_by_text("Why not another?").click()
    page.get_by_text("gains the same; among equals").wait_for()
    settled(page)
    page.get_by_text("The score's parts").click()
    page.locator(".katex").first.wait_for()
    page.get_by_text("equation 3 of Sverchkov & Cooper 2015").wait_for()


def test_the_circle_of_pc_is_whole_on_a_small_laptop(page: Any) -> None:
    """No box is cut at the side, so that nothing has to be dragged."""
    page.set_viewport_size({"width": 1024, "height": 768})
    choose(page, "Search", "PC (stable)")
    page.get_by_role("heading", name="Step 1 of 48").wait_for()
    expect(page.get_by_text("Drag to see the rest.")).to_be_hidden()


@pytest.mark.parametrize("width", [1440, 1024])
def test_picture_and_candidates_stand_on_the_first_screen(page: Any, width: int) -> None:
    """At both sizes, side by side, with nothing wider than the screen."""
    height = 900 if width == 1440 else 768
    page.set_viewport_size({"width": width, "height": height})
    settled(page)
    picture, table = (
        page.locator(NETWORK).first.bounding_box(),
        page.get_by_test_id("stDataFrame").first.bounding_box(),
    )
    for shape in (picture, table):
        assert shape["y"] + shape["height"] <= height
        assert shape["x"] + shape["width"] <= width
    assert picture["x"] + picture["width"] <= table["x"]

"""The page of ordinal networks in a real browser: from its card to items, links, and other views of the picture."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import PATIENCE, expect, open_sample, settled

pytestmark = pytest.mark.browser

MAIN = "[data-testid=stMain]"
READ = 11 - 0.01
"""Pixels of a letter that can be read, but for rounding."""
LETTERS = """all => Math.min(...all.map((text) =>
    parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))"""
"""The least size of letters as they are on the screen."""
COUNT_RUNS = """() => {
    window.runs = 0;
    new MutationObserver(() => { window.runs += 1; }).observe(document.querySelector("[data-testid=stApp]"),
        { attributes: true, attributeFilter: ["data-test-script-state"] });
}"""
"""From now on every change of the script's state is counted."""
POINT = """line => {
    const at = line.getPointAtLength(line.getTotalLength() * 0.4).matrixTransform(line.getScreenCTM());
    return [at.x, at.y];
}"""
"""Where on the screen a line is, nearer to its beginning."""


def ready(page: Any) -> Any:
    """Wait for the answer and the picture."""
    ring(page).first.wait_for()
    page.get_by_text("Look closer").wait_for()
    settled(page)
    return page


def ring(page: Any, name: str = "") -> Any:
    """The rings of the picture, or that of an item."""
    return page.locator(f".rings-node[aria-label^='{name}']" if name else ".rings-node")


def line(page: Any, *ends: str) -> Any:
    """The links of the picture that are drawn, or that of two items; an upright line has no width to be visible by."""
    wanted = "".join(f"[aria-label*='{end}']" for end in ends)
    return page.locator(f".rings-link{wanted}:not([style*='display: none'])")


def picked(page: Any, kind: str) -> Any:
    """What the picture draws as looked at."""
    return page.locator(f".rings-{kind}.dr-lit")


def press(page: Any, name: str) -> None:
    """One of the picture's own buttons."""
    page.locator(".dr-tools").get_by_role("button", name=name, exact=True).click()


def least(page: Any) -> Any:
    """The slider of the picture."""
    return page.get_by_role("slider", name="Draw links of at least this size")


def heading(page: Any, text: str) -> Any:
    """What the card on the right is about."""
    return page.locator(f"{MAIN} [data-testid=stMarkdown] strong", has_text=re.compile(text))


@pytest.fixture(scope="module")
def once(app_address: str, open_once: Callable[[str], Any]) -> Any:
    """The sample table opened from its card."""
    page = open_once(app_address)
    open_sample(page, "symptoms")
    ready(page)
    # half samples run by themselves; when they end the picture is drawn anew, under any click that is on its way
    expect(page.get_by_text("In the background:")).to_have_count(0, timeout=3 * PATIENCE)
    return ready(page)


@pytest.fixture
def opened(once: Any) -> Any:
    """The page as it begins: lines, by springs."""
    press(once, "Spring")
    press(once, "Lines")
    return once


def test_the_sample_leads_to_its_network(opened: Any) -> None:
    """From its card, without a setting."""
    expect(opened.locator(f"{MAIN} h1")).to_contain_text(
        re.compile(r"\d+ links are clear; the largest estimate is between")
    )
    expect(opened.locator(MAIN)).to_contain_text("550 rows are as informative about a link as")
    expect(ring(opened)).to_have_count(12)


def test_a_click_on_a_ring_shows_the_item(opened: Any) -> None:
    """Its levels with their shares and its curve on the right; the ring is marked."""
    ring(opened, "guilt").locator("circle").last.click()
    settled(opened)
    expect(heading(opened, "^guilt$")).to_be_visible()
    opened.get_by_text("Levels from low to high").wait_for()
    opened.locator("[class*='st-key-ordinal-card-cuts'] .scatterlayer").first.wait_for()
    expect(picked(opened, "node")).to_have_count(1)
    expect(picked(opened, "node")).to_have_attribute("aria-label", re.compile("^guilt"))


def test_a_click_on_a_line_shows_the_link(opened: Any) -> None:
    """Both coefficients on the right; the line and its ends are marked."""
    target = line(opened, "low_mood", "guilt")
    target.scroll_into_view_if_needed()
    opened.mouse.click(*target.locator("path").last.evaluate(POINT))
    settled(opened)
    expect(heading(opened, r"low_mood [→–—-]+ guilt")).to_be_visible()
    expect(opened.locator(MAIN)).to_contain_text("given all other variables")
    expect(picked(opened, "link")).to_have_count(1)
    expect(picked(opened, "node")).to_have_count(2)


def test_the_keyboard_does_the_same(opened: Any) -> None:
    """Tab walks over the lines, then the rings; Enter shows one, and leaves the focus on it; a space does so too."""
    least(opened).focus()
    opened.keyboard.press("Tab")
    focus = opened.locator(".rings-link:focus, .rings-node:focus")
    expect(focus).to_have_attribute("class", re.compile("rings-link"))
    ends = [part.split("\n")[0] for part in focus.get_attribute("aria-label").split(" – ")]
    opened.keyboard.press("Enter")
    settled(opened)
    expect(heading(opened, f"({ends[0]}.*{ends[1]}|{ends[1]}.*{ends[0]})")).to_be_visible()
    expect(focus).to_have_class(re.compile("dr-lit"))
    for _ in range(line(opened).count()):
        opened.keyboard.press("Tab")
    expect(focus).to_have_attribute("class", re.compile("rings-node"))
    name = focus.get_attribute("aria-label").split("\n")[0]
    opened.keyboard.press("Space")
    settled(opened)
    expect(heading(opened, f"^{name}$")).to_be_visible()
    expect(focus).to_have_class(re.compile("dr-lit"))


def test_threshold_layouts_and_arrows_answer_without_a_run(opened: Any) -> None:
    """Fewer lines, other places, heads; the server is asked nothing until an item is clicked."""
    opened.evaluate(COUNT_RUNS)
    begun, text = line(opened).count(), opened.locator(".dr-least").inner_text()
    least(opened).focus()
    opened.keyboard.press("End")
    expect(line(opened)).to_have_count(0)
    expect(opened.locator(".dr-least")).to_have_text("Links of at least .60")
    opened.keyboard.press("Home")
    all_lines = opened.locator(".rings-link").count()
    expect(line(opened)).to_have_count(all_lines)
    assert 0 < begun < all_lines
    while opened.locator(".dr-least").inner_text() != text:
        opened.keyboard.press("ArrowRight")
    expect(line(opened)).to_have_count(begun)
    places = set()
    for layout in ("Spring", "Circle", "Layers"):
        press(opened, layout)
        places.add(str(opened.locator(".rings-node > circle:first-of-type").evaluate_all(
            "all => all.map((disc) => [disc.getAttribute('cx'), disc.getAttribute('cy')])")))  # fmt: skip
        assert opened.locator(".rings-link polygon").count() == 0
    assert len(places) == 3
    press(opened, "Arrows")
    expect(least(opened)).to_be_hidden()
    assert opened.locator(".rings-link polygon").count() > 0
    opened.wait_for_timeout(1000)
    assert opened.evaluate("window.runs") == 0
    ring(opened, "fatigue").locator("circle").last.click()
    settled(opened)
    assert opened.evaluate("window.runs") > 0


@pytest.mark.parametrize("width", [1440, 1024])
def test_letters_can_be_read(opened: Any, width: int) -> None:
    """Eleven pixels and more on every layout, nothing beside the picture's field."""
    opened.set_viewport_size({"width": width, "height": 900})
    opened.wait_for_timeout(500)
    for layout in ("Layers", "Circle", "Spring"):
        press(opened, layout)
        assert opened.locator(".dr-field text").evaluate_all(LETTERS) >= READ
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
    opened.set_viewport_size({"width": 1440, "height": 900})


def test_the_legend_explains_what_is_left_and_a_phone_has_the_picture_whole(opened: Any) -> None:
    """Signs of lines that the slider leaves out are left out too; a phone's picture does not scroll."""
    press(opened, "Lines")
    shown = opened.locator("g:has(> [data-explains]):visible")
    least(opened).focus()
    opened.keyboard.press("Home")
    expect(shown).to_have_count(3)
    opened.keyboard.press("End")
    expect(shown).to_have_count(0)
    opened.set_viewport_size({"width": 390, "height": 844})
    opened.wait_for_timeout(500)
    for layout in ("Layers", "Circle", "Spring"):
        press(opened, layout)
        assert opened.locator(".dr-field").evaluate("field => field.scrollWidth <= field.clientWidth")
    opened.set_viewport_size({"width": 1440, "height": 900})

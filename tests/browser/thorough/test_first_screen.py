"""The first screen of every page: few words, the main picture whole, and nothing that axe-core finds fault with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import PATIENCE, expect, open_sample, settled

pytestmark = pytest.mark.browser

PAGES = {
    "start": "",
    "group differences": "two_hospitals",
    "one patient": "cough_and_smoke",
    "associations": "health_survey",
    "ordinal networks": "two_questionnaires",
    "class networks": "regions",
}
"""Page -> the sample table that leads to it from Start."""
WIDE, SMALL = (1440, 900), (1024, 768)
MOST_WORDS = 150
STREAMLITS = {
    "list": ["[data-testid=stSidebarNavItems]"],
    "listitem": ["[data-testid=stSidebarNavItems]"],
    "presentation-role-conflict": ["[data-testid=stFileUploaderDropzone]"],
    "empty-table-header": ["[data-testid=stDataFrame]"],
    "color-contrast": ["[data-testid=stCode]"],  # its colours of code
    "scrollable-region-focusable": ["[data-testid=stCode]"],
}
"""Faults of Streamlit 1.67.0's own elements, by axe-core's rule: where they are."""
WORDS = r"""() => {
    const main = document.querySelector("[data-testid=stMainBlockContainer]"), found = [];
    const walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const drawn = ".dn, .db, .dr, svg, .js-plotly-plot, [data-testid=stDataFrame], [data-testid=stIconMaterial],"
        + "[class*=st-key-guide-help]";
    while (walk.nextNode()) {
        const text = walk.currentNode, element = text.parentElement, fold = element.closest("details:not([open])");
        if (element.closest(drawn) || (fold && !element.closest("summary"))) continue;
        if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        const range = document.createRange();
        range.selectNode(text);
        const box = range.getBoundingClientRect();
        if (!box.height || box.bottom <= 0 || box.top >= innerHeight) continue;
        found.push(...(text.data.match(/\p{L}{2,}/gu) || []));
    }
    return found;
}"""
"""The words in the main column that begin above the bottom edge, outside of pictures, tables and closed folds; and
without the way to the guide, which stands in the corner beside Streamlit's menu."""


@pytest.fixture(scope="module", params=PAGES)
def shown(request: pytest.FixtureRequest, app_address: str, open_once: Callable[[str], Any]) -> Iterator[Any]:
    """The name of a page, and the page as a reader finds it who comes from Start."""
    page = open_once(app_address)
    if PAGES[request.param]:
        open_sample(page, PAGES[request.param])
        page.locator(".dn-canvas, .db-field, .dr-field svg").first.wait_for(state="attached")
        expect(page.get_by_role("button", name="Cancel")).to_have_count(0, timeout=3 * PATIENCE)
        expect(page.get_by_text("In the background:")).to_have_count(0, timeout=3 * PATIENCE)
    settled(page)
    yield request.param, page
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(dict(zip(("width", "height"), WIDE, strict=True)))


def main_picture(page: Any, name: str) -> Any:
    """The picture that the page is about."""
    own = {"start": "img[alt*='network']", "one patient": ".db-field", "ordinal networks": ".dr-field svg"}
    return page.locator(own.get(name, ".dn-canvas")).first


@pytest.mark.parametrize("size", [WIDE, SMALL], ids="{0[0]}x{0[1]}".format)
def test_few_words_and_the_whole_picture(shown: tuple[str, Any], size: tuple[int, int]) -> None:
    """Before anything is opened or scrolled."""
    name, page = shown
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    page.get_by_test_id("stMain").evaluate("one => one.scrollTo(0, 0)")
    page.wait_for_timeout(500)
    settled(page)
    words = page.evaluate(WORDS)
    assert 10 < len(words) <= MOST_WORDS, " ".join(words)
    box = main_picture(page, name).bounding_box()
    assert box["height"] > 100
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= size[1], box
    assert page.get_by_test_id("stMain").evaluate("one => one.scrollTop") == 0


@pytest.fixture(scope="module")
def axe() -> str:
    """The script of axe-core."""
    import axe_playwright_python  # as late as Playwright itself, without which these tests only skip

    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def faults(page: Any, axe: str) -> list[str]:
    """What axe-core finds in what is ours."""
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{fault['id']} {node['target']}: {node['html'][:200]}"
        for fault in found["violations"]
        for node in fault["nodes"]
        if not is_streamlits(page, fault["id"], node["target"])
    ]


def is_streamlits(page: Any, rule: str, target: list[Any]) -> bool:
    """Whether the fault is one that Streamlit is known for, at its own element."""
    inside = ", ".join(f"{place}, {place} *" for place in STREAMLITS.get(rule, ()))
    return bool(inside) and bool(page.locator(str(target[-1])).first.evaluate(f"one => one.matches({inside!r})"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_what_is_ours(shown: tuple[str, Any], axe: str, scheme: str) -> None:
    """Contrast, order of headings, names of controls, and all else that it looks for."""
    _, page = shown
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size(dict(zip(("width", "height"), WIDE, strict=True)))
    page.wait_for_timeout(1000)
    settled(page)
    assert faults(page, axe) == []
    page.keyboard.press("r")  # what a script draws in the colours of a scheme is drawn anew
    page.wait_for_timeout(1000)
    settled(page)
    assert faults(page, axe) == []


OTHERS = ("Compare", "Data", "Evaluate", "Results", "Workshop")
"""Pages that are no method's."""


@pytest.fixture(scope="module")
def with_answer(app_address: str, open_once: Callable[[str], Any]) -> Any:
    """A page on which a sample was opened and answered."""
    page = open_once(app_address)
    open_sample(page, "two_hospitals")
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0, timeout=3 * PATIENCE)
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", OTHERS)
def test_axe_finds_nothing_on_the_other_pages(with_answer: Any, axe: str, name: str, scheme: str) -> None:
    """As they are, with a table and an answer; and with the menu over them, which Streamlit takes for light."""
    page = with_answer
    page.emulate_media(color_scheme=scheme)
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=name, exact=True).click()
    settled(page)
    page.wait_for_timeout(1500)
    settled(page)
    assert faults(page, axe) == []
    menu = page.get_by_test_id("stMain").get_by_role("button", name="Export")
    if menu.count():
        menu.first.click()
        page.get_by_test_id("stPopoverBody").wait_for()
        page.wait_for_timeout(500)
        assert faults(page, axe) == []
        page.keyboard.press("Escape")


@pytest.mark.parametrize("size", [WIDE, SMALL], ids="{0[0]}x{0[1]}".format)
def test_compare_begins_with_an_example(
    app_address: str, open_once: Callable[[str], Any], size: tuple[int, int]
) -> None:
    """A sentence, two networks, few words, before there is a table."""
    page = open_once(f"{app_address}/compare")
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    page.locator(".dn-canvas").first.wait_for(state="attached")
    page.wait_for_timeout(500)
    settled(page)
    words = page.evaluate(WORDS)
    assert 10 < len(words) <= MOST_WORDS, " ".join(words)
    box = page.locator(".dn-canvas").first.bounding_box()
    assert box["y"] + box["height"] <= size[1]


@pytest.mark.parametrize("size", [WIDE, SMALL], ids="{0[0]}x{0[1]}".format)
def test_the_workshop_begins_with_a_sample_network(
    app_address: str, open_once: Callable[[str], Any], size: tuple[int, int]
) -> None:
    """A sentence, the network whole, few words, before there is a table."""
    page = open_once(f"{app_address}/workshop")
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    page.locator(".dw-field").wait_for(state="attached")
    page.wait_for_timeout(500)
    settled(page)
    words = page.evaluate(WORDS)
    assert 10 < len(words) <= MOST_WORDS, " ".join(words)
    box, card = (page.locator(css).bounding_box() for css in (".dw-field", ".dw"))
    assert box["y"] + box["height"] <= size[1]
    assert box["x"] + box["width"] <= card["x"] + card["width"] + 1


def test_on_a_phone_the_list_of_pages_goes_once_one_is_chosen(
    app_address: str, open_once: Callable[[str], Any]
) -> None:
    """It covers the page there; on a wide screen it stays."""
    page = open_once(app_address)
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("[data-testid=stExpandSidebarButton]").click()
    page.get_by_role("link", name="Guide").click()
    expect(page.locator("[data-testid=stExpandSidebarButton]")).to_be_visible(timeout=PATIENCE)
    page.set_viewport_size({"width": 1440, "height": 900})

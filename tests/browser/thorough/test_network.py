"""The network component in a real browser: clicks, drags, sync, hostile names, pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Watch, expect, settled, spot, spots, still

pytestmark = pytest.mark.browser


LINES = """() => [...window.diptychPictures].flatMap((all) => all.views.map(({ edges }) =>
    edges.get().filter((edge) => !edge.hidden).length))"""
"""How many lines each panel has."""
ROWS = ("512", "498", "1,010")
"""Rows of each panel."""


@pytest.fixture
def address(page_address: Callable[[str], str]) -> str:
    return page_address("networks")


@pytest.fixture
def page(open_page: Callable[[str], Any], address: str) -> Any:
    shown = open_page(address)
    shown.wait_for_selector(".dn-canvas canvas")
    shown.get_by_text("picked: None").wait_for()
    settled(shown)
    return shown


def find(page: Any, name: str) -> None:
    box = page.get_by_placeholder("Find a variable")
    box.fill(name)
    box.press("Enter")


def canvas(page: Any, panel: int) -> Any:
    return page.locator(".dn-canvas").nth(panel)


def node(page: Any, panel: int, name: str) -> tuple[float, float]:
    """Where a variable's box is drawn: where the tip begins with its name."""
    return spot(page, canvas(page, panel), lambda said: said.split("\n")[0] == name)[:2]


def nothing(page: Any, panel: int) -> tuple[float, float]:
    """The last place of a panel with neither box nor line."""
    return next(reversed([(x, y) for x, y, said in spots(canvas(page, panel), 20, 12) if not said]))


def test_click_on_a_node_picks_it_and_beside_clears_it(page: Any) -> None:
    """A click comes back as the variable's name; a click on nothing clears the choice."""
    page.mouse.click(*node(page, 1, "age"))
    page.get_by_text("picked: age").wait_for()
    settled(page)
    page.mouse.click(*nothing(page, 0))
    page.get_by_text("picked: None").wait_for()


def test_click_on_an_arc_names_both_ends(page: Any) -> None:
    """An arc answers with its ends and its panel."""
    page.mouse.click(*spot(page, canvas(page, 2), lambda said: " → " in said)[:2])
    expect(page.get_by_text("edge: (")).to_contain_text(", 2)")


def test_drag_is_kept_and_seen_in_every_panel(page: Any) -> None:
    """A dragged node is reported, stays, and has moved in the other panels too."""
    start = node(page, 0, "age")
    left, right = still(canvas(page, 0)), still(canvas(page, 1))
    end = left["x"] + 0.8 * left["width"], left["y"] + 0.85 * left["height"]
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=6)
    page.mouse.up()
    page.get_by_text("moved: age").wait_for()
    settled(page)
    page.mouse.click(right["x"] + 0.8 * right["width"], right["y"] + 0.85 * right["height"])
    page.get_by_text("picked: age").wait_for()


def test_search_picks_by_part_of_a_name(page: Any) -> None:
    """Typing part of a name and Enter selects the variable."""
    find(page, "smoking")
    page.get_by_text("picked: smoking status at baseline").wait_for()


def test_the_slider_of_links_hides_those_below_it_and_counts_the_others(
    open_page: Callable[[str], Any], address: str
) -> None:
    """Between its ends it draws the likelier ones; what is hidden has no tip; the page is not asked, nor forgets it."""
    page = open_page(f"{address}&least=1")
    page.wait_for_selector(".dn-canvas canvas")
    settled(page)
    handle = page.get_by_role("slider", name="Draw links of at least this probability")
    expect(page.locator(".dn-least")).to_have_text("P(link) ≥ 50\u00a0%")
    seen = []
    for key, least in (("Home", 10), ("ArrowRight", 50), ("End", 90)):
        handle.press(key)
        expect(page.locator(".dn-least")).to_have_text(f"P(link) ≥ {least}\u00a0%")
        lines = page.evaluate(LINES)
        said = [f"{rows} rows, {many} link{'s' * (many != 1)} drawn" for rows, many in zip(ROWS, lines, strict=True)]
        assert page.locator(".dn-sub").all_inner_texts() == said
        seen.append(lines)
    assert all(every > some > few > 0 for every, some, few in zip(*seen, strict=True))
    arcs = {said for _, _, said in spots(canvas(page, 0), 60, 40) if " → " in said}
    assert 0 < len(arcs) <= seen[-1][0]
    assert page.get_by_text("edge: None").count() == 1
    find(page, "smoking")
    page.get_by_text("picked: smoking").wait_for()
    settled(page)
    assert page.evaluate(LINES) == seen[-1]


def test_hostile_names_draw_as_text(page: Any, watch: Watch) -> None:
    """Names that are markup neither run nor load, in any panel, tooltip or list."""
    page.get_by_text("The networks as text").click()
    said = {tip.split("\n")[0] for _, _, tip in spots(canvas(page, 0), 30, 20)}
    assert "<img src=http://evil.example/x onerror=alert(1)>" in said
    assert page.title() != "ran"
    assert page.locator(".dn img, .dn script, .dn b").count() == 0
    expect(page.locator(".dn-title").nth(1)).to_have_text("Treated <b>arm</b>")
    assert watch.refusals == []


def test_one_panel_can_take_the_whole_width(page: Any) -> None:
    """Enlarge hides the other panels and back again."""
    before = still(canvas(page, 0))["width"]
    page.get_by_role("button", name="Enlarge").first.click()
    page.get_by_role("button", name="Show all").first.wait_for()
    assert still(canvas(page, 0))["width"] > 1.9 * before
    page.get_by_role("button", name="Show all").first.click()
    expect(page.get_by_role("button", name="Show all")).to_have_count(0)
    assert still(canvas(page, 0))["width"] == pytest.approx(before, abs=2)


def test_pictures_carry_titles_and_legend(page: Any, tmp_path: Path) -> None:
    """The SVG is well formed and has title, every name and the legend; the PNG is a picture."""
    with page.expect_download() as saved:
        page.get_by_role("button", name="SVG").click()
    file = tmp_path / "networks.svg"
    saved.value.save_as(file)
    texts = [one.text for one in ET.parse(file).iter("{http://www.w3.org/2000/svg}text")]  # noqa: S314
    assert {"Placebo", "Treated <b>arm</b>", "in both", "only in placebo", "reversed"} <= set(texts)
    with page.expect_download() as saved:
        page.get_by_role("button", name="PNG").click()
    saved.value.save_as(tmp_path / "networks.png")
    assert (tmp_path / "networks.png").read_bytes().startswith(b"\x89PNG")


def test_standalone_page_draws_without_any_request(chromium: Any, tmp_path: Path) -> None:
    """The downloaded page opens from disk, draws, runs nothing hostile and asks for nothing."""
    from dashboard.network.standalone import standalone_html
    from tests.dashboard.network.test_panel import HOSTILE, PANEL, PLACES

    file = tmp_path / "networks.html"
    file.write_text(standalone_html([PANEL, PANEL], PLACES, HOSTILE), encoding="utf-8")
    page = chromium.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    page.frame_locator("iframe").locator(".dn-canvas canvas").first.wait_for()
    page.wait_for_timeout(300)
    assert [one for one in asked if not one.startswith(("file:", "about:", "data:", "blob:"))] == []
    page.close()


def test_a_link_bends_around_a_box_that_stands_in_its_way(page: Any) -> None:
    """A third box on the middle of a link: the link runs beside it; away from there it is straight."""
    smooth = page.evaluate("""() => {
        const [all] = window.diptychPictures, [view] = all.views, [edge] = view.edges.get();
        const third = view.nodes.getIds().find((id) => id !== edge.from && id !== edge.to);
        return [0, 5000].map((x) => {
            for (const id of view.nodes.getIds()) view.network.moveNode(id, 0, -5000);
            view.network.moveNode(edge.from, -300, 0);
            view.network.moveNode(edge.to, 300, 0);
            view.network.moveNode(third, x, 0);
            view.network.redraw();
            all.bend();
            return Boolean(view.edges.get(edge.id).smooth);
        });
    }""")
    assert smooth == [True, False]

"""The report in a real browser: it asks for nothing, fits the window, and prints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import engine
import sample_data

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def opened(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, list[str], list[str]]]:
    """A report of two answers on a page of its own, what that asked for, and what it complained about."""
    path: Path = tmp_path_factory.mktemp("report") / "report.html"
    data = sample_data.dataset("two_hospitals")
    results = [engine.GroupDifference(group="hospital").run(data), engine.LogLinear().run(data)]
    engine.report(results, path, data=data)
    page = chromium.new_page(viewport={"width": 1024, "height": 800})
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.on("console", lambda one: said.append(one.text))
    page.goto(path.as_uri())
    yield page, asked, said
    page.close()


def test_only_the_file_is_asked_for(opened: tuple[Any, list[str], list[str]]) -> None:
    """No picture, font, style or script from anywhere, and no word from the content policy."""
    page, asked, said = opened
    assert [one for one in asked if not one.endswith("/report.html")] == []
    assert len(asked) == 1
    assert said == []
    assert page.evaluate("document.scripts.length") == 0


@pytest.mark.parametrize("width", [1440, 1024, 800])
def test_nothing_is_wider_than_the_window(opened: tuple[Any, list[str], list[str]], width: int) -> None:
    """The page itself never scrolls sideways."""
    page, _, _ = opened
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_no_name_leaves_its_box(opened: tuple[Any, list[str], list[str]]) -> None:
    """Measured in the browser's own font."""
    page, _, _ = opened
    wider = page.evaluate(
        """() => [...document.querySelectorAll("figure svg g")].filter((group) => {
            const box = group.querySelector("rect").getBBox();
            return [...group.querySelectorAll("text")].some((text) => text.getBBox().width > box.width);
        }).map((group) => group.textContent)"""
    )
    assert wider == []


def count_pages(printed: bytes) -> int:
    """Pages of a PDF."""
    return len(re.findall(rb"/Type\s*/Page\b", printed))


def test_it_prints_on_a4(opened: tuple[Any, list[str], list[str]]) -> None:
    """Closed, at most 3 pages and 4 a result; opened, all tables, on A4, none shrunk to fit."""
    page, _, _ = opened
    assert 4 < count_pages(page.pdf(prefer_css_page_size=True)) <= 3 + 4 * 2
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    printed = page.pdf(prefer_css_page_size=True)
    assert count_pages(printed) > 3 + 4 * 2
    sizes = {tuple(round(float(x)) for x in one.split()) for one in re.findall(rb"/MediaBox\s*\[([^\]]*)\]", printed)}
    assert sizes <= {(0, 0, 595, 842), (0, 0, 842, 595), (0, 0, 596, 842), (0, 0, 595, 843)}
    assert b"/Font" in printed
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 657, "height": 990})  # an A4 page between its margins
    wide = page.evaluate(
        """[...document.querySelectorAll("table, figure svg")].map((one) => one.getBoundingClientRect().right)"""
    )
    page.emulate_media(media="screen")
    assert max(wide) <= 658

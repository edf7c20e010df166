"""The papers and your own truth in a real browser: clicks open runs, files are dropped, names stay text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Watch
from tests.dashboard.app_pages.stored_runs import made_up

pytestmark = pytest.mark.browser

MAIN = "[data-testid=stMain]"
PATIENT = 30_000


@pytest.fixture
def address(page_address: Callable[[str], str]) -> str:
    """The page over made-up runs."""
    return page_address("evaluate_papers")


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


@pytest.fixture(scope="module")
def opened(page_address: Callable[[str], str], open_once: Callable[[str], Any]) -> Any:
    """The papers."""
    return view(open_once(page_address("evaluate_papers")), "The papers")


@pytest.fixture
def papers(opened: Any) -> Any:
    """The papers, group differences."""
    page = view(opened, "Group differences")
    page.locator(".scatterlayer .point").first.wait_for(timeout=PATIENT)
    return page


def test_a_true_network_is_compared_from_files(address: str, open_page: Callable[[str], Any], watch: Watch) -> None:
    """Two files are dropped; the picture has its words; no name acted as markup, nothing was fetched outside."""
    page = view(open_page(address), "Your own truth", "A true network and one found")
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
    page.get_by_text("1 of 2 true links was found, and 1 that is not there.").wait_for(timeout=PATIENT)
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


def test_a_row_and_a_point_open_their_run(papers: Any) -> None:
    """The heading names the cell that was clicked, and the curve is drawn."""
    table = papers.locator("[class*='st-key-evaluate-papers-table']")
    first = made_up("group_difference").compared.iloc[0]
    table.first.evaluate("one => one.scrollIntoView({block: 'center'})")
    settled(papers)
    box = table.bounding_box()
    papers.mouse.click(box["x"] + 17, box["y"] + 52)  # the mark of the first row
    wanted = papers.get_by_role("heading", name=f"{first['data']}, {first['kind']}, draws 1, rows {first['rows']:,}")
    wanted.wait_for(timeout=PATIENT)
    settled(papers)
    figure = papers.locator("[class*='st-key-evaluate-papers-figure']")
    points = figure.locator(".scatterlayer .trace:has(.point) .point")
    figure.first.evaluate("one => one.scrollIntoView({block: 'center'})")
    settled(papers)
    for number in range(points.count()):
        place = points.nth(number).bounding_box()
        if place is not None and place["width"] < 16:
            papers.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
            settled(papers)
            papers.wait_for_timeout(500)
            if not wanted.is_visible():
                break
    wanted.wait_for(state="detached", timeout=PATIENT)
    said = "p swaps the scores of whole pairs. The printed p and those of the table below are DeLong's"
    assert papers.get_by_text(said).count() == 1
    assert papers.get_by_text("Something went wrong").count() == 0


@pytest.mark.parametrize("name", ["Networks of one patient", "Associations"])
def test_the_other_papers_show_their_runs(papers: Any, name: str) -> None:
    """Dots of the runs, the command, and a table that leaves as CSV."""
    view(papers, name)
    papers.get_by_text("mean of").wait_for(timeout=PATIENT)
    papers.locator("[class*='st-key-evaluate-papers-runs'] .scatterlayer .point").first.wait_for(timeout=PATIENT)
    assert "python -m benchmarks.papers" in papers.get_by_test_id("stCode").last.inner_text()
    with papers.expect_download() as waiting:
        papers.get_by_role("button", name="This table").click()
    saved = waiting.value.path().read_text(encoding="utf-8-sig")
    assert "printed" in saved.splitlines()[0]
    assert len(saved.splitlines()) >= 2

"""The page of class networks in a real browser: a sample from its card to a verdict, a family and a subject."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import expect, open_sample, settled, spot

pytestmark = pytest.mark.browser

MAIN = "[data-testid=stMain]"


def ready(page: Any) -> Any:
    """Wait for the answer and the picture."""
    page.get_by_text("of the class, balanced accuracy was as high").first.wait_for()
    page.locator(".dn-head").first.wait_for()
    page.get_by_text("How well the class networks classify").first.wait_for()
    settled(page)
    return page


@pytest.fixture(scope="module")
def opened(app_address: str, open_once: Callable[[str], Any]) -> Any:
    """The sample table opened from its card."""
    page = open_once(app_address)
    open_sample(page, "regions")
    return ready(page)


def test_the_sample_leads_to_the_links_that_were_planted(opened: Any) -> None:
    """From its card, without a setting: the sentence has the accuracy, the line below the link and its shifts."""
    head = opened.locator(f"{MAIN} h1")
    expect(head).to_contain_text(
        re.compile(r"beats chance \(50\s%\): balanced accuracy 84\s%\s.* on 40 held-\u2060?out subjects")
    )
    sure = opened.locator(MAIN)
    expect(sure).to_contain_text(re.compile(r"posterior cingulate shifts hippocampus L a step later by up to 36\spp"))
    expect(sure).to_contain_text(
        "In none of 200 permutations of the class, balanced accuracy was as high: p at most .005."
    )
    expect(opened.locator(MAIN)).to_contain_text("3 links gain more than the best of at least 95 % of permutations")
    expect(opened.locator(MAIN)).to_contain_text(re.compile(r"Sensitivity\s*81\s%\s\([^)]*\),\s13\sof\s16"))
    assert (
        opened.get_by_role("combobox", name="Family, the largest gain first")
        .input_value()
        .startswith("posterior cingulate → hippocampus L")
    )


def test_a_click_on_a_link_shows_its_family(opened: Any) -> None:
    """The select box, the sentence and the tables follow."""
    canvas = opened.locator(".dn-canvas").first
    x, y, _ = spot(opened, canvas, lambda said: "thalamus R (t) → parahippocampal R (t+1)" in said)
    opened.mouse.click(x, y)
    settled(opened)
    family = opened.get_by_role("combobox", name="Family, the largest gain first")
    assert family.input_value().startswith("thalamus R → parahippocampal R")
    opened.get_by_text("parahippocampal R (t+1)").first.wait_for()

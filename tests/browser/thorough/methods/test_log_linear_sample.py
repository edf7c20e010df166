"""The associations page in a real browser: replay, what-if, clicks into the picture, and hostile names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import expect, open_sample, settled, spots

pytestmark = pytest.mark.browser

MAIN = "[data-testid=stMain]"


def ready(page: Any) -> Any:
    """Wait for the answer and the picture."""
    page.get_by_text("Variables looked at together").wait_for()
    page.locator(".dn-head").first.wait_for()
    settled(page)
    return page


def chosen(page: Any, label: str) -> str:
    """What a select box says."""
    return str(page.get_by_role("combobox", name=label, exact=True).last.input_value())


@pytest.fixture(scope="module")
def opened(app_address: str, open_once: Callable[[str], Any]) -> Any:
    """The sample table opened from its card."""
    page = open_once(app_address)
    open_sample(page, "health_survey")
    return ready(page)


@pytest.fixture
def sample(opened: Any) -> Any:
    """The sample's answer, and how it was built."""
    opened.get_by_role("radio", name="How it was built").click(force=True)
    settled(opened)
    return opened


def test_a_click_inside_an_outline_shows_the_groups_mosaic(sample: Any) -> None:
    """A walk over the picture hits an outline; the select box, the sentence and the mosaic follow."""
    before = chosen(sample, "Variables looked at together")
    walk = spots(sample.locator(".dn-canvas").first, columns=20, rows=9)
    middle = walk[len(walk) // 2]
    between = [(x, y) for x, y, said in walk if not said]  # on a box or a line a click asks for something else
    for x, y in sorted(between, key=lambda at: (at[0] - middle[0]) ** 2 + (at[1] - middle[1]) ** 2):
        sample.mouse.click(x, y)
        settled(sample)
        if chosen(sample, "Variables looked at together") != before:
            break
    now = chosen(sample, "Variables looked at together")
    assert now != before
    name = now.split(": ")[1].split(", ")[0]
    expect(sample.locator(MAIN)).to_contain_text(name)
    sample.locator("[class*='st-key-log_linear-mosaic'] .barlayer").first.wait_for()
    assert sample.get_by_text("Something went wrong").count() == 0

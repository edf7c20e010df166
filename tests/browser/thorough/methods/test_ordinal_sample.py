"""The page of ordinal networks in a real browser: from its card to a link, another reading and the averaged network."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import PATIENCE, expect, open_sample, settled, spot

pytestmark = pytest.mark.browser

MAIN = "[data-testid=stMain]"


def ready(page: Any) -> Any:
    """Wait for the answer and the picture."""
    page.locator(".dn-head").first.wait_for()
    page.get_by_text("Look closer").wait_for()
    settled(page)
    return page


@pytest.fixture(scope="module")
def opened(app_address: str, open_once: Callable[[str], Any]) -> Any:
    """The sample table opened from its card."""
    page = open_once(app_address)
    open_sample(page, "symptoms")
    ready(page)
    # half samples run by themselves; when they end the networks are drawn anew, under any click that is on its way
    expect(page.get_by_text("In the background:")).to_have_count(0, timeout=3 * PATIENCE)
    return ready(page)


def test_the_sample_leads_to_its_network(opened: Any) -> None:
    """From its card, without a setting."""
    expect(opened.locator(f"{MAIN} h1")).to_contain_text("join all 12 variables")
    expect(opened.locator(MAIN)).to_contain_text("550 rows tell as much as")


def test_a_click_on_a_link_shows_its_card(opened: Any) -> None:
    """The box and the sentences follow."""
    canvas = opened.locator(".dn-canvas").first
    ends = re.compile(r"low_mood [→–—-]+ guilt")  # a line where too few halves of the rows turn it alike
    x, y, _ = spot(opened, canvas, lambda said: ends.match(said) is not None)
    opened.mouse.click(x, y)
    settled(opened)
    expect(opened.locator(f"{MAIN} strong", has_text=ends)).to_be_visible()
    opened.get_by_text("Partial correlation of the latent values").wait_for()

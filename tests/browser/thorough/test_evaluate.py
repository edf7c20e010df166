"""The Evaluate page in a real browser: all that its first steps leave out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import expect
from tests.browser.test_evaluate import page

__all__ = ["page"]

pytestmark = pytest.mark.browser


def test_truth_beside_found_and_the_same_again(page: Any) -> None:
    """Two panels for either group; many runs can be stopped, and end with a mean and a curve."""
    expect(page.locator(".dn-title")).to_have_text(["Group original: the truth", "Group original: found"])
    page.get_by_role("radio", name="Group perturbed").click(force=True)
    expect(page.locator(".dn-title")).to_have_text(["Group perturbed: the truth", "Group perturbed: found"])
    page.get_by_role("button", name="Repeat 20 times").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Stopped. Nothing was changed").wait_for()
    page.get_by_role("button", name="Repeat 20 times").click()
    page.get_by_text("All runs as one").wait_for(timeout=120_000)
    page.get_by_text("Over 20 runs the AUC is").wait_for()
    page.locator(".st-key-evaluate-try-group_difference-repeat-runs .scatterlayer .trace").nth(3).wait_for()

"""Jobs from a real browser: cancel, a queue in which nobody waits for another user, and tabs that are closed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Watch, expect
from tests.dashboard.jobs.test_runner import dead, until

pytestmark = pytest.mark.browser


@pytest.fixture
def address(page_address: Callable[[str], str]) -> str:
    return page_address("jobs")


def process_of(page: Any) -> int:
    page.get_by_text("spinning").wait_for()
    page.get_by_role("button", name="Add").click()  # a re-run shows the process id
    line = page.get_by_text(re.compile(r"burn running None process [1-9]"))
    line.wait_for()
    return int(line.inner_text().rsplit(" ", 1)[1])


def test_cancel_frees_the_core_and_nobody_waits_for_another(
    open_page: Callable[[str], Any], address: str, watch: Watch
) -> None:
    """The core is free (test_runner says how soon), another user's job runs beside, figures draw under the policy."""
    one, two = open_page(address), open_page(address)
    one.get_by_role("button", name="Burn").click()
    pid = process_of(one)
    one.get_by_text("next in the queue").wait_for()
    two.get_by_role("button", name="Add").click()
    two.get_by_text("add done 5").wait_for()
    one.get_by_role("button", name="Cancel").first.click()
    until(lambda: dead(pid), 15.0)
    one.get_by_text("Stopped.").wait_for()
    one.get_by_text("add done 5").wait_for()
    expect(two.get_by_text("process")).to_have_count(1)
    one.locator(".js-plotly-plot .bars path").first.wait_for()
    assert watch.refusals == []


def test_a_closed_tab_stops_its_work(open_page: Callable[[str], Any], address: str) -> None:
    """When a tab is gone for good, its job ends too."""
    page = open_page(f"{address}&patience=1")
    page.get_by_role("button", name="Burn").click()
    pid = process_of(page)
    page.context.close()
    until(lambda: dead(pid), 15.0)

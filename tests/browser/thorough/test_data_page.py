"""The data page in a real browser: an upload, an edit typed into the table, a download."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tests.browser.conftest import settled, still
from tests.browser.test_data_page import page

__all__ = ["page"]

pytestmark = pytest.mark.browser


def test_a_click_on_a_row_opens_the_column(page: Any) -> None:
    """Anywhere on the row of `score`; the arrow keys go on from there."""
    page.locator("[data-testid='stDataFrame'] canvas").first.wait_for()
    frame = page.locator("[data-testid='stDataFrame']").first
    still(frame)
    frame.hover(position={"x": 90, "y": 38 + 35 * 2 + 17})
    frame.click(position={"x": 90, "y": 38 + 35 * 2 + 17})
    page.wait_for_selector("text=continuous, because it has 80 different numbers")
    settled(page)  # a table that is being drawn takes no key
    page.keyboard.press("ArrowUp")
    page.wait_for_selector("text=its words form a known scale, from 'low' to 'high'")


def test_a_kind_typed_into_the_table(page: Any) -> None:
    """Writing 'leave out' into the first row's cell takes the column out of the data set."""
    page.get_by_text("Edit many at once").click()
    page.wait_for_selector("[data-testid='stDataFrame'] canvas")
    settled(page)
    frame = page.locator("[data-testid='stDataFrame']").first
    still(frame)
    frame.click(position={"x": 28 + 140 + 40, "y": 52})
    page.keyboard.press("Enter")
    page.locator("#portal input").wait_for()
    page.keyboard.type("leave out")
    page.locator("#portal [role=option]", has_text="leave out").wait_for()
    page.keyboard.press("Enter")
    page.wait_for_selector("text=4 of 5 columns are")


def test_the_report_downloads_safe_for_spreadsheets(page: Any, tmp_path: Path) -> None:
    """A column called =1+2 arrives as text, under a plain file name."""
    page.get_by_role("tab", name="Import report").click()
    with page.expect_download() as caught:
        page.get_by_role("button", name="Report (CSV)").click()
    file = tmp_path / "report.csv"
    caught.value.save_as(file)
    assert caught.value.suggested_filename == "diptych-import-report.csv"
    text = file.read_text(encoding="utf-8-sig")
    assert "'=1+2" in text
    assert "\n=1+2" not in text


def test_a_table_is_opened_by_its_path(open_page: Callable[[str], Any], app_address: str, tmp_path: Path) -> None:
    """Typed, looked at, read where it lies; the card says so, and groups are compared."""
    file = tmp_path / "trial.parquet"
    pd.DataFrame({"arm": ["A", "B"] * 200, "ill": ["no", "yes", "no", "no"] * 100}).to_parquet(file)
    tab = open_page(f"{app_address}/data")
    box = tab.get_by_placeholder("the whole path")
    box.fill("/dev/zero")
    box.press("Enter")
    tab.wait_for_selector("text='zero' is a device")
    box.fill(str(file))
    box.press("Enter")
    tab.wait_for_selector("text=400 rows, 2 columns")
    tab.get_by_role("button", name="Open by path").click()
    tab.wait_for_selector("text=400 rows and 2 variables are ready")
    tab.get_by_role("link", name="Compare two groups").click()
    tab.get_by_role("button", name="Compare").first.click()
    tab.wait_for_selector("text=n = 200")

"""Saving in a real browser: the file arrives, the page then lets its reader go, and opening it asks first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import engine
from tests.browser.conftest import expect, profile, settled
from tests.dashboard.jobs.test_runner import until

pytestmark = pytest.mark.browser

TABLE = ("id;sex;pain;sleep\n" + "1;f;none;good\n2;m;mild;bad\n3;f;severe;bad\n4;m;none;good\n" * 40).encode()

LEAVING = """() => {
  const leaving = new Event("beforeunload", {cancelable: true});
  window.dispatchEvent(leaving);
  return leaving.defaultPrevented;
}"""


def with_table(page: Any, address: str) -> None:
    """A page with a table of its own and an answer."""
    page.goto(f"{address}/data")
    page.locator("input[type=file]").first.set_input_files(
        {"name": "mine.csv", "mimeType": "text/csv", "buffer": TABLE}
    )
    page.get_by_role("tab", name="Rows", exact=True).wait_for()
    page.get_by_role("link", name="Associations").first.click()
    page.get_by_role("button", name="Find the links").first.click()
    page.get_by_text("Results so far").wait_for()


def test_what_is_saved_can_be_left_and_opened(chromium: Any, app_address: str, tmp_path: Path) -> None:
    """Before it the browser would ask; then not; the file is whole, and takes no place without a word."""
    page = profile(chromium)
    with_table(page, app_address)
    page.get_by_role("link", name="All results").first.click()
    page.get_by_text("Save and open").click()
    until(lambda: page.evaluate(LEAVING))
    settled(page)  # a page that is drawn anew between press and file has forgotten the file
    with page.expect_download() as arriving:
        page.get_by_role("button", name="Save", exact=True).click()
    path = tmp_path / "mine.diptych"
    arriving.value.save_as(path)
    project = engine.load(path)
    assert isinstance(project, engine.Project)
    assert len(project.analyses) == 1
    until(lambda: not page.evaluate(LEAVING))
    page.locator("input[type=file]").first.set_input_files(path)
    expect(page.get_by_text("takes the place of")).to_contain_text("the open table mine.csv")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("takes the place of")).to_have_count(0)
    page.context.close()

"""The data page in a real browser: an upload, an edit typed into the table, a download."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Watch, settled

pytestmark = pytest.mark.browser

HOSTILE = "![p](http://outside.example/p.png)"
CSV = f"arm;stage;score;{HOSTILE};=1+2\n" + "".join(
    f"{'AB'[i % 2]};{['low', 'mid', 'high'][i % 3]};{i},5;{['<b>x</b>', ':red[y]'][i % 2]};{'uv'[i // 20 % 2]}\n"
    for i in range(80)
)


@pytest.fixture
def page(open_page: Callable[[str], Any], app_address: str) -> Any:
    page = open_page(f"{app_address}/data")
    page.set_input_files(
        "[data-testid='stFileUploaderDropzoneInput']",
        {"name": "<img src=x>.csv", "mimeType": "text/csv", "buffer": CSV.encode()},
    )
    page.wait_for_selector("text=80 of 80 rows and 5 of 5 columns are")
    settled(page)  # the tabs may still be drawn anew, which would take a choice among them back
    return page


def test_an_upload_becomes_a_data_set(page: Any, watch: Watch) -> None:
    """Semicolons and decimal commas; hostile names stand as text and make no request."""
    page.wait_for_selector("[data-testid='stDataFrame'] canvas")
    page.wait_for_selector(".js-plotly-plot .bars")
    for tab in ("Rows", "New columns", "Import report", "Data dictionary"):
        page.get_by_role("tab", name=tab, exact=True).click()
        settled(page)
    main = page.locator("[data-testid='stMainBlockContainer']")
    assert main.locator("img").count() == 0
    assert "outside.example" not in " ".join(watch.requests)
    assert watch.outside() == []
    assert watch.refusals == []

"""Nothing leaves this computer, on any page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dashboard
from tests.browser.conftest import Watch
from tests.browser.heard import outside

pytestmark = pytest.mark.browser


PAGES = sorted(path.stem for path in (Path(dashboard.__file__).parent / "app_pages").glob("[!_]*.py"))


@pytest.mark.parametrize("name", PAGES)
def test_no_page_asks_for_anything_outside(
    open_page: Callable[[str], Any], app_address: str, watch: Watch, heard: Path, name: str
) -> None:
    """Every page draws under the content policy with no request to another host, of the browser or of the server."""
    page = open_page(f"{app_address}/{'' if name == 'start' else name}")
    page.wait_for_selector("[data-testid='stMainBlockContainer'] h1")
    page.wait_for_timeout(500)
    assert watch.requests
    assert watch.outside() == []
    assert watch.refusals == []
    assert outside(heard.read_text(encoding="utf-8").splitlines()) == []

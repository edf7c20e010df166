"""A server that others can reach: its link opens it, in a real browser; nothing else does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import DIPTYCH, profile, server, settled
from tests.browser.test_saving import with_table

pytestmark = pytest.mark.browser

TOKEN = "a-token-of-the-ward-for-tests"  # noqa: S105 - of this test alone


@pytest.fixture(scope="module")
def linked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that asks for the token, as one on other addresses than loopback does."""
    file: Path = tmp_path_factory.mktemp("token") / "token"
    file.write_text(TOKEN)
    with server((*DIPTYCH[:2], "--token-file", str(file), *DIPTYCH[2:])) as address:
        yield address


def test_only_the_link_opens_it(linked: str, chromium: Any) -> None:
    """Without it a sentence; with it the page that was asked for, and no token in its address; then without it too."""
    page = profile(chromium)
    page.goto(linked)
    page.get_by_text("This server is opened by its link.").wait_for()
    page.goto(f"{linked}/#token={TOKEN}x")  # put into the same tab, where only what stands after # is new
    page.get_by_text("This link is not the one of the server that runs now.").wait_for()
    page.goto(f"{linked}/data#token={TOKEN}")
    page.locator("input[type=file]").first.wait_for(state="attached")
    assert page.url == f"{linked}/data"
    with_table(page, linked)
    settled(page)
    state = page.context.storage_state()
    thief = chromium.new_context(storage_state={"cookies": state["cookies"], "origins": []}).new_page()
    thief.goto(f"{linked}/results")
    thief.get_by_text("This server is opened by its link.").wait_for()
    thief.context.close()
    # a link from elsewhere: the browser sends no key with it, and the work is there all the same
    page.goto(f"data:text/html,<a href='{linked}/results'>go</a>")
    page.get_by_text("go").click()
    page.get_by_text("Results so far").wait_for()
    page.get_by_role("button", name="Forget this table now").click()
    page.get_by_role("button", name="Forget all of it").click()
    page.get_by_text(re.compile("after signing out, use it once more")).wait_for()
    page.context.close()

"""A session in a real browser and a real server: it comes back, and when nobody shows it any more it is really gone."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.browser.conftest import DIPTYCH, PATIENCE, ROOT, expect, free_port, healthy, profile, settled
from tests.browser.test_saving import TABLE, with_table
from tests.dashboard.jobs.test_runner import until

pytestmark = pytest.mark.browser

KEEP = 4.0
"""Seconds, told to the server in minutes."""
OLD = 6.0
"""Seconds after which the server's figures of memory are new ones: Streamlit works them out once in five."""


class Mortal:
    """A server that can be killed and started again at its address, with a place of its own for what it keeps."""

    def __init__(self, state: Path) -> None:
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        keep = (*DIPTYCH[:2], "--keep", str(KEEP / 60), *DIPTYCH[2:])
        self._command = [sys.executable, *keep, str(port)]
        self._known = os.environ | {"PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(state)}
        self.start()

    def start(self) -> None:
        """Begin; it answers later."""
        self.process = subprocess.Popen(self._command, cwd=ROOT, env=self._known)

    def wait(self) -> None:
        """Until it answers."""
        until(lambda: healthy(self.address), 2 * PATIENCE / 1000)

    def kill(self) -> None:
        """As kill -9 does it."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mortal]:
    """A server that keeps for seconds what nobody shows any more."""
    one = Mortal(tmp_path_factory.mktemp("state"))
    try:
        one.wait()
        yield one
    finally:
        one.process.terminate()
        one.process.wait(60)


@pytest.fixture
def address(mortal: Mortal) -> str:
    """Where it answers, also after another test has killed it, and holds nothing any more of the test before."""
    mortal.wait()
    until(lambda: held(mortal.address)["sessions"] == 0, KEEP + PATIENCE / 1000)
    return mortal.address


@pytest.fixture(scope="module")
def visitor(chromium: Any) -> Iterator[Any]:
    """A browser profile for all tests: it compiles the pages' scripts once."""
    empty = profile(chromium)
    yield empty.context
    empty.context.close()


@pytest.fixture
def page(visitor: Any, address: str) -> Iterator[Any]:
    """A tab of that; what the profile remembers goes with the test."""
    before = visitor.pages
    yield visitor.new_page()
    last = visitor.new_page()
    last.goto(f"{address}/_stcore/health")
    for one in visitor.pages:
        if one not in before:
            one.evaluate("localStorage.clear()")
            one.close()
    visitor.clear_cookies()


def asked(address: str, path: str) -> str:
    """What the server says to a browser that it knows; asking does not connect to it as a page does."""
    with urllib.request.urlopen(f"{address}/diptych/key", b'{"secret": ""}', timeout=10) as given:  # noqa: S310
        known = {"Cookie": given.headers["Set-Cookie"].partition(";")[0]}
    with urllib.request.urlopen(urllib.request.Request(f"{address}{path}", headers=known), timeout=10) as answer:  # noqa: S310
        text: str = answer.read().decode()
        return text


def held(address: str) -> dict[str, int]:
    """What the server says of itself."""
    found: dict[str, int] = json.loads(asked(address, "/diptych/held"))
    return found


def uploaded(address: str) -> float:
    """Bytes of uploads that Streamlit says it holds."""
    lines = [line for line in asked(address, "/_stcore/metrics").splitlines() if "UploadedFileManager" in line]
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines if not line.startswith("#"))


def media(address: str) -> float:
    """Bytes of files that Streamlit holds for downloads and pictures."""
    lines = [
        line for line in asked(address, "/_stcore/metrics").splitlines() if "media_file" in line and line[:1] != "#"
    ]
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines)


def test_a_reload_comes_back_and_the_end_is_the_end(page: Any, address: str) -> None:
    """F5 shows the same answer; after the last tab all is gone within the time told, though nobody connects."""
    with_table(page, address)
    assert held(address)["tables"] == 1
    assert uploaded(address) >= len(TABLE)
    page.reload()
    page.get_by_text("Results so far").wait_for()
    expect(page.get_by_text(re.compile("Back where you were"))).to_be_visible()
    now = held(address)
    assert now.pop("bytes") > 0
    now.pop("uploads")  # of the tab that is gone: held until that is noticed
    assert now == {"sessions": 1, "tables": 1, "results": 2, "jobs": 0}
    page.close()
    until(
        lambda: held(address) == {"sessions": 0, "tables": 0, "results": 0, "jobs": 0, "bytes": 0, "uploads": 0},
        KEEP + 6.0,
    )
    until(lambda: uploaded(address) == 0, OLD)


def test_a_browser_with_the_same_cookies_sees_nothing(page: Any, chromium: Any, address: str) -> None:
    """Another port reads a cookie, and may use it at once: without what the page itself keeps it is somebody else."""
    with_table(page, address)
    settled(page)
    state = page.context.storage_state()
    assert {one["name"] for one in state["cookies"]} >= {f"diptych-{urlsplit(address).port}"}
    thief = chromium.new_context(storage_state={"cookies": state["cookies"], "origins": []}).new_page()
    thief.goto(f"{address}/results")
    thief.locator("h1").wait_for()
    settled(thief)
    assert thief.get_by_text("Your work is open in another tab").count() == 0
    assert thief.get_by_text("Results so far").count() == 0
    thief.context.close()
    page.reload()
    page.get_by_text("Results so far").wait_for()
    heir = chromium.new_context(storage_state=page.context.storage_state()).new_page()
    page.close()
    heir.goto(f"{address}/results")
    heir.get_by_text("Results so far").wait_for()
    heir.context.close()


def test_forgetting_is_at_once(page: Any, address: str) -> None:
    """One press, with the tab still open: no table, no answer, no upload."""
    with_table(page, address)
    page.get_by_role("button", name="Forget this table now").click()
    page.get_by_role("button", name="Forget all of it").click()
    page.get_by_text("What do you want to know?").wait_for()
    counts = held(address)
    assert (counts["tables"], counts["results"], counts["jobs"]) == (0, 0, 0)
    until(lambda: uploaded(address) == 0, OLD)


def test_forgetting_reaches_the_tab_that_the_file_came_from(page: Any, address: str) -> None:
    """The work went to a second tab and is forgotten there: the first tab's upload is gone too, and what was saved."""
    with_table(page, address)
    second = page.context.new_page()
    second.goto(f"{address}/results")
    second.get_by_role("button", name="Go on with it here").click()
    second.get_by_text("Save and open").click()
    second.get_by_text("With the table", exact=True).click()
    second.wait_for_timeout(500)
    before = media(address)
    with second.expect_download() as saved:
        second.get_by_role("button", name="Save", exact=True).click()
    size = Path(saved.value.path()).stat().st_size
    assert size > 1000
    assert uploaded(address) >= len(TABLE)
    second.get_by_role("button", name="Forget this table now").click()
    second.get_by_role("button", name="Forget all of it").click()
    second.get_by_text("What do you want to know?").wait_for()
    until(lambda: uploaded(address) == 0 and media(address) < before + size, OLD)


def test_a_killed_server_is_noticed_and_the_last_choices_are_offered(page: Any, mortal: Mortal) -> None:
    """kill -9: the open page says so by itself, and opens what was saved last."""
    with_table(page, mortal.address)
    page.get_by_role("link", name="Results", exact=True).first.click()
    page.get_by_text("Save and open").click()
    settled(page)  # a button of the run before would ask for a file that is no more
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save", exact=True).click()
    assert Path(saved.value.path()).stat().st_size > 1000
    mortal.kill()
    time.sleep(0.5)
    mortal.start()
    page.get_by_text("was started again since").wait_for()
    page.get_by_role("button", name="Open what I saved last").click()
    page.get_by_role("button", name="Compare", exact=True).first.wait_for()
    assert held(mortal.address)["results"] >= 1
    assert held(mortal.address)["tables"] == 0, "the rows were not saved"

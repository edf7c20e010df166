"""A real server and a real Chromium, with every request written down."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).parents[2]
PAGES = Path(__file__).parent / "pages"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SERVE = (
    "import sys; from pathlib import Path; from dashboard.launcher import serve; "
    "serve('127.0.0.1', int(sys.argv[1]), headless=True, script=Path(sys.argv[2]))"
)


def _missing(reason: str) -> None:
    """Skip, or fail where the browser tests must run."""
    if os.environ.get("DIPTYCH_BROWSER") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def server(script: Path | None = None, **environment: str) -> Iterator[str]:
    """The dashboard (or one page script behind the same server) on a free port; its address."""
    port = free_port()
    if script is None:
        command = [sys.executable, "-m", "dashboard.launcher", "--headless", "--port", str(port), "--jobs", "1"]
    else:
        command = [sys.executable, "-c", SERVE, str(port), str(script)]
    known = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    process = subprocess.Popen(command, cwd=ROOT, env=known)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):  # noqa: S310
                    break
            except OSError:
                assert process.poll() is None, "the server ended while starting"
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture(scope="session")
def app_address() -> Iterator[str]:
    """The address of the real dashboard."""
    with server() as address:
        yield address


@pytest.fixture(scope="package")  # its event loop must be gone before other tests run theirs
def chromium() -> Iterator[Any]:
    """A Chromium that is installed here."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None:
        _missing(f"no browser found; looked for {', '.join(CHROMIUM)}")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


class Watch:
    """What pages asked for and complained about."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.refusals: list[str] = []

    def outside(self) -> list[str]:
        """Addresses on another host than this computer."""
        inside = ("127.0.0.1", "localhost", "")
        return [one for one in self.requests if (urlsplit(one).hostname or "") not in inside]


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def open_page(chromium: Any, watch: Watch) -> Iterator[Callable[[str], Any]]:
    """Open an address in a fresh browser profile; at the end no request may have gone outside."""
    contexts = []

    def opened(address: str) -> Any:
        context = chromium.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: watch.requests.append(request.url))
        page.on("websocket", lambda one: watch.requests.append(one.url))
        page.on(
            "console",
            lambda one: watch.refusals.append(one.text) if "Content Security Policy" in one.text else None,
        )
        page.goto(address)
        page.wait_for_selector("[data-testid='stApp']")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert watch.outside() == []

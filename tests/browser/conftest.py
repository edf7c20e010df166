"""A real server and a real Chromium, with every request written down."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.browser.heard import ROOT, WAYS, outside

PATIENCE = 60_000  # ms that anything on a page may take on a busy machine; a wait ends as soon as it is there
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
DIPTYCH = ("-m", "dashboard.server.launcher", "--headless", "--jobs", "1", "--port")
STREAMLIT = ("-m", "streamlit", "run", str(ROOT / "dashboard" / "app.py"), "--server.port")
TEST_PAGES = (
    "-c",
    "import sys; from pathlib import Path; from dashboard.jobs.job_queue import warm_up; "
    "from dashboard.server.launcher import serve; "
    "warm_up(1); serve('127.0.0.1', int(sys.argv[2]), headless=True, script=Path(sys.argv[1]))",
    str(Path(__file__).parent / "served.py"),
)
"""What Python is told, each time before the port."""


def _missing(reason: str) -> None:
    """Skip, or fail where the browser tests must run."""
    if os.environ.get("DIPTYCH_BROWSER") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


def free_port() -> int:
    """A port nobody holds; test processes side by side (pytest-xdist) never propose the same one."""
    mine, all_of_us = (
        int(os.environ.get(f"PYTEST_XDIST_{one}", "").lstrip("gw") or 0) for one in ("WORKER", "WORKER_COUNT")
    )
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        port += (mine - port) % max(1, all_of_us)  # some systems hand out ports of one parity only
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def healthy(address: str) -> bool:
    """Whether a server answers there."""
    try:
        trusting = ssl._create_unverified_context()  # noqa: S323 - its certificate is one of these tests
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5, context=trusting):  # noqa: S310
            return True
    except (OSError, http.client.HTTPException):  # a port may answer itself before anybody listens there
        return False


@contextmanager
def server(
    command: tuple[str, ...], port: int | None = None, scheme: str = "http", base: str = "", **more: str
) -> Iterator[str]:
    """Python with this command, on a free port; its address. `more` is put into its environment."""
    port = port or free_port()
    known = os.environ | {"PYTHONPATH": str(ROOT)} | more
    process = subprocess.Popen([sys.executable, *command, str(port)], cwd=ROOT, env=known)
    address = f"{scheme}://127.0.0.1:{port}{base}"
    try:
        end = time.monotonic() + 2 * PATIENCE / 1000
        while not healthy(address):
            assert process.poll() is None, "the server ended while starting"
            assert time.monotonic() < end, "the server did not start"
            time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(60)


@pytest.fixture(scope="session")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the real dashboard's addresses are written down."""
    file = tmp_path_factory.mktemp("heard") / "addresses"
    file.touch()
    return file


@pytest.fixture(scope="session")
def app_address(heard: Path) -> Iterator[str]:
    """The address of the real dashboard, started as its users start it; at its end it has asked nothing of others."""
    with server(DIPTYCH, PYTHONPATH=WAYS, DIPTYCH_TEST_ADDRESSES=str(heard)) as address:
        yield address
    assert outside(heard.read_text(encoding="utf-8").splitlines()) == []


@pytest.fixture(scope="session")
def page_address() -> Iterator[Callable[[str], str]]:
    """The address of a page out of `pages`, by its name; one server has them all."""
    with server(TEST_PAGES) as address:
        yield lambda name: f"{address}/?page={name}"


@pytest.fixture(scope="package")  # its event loop must be gone before other tests run theirs
def chromium() -> Iterator[Any]:
    """A Chromium that is installed here."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None:
        _missing(f"no browser found; looked for {', '.join(CHROMIUM)}")
    playwright.expect.set_options(timeout=PATIENCE)
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


@pytest.fixture(scope="module")
def watch() -> Watch:
    """What all pages of a module asked for."""
    return Watch()


SCREEN = {"width": 1440, "height": 900}
"""What every test begins on."""


class Tab:
    """One tab that goes from test to test: its scripts are compiled already, which is most of what an opening costs."""

    def __init__(self, chromium: Any) -> None:
        self.chromium = chromium
        self.page: Any = None
        self.free = True

    def taken(self) -> Any:
        """The tab, for one test; a new one where a test has closed the last."""
        self.free = False
        if self.page is None or self.page.is_closed():
            self.page = profile(self.chromium)
        return self.page

    def given_back(self) -> None:
        """Leave the page, which ends its session, and forget what it has kept in the browser."""
        self.free = True
        if not self.page.is_closed():
            self.page.evaluate("localStorage.clear(); sessionStorage.clear()")
            self.page.context.clear_cookies()
            self.page.goto("about:blank")
            self.page.set_viewport_size(SCREEN)  # else the next test may begin on a phone, its sidebar closed


@pytest.fixture(scope="package")
def tab(chromium: Any) -> Tab:
    """The tab that tests lend one another."""
    return Tab(chromium)


@pytest.fixture
def open_page(tab: Tab, chromium: Any, watch: Watch) -> Iterator[Callable[[str], Any]]:
    """Open an address for this test alone: in the tab that all share, and where it has several, in new profiles."""
    with profiles(chromium, watch, tab) as opened:
        yield opened


@pytest.fixture(scope="module")
def open_once(tab: Tab, chromium: Any, watch: Watch) -> Iterator[Callable[[str], Any]]:
    """Open an address for a whole module: each test brings the page to where it begins, and leaves no mark on it.

    It has the tab that all share until the module ends, so tests with a page of their own stand before the others.
    """
    with profiles(chromium, watch, tab) as opened:
        yield opened


def profile(chromium: Any) -> Any:
    """An empty tab in a fresh browser profile."""
    context = chromium.new_context(viewport=SCREEN, accept_downloads=True)
    context.set_default_timeout(PATIENCE)
    return context.new_page()


@contextmanager
def profiles(chromium: Any, watch: Watch, tab: Tab | None = None) -> Iterator[Callable[[str], Any]]:
    """Open addresses, each in a browser profile without a past; at the end no request may have gone outside."""
    pages = []
    listeners = {
        "request": lambda request: watch.requests.append(request.url),
        "websocket": lambda one: watch.requests.append(one.url),
        "console": lambda one: watch.refusals.append(one.text) if "Content Security Policy" in one.text else None,
    }

    def opened(address: str) -> Any:
        page = tab.taken() if tab is not None and tab.free else profile(chromium)
        pages.append(page)
        for event, listener in listeners.items():
            page.on(event, listener)
        page.goto(address)
        page.wait_for_selector("[data-testid='stApp']")
        return page

    yield opened
    for page in pages:
        if tab is not None and page is tab.page:
            tab.given_back()
            for event, listener in listeners.items():
                page.remove_listener(event, listener)
        else:
            page.context.close()
    assert watch.outside() == []


def expect(what: Any) -> Any:
    """Playwright's assertions, which wait; imported late, since without Playwright these tests only skip."""
    from playwright.sync_api import expect as wait_until

    return wait_until(what)


def settled(page: Any) -> None:
    """Wait until the server has said its last: no script has run for half a second."""
    app, quiet, end = page.get_by_test_id("stApp"), 0, time.monotonic() + PATIENCE / 1000
    while quiet < 5:
        assert time.monotonic() < end, "the page's script did not come to rest"
        page.wait_for_timeout(100)
        quiet = quiet + 1 if app.get_attribute("data-test-script-state") == "notRunning" else 0


def open_sample(page: Any, key: str) -> None:
    """Press a sample table on the start page, there or behind the button with the others."""
    page.locator(".st-key-start-samples").wait_for()
    settled(page)
    button = page.locator(f".st-key-start-open-{key} button:visible")  # Streamlit draws a second one for phones
    if not button.count():
        page.get_by_role("button", name=re.compile(r"^\d+ more")).click()
    button.click()


def unfold(page: Any, title: str) -> None:
    """Open a fold of the page by its title; one that is open stays so."""
    fold = page.locator("details", has=page.locator("summary", has_text=title)).last
    if fold.get_attribute("open") is None:
        fold.locator("summary").first.click()
    expect(fold).to_have_attribute("open", "")


def assert_names_are_text(page: Any, watch: Watch) -> None:
    """Hostile names are text on the page and in the picture that leaves it, and nothing was asked outside."""
    assert page.locator("[data-testid=stMain] img[src^='http://evil']").count() == 0
    assert page.get_by_text("Something went wrong").count() == 0
    with page.expect_download() as waiting:
        page.get_by_role("button", name="SVG").first.click()
    assert "&lt;b&gt;age&lt;/b&gt;" in waiting.value.path().read_text(encoding="utf-8")
    assert watch.outside() == []
    assert not watch.refusals


def still(place: Any) -> dict[str, float]:
    """Where something on the page is, scrolled into view and no longer moving: x, y, width, height in pixels."""
    expect(place).to_be_visible(timeout=PATIENCE)  # asks anew each time; an element that is drawn again never shows
    place.scroll_into_view_if_needed()
    found, seen = None, 0
    for _ in range(PATIENCE // 100):
        now = place.bounding_box()
        seen = seen + 1 if now == found else 0
        if seen == 3:
            return dict(now)
        found = now
        place.page.wait_for_timeout(100)
    raise AssertionError(f"it kept moving: {place}")


SWEEP = """([place, xs, ys]) => {
    const target = place.matches("canvas") ? place : place.querySelector("canvas");
    const said = () => [...place.getRootNode().querySelectorAll(".dn-tip")].filter((tip) => !tip.hidden);
    return ys.flatMap((clientY) => xs.map((clientX) => {
        target.dispatchEvent(new MouseEvent("mousemove", { clientX, clientY, bubbles: true }));
        return [clientX, clientY, said().map((tip) => tip.innerText).join("")];
    }));
}"""
"""Moves over a canvas as the mouse would, in one go; place by place what the tip says."""


def spots(canvas: Any, columns: int = 40, rows: int = 25) -> list[tuple[float, float, str]]:
    """A walk over a drawn network: x, y and what the tip there says ("" beside boxes and arcs)."""
    box = still(canvas)
    xs = [box["x"] + (column + 0.5) * box["width"] / columns for column in range(columns)]
    ys = [box["y"] + (row + 0.5) * box["height"] / rows for row in range(rows)]
    return [(x, y, said) for x, y, said in canvas.page.evaluate(SWEEP, [canvas.element_handle(), xs, ys])]


def spot(page: Any, canvas: Any, wanted: Callable[[str], bool]) -> tuple[float, float, str]:
    """The first place in a drawn network whose tip is one that is wanted, away from its edges; x, y and the tip."""
    run: list[tuple[float, float, str]] = []
    canvas.evaluate("one => one.scrollIntoView({ block: 'center' })")  # below the bar at the top
    for x, y, said in spots(canvas):
        if run and (said, y) != (run[0][2], run[0][1]):
            break
        if wanted(said):
            run.append((x, y, said))
    assert run, "no place in the picture says so"
    x, y, said = run[len(run) // 2]
    page.mouse.move(x, y)
    page.locator(".dn-tip:visible").first.wait_for()  # the real mouse meets what the sweep has met
    return x, y, said

"""What a click costs the server: CPU seconds of its process from the click until the page has come to rest.

Two samples, the longest and the widest, each with the answers of three methods in the session; Linux.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.browser.conftest import (
    DIPTYCH,
    PATIENCE,
    Watch,
    chromium,  # noqa: F401 - a fixture
    profiles,
    server,
    settled,
)

SAMPLES = ("Health survey", "Breast cancer")
RUNS = {
    "Group differences": "Compare the groups",
    "Associations": "Find the links",
    "One patient": "Learn the networks",
}
PAGES = ("Start", "Data", *RUNS, "Results", "Evaluate")
MOST_PAGE, MOST_STEP = 0.15, 0.25
"""CPU seconds that a move to another page, and a step of a slider, may take in the median."""


@dataclass
class Served:
    """The server that is measured: its process, as long as there is one."""

    clock: int | None = None

    def cpu(self) -> float:
        """CPU seconds it has used, threads that have ended included."""
        return 0.0 if self.clock is None else time.clock_gettime(self.clock)

    def at(self, address: str) -> None:
        """Measure the process whose command line ends with the port of this address."""
        port = str(urlsplit(address).port).encode()
        lines = ((one, one.read_bytes().split(b"\0")) for one in Path("/proc").glob("[0-9]*/cmdline"))
        process = next(int(one.parent.name) for one, words in lines if words[-2:-1] == [port])
        self.clock = (~process << 3) | 2  # as clock_getcpuclockid(3) numbers the clocks of other processes


served = Served()


def rested(page: Any) -> None:
    """Wait until no script runs, and no job: a page polls its job, which is no part of a later click."""
    held = f"http://{urlsplit(page.url).netloc}/diptych/held"
    end = time.monotonic() + PATIENCE / 1000
    settled(page)
    while page.request.get(held).json()["jobs"]:
        assert time.monotonic() < end, "a job did not come to its end"
        page.wait_for_timeout(200)
    page.wait_for_timeout(1000)  # the fragment that waited for it
    settled(page)


def go(page: Any, name: str) -> None:
    """Click a page in the navigation."""
    page.get_by_role("link", name=name, exact=True).first.click()
    settled(page)


@pytest.fixture(scope="module", params=SAMPLES)
def opened(request: pytest.FixtureRequest, chromium: Any) -> Iterator[Any]:  # noqa: F811
    """A tab with the sample open and the three methods run; every page was seen once."""
    with server(DIPTYCH) as address, profiles(chromium, Watch()) as tab:
        page = tab(f"{address}/data")
        served.at(address)
        page.get_by_role("combobox").last.click()
        page.get_by_role("option", name=request.param).click()
        settled(page)
        page.get_by_role("button", name="Open the sample").click()
        page.get_by_text("First rows").wait_for()
        for name, action in RUNS.items():
            go(page, name)
            page.get_by_role("button", name=action).click()
            rested(page)
        for name in PAGES:
            go(page, name)
            rested(page)
        yield page
        served.clock = None


@pytest.mark.benchmark(timer=served.cpu)
@pytest.mark.parametrize("name", PAGES)
def test_a_page(benchmark: Any, opened: Any, name: str) -> None:
    """From another page to this one, which was seen before."""

    def elsewhere() -> None:
        go(opened, "Data" if name == "Start" else "Start")
        rested(opened)

    benchmark.pedantic(go, args=(opened, name), setup=elsewhere, rounds=5, iterations=1, warmup_rounds=1)
    assert benchmark.stats is None or benchmark.stats.stats.median <= MOST_PAGE


@pytest.mark.benchmark(timer=served.cpu)
def test_a_step_of_a_slider(benchmark: Any, opened: Any) -> None:
    """Kappa of one patient, each time to a value that was not seen: the patient's network is chosen anew."""
    go(opened, "One patient")
    rested(opened)
    slider = opened.get_by_role("slider").first

    def step() -> None:
        before = slider.input_value()
        slider.press("ArrowRight")
        settled(opened)
        assert slider.input_value() != before

    benchmark.pedantic(step, rounds=5, iterations=1, warmup_rounds=1)
    assert benchmark.stats is None or benchmark.stats.stats.median <= MOST_STEP

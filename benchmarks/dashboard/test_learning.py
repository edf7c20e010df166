"""What a student waits for in a browser: evidence by a click, a step of a search, a lesson that opens."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.exchange import network_to_bif
from engine.models import posteriors, random_network
from engine.simulation.networks import random_dag
from tests.browser.conftest import (
    DIPTYCH,
    PATIENCE,
    Watch,
    chromium,  # noqa: F401 - a fixture
    expect,
    profiles,
    server,
    settled,
)

pytestmark = pytest.mark.benchmark(timer=time.perf_counter)  # seconds of a clock, as a student waits

ANSWERED = """(root, place) => new Promise((done) => {
    const labels = () => [...root.querySelectorAll(".dw-hit")].map((hit) => hit.getAttribute("aria-label")).join();
    const before = labels();
    const look = () => labels() === before ? setTimeout(look, 2) : done();
    root.querySelectorAll(".dw-hit")[place].click();
    look();
})"""
"""A press on a bar, until other bars are drawn."""


@pytest.fixture(scope="module")
def page(chromium: Any) -> Iterator[Any]:  # noqa: F811
    """The workshop, opened once before anything is measured."""
    with server(DIPTYCH) as address, profiles(chromium, Watch()) as tab:
        opened = tab(f"{address}/workshop")
        opened.locator(".dw-hit").first.wait_for()
        settled(opened)
        yield opened


def test_evidence_by_a_click(benchmark: Any, page: Any, tmp_path: Path) -> None:
    """30 variables and 45 arrows."""
    rng = np.random.default_rng(1)
    file = tmp_path / "thirty.bif"
    file.write_text(network_to_bif(random_network(random_dag(30, 45, rng), [2] * 30, rng)), encoding="utf-8")
    page.get_by_text("From a BIF file").click()
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator(".dw-hit")).to_have_count(30, timeout=PATIENCE)
    places = iter(range(30))

    def press() -> None:
        page.locator(".dw").evaluate(ANSWERED, next(places))

    benchmark.pedantic(press, setup=lambda: settled(page), rounds=10, iterations=1, warmup_rounds=1)


def test_a_step_of_a_search(benchmark: Any, page: Any) -> None:
    """From the press to the sentence of the next step, hill climbing on the sample shown first."""
    page.get_by_text("Step through a search", exact=True).first.click()
    page.get_by_role("heading", name="Step 1 of").wait_for()
    steps = iter(range(2, 30))

    def step() -> None:
        page.get_by_role("button", name="Next").click()
        page.get_by_role("heading", name=f"Step {next(steps)} of").wait_for()

    benchmark.pedantic(step, setup=lambda: settled(page), rounds=5, iterations=1, warmup_rounds=1)


def test_a_lesson_opens(benchmark: Any, page: Any) -> None:
    """By its address, with a seed that was not seen."""
    address, seeds = page.url.split("/workshop")[0], iter(range(1, 30))

    def open_lesson() -> None:
        page.goto(f"{address}/learn?lesson=simpson&seed={next(seeds)}")
        page.get_by_text("Step 1 of").first.wait_for()

    benchmark.pedantic(open_lesson, rounds=5, iterations=1, warmup_rounds=1)


def test_posteriors_of_thirty_variables(benchmark: Any) -> None:
    """What a click asks of the engine: three levels each, 60 arcs, three pieces of evidence."""
    rng = np.random.default_rng(2)
    network = random_network(random_dag(30, 60, rng), [3] * 30, rng)
    result = benchmark(posteriors, network, {network.names[i]: "1" for i in (3, 11, 27)})
    assert result.draws == 0

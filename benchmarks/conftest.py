"""What all benchmarks share: CPU time instead of the clock, warm kernels, and the tables."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

import engine
from benchmarks.tables import dataset, make_table


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Time everything in CPU seconds of this process, all threads together, unless a benchmark says otherwise.

    The clock would also count what other work on the machine takes.
    """
    for item in items:
        if item.get_closest_marker("benchmark") is None:
            item.add_marker(pytest.mark.benchmark(timer=time.process_time))


@pytest.fixture(scope="session", autouse=True)
def warm() -> None:
    """Compile, or load from the cache, every kernel that the searches use."""
    codes, arity = make_table("b")
    for search, score in (("hill_climbing", engine.BDeu(1.0)), ("thick_thinning", engine.K2())):
        engine.learn(dataset(codes, arity), score, search=search)
    wide = dataset(np.random.default_rng(0).integers(0, 60, (4, 20_000)), np.full(4, 60))
    engine.learn(wide, engine.K2())  # sixty levels: histograms, not bit planes


@pytest.fixture(scope="session")
def table() -> Callable[[str], tuple[np.ndarray, np.ndarray]]:
    """The codes and numbers of levels of a size by its letter; each is made once, the last one is kept."""
    made: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def get(size: str) -> tuple[np.ndarray, np.ndarray]:
        if size not in made:
            made.clear()
            made[size] = make_table(size)
        return made[size]

    return get

"""The same work by one thread and by two, by the clock: nothing else may run, or the ratio says nothing.

`python -m pytest -s benchmarks/threads` prints a line for each work. Where others use the machine, a real-time class
gives this process both processors for the moment: `chrt -r 1 python -m pytest -s benchmarks/threads`.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import engine
from benchmarks.ordinal.test_ordinal import drawn
from benchmarks.tables import dataset, make_table, two_groups
from engine import execution
from engine.counting.requests import Request, many_addition_counts, pair_counts
from engine.methods.group_difference.chance import chance
from engine.models.latent_normal import Boxes, Chains, log_probabilities

Work = Callable[[], Any]
PAIRS, ROUNDS = 5, 3


@pytest.fixture(scope="module")
def f() -> engine.Dataset:
    """100 variables x 100,000 rows, packed."""
    data = dataset(*make_table("f"))
    pair_counts(data, 0, 1)
    return data


def e_step() -> Work:
    """Fifteen sweeps over 20 variables x 100,000 rows."""
    model, data = drawn(20, 100_000)
    chains = Chains(Boxes.of(data.codes, data.arity.tolist()), 0)
    return lambda: chains.correlation(model.correlation, 10, 5)


def criterion() -> Work:
    """The probability of 100,000 rows of 20 answers."""
    model, data = drawn(20, 100_000)
    boxes = Boxes.of(data.codes, data.arity.tolist())
    return lambda: log_probabilities(boxes, model.correlation, points=2)


def permutations() -> Work:
    """999 shuffles and more of 50 variables x 100,000 rows."""
    method = engine.GroupDifference(group="arm")
    result = method.run(two_groups(50, 50_000))
    return lambda: chance(method, result.names, result.common)


def runs(way: str) -> Work:
    """Eight comparisons of 50 variables x 100,000 rows."""
    method, data = engine.GroupDifference(group="arm"), two_groups(50, 50_000)
    return lambda: getattr(method, way)(data, 8)


def resampled_answers() -> Work:
    """Six networks of 12 variables, 500 rows drawn again for each."""
    method, data = engine.Ordinal(draws=50), drawn(12)[1]
    return lambda: method.edge_strength(data, 6)


WORKS = {
    "E-step": e_step,
    "criterion": criterion,
    "permutations": permutations,
    "other rows": lambda: runs("stability"),
    "other labels": lambda: runs("null"),
    "ordinal, rows drawn again": resampled_answers,
}


def compared(benchmark: Any, name: str, work: Work) -> None:
    """Time the work by one thread and by two in turn, and print the best of each."""
    best = {1: np.inf, 2: np.inf}
    work()
    for _ in range(PAIRS):
        for number in best:
            with execution.using(number):
                begin = time.perf_counter()
                work()
                best[number] = min(best[number], time.perf_counter() - begin)
    ratio = best[1] / best[2]
    print(f"\n{name}: one thread {best[1]:.4f} s, two {best[2]:.4f} s, ratio {ratio:.2f}")
    benchmark.extra_info["ratio"] = ratio
    with execution.using(2):
        benchmark.pedantic(work, rounds=ROUNDS, iterations=1)


@pytest.mark.benchmark(timer=time.perf_counter)
@pytest.mark.parametrize("name", WORKS)
def test_methods(benchmark: Any, name: str) -> None:
    """E-steps, permutations, resampling."""
    compared(benchmark, name, WORKS[name]())


@pytest.mark.benchmark(timer=time.perf_counter)
def test_all_pairs(benchmark: Any, f: engine.Dataset) -> None:
    """Every pair of 100 variables, 100,000 rows."""
    planes = int((f.arity - 1).sum())
    compared(benchmark, "all pairs", lambda: pair_counts(f, 0, planes))


@pytest.mark.benchmark(timer=time.perf_counter)
@pytest.mark.parametrize("parents", [0, 2])
def test_candidate_batches(benchmark: Any, f: engine.Dataset, parents: int) -> None:
    """Every candidate parent of each of 100 variables beside some parents, 100,000 rows."""
    asked = []
    for child in range(f.n_variables):
        own = tuple((child + step) % f.n_variables for step in range(1, parents + 1))
        others = np.array([x for x in range(f.n_variables) if x != child and x not in own])
        asked.append(Request(child, own, others))
    compared(benchmark, f"candidate batches, {parents} parents", lambda: many_addition_counts(f, asked))


@pytest.mark.benchmark(timer=time.perf_counter)
@pytest.mark.parametrize("kilobytes", [4, 40, 400])
def test_handing_over(benchmark: Any, kilobytes: int) -> None:
    """Two digests, which free the lock: what two threads take beyond half of what one takes is the price."""
    pieces = (bytes(1000 * kilobytes),) * 2
    repeats = max(10, 4_000 // kilobytes)

    def work() -> None:
        for _ in range(repeats):
            execution.share(hashlib.sha256, pieces)

    compared(benchmark, f"two digests of {kilobytes} KB, {repeats} times", work)

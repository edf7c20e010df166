"""The second opinion: rows are dealt to the groups anew, every network is learned again, and three sums are compared.

NetworkComparisonTest (van Borkulo et al. 2022) tests networks so. Rows that belong together change groups together, or
inside their subject where most subjects stand in several groups.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from engine import execution, resampling
from engine.comparison.difference import three_sums
from engine.comparison.estimates import pooled
from engine.comparison.evidence import ROUNDING, Shuffles
from engine.comparison.links import estimate_links, varying_names
from engine.comparison.nodes import largest_differences
from engine.comparison.structure import Side
from engine.data.dataset import Dataset
from engine.execution import Progress
from engine.methods.result import Result


def shuffle(
    answers: Sequence[Result],
    parts: Sequence[Dataset],
    runs: int,
    seed: int,
    *,
    begun: int = 0,
    jobs: int = 1,
    progress: Progress,
) -> Shuffles:
    """Deal the rows anew, learn every network again, and compare the three sums."""
    resampling.check_runs(runs)
    label = np.repeat(np.arange(len(parts)), [part.n_rows for part in parts])
    whole = pooled(parts)
    order = np.argsort(whole.origin, kind="stable")
    whole, label = whole.rows(order), label[order]
    links = estimate_links(answers, parts, varying_names(answers, parts))
    observed = three_sums(links.groups, links.weights)
    task = partial(_shuffled, tuple(answers), whole, label)
    seeds = [np.random.SeedSequence(seed, spawn_key=(begun + number,)) for number in range(runs)]
    started, done, reached = time.perf_counter(), 0, 0
    progress(0.0, f"permutations: 0 of {runs}")

    def finished(place: int, outcome: tuple[np.ndarray, int, int, np.ndarray]) -> None:
        nonlocal done, reached
        done += 1
        reached += bool(outcome[0][0] >= observed[0] - ROUNDING)
        progress(done / runs, f"permutations: {done} of {runs}; so far {reached} with as large a difference")

    result = execution.map(task, seeds, jobs=jobs, finished=finished)
    sums, shared, union, nodes = (np.array(each) for each in zip(*result, strict=True))
    return Shuffles(observed, sums, shared, union, time.perf_counter() - started, nodes)


def _shuffled(
    answers: tuple[Any, ...], whole: Dataset, label: np.ndarray, seed: np.random.SeedSequence
) -> tuple[np.ndarray, int, int, np.ndarray]:
    """The three sums of one shuffle, how many edges the first two networks share, and have, and the nodes' largest."""
    dealt = resampling.deal(label, np.random.default_rng(seed), whole.clusters)
    parts = [whole.rows(dealt == group) for group in range(len(answers))]
    results = [answer.rerun(part) for answer, part in zip(answers, parts, strict=True)]
    first, second = Side(results[0]).links, Side(results[1]).links
    links = estimate_links(results, parts, varying_names(results, parts))
    shared = len(first & second), len(first | second)
    return three_sums(links.groups, links.weights), *shared, largest_differences(links)

"""Class networks of series: counting, both searches, every fold, shuffles, and choices in an inner loop."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import engine
from engine.counting.by_group import Slices
from engine.execution import silent
from engine.methods.discriminative.coding import Counted
from engine.methods.discriminative.evaluate import EvaluationTask, evaluate_task
from engine.methods.discriminative.method import shuffled_best
from engine.methods.discriminative.points import Points, points_of
from engine.methods.discriminative.structure import conditional_structures, fit_pair
from engine.search.constraints import Constraints

METHOD = engine.Discriminative("class", discretise="given", shuffles=0)


def slices(variables: int, subjects: int, steps: int = 500) -> tuple[Slices, np.ndarray]:
    """Codes of four levels, and whose each observation is."""
    rng = np.random.default_rng(0)
    before, after = (rng.integers(0, 4, (variables, subjects * steps)).astype(np.uint8) for _ in range(2))
    return Slices(before, after, np.full(variables, 4)), np.repeat(np.arange(subjects), steps)


def points(variables: int, subjects: int, steps: int = 500) -> Points:
    """The same as the points of a data set."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, (variables, subjects * steps))
    who, when = np.repeat(np.arange(subjects), steps), np.tile(np.arange(steps), subjects)
    names = [*(f"v{i:03d}" for i in range(variables)), "class", "subject", "time"]
    table = np.vstack([codes, who % 2, who, when])
    levels = [4] * variables + [2, subjects, steps]
    data = engine.Dataset.from_codes(table, levels, names, roles={"subject": "subject", "time": "time"})
    return points_of(data, "class")


def known(variables: int) -> Constraints:
    """Any variable may follow any."""
    return Constraints(np.ones((variables, variables), dtype=bool), ((),) * variables, variables)


@pytest.mark.parametrize(("variables", "subjects"), [(40, 30), (150, 26)])
def test_counting(benchmark: Any, variables: int, subjects: int) -> None:
    """All pairs of variables, series by series."""
    found, point = slices(variables, subjects)
    benchmark.pedantic(lambda: Counted(found, point, subjects).by_point, rounds=10, iterations=1, warmup_rounds=1)


@pytest.mark.parametrize("score", ["acl", "ccl"])
def test_structures_of_40_variables(benchmark: Any, score: str) -> None:
    """Both networks, series counted before; CCL adds links to both at once."""
    found, point = slices(40, 30)
    counted, side = Counted(found, point, 30), np.arange(30) % 2
    fit_pair(counted, side, METHOD, known(40))
    if score == "acl":
        benchmark.pedantic(fit_pair, args=(counted, side, METHOD, known(40)), rounds=20, iterations=1)
    else:
        search = lambda: conditional_structures(counted, side, 1.0, [1] * 40, known(40), paired=True)  # noqa: E731
        benchmark.pedantic(search, rounds=20, iterations=1, warmup_rounds=1)


def test_leaving_out_each_of_26_subjects(benchmark: Any) -> None:
    """150 variables: everything learned anew for each subject, from counts that are there."""
    found = points(150, 26)
    method = replace(METHOD, folds="leave_one_out")
    counted = Counted(*slices(150, 26), 26)
    counted.by_point  # noqa: B018 - counted before
    work = lambda: evaluate_task(EvaluationTask(found, method), 1, 0, silent, counted)  # noqa: E731
    benchmark.pedantic(work, rounds=5, iterations=1, warmup_rounds=1)


def test_a_thousand_shuffles_of_40_variables(benchmark: Any) -> None:
    """The most that any family is worth where classes are dealt at random."""
    found = points(40, 30)
    counted = Counted(*slices(40, 30), 30)
    counted.by_point  # noqa: B018 - counted before
    method = replace(METHOD, shuffles=1000)
    benchmark.pedantic(shuffled_best, args=(found, counted, method, silent), rounds=3, iterations=1, warmup_rounds=1)


def test_choosing_among_21_settings(benchmark: Any) -> None:
    """Leave one out, and an inner leave one out for each: 24 subjects, 12 variables."""
    task = EvaluationTask(points(12, 24), replace(METHOD, folds="leave_one_out"), ("top_families", "parameters"))
    benchmark.pedantic(lambda: evaluate_task(task, 1, 0, silent), rounds=3, iterations=1, warmup_rounds=1)

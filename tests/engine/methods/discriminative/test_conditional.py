"""Conditional likelihood: its two parts, and greedy moves against trying every move."""

from __future__ import annotations

import math

import numpy as np
import pytest

import engine
from engine.methods.discriminative.coding import Counted
from engine.methods.discriminative.pipeline import known_of
from engine.methods.discriminative.points import points_of
from engine.methods.discriminative.structure import conditional_structures, log_ccl
from engine.scores.discriminative import log_parameters
from tests.engine.methods.discriminative.make import METHOD, counted, points, row_frame, series_frame

Parents = list[tuple[int, ...]]


def log_pccl(own: np.ndarray, others: np.ndarray, side: np.ndarray, of: int) -> float:
    """Natural log of one network's part of CCL (equation 4): its own points by it, over the others' by both.

    Only the product of both parts means something; a part alone rewards whatever likelihood there is.
    """
    by_own = (others, own)[of]
    return float(by_own[side == of].sum() - np.logaddexp(own, others)[side == 1 - of].sum())


def test_ccl_is_the_product_of_its_parts() -> None:
    """Equations 3 and 4, with numbers that would underflow as probabilities."""
    rng = np.random.default_rng(0)
    own, others = rng.normal(-2000, 3, 9), rng.normal(-2000, 3, 9)
    side = np.array([0, 1, 1, 0, 0, 1, -1, 1, 0])
    slow = 0.0
    for s in range(9):
        if side[s] >= 0:
            right, wrong = (own[s], others[s]) if side[s] else (others[s], own[s])
            slow -= math.log1p(math.exp(wrong - right))
    assert log_ccl(own, others, side) == pytest.approx(slow)
    assert log_pccl(own, others, side, 1) + log_pccl(others, own, 1 - np.where(side < 0, 2, side), 1) == pytest.approx(
        slow
    )
    assert log_pccl(own, others, side, 1) + log_pccl(own, others, side, 0) == pytest.approx(slow)


def value(found: Counted, side: np.ndarray, nets: list[Parents], eps: float) -> float:
    """log CCL of two structures, from scratch."""
    likelihood = []
    for net, parents in enumerate(nets):
        total = np.zeros(found.n_points)
        for child, group in enumerate(parents):
            counts = found.family(child, group, side)[net]
            total += found.log_likelihood(child, group, log_parameters(counts, counts * 0, "ml", eps))
        likelihood.append(total)
    return log_ccl(likelihood[1], likelihood[0], side)


def slow_greedy(found: Counted, side: np.ndarray, limit: int, paired: bool) -> tuple[Parents, Parents]:
    """Try every addition, make the best, as long as one helps."""
    p = found.slices.n_variables
    nets: list[Parents] = [[()] * p, [()] * p]
    now = value(found, side, nets, 1.0)
    while True:
        tried = []
        for which in [(0, 1)] if paired else [(0,), (1,)]:
            for child in range(p):
                for x in range(p):
                    after = [list(one) for one in nets]
                    if any(x in after[net][child] or len(after[net][child]) >= limit for net in which):
                        continue
                    if found.slices.plain and any(circle(after[net], x, child) for net in which):
                        continue
                    for net in which:
                        after[net][child] = tuple(sorted((*after[net][child], x)))
                    tried.append((value(found, side, after, 1.0), after))
        best = max(tried, key=lambda one: one[0], default=(-np.inf, nets))
        if best[0] <= now + 1e-9 * max(1, abs(now)):
            return nets[0], nets[1]
        now, nets = best


def circle(parents: Parents, x: int, child: int) -> bool:
    """Whether x -> child would close one."""
    stack, seen = [x], set()
    while stack:
        node = stack.pop()
        if node == child:
            return True
        if node not in seen:
            seen.add(node)
            stack += parents[node]
    return False


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("limit", [1, 2])
@pytest.mark.parametrize("series", [True, False])
def test_moves_are_the_best_of_all(series: bool, limit: int, paired: bool) -> None:
    """Of series and of rows, a few points held out."""
    if series:
        of = points(series_frame(subjects=10, steps=15, variables=3, strength=0.5))
    else:
        of = points_of(engine.Dataset.from_frame(row_frame(60, variables=3)), "class")
    found = counted(of)
    side = np.where(np.arange(of.n_points) % 5 == 0, -1, of.labels)
    fast = conditional_structures(found, side, 1.0, [limit] * 3, known_of(of, METHOD), paired=paired)
    slow = slow_greedy(found, side, limit, paired)
    assert [list(one) for one in fast] == [list(one) for one in slow]
    if paired:
        assert fast[0] == fast[1]


def test_moves_are_the_best_of_all_where_variables_have_levels_of_their_own_number() -> None:
    """Two, three and two levels."""
    frame = series_frame(subjects=10, steps=15, variables=3, strength=0.5)
    frame["v0"], frame["v2"] = frame["v0"].clip(upper=1), frame["v2"].clip(lower=1)
    of = points(frame)
    found = counted(of)
    assert found.slices.arity.tolist() == [2, 3, 2]
    for limit in (1, 2):
        fast = conditional_structures(found, of.labels, 1.0, [limit] * 3, known_of(of, METHOD), paired=False)
        assert [list(one) for one in fast] == [list(one) for one in slow_greedy(found, of.labels, limit, False)]

"""Counts and ACL networks against a walk over the table, row by row and step by step, in plain Python."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import engine
from engine.methods.discriminative.coding import Counted
from engine.methods.discriminative.pipeline import known_of
from engine.methods.discriminative.points import Points, points_of
from engine.methods.discriminative.structure import fit_pair
from tests.engine.methods.discriminative.make import METHOD, counted, points, row_frame, series_frame

Observation = tuple[int, list[int], list[int]]
"""Whose it is, what comes before, what after."""


def over_rows() -> Points:
    """160 rows of four variables, a third of them of class "ill"."""
    return points_of(engine.Dataset.from_frame(row_frame()), "class")


def over_series() -> Points:
    """Twelve short series of four variables."""
    return points(series_frame(steps=15))


def observations(table: Counted) -> list[Observation]:
    """All observations, one after the other."""
    before, after = table.slices.before.T.tolist(), table.slices.after.T.tolist()
    return list(zip(table.point.tolist(), before, after, strict=True))


def sides(of: Points) -> Iterator[np.ndarray]:
    """All points in a side; every third left out; the sides swapped."""
    third = np.arange(len(of.labels)) % 3 == 0
    yield of.labels
    yield np.where(third, -1, of.labels)
    yield np.where(third, -1, 1 - of.labels)


@pytest.mark.parametrize("points_of_kind", [over_rows, over_series])
def test_pairs_of_both_sides_are_those_of_a_walk(points_of_kind: object) -> None:
    """Every cell of every pair of variables, side 0 as well as side 1."""
    of = points_of_kind()  # type: ignore[operator]
    table = counted(of)
    starts, cells = table.slices.starts, int(table.slices.starts[-1])
    for side in sides(of):
        expected = np.zeros((2, cells, cells))
        for point, before, after in observations(table):
            if side[point] < 0:
                continue
            for x, i in itertools.product(range(len(before)), repeat=2):
                expected[side[point], starts[x] + before[x], starts[i] + after[i]] += 1
        assert expected[0].any() and expected[1].any()
        assert np.array_equal(table.pairs(side), expected)


@pytest.mark.parametrize("points_of_kind", [over_rows, over_series])
@pytest.mark.parametrize("parents", [(), (0,), (2,), (0, 3)])
def test_families_and_likelihoods_are_those_of_a_walk(points_of_kind: object, parents: tuple[int, ...]) -> None:
    """Counts of one family by side and by point, and log P of every point."""
    of, child = points_of_kind(), 1  # type: ignore[operator]
    table = counted(of)
    arity = table.slices.arity.tolist()
    many = math.prod(arity[x] for x in parents)
    log_theta = np.log(np.random.default_rng(0).dirichlet(np.ones(arity[child]), many))
    by_point = np.zeros((table.n_points, many, arity[child]))
    for point, before, after in observations(table):
        configuration = 0
        for x in parents:
            configuration = configuration * arity[x] + before[x]
        by_point[point, configuration, after[child]] += 1
    expected = (by_point * log_theta).sum(axis=(1, 2))
    assert table.log_likelihood(child, parents, log_theta) == pytest.approx(expected)
    for side in sides(of):
        found = table.family(child, parents, side)
        for which in (0, 1):
            assert np.array_equal(found[which], by_point[side == which].sum(axis=0))


class SlowACL:
    """ACL (Burge & Lane 2005, equation 5) of maximum likelihood, counted anew for every family."""

    def __init__(self, table: Counted, side: np.ndarray, eps: float, balance: bool) -> None:
        self.walk = [(side[point], before, after) for point, before, after in observations(table) if side[point] >= 0]
        self.arity, self.eps = table.slices.arity.tolist(), eps
        sizes = Counter(int(which) for which, _, _ in self.walk)
        self.weight = sizes[1] / sizes[0] if balance else 1.0

    def family(self, child: int, parents: tuple[int, ...]) -> float:
        """Sum of log P over the class, less the weighted sum over the others."""
        cells = Counter((which, tuple(before[x] for x in parents), after[child]) for which, before, after in self.walk)
        total = 0.0
        for configuration in itertools.product(*(range(self.arity[x]) for x in parents)):
            own = [cells[1, configuration, level] for level in range(self.arity[child])]
            others = [cells[0, configuration, level] for level in range(self.arity[child])]
            whole = sum(own) + self.eps * len(own)
            for a, b in zip(own, others, strict=True):
                total += (a - self.weight * b) * math.log((a + self.eps) / whole)
        return total


def closes_a_circle(parents: list[tuple[int, ...]]) -> bool:
    """Whether some variable is its own ancestor."""
    left = set(range(len(parents)))
    while free := {child for child in left if not left & set(parents[child])}:
        left -= free
    return bool(left)


def slow_climb(score: SlowACL, most: int) -> list[tuple[int, ...]]:
    """From no arc, the best of all additions, removals and turns until none gains; every network is scored whole."""
    variables = range(len(score.arity))
    known: dict[tuple[int, tuple[int, ...]], float] = {}

    def total(parents: list[tuple[int, ...]]) -> float:
        for family in enumerate(parents):
            if family not in known:
                known[family] = score.family(*family)
        return sum(known[family] for family in enumerate(parents))

    def changed(parents: list[tuple[int, ...]], flips: list[tuple[int, int]]) -> list[tuple[int, ...]]:
        sets = [set(family) for family in parents]
        for x, child in flips:
            sets[child] ^= {x}
        return [tuple(sorted(family)) for family in sets]

    parents: list[tuple[int, ...]] = [() for _ in variables]
    while True:
        arcs = list(itertools.permutations(variables, 2))
        moves = [changed(parents, [arc]) for arc in arcs]
        moves += [changed(parents, [(x, child), (child, x)]) for x, child in arcs if x in parents[child]]
        allowed = [move for move in moves if not closes_a_circle(move) and max(map(len, move)) <= most]
        best = max(allowed, key=total)
        if total(best) <= total(parents) + 1e-9:
            return parents
        parents = best


@pytest.mark.parametrize("balance", [False, True])
@pytest.mark.parametrize("most", [1, 2])
def test_networks_over_rows_are_those_of_a_slow_climb(most: int, balance: bool) -> None:
    """Parents and ACL of both networks, with all rows and with a third held out."""
    of = over_rows()
    table, method = counted(of), replace(METHOD, max_parents=most, balance=balance)
    for side in sides(of):
        pair = fit_pair(table, side, method, known_of(of, method))
        swapped = np.where(side < 0, -1, 1 - side)
        for network, own in ((pair.own, side), (pair.others, swapped)):
            score = SlowACL(table, own, method.eps, balance)
            assert list(network.parents) == slow_climb(score, most)
            families = [score.family(child, parents) for child, parents in enumerate(network.parents)]
            assert network.pacl == pytest.approx(np.array(families))
            assert network.alone == pytest.approx(np.array([score.family(child, ()) for child in range(4)]))


@pytest.mark.parametrize("balance", [False, True])
def test_networks_over_series_are_those_of_every_family_tried(balance: bool) -> None:
    """Each child has the single parent, itself perhaps, of the highest ACL, or none where none gains."""
    of = over_series()
    table, method = counted(of), replace(METHOD, balance=balance)
    for side in sides(of):
        pair = fit_pair(table, side, method, known_of(of, method))
        for network, own in ((pair.own, side), (pair.others, np.where(side < 0, -1, 1 - side))):
            score = SlowACL(table, own, method.eps, balance)
            for child, parents in enumerate(network.parents):
                best = max([(), (0,), (1,), (2,), (3,)], key=lambda family: score.family(child, family))
                assert parents == best
                assert network.pacl[child] == pytest.approx(score.family(child, best))

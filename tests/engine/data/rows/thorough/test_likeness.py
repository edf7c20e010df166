"""The checks of rows against slow ones: every order written out, shuffles, pairs counted one by one."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.data.rows.likeness import (
    Pairs,
    _pairs_by_distance,
    copied_rows,
    permutation_moments,
    side_by_side,
    within_values,
)
from tests.engine.data.rows.tables import clustered


def pairs_of(matrix: np.ndarray) -> Pairs:
    """What a centred matrix comes to."""
    diagonal = np.diag(matrix)
    return Pairs(len(matrix), float(diagonal.sum()), float((matrix**2).sum()), float((diagonal**2).sum()))


@pytest.mark.parametrize("seed", range(5))
def test_moments_are_those_of_all_orders(seed: int) -> None:
    """Mean and variance over the 120 or 720 orders of two matrices' rows."""
    rng = np.random.default_rng(seed)
    n = 5 + seed % 2
    centre = np.eye(n) - 1 / n
    a, b = (centre @ (one + one.T) @ centre for one in rng.normal(size=(2, n, n)))
    every = [float((a * b[np.ix_(order, order)]).sum()) for order in map(list, permutations(range(n)))]
    assert permutation_moments(pairs_of(a), pairs_of(b)) == pytest.approx((np.mean(every), np.var(every)))


def shares(codes: np.ndarray, cluster: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Sum of squares between the values of each variable, value by value."""
    found = np.zeros(len(codes))
    for i, one in enumerate(codes):
        for level in np.unique(one):
            for g in np.unique(group):
                inside = group == g
                rest = (one == level) - (one[inside] == level).mean()
                for value in np.unique(cluster[inside]):
                    own = rest[inside & (cluster == value)]
                    found[i] += own.sum() ** 2 / len(own)
    return found


def neighbours(codes: np.ndarray, strata: np.ndarray) -> np.ndarray:
    """Equal neighbours in a stratum less the shares of both levels there, of each variable."""
    found = np.zeros(len(codes))
    for value in np.unique(strata):
        part = codes[:, strata == value]
        share = np.array([[(one == level).mean() for level in one] for one in part])
        found += ((part[:, 1:] == part[:, :-1]) - share[:, 1:] - share[:, :-1]).sum(axis=1)
    return found


def inside(rng: np.random.Generator, strata: np.ndarray) -> np.ndarray:
    """Rows shuffled in their strata."""
    order = np.arange(len(strata))
    for value in np.unique(strata):
        at = np.flatnonzero(strata == value)
        order[at] = rng.permutation(at)
    return order


def summed(real: np.ndarray, null: np.ndarray) -> float:
    """p of the sum of z's among the shuffles."""
    every = np.vstack([real, null])
    z = ((every - every.mean(axis=0)) / every.std(axis=0)).sum(axis=1)
    return float((z >= z[0]).mean())


@pytest.mark.parametrize(("seed", "icc"), [(0, 0.0), (1, 0.02), (2, 0.05), (3, 0.0)])
def test_rows_with_one_value_as_shuffles_have_it(seed: int, icc: float) -> None:
    """z and p of values dealt inside the groups."""
    codes, group, cluster = clustered(seed, [7, 12, 9, 4, 15, 11, 8, 6], icc, variables=4)
    rng = np.random.default_rng(seed)
    found = within_values(codes, np.full(4, 2), cluster, group)
    null = np.array([shares(codes[:, inside(rng, group)], cluster, group) for _ in range(400)])
    real = shares(codes, cluster, group)
    assert found.z == pytest.approx((real - null.mean(axis=0)) / null.std(axis=0), abs=0.35)
    assert found.p == pytest.approx(summed(real, null), abs=0.06)


@pytest.mark.parametrize("seed", range(4))
def test_neighbours_as_shuffles_have_it(seed: int) -> None:
    """p of rows shuffled in their strata; a variable that only rises is left out."""
    codes, group, _ = clustered(seed, [20] * 6, 0.05 * (seed % 2), variables=4, group=False)
    rng = np.random.default_rng(seed)
    rises = np.sort(rng.integers(0, 3, codes.shape[1]))[None]
    found = side_by_side(np.vstack([codes, rises]), np.array([2, 2, 2, 2, 3]), None)
    null = np.array([neighbours(codes[:, rng.permutation(120)], np.zeros(120)) for _ in range(600)])
    assert found.p == pytest.approx(summed(neighbours(codes, np.zeros(120)), null), abs=0.06)
    assert np.isnan(found.z).tolist() == [False] * 4 + [True]
    parted = side_by_side(codes, np.full(4, 2), group)
    null = np.array([neighbours(codes[:, inside(rng, group)], group) for _ in range(600)])
    assert parted.p == pytest.approx(summed(neighbours(codes, group), null), abs=0.06)


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_names_and_order_mean_nothing(seed: int) -> None:
    """Values, levels and rows under other numbers give the same; of neighbours the table turned round does."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (4, 60))
    cluster, group = rng.integers(-1, 12, 60), rng.integers(0, 2, 60)
    arity = np.full(4, 3)
    found = within_values(codes, arity, cluster, group)
    order, names, levels = rng.permutation(60), rng.permutation(12), rng.permutation(3)
    renamed = np.where(cluster < 0, -1, names[cluster])[order]
    again = within_values(levels[codes][::-1][:, order], arity, renamed, 1 - group[order])
    assert again.p == pytest.approx(found.p, abs=1e-5)
    assert again.z[::-1] == pytest.approx(found.z, abs=1e-4)
    one, other = (side_by_side(x, arity, s) for x, s in ((codes, group), (codes[:, ::-1], group[::-1])))
    assert one.p == pytest.approx(other.p, abs=1e-5)


def test_visits_spread_on_purpose_hide_nothing() -> None:
    """Every patient has visits 1 to 10 once; the rest is alike all the same."""
    codes, group, cluster = clustered(3, [10] * 40, 0.15)
    visit = np.arange(400) % 10
    found = within_values(np.vstack([codes, visit]), np.array([2] * 6 + [10]), cluster, group)
    assert found.z[-1] < -4
    assert found.p < 1e-6


@given(st.integers(0, 10_000), st.integers(21, 60))
@settings(max_examples=20, deadline=None)
def test_pairs_are_counted(seed: int, n: int) -> None:
    """Pairs by how many variables differ, of all rows and without each block; equal ones of a pile are not counted."""
    rng = np.random.default_rng(seed)
    codes, pile = rng.integers(0, 2, (5, n)), rng.random(n) < 0.2
    pile = (codes == codes[:, [0]]).all(axis=0) if seed % 2 else pile & False
    whole, without = _pairs_by_distance(codes, pile)
    ends = np.linspace(0, n, 21).astype(int)
    block = np.searchsorted(ends, np.arange(n), side="right") - 1
    slow, left = np.zeros(4), np.zeros((20, 4))
    for r, s in combinations(range(n), 2):
        d = int((codes[:, r] != codes[:, s]).sum())
        if d < 4 and not (d == 0 and pile[r]):
            slow[d] += 1
            left[[k for k in range(20) if k not in (block[r], block[s])], d] += 1
    assert whole.tolist() == slow.tolist()
    assert without.tolist() == left.tolist()


def factor(seed: int, n: int, p: int) -> np.ndarray:
    """Answers of one common factor: corners where all agree are crowded, and nobody is copied."""
    rng = np.random.default_rng(seed)
    return np.asarray(0.8 * rng.normal(size=n) + 0.6 * rng.normal(size=(p, n)) > rng.normal(0, 0.5, (p, 1)), dtype=int)


def test_copies_are_told_from_rows_that_are_alike() -> None:
    """Weights of 1 to 6 are found; independent rows, a common factor, and a few doubled rows are not."""
    called = {"copies": 0, "free": 0, "factor": 0, "few": 0}
    for seed in range(12):
        rng = np.random.default_rng(seed)
        free = rng.integers(0, 3, (8, 800))
        called["free"] += copied_rows(free).beyond_chance
        called["factor"] += copied_rows(factor(seed, 800, 8)).beyond_chance
        called["few"] += copied_rows(np.hstack([free, free[:, :20]])).beyond_chance
        copies = np.repeat(free[:, :250], rng.integers(1, 7, 250), axis=1)
        called["copies"] += copied_rows(copies).beyond_chance
    assert called.pop("copies") >= 11
    assert called == {"free": 0, "factor": 0, "few": 0}


def test_copies_are_counted_in_all_rows() -> None:
    """How many different rows there are, and how often they stand; finer values tell rows apart."""
    codes = np.array([[0, 0, 1, 1, 1], [0, 0, 1, 1, 0]])
    found = copied_rows(codes)
    assert (found.different, found.fewest, found.most, found.doubled, found.n) == (3, 1, 2, 4, 5)
    finer = copied_rows(codes, [np.arange(5), codes[1]])
    assert (finer.different, finer.most, finer.doubled) == (5, 1, 0)

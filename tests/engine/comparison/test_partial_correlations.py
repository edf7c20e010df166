"""Partial correlations of ratings: by another maximiser and regressions, and row by row with the jackknife."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import ndtri
from scipy.stats import multivariate_normal

import engine
from engine.comparison.estimates import GroupRows
from engine.comparison.numbers import estimate_partial_correlations

UNDER = np.array([[1.0, 0.6, 0.3, -0.2], [0.6, 1.0, 0.5, 0.1], [0.3, 0.5, 1.0, 0.4], [-0.2, 0.1, 0.4, 1.0]])
CUTS = [-0.9, 0.0, 0.8], [-0.4, 0.7], [-1.2, -0.3, 0.5, 1.3], [0.2]
SIZES = [4, 3, 5, 2]


def ratings(seed: int, n: int, under: np.ndarray = UNDER) -> np.ndarray:
    """(4, n) codes of normal rows."""
    values = np.random.default_rng(seed).multivariate_normal(np.zeros(4), under, n).T
    return np.stack([np.searchsorted(cut, one) for cut, one in zip(CUTS, values, strict=True)]).astype(np.uint8)


def rows_of(codes: np.ndarray, unit: np.ndarray | None = None) -> GroupRows:
    """The rows of one group, each its own unit unless told."""
    unit = np.arange(codes.shape[1]) if unit is None else unit
    return GroupRows(codes, np.array(SIZES[: len(codes)]), unit, np.unique(unit))


def correlated(x: np.ndarray, y: np.ndarray, K: int, L: int) -> float:
    """Two steps by SciPy alone: half a row in every level, one row over all cells, Brent's method."""
    counts = np.full((K, L), 1 / (K * L))
    np.add.at(counts, (x, y), 1)
    ends = []
    for one, size in ((x, K), (y, L)):
        share = (np.bincount(one, minlength=size) + 0.5) / (len(one) + 0.5 * size)
        ends.append(np.concatenate([[-9], ndtri(np.cumsum(share)[:-1]), [9]]))
    grid = np.stack(np.meshgrid(*ends, indexing="ij"), axis=-1)

    def loss(rho: float) -> float:
        upto = multivariate_normal.cdf(grid, np.zeros(2), [[1, rho], [rho, 1]])
        chance = np.diff(np.diff(upto, axis=0), axis=1)
        return -float((counts * np.log(np.maximum(chance, 1e-300))).sum())

    return float(minimize_scalar(loss, bounds=(-0.999, 0.999), method="bounded", options={"xatol": 1e-9}).x)


def test_partial_correlations_are_those_of_residuals() -> None:
    """Polychoric correlations by SciPy, then what is left of both after regression on all others."""
    codes = ratings(0, 250)
    found = estimate_partial_correlations(rows_of(codes))
    R = np.eye(4)
    for i in range(4):
        for j in range(i):
            R[i, j] = R[j, i] = correlated(codes[i], codes[j], SIZES[i], SIZES[j])
    for number, (i, j) in enumerate(combinations(range(4), 2)):
        own, rest = [i, j], [k for k in range(4) if k not in (i, j)]
        left = R[np.ix_(own, own)] - R[np.ix_(own, rest)] @ np.linalg.solve(R[np.ix_(rest, rest)], R[np.ix_(rest, own)])
        assert np.tanh(found.value[number]) == pytest.approx(left[0, 1] / np.sqrt(left[0, 0] * left[1, 1]), abs=2e-6)
    assert found.freedom == 250 - 5


def test_the_influence_is_what_leaving_a_row_out_changes() -> None:
    """Row by row in each of six pairs; its squares are the variance, for what is left of the rows."""
    n, codes = 140, ratings(1, 140)
    found = estimate_partial_correlations(rows_of(codes))
    left = [
        found.value - estimate_partial_correlations(rows_of(np.delete(codes, row, axis=1))).value for row in range(n)
    ]
    change = np.array(left) - np.mean(left, axis=0)
    for own, one in zip(found.influence, change.T, strict=True):
        assert np.corrcoef(own, one)[0, 1] > 0.98
    jackknife = (n - 1) / n * (change**2).sum(axis=0)
    assert found.variance * (n - 5) / n == pytest.approx(jackknife, rel=0.15)


def test_variances_are_those_over_many_tables() -> None:
    """Fisher's z of 100 tables, and intervals that hold the true one as often as they say."""
    inverse = np.linalg.inv(UNDER)
    i, j = np.triu_indices(4, 1)
    true = np.arctanh(-inverse[i, j] / np.sqrt(inverse[i, i] * inverse[j, j]))
    found = [estimate_partial_correlations(rows_of(ratings(seed, 400))) for seed in range(100)]
    values, variances = (np.array([getattr(one, name) for one in found]) for name in ("value", "variance"))
    assert variances.mean(axis=0) == pytest.approx(values.var(axis=0), rel=0.35)
    assert 0.92 < (np.abs(values - true) < 1.96 * np.sqrt(variances)).mean() < 0.98


def test_copied_rows_of_one_subject_count_once() -> None:
    """The variance is that of subjects; what they use up of the degrees of freedom are subjects too."""
    codes = ratings(2, 150)
    once, copies = estimate_partial_correlations(rows_of(codes)), np.repeat(codes, 4, axis=1)
    together = estimate_partial_correlations(rows_of(copies, np.repeat(np.arange(150), 4)))
    assert together.value == pytest.approx(once.value, abs=0.03) and together.freedom == once.freedom == 145
    assert together.variance == pytest.approx(once.variance, rel=0.1)


def test_ratings_that_are_one_another_have_numbers_all_the_same() -> None:
    """Eigenvalues are lifted, so that nothing is infinite; so are few rows and a level without one."""
    codes = ratings(3, 60)
    codes[1], codes[2] = np.minimum(codes[0], 2), codes[0]
    found = estimate_partial_correlations(rows_of(codes))
    assert np.isfinite(found.value).all() and np.isfinite(found.influence).all() and (np.abs(found.value) < 4).all()
    few = ratings(4, 9)
    few[0] = np.where(few[0] == 3, 2, few[0])
    tiny = estimate_partial_correlations(rows_of(few))
    assert np.isfinite(tiny.value).all() and np.isfinite(tiny.influence).all() and tiny.freedom == 4


def test_a_missing_answer_is_no_level() -> None:
    """Two groups with gaps left open: the test's numbers are those of each group's lines."""
    generator = np.random.default_rng(4)
    codes = np.concatenate([ratings(8, 300), ratings(9, 300)], axis=1)
    frame = pd.DataFrame(codes.T, columns=list("abcd")).mask(generator.random((600, 4)) < 0.2)
    frame["arm"] = np.repeat(["new", "old"], 300)
    data = engine.Dataset.from_frame(frame, missing="level", roles={"arm": "group"})
    parts = [part.select(list("abcd")) for part in data.split("arm").values()]
    method = engine.Ordinal(missing="pairwise", approach="osem", draws=20)
    results = [method.run(part) for part in parts]
    found = engine.compare(*results, data=parts)
    assert found.test is not None
    pair = np.triu_indices(4, 1)
    for number, result in enumerate(results):
        assert result.lines is not None
        assert found.test.differences.value[number] == pytest.approx(np.arctanh(result.lines.partial[pair]), abs=1e-9)
    assert any("rests on the rows with both" in note for note in found.notes())
    few = [part.rows(np.arange(9)) for part in parts]
    found = engine.compare(*[method.run(part) for part in few], data=few)
    assert found.test is None and "with both answers of every pair" in found.no_test

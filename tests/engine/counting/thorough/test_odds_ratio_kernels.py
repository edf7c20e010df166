"""Common log odds ratios: Mantel and Haenszel's closed form, the plain sum over pairs of rows, and the jackknife."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from statsmodels.stats.contingency_tables import StratifiedTable  # type: ignore[import-untyped]

from engine.counting.link_kernels import contexts_of, odds_ratio, odds_ratios


def asked(
    x: np.ndarray, y: np.ndarray, K: int, L: int, context: np.ndarray, steps: tuple[list[int], list[int]] | None = None
) -> tuple[float, float, np.ndarray]:
    """Estimate, variance and influence of one table, whatever the scratch space held before."""
    first, second = (np.array(one) for one in steps or (range(K), range(L)))
    many = int(context.max(initial=-1)) + 1
    table, rows, influence = np.full(many * K * L, 7.0), np.full(many, 7.0), np.full(len(x), 7.0)
    estimate = odds_ratio(x, y, first, second, K, L, context, many, table, rows, influence)
    return estimate, float((influence**2).sum()), influence


def plainly(x: np.ndarray, y: np.ndarray, K: int, L: int, context: np.ndarray) -> tuple[float, float, np.ndarray]:
    """The same over pairs of weighted rows: two rows in all are spread over every context's cells beforehand."""
    n = len(x)
    parts = []  # of a context: values of x and y, weights, size, factor
    for s in np.unique(context):
        own, n_s = context == s, int((context == s).sum())
        spread = np.array([(k, m) for k in range(K) for m in range(L)])
        weights = np.concatenate([np.ones(n_s), np.full(K * L, 2 / (K * L) * n_s / n)])
        a, b = np.concatenate([x[own], spread[:, 0]]), np.concatenate([y[own], spread[:, 1]])
        d = np.subtract.outer(a, a) * np.subtract.outer(b, b)
        both = np.outer(weights, weights) / weights.sum()
        parts.append((own, d, both, weights, np.sqrt(n_s / max(n_s - 1, 1))))

    def sigma(theta: float, d: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(theta * d))

    def slope(theta: float) -> float:
        return float(sum((np.triu(both, 1) * d * sigma(theta, d)).sum() for _, d, both, *_ in parts))

    theta = float(brentq(slope, -60, 60, xtol=1e-13))
    J = sum((np.triu(both, 1) * d**2 * sigma(theta, d) * sigma(-theta, d)).sum() for _, d, both, *_ in parts)
    influence, variance = np.zeros(n), 0.0
    for own, d, both, weights, factor in parts:
        h = (both * d * sigma(theta, d)).sum(axis=1) / weights
        e = (h - (weights * h).sum() / weights.sum() / 2) * factor / J
        variance += float((weights * e**2).sum())
        influence[own] = e[: own.sum()]
    square = (influence**2).sum()
    if square <= 1e-6 * variance:
        return theta, variance, np.full(n, np.sqrt(variance / n))
    return theta, variance, influence * np.sqrt(variance / square)


@st.composite
def tables(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int, int, np.ndarray]:
    """Rows of two scales in a few contexts; some are all alike."""
    K, L, many, n = (draw(st.integers(low, high)) for low, high in ((2, 4), (2, 4), (1, 3), (2, 40)))
    x, y, context = (np.array(draw(st.lists(st.integers(0, top - 1), min_size=n, max_size=n))) for top in (K, L, many))
    return x, y, K, L, np.unique(context, return_inverse=True)[1]


@settings(max_examples=60)
@given(tables())
def test_the_estimating_equation_is_a_sum_over_pairs_of_rows(
    made: tuple[np.ndarray, np.ndarray, int, int, np.ndarray],
) -> None:
    """Root, influence of every row and variance, recomputed; the variance is the sum of squares of the influence."""
    estimate, variance, influence = asked(*made)
    theta, spread, plain = plainly(*made)
    assert estimate == pytest.approx(theta, abs=1e-7)
    assert variance == pytest.approx(spread, rel=1e-5)
    assert influence == pytest.approx(plain, rel=1e-4, abs=1e-6 * np.sqrt(spread))


@settings(max_examples=40)
@given(st.lists(st.lists(st.integers(0, 12), min_size=4, max_size=4).filter(any), min_size=1, max_size=4))
def test_two_levels_give_mantel_and_haenszels(counts: list[list[int]]) -> None:
    """The closed form with the spread rows written out; statsmodels says the same of those tables."""
    cells = np.array(counts).reshape(-1, 2, 2)
    context, x, y = np.repeat(np.indices(cells.shape).reshape(3, -1), cells.ravel(), axis=1)
    estimate, _, _ = asked(x, y, 2, 2, context)
    n_s = cells.sum(axis=(1, 2))
    spread = cells + 0.5 * (n_s / n_s.sum())[:, None, None]
    size = spread.sum(axis=(1, 2))
    closed = np.log((spread[:, 0, 0] * spread[:, 1, 1] / size).sum() / (spread[:, 0, 1] * spread[:, 1, 0] / size).sum())
    assert estimate == pytest.approx(closed, abs=1e-8)
    assert estimate == pytest.approx(StratifiedTable(list(spread)).logodds_pooled, abs=1e-8)


def test_the_variance_is_that_of_robins_breslow_and_greenland() -> None:
    """Four tables without an empty cell: another estimator of the same variance, by statsmodels."""
    cells = np.array([[[40, 22], [18, 55]], [[31, 12], [25, 39]], [[60, 33], [20, 28]], [[14, 30], [9, 41]]])
    context, x, y = np.repeat(np.indices(cells.shape).reshape(3, -1), cells.ravel(), axis=1)
    _, variance, _ = asked(x, y, 2, 2, context)
    n_s = cells.sum(axis=(1, 2))
    spread = cells + 0.5 * (n_s / n_s.sum())[:, None, None]
    assert np.sqrt(variance) == pytest.approx(StratifiedTable(list(spread)).logodds_pooled_se, rel=0.03)


def test_the_influence_is_what_leaving_a_row_out_changes() -> None:
    """Three ordered levels by two in two contexts: row by row, and its sum of squares."""
    generator = np.random.default_rng(3)
    n = 240
    x, context = generator.integers(0, 3, n), generator.integers(0, 2, n)
    y = (generator.random(n) < 1 / (1 + np.exp(0.8 - 0.7 * x - 0.5 * context))).astype(int)
    estimate, variance, influence = asked(x, y, 3, 2, context)
    left = []
    for row in range(n):
        kept = np.arange(n) != row
        left.append(estimate - asked(x[kept], y[kept], 3, 2, context[kept])[0])
    assert np.corrcoef(left, influence)[0, 1] > 0.999
    assert variance == pytest.approx((n - 1) / n * np.square(np.array(left) - np.mean(left)).sum(), rel=0.05)


def test_rows_outside_the_scale_have_no_part() -> None:
    """A level of step -1 counts nowhere: not in the estimate, and without influence; without a row nothing is known."""
    generator = np.random.default_rng(4)
    x, y, context = (generator.integers(0, top, 150) for top in (3, 4, 2))
    steps = [0, -1, 1], [-1, 1, -1, 0]
    inside = (x != 1) & (y % 2 == 1)
    kept = np.array(steps[0])[x[inside]], np.array(steps[1])[y[inside]]
    estimate, variance, influence = asked(x, y, 2, 2, context, steps)
    wanted, spread, own = asked(kept[0], kept[1], 2, 2, context[inside])
    assert (estimate, variance) == pytest.approx((wanted, spread))
    assert influence[inside] == pytest.approx(own) and not influence[~inside].any()
    nothing = asked(x[~inside], y[~inside], 2, 2, context[~inside], ([0, -1, 1], [-1, -1, -1, -1]))
    assert nothing[:2] == (0.0, 100.0) and (nothing[2] ** 2).sum() == pytest.approx(100.0)


@settings(max_examples=30)
@given(p=st.integers(1, 4), n=st.integers(0, 40), seed=st.integers(0, 10_000))
def test_contexts_are_the_rows_that_are_alike(p: int, n: int, seed: int) -> None:
    """Numbered by their first row; nothing given is one context."""
    generator = np.random.default_rng(seed)
    codes, levels = generator.integers(0, 3, (p, n)).astype(np.uint8), np.full(p, 3)
    given_ = np.flatnonzero(generator.random(p) < 0.6)
    into = np.full(n, 9)
    many = contexts_of(codes, levels, given_, into, np.full(max(n, 1) * 3, 5))
    seen: dict[tuple[int, ...], int] = {}
    wanted = [seen.setdefault(tuple(row), len(seen)) for row in codes[given_].T.tolist()]
    assert into.tolist() == wanted and many == len(seen)


def test_all_at_once_is_one_by_one() -> None:
    """From and to anywhere; the contexts are those of each number's own pair, also where a pair comes again."""
    generator = np.random.default_rng(5)
    codes, levels = generator.integers(0, 3, (4, 90)).astype(np.uint8), np.full(4, 3)
    pairs, given_, starts = np.array([[0, 1], [2, 3]]), np.array([2, 3, 0]), np.array([0, 2, 3])
    of_pair = np.array([0, 0, 1])
    steps = np.array([[[0, 1, 2], [0, 1, 2]], [[0, 1, -1], [0, 1, 2]], [[1, 0, 0], [-1, 0, 1]]])
    sizes = np.array([[3, 3], [2, 3], [2, 2]])
    estimate, influence = np.zeros(3), np.zeros((3, 90))
    for piece in ((0, 2), (2, 3)):
        odds_ratios(codes, levels, pairs, given_, starts, of_pair, steps, sizes, *piece, estimate, influence)
    for q, pair in enumerate(of_pair):
        u, v = pairs[pair]
        own = codes[given_[starts[pair] : starts[pair + 1]]]
        context = np.unique(own, axis=1, return_inverse=True)[1].ravel()
        K, L = sizes[q].tolist()
        wanted = asked(codes[u], codes[v], K, L, context, (steps[q, 0].tolist(), steps[q, 1].tolist()))
        assert estimate[q] == pytest.approx(wanted[0])
        assert influence[q] == pytest.approx(wanted[2])

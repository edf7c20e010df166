"""The approaches that section 2.1 of Sverchkov & Cooper (2015) names, against their definitions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency, f, ks_2samp
from sklearn.metrics import mutual_info_score

from benchmarks.papers.group_difference.comparators import (
    COMPARATORS,
    LEAST_EXPECTED,
    LEVEL,
    MINIMUM_DEVIATION,
    _log_f_tail,
    comparator_scores,
    divergence,
    hotelling,
)
from engine.data.dataset import Dataset


def groups(seed: int, shift: float = 0.6, rows: int = 300) -> tuple[Dataset, np.ndarray]:
    """Four variables of two to four levels; where both of the last two are 0 differs between the groups."""
    rng = np.random.default_rng(seed)
    second = np.repeat([0, 1], rows)
    codes = [rng.integers(0, k, 2 * rows) for k in (2, 4, 2, 3)]
    copied = (rng.random(2 * rows) < shift) & (second == 1)
    codes[3] = np.where(copied, codes[2], codes[3])
    return Dataset.from_codes(np.stack([*codes, second]), [2, 4, 2, 3, 2], ["a", "b", "c", "d", "group"]), second


@pytest.mark.parametrize("seed", range(3))
def test_single_variables_are_scored_as_other_libraries_do(seed: int) -> None:
    """Mutual information of scikit-learn, Kolmogorov-Smirnov of SciPy, T-squared from rows and their covariances."""
    data, second = groups(seed)
    scores = comparator_scores(data, "group")
    assert list(scores.columns) == list(COMPARATORS)
    for name in "abcd":
        codes = data.column(name)
        assert scores.at[name, "mutual information"] == pytest.approx(mutual_info_score(codes, second), abs=1e-12)
        ks = ks_2samp(codes[second == 0], codes[second == 1], method="asymp").statistic
        assert scores.at[name, "Kolmogorov-Smirnov"] == pytest.approx(ks, abs=1e-12)
        indicators = (codes[:, None] == np.arange(codes.max())).astype(float)
        one, two = indicators[second == 0], indicators[second == 1]
        n, m, p = len(one), len(two), indicators.shape[1]
        pooled = ((n - 1) * np.cov(one.T) + (m - 1) * np.cov(two.T)) / (n + m - 2)
        apart = one.mean(axis=0) - two.mean(axis=0)
        t_squared = n * m / (n + m) * apart @ np.linalg.inv(np.atleast_2d(pooled)) @ apart
        statistic = t_squared * (n + m - p - 1) / ((n + m - 2) * p)
        assert scores.at[name, "Hotelling"] == pytest.approx(-f.logsf(statistic, p, n + m - p - 1), rel=1e-9)


def test_divergence_is_zero_for_equal_distributions_and_finite_for_absent_levels() -> None:
    """Both directions, with half a row in each cell."""
    assert divergence(np.array([[3, 7], [3, 7]])) == 0
    p, q = np.array([10.5, 0.5]) / 11, np.array([3.5, 7.5]) / 11
    expected = (p * np.log(p / q)).sum() + (q * np.log(q / p)).sum()
    assert divergence(np.array([[10, 0], [3, 7]])) == pytest.approx(expected, abs=1e-12)
    assert hotelling(np.array([[5, 0], [9, 0]])) == 0  # one level


def test_the_tail_of_f_goes_on_where_scipys_underflows() -> None:
    """It joins SciPy's where both are there, and keeps order beyond."""
    assert np.isneginf(f.logsf(4000.0, 3, 9997))
    before = [f.logsf(statistic, 3, 9997) for statistic in (450.0, 500.0)]
    beyond = [_log_f_tail(statistic, 3, 9997) for statistic in (1000.0, 4000.0)]
    assert before[0] > before[1] > beyond[0] > beyond[1] > -1e5
    known = np.arange(430.0, 505.0, 5.0)  # ln p is smooth, so SciPy's last values say what comes next
    ahead = np.polynomial.Polynomial.fit(known, f.logsf(known, 3, 9997), 4)(540.0)
    assert np.isneginf(f.logsf(540.0, 3, 9997)) and _log_f_tail(540.0, 3, 9997) == pytest.approx(ahead, abs=0.01)


@pytest.mark.parametrize(("seed", "rows"), [(0, 300), (1, 300), (2, 60), (3, 1000)])
def test_contrast_sets_are_those_of_a_plain_search(seed: int, rows: int) -> None:
    """Every combination listed by hand, level by level, with SciPy's chi-squared and the same rules."""
    data, second = groups(seed, rows=rows)
    scores = comparator_scores(data, "group")["contrast sets"]
    assert scores.to_dict() == pytest.approx(plain_search(data, second), abs=1e-12)
    assert (scores > 0).any() or rows < 100


@pytest.mark.parametrize("seed", [8, 12, 19, 75, 241, 264, 14699])
def test_rare_combinations_are_pruned_as_in_a_plain_search(seed: int) -> None:
    """Tables on which one rule or another (alpha, deviation, expected counts, bound) decides what is found."""
    rng = np.random.default_rng(seed)
    k, first, other = 3 + seed % 2, (80, 200, 500, 2000)[seed % 4], (60, 300, 2000)[seed % 3]
    second = np.repeat([0, 1], (first, other))
    rare = rng.choice(3, (k, first + other), p=[[0.9, 0.08, 0.02], [0.6, 0.3, 0.1], [0.97, 0.02, 0.01]][seed % 3])
    for j in range(1, k):
        changed = (second == 1) & (rng.random(first + other) < 0.3 * rng.random())
        alone = rng.random() < 0.5
        level = np.full_like(rare[0], rng.integers(0, 3)) if alone else (rare[0] + rng.integers(1, 3)) % 3
        rare[j] = np.where(changed, level, rare[j])
    data = Dataset.from_codes(np.vstack([rare, second]), [*[3] * k, 2], [*"abcd"[:k], "group"])
    scores = comparator_scores(data, "group")["contrast sets"]
    assert scores.to_dict() == pytest.approx(plain_search(data, second), abs=1e-12)


def test_a_difference_in_a_combination_alone_is_seen_by_contrast_sets_only() -> None:
    """Two fair coins that agree in one group and disagree in the other: every variable alone is the same."""
    first = np.array([[0, 0], [1, 1]] * 50).T
    second = np.array([[0, 1], [1, 0]] * 50).T
    codes = np.vstack([np.hstack([first, second]), np.repeat([0, 1], 100)])
    scores = comparator_scores(Dataset.from_codes(codes, [2, 2, 2], ["a", "b", "group"]), "group")
    assert scores["contrast sets"].tolist() == [0.5, 0.5]
    assert np.abs(scores.drop(columns="contrast sets")).to_numpy().max() < 1e-12


def plain_search(data: Dataset, second: np.ndarray) -> dict[str, float]:
    """STUCCO's rules in loops: {variable: largest difference of support}."""
    names = [name for name in data.names if name != "group"]
    levels = {name: range(int(data.arity[data.index(name)])) for name in names}
    best, alive, alpha = dict.fromkeys(names, 0.0), {frozenset()}, LEVEL
    for size in range(1, len(names) + 1):
        candidates = [
            frozenset(zip(which, values, strict=True))
            for which in itertools.combinations(names, size)
            for values in itertools.product(*(levels[name] for name in which))
        ]
        candidates = [item for item in candidates if all(item - {pair} in alive for pair in item)]
        if not candidates:
            break
        alpha = min(alpha, LEVEL / 2**size / len(candidates))
        alive = set()
        for item in candidates:
            rows = np.all([data.column(name) == value for name, value in item], axis=0)
            table = np.array([[np.sum(rows & (second == g)), np.sum(~rows & (second == g))] for g in (0, 1)])
            support = table[:, 0] / table.sum(axis=1)
            if abs(support[0] - support[1]) >= MINIMUM_DEVIATION and p_of(table) < alpha:
                for name, _ in item:
                    best[name] = max(best[name], abs(support[0] - support[1]))
            expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
            ends = [np.array([table[0] if keep == 0 else [0, table[0].sum()],
                              table[1] if keep == 1 else [0, table[1].sum()]]) for keep in (0, 1)]  # fmt: skip
            promising = min(p_of(end) for end in ends) < alpha
            if promising and support.max() >= MINIMUM_DEVIATION and expected.min() >= LEAST_EXPECTED:
                alive.add(item)
    return best


def p_of(table: np.ndarray) -> float:
    """Of chi-squared without a correction; 1 where a margin is empty."""
    if (table.sum(axis=0) == 0).any():
        return 1.0
    return float(chi2.sf(chi2_contingency(table, correction=False).statistic, 1))

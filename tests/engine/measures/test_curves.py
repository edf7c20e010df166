"""Curves, areas and their tests: against counts by loops, scikit-learn, and what must never change."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.errors import DataError, SettingsError
from engine.measures import bootstrap, comparing, curves


def drawn(n: int, levels: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two scores with many ties that know something, and the truth."""
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.4
    truth[:2] = True, False
    first, second = (rng.integers(0, levels, n) + truth * rng.integers(0, 3, n) for _ in range(2))
    return first.astype(float), second.astype(float), truth


def win(case: float, other: float) -> Fraction:
    """What a pair counts: 1 where the case scores higher, half for a tie."""
    return Fraction(1) if case > other else Fraction(1, 2) if case == other else Fraction(0)


def mann_whitney(scores: np.ndarray, truth: np.ndarray) -> Fraction:
    """The area, pair by pair."""
    pairs = [win(a, b) for a in scores[truth] for b in scores[~truth]]
    return sum(pairs, Fraction(0)) / len(pairs)


def delong(scores: list[np.ndarray], truth: np.ndarray) -> list[list[Fraction]]:
    """The covariance matrix of the areas as the paper defines it, by loops over structural components."""
    by_case = [[sum(win(a, b) for b in s[~truth]) / Fraction(int((~truth).sum())) for a in s[truth]] for s in scores]
    by_other = [[sum(win(a, b) for a in s[truth]) / Fraction(int(truth.sum())) for b in s[~truth]] for s in scores]
    matrix = [[Fraction(0)] * len(scores) for _ in scores]
    for one, two in itertools.product(range(len(scores)), repeat=2):
        for parts in (by_case, by_other):
            n = len(parts[one])
            mean_one, mean_two = (sum(parts[which], Fraction(0)) / n for which in (one, two))
            products = [(a - mean_one) * (b - mean_two) for a, b in zip(parts[one], parts[two], strict=True)]
            matrix[one][two] += sum(products, Fraction(0)) / (n - 1) / n
    return matrix


@pytest.mark.parametrize(("n", "levels"), [(5, 2), (30, 4), (80, 60)])
def test_areas_are_the_mann_whitney_count_and_scikit_learns(n: int, levels: int) -> None:
    """With ties, by both roads to the area, and the curve's points are scikit-learn's."""
    from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score, roc_curve

    for seed in range(5):
        scores, _, truth = drawn(n, levels, seed)
        found, area = curves.curve(scores, truth), curves.auc(scores, truth)
        exact = float(mann_whitney(scores, truth))
        assert area.value == pytest.approx(exact, abs=1e-12)
        assert found.auc == pytest.approx(exact, abs=1e-12)
        assert roc_auc_score(truth, scores) == pytest.approx(exact, abs=1e-12)
        assert found.average_precision == pytest.approx(average_precision_score(truth, scores), abs=1e-12)
        false_rate, rate, thresholds = roc_curve(truth, scores, drop_intermediate=False)
        assert np.allclose(found.false_positive_rate, false_rate) and np.allclose(found.sensitivity, rate)
        assert np.array_equal(found.thresholds, thresholds)
        precision, recall, _ = precision_recall_curve(truth, scores)
        assert np.allclose(found.precision, precision[::-1]) and np.allclose(found.sensitivity, recall[::-1])


def test_every_threshold_calls_what_scores_as_much() -> None:
    """The counts of every point, by looking."""
    scores, _, truth = drawn(40, 6, 3)
    found = curves.curve(scores, truth)
    for threshold, cases, others in zip(found.thresholds, found.called_cases, found.called_others, strict=True):
        assert cases == sum(scores[truth] >= threshold)
        assert others == sum(scores[~truth] >= threshold)
    assert (found.cases, found.others) == (truth.sum(), (~truth).sum())


@pytest.mark.parametrize(("n", "levels"), [(8, 3), (25, 5), (40, 40)])
def test_delong_is_the_covariance_of_its_structural_components(n: int, levels: int) -> None:
    """Variance of one area and of the difference of two, against exact fractions by loops."""
    for seed in range(4):
        first, second, truth = drawn(n, levels, seed)
        matrix = delong([first, second], truth)
        assert curves.auc(first, truth).variance == pytest.approx(float(matrix[0][0]), rel=1e-9, abs=1e-15)
        found = comparing.delong(first, second, truth)
        variance = float(matrix[0][0] + matrix[1][1] - 2 * matrix[0][1])
        assert found.variance == pytest.approx(variance, rel=1e-9, abs=1e-15)
        exact = float(mann_whitney(first, truth) - mann_whitney(second, truth))
        assert found.difference == pytest.approx(exact, abs=1e-12)
        assert found.z == pytest.approx(exact / math.sqrt(variance), rel=1e-9)
        assert found.p == pytest.approx(math.erfc(abs(found.z) / math.sqrt(2)), rel=1e-9)


def test_a_case_done_by_hand() -> None:
    """Cases 3, 1; others 2, 0: components 1, 1/2 and 1/2, 1; variance 1/16 + 1/16."""
    area = curves.auc([3, 1, 2, 0], [True, True, False, False])
    assert (area.value, area.variance) == (0.75, 0.125)
    assert area.low == pytest.approx(0.75 - 1.959964 * math.sqrt(0.125), abs=1e-6)
    assert area.high == 1.0
    assert curves.auc([3, 1, 2, 0], [1, 1, 0, 0], level=0.5).high == pytest.approx(0.75 + 0.67449 * 0.353553, abs=1e-5)


SCORED = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9), st.booleans()), min_size=4, max_size=30)


@settings(max_examples=40)
@given(SCORED)
def test_only_the_order_of_the_scores_matters(rows: list[tuple[int, int, bool]]) -> None:
    """A rising transform changes no area, variance or test; infinite scores are the highest and lowest."""
    first, second, truth = map(np.array, zip(*rows, strict=True))
    assume(truth.any() and not truth.all())
    cubed = first.astype(float) ** 3 + 5
    assert _numbers(curves.auc(cubed, truth)) == _numbers(curves.auc(first, truth))
    assert _numbers(comparing.compare_curves(cubed, second, truth)) == _numbers(
        comparing.compare_curves(first, second, truth)
    )
    infinite = np.where(first == first.max(), np.inf, np.where(first == first.min(), -np.inf, first))
    assume(first.max() > first.min())
    assert _numbers(curves.auc(infinite, truth)) == _numbers(curves.auc(first, truth))


@settings(max_examples=40)
@given(SCORED, st.randoms(use_true_random=False))
def test_swapping_and_shuffling(rows: list[tuple[int, int, bool]], random: Any) -> None:
    """Cases for others mirrors the area at 1/2 with its variance; the order of rows is nothing."""
    first, second, truth = map(np.array, zip(*rows, strict=True))
    assume(truth.any() and not truth.all())
    area, mirrored = curves.auc(first, truth), curves.auc(first, ~truth)
    assert mirrored.value == pytest.approx(1 - area.value)
    assert mirrored.variance == pytest.approx(area.variance, nan_ok=True)
    assert mirrored.low == pytest.approx(1 - area.high, nan_ok=True)
    one, two = comparing.compare_curves(first, second, truth), comparing.compare_curves(second, first, truth)
    assert (one.difference, one.z) == pytest.approx((-two.difference, -two.z), nan_ok=True)
    assert one.p == pytest.approx(two.p, nan_ok=True)
    order = np.array(random.sample(range(len(rows)), len(rows)))
    again = curves.auc(first[order], truth[order])
    assert _numbers(again) == pytest.approx(_numbers(area), nan_ok=True)


def _numbers(found: curves.Auc | comparing.AreaComparison) -> list[float]:
    """The fields, comparable where they are not numbers."""
    numbers = [value for value in vars(found).values() if not isinstance(value, str)]
    return [-1.0 if math.isnan(value) else value for value in numbers]


def test_the_test_keeps_its_level_and_the_interval_its_coverage() -> None:
    """Of 400 tables of two equally good scores about 5 % are called, and about 95 % of the intervals hold the area."""
    rng = np.random.default_rng(5)
    truth = np.arange(120) < 50
    called = held = 0
    for _ in range(400):
        first, second = (rng.normal(size=120) + truth for _ in range(2))
        called += comparing.compare_curves(first, second, truth).p < 0.05
        area = curves.auc(first, truth)
        held += area.low <= 0.7602499 <= area.high  # normal cdf of 1 / sqrt(2)
    assert 8 <= called <= 34
    assert 366 <= held <= 393


def test_scores_that_agree_are_no_different() -> None:
    """Equal scores: difference 0, p 1; a perfect score against its opposite has p 0 by DeLong, who has no variance."""
    scores, _, truth = drawn(20, 4, 0)
    assert comparing.compare_curves(scores, 2 * scores, truth) == comparing.AreaComparison(0.0, 0.0, 0.0, 1.0)
    perfect = comparing.delong(truth.astype(float), -truth.astype(float), truth)
    assert (perfect.difference, perfect.z, perfect.p) == (1.0, math.inf, 0.0)


def test_a_single_case_has_no_variance() -> None:
    """The area is there, the variance and DeLong's test are not numbers."""
    area = curves.auc([2, 1, 3], [True, False, False])
    assert area.value == 0.5 and math.isnan(area.variance) and math.isnan(area.low) and math.isnan(area.high)
    assert math.isnan(comparing.delong([2, 1, 3], [3, 2, 1], [True, False, False]).p)


@pytest.mark.parametrize("of", bootstrap.STATISTICS)
def test_weighted_statistics_are_those_of_the_repeated_rows(of: str) -> None:
    """What a bootstrap computes for a table drawn again, against scikit-learn on the rows written out."""
    from sklearn.metrics import average_precision_score, roc_auc_score

    scores, _, truth = drawn(25, 5, 1)
    weights = np.random.default_rng(2).integers(0, 4, (6, 25))
    codes = np.unique(scores, return_inverse=True)[1]
    by = {"auc": roc_auc_score, "average precision": average_precision_score}[of]
    written = [by(np.repeat(truth, row), np.repeat(scores, row)) for row in weights]
    assert np.allclose(bootstrap._weighted(of, codes, truth, weights), written)
    assert np.isnan(bootstrap._weighted(of, codes, truth, np.where(truth, 1, 0)[None, :])).all()


def test_bootstrap_intervals_are_near_delongs_and_seeded() -> None:
    """For many independent rows; equal seeds give equal bits, others not; the batches do not matter."""
    rng = np.random.default_rng(1)
    truth = np.arange(300) < 120
    scores = rng.normal(size=300) + truth
    area = curves.auc(scores, truth)
    found = bootstrap.bootstrap_interval(scores, truth, seed=4)
    assert found == pytest.approx((area.low, area.high), abs=0.012)
    assert found == bootstrap.bootstrap_interval(scores, truth, seed=4)
    assert found != bootstrap.bootstrap_interval(scores, truth, seed=5)
    low, high = bootstrap.bootstrap_interval(scores, truth, "average precision", runs=300)
    assert low < curves.curve(scores, truth).average_precision < high


def test_rows_that_go_together_are_drawn_together() -> None:
    """Writing every row four times narrows the plain interval, not the one of clusters of four."""
    rng = np.random.default_rng(3)
    truth = np.arange(60) < 30
    scores = rng.normal(size=60) + truth
    apart = bootstrap.bootstrap_interval(scores, truth)
    four = [np.repeat(scores, 4), np.repeat(truth, 4)]
    plain = bootstrap.bootstrap_interval(*four)
    together = bootstrap.bootstrap_interval(*four, clusters=np.repeat(np.arange(60), 4))
    assert plain[1] - plain[0] < 0.7 * (apart[1] - apart[0])
    assert together[1] - together[0] == pytest.approx(apart[1] - apart[0], rel=0.1)


def test_tables_without_cases_are_left_out() -> None:
    """Two clusters, all cases in one: half of the tables say nothing; the others give the area there is."""
    found = bootstrap.bootstrap_interval([1, 2, 1, 3], [0, 0, 0, 1], clusters=["a", "a", "b", "b"], runs=50)
    assert found == (1.0, 1.0)
    with pytest.raises(DataError, match="more clusters"):
        bootstrap.bootstrap_interval([1, 2], [0, 1], clusters=["a", "b"], runs=1, seed=_one_sided_seed())


def _one_sided_seed() -> int:
    """A seed whose first table of two clusters has one of them twice."""
    return next(s for s in range(99) if np.random.default_rng(s).multinomial(2, [0.5, 0.5], size=1).max() == 2)


def test_blocks_are_pooled_and_taken_apart() -> None:
    """Pooled scores are the blocks end to end; the area by label is that of its rows, none without both kinds."""
    a, b = drawn(20, 5, 1), drawn(30, 5, 2)
    both = curves.pool([(a[0], a[2]), (b[0], b[2])])
    assert both.scores.tolist() == [*a[0], *b[0]] and both.truth.tolist() == [*a[2], *b[2]]
    assert both.block.tolist() == [0] * 20 + [1] * 30
    apart = curves.auc_by(both.block, both.scores, both.truth)
    assert apart == {0: curves.auc(a[0], a[2]), 1: curves.auc(b[0], b[2])}
    named = curves.auc_by(["x", "x", "y", "x"], [1, 2, 3, 0], [0, 1, 1, 0])
    assert list(named) == ["x", "y"] and named["y"] is None
    assert named["x"] is not None and named["x"].value == 1.0


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: curves.auc([1, 2], [True]), DataError, "2 scores for 1"),
        (lambda: curves.curve([1, 2], [True, True]), DataError, "no others"),
        (lambda: curves.curve([1, 2], [False, False]), DataError, "no cases"),
        (lambda: comparing.compare_curves([1, 2], [1, math.nan], [True, False]), DataError, "Score 2 is missing"),
        (lambda: curves.auc([1, 2], [True, False], level=95), SettingsError, "between 0 and 1"),
        (lambda: bootstrap.bootstrap_interval([1, 2], [1, 0], "f"), SettingsError, "'average precision'"),
        (lambda: bootstrap.bootstrap_interval([1, 2], [1, 0], runs=0), SettingsError, "from 1 up"),
        (lambda: bootstrap.bootstrap_interval([1, 2], [1, 0], clusters=["a"]), DataError, "1 labels for 2"),
        (lambda: curves.pool([]), DataError, "no block"),
        (lambda: curves.pool([([1, 2], [True])]), DataError, "Block 0 has 2 scores for 1"),
    ],
)
def test_what_cannot_be_is_said(call: Any, error: type[Exception], words: str) -> None:
    """One sentence for each."""
    with pytest.raises(error, match=words):
        call()


OVARIAN = """
3.0 5.8 10 0  3.2 6.3 5 1  3.9 6.8 3 1  2.8 4.8 6 0  3.2 5.8 3 1  0.9 4.0 5 0  2.5 5.7 8 0  1.6 5.6 5 1  3.8 5.7 5 1
3.7 6.7 6 1  3.2 5.4 4 1  3.8 6.6 6 1  4.1 6.6 5 1  3.6 5.7 5 1  4.3 7.0 4 1  3.6 6.7 4 0  2.3 4.4 6 1  4.2 7.6 4 0
4.0 6.6 6 0  3.5 5.8 6 1  3.8 6.8 7 1  3.0 4.7 8 0  4.5 7.4 5 1  3.7 7.4 5 1  3.1 6.6 6 1  4.1 8.2 6 1  4.3 7.0 5 1
4.3 6.5 4 1  3.2 5.1 5 1  2.6 4.7 6 1  3.3 6.8 6 0  1.7 4.0 7 0  3.7 6.1 5 1  3.3 6.3 7 1  4.2 7.7 6 1  3.5 6.2 5 1
2.9 5.7 9 0  2.1 4.8 7 1  2.8 6.2 8 0  4.0 7.0 7 1  3.3 5.7 6 1  3.7 6.9 5 1  3.6 6.6 5 1
"""
"""Albumin, total protein, K-G score (less is better) and outcome of the 43 whole cases of DeLong et al. (1988)."""


def test_the_ovarian_cancer_example_of_delong() -> None:
    """Areas, standard errors, limits and p as statistics packages print them for these data, to their four decimals."""
    values = np.array(OVARIAN.split(), dtype=float).reshape(-1, 4).T
    truth = values[3] == 1
    assert (len(truth), truth.sum()) == (43, 31)
    tests = {"albumin": values[0], "K-G": -values[2], "protein": values[1]}
    for name, area, error, low, high in (
        ("albumin", 0.7366, 0.0927, 0.5549, 0.9182),
        ("K-G", 0.7258, 0.1028, 0.5243, 0.9273),
        ("protein", 0.6478, 0.1000, 0.4518, 0.8439),
    ):
        found = curves.auc(tests[name], truth)
        assert [found.value, found.variance**0.5, found.low, found.high] == pytest.approx(
            [area, error, low, high], abs=6e-5
        )
    for name, difference, error, p in (("albumin", 0.0108, 0.0953, 0.9102), ("protein", -0.0780, 0.1046, 0.4561)):
        apart = comparing.compare_curves(tests[name], tests["K-G"], truth)
        assert [apart.difference, apart.variance**0.5, apart.p] == pytest.approx([difference, error, p], abs=6e-5)


def test_a_rate_is_rounded_neither_to_none_nor_to_all() -> None:
    """One false positive in 245 is no specificity of 100 %."""
    shown = [
        curves.Rate("specificity", hits, of, 0.0, 1.0).percent
        for hits, of in ((244, 245), (245, 245), (1, 300), (9, 12))
    ]
    assert shown == ["99.6\u00a0%", "100\u00a0%", "0.3\u00a0%", "75\u00a0%"]

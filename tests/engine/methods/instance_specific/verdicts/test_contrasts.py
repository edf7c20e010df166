"""Contrasts against slow computations of their own: shifts, both statistics, intervals, clusters, relabelling."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, t

from engine.methods.instance_specific.contrasts import Contrasts, Strata, contrasts


def drawn(seed: int, strata: int = 4, sources: int = 3, levels: int = 3, rows: int = 60) -> np.ndarray:
    """(strata, sources, levels) counts, some cells thin."""
    generator = np.random.default_rng(seed)
    shares = generator.dirichlet(np.full(levels, 0.8), (strata, sources))
    sizes = generator.integers(rows // 3, rows, (strata, sources))
    return np.array([[generator.multinomial(sizes[s, a], shares[s, a]) for a in range(sources)] for s in range(strata)])


def mean_shift(counts: np.ndarray, strata: list[int], i: int, j: int, k: int) -> tuple[float, list[float]]:
    """Mantel-Haenszel mean over some strata of the share of k at j less that at i, and the strata's weights."""
    weights = [counts[s, i].sum() * counts[s, j].sum() / (counts[s, i].sum() + counts[s, j].sum()) for s in strata]
    shifts = [counts[s, j, k] / counts[s, j].sum() - counts[s, i, k] / counts[s, i].sum() for s in strata]
    return sum(w * d for w, d in zip(weights, shifts, strict=True)) / sum(weights), weights


def points(counts: np.ndarray, here: list[int], i: int, j: int, k: int) -> float:
    """The score statistic of the difference, cell by cell."""
    every = list(range(len(counts)))
    rest = [s for s in every if s not in here]
    common, _ = mean_shift(counts, every, i, j, k)
    variance = 0.0
    for part in (here, rest):
        _, weights = mean_shift(counts, part, i, j, k)
        for s, w in zip(part, weights, strict=True):
            n, m = counts[s, i].sum(), counts[s, j].sum()
            pooled = (counts[s, i, k] + counts[s, j, k] + 0.5) / (n + m + 1)
            edge = 0.5 / (n + m + 1)
            p = min(max(pooled - common * m / (n + m), edge), 1 - edge)
            q = min(max(pooled + common * n / (n + m), edge), 1 - edge)
            variance += (w / sum(weights)) ** 2 * (p * (1 - p) / n + q * (1 - q) / m)
    return (mean_shift(counts, here, i, j, k)[0] - mean_shift(counts, rest, i, j, k)[0]) / math.sqrt(variance)


def log_odds(counts: np.ndarray, here: list[int], i: int, j: int, k: int) -> float:
    """Difference of log Mantel-Haenszel odds ratios over its standard error (Robins, Breslow and Greenland)."""
    order = np.argsort(-counts.sum(axis=(0, 1)), kind="stable")
    other = int(order[0] if k != order[0] else order[1])
    rest = [s for s in range(len(counts)) if s not in here]
    logs, variances = [], []
    # the others' half rows are spread over the sizes of all strata
    for part, whole in ((here, here), (rest, list(range(len(counts))))):
        total = sum(counts[s][[i, j]][:, [k, other]].sum() for s in whole)
        r = q = pr = mixed = qs = 0.0
        for s in part:
            add = 0.5 * counts[s][[i, j]][:, [k, other]].sum() / total
            a, b, c, d = (counts[s, arm, x] + add for arm, x in ((j, k), (j, other), (i, k), (i, other)))
            n = a + b + c + d
            r, q = r + a * d / n, q + b * c / n
            pr += (a + d) / n * a * d / n
            mixed += (a + d) / n * b * c / n + (b + c) / n * a * d / n
            qs += (b + c) / n * b * c / n
        logs.append(math.log(r / q))
        variances.append(pr / (2 * r * r) + mixed / (2 * r * q) + qs / (2 * q * q))
    return (logs[0] - logs[1]) / math.sqrt(sum(variances))


def wilson(hits: int, n: float, z: float) -> tuple[float, float]:
    """Of one share, by the roots of the quadratic."""
    p = hits / n
    low, high = np.sort(np.roots([1 + z * z / n, -(2 * p + z * z / n), p * p]).real)
    return float(low), float(high)


@pytest.mark.parametrize(("seed", "grouped", "levels"), [(0, False, 3), (1, True, 3), (2, False, 2), (3, True, 2)])
def test_every_contrast_is_what_a_loop_over_cells_gives(seed: int, grouped: bool, levels: int) -> None:
    """Shifts, the smaller of the two statistics, p and the three intervals, for every group, pair and level."""
    counts = drawn(seed, levels=levels)
    group = np.array([0, 1, 0, 1]) if grouped else np.arange(4)
    found = contrasts(Strata(counts, group))
    seen = 0
    for g in range(group.max() + 1):
        here = np.flatnonzero(group == g).tolist()
        rest = np.flatnonzero(group != g).tolist()
        ends = found.interval(g, 0.02)
        for (at, (i, j)), (place, k) in itertools.product(enumerate(found.pairs.tolist()), enumerate(found.levels)):
            own, weights = mean_shift(counts, here, i, j, k)
            others, other_weights = mean_shift(counts, rest, i, j, k)
            assert found.here[g, at, place] == pytest.approx(own)
            assert found.others[g, at, place] == pytest.approx(others)
            one, two = points(counts, here, i, j, k), log_odds(counts, here, i, j, k)
            expected = math.copysign(min(abs(one), abs(two)), one) if one * two > 0 else 0.0
            assert found.statistic[g, at, place] == pytest.approx(expected, abs=1e-9)
            assert found.p[g, at, place] == pytest.approx(2 * norm.sf(abs(expected)), abs=1e-12)
            z, legs = norm.isf(0.01), []
            for part, share in ((here, weights), (rest, other_weights)):
                down = up = 0.0
                for s, w in zip(part, share, strict=True):
                    (a, b), (c, d) = (wilson(counts[s, arm, k], counts[s, arm].sum(), z) for arm in (i, j))
                    p, q = counts[s, i, k] / counts[s, i].sum(), counts[s, j, k] / counts[s, j].sum()
                    down += (w / sum(share)) ** 2 * ((q - c) ** 2 + (b - p) ** 2)
                    up += (w / sum(share)) ** 2 * ((d - q) ** 2 + (p - a) ** 2)
                legs.append((down, up))
            expected_ends = [own - math.sqrt(legs[0][0]), own + math.sqrt(legs[0][1])]
            expected_ends += [others - math.sqrt(legs[1][0]), others + math.sqrt(legs[1][1])]
            expected_ends += [own - others - math.sqrt(legs[0][0] + legs[1][1])]
            expected_ends += [own - others + math.sqrt(legs[0][1] + legs[1][0])]
            clipped = [min(max(end, -1), 1) for end in expected_ends[:4]] + expected_ends[4:]
            assert [part[at, place] for part in ends] == pytest.approx(clipped)
            seen += 1
    assert seen == (group.max() + 1) * 3 * (1 if levels == 2 else levels)


def test_rows_of_a_subject_widen_by_the_sandwich_over_the_variance_by_row() -> None:
    """Sums of residuals by subject, squared, by a loop over rows; t with a degree less than the smaller side has."""
    generator = np.random.default_rng(5)
    rows = 900
    subject = generator.integers(0, 40, rows)
    stratum = (subject % 2 + (generator.random(rows) < 0.2)) % 2
    source = generator.integers(0, 2, rows)
    moved = generator.normal(0, 1.2, 40)[subject]
    child = (generator.random(rows) < 1 / (1 + np.exp(-(0.5 + moved * (source - 0.5))))).astype(int)
    counts = np.zeros((2, 2, 2), dtype=np.int64)
    np.add.at(counts, (stratum, source, child), 1)
    found = contrasts(Strata(counts, np.arange(2), (subject, stratum, source, child, np.ones(rows, dtype=int))))
    residual = np.zeros(rows)
    variance = 0.0
    for s, a in itertools.product((0, 1), (0, 1)):
        inside = (stratum == s) & (source == a)
        p, n = child[inside].mean(), inside.sum()
        residual[inside] = (1 if s == 0 else -1) * (1 if a else -1) * (child[inside] - p) / n
        variance += p * (1 - p) / n
    sandwich = sum(residual[subject == one].sum() ** 2 for one in range(40)) * 40 / 39
    assert sandwich / variance > 1.2
    assert found.widened[0, 0, 0] == pytest.approx(sandwich / variance)
    smaller = min(len(set(subject[stratum == s])) for s in (0, 1))
    plain = contrasts(Strata(counts, np.arange(2)))
    statistic = plain.statistic[0, 0, 0] / math.sqrt(sandwich / variance)
    assert found.statistic[0, 0, 0] == pytest.approx(statistic)
    assert found.p[0, 0, 0] == pytest.approx(2 * t.sf(abs(statistic), smaller - 1))
    assert found.subjects.tolist() == [len(set(subject[stratum == s])) for s in (0, 1)]


def test_nothing_is_asked_of_few_rows_or_few_subjects() -> None:
    """Nine rows of one level here, or five subjects; ten and six are enough."""
    counts = np.array([[[5, 4], [20, 20]], [[30, 30], [30, 30]]])
    assert not contrasts(Strata(counts, np.arange(2))).asked.any()
    counts[0, 0, 0] += 1
    assert contrasts(Strata(counts, np.arange(2))).asked.all()
    for subjects in (5, 6):
        cells = np.argwhere(counts >= 0)
        entries = [(number, *cell) for cell in cells for number in range(counts[tuple(cell)])]
        number, s, a, k = np.array(entries).T
        number = number % subjects + 100 * s
        found = contrasts(Strata(counts, np.arange(2), (number, s, a, k, np.ones(len(s), dtype=int))))
        assert found.asked.all() == (subjects == 6)
        assert not found.asked.any() or subjects == 6


def summary(found: Contrasts) -> list[float]:
    """What does not hang on how levels are called: p of the first group, sorted."""
    return sorted(found.p[0][found.asked[0]].round(12).tolist())


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), order=st.permutations(range(3)), swap=st.permutations(range(3)))
def test_names_of_levels_and_order_of_strata_change_no_p(seed: int, order: list[int], swap: list[int]) -> None:
    """Levels of the source and of the child, and all strata but the first, change places."""
    counts = drawn(seed) + 4  # no two levels of the child tie for the commonest
    commonest = np.sort(counts.sum(axis=(0, 1)))
    if (np.diff(commonest) == 0).any():
        return
    before = summary(contrasts(Strata(counts, np.arange(4))))
    other = counts[[0, *(1 + one for one in order)]][:, swap][:, :, order]
    assert summary(contrasts(Strata(other, np.arange(4)))) == pytest.approx(before)

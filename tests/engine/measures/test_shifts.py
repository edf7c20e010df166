"""The largest shift against the formulas written out for one pair, and its interval against simulated truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from engine.errors import SettingsError
from engine.measures.shifts import (
    UNKNOWN_SHIFT,
    largest_shift,
    rows_needed,
    wilson_interval,
)


def wilson(hits: int, n: int, z: float = 1.959963984540054) -> tuple[float, float]:
    """The two shares p at which (hits / n - p) is z standard errors of p away: the roots of a quadratic."""
    p = hits / n
    low, high = sorted(np.roots([1 + z * z / n, -(2 * p + z * z / n), p * p]).real)
    return float(low), float(high)


def newcombe(a: int, n: int, b: int, m: int) -> tuple[float, float]:
    """Newcombe's (1998) method 10 for a / n - b / m."""
    (l1, u1), (l2, u2) = wilson(a, n), wilson(b, m)
    p, q = a / n, b / m
    return p - q - math.sqrt((p - l1) ** 2 + (u2 - q) ** 2), p - q + math.sqrt((u1 - p) ** 2 + (q - l2) ** 2)


@pytest.mark.parametrize(("hits", "n"), [(0, 7), (3, 9), (40, 41), (12, 12)])
def test_wilsons_ends_are_where_the_score_test_turns(hits: int, n: int) -> None:
    """At either end the share observed lies 1.96 standard errors of that end away."""
    low, high = (float(end) for end in wilson_interval(hits, n))
    assert (low, high) == pytest.approx(wilson(hits, n), abs=1e-9)
    assert [float(end) for end in wilson_interval(0, 0)] == pytest.approx([0.0, 1.0], abs=1e-12)


def test_newcombes_own_example() -> None:
    """Newcombe 1998, table II, (a): 56/70 against 48/80 gives 0.0524 to 0.3339."""
    found = largest_shift([[56, 14], [48, 32]])
    assert (found.effect, found.low, found.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=1e-4)


@pytest.mark.parametrize("counts", [[[9, 1], [2, 8]], [[5, 5], [6, 4]], [[1, 9], [30, 10]]])
def test_two_groups_and_two_levels_are_newcombes_interval_folded(counts: list[list[int]]) -> None:
    """Without sign, and from 0 where no difference is within it; the order of the groups changes nothing."""
    (a, b), (c, d) = counts
    low, high = newcombe(a, a + b, c, c + d)
    folded = 0.0 if low <= 0 <= high else min(abs(low), abs(high))
    for table in (counts, counts[::-1]):
        found = largest_shift(table)
        assert found.effect == pytest.approx(abs(a / (a + b) - c / (c + d)))
        assert (found.low, found.high) == pytest.approx((folded, max(abs(low), abs(high))))


def test_the_largest_of_several_has_the_largest_upper_end_and_a_stricter_lower_one() -> None:
    """Three groups of three levels: upper ends at 95 %, lower ends at 0.95 to the power 1 / 4."""
    table = np.array([[20, 5, 5], [10, 12, 9], [4, 3, 25]])
    found = largest_shift(table)
    pairs = [(i, j, k) for i in range(3) for j in range(i) for k in range(3)]
    sizes = table.sum(axis=1)
    plain = [newcombe(table[i, k], sizes[i], table[j, k], sizes[j]) for i, j, k in pairs]
    assert found.high == pytest.approx(max(max(abs(low), abs(high)) for low, high in plain))
    assert found.effect == pytest.approx(max(abs(table[i, k] / sizes[i] - table[j, k] / sizes[j]) for i, j, k in pairs))
    z = stats.norm.ppf(0.5 + 0.95**0.25 / 2)
    lows = []
    for i, j, k in pairs:
        p, q = table[i, k] / sizes[i], table[j, k] / sizes[j]
        (l1, u1), (l2, u2) = wilson(table[i, k], sizes[i], z), wilson(table[j, k], sizes[j], z)
        lows += [p - q - math.hypot(p - l1, u2 - q), q - p - math.hypot(u1 - p, q - l2)]
    assert found.low == pytest.approx(max(0.0, *lows))


def test_groups_without_rows_are_left_out() -> None:
    """A level that nobody like the patient has says nothing; with one group left nothing is known."""
    assert largest_shift([[9, 1], [0, 0], [2, 8]]) == largest_shift([[9, 1], [2, 8]])
    assert math.isnan(largest_shift([[9, 1], [0, 0]]).effect)
    assert (UNKNOWN_SHIFT.low, UNKNOWN_SHIFT.high) == (0.0, 1.0)
    assert rows_needed([[9, 1], [0, 0]], 0.1) is None


@pytest.mark.parametrize(("groups", "levels"), [(2, 2), (3, 3)])
@pytest.mark.parametrize("strength", [0.0, 0.3, 1.0])
def test_the_interval_covers_as_often_as_it_says(groups: int, levels: int, strength: float) -> None:
    """600 tables of 80 rows: the true largest shift is inside in 92 to 99.5 % of them."""
    generator = np.random.default_rng([groups, levels, round(10 * strength)])
    inside = 0
    for _ in range(600):
        common = generator.dirichlet(np.full(levels, 2.0))
        shares = (1 - strength) * common + strength * generator.dirichlet(np.ones(levels), groups)
        sizes = generator.multinomial(80 - 5 * groups, generator.dirichlet(np.full(groups, 3.0))) + 5
        found = largest_shift([generator.multinomial(n, p) for n, p in zip(sizes, shares, strict=True)])
        inside += found.low <= np.ptp(shares, axis=0).max() + 1e-12 <= found.high + 1e-9
    assert 0.92 <= inside / 600 <= 0.995


def test_so_many_rows_show_the_margin_four_times_in_five() -> None:
    """Tables of the size asked for, with the shift, exclude no shift in about 80 %."""
    generator = np.random.default_rng(5)
    observed = np.array([[60, 40], [30, 20]])
    needed = rows_needed(observed, 0.1)
    assert needed is not None
    sizes = (round(needed * 2 / 3), round(needed / 3))
    seen = 0
    for _ in range(1500):
        rows = [generator.multinomial(n, [p, 1 - p]) for n, p in zip(sizes, (0.65, 0.55), strict=True)]
        seen += largest_shift(rows).low > 0
    assert 0.76 <= seen / 1500 <= 0.85


def test_a_level_that_cannot_be_is_refused() -> None:
    """As by the other intervals."""
    for call in (lambda: largest_shift([[1, 2], [3, 4]], 1.0), lambda: rows_needed([[1, 2], [3, 4]], 0.1, 0.0)):
        with pytest.raises(SettingsError):
            call()

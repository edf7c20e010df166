"""A difference of means: against Welch's interval, statsmodels-free least squares written out, and by its coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import t

from engine.measures.mean_difference import mean_difference


def test_without_strata_it_is_welchs_interval() -> None:
    """Of groups without skewness, to the last digits; the ends by Satterthwaite's degrees of freedom."""
    first, second = np.array([-3.0, -1, 0, 1, 3]), np.array([0.0, 1, 2, 2, 3, 4])
    values, group = np.r_[first, second], np.arange(11) > 4
    parts = [part.var(ddof=1) / len(part) for part in (first, second)]
    freedom = sum(parts) ** 2 / sum(v**2 / (len(p) - 1) for v, p in zip(parts, (first, second), strict=True))
    reach = t.ppf(0.975, freedom) * math.sqrt(sum(parts))
    assert mean_difference(values, group) == pytest.approx((2.0, 2.0 - reach, 2.0 + reach))
    assert mean_difference(1e300 * values, group)[1] == pytest.approx(1e300 * (2.0 - reach))


def test_strata_and_lines_are_held() -> None:
    """The coefficient of least squares with a column for each stratum and line; rows of one group alone say nothing."""
    rng = np.random.default_rng(0)
    strata, second, line = rng.integers(0, 4, 300), rng.random(300) < 0.3, rng.normal(size=300)
    second[strata == 3] = True
    values = strata + 2.0 * line + 0.5 * second + rng.normal(size=300)
    used = strata < 3
    design = np.column_stack([second, line, *(strata == k for k in range(3))])[used].astype(float)
    expected = np.linalg.lstsq(design, values[used], rcond=None)[0][0]
    effect, low, high = mean_difference(values, second, strata, line[None])
    assert effect == pytest.approx(expected) and low < effect < high
    assert all(map(math.isnan, mean_difference(values, second, np.where(second, 1, 0))))
    assert np.isnan(mean_difference(values[:3], np.array([True, False, False]))[1:]).all()


@pytest.mark.parametrize("clusters", [False, True], ids=["skewed 20 to 1", "clusters"])
def test_its_interval_covers_what_it_should(clusters: bool) -> None:
    """Of 400 tables: logs of normals in 600 and 30 rows, and 2 x 10 clusters that are alike inside."""
    hits = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        if clusters:
            of = np.repeat(np.arange(20), 15)
            hits += _covers(rng.normal(size=20)[of] + rng.normal(size=300), of % 2 == 1, of)
        else:
            hits += _covers(rng.lognormal(0, 1, 630), np.arange(630) >= 600, None)
    assert 0.92 <= hits / 400 <= 0.98


def _covers(values: np.ndarray, second: np.ndarray, clusters: np.ndarray | None) -> bool:
    _, low, high = mean_difference(values, second, clusters=clusters)
    return low <= 0 <= high

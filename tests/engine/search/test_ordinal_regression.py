"""The test by two ordinal regressions beside statsmodels' logistic regressions, put together as they are defined."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.stats import chi2

import engine
from engine.search.independence import bound_test
from engine.search.ordinal_regression import OrdinalRegression
from tests.engine.make import random_data


def columns(data: engine.Dataset, group: tuple[int, ...]) -> np.ndarray:
    """(n, q) ones, and indicators of all levels but the first that occurs."""
    own = [np.ones(data.n_rows)]
    for x in group:
        own += [(data.codes[x] == level).astype(float) for level in np.unique(data.codes[x])[1:]]
    return np.column_stack(own)


def deviance(data: engine.Dataset, child: int, group: tuple[int, ...]) -> tuple[float, int]:
    """A logistic regression for each level but the last, and the probabilities of the levels from them."""
    levels, y = np.unique(data.codes[child], return_inverse=True)
    design = columns(data, group)
    above = [sm.GLM((y > cut).astype(float), design, sm.families.Binomial()).fit() for cut in range(len(levels) - 1)]
    ends = [np.ones(data.n_rows), *(fit.fittedvalues for fit in above), np.zeros(data.n_rows)]
    shares = np.array([upper - lower for upper, lower in itertools.pairwise(ends)])
    for row in np.flatnonzero((shares < 0).any(axis=0)):
        shares[:, row] = abs(shares[:, row]) / abs(shares[:, row]).sum()
    return -2 * float(np.log(shares[y, np.arange(data.n_rows)]).sum()), design.shape[1] * (len(levels) - 1)


def slow(data: engine.Dataset, x: int, y: int, group: tuple[int, ...]) -> float:
    """min(2 min, max) of the two p-values."""
    p = []
    for child, other in ((x, y), (y, x)):
        (without, few), (with_other, more) = deviance(data, child, group), deviance(data, child, (*group, other))
        p.append(float(chi2.sf(without - with_other, more - few)))
    return min(2 * min(p), max(p))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("group", [(), (2,), (2, 3)])
def test_it_is_two_regressions_each_way(seed: int, group: tuple[int, ...]) -> None:
    """Variables of two to four levels, none, one and two others given."""
    data = random_data(250, 4, 9, seed)
    test = bound_test("ordinal_regression", data, None)  # type: ignore[arg-type]
    found = test.p_values(0, 1, np.array([group], dtype=np.int64).reshape(1, len(group)))[0]
    assert found == pytest.approx(slow(data, 0, 1, group), rel=1e-5, abs=1e-12)
    assert test.p_values(1, 0, np.array([group], dtype=np.int64).reshape(1, len(group)))[0] == found


def test_columns_that_others_add_up_to_cost_nothing() -> None:
    """Given its own copy a variable has nothing left to explain, and statistics are divided by the effect."""
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 3, 200), rng.integers(0, 2, 200)
    data = engine.Dataset.from_codes([a, b, a], [3, 2, 3], ["a", "b", "copy"])
    assert OrdinalRegression(data).p_values(0, 1, np.array([[2]]))[0] == 1.0
    linked = engine.Dataset.from_codes([a, (a + b) % 3], [3, 3], ["a", "c"])
    none = np.empty((1, 0), dtype=np.int64)
    p = OrdinalRegression(linked).p_values(0, 1, none)[0]
    assert p < OrdinalRegression(linked, effect=2.0).p_values(0, 1, none)[0] < 1

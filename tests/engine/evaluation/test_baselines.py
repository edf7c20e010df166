"""The lasso and chi-squared baselines: by hand, and against a grid of penalties with another solver."""

from __future__ import annotations

import math

import numpy as np
import pytest

import engine
from engine.errors import DataError, SettingsError
from engine.evaluation.baselines import chi_squared, lasso_scores
from tests.engine.make import random_data, two_groups


def table(rows: list[tuple[int, ...]], levels: list[int]) -> engine.Dataset:
    """Columns a, b, ... and the group last, called z."""
    names = [*"abcdef"[: len(levels) - 1], "z"]
    return engine.Dataset.from_codes(np.array(rows).T, levels, names)


def rows_inputs(data: engine.Dataset, before: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """(n, d) standardised inputs row by row, and which of them have the group in them."""
    z = data.column("group").astype(float)
    columns, grouped = [], []
    for name in before:
        x, levels = data.column(name), int(data.arity[data.index(name)])
        for level in range(levels) if levels > 2 else [1]:
            columns += [(x == level).astype(float)]
            grouped += [False]
    columns, grouped = [*columns, z, *[z * column for column in columns]], [*grouped, True, *[True] * len(columns)]
    inputs = np.stack(columns, axis=1)
    return (inputs - inputs.mean(axis=0)) / inputs.std(axis=0), np.array(grouped)


@pytest.mark.parametrize(("seed", "changed"), [(1, True), (4, False), (9, True)])
def test_the_group_enters_where_a_grid_of_penalties_says(seed: int, changed: bool) -> None:
    """scikit-learn on all rows and all inputs, steps of 6 %: the group is out above the score, in below it."""
    from sklearn.linear_model import LogisticRegression

    data = two_groups(120, 3, 2, seed, changed)
    order = list(data.names[:3])
    scores = lasso_scores(data, "group", order)
    for place, name in enumerate(order):
        inputs, grouped = rows_inputs(data, order[:place])
        grid = scores[name] * 1.06 ** (np.arange(12, -3, -1.0) - 0.5)
        entered = []
        for penalty in grid:
            model = LogisticRegression(
                l1_ratio=1.0, C=1 / (penalty * data.n_rows), solver="saga", tol=1e-6, max_iter=4000, random_state=0
            )
            coefficients = model.fit(inputs, data.column(name)).coef_
            entered.append(bool((np.abs(coefficients[:, grouped]) > 1e-4).any()))
        first = entered.index(True)
        assert grid[first] < scores[name] < grid[first - 1], (name, first)


def test_without_predecessors_it_is_the_difference_of_shares() -> None:
    """Equal groups: a gradient of half the largest difference of the shares of a level, by hand."""
    shares = {0: [5, 3, 2], 1: [1, 3, 6]}
    rows = [
        (level, group) for group, counts in shares.items() for level, many in enumerate(counts) for _ in range(many)
    ]
    assert lasso_scores(table(rows, [3, 2]), "z", ["a"])["a"] == pytest.approx(0.4 / 2)


def test_a_difference_that_only_an_interaction_shows() -> None:
    """b is a in one group and its opposite in the other: only the product tells, sqrt(1/12) by hand."""
    rows = [(a, a ^ z, z) for a in (0, 1) for z in (0, 1)] * 5
    found = lasso_scores(table(rows, [2, 2, 2]), "z", ["a", "b"])
    assert found["a"] == pytest.approx(0, abs=1e-9)
    assert found["b"] == pytest.approx(math.sqrt(1 / 12))
    assert list(found.index) == ["a", "b"]


def test_the_order_says_who_may_predict() -> None:
    """b follows a, and a differs between the groups: given a little is left of b's difference, before a all of it."""
    rng = np.random.default_rng(0)
    z = np.repeat([0, 1], 2000)
    a = (rng.random(4000) < np.where(z, 0.8, 0.2)).astype(int)
    b = np.where(rng.random(4000) < 0.95, a, 1 - a)
    data = engine.Dataset.from_codes(np.stack([a, b, z]), [2, 2, 2], ["a", "b", "z"])
    after, before = lasso_scores(data, "z", ["a", "b"]), lasso_scores(data, "z", ["b", "a"])
    assert before["b"] > 0.2 and after["b"] < 0.25 * before["b"]
    assert after["a"] == pytest.approx((a[z == 1].mean() - a[z == 0].mean()) / 2, rel=1e-6)


def test_rows_twice_and_in_another_order_change_nothing() -> None:
    """The penalty is on the scale of one row; unused levels and the order of columns do not matter either."""
    data = two_groups(80, 4, 4, 2, changed=True)
    order = list(data.names[:4])
    scores = lasso_scores(data, "group", order)
    rng = np.random.default_rng(0)
    twice = data.rows(rng.permutation(np.tile(np.arange(data.n_rows), 2)))
    assert np.allclose(lasso_scores(twice, "group", order), scores, rtol=1e-4)
    turned = data.select([*reversed(order), "group"])
    assert lasso_scores(turned, "group", order)[order].to_numpy() == pytest.approx(scores.to_numpy(), rel=1e-4)
    wider = engine.Dataset.from_codes(data.codes, [int(arity) + 1 for arity in data.arity], data.names)
    assert np.array_equal(lasso_scores(wider, "group", order), scores)
    assert (scores > 0).all()


def test_a_variable_with_one_level_scores_nothing() -> None:
    """Neither baseline sees a difference in it, and it predicts nobody."""
    rows = [(0, 0, 0), (0, 1, 0), (0, 1, 1), (0, 1, 1)]
    data = table(rows, [1, 2, 2])
    scores, tests = lasso_scores(data, "z", ["a", "b"]), chi_squared(data, "z")
    assert scores["a"] == 0 and scores["b"] == pytest.approx(0.25)
    assert tests.loc["a"].tolist() == [0.0, 0.0, 0.0]


def test_chi_squared_is_scipys() -> None:
    """Statistic, degrees and p of every variable, on a table counted by hand; empty levels have no degrees."""
    from scipy.stats import chi2_contingency

    data = two_groups(60, 4, 4, 3, changed=True)
    found = chi_squared(data, "group")
    assert list(found.index) == list(data.names[:4])
    z = data.column("group")
    for name in found.index:
        x = data.column(name)
        counts = [[sum((x == level) & (z == group)) for level in sorted(set(x))] for group in (0, 1)]
        expected = chi2_contingency(counts, correction=False)
        assert found.loc[name, "statistic"] == pytest.approx(expected.statistic)
        assert found.loc[name, "degrees"] == expected.dof
        assert math.exp(found.loc[name, "log_p"]) == pytest.approx(expected.pvalue)


def test_p_does_not_underflow() -> None:
    """Two groups of 5,000 that share no level: ln p is finite, about -statistic / 2."""
    rows = [(z, z) for z in (0, 1) for _ in range(5000)]
    found = chi_squared(table(rows, [2, 2]), "z").loc["a"]
    assert found["statistic"] == pytest.approx(10_000)
    assert -5010 < found["log_p"] < -5000


@pytest.mark.parametrize("method", [lambda d: lasso_scores(d, "v02", ["v00", "v01"]), lambda d: chi_squared(d, "v02")])
def test_groups_must_be_two(method: object) -> None:
    """One sentence says how many there are."""
    data = random_data(50, 3, 2, 1, levels=(3, 3))
    with pytest.raises(DataError, match="'v02' has 3 levels"):
        method(data)  # type: ignore[operator]


@pytest.mark.parametrize("order", [["v00"], ["v00", "v01", "group"], ["v00", "v00"]])
def test_the_order_must_fit(order: list[str]) -> None:
    """All variables once, the group not among them."""
    with pytest.raises(SettingsError, match="every variable beside the group column once"):
        lasso_scores(two_groups(20, 2, 1, 0), "group", order)


def test_a_level_without_rows_changes_neither_baseline() -> None:
    """A declared level that no row has is no column of the test and no input of the lasso."""
    data = random_data(80, 4, 4, seed=2, levels=(2, 3))
    levels = {name: [*data.levels[name], "never"] for name in data.names}
    wider = engine.Dataset.from_codes(data.codes, levels, data.names)
    group = next(name for name in data.names if len(data.levels[name]) == 2)
    here, there = chi_squared(data, group), chi_squared(wider, group)
    assert np.isfinite(there.to_numpy(dtype=float)).all()
    assert here.equals(there)
    order = [name for name in data.names if name != group]
    assert lasso_scores(wider, group, order).tolist() == pytest.approx(lasso_scores(data, group, order).tolist())


def test_a_variable_of_two_levels_is_one_input() -> None:
    """The group matters only where a is at its first level: the inputs are z and z times a = 1, not z times a = 0."""
    cells = {(0, 0): (90, 10), (0, 1): (10, 90), (1, 0): (50, 50), (1, 1): (50, 50)}  # (a, z) -> rows of b
    rows = [(a, b, z) for (a, z), sizes in cells.items() for b, size in enumerate(sizes) for _ in range(size)]
    data = table(rows, [2, 2, 2])
    columns = np.array(rows, dtype=float).T
    residual = columns[1] - columns[1].mean()

    def gradient(values: np.ndarray) -> float:
        return abs(float((values - values.mean()) @ residual)) / values.std() / len(rows)

    by_hand = max(gradient(columns[2]), gradient(columns[2] * columns[0]))
    assert gradient(columns[2] * (1 - columns[0])) > by_hand + 0.01
    assert lasso_scores(data, "z", ["a", "b"])["b"] == pytest.approx(by_hand, rel=1e-6)

"""Rows by their values alone: who is farthest from the others, and whether rows fall into kinds."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import special

from engine import Dataset
from engine.models.kinds import _combination, _distances, _is_rare, apart, extreme_rows, value_kinds, value_scores


def table(shift: float) -> pd.DataFrame:
    """300 rows of two numbers and a diagnosis; a third of them is shifted, and row 7 has a number far out."""
    rng = np.random.default_rng(5)
    sick = np.arange(300) % 3 == 0
    frame = pd.DataFrame(rng.normal(size=(300, 2)) + shift * sick[:, None], columns=["lactate", "pulse"]).round(2)
    frame["ward"] = np.where(sick, "icu", "a") if shift else rng.choice(["a", "b"], 300)
    frame.loc[7, "lactate"] = 40.0
    return frame


def test_the_row_with_a_number_far_out_is_the_first_and_says_why() -> None:
    """And of two values that only together are rare, the row that has both."""
    row, distance, names = extreme_rows(Dataset.from_frame(table(0.0))).rows[0]
    assert (row, names) == (7, ("lactate",)) and distance > 20
    linked = table(0.0).assign(pulse=lambda frame: (frame["lactate"] + 0.1 * frame["pulse"]).clip(-4, 4))
    assert extreme_rows(Dataset.from_frame(linked)).rows[0][2][0] == "lactate", "not what hangs on it"
    rng = np.random.default_rng(6)
    first = rng.normal(size=400)
    frame = pd.DataFrame({"left": first, "right": first + 0.05 * rng.normal(size=400)}).round(3)
    frame.loc[11] = [1.5, -1.5]
    assert extreme_rows(Dataset.from_frame(frame), 1).rows[0][0] == 11


def test_a_rare_level_is_not_extreme() -> None:
    """Where there are numbers, a level without an order sets nobody apart, however rare."""
    frame = table(0.0).assign(gender=["f", "m"] * 149 + ["x", "y"])
    rows = extreme_rows(Dataset.from_frame(frame)).rows
    assert {298, 299}.isdisjoint(row for row, *_ in rows) and all("gender" not in names for *_, names in rows)


def test_kinds_are_seen_where_there_are_some_and_not_in_one_cloud() -> None:
    """Held against permuted columns; the largest kind is the first."""
    data = Dataset.from_frame(table(5.0))
    kinds = value_kinds(data)
    assert kinds.seen and np.bincount(kinds.codes).tolist() == [200, 100]
    assert set(apart(data, kinds, 1)) == {"lactate", "pulse", "ward"}
    assert not value_kinds(Dataset.from_frame(table(0.0).drop(7))).seen
    first = np.random.default_rng(6).normal(size=400)
    line = pd.DataFrame({f"x{i}": first + np.random.default_rng(i).normal(size=400) for i in range(8)}).round(3)
    one_cloud = value_kinds(Dataset.from_frame(line))
    assert one_cloud.silhouette > 0.3 and not one_cloud.seen, "variables that are linked are no kinds"


def test_what_sets_a_row_apart_explains_its_distance_and_chance_that_of_normal_rows() -> None:
    """Without the values named the row lies among the others; a common level is named only where nothing else is; of
    as many normal rows the farthest lies between the two ends in 19 of 20 tables."""
    found = extreme_rows(Dataset.from_frame(table(0.0)))
    assert found.rows[0][2] == ("lactate",) and found.without[0] < 3 < found.rows[0][1]
    farthest = np.linalg.norm(np.random.default_rng(1).normal(size=(2000, 300, 2)), axis=2).max(axis=1)
    assert found.chance == pytest.approx(np.quantile(farthest, (0.025, 0.975)), abs=0.1), (
        "two numbers, no order in ward"
    )
    holes = table(0.0).assign(pulse=lambda frame: frame["pulse"].where(frame.index > 20))
    assert np.isnan(extreme_rows(Dataset.from_frame(holes, missing="level")).chance).all(), "nothing is claimed"


def test_chance_holds_for_items_whose_levels_are_skewed() -> None:
    """Of tables with like shares of levels, independent, the farthest row lies there in most, where normal ones do in
    few."""

    def items(seed: int) -> Dataset:
        drawn = np.random.default_rng(seed).choice(4, (300, 10), p=(0.7, 0.2, 0.07, 0.03))
        frame = pd.DataFrame(drawn, columns=[f"item {i}" for i in range(10)])
        return Dataset.from_frame(frame, kinds=dict.fromkeys(frame, "ordinal"))

    low, high = extreme_rows(items(0), 1).chance
    farthest = [_distances(value_scores(items(seed))[0])[0].max() for seed in range(1, 61)]
    assert np.mean([low <= far <= high for far in farthest]) >= 0.75
    normal = np.sqrt(special.chdtri(10, 1 - 0.975 ** (1 / 300)))
    assert np.mean(farthest < normal) < 0.25, "what was told before"


def test_a_combination_is_of_what_linear_regression_finds_unexpected_beside_what() -> None:
    """Coefficient times score of each partner, by the normal equations; largest where the row goes against it."""
    rng = np.random.default_rng(8)
    trait = rng.normal(size=500)
    frame = pd.DataFrame({f"x{i}": trait + 0.6 * rng.normal(size=500) for i in range(6)}).round(3)
    frame.loc[4] = [1.3, -1.2, 1.1, -0.9, 0.1, 0.2]
    data = Dataset.from_frame(frame)
    scores, names = value_scores(data)
    covariance = _distances(scores)[1]
    for row in (4, 9, 30):
        x, k = scores[row], names.index("x1")
        rest = [j for j in range(6) if j != k]
        expected = np.linalg.solve(covariance[np.ix_(rest, rest)], covariance[rest, k]) * x[rest]
        parts = dict(zip((names[j] for j in rest), -expected / (x[k] - expected.sum()), strict=True))
        best = sorted(parts, key=parts.__getitem__, reverse=True)[:2]
        wanted = [name for name in best if parts[name] >= 0.5 * parts[best[0]]] if parts[best[0]] >= 0.05 else []
        found = _combination(x, covariance, names, "x1")
        assert list(found) == (["x1", *wanted] if wanted else [])
        assert all(found[name] == x[names.index(name)] for name in found)
    extremes = extreme_rows(data, 500)
    place = [row for row, *_ in extremes.rows].index(4)
    left = [j for j, name in enumerate(names) if name not in extremes.combined[place]]
    inverse = np.linalg.inv(covariance[np.ix_(left, left)])
    assert extremes.without[place] == pytest.approx(np.sqrt(scores[4, left] @ inverse @ scores[4, left]))


def test_rare_is_the_outer_twentieth_and_a_long_tail_is_told() -> None:
    """Of numbers on either side; skewed is by the rows that are not the most extreme, so that one error is no tail."""
    frame = pd.DataFrame({"even": np.arange(400.0) + 0.5, "tail": np.exp(np.random.default_rng(2).normal(size=400))})
    data = Dataset.from_frame(frame)
    assert [_is_rare(data, row, "even") for row in (0, 19, 20, 379, 380)] == [True, True, False, False, True]
    assert extreme_rows(data).skewed == ("tail",)
    assert extreme_rows(Dataset.from_frame(table(0.0))).skewed == (), "40 beside 300 normal values"

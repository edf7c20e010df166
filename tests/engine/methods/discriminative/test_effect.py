"""Differences and shifts with their intervals, beside slow ones written out row by row."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import engine
from engine.measures.shifts import wilson_interval
from engine.methods.discriminative.effect import effect_of, more_in, shifts_of, turning_contrast
from engine.methods.discriminative.points import Points, points_of
from tests.engine.methods.discriminative.make import METHOD, counted, dataset, points, row_frame, series_frame


def slow_shift(table: pd.DataFrame, parent: str, others: list[str]) -> tuple[float, tuple[object, ...], int]:
    """The largest shift of the child's share that two values of a parent make, where the other parents are equal;
    between which configurations of which level; and how many were looked at."""
    common = []
    for key, part in table.groupby([parent, *others]):
        shares = [len(part[part["side"] == one]) / (table["side"] == one).sum() for one in (0, 1)]
        if min(shares) >= 0.1:
            common.append(key if isinstance(key, tuple) else (key,))
    best, where, tried = 0.0, (), 0
    own = table[table["side"] == 1]
    for one, other in itertools.combinations(common, 2):
        if one[1:] != other[1:]:
            continue
        for level in sorted(table["child"].unique()):
            tried += 1
            shares = [
                (own[(own[[parent, *others]] == list(key)).all(axis=1)]["child"] == level).mean()
                for key in (one, other)
            ]
            if abs(shares[0] - shares[1]) > best + 1e-12:
                best = abs(shares[0] - shares[1])
                where = (one, other, level) if shares[0] > shares[1] else (other, one, level)
    return best, where, tried


@pytest.mark.parametrize("parents", [(0,), (0, 2)])
def test_shifts_of_rows_are_the_largest_with_newcombes_interval(parents: tuple[int, ...]) -> None:
    """Of one parent, and of each of two while the other stays."""
    of = points_of(engine.Dataset.from_frame(row_frame(400)), "class")
    of = replace(of, labels=np.random.default_rng(0).permutation(of.labels))  # as they are v0 turns its direction
    found = shifts_of(counted(of), 1, parents, of.labels)
    table = pd.DataFrame(of.codes.T[:, [*parents, 1]], columns=[*(f"p{x}" for x in parents), "child"])
    table["side"] = of.labels
    for place, x in enumerate(parents):
        others = [f"p{y}" for y in parents if y != x]
        size, (one, other, level), tried = slow_shift(table, f"p{x}", others)
        own = table[table["side"] == 1]
        parts = [own[(own[[f"p{x}", *others]] == list(key)).all(axis=1)]["child"] == level for key in (one, other)]
        hits, n = np.array([part.sum() for part in parts]), np.array([len(part) for part in parts])
        low, high = wilson_interval(hits, n, 1 - 0.05 / tried)
        share = hits / n
        slow = (
            size,
            size - math.hypot(share[0] - low[0], high[1] - share[1]),
            size + math.hypot(high[0] - share[0], share[1] - low[1]),
        )
        assert found[place, 1] == pytest.approx(slow)


def test_a_link_that_turns_has_signed_shifts_of_one_contrast() -> None:
    """The contrast whose smaller shift is the largest among all of opposite sign, each with Newcombe's interval."""
    of = points_of(engine.Dataset.from_frame(row_frame(400)), "class")
    counts = counted(of).family(1, (0,), of.labels)
    share = counts / counts.sum(axis=2, keepdims=True)
    best, where = 0.0, (0, 0, 0)
    for low, high in itertools.combinations(range(counts.shape[1]), 2):
        for level in range(counts.shape[2]):
            others, own = (share[net, high, level] - share[net, low, level] for net in (0, 1))
            if others * own < 0 and min(abs(others), abs(own)) >= best - 1e-12:
                best, where = min(abs(others), abs(own)), (high, low, level)
    assert turning_contrast(counts, np.array([counts.shape[1]]), 0) == where
    high, low, level = where
    others, own = shifts_of(counted(of), 1, (0,), of.labels)[0]
    assert others[0] * own[0] < 0 and more_in(np.array([others, own])) == -1
    for net, found in enumerate((others, own)):
        assert found[0] == pytest.approx(share[net, high, level] - share[net, low, level])
        assert found[1] * found[2] > 0
    alike = shifts_of(counted(of), 1, (0,), np.zeros_like(of.labels))  # one class alone: nothing turns
    assert not (alike[0, :, 0] < 0).any()


def test_shifts_of_series_have_a_sandwich_over_subjects() -> None:
    """As the jackknife over subjects has it, nearly; corrected for the nine shifts of three values of two variables."""
    from scipy.stats import t

    frame = series_frame(subjects=30)
    of = points(frame)
    others, ill = shifts_of(counted(of), 1, (0,), 1 - of.labels)[0]  # "ill" comes first
    steps = frame.assign(after=frame.groupby("who")["v1"].shift(-1)).dropna(subset="after")
    for found, name in ((others, "well"), (ill, "ill")):
        own = steps[steps["class"] == name]
        table = own["who"].unique()

        def shift(rows: pd.DataFrame, a: int, b: int, k: int) -> float:
            return float(
                (rows.loc[rows["v0"] == a, "after"] == k).mean() - (rows.loc[rows["v0"] == b, "after"] == k).mean()
            )

        every = {one: shift(own, *one) for one in itertools.product(range(3), repeat=3) if one[0] != one[1]}
        best = max(every, key=every.__getitem__)
        assert found[0] == pytest.approx(every[best])
        without = [shift(own[own["who"] != one], *best) for one in table]
        error = math.sqrt(14 / 15 * float(((np.array(without) - np.mean(without)) ** 2).sum()))
        reach = t.ppf(1 - 0.025 / 9, 14) * error
        assert found[1:] == pytest.approx([found[0] - reach, min(found[0] + reach, 1)], abs=0.02)
    assert more_in(np.array([others, ill])) == 1
    assert more_in(np.array([ill, others])) == 0
    assert more_in(shifts_of(counted(of), 2, (0,), of.labels)[0]) == -1


def test_a_class_is_ahead_only_where_the_interval_of_the_difference_says_so() -> None:
    """By the square-and-add rule; what is not known is in neither."""
    assert more_in(np.array([[0.1, 0.0, 0.2], [0.5, 0.4, 0.6]])) == 1
    assert more_in(np.array([[0.5, 0.4, 0.6], [0.1, 0.0, 0.2]])) == 0
    assert more_in(np.array([[0.3, 0.15, 0.45], [0.5, 0.35, 0.65]])) == -1  # .2 +- .21
    assert more_in(np.array([[0.28, 0.13, 0.43], [0.5, 0.35, 0.65]])) == 1  # .22 +- .21
    assert more_in(np.array([[0.1, math.nan, math.nan], [0.5, 0.4, 0.6]])) == -1


def clustered(subjects: int, rows: int, seed: int) -> tuple[Points, np.ndarray]:
    """Rows of subjects with a tendency of their own; half of the subjects are ill, and nothing differs."""
    generator = np.random.default_rng(seed)
    own = generator.normal(0, 1.5, subjects)
    who = np.repeat(np.arange(subjects), rows)
    frame = pd.DataFrame({"v0": generator.integers(0, 2, len(who)), "v1": generator.normal(size=len(who)) < own[who]})
    frame = frame.astype(int).astype(str).assign(who=[f"p{i:03d}" for i in who])
    frame["class"] = np.where(who % 2 == 0, "ill", "well")
    of = points_of(engine.Dataset.from_frame(frame, roles={"who": "subject"}), "class")
    return of, of.units


def test_intervals_of_rows_that_share_subjects_hold_the_truth() -> None:
    """No difference lies inside 95 % of cluster-robust intervals; intervals of rows as such miss it far more often."""
    missed = np.zeros(2)
    for seed in range(60):
        of, units = clustered(40, 10, seed)
        for k, given in enumerate((units, None)):
            _, low, high, *_ = effect_of(counted(of, METHOD), 1, (), of.labels, given)
            missed[k] += not low <= 0 <= high
    assert missed[0] <= 6
    assert missed[1] >= 12


def test_rows_of_a_subject_each_have_nearly_newcombes_interval() -> None:
    """With as many subjects as rows the sandwich is the usual error of two shares."""
    of = points_of(engine.Dataset.from_frame(row_frame(600)), "class")
    for function in (effect_of, shifts_of):
        alone = np.ravel(function(counted(of), 3, (0,), of.labels))
        shared = np.ravel(function(counted(of), 3, (0,), of.labels, np.arange(of.n_points)))
        assert shared == pytest.approx(alone, abs=0.03)


def test_what_is_rare_in_a_class_is_not_looked_at() -> None:
    """Without two common configurations there is no shift."""
    frame = series_frame(subjects=8)
    frame["v2"] = (frame["time"] == 0).astype(int)
    of = points_of(dataset(frame), "class")
    assert np.isnan(shifts_of(counted(of), 1, (2,), of.labels)).all()
    assert np.isfinite(shifts_of(counted(of), 1, (0,), of.labels)).all()


def test_the_interval_of_rows_that_share_subjects_is_that_of_a_sandwich_by_hand() -> None:
    """Residuals summed by subject; subjects without such rows count for nothing, and the fewest of a class decide."""
    from scipy.stats import t

    rng = np.random.default_rng(3)
    who = np.repeat(np.arange(16), 12)
    frame = pd.DataFrame({f"v{i}": rng.integers(0, 2, len(who)) for i in range(3)})
    frame.loc[who < 4, "v0"] = 0
    frame.loc[who == 15, "v0"] = 1
    frame["v1"] = np.where(rng.random(len(who)) < 0.3, frame["v1"], (frame["v0"] + who % 2) % 2)
    frame = frame.astype(str).assign(who=[f"p{i:02d}" for i in who])
    frame["class"] = np.where(who % 2 == 0, "ill", "well")
    of = points_of(engine.Dataset.from_frame(frame, roles={"who": "subject"}), "class")
    gap, low, high, j, k = effect_of(counted(of), 1, (0,), of.labels, of.units)
    here = frame[frame["v0"] == str(int(j))].assign(hit=lambda rows: rows["v1"] == str(int(k)))
    own, others = (here[here["class"] == name] for name in (of.classes[1], of.classes[0]))
    assert gap == pytest.approx(own["hit"].mean() - others["hit"].mean())
    residuals: dict[str, float] = dict.fromkeys(here["who"], 0.0)
    for rows, sign in ((own, 1), (others, -1)):
        for name, hit in zip(rows["who"], rows["hit"], strict=True):
            residuals[name] += sign * (hit - rows["hit"].mean()) / len(rows)
    many = len(residuals)
    assert many < 16
    error = math.sqrt(sum(value**2 for value in residuals.values()) * many / (many - 1))
    fewest = min(rows["who"].nunique() for rows in (own, others))
    reach = t.ppf(1 - 0.025 / (2 * 3), fewest - 1) * error
    assert (low, high) == pytest.approx((max(gap - reach, -1), min(gap + reach, 1)))
    assert low > -1


def test_a_single_row_of_few_has_its_whole_share() -> None:
    """One of ten rows is no rare one: from one in five to all is further than to three in four."""
    half = pd.DataFrame({"v0": list("0000012222"), "v1": list("1002211110")})
    frame = pd.concat([half, half], ignore_index=True).assign(**{"class": ["ill"] * 10 + ["well"] * 10})
    of = points_of(engine.Dataset.from_frame(frame, kinds={"v0": "nominal"}), "class")
    shifts = shifts_of(counted(of), 1, (0,), of.labels)[0]
    assert shifts[:, 0] == pytest.approx([0.8, 0.8])

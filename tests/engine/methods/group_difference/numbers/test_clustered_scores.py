"""One common difference where rows belong together: the paired form, and the variance over deals written out."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest

import engine
from engine.counting.differences import clustered_kernels as kernels
from engine.counting.differences.forms import NUMBER, ChildComparison
from engine.methods.group_difference.numbers.scales import nodes
from engine.methods.group_difference.rows.groups import split_groups
from engine.models.latent_normal import normal_scores
from tests.engine.methods.group_difference.numbers.plain_evidence import log_mean, score_forms


def deal(values: np.ndarray, split: int, cluster: np.ndarray, crossing: bool) -> tuple[float, float]:
    """Of the kernel: the second group's sum and its variance over deals; a unit is a cluster in one group."""
    inside = np.arange(len(cluster)) >= split
    unit = np.unique(inside * (cluster.max() + 1) + cluster, return_inverse=True)[1]
    second, of = np.zeros(unit.max() + 1, np.int64), np.zeros(unit.max() + 1, np.int64)
    second[unit[inside]] = 1
    of[unit] = cluster
    return kernels._deal(values, unit, second, of, crossing)


def log_bayes(u: float, v: float, j: float, t: float = 0.5) -> float:
    """ln N(u; 0, V + t^2 J^2) / N(u; 0, V)."""
    wide = v + t * t * j * j
    return 0.5 * (math.log(v / wide) + u * u / v - u * u / wide)


def test_whole_clusters_are_dealt_as_all_deals_are() -> None:
    """Every choice of three of eight clusters written out: the mean of the sum is 0, its variance V."""
    rng = np.random.default_rng(0)
    sizes = [1, 4, 2, 3, 5, 2, 1, 3]
    values = rng.normal(size=sum(sizes)) + np.repeat(rng.normal(size=8), sizes)
    values -= values.mean()
    unit = np.repeat(np.arange(8), sizes)
    u, v = deal(values, int(sum(sizes[:5])), unit, False)
    sums = np.bincount(unit, values)
    every = np.array([sum(chosen) for chosen in itertools.combinations(sums.tolist(), 3)])
    assert u == pytest.approx(sums[5:].sum() - every.mean())
    assert v == pytest.approx(every.var())


def test_swaps_inside_clusters_are_as_all_swaps_are() -> None:
    """Every labelling of the rows inside each of three clusters written out."""
    rng = np.random.default_rng(1)
    counts = [(1, 2), (2, 2), (3, 1)]  # rows of the first group and of the second
    values = rng.normal(size=11)
    unit = np.array([0, 1, 1, 2, 2, 2, 0, 0, 1, 1, 2])
    u, v = deal(values, 6, unit, True)
    own, means, variance = 0.0, 0.0, 0.0
    for s, (_, b) in enumerate(counts):
        rows = values[unit == s]
        every = np.array([sum(chosen) for chosen in itertools.combinations(rows.tolist(), b)])
        own += values[6:][unit[6:] == s].sum()
        means, variance = means + every.mean(), variance + every.var()
    assert u == pytest.approx(own - means)
    assert v == pytest.approx(variance)


def paired(pairs: int, shift: float, seed: int) -> engine.Dataset:
    """Before and after: two rows a subject, all its own level in common."""
    rng = np.random.default_rng(seed)
    own = rng.normal(size=pairs)
    frame = pd.DataFrame(
        {
            "subject": [f"s{i}" for i in range(pairs)] * 2,
            "time": np.repeat(["before", "after"], pairs),
            "x": np.concatenate([own, own + shift * 0.5]) + 0.5 * rng.normal(size=2 * pairs),
            "z": rng.choice(["u", "v"], 2 * pairs),
        }
    )
    return engine.Dataset.from_frame(frame, roles={"subject": "subject"}, kinds={"x": "continuous"})


def test_before_and_after_is_the_paired_form() -> None:
    """u = half the sum of differences, V = sum of d^2 / 4, J = pairs / 2; of location, spread and shape."""
    data = paired(40, 0.6, 2)
    method = engine.GroupDifference(group="time", groups=("before", "after"))
    groups = split_groups(method, data)
    scales, place = groups.scales(method), groups.pooled.names.index("x")
    clusters = groups.clusters
    assert scales.scales[place].kind == NUMBER and clusters.crossing, "labels are swapped inside subjects"
    units = clusters.second, clusters.cluster, clusters.crossing
    logs, effects, common = np.empty(8), np.empty(8), np.empty(1)
    codes = np.concatenate([groups.first.codes, groups.second.codes], axis=1)
    arity = groups.pooled.arity.astype(np.int64)
    nothing = np.zeros((1, 0), np.int64), np.zeros(1, np.int64)
    how = ChildComparison(NUMBER, np.zeros(1), -1, scales.tables, nodes())
    about = how, scales.line, scales.scores, groups.unit
    kernels.clustered_families(codes, 40, arity, place, *nothing, *about, units, common, logs, effects)
    values = groups.pooled.numbers["x"].column[scales.rows]
    subject = clusters.cluster[groups.unit]
    score = normal_scores(values)
    expected = []
    for form in score_forms(score - score.mean()):
        form = form / math.sqrt((form**2).mean())
        before, after = form[:40][np.argsort(subject[:40])], form[40:][np.argsort(subject[40:])]
        d = after - before
        expected.append(log_bayes(d.sum() / 2, (d**2).sum() / 4, 40 / 2))
    np.testing.assert_allclose(logs[:3], expected, rtol=1e-9)
    assert common[0] == pytest.approx(log_mean(expected), rel=1e-9)


def test_a_shift_inside_subjects_is_found_where_rows_by_themselves_hide_it() -> None:
    """60 pairs, half a standard deviation of the difference."""
    data = paired(60, 0.9, 3)
    method = engine.GroupDifference(group="time", groups=("before", "after"))
    with_subjects = method.run(data).variables()["probability"]["x"]
    frame = pd.DataFrame({"x": data.values("x"), "z": data["z"].to_numpy(), "time": data["time"].to_numpy()})
    without = method.run(engine.Dataset.from_frame(frame, kinds={"x": "continuous"})).variables()["probability"]["x"]
    assert with_subjects > 0.9
    assert without < 0.7


def test_what_never_varies_inside_a_subject_is_said_to_carry_no_evidence() -> None:
    """Before and after: the sex of a patient cannot differ, whatever the rows; it asks for no more of them."""
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "patient": np.repeat(np.arange(40), 2),
            "time": np.tile(["before", "after"], 40),
            "sex": np.repeat(rng.choice(["f", "m"], 40), 2),
            "age": np.repeat(rng.normal(50, 9, 40), 2),
            "pain": rng.normal(size=80),
        }
    )
    result = engine.GroupDifference(group="time").run(engine.Dataset.from_frame(frame, roles={"patient": "subject"}))
    assert result.unvaried == ["sex", "age"]
    assert "sex and age have one value in each 'patient' and so cannot differ inside it." in result.notes()
    assert result.explain("sex")[0] == "sex: inconclusive, with one value in each subject it carries no evidence."
    assert np.isnan(result.variables().loc[["sex", "age"], "rows_needed"].astype(float)).all()

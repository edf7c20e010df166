"""Bootstrap intervals against the whole distribution of small tables, and what the other measures refuse."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from engine.errors import DataError, SettingsError
from engine.measures import bootstrap, comparing, curves
from engine.measures.intervals import share_interval

SCORES = [5.0, 3.0, 3.0, 4.0, 2.0, 1.0]
TRUTH = [True, True, True, False, False, False]


def area(cases: tuple[float, ...], others: tuple[float, ...]) -> float:
    """Pairs won, a tie for half."""
    return float(np.mean([(a > b) + (a == b) / 2 for a in cases for b in others]))


def precision(cases: tuple[float, ...], others: tuple[float, ...]) -> float:
    """Average precision of one table, by a peer."""
    return float(average_precision_score([1] * len(cases) + [0] * len(others), [*cases, *others]))


def everything(of: str) -> np.ndarray:
    """The statistic of each of the 27 times 27 equally likely tables, sorted."""
    cases, others = SCORES[:3], SCORES[3:]
    one = area if of == "auc" else precision
    values = [one(a, b) for a in itertools.product(cases, repeat=3) for b in itertools.product(others, repeat=3)]
    return np.sort(values)


@pytest.mark.parametrize("of", ["auc", "average precision"])
def test_ends_are_the_quantiles_of_all_tables_there_are(of: str) -> None:
    """At every level whose quantiles stand inside a step of the distribution: exactly that step."""
    values = everything(of)
    told = set()
    for level in np.arange(0.1, 1.0, 0.05):
        ends = []
        for share in ((1 - level) / 2, (1 + level) / 2):
            near = values[[int(max(0, share - 0.03) * 729), int(share * 729), int(min(0.9999, share + 0.03) * 729)]]
            ends.append(near[1] if np.ptp(near) < 1e-9 else None)
        low, high = bootstrap.bootstrap_interval(SCORES, TRUTH, of, runs=4000, level=float(level), seed=3)
        assert low <= high
        for found, end in zip((low, high), ends, strict=True):
            if end is not None:
                assert found == pytest.approx(end, abs=1e-9)
                told.add((round(float(level), 2), found == high))
    assert len(told) > 4


def test_two_thousand_tables_are_drawn_unless_told_otherwise() -> None:
    """The number that is documented: among many different scores one table more moves an end."""
    rng = np.random.default_rng(0)
    truth = rng.random(200) < 0.5
    scores = rng.normal(size=200) + truth
    usual = bootstrap.bootstrap_interval(scores, truth)
    assert usual == bootstrap.bootstrap_interval(scores, truth, runs=2000)
    assert usual != bootstrap.bootstrap_interval(scores, truth, runs=2001)


def test_clusters_are_drawn_whole() -> None:
    """Two clusters, one all right and one all wrong: a table is one of four, so the ends are 0 and 1."""
    scores, truth = [2.0, 1.0, 1.0, 2.0], [True, False, True, False]
    assert bootstrap.bootstrap_interval(scores, truth, clusters=["a", "a", "b", "b"]) == (0.0, 1.0)
    low, high = bootstrap.bootstrap_interval(scores, truth, clusters=["a", "a", "b", "b"], level=0.4)
    assert (low, high) == (0.5, 0.5)


def test_tables_without_cases_or_without_others_are_left_out() -> None:
    """Each cluster is one row: a table of cases alone says nothing; of two rows only the mixed tables count."""
    assert bootstrap.bootstrap_interval([2.0, 1.0], [True, False], clusters=["a", "b"], runs=50) == (1.0, 1.0)
    ends = bootstrap.bootstrap_interval([2.0, 1.0], [True, False], "average precision", clusters=["a", "b"], runs=50)
    assert ends == (1.0, 1.0)


def test_areas_by_label_refuse_what_an_area_refuses() -> None:
    """A missing score counts although its own label has no curve; all cases together need one other."""
    with pytest.raises(DataError, match="Score 3 is missing"):
        curves.auc_by(["a", "a", "b"], [1.0, 0.5, math.nan], [True, False, True])
    with pytest.raises(DataError, match="no others"):
        curves.auc_by(["a", "a"], [1.0, 0.5], [True, True])
    with pytest.raises(SettingsError, match="level"):
        curves.auc_by(["a", "a"], [1.0, 0.5], [True, False], level=1.5)
    by = curves.auc_by(["b", "a", "b", "a", "c"], [1.0, 2.0, 2.0, 1.0, 3.0], [True, True, False, False, True])
    assert list(by) == ["b", "a", "c"]
    assert [None if one is None else one.value for one in by.values()] == [0.0, 1.0, None]


def test_equal_areas_do_not_differ() -> None:
    """No difference has p = 1 and z = 0; the least that data can show is a difference."""
    found = comparing.compare_curves([3.0, 2.0, 1.0, 0.0], [30.0, 20.0, 10.0, 0.0], [True, False, True, False])
    assert (found.difference, found.z, found.p) == (0.0, 0.0, 1.0)


def redrawn_by_loops(hits: list[bool], clusters: list[str]) -> tuple[float, float]:
    """The ends of the share's interval over all tables of as many whole clusters, each as often as it is drawn."""
    names = sorted(set(clusters))
    shares = []
    for chosen in itertools.product(names, repeat=len(names)):
        drawn = [hit for name in chosen for hit, of in zip(hits, clusters, strict=True) if of == name]
        shares.append(sum(drawn) / len(drawn))
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def test_a_share_is_drawn_again_by_whole_clusters() -> None:
    """Against all tables there are, written out; the ends are among the few values that these have."""
    hits = [True, True, False, True, False, False, False, True, True, False]
    clusters = list("aaabbbccdd")
    found = bootstrap.share_interval_of(hits, clusters, runs=40_000)
    assert found == pytest.approx(redrawn_by_loops(hits, clusters), abs=0.02)
    assert found == bootstrap.share_interval_of(hits, clusters, runs=40_000)
    plain = bootstrap.share_interval_of(hits)
    assert plain == pytest.approx([float(one) for one in share_interval(5, 10)])
    assert found != plain


def test_a_share_that_no_cluster_changes_counts_clusters() -> None:
    """Nothing found in any of three patients is three tries, not thirty; without items there is no number."""
    none = bootstrap.share_interval_of([False] * 30, np.repeat([1, 2, 3], 10))
    assert none == pytest.approx([float(one) for one in share_interval(0, 3)])
    assert bootstrap.share_interval_of([True] * 30, ["a"] * 30)[1] == 1.0
    assert all(math.isnan(one) for one in bootstrap.share_interval_of([]))
    with pytest.raises(SettingsError, match="between 0 and 1"):
        bootstrap.bootstrap_interval([1, 2], [1, 0], level=95)


def test_the_mean_of_shares_is_drawn_by_whole_clusters() -> None:
    """Beside a loop with other draws; a group that a draw lacks leaves the draw out."""
    rng = np.random.default_rng(3)
    cluster, group = np.repeat(np.arange(40), 4), np.tile([0, 0, 1, 2], 40)
    hits = rng.random(160) < np.repeat(rng.beta(4, 2, 40), 4)
    means = []
    for _ in range(4000):
        rows = np.concatenate([np.flatnonzero(cluster == one) for one in rng.integers(0, 40, 40)])
        means.append(np.mean([hits[rows[group[rows] == one]].mean() for one in range(3)]))
    assert bootstrap.mean_share_interval(hits, group, cluster, runs=4000) == pytest.approx(
        np.quantile(means, [0.025, 0.975]), abs=0.012
    )
    rare = np.where(cluster == 0, 1, 0)
    low, high = bootstrap.mean_share_interval(hits, rare, cluster)
    assert 0 <= low < high <= 1


@pytest.mark.parametrize("upright", [True, False])
def test_an_area_without_a_fault_has_an_interval_too(upright: bool) -> None:
    """All of 3 disjoint pairs agree, which Jeffreys' interval of 3 of 3 allows; another area has DeLong's."""
    truth = np.array([True] * 3 + [False] * 9)
    scores = truth + 0.0 if upright else 1.0 - truth
    low, high = bootstrap.area_interval(scores, truth)
    assert (low, high) == bootstrap.share_interval_of([upright] * 3)
    assert high - low > 0.4
    mixed = np.array([3.0, 1, 2, *range(9)])
    assert bootstrap.area_interval(mixed, truth) == (curves.auc(mixed, truth).low, curves.auc(mixed, truth).high)

"""Rows that belong together: counts, scores and shuffles against sums over clusters written out, and their edges."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln

import engine
from engine import execution
from engine.data.rows.relations import FEWEST
from engine.methods.group_difference.average.families import average_constraints, list_families
from engine.methods.group_difference.blocks import weigh_clusters
from engine.methods.group_difference.chance import chance
from engine.methods.group_difference.resampling import null
from engine.methods.group_difference.rows.clusters import Clusters
from engine.methods.group_difference.rows.groups import Groups, split_groups
from engine.methods.group_difference.verdicts import Verdict
from engine.methods.storing import decode, encode

METHOD = engine.GroupDifference(group="group")


def clustered(
    seed: int, many: int = 16, variables: int = 4, crossing: bool = False, spread: float = 0.8, rows: int = 9
) -> engine.Dataset:
    """Clusters of one to `rows` rows with random effects; a chain of variables of two or three levels."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(many), rng.integers(1, rows + 1, many))
    second = rng.integers(0, 2, len(cluster)) if crossing else (rng.permutation(many) % 2)[cluster]
    levels = rng.integers(2, 4, variables)
    codes = np.zeros((variables, len(cluster)), dtype=np.int64)
    for i in range(variables):
        hidden = rng.normal(0, spread, many)[cluster] + rng.normal(size=len(cluster)) + (codes[i - 1] if i else 0)
        codes[i] = np.clip(np.floor(hidden + 0.5), 0, levels[i] - 1)
    return of_codes(codes, levels.tolist(), second, cluster)


def of_codes(codes: np.ndarray, levels: list[int], second: np.ndarray, cluster: np.ndarray) -> engine.Dataset:
    names = [f"v{i}" for i in range(len(codes))]
    number = np.unique(cluster, return_inverse=True)[1]
    table = np.vstack([codes, second, number])
    return engine.Dataset.from_codes(
        table, [*levels, ["A", "B"], int(number.max()) + 1], [*names, "group", "clinic"], roles={"clinic": "subject"}
    )


class Written:
    """One family from its definition: loops over clusters, blocks and levels, of counts in dictionaries."""

    def __init__(self, groups: Groups, child: int, parents: tuple[int, ...], crossing: bool) -> None:
        codes, arity = groups.pooled.codes, groups.pooled.arity.tolist()
        assert groups.cluster is not None
        self.r, self.q = arity[child], math.prod(arity[x] for x in parents)
        self.n: Counter[tuple[int, int, tuple[int, ...], int]] = Counter()
        for row, (cluster, first) in enumerate(zip(groups.cluster.tolist(), groups.inside.tolist(), strict=True)):
            block = tuple(int(codes[x, row]) for x in parents)
            self.n[int(not first), cluster, block, int(codes[child, row])] += 1
        self.units = sorted({key[:2] for key in self.n})
        self.blocks = sorted({key[2] for key in self.n})
        self.crossing = crossing
        self.icc, self.phi = self.spread()

    def of(self, g: int | None = None, u: int | None = None, j: object = None, k: int | None = None) -> int:
        return sum(
            many
            for (g_, u_, j_, k_), many in self.n.items()
            if g in (None, g_) and u in (None, u_) and j in (None, j_) and k in (None, k_)
        )

    def spread(self) -> tuple[float, float]:
        """The moment ICC and the design effect of COMPARE, part 3."""
        top = bottom = expected = 0.0
        signed: dict[tuple[int, int], float] = {}
        for g, u in self.units:
            size = variance = 0.0
            residuals = np.zeros(self.r)
            for j in self.blocks:
                own, all_of_group = self.of(g, u, j), self.of(g, None, j)
                if own == 0 or self.of(1 - g, None, j) == 0 or own == all_of_group:
                    continue
                p = [self.of(g, None, j, k) / all_of_group for k in range(self.r)]
                other = self.of(1 - g, None, j) / self.of(None, None, j)
                spread = own * (1 - sum(x * x for x in p))
                size, variance, expected = size + own, variance + spread, expected + other**2 * spread
                for k in range(self.r):
                    e = (self.of(g, u, j, k) - own * p[k]) / math.sqrt(1 - own / all_of_group)
                    residuals[k] += e
                    signed[u, k] = signed.get((u, k), 0.0) + (1 - 2 * g) * other * e
            if size > 1:
                top += (float((residuals**2).sum()) - variance) / size
                bottom += variance * (size - 1) / size
        icc = min(max(top / bottom, 0.0), 1.0) if bottom > 0 else 0.0
        return icc, max(1.0, sum(x * x for x in signed.values()) / expected) if expected > 0 else 1.0

    def scores(self, effect: float) -> tuple[list[float], list[float]]:
        """ln P of group A, group B and both, of counts over a design effect; ln Bayes factors of shared blocks."""
        alpha = 1.0 / (self.q * self.r)

        def marginal(counts: list[float]) -> float:
            whole = gammaln(alpha * self.r) - gammaln(alpha * self.r + sum(counts))
            return float(whole + sum(gammaln(alpha + x) - gammaln(alpha) for x in counts))

        own, factors = [0.0, 0.0, 0.0], []
        for j in self.blocks:
            raw = [[self.of(g, None, j, k) for k in range(self.r)] for g in (0, 1)]
            for g, counts in enumerate((*raw, [a + b for a, b in zip(*raw, strict=True)])):
                own[g] += marginal([x / effect for x in counts])
            weighed = [[0.0] * self.r, [0.0] * self.r]
            for g, u in self.units:
                w = 1 / self.phi if self.crossing else 1 / (1 + (self.of(g, u) - 1) * self.icc)
                for k in range(self.r):
                    weighed[g][k] += w * self.of(g, u, j, k)
            if sum(raw[0]) and sum(raw[1]):
                both = [a + b for a, b in zip(*weighed, strict=True)]
                factors.append(marginal(weighed[0]) + marginal(weighed[1]) - marginal(both))
        return own, factors


@settings(max_examples=12)
@given(st.integers(0, 9999), st.booleans())
def test_every_family_is_scored_as_written(seed: int, crossing: bool) -> None:
    groups = split_groups(METHOD, clustered(seed, many=7, variables=3, crossing=crossing))
    clusters = groups.clusters
    if clusters is None:
        return
    families, own = list_families(METHOD, groups, average_constraints(METHOD, groups.pooled), execution.silent)
    alone = [Written(groups, i, (), clusters.crossing).phi for i in range(3)]
    assert clusters.effect == pytest.approx(float(np.mean(alone)), rel=1e-9)
    for f, (child, size) in enumerate(zip(families.sets.children.tolist(), families.sizes.tolist(), strict=True)):
        written = Written(groups, child, tuple(families.members[f, :size].tolist()), clusters.crossing)
        scores, factors = written.scores(clusters.effect)
        assert [*own[f], families.scores[f]] == pytest.approx(scores, rel=1e-9, abs=1e-9)
        found = families.factors[families.factor_starts[f] : families.factor_starts[f + 1]]
        assert sorted(found.tolist()) == pytest.approx(sorted(factors), rel=1e-9, abs=1e-9)


def test_families_of_many_configurations_are_scored_as_written() -> None:
    """More configurations than are counted in a table of all of them, and clusters smaller than that."""
    rng = np.random.default_rng(1)
    cluster = np.repeat(np.arange(14), 6)
    codes = rng.integers(0, 20, (4, len(cluster)))
    data = of_codes(codes, [20] * 4, (np.arange(14) % 2)[cluster], cluster)
    groups = split_groups(METHOD, data)
    assert groups.clusters is not None
    families, _ = list_families(METHOD, groups, average_constraints(METHOD, groups.pooled), execution.silent)
    f = int(np.flatnonzero(families.sizes == 3)[0])
    assert families.blocks[f] > 4096
    written = Written(groups, int(families.sets.children[f]), tuple(families.members[f].tolist()), False)
    found = families.factors[families.factor_starts[f] : families.factor_starts[f + 1]]
    written.q = int(families.blocks[f])
    assert sorted(found.tolist()) == pytest.approx(sorted(written.scores(groups.clusters.effect)[1]), abs=1e-9)


@settings(max_examples=8)
@given(st.integers(0, 9999))
def test_no_order_and_no_name_changes_a_probability(seed: int) -> None:
    data = clustered(seed)
    rng = np.random.default_rng(seed)
    found = METHOD.run(data).variables()["probability"]
    codes, clusters = data.codes.astype(np.int64), data.clusters
    assert clusters is not None
    rows = rng.permutation(data.n_rows)
    turned = codes[:, rows].copy()
    turned[0] = len(data.levels["v0"]) - 1 - turned[0]
    names = rng.permutation(clusters.max() + 1)
    levels = [len(data.levels[name]) for name in data.names[:-1]]
    other = METHOD.run(of_codes(turned[:-1], levels, turned[-1], names[clusters[rows]])).variables()["probability"]
    np.testing.assert_allclose(other[found.index], found, atol=1e-9)


def test_copies_of_rows_say_no_more_than_the_rows() -> None:
    """Of rows that are copied three times, the copies named as one cluster, every Bayes factor is that of the rows."""
    rng = np.random.default_rng(5)
    codes, second = rng.integers(0, 2, (4, 200)), np.arange(200) % 2
    once = engine.Dataset.from_codes(
        np.vstack([codes, second]), [2] * 4 + [["A", "B"]], [*(f"v{i}" for i in range(4)), "group"]
    )
    row = np.repeat(np.arange(200), 3)
    thrice = split_groups(METHOD, of_codes(codes[:, row], [2] * 4, second[row], row))
    found = []
    for groups in (split_groups(METHOD, once), thrice):
        constraints = average_constraints(METHOD, groups.pooled)
        found.append(list_families(METHOD, groups, constraints, execution.silent)[0].factors)
    np.testing.assert_allclose(found[1], found[0], atol=1e-9)
    assert thrice.clusters is not None
    assert thrice.clusters.effect == pytest.approx(3, rel=0.03)


def test_rows_by_themselves_are_compared_as_without_the_role() -> None:
    """A subject of one row each does nothing, to the last bit."""
    rng = np.random.default_rng(2)
    codes, second = rng.integers(0, 3, (4, 150)), rng.integers(0, 2, 150)
    with_role = METHOD.run(of_codes(codes, [3] * 4, second, np.arange(150)))
    without = METHOD.run(
        engine.Dataset.from_codes(np.vstack([codes, second]), [3] * 4 + [["A", "B"]], [*with_role.names, "group"])
    )
    assert with_role.clusters is None
    assert with_role.variables().equals(without.variables())


@pytest.mark.parametrize("crossing", [False, True])
def test_p_on_its_own_is_the_share_of_all_deals(crossing: bool) -> None:
    """Every way of dealing the labels to six clusters, or inside three of four rows, written out."""
    rng = np.random.default_rng(3)
    if crossing:
        cluster, second = np.repeat(np.arange(3), 4), np.tile([0, 0, 1, 1], 3)
    else:
        sizes = [5, 3, 8, 2, 4, 6]
        cluster, second = np.repeat(np.arange(6), sizes), np.repeat([0, 1, 0, 1, 1, 0], sizes)
    values = rng.integers(0, 2, len(cluster)) | (second & (rng.random(len(cluster)) < 0.6))
    data = of_codes(np.vstack([values, rng.integers(0, 2, len(cluster))]), [2, 2], second, cluster)
    groups = split_groups(METHOD, data)
    assert groups.clusters is not None and groups.clusters.crossing is crossing
    blocks = weigh_clusters(METHOD, groups, ((), ()))
    found = chance(METHOD, ["v0", "v1"], blocks, least=20_000, groups=groups).p[0]

    def statistic(labels: np.ndarray) -> float:
        counts = np.array([[((values == k) & (labels == g)).sum() for k in (0, 1)] for g in (0, 1)])
        cells = (gammaln(0.5 + counts) - gammaln(0.5)).sum()
        return float(cells - gammaln(1.0 + counts.sum(axis=1)).sum())

    if crossing:
        inside = [np.isin(np.arange(4), pair).astype(int) for pair in itertools.combinations(range(4), 2)]
        deals = [np.concatenate(parts) for parts in itertools.product(inside, repeat=3)]
    else:
        deals = [np.isin(cluster, trio).astype(int) for trio in itertools.combinations(range(6), 3)]
    reached = [statistic(labels) >= statistic(second) - 1e-9 for labels in deals]
    assert found == pytest.approx(np.mean(reached), abs=0.012)


def test_deals_beside_p_move_whole_clusters() -> None:
    data = clustered(11, many=14)
    groups = split_groups(METHOD, data)
    assert groups.cluster is not None
    dealt = groups.relabelled(np.random.default_rng(0))
    assert all(len(set(dealt.inside[groups.cluster == c].tolist())) == 1 for c in range(14))
    drawn = groups.resampled(np.random.default_rng(0))
    assert drawn.clusters is not None and drawn.cluster is not None
    assert len(np.unique(drawn.cluster)) == 14
    assert drawn.clusters.second.sum() == groups.clusters.second.sum()  # type: ignore[union-attr]
    runs = null(METHOD, data, execution.silent, 5, 1)
    p = runs.p_of(np.array([-800.0, 800.0]))
    assert p.tolist() == [1.0, pytest.approx(1 / 6)]


def test_few_clusters_carry_no_verdict() -> None:
    data = clustered(4, many=2 * FEWEST - 2, rows=30, spread=2.0)
    result = METHOD.run(data)
    assert set(result.variables()["verdict"]) == {Verdict.CANNOT_TELL}
    assert result.headline() == f"No verdict: group = A has {FEWEST - 1} values of 'clinic', and {FEWEST} are needed."
    assert math.isnan(result.p_any)
    assert not result.claims()["verdict"].isin(["yes", "no"]).any()


def test_what_is_counted_together_is_said() -> None:
    result = METHOD.run(clustered(6, many=20))
    assert result.clusters is not None
    said = " ".join(result.notes())
    counts = "10 values in group = A, 10 values in group = B."
    assert f"Rows with one value of 'clinic' count together, not one by one: {counts}" in said
    assert result.document()["data"]["clusters"]["counts"] == (10, 10)
    inside = METHOD.run(clustered(6, many=20, crossing=True, rows=12))
    assert inside.clusters is not None and inside.clusters.crossing
    assert "Groups are compared inside 'clinic'" in " ".join(inside.notes())
    data = clustered(6, many=20)
    codes = data.codes.astype(np.int64)
    codes[-1, 0] ^= 1  # one row of a cluster stands in the other group
    assert data.clusters is not None
    one = METHOD.run(of_codes(codes[:-1], [len(data.levels[v]) for v in data.names[:-1]], codes[-1], data.clusters))
    assert "1 value of 'clinic' stands in both groups, counted once in each." in one.notes()


def test_another_prior_and_a_saved_answer() -> None:
    data = clustered(8, many=24, rows=20)
    result = METHOD.run(data)
    again = engine.GroupDifference(group="group", p_none=0.2).run(data)
    np.testing.assert_allclose(
        result.with_prior(p_none=0.2).variables()["probability"].sort_index(),
        again.variables()["probability"].sort_index(),
        rtol=1e-12,
    )
    loaded = decode(encode(result))
    assert loaded.clusters == result.clusters
    assert loaded.variables().equals(result.variables())


def test_intervals_are_wider_where_rows_are_alike() -> None:
    """A variable that is one value a cluster tells as much as the clusters; blocks carry what the rows count."""
    cluster = np.repeat(np.arange(40), 12)
    rng = np.random.default_rng(9)
    own = rng.integers(0, 2, 40)
    codes = np.vstack([own[cluster], rng.integers(0, 2, len(cluster))])
    data = of_codes(codes, [2, 2], (np.arange(40) % 2)[cluster], cluster)
    result = METHOD.run(data)
    found = result.variables().loc["v0"]
    bare = replace(METHOD).run(data.select(["v0", "v1", "group"]).rows(np.arange(0, 480, 12))).variables().loc["v0"]
    assert found["high_alone"] - found["low_alone"] == pytest.approx(bare["high"] - bare["low"], rel=0.15)
    groups = split_groups(METHOD, data)
    blocks = weigh_clusters(METHOD, groups, ((), ()))[0]
    assert blocks.weighed.sum() == pytest.approx(40)
    assert isinstance(groups.clusters, Clusters)


def test_rows_without_a_cluster_do_not_make_up_for_clusters() -> None:
    """One clinic a group and a few rows by themselves, or two large clinics and subjects of one row: no verdict."""
    rng = np.random.default_rng(10)
    for sizes in ([100, *[1] * 6], [100, 100, *[1] * 5]):
        cluster = np.repeat(np.arange(2 * len(sizes)), 2 * sizes)
        second = cluster >= len(sizes)
        codes = (rng.normal(size=2 * len(sizes))[cluster] + rng.normal(size=(3, len(cluster))) > 0).astype(int)
        result = METHOD.run(of_codes(codes, [2] * 3, second.astype(int), cluster))
        assert result.clusters is not None and result.clusters.too_few
        assert set(result.variables()["verdict"]) == {Verdict.CANNOT_TELL}
    frame = pd.DataFrame(codes.T, columns=["x", "y", "z"]).assign(group=np.where(second, "B", "A"))
    frame["clinic"] = [f"c{one}" if one in (0, 7) else None for one in cluster]
    few = METHOD.run(engine.Dataset.from_frame(frame, roles={"clinic": "subject"}))
    assert few.clusters is not None and few.clusters.counts == (1, 1) and few.clusters.alone == 210
    assert "have no 'clinic', each counted by itself." in " ".join(few.notes())


def test_the_papers_single_order_carries_no_verdict_of_clusters() -> None:
    """Its odds count every row by itself."""
    result = engine.GroupDifference(group="group", average="none").run(clustered(6, many=30))
    assert set(result.variables()["verdict"]) == {Verdict.CANNOT_TELL}
    assert result.headline().startswith("No verdict: the paper's odds count every row by itself")
    assert not any("count together" in one for one in result.notes())

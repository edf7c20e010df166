"""Ordered levels cut from a Gaussian network: the paper's recipe, checked by counting and by slow recursions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from statistics import NormalDist

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import DataError, SettingsError
from engine.graphs.dag import topological_order
from engine.simulation.ordinal import (
    LatentModel,
    cut_graph,
    full_sample,
    random_latent_model,
    random_shares,
    random_weights,
)


def model(seed: int = 0, variables: int = 8, **settings: float) -> LatentModel:
    """A random model of the seed."""
    return random_latent_model(variables, np.random.default_rng(seed), **settings)  # type: ignore[arg-type]


def slow_covariance(one: LatentModel) -> dict[tuple[int, int], float]:
    """Covariances of every pair, one variable after its parents, with the noise of sd 1."""
    found: dict[tuple[int, int], float] = {}
    before: list[int] = []
    for child in topological_order(one.parents):
        weights = dict(zip(one.parents[child], one.weights[child].tolist(), strict=True))
        for other in before:
            found[child, other] = found[other, child] = sum(w * found[parent, other] for parent, w in weights.items())
        found[child, child] = 1.0 + sum(w * found[parent, child] for parent, w in weights.items())
        before.append(child)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_the_correlation_is_that_of_the_recursion(seed: int) -> None:
    """Covariances variable by variable, then scaled to variance one."""
    one = model(seed)
    slow = slow_covariance(one)
    sd = [slow[i, i] ** 0.5 for i in range(8)]
    expected = [[slow[i, j] / (sd[i] * sd[j]) for j in range(8)] for i in range(8)]
    np.testing.assert_allclose(one.correlation, expected, atol=1e-12)
    np.testing.assert_allclose(one.sd, sd, atol=1e-12)
    assert np.linalg.eigvalsh(one.correlation).min() > 0


def test_many_rows_have_the_correlation_and_the_noise() -> None:
    """Of 200,000 rows: mean 0, variance 1, the true correlations, and a noise of sd 1 before the scaling."""
    one = model(3)
    values = one.latent(200_000, np.random.default_rng(1))
    np.testing.assert_allclose(values.mean(axis=1), 0, atol=0.01)
    np.testing.assert_allclose(np.cov(values), one.correlation, atol=0.015)
    for child, family in enumerate(one.parents):
        rest = values[child] - one.scaled_weights[child] @ values[list(family)]
        assert np.std(rest) * one.sd[child] == pytest.approx(1.0, abs=0.01)
        for parent in family:
            assert np.corrcoef(rest, values[parent])[0, 1] == pytest.approx(0.0, abs=0.01)


def test_levels_are_as_frequent_as_their_shares() -> None:
    """Counted over many rows; cuts are quantiles of the normal distribution."""
    one = model(4)
    data = one.sample(100_000, np.random.default_rng(2))
    assert set(data.kinds.values()) == {"ordinal"}
    for i, (name, shares) in enumerate(zip(one.names, one.probabilities, strict=True)):
        assert data.levels[name] == tuple(str(level) for level in range(1, len(shares) + 1))
        np.testing.assert_allclose(np.bincount(data.codes[i]) / 100_000, shares, atol=0.006)
        passed = [NormalDist().cdf(cut) for cut in one.thresholds[i]]
        np.testing.assert_allclose(np.diff([0.0, *passed, 1.0]), shares, atol=1e-12)


def test_neighbours_weights_and_levels_are_drawn_as_the_paper_says() -> None:
    """Four neighbours on average, weights on two intervals with either sign, 2 to 2E - 2 levels equally often."""
    many = [model(seed, 20, levels=4) for seed in range(200)]
    arcs = [sum(map(len, one.parents)) for one in many]
    assert 2 * np.mean(arcs) / 20 == pytest.approx(4.0, abs=0.1)
    weights = np.concatenate([w for one in many for w in one.weights])
    assert 0.4 <= np.abs(weights).min() < 0.41
    assert 0.99 < np.abs(weights).max() <= 1.0
    assert np.abs(weights).mean() == pytest.approx(0.7, abs=0.01)
    assert (weights > 0).mean() == pytest.approx(0.5, abs=0.02)
    arities = np.array([one.arities for one in many]).ravel()
    assert set(arities.tolist()) == {2, 3, 4, 5, 6}
    np.testing.assert_allclose(np.bincount(arities)[2:] / len(arities), 0.2, atol=0.03)
    assert set(model(0, levels=2).arities) == {2}


@pytest.mark.parametrize("concentration", [0.8, 1.0, 2.0])
def test_shares_have_the_moments_of_the_dirichlet_distribution(concentration: float) -> None:
    """Mean 1/L and variance (L - 1) / (L^2 (L nu + 1)), counted over many draws."""
    shares = np.array(random_shares([4] * 20_000, np.random.default_rng(0), concentration))
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(shares.mean(axis=0), 0.25, atol=0.005)
    np.testing.assert_allclose(shares.var(axis=0), 3 / (16 * (4 * concentration + 1)), rtol=0.05)


def test_a_full_sample_has_every_level() -> None:
    """Shares are drawn again only where a level is empty, and the rows come from the shares that are returned."""
    again = 0
    for seed in range(30):
        one = model(seed, levels=5, concentration=0.8)
        full, data = full_sample(one, 80, np.random.default_rng(seed))
        codes = one.sample(80, np.random.default_rng(seed)).codes  # the same latent rows, cut as the model says
        for i, many in enumerate(one.arities):
            assert set(data.codes[i].tolist()) == set(range(many))
            kept = np.array_equal(full.probabilities[i], one.probabilities[i])
            assert kept == (len(set(codes[i].tolist())) == many)
            again += not kept
        np.testing.assert_array_equal(full.sample(80, np.random.default_rng(seed)).codes, data.codes)
    assert again > 5


def test_equal_seeds_give_equal_bits() -> None:
    """Model and rows; another seed gives others."""
    data = [full_sample(model(seed), 200, np.random.default_rng(seed))[1].fingerprint for seed in (7, 7, 8)]
    assert data[0] == data[1] != data[2]


def test_a_drawn_graph_is_cut_evenly_or_at_random() -> None:
    """Weights stand on the arcs, 0.8 where they do not; levels for all or by name."""
    graph = nx.DiGraph()
    graph.add_nodes_from(["b", "a", "c"])
    graph.add_edge("a", "b", weight=-0.5)
    graph.add_edge("b", "c")
    one = cut_graph(graph, {"a": 2, "b": 3, "c": 5})
    assert (one.names, one.parents, one.arities) == (("b", "a", "c"), ((1,), (), (0,)), (3, 2, 5))
    assert [weights.tolist() for weights in one.weights] == [[-0.5], [], [0.8]]
    assert all(len(set(shares.tolist())) == 1 for shares in one.probabilities)
    assert one.correlation[0, 1] == pytest.approx(-0.5 / 1.25**0.5)
    assert set(one.graph.edges) == set(graph.edges)
    assert one.graph.edges["a", "b"]["weight"] == pytest.approx(one.correlation[0, 1])
    drawn = [cut_graph(graph, 4, np.random.default_rng(seed)).probabilities[0] for seed in (1, 1, 2)]
    np.testing.assert_array_equal(drawn[0], drawn[1])
    assert not np.allclose(drawn[0], drawn[2])


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), variables=st.integers(3, 7))
def test_a_variable_turned_round_turns_its_correlations_round(seed: int, variables: int) -> None:
    """All weights of one variable with the other sign: its correlations change sign, all others stay."""
    one = model(seed, variables, neighbours=2.0)
    turned = seed % variables
    weights = [
        np.array([-w if turned in (child, parent) else w for parent, w in zip(family, old.tolist(), strict=True)])
        for child, (family, old) in enumerate(zip(one.parents, one.weights, strict=True))
    ]
    sign = np.where(np.arange(variables) == turned, -1.0, 1.0)
    other = replace(one, weights=tuple(weights))
    np.testing.assert_allclose(other.correlation, one.correlation * np.outer(sign, sign), atol=1e-12)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), levels=st.integers(2, 6))
def test_levels_rise_with_what_is_behind_them(seed: int, levels: int) -> None:
    """A larger value never has a lower level, and codes stay within the levels."""
    one = model(seed, 4, neighbours=2.0, levels=levels)
    values = one.latent(60, np.random.default_rng(seed))
    for own, codes, many in zip(values, one.cut(values).codes.astype(int), one.arities, strict=True):
        assert (np.diff(codes[np.argsort(own)]) >= 0).all()
        assert 0 <= codes.min() <= codes.max() < many


EVEN = (np.full(2, 0.5),) * 2


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: model(levels=1), SettingsError, "from 2 up"),
        (lambda: model(concentration=0.0), SettingsError, "above 0"),
        (lambda: model(neighbours=9.0), SettingsError, "neighbours"),
        (lambda: LatentModel(("a", "b"), ((1,), (0,)), (np.ones(1),) * 2, EVEN), DataError, "cycle|circle"),
        (lambda: LatentModel(("a", "b"), ((), (0,)), (np.ones(0),) * 2, EVEN), DataError, "finite weight"),
        (lambda: LatentModel(("a", "b"), ((), ()), (np.ones(0),) * 2, (np.ones(1),) * 2), DataError, "sum is 1"),
        (lambda: cut_graph(nx.DiGraph([("a", "b")]), {"a": 2}), SettingsError, "nothing of 'b'"),
        (lambda: cut_graph(nx.DiGraph([("a", "b")]), 1), SettingsError, "2 or more"),
        (lambda: cut_graph(nx.Graph([("a", "b")]), 2), DataError, "directions"),
        (lambda: full_sample(model(), 3, np.random.default_rng(0)), SettingsError, "too few"),
    ],
)
def test_what_cannot_be_is_refused(make: Callable[[], object], error: type[Exception], words: str) -> None:
    """Each with a sentence that says what is possible."""
    with pytest.raises(error, match=words):
        make()


def test_weights_follow_the_parents() -> None:
    """One weight a parent, none where there is none."""
    weights = random_weights(((), (0,), (0, 1)), np.random.default_rng(0))
    assert [len(one) for one in weights] == [0, 1, 2]

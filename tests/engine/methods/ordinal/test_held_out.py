"""Held-out log loss, its paired interval, and the path of penalties."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from scipy import stats

import engine
from benchmarks.ordinal.gaps import with_gaps
from engine.methods.ordinal.held_out_loss import corrected, log_loss
from engine.simulation.ordinal import cut_graph
from tests.engine.methods.ordinal.make import chain, turned


def test_without_links_the_loss_is_that_of_the_shares() -> None:
    """A penalty that nothing pays: rows are products of smoothed shares."""
    data = chain(200)
    result = engine.Ordinal(penalty=1000.0, draws=5).run(data)
    assert result.n_links == 0
    expected = np.zeros(200)
    for i, name in enumerate(data.names):
        shares = (result.counts[name] + 1) / (200 + 4)
        expected -= np.log(shares[data.codes[i]])
    assert log_loss(result, data) == pytest.approx(expected, abs=1e-9)
    assert result.log_loss(data) == pytest.approx(expected.mean(), abs=1e-9)


def test_tables_of_shares_predict_by_posterior_means() -> None:
    """BDe, family by family and row by row."""
    data = chain(200)
    result = engine.Ordinal(approach="bde", ess=2.0).run(data)
    codes = {name: data.codes[i].astype(int) for i, name in enumerate(data.names)}
    expected = np.zeros(200)
    for child in data.names:
        family = sorted(result.dag.predecessors(child))
        cells = 4 ** (len(family) + 1)
        for row in range(200):
            same = np.all([codes[x] == codes[x][row] for x in family], axis=0) if family else np.ones(200, bool)
            hits = (same & (codes[child] == codes[child][row])).sum() + 2.0 / cells
            expected[row] -= np.log(hits / (same.sum() + 4 * 2.0 / cells))
    assert log_loss(result, data) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("approach", ["osem", "bde"])
def test_the_loss_of_a_row_is_its_own(approach: str) -> None:
    """Whatever the order of rows and columns; and other levels are refused."""
    data, test = chain(200), chain(60, seed=2)
    result = engine.Ordinal(approach=approach, draws=20).run(data)
    mixed = np.random.default_rng(0).permutation(60)
    assert log_loss(result, test.rows(mixed)) == pytest.approx(log_loss(result, test)[mixed], abs=1e-6)
    assert result.log_loss(turned(test)) == pytest.approx(result.log_loss(test), abs=1e-6)
    with pytest.raises(engine.DataError, match="other levels"):
        result.log_loss(chain(60, levels=3))
    with pytest.raises(engine.DataError, match="other variables"):
        result.log_loss(test.select(["a", "b"]))


def test_links_help_prediction_on_new_rows() -> None:
    """Beside no links at all."""
    data, test = chain(400), chain(300, seed=9)
    with_links = engine.Ordinal(draws=50).run(data).log_loss(test)
    without = engine.Ordinal(penalty=1000.0, draws=5).run(data).log_loss(test)
    assert with_links < without - 0.3


def test_the_interval_allows_for_splits_that_share_rows() -> None:
    """Nadeau and Bengio's: (1 / R + test / train) times the variance."""
    values = np.array([0.1, 0.3, -0.2, 0.4, 0.2])
    low, high = corrected(values, 0.25)
    spread = np.sqrt((1 / 5 + 0.25) * values.var(ddof=1)) * stats.t.ppf(0.975, 4)
    assert (low, high) == pytest.approx((values.mean() - spread, values.mean() + spread))
    assert all(np.isnan(corrected(values[:1], 0.25)))
    spread = np.sqrt((1 / 2 + 0.25) * values[:2].var(ddof=1)) * stats.t.ppf(0.975, 1)
    assert corrected(values[:2], 0.25) == pytest.approx((0.2 - spread, 0.2 + spread))


def test_methods_are_compared_on_the_same_splits() -> None:
    """The same method twice differs by nothing; a worse one by more than nothing."""
    data = chain(300)
    method = engine.Ordinal(approach="gpc", seed=1)
    found = method.log_loss(data, ["gpc", engine.Ordinal(approach="gpc", alpha=1e-9)], repeats=4)
    assert found["approach"].tolist() == ["gpc"] * 3
    assert found["difference"].tolist()[:2] == [0.0, 0.0]
    assert found[["low", "high"]].to_numpy()[:2].tolist() == [[0.0, 0.0]] * 2
    assert found["n"].tolist() == [60] * 3
    assert method.log_loss(data, ["gpc"], repeats=2, jobs=2).equals(method.log_loss(data, ["gpc"], repeats=2))
    with pytest.raises(engine.SettingsError, match="against"):
        method.log_loss(data, ["xyz"])
    with pytest.raises(engine.SettingsError, match="share"):
        method.log_loss(data, share=1.0)
    with pytest.raises(engine.SettingsError, match="0"):
        method.log_loss(data, repeats=0)


def test_the_path_tells_links_and_distance() -> None:
    """A larger penalty gives fewer links; at the method's own the distance is 0."""
    data = chain(300)
    path = engine.Ordinal(draws=20).lambda_path(data, [0.5, 3.0, 1000.0], repeats=2)
    assert path["setting"].unique().tolist() == ["penalty"]
    assert path["links"].is_monotonic_decreasing
    assert path["links"].iloc[-1] == 0
    assert path["distance"].iloc[1] == 0
    assert (path["low"] <= path["log_loss"] + 1e-12).all()
    assert (path["log_loss"] <= path["high"] + 1e-12).all()
    assert engine.Ordinal(approach="bde").lambda_path(data, [0.1, 10.0])["setting"].tolist() == ["ess", "ess"]


def test_rows_with_gaps_are_for_the_hidden_values_only() -> None:
    """A level too many is refused, not shifted; gaps are integrated out, or refused where levels have no order."""
    data, test = chain(200), with_gaps(chain(60, seed=2), 0.1, np.random.default_rng(0))
    result = engine.Ordinal(draws=20).run(data)
    assert 0 < result.log_loss(test) < result.log_loss(chain(60, seed=2))
    with pytest.raises(engine.DataError, match="lacks"):
        engine.Ordinal(approach="bde").run(data).log_loss(test)
    more = engine.Dataset.from_codes(data.codes + 1, [("0", *data.levels["a"])] * 4, data.names, kinds=data.kinds)
    with pytest.raises(engine.DataError, match="other levels"):
        engine.Ordinal(draws=20).run(data).log_loss(more)
    with pytest.raises(engine.SettingsError, match="missing answers"):
        engine.Ordinal(missing="latent", draws=20).log_loss(with_gaps(data, 0.1, np.random.default_rng(0)))


def test_many_levels_do_not_shrink_a_rivals_correlations() -> None:
    """Two scales of eleven levels, tied by .6: one imagined row in all, not one in each of 121 cells."""
    found = []
    for seed in range(6):
        graph = nx.DiGraph()
        graph.add_edge("a", "b", weight=0.75)  # before scaling: .6 after
        data = cut_graph(graph, 11).sample(200, np.random.default_rng(seed))
        found.append(float(engine.Ordinal(approach="bge").run(data).correlation.loc["a", "b"]))
    assert abs(np.mean(found) - 0.6) < 0.06


def test_the_path_is_that_of_the_same_splits() -> None:
    """Losses and differences as they come of comparing the methods; without splits there are none; usual penalties."""
    data = chain(150)
    method = engine.Ordinal(approach="gpc", alpha=0.05)
    path = method.lambda_path(data, [0.01, 0.2], repeats=2)
    losses = method.log_loss(data, [engine.Ordinal(approach="gpc", alpha=alpha) for alpha in (0.01, 0.2)], repeats=2)
    assert path["log_loss"].tolist() == losses["log_loss"].tolist()[1:]
    for end in ("low", "high"):
        assert path[end].tolist() == (losses["log_loss"][0] + losses[end][1:]).tolist()
    assert (losses["log_loss"] - losses["log_loss"][0]).tolist() == pytest.approx(losses["difference"].tolist())
    usual = engine.Ordinal(approach="bge").lambda_path(data)
    assert usual["penalty"].tolist() == [1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0]
    assert usual[["log_loss", "low", "high"]].isna().all().all()
    for row in usual.itertuples():
        assert row.links == engine.Ordinal(approach="bge", am=row.penalty).run(data).n_links

"""Rows drawn again, and other seeds."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine import execution
from engine.graphs.pdag import Pdag, from_networkx
from engine.methods.ordinal.recurrence import EdgeStrength, SeedStability, origin_of
from engine.resampling import bootstrap
from tests.engine.methods.ordinal.make import chain, turned

METHOD = engine.Ordinal(draws=20, search="exact", seed=3)


def test_every_run_is_the_analysis_of_rows_drawn_again() -> None:
    """The same seeds, run by run, through the public method."""
    data = chain(150)
    strength = METHOD.edge_strength(data, runs=3)
    rows = np.lexsort(data.select(sorted(data.names)).codes[::-1])
    directed = np.zeros((4, 4))
    for seed in np.random.SeedSequence(3).spawn(3):
        drawn = data.rows(rows[bootstrap(150, np.random.default_rng(seed))])
        graph = from_networkx(METHOD.run(drawn).graph, data.names)
        for child in range(4):
            for source in range(4):
                directed[source, child] += graph.parents[child] >> source & 1
                directed[source, child] += 0.5 * (graph.neighbours[child] >> source & 1)
    assert np.array_equal(strength.directed, directed)
    assert np.array_equal(strength.links, (directed + directed.T).astype(int))


def test_jobs_and_orders_change_nothing() -> None:
    """Two processes, three threads, and a table turned about."""
    data = chain(150)
    with execution.using(1):
        one = METHOD.edge_strength(data, runs=4)
    two = METHOD.edge_strength(data, runs=4, jobs=2)
    assert np.array_equal(one.directed, two.directed)
    with execution.using(3):
        assert np.array_equal(one.directed, METHOD.edge_strength(data, runs=4).directed)
    other = METHOD.edge_strength(turned(data), runs=4)
    assert all(one.directed_share(a, b) == other.directed_share(a, b) for a in data.names for b in data.names)


def test_what_was_begun_is_gone_on_with() -> None:
    """Three runs and three more are six; more than asked for stays."""
    data = chain(150)
    begun = METHOD.edge_strength(data, runs=2)
    whole, gone_on = METHOD.edge_strength(data, runs=5), METHOD.edge_strength(data, runs=5, so_far=begun)
    assert np.array_equal(whole.directed, gone_on.directed)
    assert gone_on.runs == 5
    assert METHOD.edge_strength(data, runs=1, so_far=begun) is begun
    with pytest.raises(engine.SettingsError, match="so_far"):
        METHOD.edge_strength(chain(151), runs=5, so_far=begun)
    with pytest.raises(engine.SettingsError, match="so_far"):
        engine.Ordinal(draws=20, search="exact", seed=4).edge_strength(data, runs=5, so_far=begun)


def test_other_seeds_are_told_apart_from_other_rows() -> None:
    """A method without draws gives one network whatever the seed."""
    data = chain(150)
    found = engine.Ordinal(approach="gpc").monte_carlo(data, seeds=3)
    assert (found.runs, found.classes) == (3, 1)
    result = engine.Ordinal(approach="gpc").run(data).with_seeds(found)
    assert result.section("strength").sentences == ("3 seeds give one network.",)
    assert (result.edge_table()["seeds_share"] == 1).all()


def test_run_draws_again_where_it_is_asked_to() -> None:
    """And says how sure the links are."""
    data = chain(150)
    result = engine.Ordinal(approach="gpc", bootstrap=20, seed=3).run(data)
    assert result.strength is not None
    assert result.strength.runs == 20
    assert "With the rows drawn again 20 times" in result.section("strength").sentences[0]
    assert not any("How sure each link is" in note for note in result.notes())
    assert set(result.averaged(0.0).nodes) == set(data.names)
    assert "Strength" in result.table_titles()
    with pytest.raises(engine.SettingsError, match="drawn again"):
        engine.Ordinal(approach="gpc").run(data).averaged()
    with pytest.raises(engine.SettingsError, match="threshold"):
        result.averaged(2.0)
    with pytest.raises(engine.SettingsError, match="other data"):
        engine.Ordinal(approach="gpc").run(chain(140)).with_strength(result.strength)


def test_what_only_other_seeds_or_rows_have_is_told() -> None:
    """Links that this network lacks, and none of its own; and networks of other settings are refused."""
    data = chain(150)
    method = engine.Ordinal(approach="gpc", alpha=1e-30)
    result = method.run(data)
    assert result.n_links == 0
    line = Pdag([0] * 4, [0] * 4, [2, 1, 0, 0])
    nothing = Pdag([0] * 4, [0] * 4, [0] * 4)
    origin = origin_of(method, data.fingerprint)
    seeds = SeedStability.of(data.names, [nothing, line, line], 0, origin)
    said = result.with_seeds(seeds).section("strength").sentences[0]
    first = " -- ".join(data.names[:2])
    assert said == (
        f"3 seeds give 2 networks: 1 that this one lacks ({first}) is left to the draws alone. More draws make seeds "
        "agree."
    )
    strength = EdgeStrength.of(data.names, [nothing, line, line], 0, origin)
    said = result.with_strength(strength).section("strength").sentences[0]
    assert said == (
        f"The rows were drawn again 3 times. {first} came back in half of them or more, and is not in this network."
    )
    with pytest.raises(engine.SettingsError, match="other settings"):
        engine.Ordinal(approach="npc").run(data).with_strength(strength)
    with pytest.raises(engine.SettingsError, match="2 at least"):
        method.monte_carlo(data, seeds=1)

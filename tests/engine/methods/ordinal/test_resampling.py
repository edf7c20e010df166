"""Rows resampled, and other seeds."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

import engine
from benchmarks.ordinal.gaps import with_gaps
from engine import execution
from engine.graphs.pdag import Pdag, complete, from_networkx, to_networkx
from engine.methods.cost import Size
from engine.methods.ordinal import method as resampled
from engine.methods.ordinal.method import _joined, cost_of_halves
from engine.methods.ordinal.recurrence import EdgeStrength, Recurrence, SeedStability, origin_of
from engine.resampling import bootstrap
from tests.engine.methods.ordinal.make import chain, turned

METHOD = engine.Ordinal(draws=20, search="exact", seed=3)


def networks_drawn_again(data: engine.Dataset, runs: int) -> Iterator[nx.DiGraph]:
    """The networks of rows resampled, each learned by the public method; a line is two arcs."""
    rows = np.lexsort(data.select(sorted(data.names)).codes[::-1])
    for seed in np.random.SeedSequence(METHOD.seed).spawn(runs):
        yield METHOD.run(data.rows(rows[bootstrap(data.n_rows, np.random.default_rng(seed))])).graph


def assert_counted(strength: Recurrence, graphs: list[nx.DiGraph]) -> None:
    """Every figure of links that come back is that of a count over the networks, pair by pair."""
    assert strength.runs == len(graphs)
    linked = Counter(pair for graph in graphs for pair in {frozenset(arc) for arc in graph.edges})
    arrows = Counter(arc for graph in graphs for arc in graph.edges if not graph.has_edge(*reversed(arc)))
    lines = Counter(arc for graph in graphs for arc in graph.edges if graph.has_edge(*reversed(arc)))
    for a, b in itertools.permutations(strength.names, 2):
        assert strength.share(a, b) == linked[frozenset((a, b))] / len(graphs)
        assert strength.directed_share(a, b) == (arrows[a, b] + lines[a, b] / 2) / len(graphs)
    assert {frozenset(pair): share for pair, share in strength.pairs()} == {
        pair: many / len(graphs) for pair, many in linked.items()
    }
    for row in strength.frame().itertuples():
        forward, back = (
            strength.directed_share(*ends) for ends in ((row.source, row.target), (row.target, row.source))
        )
        assert row.share == linked[frozenset((row.source, row.target))] / len(graphs)
        assert row.directed == forward >= back
        assert row.low < row.share <= row.high or row.share in (row.low, row.high)
    for threshold in (0.0, 0.5, 0.99):
        averaged = to_networkx(strength.averaged(threshold), strength.names)
        for a, b in itertools.combinations(strength.names, 2):
            many = linked[frozenset((a, b))]
            kept = many / len(graphs) > threshold
            assert (averaged.has_edge(a, b) or averaged.has_edge(b, a)) == kept
            for source, target in ((a, b), (b, a)) if kept else ():
                against = (arrows[target, source] + lines[target, source] / 2) / many
                assert averaged.has_edge(source, target) == (against < 0.75)


def test_merged_counts_are_those_of_all_networks() -> None:
    """Networks counted in two lots and merged, against a count of them all; of different ones the least is told."""
    generator, names = np.random.default_rng(5), ("a", "b", "c", "d", "e")
    graphs = []
    for number in range(24):
        order, density = generator.permutation(5), 0.15 + 0.6 * (number % 3) / 2
        parents = [()] * 5
        for place, child in enumerate(order):
            parents[child] = tuple(int(x) for x in order[:place] if generator.random() < density)
        graphs.append(complete(parents))
    drawn = [to_networkx(graph, names) for graph in graphs]
    first, second = (EdgeStrength.of(names, part, 0, ("data", "method")) for part in (graphs[:9], graphs[9:]))
    merged = _joined(first, second)
    assert_counted(first, drawn[:9])
    assert_counted(merged, drawn)
    assert merged.links.dtype == first.links.dtype
    assert merged.threshold == EdgeStrength.of(names, graphs, 0, ("data", "method")).threshold
    for found, part in ((first, drawn[:9]), (second, drawn[9:])):
        assert found.classes == len({frozenset(graph.edges) for graph in part})
    assert merged.classes == max(first.classes, second.classes)


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


def test_hill_climbing_on_the_gaussian_bic_is_averaged_at_a_threshold() -> None:
    """The recipe of McNally et al. (2017), Figure S11 of the paper: links in more than .85 of the networks."""
    data, runs = chain(60), 40
    method = engine.Ordinal(approach="bic", penalty=1.0, search="hill_climbing", bootstrap=runs, seed=3)
    result = method.run(data)
    rows = np.lexsort(data.codes[::-1])
    linked: Counter[frozenset[str]] = Counter()
    for seed in np.random.SeedSequence(3).spawn(runs):
        again = data.rows(rows[bootstrap(data.n_rows, np.random.default_rng(seed))])
        network = engine.learn(again, engine.GaussianBIC(), "hill_climbing")
        linked.update({frozenset(arc) for arc in network.edges})
    assert result.strength is not None
    assert {pair: count / runs for pair, count in linked.items()} == {
        frozenset(pair): share for pair, share in result.strength.pairs()
    }
    often = {pair for pair, count in linked.items() if count > 0.85 * runs}
    assert {frozenset(arc) for arc in result.averaged(0.85).edges} == often
    assert 0 < len(often) < len(linked), "or the threshold does nothing"


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
    """Two runs and three more are five; as many as asked for, or more, stay."""
    data = chain(150)
    begun = METHOD.edge_strength(data, runs=2)
    whole, gone_on = METHOD.edge_strength(data, runs=5), METHOD.edge_strength(data, runs=5, so_far=begun)
    for found in (whole, gone_on):
        assert_counted(found, [*networks_drawn_again(data, 5)])
    assert begun.classes <= gone_on.classes <= whole.classes
    assert all(METHOD.edge_strength(data, runs=runs, so_far=begun) is begun for runs in (1, 2))
    with pytest.raises(engine.SettingsError, match="so_far"):
        METHOD.edge_strength(chain(151), runs=5, so_far=begun)
    with pytest.raises(engine.SettingsError, match="so_far"):
        engine.Ordinal(draws=20, search="exact", seed=4).edge_strength(data, runs=5, so_far=begun)


def test_half_samples_go_on_as_well() -> None:
    """Two and three more are the five that come at once; those of other rows are refused."""
    data = chain(150)
    begun, whole = METHOD.half_samples(data, runs=2), METHOD.half_samples(data, runs=5)
    gone_on = METHOD.half_samples(data, runs=5, so_far=begun)
    assert gone_on.runs == 5 and np.array_equal(gone_on.directed, whole.directed)
    assert not np.array_equal(begun.links, whole.links)
    with pytest.raises(engine.SettingsError, match="so_far"):
        METHOD.half_samples(chain(151), runs=5, so_far=begun)


def test_other_seeds_are_told_apart_from_other_rows() -> None:
    """A method without draws gives one network whatever the seed."""
    data = chain(150)
    found = engine.Ordinal(approach="gpc").monte_carlo(data, seeds=3)
    assert (found.runs, found.classes) == (3, 1)
    result = engine.Ordinal(approach="gpc").run(data).with_parts(found)
    assert result.section("strength").sentences == ("3 seeds give one network.",)
    assert (result.edge_table()["seeds_share"] == 1).all()


def test_run_draws_again_where_it_is_asked_to() -> None:
    """And says how sure the links are."""
    data = chain(150)
    result = engine.Ordinal(approach="gpc", bootstrap=20, seed=3).run(data)
    assert result.strength is not None
    assert result.strength.runs == 20
    assert "With the rows resampled 20 times" in result.section("strength").sentences[0]
    assert not any("How sure each link is" in note for note in result.notes())
    assert set(result.averaged(0.0).nodes) == set(data.names)
    assert "Strength" in result.table_titles()
    with pytest.raises(engine.SettingsError, match="No bootstrap was run"):
        engine.Ordinal(approach="gpc").run(data).averaged()
    with pytest.raises(engine.SettingsError, match="threshold"):
        result.averaged(2.0)
    assert not result.averaged(1.0).edges
    with pytest.raises(engine.SettingsError, match="other data"):
        engine.Ordinal(approach="gpc").run(chain(140)).with_parts(result.strength)


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
    said = result.with_parts(seeds).section("strength").sentences[0]
    first = " – ".join(data.names[:2])
    assert said == (
        f"3 seeds give 2 networks: 1 that this one lacks ({first}) is left to the draws alone. More draws make seeds "
        "agree."
    )
    strength = EdgeStrength.of(data.names, [nothing, line, line], 0, origin)
    said = result.with_parts(strength).section("strength").sentences[0]
    assert said == (
        f"The rows were resampled 3 times. {first} came back in half of them or more, and is not in this network."
    )
    with pytest.raises(engine.SettingsError, match="other settings"):
        engine.Ordinal(approach="npc").run(data).with_parts(strength)
    with pytest.raises(engine.SettingsError, match="from 2 up"):
        method.monte_carlo(data, seeds=1)


@pytest.mark.parametrize("name", ["edge_strength", "half_samples", "monte_carlo"])
def test_a_table_that_cannot_be_read_is_refused_before_any_row_is_drawn(name: str) -> None:
    """Missing answers, which halves of the rows might happen not to have."""
    data = with_gaps(chain(60), 0.05, np.random.default_rng(1))
    with pytest.raises(engine.DataError, match=r"lacks \d+ answers"):
        getattr(METHOD, name)(data, 2)
    with pytest.raises(engine.DataError, match="too few"):
        engine.Ordinal(approach="gpc").half_samples(chain(60).rows(range(3)), runs=2)
    assert engine.Ordinal(approach="gpc").half_samples(chain(4), runs=2).runs == 2


def test_half_samples_draw_less_often_and_say_so_in_their_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most 50 draws, of the settings of the method all the same; fewer where the method has fewer."""
    drawn: list[int] = []

    def learn(learner: engine.Ordinal, *_: object) -> Pdag:
        drawn.append(learner.draws)
        return Pdag([0] * 4, [0] * 4, [0] * 4)

    monkeypatch.setattr(resampled, "_learn_resampled", learn)
    data, method = chain(150), engine.Ordinal(draws=60)
    assert method.half_samples(data, 2).origin == origin_of(method, data.fingerprint)
    replace(method, draws=20).half_samples(data, 1)
    method.edge_strength(data, 1)
    assert drawn == [50, 50, 20, 60]
    size = Size.of(data)
    assert cost_of_halves(method, size, 2).seconds == cost_of_halves(replace(method, draws=50), size, 2).seconds

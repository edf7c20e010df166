"""The search: candidates against brute force at every step, invariances, ties, and what it finds."""

from __future__ import annotations

import itertools
import math

import networkx as nx
import numpy as np
import pytest

import engine
from engine.graphs.chordal import DecomposableGraph
from engine.graphs.dag import bits
from engine.methods.log_linear.counts import Counts
from engine.methods.log_linear.criteria import CRITERIA
from engine.methods.log_linear.search import JointMoves, RankMatrix, Search
from tests.engine.methods.log_linear.every_move import EveryMove
from tests.engine.methods.log_linear.make import TOTALS, chain, edge_set, exclusive_or, groups, named

ALL = ("mml", "smt", "chi2", "bic", "ah", "kl")


def as_networkx(names: tuple[str, ...], graph: DecomposableGraph) -> nx.Graph:
    """The graph with names."""
    found = nx.Graph()
    found.add_nodes_from(names)
    found.add_edges_from((names[a], names[b]) for a, b in graph.edges())
    return found


def test_twelve_variables_up_to_saturation() -> None:
    """A larger graph step by step, candidates only: at every step what networkx allows."""
    data = groups(200, 12, 7)
    counts = Counts(data)
    search = Search(counts, CRITERIA["mml"](counts, 0.05), DecomposableGraph(12))
    for _ in range(66):
        best = search.best()
        assert best is not None
        search.add(best.a, best.b, 0.0)
        plain = nx.empty_graph(12)
        plain.add_edges_from(search.graph.edges())
        allowed = set()
        for a, b in nx.non_edges(plain):
            plain.add_edge(a, b)
            if nx.is_chordal(plain):
                allowed.add((min(a, b), max(a, b)))
            plain.remove_edge(a, b)
        assert {tuple(pair) for pair in np.argwhere(np.triu(search.candidates.ranks > -np.inf)).tolist()} == allowed
        assert search.candidates.count == len(allowed)
    assert search.best() is None and not allowed


@pytest.mark.parametrize("criterion", ["mml", "bic"])
def test_the_exclusive_or_needs_two_edges_at_once(criterion: str) -> None:
    """Forward selection never sees c; the joint move does, and both its edges say so."""
    data = exclusive_or()
    alone = engine.LogLinear(criterion=criterion).run(data)
    assert alone.isolated == ("c",)
    assert edge_set(alone.graph) == {frozenset("ag")}
    both = engine.LogLinear(criterion=criterion, joint=True).run(data)
    assert both.cliques == [("a", "c", "g")]
    assert both.steps["joint"].tolist() == [False, True, True]
    assert both.message["total"]["this model"] < alone.message["total"]["this model"]


@pytest.mark.parametrize("seed", range(4))
def test_joint_moves_are_the_best_pair_of_edges(seed: int) -> None:
    """The move taken saves what the totals say, and no other pair of edges with a shared new end saves more."""
    data = groups(250, 6, seed + 20)
    counts = Counts(data)
    search = Search(counts, CRITERIA["mml"](counts, 0.05), DecomposableGraph(6))
    search.run()
    moves = EveryMove(search)
    graph = as_networkx(counts.names, search.graph)
    before = TOTALS["mml"](data, graph)
    best = -math.inf
    for y, z in itertools.chain(graph.edges, [edge[::-1] for edge in graph.edges]):
        for x in set(graph) - {y, z} - set(graph[y]) - set(graph[z]):
            first, both = graph.copy(), graph.copy()
            first.add_edge(x, y)
            both.add_edges_from([(x, y), (x, z)])
            triple = set(graph[x]) & set(graph[y]) <= set(graph[z])  # all of it becomes one clique with x, y and z
            if triple and nx.is_chordal(first) and nx.is_chordal(both):
                best = max(best, before - TOTALS["mml"](data, both))
    offered = [offer.value for offer in moves.offers()]
    assert max(offered, default=-math.inf) - moves.stop() == pytest.approx(best, abs=1e-7)


def test_a_copied_column_ties_go_by_name() -> None:
    """Two columns twice, four pairs equally good: the first in alphabetical order comes, wherever it stands."""
    base = chain(300, 2, seed=3)
    for order in itertools.permutations(range(4)):
        codes = base.codes[[0, 0, 1, 1]][list(order)]
        names = np.array(["m1", "m2", "n1", "n2"])[list(order)]
        result = engine.LogLinear().run(named(codes, [3] * 4, names))
        steps = [tuple(sorted(pair)) for pair in zip(result.steps.a, result.steps.b, strict=True)]
        assert steps == [("m1", "m2"), ("n1", "n2"), ("m1", "n1")]


def test_the_tolerance_of_a_tie() -> None:
    """Within the tolerance the first pair wins, beyond it the larger rank."""
    counts = Counts(chain(100, 4))
    assert Search(counts, CRITERIA["mml"](counts, 0.05), DecomposableGraph(4)).tolerance == 1e-9
    for more, first in ((5e-10, (0, 3)), (2e-9, (1, 2))):
        ranks = np.full((4, 4), -np.inf)
        ranks[0, 3] = ranks[3, 0] = 5.0
        ranks[1, 2] = ranks[2, 1] = 5.0 + more
        assert RankMatrix(ranks, 1e-9).best() == (*first, ranks[first])


def test_forced_forbidden_and_start_edges() -> None:
    """Forced and start edges are there, with what they need to be chordal; forbidden ones never come."""
    data = chain(2000, 5)
    method = engine.LogLinear(forced=(("a", "e"),), forbidden=(("b", "c"), ("d", "c")), start=(("d", "e"),))
    found = edge_set(method.run(data).graph)
    assert {frozenset("ae"), frozenset("de"), frozenset("ab")} <= found
    assert not {frozenset("bc"), frozenset("cd")} & found
    circle = engine.LogLinear(start=(("a", "b"), ("b", "c"), ("c", "d"), ("a", "d"))).run(data)
    assert len(circle.filled) == 1
    assert "Added so that the model keeps a closed form" in " ".join(circle.notes())
    assert nx.is_chordal(circle.graph)


@pytest.mark.parametrize("criterion", ALL)
def test_the_largest_clique(criterion: str) -> None:
    """No group grows past the limit; 'kl', which nothing else stops, fills every group to five without one."""
    data = groups(400, 8, 3)
    for limit in (2, 3):
        assert len(engine.LogLinear(criterion=criterion, max_clique=limit).run(data).cliques[0]) <= limit
    if criterion == "kl":
        assert len(engine.LogLinear(criterion="kl").run(data).cliques[0]) == 5


@pytest.mark.parametrize("criterion", ALL)
@pytest.mark.parametrize("joint", [False, True])
def test_small_and_dull_tables(criterion: str, joint: bool) -> None:
    """One variable, two variables, one row, constant columns, fewer than thirty rows: an answer, never an error."""
    method = engine.LogLinear(criterion=criterion, joint=joint and criterion in ("mml", "bic"))
    one = method.run(named(np.zeros((1, 5), int), [2]))
    assert one.formula == "[a]" and one.isolated == ("a",)
    assert "nothing to be linked with" in " ".join(one.notes())
    two = method.run(named(np.array([[0, 1] * 30] * 2), [2, 2]))
    assert two.formula == "[a b]"
    assert "rows are few" not in " ".join(two.notes())
    lonely = method.run(named(np.zeros((3, 1), int), [2, 3, 2]))
    assert lonely.n_rows == 1
    still = method.run(named(np.array([[0] * 20, [0, 1] * 10, [0, 1] * 10, [0] * 20]), [1, 2, 2, 2]))
    assert frozenset("bc") in edge_set(still.graph)
    assert "a" in still.isolated
    assert "20 rows are few" in " ".join(still.notes())
    assert "Only one value occurs" in " ".join(still.notes())
    for result in (one, two, lonely, still):
        assert result.summary() and result.to_json() and result.tables()
        assert math.isfinite(result.message["total"]["this model"])


@pytest.mark.parametrize("criterion", ["mml", "smt", "bic"])
def test_hundreds_of_levels(criterion: str) -> None:
    """Variables of hundreds of levels are counted by what occurs, and the answer's tables stay finite."""
    rng = np.random.default_rng(0)
    rows = 800
    a = rng.integers(0, 400, rows)
    codes = np.array([a, a % 2, rng.integers(0, 300, rows), rng.integers(0, 2, rows)])
    result = engine.LogLinear(criterion=criterion).run(named(codes, [400, 2, 300, 2]))
    if criterion == "mml":  # 399 parameters cost more than 800 yes/no answers are worth
        assert not result.graph.edges
    assert result.expected(["b", "d"]).sum() == pytest.approx(rows)


def test_progress_grows_and_cancelling_travels() -> None:
    """Fractions never fall and end at 1; what the callback raises comes out unchanged."""
    seen: list[float] = []
    engine.LogLinear(joint=True).run(chain(500, 6), lambda fraction, words: seen.append(fraction))
    assert seen == sorted(seen) and seen[-1] == 1.0 and len(seen) > 5

    def stop(fraction: float, words: str) -> None:
        if fraction > 0.5:
            raise engine.Cancelled("enough")

    with pytest.raises(engine.Cancelled, match="enough"):
        engine.LogLinear().run(chain(500, 6), stop)


def test_separators_of_steps_are_those_at_entry() -> None:
    """Replaying the steps one by one gives each its separator."""
    data = groups(2000, 8, 5)
    counts = Counts(data)
    search = Search(counts, CRITERIA["bic"](counts, 0.05), DecomposableGraph(8))
    search.run(JointMoves(search).take_best)
    graph = DecomposableGraph(8)
    for step in search.steps:
        assert graph.n_edges == step.edges
        assert graph.add(step.a, step.b).separator == step.separator
        assert step.table.variables == (*bits(step.separator), step.a, step.b)
    assert graph.edges() == search.graph.edges()
    assert len(search.steps) > 5

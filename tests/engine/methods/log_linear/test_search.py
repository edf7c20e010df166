"""The search: candidates against brute force at every step, invariances, ties, and what it finds."""

from __future__ import annotations

import itertools
import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.graphs.chordal import DecomposableGraph
from engine.graphs.dag import bits
from engine.measures.tails import log_chi2_tail
from engine.methods.log_linear.counts import Counts
from engine.methods.log_linear.criteria import CRITERIA
from engine.methods.log_linear.search import JointMoves, RankMatrix, Search
from tests.engine.methods.log_linear.every_move import EveryMove
from tests.engine.methods.log_linear.make import TOTALS, chain, counter, edge_set, exclusive_or, groups, named

ALL = ("mml", "smt", "chi2", "bic", "ah", "kl")


def as_networkx(names: tuple[str, ...], graph: DecomposableGraph) -> nx.Graph:
    """The graph with names."""
    found = nx.Graph()
    found.add_nodes_from(names)
    found.add_edges_from((names[a], names[b]) for a, b in graph.edges())
    return found


def g_test(data: engine.Dataset, a: str, b: str, given: set[str]) -> tuple[float, float]:
    """G and its degrees of freedom, by loops."""
    names = sorted(given)
    both, alone = counter(data, [*names, a, b]), counter(data, names)
    first, second = counter(data, [*names, a]), counter(data, [*names, b])
    g = 0.0
    for cell, n in both.items():
        s = cell[:-2]
        g += 2 * n * math.log(n * alone[s] / (first[(*s, cell[-2])] * second[(*s, cell[-1])]))
    levels = math.prod(len(data.levels[name]) for name in names)
    return g, (len(data.levels[a]) - 1) * (len(data.levels[b]) - 1) * levels


def check_candidates(
    data: engine.Dataset, search: Search, criterion: str, forbidden: set[frozenset[str]], max_clique: int | None
) -> None:
    """Every finite rank is a pair that keeps the graph chordal, and its rank is that of totals from scratch."""
    names = search.counts.names
    graph = as_networkx(names, search.graph)
    before = TOTALS[criterion](data, graph) if criterion in TOTALS else 0.0
    stop = 0.0
    if criterion == "mml" and graph.number_of_edges() < search.pairs:
        edges = graph.number_of_edges()
        stop = math.log(math.comb(search.pairs, edges + 1) / math.comb(search.pairs, edges))
    found = 0
    for a, b in itertools.combinations(range(len(names)), 2):
        more = graph.copy()
        more.add_edge(names[a], names[b])
        allowed = not graph.has_edge(names[a], names[b]) and nx.is_chordal(more)
        allowed &= frozenset((names[a], names[b])) not in forbidden
        allowed &= min(len(data.levels[names[a]]), len(data.levels[names[b]])) > 1
        if allowed:
            together = max(len(c) for c in nx.find_cliques(more) if {names[a], names[b]} <= set(c))
            allowed &= max_clique is None or together <= max_clique
        assert (search.candidates.ranks[a, b] > -np.inf) == allowed == (search.candidates.ranks[b, a] > -np.inf)
        found += allowed
        if not allowed:
            continue
        common = set(graph[names[a]]) & set(graph[names[b]])
        if nx.has_path(graph, names[a], names[b]):
            assert common == nx.minimum_node_cut(graph, names[a], names[b])
        if criterion in TOTALS:
            worth = before - TOTALS[criterion](data, more) + stop
        else:
            g, df = g_test(data, names[a], names[b], common)
            worth = -float(log_chi2_tail(np.array([g]), np.array([df]))[0])
        assert search.candidates.ranks[a, b] == pytest.approx(worth, abs=1e-7)
    assert search.candidates.count == found
    ranks = search.candidates.ranks
    near = np.argwhere(np.triu(ranks >= ranks.max() - search.tolerance, k=1)).tolist() if found else []
    best = search.candidates.best()
    assert best == ((*near[0], ranks[tuple(near[0])]) if found else None)


@pytest.mark.parametrize("criterion", ALL)
@pytest.mark.parametrize("case", ["plain", "forbidden", "small cliques", "start", "all of them"])
def test_candidates_and_their_ranks_at_every_step(criterion: str, case: str) -> None:
    """Up to saturation: brute-force chordality, the candidate count, and differences of whole totals."""
    rng = np.random.default_rng(len(case))
    for seed, variables in ((0, 4), (1, 6), (2, 7)):
        data = groups(150, variables, seed)
        if seed == 1:  # one variable with a single level
            data = named(np.vstack([data.codes[:-1], np.zeros((1, 150), int)]), [*data.arity[:-1].tolist(), 1])
        counts = Counts(data)
        graph = DecomposableGraph(variables)
        if case in ("start", "all of them"):
            for a, b in itertools.combinations(range(variables), 2):
                if rng.random() < 0.3 and graph.separator(a, b) is not None:
                    graph.add(a, b)
        absent = [pair for pair in itertools.combinations(range(variables), 2) if not graph.has(*pair)]
        barred = absent[::4] if case in ("forbidden", "all of them") else []
        limit = 3 if case in ("small cliques", "all of them") else None
        search = Search(counts, CRITERIA[criterion](counts, 0.05), graph, barred, limit)
        forbidden = {frozenset((counts.names[a], counts.names[b])) for a, b in barred}
        while True:
            check_candidates(data, search, criterion, forbidden, limit)
            allowed = np.argwhere(np.triu(search.candidates.ranks > -np.inf))
            if not len(allowed):
                break
            best = search.best()
            assert best is not None
            pair = best[:2] if rng.random() < 0.5 else tuple(allowed[int(rng.integers(len(allowed)))].tolist())
            search.add(*pair, 0.0)


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


@settings(max_examples=25)
@given(st.integers(0, 1000), st.sampled_from(ALL), st.booleans(), st.randoms(use_true_random=False))
def test_order_of_rows_columns_and_levels(seed: int, criterion: str, joint: bool, shuffle: object) -> None:
    """The same steps in the same order with the same evidence, copies of columns included."""
    data = groups(120, 6, seed)
    codes = np.vstack([data.codes, data.codes[:2]])  # ties: two columns come twice
    levels = [*data.arity.tolist(), *data.arity[:2].tolist()]
    names = list("fbdaceyx")
    rng = np.random.default_rng(shuffle.randint(0, 10_000))  # type: ignore[attr-defined]
    method = engine.LogLinear(criterion=criterion, joint=joint and criterion in ("mml", "bic"), max_clique=4)
    first = method.run(named(codes, levels, names))
    mixed = np.array([rng.permutation(r)[row] for row, r in zip(codes, levels, strict=True)])
    columns = rng.permutation(len(names))
    changed = mixed[:, rng.permutation(120)][columns]
    second = method.run(named(changed, [levels[x] for x in columns], [names[x] for x in columns]))
    ends = [[frozenset(pair) for pair in zip(one.steps.a, one.steps.b, strict=True)] for one in (first, second)]
    assert ends[0] == ends[1]
    assert first.steps.saving_bits.tolist() == pytest.approx(second.steps.saving_bits.tolist(), abs=1e-6)
    declined = [[frozenset(pair) for pair in zip(one.refused.a, one.refused.b, strict=True)] for one in (first, second)]
    assert declined[0] == declined[1]
    assert {frozenset(c) for c in first.cliques} == {frozenset(c) for c in second.cliques}


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

"""Candidates and their ranks against brute force at every step, and orders that change nothing."""

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
from engine.measures.tails import log_chi2_tail
from engine.methods.log_linear.counts import Counts
from engine.methods.log_linear.criteria import CRITERIA
from engine.methods.log_linear.search import Search
from tests.engine.methods.log_linear.make import TOTALS, counter, groups, named
from tests.engine.methods.log_linear.test_search import ALL, as_networkx


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

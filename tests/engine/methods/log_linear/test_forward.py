"""Forward selection written out slowly over plain graphs, under every criterion, limit and prohibition."""

from __future__ import annotations

import itertools
import math
from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy.stats import beta, chi2

import engine
from tests.engine.methods.log_linear.make import (
    chain,
    counter,
    edge_set,
    entropy_length,
    exclusive_or,
    groups,
    named,
    parameters,
    tree_of,
)

Pair = tuple[str, str]


class Slow:
    """A greedy search that scores whole graphs from scratch."""

    def __init__(
        self,
        data: engine.Dataset,
        criterion: str,
        joint: bool = False,
        max_clique: int | None = None,
        forbidden: tuple[Pair, ...] = (),
        alpha: float = 0.05,
    ) -> None:
        self.data, self.criterion, self.joint, self.alpha = data, criterion, joint, alpha
        self.most = len(data.names) if max_clique is None else max_clique
        self.forbidden = {frozenset(pair) for pair in forbidden}
        self.graph = nx.Graph()
        self.graph.add_nodes_from(data.names)
        self.spent, self.steps, self.together = 0.0, 0, 0
        self.known: dict[frozenset[str], float] = {}

    def with_edges(self, *pairs: Pair) -> nx.Graph | None:
        """The graph with more edges where every rule is kept on the way; None where one is broken."""
        graph = self.graph.copy()
        for pair in pairs:
            if frozenset(pair) in self.forbidden or graph.has_edge(*pair):
                return None
            graph.add_edge(*pair)
            if not nx.is_chordal(graph) or max(map(len, nx.find_cliques(graph))) > self.most:
                return None
        return graph

    def total(self, graph: nx.Graph) -> float:
        """What the criterion makes of a whole graph: terms of its cliques less those of its separators."""
        cliques, separators = tree_of(graph)
        found = sum(map(self.term, cliques)) - sum(map(self.term, separators))
        if self.criterion == "mml":
            pairs = math.comb(len(graph), 2)
            found += math.log(1 + pairs) + math.log(math.comb(pairs, graph.number_of_edges()))
        return found

    def term(self, names: frozenset[str]) -> float:
        """Of one clique: equations 9 to 12 for message length, else N H and half of ln N a parameter for BIC."""
        if names and names not in self.known:
            n, free = self.data.n_rows, parameters(self.data, names)
            if self.criterion == "mml":
                cells = counter(self.data, sorted(names)).values()
                value = math.log(n + 1) * free + math.lgamma(n + 1) - sum(math.lgamma(k + 1) for k in cells)
            else:
                value = entropy_length(self.data, names) + (math.log(n) / 2 * free if self.criterion == "bic" else 0.0)
            self.known[names] = value
        return self.known.get(names, 0.0)

    def singles(self) -> list[nx.Graph]:
        pairs = itertools.combinations(self.data.names, 2)
        return [graph for pair in pairs if (graph := self.with_edges(pair)) is not None]

    def triples(self) -> list[nx.Graph]:
        """Two edges from one variable to both ends of an edge, where the three then hang together whole."""
        found = []
        for y, z in [pair for edge in self.graph.edges for pair in (edge, edge[::-1])]:
            for x in set(self.graph) - {y, z} - set(self.graph[y]) - set(self.graph[z]):
                common = set(self.graph[x]) & set(self.graph[y])
                graph = self.with_edges((x, y), (x, z))
                if graph is not None and common <= set(self.graph[z]):
                    found.append(graph)
        return found

    def run(self) -> nx.Graph:
        """Add the edge that saves most while one saves; then two at once."""
        while True:
            best = min(self.singles(), key=self.total, default=None)
            if best is None or self.total(best) > self.total(self.graph) - 1e-7:
                best = min(self.triples(), key=self.total, default=None) if self.joint else None
                if best is None or self.total(best) > self.total(self.graph) - 1e-7:
                    return self.graph
                self.together += 1
            self.graph = best

    def run_tests(self) -> nx.Graph:
        """Add the edge of smallest p while it is below what is left of alpha, shared among the candidates."""
        while True:
            candidates = self.singles()
            if not candidates:
                return self.graph
            logs = [self.log_p(graph) for graph in candidates]
            best = int(np.argmin(logs))
            left = self.alpha - self.spent if self.criterion == "smt" else self.alpha / 2 ** (self.steps + 1)
            if left <= 0 or logs[best] >= math.log(left / len(candidates)):
                return self.graph
            self.spent += math.exp(logs[best]) * len(candidates)
            self.steps += 1
            self.graph = candidates[best]

    def log_p(self, graph: nx.Graph) -> float:
        """Of the G test of the one edge that a graph has more."""
        ((a, b),) = set(graph.edges) - set(self.graph.edges)
        given = set(self.graph[a]) & set(self.graph[b])
        sizes = {x: len(self.data.levels[x]) for x in self.data.names}
        degrees = (sizes[a] - 1) * (sizes[b] - 1) * math.prod(sizes[x] for x in given)
        gain = self.total(self.graph) - self.total(graph)
        return float(chi2.logsf(2 * gain, degrees))


SETTINGS: list[dict[str, Any]] = [
    {},
    {"max_clique": 2},
    {"max_clique": 3},
    {"joint": True},
    {"joint": True, "max_clique": 2},
    {"joint": True, "max_clique": 3},
    {"joint": True, "max_clique": 4},
]


def barred(data: engine.Dataset, seed: int) -> tuple[Pair, ...]:
    """A third of all pairs."""
    pairs = list(itertools.combinations(data.names, 2))
    picked = np.random.default_rng(seed).permutation(len(pairs))[: len(pairs) // 3]
    return tuple(pairs[i] for i in picked)


@pytest.mark.parametrize("criterion", ["mml", "bic"])
@pytest.mark.parametrize("settings", SETTINGS)
def test_forward_selection_is_the_slow_one(criterion: str, settings: dict[str, Any]) -> None:
    """Edge for edge, free and with a third of the pairs forbidden."""
    for seed in range(3):
        for forbidden in ((), barred(groups(300, 6, seed), seed)):
            data = groups(300, 6, seed)
            slow = Slow(data, criterion, forbidden=forbidden, **settings)
            method = engine.LogLinear(criterion=criterion, forbidden=forbidden, **settings)
            assert edge_set(method.run(data).graph) == edge_set(slow.run())


def parity(rows: int, ends: int, seed: int = 0) -> engine.Dataset:
    """Some unevenly spread variables and the remainder of their sum: each alone is hardly felt, all together decide."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (ends, rows))
    hub = np.where(rng.random(rows) < 0.85, codes[0], 1 - codes[0])
    last = (codes[1:].sum(axis=0) + hub) % 2
    return named(np.vstack([codes, hub, last]), [2] * (ends + 2))


def around_a_hub(rows: int = 4000) -> engine.Dataset:
    """s is felt in x, y and z; given s, x leans on y and z only together: two edges at once inside one component."""
    rng = np.random.default_rng(0)
    s, a = rng.integers(0, 2, rows), rng.integers(0, 3, rows)
    x = np.where(s == 1, rng.choice(3, rows, p=[0.6, 0.3, 0.1]), rng.choice(3, rows, p=[0.2, 0.2, 0.6]))
    felt = [np.where(rng.random(rows) < 0.7, s, 1 - s) for _ in range(2)]
    return named(np.array([s, x, 2 * a + felt[0], 2 * ((2 * a + x) % 3) + felt[1]]), [2, 3, 6, 6], "sxyz")


@pytest.mark.parametrize("criterion", ["mml", "bic"])
@pytest.mark.parametrize(("most", "whole"), [(3, False), (4, True), (5, True), (None, True)])
def test_the_largest_clique_binds_inside_a_component(criterion: str, most: int | None, whole: bool) -> None:
    """The two edges make a clique of four: allowed at four, not at three."""
    found = engine.LogLinear(criterion=criterion, joint=True, max_clique=most).run(around_a_hub())
    assert edge_set(found.graph) >= {frozenset("sx"), frozenset("sy"), frozenset("sz")}
    assert found.graph.has_edge("x", "y") == found.graph.has_edge("x", "z") == whole
    assert found.steps["joint"].sum() == (2 if whole else 0)


@pytest.mark.parametrize("criterion", ["mml", "bic"])
def test_pairs_of_edges_keep_every_rule(criterion: str) -> None:
    """Where two edges at once pay: a limit of two finds no triangle, and no forbidden pair comes, first or second."""
    seen = 0
    for data in (exclusive_or(), parity(600, 3), parity(600, 4), *(groups(250, 6, seed) for seed in range(20, 23))):
        free = Slow(data, criterion, joint=True)
        free.run()
        seen += free.together
        new = engine.LogLinear(criterion=criterion, joint=True).run(data).steps
        rules: list[dict[str, Any]] = [{"max_clique": most} for most in (2, 3, 4)]
        rules += [{"forbidden": ((a, b),)} for a, b in zip(new["a"], new["b"], strict=True)]
        for rule in rules:
            slow = Slow(data, criterion, joint=True, **rule)
            found = engine.LogLinear(criterion=criterion, joint=True, **rule).run(data)
            assert edge_set(found.graph) == edge_set(slow.run()), rule
            assert max(map(len, nx.find_cliques(found.graph))) <= rule.get("max_clique", 9)
            assert not any(found.graph.has_edge(*pair) for pair in rule.get("forbidden", ()))
    assert seen > 1


@pytest.mark.parametrize("criterion", ["smt", "chi2"])
@pytest.mark.parametrize("alpha", [0.05, 0.5])
@pytest.mark.parametrize("max_clique", [None, 3])
def test_tests_share_their_alpha_among_the_candidates(criterion: str, alpha: float, max_clique: int | None) -> None:
    """What one edge has spent is not there for the next: the engine's own run stops where the slow one does."""
    ran_out = 0
    for seed in range(7, 14):
        data = groups(120, 6, seed)
        slow = Slow(data, criterion, max_clique=max_clique, alpha=alpha)
        method = engine.LogLinear(criterion=criterion, alpha=alpha, max_clique=max_clique, thin_tables="published")
        assert edge_set(method.run(data).graph) == edge_set(slow.run_tests())
        left = [slow.log_p(graph) for graph in slow.singles()]
        ran_out += bool(left) and min(left) < math.log(alpha / len(left))  # with all of alpha it would have been taken
    if criterion == "smt" and alpha == 0.5:
        assert ran_out


def test_stability_is_a_share_with_its_jeffreys_interval() -> None:
    """`low` and `high` are the 2.5 and 97.5 % points of Beta(k + 1/2, n - k + 1/2); 0 and 1 where all agree."""
    data = chain(150, 5, keep=0.45)
    runs = 12
    table = engine.LogLinear().stability(data, runs=runs)
    kinds = set()
    for row in table.itertuples():
        k = round(row.share * runs)
        assert row.share == pytest.approx(k / runs)
        low, high = beta.ppf([0.025, 0.975], k + 0.5, runs - k + 0.5)
        assert row.low == pytest.approx(low if k else 0.0)
        assert row.high == pytest.approx(high if k < runs else 1.0)
        kinds.add((k > 0) + (k == runs))
    assert {1, 2} <= kinds


def test_an_edge_that_never_comes_back_has_a_share_of_nothing() -> None:
    """What a search starts from but does not find again has share 0, and its interval begins at 0."""
    data = named(np.random.default_rng(0).integers(0, 2, (4, 80)), [2] * 4)
    table = engine.LogLinear(start=(("a", "b"),)).stability(data, runs=10).set_index(["a", "b"])
    assert table.loc[("a", "b"), ["share", "low", "in_model"]].tolist() == [0.0, 0.0, True]
    assert table.loc[("a", "b"), "high"] == pytest.approx(beta.ppf(0.975, 0.5, 10.5))

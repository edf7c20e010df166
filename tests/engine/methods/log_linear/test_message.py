"""Message lengths: the paper's coin, totals from a clique tree written again, and what an edge is worth."""

from __future__ import annotations

import itertools
import math

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.graphs.chordal import DecomposableGraph
from engine.graphs.dag import bits
from engine.methods.log_linear.counts import Counts
from engine.methods.log_linear.criteria import CRITERIA, LN2
from engine.methods.log_linear.message import (
    data_length,
    detectable_odds_ratio,
    edge_evidence,
    entropy_sum,
    model_message,
    rows_needed,
)
from engine.methods.log_linear.search import Search
from tests.engine.methods.log_linear.make import chain, edge_set, exclusive_or, groups, named, total_mml


def test_the_coin() -> None:
    """60 heads and 40 tails: 93.47 bits coded exactly, 97.10 by N H (equations 9 and 10)."""
    counts = np.array([60, 40])
    exact = data_length(counts) / LN2
    entropy = (100 * math.log(100) - entropy_sum(counts)) / LN2
    assert exact == pytest.approx(math.log2(math.comb(100, 40)))
    assert round(exact, 2) == 93.47
    assert round(entropy, 2) == 97.10


@pytest.mark.parametrize("joint", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_savings_add_up_to_the_totals_of_a_clique_tree(seed: int, joint: bool) -> None:
    """The accepted savings are total(no edges) - total(found), both recomputed with networkx and loops."""
    data = groups(800, 9, seed) if seed else exclusive_or(400)
    result = engine.LogLinear(joint=joint).run(data)
    empty = nx.empty_graph(0)
    empty.add_nodes_from(data.names)
    before, after = total_mml(data, empty) / LN2, total_mml(data, result.graph) / LN2
    steps = result.steps
    assert steps.saving_bits.sum() == pytest.approx(before - after, abs=1e-6)
    assert (steps.graph_bits + steps.parameter_bits + steps.data_bits).tolist() == pytest.approx(
        steps.saving_bits.tolist(), abs=1e-9
    )
    totals = [total_mml(data, result.replay(k)) / LN2 for k in range(len(steps) + 1)]
    assert steps.total_bits.tolist() == pytest.approx(totals[1:], abs=1e-6)
    message = result.message
    assert message["total"].tolist() == pytest.approx([before, after], abs=1e-6)
    assert (message.graph + message.parameters + message.data).tolist() == pytest.approx(message["total"].tolist())


@settings(max_examples=25)
@given(st.integers(0, 1000), st.integers(2, 7), st.integers(1, 200))
def test_four_terms_are_the_difference_of_two_totals(seed: int, variables: int, rows: int) -> None:
    """For every edge that may come to a random chordal graph, in parts and in all."""
    data = groups(rows, variables, seed)
    counts = Counts(data)
    rng = np.random.default_rng(seed)
    graph = DecomposableGraph(variables)
    for a, b in itertools.combinations(range(variables), 2):
        if rng.random() < 0.4 and graph.separator(a, b) is not None:
            graph.add(a, b)
    plain = nx.Graph()
    plain.add_nodes_from(data.names)
    plain.add_edges_from((counts.names[a], counts.names[b]) for a, b in graph.edges())
    pairs = math.comb(variables, 2)

    def message(model: DecomposableGraph) -> tuple[float, float, float]:
        cliques, separators = model.clique_tree()
        tables = [[counts.margin(tuple(bits(mask))) for mask in masks] for masks in (cliques, separators)]
        found = model_message(tables[0], tables[1], counts.arity, rows, model.n_edges)
        return found.graph, found.parameters, found.data

    before = total_mml(data, plain)
    assert sum(message(graph)) == pytest.approx(before, abs=1e-7)
    for a, b in itertools.combinations(range(variables), 2):
        separator = graph.separator(a, b)
        if separator is None:
            continue
        found = edge_evidence(counts.margin((*bits(separator), a, b)), counts.arity, pairs, graph.n_edges)
        more = plain.copy()
        more.add_edge(counts.names[a], counts.names[b])
        assert -found.saving_bits * LN2 == pytest.approx(total_mml(data, more) - before, abs=1e-7)
        other = graph.copy()
        other.add(a, b)
        parts = [new - old for new, old in zip(message(other), message(graph), strict=True)]
        mine = [found.message.graph, found.message.parameters, found.message.data]
        assert mine == pytest.approx(parts, abs=1e-7)


@pytest.mark.parametrize("criterion", ["mml", "bic"])
def test_evidence_of_an_edge_is_the_score_of_adding_it_again(criterion: str) -> None:
    """Take an edge away: what-if prices its return as the evidence that it had, and the totals agree."""
    data = groups(900, 8, 4)
    result = engine.LogLinear(criterion=criterion).run(data)
    removable = [(a, b, about) for a, b, about in result.graph.edges(data=True) if about["removable"]]
    assert len(removable) > 3
    for a, b, about in removable:
        less = result.edited(data, remove=[(a, b)])
        assert edge_set(result.graph) - edge_set(less.graph) == {frozenset((a, b))}
        back = less.what_if(data, a, b)
        assert back.saving_bits == pytest.approx(about["evidence_bits"], abs=1e-8)
        difference = (total_mml(data, less.graph) - total_mml(data, result.graph)) / LN2
        assert about["evidence_bits"] == pytest.approx(difference, abs=1e-6)
    stuck = [about for _, _, about in result.graph.edges(data=True) if not about["removable"]]
    assert all(math.isnan(about["evidence_bits"]) and about["cliques"] > 1 for about in stuck)


def test_declared_levels_count_whether_observed_or_not() -> None:
    """The phantom-level experiment: one level more a variable, and the message is longer and the edges fewer."""
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 3, (8, 500))
    for i in range(1, 8):
        codes[i] = np.where(rng.random(500) < 0.15 + 0.05 * i, codes[i - 1], codes[i])
    plain = engine.LogLinear().run(named(codes, [3] * 8))
    phantom = engine.LogLinear().run(named(codes, [4] * 8))
    assert phantom.chosen.n_edges < plain.chosen.n_edges
    assert edge_set(phantom.graph) < edge_set(plain.graph)
    for model in ("no edges", "this model"):
        same = model == "no edges"
        assert phantom.message["total"][model] > plain.message["total"][model]
        assert (phantom.message["data"][model] == pytest.approx(plain.message["data"][model])) == same
    added = phantom.message["parameters"]["no edges"] - plain.message["parameters"]["no edges"]
    assert added == pytest.approx(8 * math.log2(501))
    assert phantom.steps.df.tolist() == [9.0] * len(phantom.steps)


def test_log_p_and_g_of_a_step() -> None:
    """G of the first step of two variables is the likelihood-ratio statistic of their table, as SciPy has it."""
    from scipy.stats import chi2_contingency

    data = chain(300, 2)
    table = np.zeros((3, 3))
    np.add.at(table, (data.codes[0], data.codes[1]), 1)
    g, p, df, _ = chi2_contingency(table, correction=False, lambda_="log-likelihood")
    step = engine.LogLinear().run(data).steps.iloc[0]
    assert (step.G, step.df) == pytest.approx((g, df))
    assert step.log10_p == pytest.approx(math.log10(p))


@pytest.mark.parametrize("criterion", ["mml", "bic", "smt", "chi2"])
def test_rows_needed_are_enough_and_no_fewer_are(criterion: str) -> None:
    """A refused edge is taken when the table comes about as many times over, and not with a tenth less."""
    rng = np.random.default_rng(5)
    base = rng.integers(0, 2, 40)
    codes = np.array([base, np.where(rng.random(40) < 0.62, base, 1 - base)])
    data = named(codes, [2, 2])
    result = engine.LogLinear(criterion=criterion).run(data)
    assert result.chosen.n_edges == 0
    factor = result.refused.rows_factor[0]
    assert 1.5 < factor < 200
    enough, short = math.ceil(factor), math.floor(factor * 0.9)
    assert engine.LogLinear(criterion=criterion).run(named(np.tile(codes, enough), [2, 2])).chosen.n_edges == 1
    if short < factor - 1e-9:
        assert engine.LogLinear(criterion=criterion).run(named(np.tile(codes, short), [2, 2])).chosen.n_edges == 0


def test_rows_needed_where_no_number_is_enough() -> None:
    """Exactly independent columns: missing, in the table as in every public one; no estimate for kl and ah."""
    codes = np.array([[0, 0, 1, 1] * 10, [0, 1, 0, 1] * 10])
    for criterion in ("mml", "smt"):
        factor = engine.LogLinear(criterion=criterion).run(named(codes, [2, 2])).refused.rows_factor[0]
        assert factor is pd.NA
    data = chain(200, 4)
    counts = Counts(data)
    for criterion in ("kl", "ah"):
        search = Search(counts, CRITERIA[criterion](counts, 0.05), DecomposableGraph(4))
        step = search.refused(1)[0]
        assert math.isnan(rows_needed(step, search.criterion, search.state()))


@pytest.mark.parametrize(
    ("variables", "rows", "expected"),
    [(5, 100, 3.8), (10, 200, 3.2), (50, 500, 2.3), (150, 1000, 1.9), (5, 10_000, 1.17), (150, 100_000, 1.07)],
)
def test_detectable_odds_ratio(variables: int, rows: int, expected: float) -> None:
    """A table of the formula's own values, worked out apart, and agreement with a run on such a table of counts."""
    found = detectable_odds_ratio(rows, variables)
    assert found == pytest.approx(expected, rel=0.03)
    half = rows // 2
    root = math.sqrt(found)
    cell = round(half * root / (1 + root))
    for more, edges in ((0, 1), (-1, 0)):
        k = cell + more
        a = np.repeat([0, 0, 1, 1], [k, half - k, half - k, k])
        b = np.repeat([0, 1, 0, 1], [k, half - k, half - k, k])
        others = np.zeros((variables - 2, rows), dtype=int)
        names = ["a", "b", *(f"x{i}" for i in range(variables - 2))]
        if variables > 10:  # one step of the formula is enough to see the edge; the wide table need not be searched
            continue
        result = engine.LogLinear().run(named(np.vstack([a, b, others]), [2] * variables, names))
        assert result.chosen.n_edges == edges


def test_no_odds_ratio_is_large_enough() -> None:
    """Too few rows or too few variables."""
    assert detectable_odds_ratio(1, 5) == math.inf
    assert detectable_odds_ratio(0, 5) == math.inf
    assert detectable_odds_ratio(4, 100) == math.inf
    assert detectable_odds_ratio(1000, 1) == math.inf

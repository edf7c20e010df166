"""Edges by hand: prices against whole messages in all four cases, and models made by hand."""

from __future__ import annotations

import itertools
import math

import networkx as nx
import numpy as np
import pytest

import engine
from engine.methods.log_linear.criteria import LN2
from tests.engine.methods.log_linear.make import chain, edge_set, groups, total_mml

CASES = {("add", False), ("add", True), ("remove", False), ("remove", True)}


def test_prices_are_differences_of_totals_in_all_four_cases() -> None:
    """Add and remove, alone and with others, against totals written again on the changed graph."""
    seen = set()
    for seed, criterion in ((4, "bic"), (8, "kl"), (9, "mml")):
        data = groups(500, 7, seed)
        result = engine.LogLinear(criterion=criterion, max_clique=4).run(data)
        before = total_mml(data, result.graph)
        for a, b in itertools.combinations(data.names, 2):
            found = result.what_if(data, a, b)
            assert (found.a, found.b) == (a, b)
            assert found.action == ("remove" if result.graph.has_edge(a, b) else "add")
            graph = result.graph.copy()
            changed = [(a, b), *found.fill_in]
            (graph.add_edges_from if found.action == "add" else graph.remove_edges_from)(changed)
            assert nx.is_chordal(graph)
            assert abs(graph.number_of_edges() - result.chosen.n_edges) == len(changed)
            assert found.saving_bits == pytest.approx((before - total_mml(data, graph)) / LN2, abs=1e-6)
            parts = found.graph_bits + found.parameter_bits + found.data_bits
            assert found.saving_bits == pytest.approx(parts, abs=1e-9)
            made = result.edited(data, **{found.action: [(a, b)]})
            assert edge_set(made.graph) == edge_set(graph)
            difference = result.message["total"]["this model"] - made.message["total"]["this model"]
            assert found.saving_bits == pytest.approx(difference, abs=1e-6)
            if found.fill_in:
                assert math.isnan(found.degrees) and math.isnan(found.log10_p) and found.separator == ()
            else:
                graph.remove_edges_from([(a, b)])
                rest = graph.copy()
                rest.remove_nodes_from(found.separator)
                assert not nx.has_path(rest, a, b)
                assert found.statistic >= 0 >= found.log10_p
            seen.add((found.action, bool(found.fill_in)))
    assert seen == CASES


def test_the_order_of_the_two_ends_does_not_matter() -> None:
    """a - b and b - a are one edge."""
    data = groups(300, 6, 4)
    result = engine.LogLinear(criterion="bic").run(data)
    for a, b in itertools.combinations(data.names, 2):
        one, other = result.what_if(data, a, b), result.what_if(data, b, a)
        assert repr(one) == repr(other)


def test_what_was_refused_costs_what_it_is_short() -> None:
    """Under mml the price of the best refused edge is its shortfall."""
    data = groups(500, 7, 1)
    result = engine.LogLinear().run(data)
    for row in result.refused.itertuples():
        found = result.what_if(data, row.a, row.b)
        assert -found.saving_bits == pytest.approx(row.short_by_bits, abs=1e-6)
        assert set(found.separator) == set(row.separator)
        assert (found.degrees, found.statistic) == (row.df, row.G)
        assert found.log10_p == pytest.approx(row.log10_p, abs=1e-9)


def test_edited_is_a_model_without_a_search() -> None:
    """Removals first, then additions with what they need; running its method goes on from there."""
    data = chain(800, 5)
    result = engine.LogLinear(forced=(("a", "c"),), forbidden=(("a", "e"), ("b", "e"))).run(data)
    made = result.edited(data, add=[("e", "a")], remove=[("a", "c"), ("b", "d")])
    assert made.graph.has_edge("a", "e")
    assert not made.graph.has_edge("a", "c") or ("a", "c") in [made.pair(edge) for edge in made.filled]
    assert nx.is_chordal(made.graph)
    assert len(made.steps) == len(made.refused) == 0
    assert made.method.forced == ()
    assert ("a", "e") not in made.method.forbidden
    assert ("b", "e") in made.method.forbidden or made.graph.has_edge("b", "e")
    assert {frozenset(pair) for pair in made.method.start} == edge_set(made.graph)
    further = made.method.run(data)
    assert edge_set(made.graph) <= edge_set(further.graph)
    assert edge_set(further.replay(0)) == edge_set(made.graph)
    assert result.edited(data).formula == result.formula
    assert result.edited(data, remove=[("a", "e")]).formula == result.formula  # was not there


def test_nothing_of_the_first_result_changes() -> None:
    """Asking and editing leave the result as it was."""
    data = groups(300, 7, 4)
    result = engine.LogLinear(criterion="bic").run(data)
    before = result.to_json()
    for a, b in itertools.combinations(data.names, 2):
        result.what_if(data, a, b)
        result.edited(data, add=[(a, b)])
        result.edited(data, remove=[(a, b)])
    assert result.to_json() == before


def test_prices_need_few_tables_even_in_a_wide_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty variables in a chain: the chord that closes it from end to end counts what changed, not the whole model."""
    from engine.methods.log_linear.counts import Counts

    data = chain(400, 26, keep=0.8, levels=2)
    result = engine.LogLinear(start=tuple(itertools.pairwise(data.names)), max_clique=2).run(data)
    counted = []
    original = Counts.margin
    monkeypatch.setattr(Counts, "margin", lambda self, x: counted.append(x) or original(self, x))
    found = result.what_if(data, "a", "d")
    assert len(found.fill_in) == 1
    assert len(counted) < 10
    assert np.isfinite(found.saving_bits)

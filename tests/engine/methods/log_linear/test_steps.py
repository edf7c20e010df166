"""Steps of the forward selection against the engine's own run and totals written from scratch."""

from __future__ import annotations

import math

import networkx as nx
import pytest

import engine
from engine.methods.log_linear.steps import edge_parts, selection_steps
from engine.search.step_wording import explain_choice, headline
from engine.search.steps import Arcs, Obstacle
from tests.engine.methods.log_linear.make import TOTALS, edge_set, exclusive_or, groups


def undirected(arcs: Arcs, names: tuple[str, ...]) -> nx.Graph:
    """A graph of a step."""
    graph = nx.empty_graph(names)
    graph.add_edges_from(arcs)
    return graph


@pytest.mark.parametrize("criterion", ["mml", "bic", "kl", "ah", "smt", "chi2"])
@pytest.mark.parametrize("seed", range(2))
def test_steps_lead_to_the_model_of_the_method(criterion: str, seed: int) -> None:
    """The last graph is the model's; every gain is what totals from scratch save, and the best of them is taken."""
    data = groups(200, 6, seed + 40)
    method = engine.LogLinear(criterion=criterion, max_clique=4)
    steps, result = selection_steps(data, method), method.run(data)
    assert {frozenset(arc) for arc in steps[-1].after} == edge_set(result.graph)
    assert steps[-1].move is None
    for position, step in enumerate(steps):
        graph = undirected(step.before, data.names)
        possible = [item for item in step.candidates if item.obstacle is None]
        assert (step.move is None) == (max((item.gain for item in possible), default=-1.0) <= step.threshold)
        if step.move is not None:
            assert step.move.gain >= max(item.gain for item in possible) - 1e-9
            assert {frozenset(arc) for arc in step.after - step.before} == {frozenset(step.move[1:3])}
        for item in step.candidates:
            larger = graph.copy()
            larger.add_edge(item.source, item.target)
            assert (item.obstacle is Obstacle.CHORD) == (not nx.is_chordal(larger))
            if item.obstacle is Obstacle.CLIQUE:
                assert max(map(len, nx.find_cliques(larger))) > 4
            if item.obstacle is None and criterion in TOTALS:
                total = TOTALS[criterion]
                assert item.gain == pytest.approx(total(data, graph) - total(data, larger), abs=1e-6)
            assert explain_choice(step, item)
        assert len(headline(steps, position).split()) <= 25
        if criterion in TOTALS:
            saved = TOTALS[criterion](data, nx.empty_graph(data.names)) - TOTALS[criterion](data, graph)
            assert step.score_before == pytest.approx(saved, abs=1e-6)
        else:
            assert math.isnan(step.score_after)


@pytest.mark.parametrize("seed", range(3))
def test_links_that_must_and_must_not_be_there(seed: int) -> None:
    """The last graph is still the model's; a forbidden link is refused in every step, a forced one is there from the
    first."""
    data = groups(200, 6, seed + 40)
    free = selection_steps(data, engine.LogLinear())
    barred, must = free[0].move[1:3], free[0].candidates[-1][1:3]
    method = engine.LogLinear(forced=[must], forbidden=[barred])
    steps = selection_steps(data, method)
    assert {frozenset(arc) for arc in steps[-1].after} == edge_set(method.run(data).graph)
    for step in steps:
        assert must in step.before
        refused = [item.obstacle for item in step.candidates if {item.source, item.target} == set(barred)]
        assert refused == [Obstacle.KNOWLEDGE]


@pytest.mark.parametrize("criterion", ["mml", "bic"])
def test_two_links_at_once_save_once(criterion: str) -> None:
    """The exclusive-or comes as two steps, and the score after both is what the totals say."""
    data, method = exclusive_or(), engine.LogLinear(criterion=criterion, joint=True)
    steps = selection_steps(data, method)
    assert [step.phase for step in steps][1:3] == ["adding two links at once"] * 2
    final = undirected(steps[-1].after, data.names)
    total = TOTALS[criterion]
    saved = total(data, nx.empty_graph(data.names)) - total(data, final)
    assert steps[-1].score_after == pytest.approx(saved, abs=1e-6)


@pytest.mark.parametrize("criterion", ["mml", "bic"])
def test_parts_of_an_edge_sum_to_its_gain(criterion: str) -> None:
    """Of every candidate that may come."""
    data, method = groups(200, 5, 3), engine.LogLinear(criterion=criterion)
    for step in selection_steps(data, method):
        for item in step.candidates:
            if item.obstacle is None:
                parts = edge_parts(data, method, step, item)
                assert parts.total == pytest.approx(item.gain, abs=1e-9)
                assert parts.table["N"].sum() == data.n_rows


def test_knowledge_rules_a_link_out() -> None:
    """A forbidden link stays among the candidates with its reason, and a test's gains have no parts."""
    data = groups(200, 4, 1)
    method = engine.LogLinear(criterion="smt", forbidden=[(data.names[0], data.names[1])])
    steps = selection_steps(data, method)
    barred = [item for item in steps[0].candidates if item.obstacle is Obstacle.KNOWLEDGE]
    assert [{item.source, item.target} for item in barred] == [set(data.names[:2])]
    with pytest.raises(engine.SettingsError, match="no parts"):
        edge_parts(data, method, steps[0], steps[0].candidates[0])

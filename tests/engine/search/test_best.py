"""The best of several searches: never short of any of them, an answer in the form it promises, the gap told."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import engine
from engine.graphs.pdag import extend
from engine.scores.structure_prior import with_structure_prior
from engine.search.best import Best
from engine.search.problem import Problem
from engine.simulation.networks import random_context_network
from tests.engine.search.made_up import MadeUp, World, nameless, slow_exact


def table(seed: int, variables: int = 8, arcs: int = 12, rows: int = 200) -> engine.Dataset:
    """Rows of a random network with contexts."""
    network = random_context_network(variables, arcs, np.random.default_rng(seed))
    return network.sample(rows, np.random.default_rng(seed + 1))


def problem(data: engine.Dataset, knowledge: engine.Knowledge | None = None) -> Problem:
    """The question as methods put it."""
    return Problem(data, engine.BDeu(), (knowledge or engine.Knowledge()).constraints(data.names))


@pytest.mark.parametrize("seed", range(6))
def test_it_is_never_short_of_any_search(seed: int) -> None:
    """The class's members score as the winner's total says, which no other search passes, priors included."""
    asked = problem(table(seed))
    found = Best(structure_prior=1.0).compare(asked)
    assert found.structure.cpdag is not None
    parents = extend(found.structure.cpdag)
    bound = with_structure_prior(asked.bound, 1.0)
    assert parents is not None
    reached = sum(bound.local(child, group) for child, group in enumerate(parents))
    totals = dict(found.totals)
    assert list(totals) == ["GES", "GES, then hill climbing", "hill climbing", "exact search"]
    assert reached == pytest.approx(totals[found.winner], abs=1e-8)
    assert reached == pytest.approx(max(totals.values()), abs=1e-6)
    assert found.gap == pytest.approx(max(totals.values()) - min(totals.values()))


@pytest.mark.parametrize("seed", range(6))
def test_knowledge_is_kept_whoever_wins(seed: int) -> None:
    """Forbidden arcs stay away in every member, required ones are there with their direction."""
    data = table(seed)
    knowledge = engine.Knowledge(forbidden=[("X1", "X2"), ("X2", "X1")], required=[("X3", "X4")], max_parents=2)
    found = engine.learn(data, search=Best(), knowledge=knowledge)
    assert not found.has_edge("X1", "X2")
    assert not found.has_edge("X2", "X1")
    assert found.has_edge("X3", "X4")
    assert not found.has_edge("X4", "X3")


def test_a_score_that_tells_equivalent_networks_apart_gets_a_dag() -> None:
    """K2 does: GES is left out, and the answer is the DAG of the exact optimum."""
    names = ("d", "a", "c", "b")
    for seed in range(5):

        class Apart(MadeUp):
            equivalent = False

        score = Apart(seed, most=40, cost=3)
        found = engine.learn(nameless(names), score, search="best")
        graph = {name: frozenset(found.predecessors(name)) for name in found}
        world = World(score, names)
        assert world.total(graph) == pytest.approx(world.total(slow_exact(world)))


def test_many_variables_get_no_exact_search() -> None:
    """Its cost doubles with every variable."""
    found = Best(exact_up_to=7).compare(problem(table(0)))
    assert "exact search" not in dict(found.totals)


@pytest.mark.parametrize("setting", ["tabu", "restarts", "seed", "exact_up_to"])
def test_numbers_that_cannot_be_are_refused(setting: str) -> None:
    """The error names the setting."""
    for value in (-1, 1.5, True, 21 if setting == "exact_up_to" else "1"):
        with pytest.raises(engine.SettingsError) as caught:
            dataclasses.replace(Best(), **{setting: value})
        assert caught.value.setting == setting


def test_equal_problems_give_equal_answers() -> None:
    """All randomness comes from the seed."""
    one, other = (Best().compare(problem(table(3))) for _ in range(2))
    assert one.totals == other.totals
    assert one.structure.cpdag == other.structure.cpdag

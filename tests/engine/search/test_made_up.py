"""Searches over made-up figures, full of ties, against the same searches written out slowly."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import engine
from tests.engine.search.made_up import (
    BoundMadeUp,
    Graph,
    MadeUp,
    World,
    nameless,
    slow_exact,
    slow_hill_climbing,
    slow_thick_thinning,
)

NAMES = ("d", "a", "c", "e", "b")  # columns stand in another order than the alphabet
ROUNDING = 1e-12


def found(score: Any, search: str, names: tuple[str, ...] = NAMES, **knowledge: Any) -> Graph:
    """What `engine.learn` finds, as child -> parents."""
    graph = engine.learn(nameless(names), score, search=search, **knowledge)
    return {name: frozenset(graph.predecessors(name)) for name in graph}


def drawn(seed: int, names: tuple[str, ...] = NAMES) -> dict[str, Any]:
    """Knowledge that agrees with itself: two arcs forbidden, one or two required along a drawn order, a limit."""
    generator = np.random.default_rng(seed)
    order = [str(name) for name in generator.permutation(names)]
    forward = list(itertools.combinations(order, 2))
    picked = generator.permutation(len(forward))
    required = [forward[i] for i in picked[: generator.integers(1, 3)]]
    backward = [(b, a) for a, b in forward]
    forbidden = [forward[picked[-1]], backward[generator.integers(len(backward))]]
    return {"required": required, "forbidden": forbidden, "max_parents": int(generator.integers(2, 4))}


@pytest.mark.parametrize("rounding", [0.0, ROUNDING])
@pytest.mark.parametrize("seed", range(16))
def test_thick_thinning_decides_ties_by_name(seed: int, rounding: float) -> None:
    """Equal gains, and gains equal but for rounding: the first parent, then the first child; no arc for nothing."""
    knowledge = drawn(seed) if seed % 2 else {}
    score = MadeUp(seed, most=3 + 9 * (seed % 3 == 0), rounding=rounding)
    assert found(score, "thick_thinning", **knowledge) == slow_thick_thinning(World(score, NAMES, **knowledge))


@pytest.mark.parametrize("rounding", [0.0, ROUNDING])
@pytest.mark.parametrize("seed", range(8))
def test_exact_decides_ties_by_name(seed: int, rounding: float) -> None:
    """Among all DAGs that score most the documented one: the lowest sink, then its lowest set, again and again."""
    knowledge = drawn(seed, NAMES[:4]) if seed % 2 else {}
    score = MadeUp(seed, most=2, rounding=rounding)
    assert found(score, "exact", NAMES[:4], **knowledge) == slow_exact(World(score, NAMES[:4], **knowledge))


def climbed(seed: int) -> tuple[MadeUp, dict[str, Any]]:
    """Figures and knowledge that leave a climb few additions, so that it has to remove and to turn arcs."""
    score = MadeUp(seed, most=4 if seed % 3 == 0 else 12, rounding=ROUNDING)
    return score, drawn(seed) if seed % 4 == 0 else {"max_parents": 1 + seed % 2}


@pytest.mark.parametrize("tabu", [0, 1, 3, 10])
def test_hill_climbing_walks_as_written(tabu: int) -> None:
    """Additions, removals and reversals, their ties, the arcs that rest, and where the walk ends."""
    for seed in range(60):
        score, knowledge = climbed(seed)
        slow = slow_hill_climbing(World(score, NAMES, **knowledge), tabu, 0, 0)
        assert found(score, "hill_climbing", tabu=tabu, **knowledge) == slow, seed


@pytest.mark.parametrize("restarts", [1, 2, 4])
def test_restarts_go_on_from_the_best(restarts: int) -> None:
    """Each shake starts from the best DAG so far unless its own climb was the best; the better of two is kept."""
    for seed in range(100, 130):
        score, knowledge = climbed(seed)
        slow = slow_hill_climbing(World(score, NAMES, **knowledge), 1, restarts, seed)
        assert found(score, "hill_climbing", tabu=1, restarts=restarts, seed=seed, **knowledge) == slow, seed


def test_these_tables_ask_for_what_they_test() -> None:
    """A walk that pays, a restart that pays and one that does not: none of the tests above is empty."""
    worlds = [World(score, NAMES, **knowledge) for score, knowledge in map(climbed, range(60))]
    plain = [world.total(slow_hill_climbing(world, 0, 0, 0)) for world in worlds]
    walked = [world.total(slow_hill_climbing(world, 10, 0, 0)) for world in worlds]
    shaken = [world.total(slow_hill_climbing(world, 0, 2, 0)) for world in worlds]
    assert any(a < b - 0.5 for a, b in zip(plain, walked, strict=True))
    assert any(a < b - 0.5 for a, b in zip(plain, shaken, strict=True))
    assert any(a > b - 0.5 for a, b in zip(plain, shaken, strict=True))


def test_an_arc_that_gains_nothing_is_not_added() -> None:
    """Where every family scores the same, the graph stays empty, in every search."""
    for search in ("thick_thinning", "hill_climbing", "exact"):
        assert found(MadeUp(0, most=0), search) == {name: frozenset() for name in NAMES}


def test_a_required_arc_that_costs_is_kept() -> None:
    """The score would rather be without it; knowledge goes first, in every search."""

    class Costly(MadeUp):
        def family(self, data: engine.Dataset, child: str, parents: Any) -> float:
            return -5.0 * len(list(parents))

    for search in ("thick_thinning", "hill_climbing", "exact"):
        graph = found(Costly(0), search, required=[("e", "a"), ("b", "a")])
        assert graph == {**{name: frozenset() for name in NAMES}, "a": frozenset("eb")}


def test_shaking_adds_arcs_too() -> None:
    """Two parents help only together: a climb from nothing sees no gain, and only a shake that adds meets them."""

    class Together(MadeUp):
        def family(self, data: engine.Dataset, child: str, parents: Any) -> float:
            return 9.0 if child == "a" and set(parents) >= {"b", "c"} else -0.5 * len(list(parents))

    assert not any(found(Together(0), "hill_climbing", tabu=0).values())
    graph = found(Together(0), "hill_climbing", tabu=0, restarts=30)
    assert graph["a"] == frozenset("bc")


def test_the_bound_score_answers_both_questions_alike() -> None:
    """The made-up score keeps the promise that searches build on."""
    bound = BoundMadeUp(MadeUp(1), ("a", "b", "c"))
    assert bound.additions(0, (1,))[2] == bound.local(0, (1, 2))
    assert np.isneginf(bound.additions(0, (1,))[:2]).all()


def test_a_variable_in_no_tier_may_stand_anywhere() -> None:
    """Left out of the tiers, it may be parent of the earliest and child of the latest."""

    class Wished(MadeUp):
        def family(self, data: engine.Dataset, child: str, parents: Any) -> float:
            return float((child, tuple(parents)) in {("a", ("c",)), ("c", ("e",))})

    tiers = [["a"], ["b", "d"]]
    for search in ("thick_thinning", "hill_climbing", "exact"):
        graph = found(Wished(0), search, tiers=tiers)
        assert (graph["a"], graph["c"]) == (frozenset("c"), frozenset("e"))
    chain = {("c", ("b",)): 1.0}

    class Later(MadeUp):
        def family(self, data: engine.Dataset, child: str, parents: Any) -> float:
            return chain.get((child, tuple(parents)), 0.0)

    for search in ("thick_thinning", "hill_climbing", "exact"):
        assert found(Later(0), search, tiers=tiers)["c"] == frozenset("b")

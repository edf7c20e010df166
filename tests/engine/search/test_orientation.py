"""Directions of a skeleton beside a transcription of pcalg's rules, and what conservative orientation leaves open."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.graphs.dag import bits
from engine.graphs.pdag import Pdag, complete
from engine.search.constraint import Skeleton, directed, judged_triples, separated_triples, skeleton
from engine.search.constraints import Constraints
from engine.search.independence import IndependenceTest, bound_test
from engine.simulation.ordinal import full_sample, random_latent_model
from tests.engine.make import nominal_table
from tests.engine.search import pcalg
from tests.engine.search.normal import network
from tests.engine.search.test_constraint import Oracle, free

ALPHA = 0.05


def latent_table(seed: int) -> engine.Dataset:
    """500 rows of eight normal variables, cut into levels."""
    generator = np.random.default_rng(seed)
    return full_sample(random_latent_model(8, generator, 3.0), 500, generator)[1]


def arcs(graph: Pdag) -> set[tuple[int, int]]:
    """Both ways for an edge without a direction."""
    return {(a, b) for b in range(graph.n_variables) for a in bits(graph.parents[b] | graph.neighbours[b])}


def links(found: Skeleton) -> set[frozenset[int]]:
    """The edges of a skeleton."""
    return {frozenset((x, y)) for x, mask in enumerate(found.adjacent) for y in bits(mask)}


def npc_of(data: engine.Dataset) -> tuple[IndependenceTest, Skeleton, Constraints]:
    """The test and the skeleton of NPC with pcalg's rule for few rows."""
    test = bound_test("g_squared", data, None, "independent")  # type: ignore[arg-type]
    return test, skeleton(test, free(data.n_variables), ALPHA), free(data.n_variables)


def test_patterns_of_npc_are_those_of_a_transcription() -> None:
    """20 tables: equal where no collider contradicts another, 18 of them; in 2 pcalg's later one writes over."""
    overwriting, n_arrows = 0, 0
    for seed in range(20):
        _, found, known = npc_of(nominal_table(seed))
        ours = arcs(directed(found, known, separated_triples(found)))
        separators = {pair: [*bits(mask)] for pair, mask in found.separators.items()}
        colliders, ambiguous = pcalg.by_separating_set(links(found), separators, 6)
        theirs, overwritten = pcalg.direct(links(found), colliders, ambiguous, 6)
        assert (ours == theirs) != overwritten, seed
        agreed = pcalg.without_contradictions(colliders)
        assert ours == pcalg.direct(links(found), agreed, ambiguous, 6)[0], seed
        overwriting += overwritten
        n_arrows += sum((b, a) not in theirs for a, b in theirs)
    assert (overwriting, n_arrows) == (2, 18)


def compare_conservative(name: str, tables: int) -> tuple[int, int, int]:
    """Tables without contradicting colliders, on which all directions are equal; ambiguous triples and arrows there."""
    compared, n_ambiguous, n_arrows = 0, 0, 0
    for seed in range(tables):
        data = latent_table(seed)
        few = "independent" if name == "g_squared" else "tested"
        test = bound_test(name, data, None, few)  # type: ignore[arg-type]
        found = skeleton(test, free(8), ALPHA)

        def independent(x: int, y: int, group: tuple[int, ...], test: IndependenceTest = test) -> bool:
            given = np.array([group], dtype=np.int64).reshape(1, len(group))
            return bool(test.p_values(x, y, given)[0] > ALPHA)

        judged = judged_triples(test, found, ALPHA)
        colliders, ambiguous = pcalg.by_all_sets(links(found), independent, 8)
        assert sorted(judged.colliders) == sorted(triple for triple in colliders if triple[0] < triple[2])
        assert sorted(judged.ambiguous) == sorted(triple for triple in ambiguous if triple[0] < triple[2])
        theirs, overwritten = pcalg.direct(links(found), colliders, ambiguous, 8, fourth=True)
        if not overwritten:
            assert arcs(directed(found, free(8), judged)) == theirs, seed
            compared += 1
            n_ambiguous += len(judged.ambiguous)
            n_arrows += sum((b, a) not in theirs for a, b in theirs)
    return compared, n_ambiguous, n_arrows


@pytest.mark.parametrize(("name", "least"), [("g_squared", (6, 4, 0)), ("fisher_z", (5, 8, 2))])
def test_conservative_patterns_are_those_of_a_transcription(name: str, least: tuple[int, int, int]) -> None:
    """Six tables of eight variables: colliders, ambiguous triples, and the directions where none contradict."""
    found = compare_conservative(name, 6)
    assert all(number >= few for number, few in zip(found, least, strict=True)), found


@pytest.mark.parametrize("seed", range(6))
def test_with_an_oracle_conservative_orientation_is_the_class_too(seed: int) -> None:
    """Tests that tell the truth are never ambiguous."""
    parents = network(7, seed, neighbours=3.0)[1]
    found = skeleton(Oracle(parents), free(7))
    judged = judged_triples(Oracle(parents), found, 0.5)
    assert judged.ambiguous == []
    assert directed(found, free(7), judged) == complete(parents)


def test_an_unknown_orientation_is_refused() -> None:
    """With the names that there are; a seed is a whole number."""
    with pytest.raises(engine.SettingsError, match="'conservative'"):
        engine.PC(orientation="some")
    with pytest.raises(engine.SettingsError, match="seed is -1"):
        engine.PC(seed=-1)

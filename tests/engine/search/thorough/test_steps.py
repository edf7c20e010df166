"""Every step of a search against the engine's own run, the slow local score, and what obstacles say."""

from __future__ import annotations

import itertools
import math
from typing import Any

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engine
from engine.search.step_wording import explain_choice, headline, links_of, tabulate_candidates
from engine.search.steps import CandidateMove, Obstacle, search_steps
from tests.engine.make import random_data
from tests.engine.search.made_up import MadeUp

SEARCHES = [
    engine.HillClimbing(tabu=0),
    engine.HillClimbing(tabu=3, restarts=1, seed=2),
    engine.ThickThinning(),
    engine.GES(),
    engine.PC(),
    engine.PC(orientation="conservative"),
]
OVER_DAGS = (engine.HillClimbing, engine.ThickThinning)


@st.composite
def drawn_searches(draw: st.DrawFn, kinds: tuple[type, ...] = (object,)) -> dict[str, Any]:
    """A table of a random network, a score with or without ties, knowledge that agrees with itself, and a search."""
    p = draw(st.integers(2, 6))
    data = random_data(draw(st.sampled_from([30, 300])), p, p + 1, draw(st.integers(0, 999)), (2, 3))
    data = data.select(draw(st.permutations(data.names)))
    order = draw(st.permutations(data.names))
    forward = [(order[i], order[j]) for i in range(p) for j in range(i + 1, p)]
    known, cut = draw(st.booleans()), draw(st.integers(0, p))
    knowledge = engine.Knowledge(
        forbidden=[(b, a) for a, b in draw(st.lists(st.sampled_from(forward), max_size=2))] if known else (),
        required=draw(st.lists(st.sampled_from(forward), max_size=1)) if known else (),
        tiers=[order[:cut], order[cut:]] if draw(st.booleans()) else None,
        max_parents=draw(st.sampled_from([None, 1, 2])),
    )
    search = draw(st.sampled_from([item for item in SEARCHES if isinstance(item, kinds)]))
    scores = [engine.BDeu(1.0), *([engine.K2(), MadeUp(draw(st.integers(0, 99)))] * isinstance(search, OVER_DAGS))]
    return {"data": data, "score": draw(st.sampled_from(scores)), "search": search, "knowledge": knowledge}


DRAWN = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("kind", [*OVER_DAGS, engine.GES, engine.PC])
@DRAWN
@given(drawn=st.data())
def test_steps_lead_to_what_the_search_finds(kind: type, drawn: st.DataObject) -> None:
    """Each step begins where the one before ended; the last graph is the engine's own, and so is its score."""
    asked = drawn.draw(drawn_searches((kind,)))
    steps, graph = search_steps(**asked), engine.learn(**asked)
    assert all(later.before == earlier.after for earlier, later in itertools.pairwise(steps))
    assert steps[-1].after == frozenset(graph.edges)
    if not isinstance(asked["search"], engine.PC):
        dag = engine.graphs.consistent_extension(graph)
        expected = sum(asked["score"].family(asked["data"], name, list(dag.predecessors(name))) for name in dag)
        assert steps[-1].score_after == pytest.approx(expected, abs=1e-9)


@DRAWN
@given(drawn_searches())
def test_every_gain_is_a_difference_of_scores(asked: dict[str, Any]) -> None:
    """Of every candidate, refused ones too, by the slow local score; the move changes the total by its gain."""

    def joining(item: CandidateMove, source: str, target: str, given: tuple[str, ...]) -> float:
        family = asked["score"].family
        return family(asked["data"], target, [*given, source]) - family(asked["data"], target, list(given))

    for step in search_steps(**asked):
        for item in step.candidates:
            if item.kind in ("test", "collider", "orient"):
                continue
            expected = joining(item, item.source, item.target, item.given)
            if item.kind in ("remove", "delete", "reverse"):
                expected = -expected
            if item.kind == "reverse":
                expected += joining(item, item.target, item.source, item.others)
            assert item.gain == pytest.approx(expected, abs=1e-8)
        if step.move is not None and not math.isnan(step.score_before):
            assert step.score_after - step.score_before == pytest.approx(step.move.gain, abs=1e-8)


@DRAWN
@given(drawn_searches())
def test_the_move_is_the_best_of_those_allowed(asked: dict[str, Any]) -> None:
    """Nothing without an obstacle gains more, and where a phase ends nothing allowed gains."""
    for step in search_steps(**asked):
        gains = [item.gain for item in step.candidates if item.obstacle is None and not math.isnan(item.gain)]
        if step.move is not None and step.phase != "shaking" and not math.isnan(step.move.gain):
            assert step.move.gain >= max(gains) - 1e-6
            assert step.candidates.count(step.move) == 1
        if step.move is None and asked["search"] != SEARCHES[1]:  # of which the walk may end before that
            assert max(gains, default=-1.0) <= step.threshold


def changed(graph: nx.DiGraph, item: CandidateMove) -> nx.DiGraph:
    """A DAG after a candidate."""
    result = graph.copy()
    if item.kind != "add":
        result.remove_edge(item.source, item.target)
    if item.kind != "remove":
        result.add_edge(*((item.source, item.target) if item.kind == "add" else (item.target, item.source)))
    return result


@DRAWN
@given(drawn_searches(OVER_DAGS))
def test_obstacles_are_what_they_say(asked: dict[str, Any]) -> None:
    """A refused cycle is one; what is allowed keeps the DAG, the bound and the knowledge; nothing is left out."""
    names, knowledge = asked["data"].names, asked["knowledge"]
    limit = len(names) if knowledge.max_parents is None else knowledge.max_parents
    for step in search_steps(**asked):
        graph = nx.DiGraph(sorted(step.before))
        graph.add_nodes_from(names)
        for item in step.candidates:
            after = changed(graph, item)
            new = set(after.edges) - set(graph.edges)
            tier = {name: place for place, tier in enumerate(knowledge.tiers or ()) for name in tier}
            back = any(tier[source] > tier[target] for source, target in new if tier)
            breaks = back or bool(new & set(knowledge.forbidden)) or not set(knowledge.required) <= set(after.edges)
            full = any(after.in_degree(child) > limit for _, child in new)
            cyclic = not nx.is_directed_acyclic_graph(after)
            expected = {Obstacle.CYCLE: cyclic, Obstacle.PARENTS: full, Obstacle.KNOWLEDGE: breaks}
            assert expected.get(item.obstacle, not (cyclic or full or breaks))
            assert explain_choice(step, item)
        if step.phase == "climbing":
            assert len(step.candidates) == len(names) * (len(names) - 1)


@DRAWN
@given(drawn_searches())
def test_steps_are_said_in_few_words(asked: dict[str, Any]) -> None:
    """A headline has at most 25 words, every candidate a verdict, and what changes is what the graphs differ in."""
    steps = search_steps(**asked)
    for position, step in enumerate(steps):
        sentence = headline(steps, position)
        assert len(sentence.split()) <= 25 + 2 * len(asked["data"].names)
        assert sentence.endswith(".")
        table = tabulate_candidates(step)
        assert len(table) == len(step.candidates)
        assert (table["verdict"] != "").all() or step.phase == "orienting colliders"
        pairs = {frozenset(arc) for arc in step.before ^ step.after}
        links = links_of(step)
        assert {frozenset(link[:2]) for link in links if link.change not in ("", "tested")} == pairs
        drawn = {(a, b) for a, b, directed, _ in links for a, b in ([(a, b)] if directed else [(a, b), (b, a)])}
        assert drawn >= step.after
        for item in step.candidates:
            assert explain_choice(step, item).endswith(".")

"""GES under background knowledge, against brute force over the classes that have a member which keeps it."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.graphs.pdag import complete, consistent_extension, extend
from engine.search.class_moves import Admitted
from engine.search.constraints import Constraints
from engine.search.equivalence import ges
from tests.engine.make import random_data
from tests.engine.search.classes import Dag, all_classes, arcs, slow_ges, union

NAMES = [f"v{i:02d}" for i in range(10)]


def keeps(constraints: Constraints, dag: Dag) -> bool:
    """Whether a DAG has the required arcs, none that is not allowed, and no family above the limit."""
    return all(
        set(constraints.required[child]) <= parents
        and all(constraints.allowed[child, x] for x in parents)
        and len(parents) <= constraints.max_parents
        for child, parents in enumerate(dag)
    )


def random_knowledge(p: int, seed: int) -> Constraints:
    """Forbidden arcs, often both ways; tiers, required arcs and a limit, each in some of the draws."""
    rng = np.random.default_rng(seed)
    names = NAMES[:p]
    pairs = [(a, b) for a, b in itertools.permutations(names, 2)]
    tier = rng.integers(0, 2, p) if seed % 3 == 0 else np.zeros(p, dtype=int)
    tiers = [[name for name, t in zip(names, tier, strict=True) if t == level] for level in (0, 1)]
    forbidden = [pair for pair in pairs if rng.random() < 0.25]
    place = {name: (tier[i], rng.random()) for i, name in enumerate(names)}
    required = [
        (a, b) for a, b in pairs if seed % 2 and place[a] < place[b] and (a, b) not in forbidden and rng.random() < 0.2
    ]
    fullest = max((sum(b == child for _, b in required) for child in names), default=0)
    limit = max(fullest, 1 + seed % 2) if seed % 5 == 0 else None
    return engine.Knowledge(forbidden, required, tiers, max_parents=limit).constraints(names)


@pytest.mark.parametrize("seed", range(40))
def test_four_variables_go_the_way_of_brute_force(seed: int) -> None:
    """Every step is the best to a class with a member that keeps the knowledge, and the result is directed exactly
    where the members that keep it agree."""
    constraints = random_knowledge(4, seed)
    score = engine.BDeu(1.0).bind(random_data(250, 4, 5, seed))
    start = tuple(map(frozenset, constraints.required))
    group = slow_ges(score, lambda dag: keeps(constraints, dag), start)
    assert group
    assert arcs(ges(score, constraints)) == union(group)


@pytest.mark.parametrize("seed", range(12))
def test_told_is_what_the_agreeing_members_share(seed: int) -> None:
    """For every class: None where no member keeps the knowledge, else directed exactly where those that do agree."""
    constraints = random_knowledge(4, seed)
    knowledge = Admitted(constraints)
    without_limit = Constraints(constraints.allowed, constraints.required, 3)
    refused = 0
    for group in all_classes(4).values():
        agreeing = [dag for dag in group if keeps(without_limit, dag)]
        told = knowledge.told(complete(group[0]))
        assert (told is None) == (not agreeing)
        if told is None:
            refused += 1
        else:
            assert arcs(told) == union(agreeing)
    assert 0 < refused < len(all_classes(4))


def test_members_of_a_class_share_their_largest_family() -> None:
    """That is why a limit on parents can be held by looking at the inserted family alone."""
    for group in all_classes(4).values():
        assert len({max(map(len, dag)) for dag in group}) == 1


@given(st.integers(0, 10_000))
@settings(max_examples=30)
def test_any_knowledge_is_kept_by_the_extension(seed: int) -> None:
    """The consistent extension of what comes out has the required arcs, no forbidden one, and keeps the limit; the
    extension does not depend on the order of the variables for that."""
    constraints = random_knowledge(8, seed)
    found = ges(engine.BDeu(1.0).bind(random_data(200, 8, 14, seed)), constraints)
    parents = extend(found)
    assert parents is not None
    assert keeps(constraints, tuple(map(frozenset, parents)))
    for child, x in itertools.permutations(range(8), 2):
        if found.neighbours[child] >> x & 1:
            assert constraints.allowed[child, x] and constraints.allowed[x, child]


def tiers_data() -> engine.Dataset:
    """Seven variables with a good many arcs."""
    return random_data(400, 7, 12, seed=6)


def test_learn_keeps_tiers_forbidden_and_required_arcs() -> None:
    """By name, through the public door: no arc runs back, and what is directed by the tiers comes out directed."""
    tiers = [["v04", "v05"], ["v00", "v01", "v02"], ["v03", "v06"]]
    found = engine.learn(
        tiers_data(), search="ges", tiers=tiers, forbidden=[("v04", "v00")], required=[("v05", "v06")], max_parents=2
    )
    tier = {name: t for t, group in enumerate(tiers) for name in group}
    assert all(tier[a] <= tier[b] for a, b in found.edges)
    assert found.has_edge("v05", "v06")
    assert not found.has_edge("v04", "v00")
    assert max(d for _, d in consistent_extension(found).in_degree()) <= 2
    assert found.number_of_edges() > 4


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_the_limit_holds_in_every_extension(limit: int) -> None:
    """No member of the class has a larger family, whichever order the extension is built in."""
    data = tiers_data()
    found = engine.learn(data, search="ges", max_parents=limit)
    rng = np.random.default_rng(0)
    for _ in range(5):
        shuffled = nx.DiGraph()
        shuffled.add_nodes_from(rng.permutation(data.names).tolist())
        shuffled.add_edges_from(found.edges)
        assert max(d for _, d in consistent_extension(shuffled).in_degree()) <= limit
    assert (found.number_of_edges() > 0) == (limit > 0)


def test_an_order_directs_every_edge() -> None:
    """With a full order nothing stays undirected, and every arc runs forward."""
    data = tiers_data()
    order = list(reversed(data.names))
    found = engine.learn(data, search="ges", order=order)
    assert found.number_of_edges() > 4
    assert all(order.index(a) < order.index(b) for a, b in found.edges)


def test_forbidden_both_ways_is_never_joined_and_required_never_lost() -> None:
    """A strong pair kept apart stays apart, and a required arc between unrelated variables stays in."""
    rng = np.random.default_rng(0)
    a, z = rng.integers(0, 2, (2, 300))
    data = engine.Dataset.from_codes(np.array([a, a, z], dtype=np.uint8), [2, 2, 2], ["a", "b", "z"])
    assert set(engine.learn(data, search="ges").edges) == {("a", "b"), ("b", "a")}
    found = engine.learn(data, search="ges", forbidden=[("a", "b"), ("b", "a")], required=[("z", "a")])
    assert set(found.edges) == {("z", "a")}


def test_knowledge_does_not_depend_on_the_order_of_columns() -> None:
    """Twenty orders of the columns give one graph."""
    data = tiers_data()
    rng = np.random.default_rng(0)
    results = {
        frozenset(
            engine.learn(
                data.select(data.names[i] for i in rng.permutation(7)),
                search="ges",
                tiers=[["v06", "v01"], ["v00", "v02", "v03", "v04", "v05"]],
                required=[("v01", "v00")],
                structure_prior=1.0,
            ).edges
        )
        for _ in range(20)
    }
    assert len(results) == 1


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"score": engine.K2()}, "Choose BDeu, or search by"),
        ({"structure_prior": 0.0}, "structure_prior is 0.0"),
        ({"structure_prior": -1.0}, "above 0"),
        ({"tabu": 3}, "tabu: the search 'ges' has no such option; it has fast, structure_prior"),
        ({"search": "hill_climbing", "fast": True}, "fast: the search 'hill_climbing' has no such option"),
        ({"search": "exact", "structure_prior": 1.0}, "it has none"),
        ({"search": "magic"}, "'ges'"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(asked: dict, words: str) -> None:
    """The sentence names the setting and the way out."""
    with pytest.raises(engine.SettingsError, match=words):
        engine.learn(random_data(50, 3, 2, seed=0), **{"search": "ges", **asked})


def test_a_start_that_cannot_be_is_refused() -> None:
    """Another number of variables, edges without a DAG, and a start against the knowledge, each in its own words."""
    names = ["a", "b", "c"]
    score = engine.BDeu(1.0).bind(random_data(50, 3, 2, seed=0))
    free = engine.Knowledge().constraints(names)
    with pytest.raises(engine.SettingsError, match="start has 2 variables and the score 3"):
        ges(score, free, start=complete(((), (0,))))
    circle = complete(((), (0,), (0, 1)))
    for x, y in ((0, 1), (1, 2), (2, 0)):
        circle.direct(x, y)
    with pytest.raises(engine.SettingsError, match="not the CPDAG of any DAG"):
        ges(score, free, start=circle)
    for knowledge in (
        {"forbidden": [("a", "b"), ("b", "a")]},
        {"required": [("a", "c")]},
        {"max_parents": 0},
    ):
        with pytest.raises(engine.SettingsError, match="start contradicts"):
            ges(score, engine.Knowledge(**knowledge).constraints(names), start=complete(((), (0,), ())))

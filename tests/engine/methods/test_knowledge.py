"""One knowledge for every method: what is known of the arcs holds in every network of the answer."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine

NAMES = ("a", "b", "c", "d", "e")


def table(seed: int = 0, rows: int = 150) -> engine.Dataset:
    """Five yes/no variables along a noisy chain, and a group."""
    generator = np.random.default_rng(seed)
    columns = [generator.integers(0, 2, rows)]
    for _ in range(5):
        columns.append(np.where(generator.random(rows) < 0.8, columns[-1], generator.integers(0, 2, rows)))
    return engine.Dataset.from_codes(np.array(columns), [2] * 6, ["group", *NAMES])


@st.composite
def knowledge(draw: Any) -> engine.Knowledge:
    """Knowledge that agrees with itself: all of it follows from one drawn order."""
    order = draw(st.permutations(NAMES))
    pairs = [(order[i], order[j]) for i in range(5) for j in range(i + 1, 5)]
    required = draw(st.lists(st.sampled_from(pairs), max_size=2, unique=True))
    forbidden = [arc for arc in draw(st.lists(st.sampled_from(pairs), max_size=4)) if arc not in required]
    tiers = draw(st.sampled_from([None, [order[:2], order[2:4]], [order[:1], order[1:]]]))
    return engine.Knowledge(
        forbidden=[*forbidden, *((b, a) for a, b in required)],
        required=required,
        tiers=tiers,
        order=draw(st.sampled_from([None, order])),
        max_parents=draw(st.sampled_from([None, 2, 3])),
    )


def assert_held(graph: nx.DiGraph, known: engine.Knowledge, required: bool = True) -> None:
    """Every statement, looked at one by one; edges both ways have no direction to be wrong."""
    arcs = {arc for arc in graph.edges if not graph.has_edge(*reversed(arc))}
    edges = {frozenset(arc) for arc in graph.edges}
    assert not arcs & set(known.forbidden)
    if required:
        assert all(arc in arcs for arc in known.required)
    tier = {name: i for i, names in enumerate(known.tiers or ()) for name in names}
    assert not [(a, b) for a, b in arcs if a in tier and b in tier and tier[a] > tier[b]]
    if known.order is not None:
        assert not [(a, b) for a, b in arcs if known.order.index(a) > known.order.index(b)]
    if known.max_parents is not None:
        assert max((len([1 for a, b in arcs if b == name]) for name in NAMES), default=0) <= known.max_parents
    for a, b in known.forbidden:
        assert frozenset((a, b)) not in edges or (b, a) not in known.forbidden


@given(known=knowledge(), search=st.sampled_from(["thick_thinning", "hill_climbing", "exact"]))
@settings(max_examples=25)
def test_groups_keep_it_in_all_three_networks(known: engine.Knowledge, search: str) -> None:
    """Whatever the search; an order learned on the way agrees with it as well."""
    result = engine.GroupDifference(group="group", search=search, knowledge=known, average="none").run(table())
    for graph in result.graphs().values():
        assert_held(graph, known)


@given(known=knowledge())
@settings(max_examples=25)
def test_averages_keep_it(known: engine.Knowledge) -> None:
    """What is forbidden has no probability, what is required all of it; parents are at most as many on average."""
    result = engine.GroupDifference(group="group", knowledge=known).run(table())
    constraints = known.constraints(result.names)
    for arcs in (*result.average.arcs, result.posterior.arcs):
        assert not arcs[~constraints.allowed.T].any()
        for child, parents in enumerate(constraints.required):
            assert all(arcs[x, child] == pytest.approx(1.0) for x in parents)
        assert (arcs.sum(axis=0) <= constraints.max_parents + 1e-9).all()


@given(known=knowledge(), row=st.integers(0, 149), additions=st.booleans())
@settings(max_examples=25)
def test_patients_keep_it_as_the_population_does(known: engine.Knowledge, row: int, additions: bool) -> None:
    """No arc is added against it, and none that is required is dropped."""
    method = engine.InstanceSpecific(knowledge=known, kappa=1.0, additions=additions)
    result = method.run(table().select(NAMES), row)
    assert_held(result.population_dag, known)
    assert_held(result.instance, known)


@given(known=knowledge(), row=st.integers(0, 149))
@settings(max_examples=15)
def test_the_published_search_keeps_it_too(known: engine.Knowledge, row: int) -> None:
    """Arcs may turn, but not against what is known."""
    result = engine.InstanceSpecific(knowledge=known, kappa=1.0, mode="published").run(table().select(NAMES), row)
    assert_held(result.instance, known)


def test_links_take_what_has_no_direction() -> None:
    """A required arc is an edge that must be there; an arc forbidden both ways must not; one way says nothing."""
    data = table().select(NAMES)
    plain = engine.LogLinear().run(data).graph
    assert plain.has_edge("a", "b")
    assert not plain.has_edge("a", "e")
    known = engine.Knowledge(required=[("a", "e")], forbidden=[("a", "b"), ("b", "a"), ("b", "c")])
    found = engine.LogLinear(knowledge=known).run(data).graph
    assert found.has_edge("a", "e")
    assert not found.has_edge("a", "b")
    assert found.has_edge("b", "c")


@pytest.mark.parametrize("said", [{"tiers": [["a"], ["b"]]}, {"order": NAMES}, {"max_parents": 2}])
def test_links_refuse_what_is_about_arrows(said: dict[str, Any]) -> None:
    """The model has no arrows, so nothing silently does nothing."""
    with pytest.raises(engine.SettingsError, match="arrows") as told:
        engine.LogLinear(knowledge=engine.Knowledge(**said))
    assert told.value.setting == "knowledge"


@pytest.mark.parametrize(
    ("settings_", "words"),
    [
        ({"order": NAMES, "knowledge": engine.Knowledge(order=NAMES)}, "order is given twice"),
        ({"max_parents": 2, "knowledge": engine.Knowledge(max_parents=3)}, "max_parents is given twice"),
        ({"knowledge": {"order": NAMES}}, r"give engine\.Knowledge"),
    ],
)
def test_the_same_said_twice_is_refused(settings_: dict[str, Any], words: str) -> None:
    """Two places that could contradict each other."""
    with pytest.raises(engine.SettingsError, match=words):
        engine.GroupDifference(group="group", **settings_).run(table())


def test_the_group_column_is_set_aside() -> None:
    """Knowledge of the whole table serves a comparison, whose networks do not have the group."""
    known = engine.Knowledge(
        forbidden=[("a", "group")], required=[("group", "a"), ("a", "b")], order=["group", *NAMES], tiers=[["group"]]
    )
    result = engine.GroupDifference(group="group", knowledge=known).run(table())
    for graph in result.graphs().values():
        assert graph.has_edge("a", "b")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"forbidden": "ab"}, "must be a list"),
        ({"required": [("a",)]}, "pair"),
        ({"required": [("a", "b", "c")]}, "pair"),
        ({"order": "abc"}, "must be a list"),
        ({"tiers": ["ab"]}, "must be a list"),
    ],
)
def test_what_is_no_knowledge_is_refused(said: dict[str, Any], words: str) -> None:
    """The form is looked at at once, names when a table is there."""
    with pytest.raises(engine.SettingsError, match=words):
        engine.Knowledge(**said)


def test_lists_and_tuples_are_one_knowledge() -> None:
    """A value that can be compared, hashed and written as it is said."""
    one = engine.Knowledge(forbidden=[["a", "b"]], tiers=[["a"], ("b",)], order=["a", "b"])
    other = engine.Knowledge(forbidden=(("a", "b"),), tiers=(("a",), ("b",)), order=("a", "b"))
    assert one == other
    assert hash(one) == hash(other)
    assert eval(repr(one), {"Knowledge": engine.Knowledge}) == one  # noqa: S307

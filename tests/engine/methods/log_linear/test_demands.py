"""What edges are worth, and settings that ask for one or go on from a model."""

from __future__ import annotations

import math

import engine
import sample_data
from engine.methods.log_linear.message import EdgeValue
from engine.methods.log_linear.settings import continue_from, demand_edge


def test_strength_is_the_evidence_else_the_entry_else_nothing() -> None:
    """An edge that cannot go alone has no price of its own."""
    nan = math.nan
    assert EdgeValue(-2.0, True, 1, 7.0).strength == -2.0
    assert EdgeValue(nan, False, 2, 7.0).strength == 7.0
    assert EdgeValue(nan, False, 2, nan).strength == 0.0


def test_a_demand_lifts_what_is_known_to_the_contrary() -> None:
    """Knowledge gives way as forced and forbidden pairs do, whichever way round its arcs stand."""
    known = engine.Knowledge(forbidden=[("a", "b"), ("b", "a"), ("c", "d")], required=[("e", "f")])
    method = engine.LogLinear(knowledge=known)
    there = demand_edge(method, ("b", "a"), there=True)
    assert there.forced == (("b", "a"),)
    assert there.knowledge == engine.Knowledge(forbidden=[("c", "d")], required=[("e", "f")])
    gone = demand_edge(method, ("f", "e"), there=False)
    assert gone.forbidden == (("f", "e"),)
    assert gone.knowledge == engine.Knowledge(forbidden=known.forbidden)


def test_going_on_finds_the_model_again() -> None:
    """A search begun from its own answer, free of demands, has nothing left to add."""
    data = sample_data.dataset("two_hospitals")
    model = engine.LogLinear().run(data)
    again = continue_from(model.method, tuple(model.edge_values)).run(data)
    assert set(map(frozenset, again.edge_values)) == set(map(frozenset, model.edge_values))
    assert not len(again.steps)


def test_the_start_is_what_the_steps_add_up_to() -> None:
    """Message before the first step: the empty model's, where a search begins with nothing."""
    data = sample_data.dataset("two_hospitals")
    model = engine.LogLinear().run(data)
    assert math.isclose(model.start_bits, model.message.loc["no edges", "total"])
    assert math.isclose(model.start_bits - model.steps["saving_bits"].sum(), model.steps["total_bits"].iloc[-1])

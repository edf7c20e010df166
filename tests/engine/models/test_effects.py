"""What a click did, in words, on networks whose probabilities are worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engine.models import Network
from engine.models.effects import bearing_paths, describe_change, describe_doing, describe_state, is_binary

YES = ("no", "yes")


def network(**families: tuple[tuple[str, ...], tuple[float, ...]]) -> Network:
    """Yes and no for all: name -> its parents, and P(yes) for each of their configurations."""
    names = tuple(families)
    return Network(
        names,
        (YES,) * len(names),
        tuple(tuple(sorted(map(names.index, parents))) for parents, _ in families.values()),
        tuple(np.array([[1 - p, p] for p in yes]) for _, yes in families.values()),
    )


ALARM = network(burglar=((), (0.1,)), quake=((), (0.2,)), alarm=(("burglar", "quake"), (0.0, 0.5, 0.8, 0.9)))
"""P(alarm) = .9*.2*.5 + .1*.8*.8 + .1*.2*.9 = .172; P(burglar | alarm) = .082/.172; ... given the quake .018/.108."""
CHAIN = network(a=((), (0.5,)), b=(("a",), (0.2, 0.8)), c=(("b",), (0.1, 0.9)))
FORK = network(a=((), (0.5,)), b=(("a",), (0.2, 0.8)), c=(("a",), (0.1, 0.9)))
BOTH_NEEDED = network(a=((), (0.1,)), b=((), (0.2,)), both=(("a", "b"), (0.05, 0.06, 0.06, 0.9)))
"""Each cause makes the other more probable once both is known."""
EITHER = network(a=((), (0.1,)), b=((), (0.2,)), either=(("a", "b"), (0.0, 0.5, 0.5, 0.95)))
"""Where it does not hold each cause makes the other less probable, but it made both less probable before."""
TOGETHER = network(a=((), (0.5,)), b=((), (0.5,)), both=(("a", "b"), (0.9, 0.1, 0.1, 0.9)))
"""Knowing "both" makes neither cause more probable: no explaining away, though the collider opens."""


def test_explaining_away_is_named_with_its_numbers() -> None:
    """The collider becomes known; then the other cause."""
    effect = describe_change(ALARM, "burglar", "quake", {}, {"alarm": "yes"}, "alarm")
    assert effect.name == "Explaining away"
    assert effect.sentence == (
        "Given alarm = yes, burglar and quake become associated: also knowing quake = yes lowers P(burglar = yes) from "
        "48\xa0% to 17\xa0%."
    )
    assert "stays 10\xa0% whether or not quake = yes" in effect.reason
    known = {"alarm": "yes"}
    effect = describe_change(ALARM, "burglar", "quake", known, {**known, "quake": "yes"}, "quake")
    assert effect.name == "Explaining away"
    assert effect.sentence == "Given alarm = yes, quake = yes lowers P(burglar = yes) from 48\xa0% to 17\xa0%."


def test_an_open_path_that_changes_nothing_is_said_to_change_nothing() -> None:
    """An arrow without effect; a collider without one; a value that leaves the last level but not the others."""
    still = network(b=((), (0.3,)), c=(("b",), (0.4, 0.4)), d=((), (0.5,)))
    effect = describe_state(still, "b", "c", {})
    assert effect.sentence == "b and c are joined by an open path, but with these probabilities nothing changes."
    quiet = network(a=((), (0.5,)), b=((), (0.5,)), both=(("a", "b"), (0.5, 0.5, 0.5, 0.5)))
    effect = describe_change(quiet, "a", "b", {}, {"both": "yes"}, "both")
    assert effect.sentence == (
        "Given both = yes, a path between a and b opens, but with these probabilities nothing changes."
    )
    assert (effect.name, effect.reason) == ("Collider opened", "a → both ← b is open: both is a collider and is known.")
    three = ("low", "middle", "high")
    table = np.array([[0.9, 0.1], [0.1, 0.9], [0.5, 0.5]])
    uneven = Network(("y", "x"), (three, YES), ((), (0,)), (np.array([[0.25, 0.25, 0.5]]), table))
    sentence = describe_state(uneven, "x", "y", {}).sentence
    assert sentence in [
        f"x and y are associated: knowing y = {level} {verb} P(x = {x}) from 50\xa0% to {after}\xa0%."
        for level, verb, x, after in (
            ("low", "raises", "no", 90), ("low", "lowers", "yes", 10), ("middle", "raises", "yes", 90),
            ("middle", "lowers", "no", 10),
        )
    ]  # fmt: skip


def test_an_open_collider_that_explains_nothing_away_is_not_called_so() -> None:
    """The two become associated, but neither was made more probable; nor where the alarm did not ring."""
    effect = describe_change(TOGETHER, "a", "b", {}, {"both": "yes"}, "both")
    assert effect.name == "Collider opened" and "raises P(a = yes) from 50\xa0% to 90\xa0%" in effect.sentence
    known = {"both": "yes"}
    assert describe_change(TOGETHER, "a", "b", known, {**known, "b": "yes"}, "b").name == ""
    assert describe_change(EITHER, "a", "b", {}, {"either": "no"}, "either").name == "Collider opened"
    assert describe_change(EITHER, "a", "b", {}, {"either": "yes"}, "either").name == "Explaining away"
    assert describe_change(BOTH_NEEDED, "a", "b", {}, {"both": "yes"}, "both").name == "Collider opened"


@pytest.mark.parametrize(("which", "middle", "x", "name"), [(CHAIN, "b", "a", "Chain"), (FORK, "a", "b", "Fork")])
def test_a_blocked_middle_is_named(which: Network, middle: str, x: str, name: str) -> None:
    """It blocks when it becomes known, and lets pass when it is cleared."""
    effect = describe_change(which, x, "c", {}, {middle: "yes"}, middle)
    assert effect.name == f"{name} blocked"
    assert f"{x} and c are independent: c = yes leaves P({x} = yes)" in effect.sentence
    assert effect.reason.startswith("Before, c = yes changed it from 50\xa0% to")
    effect = describe_change(which, x, "c", {middle: "yes"}, {}, middle)
    assert effect.name == "Path opened" and effect.sentence.startswith(f"Without {middle} known")


def test_other_clicks_say_both_probabilities_and_the_path() -> None:
    """A click on X is about Y; one that bears on nothing says so; a level in place of another; all known."""
    effect = describe_change(CHAIN, "a", "c", {}, {"a": "yes"}, "a")
    assert effect.sentence == "a = yes raises P(c = yes) from 50\xa0% to 74\xa0%."
    assert effect.reason == "a → b → c is open: its arrows run one way, and no variable on it is known."
    effect = describe_change(ALARM, "burglar", "alarm", {}, {"quake": "yes"}, "quake")
    assert effect.name == "Independent" and "leaves P(burglar = yes) at 10\xa0%" in effect.sentence
    effect = describe_change(CHAIN, "a", "c", {"b": "yes"}, {"b": "no"}, "b")
    assert effect.sentence == "b = no in place of yes lowers P(a = yes) from 80\xa0% to 20\xa0%."
    every = {"a": "yes", "b": "yes"}
    assert "Every variable is known" in describe_change(CHAIN, "a", "b", every, {**every, "c": "no"}, "c").sentence


def test_without_a_click_the_state_is_described() -> None:
    """Associated with the path, independent with the number, apart without any path."""
    assert describe_state(CHAIN, "a", "c", {}).sentence.startswith("a and c are associated: knowing c = yes raises")
    assert describe_state(CHAIN, "a", "c", {"b": "no"}).sentence == (
        "Given b = no, a and c are independent: c = yes leaves P(a = yes) at 20\xa0%."
    )
    apart = network(a=((), (0.5,)), b=((), (0.5,)))
    assert describe_state(apart, "a", "b", {}).reason == "No path joins them."


def test_each_piece_of_evidence_has_its_path() -> None:
    """Given the others; a blocked one bears by no path."""
    assert bearing_paths(CHAIN, "a", {"b": "yes", "c": "yes"}) == [
        "b ← a is open: an arrow joins the two.",
        "No path from c to a is open.",
    ]


def test_one_bar_stands_for_two_levels_with_a_negation() -> None:
    """Others have a bar a level."""
    assert is_binary(("No", "yes")) and not is_binary(("female", "male")) and not is_binary(("no", "a", "b"))


def test_what_confounds_is_named_by_a_path_that_is_open() -> None:
    """Two common causes: the first is named, and once it is set too, the second; with both set there is none."""
    names, rng = ("A", "B", "X", "Y"), np.random.default_rng(0)
    parents = ((), (), (0, 1), (0, 1, 2))
    tables = tuple(rng.dirichlet([1, 1], 2 ** len(family)) for family in parents)
    network = Network(names, (("no", "yes"),) * 4, parents, tables)
    told = [
        describe_doing(network, "X", "Y", {"X": "yes", **more}) for more in ({}, {"A": "no"}, {"A": "no", "B": "no"})
    ]
    assert [effect.name for effect in told] == ["Confounding", "Confounding", "No confounding"]
    assert [effect.reason.split(" is ")[0] for effect in told[:2]] == ["X ← A → Y", "X ← B → Y"]
    assert told[2].reason == "No path that begins with an arrow into X is open."
    assert describe_doing(network, "X", "Y", {"X": "yes", "Y": "no"}).sentence == "Y is set itself."

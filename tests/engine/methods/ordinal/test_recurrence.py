"""Networks counted: shares, halves of lines, and the threshold of the averaged one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import engine
from engine.graphs.pdag import Pdag
from engine.methods.ordinal.recurrence import EdgeStrength

NAMES = ("a", "b", "c")


def arrow() -> Pdag:
    """a -> b, c alone."""
    return Pdag([0, 1, 0], [2, 0, 0], [0, 0, 0])


def line() -> Pdag:
    """a -- b, b -> c."""
    return Pdag([0, 0, 2], [0, 4, 0], [2, 1, 0])


def counted(found: list[Pdag]) -> EdgeStrength:
    """Networks over three names."""
    return EdgeStrength.of(NAMES, found, 0, ("data", "settings"))


def test_a_line_counts_a_half_each_way() -> None:
    """Three arrows and a line."""
    strength = counted([arrow(), arrow(), line(), arrow()])
    assert strength.runs == 4
    assert strength.classes == 2
    assert strength.share("b", "a") == 1.0
    assert strength.directed_share("a", "b") == pytest.approx(3.5 / 4)
    assert strength.directed_share("b", "a") == pytest.approx(0.5 / 4)
    frame = strength.frame()
    assert frame[["source", "target", "share"]].to_numpy().tolist() == [["a", "b", 1.0], ["b", "c", 0.25]]
    assert ((frame["low"] <= frame["share"]) & (frame["share"] <= frame["high"])).all()
    with pytest.raises(engine.DataError, match="no variable 'z'"):
        strength.share("a", "z")


def test_the_averaged_network_points_where_three_quarters_do() -> None:
    """3.5 of 4 is more, 2.5 of 4 less."""
    graph = counted([arrow(), arrow(), line(), arrow()]).averaged(0.3)
    assert (graph.children[0], graph.neighbours) == (2, [0, 0, 0])
    turned = Pdag([2, 0, 0], [0, 1, 0], [0, 0, 0])
    graph = counted([arrow(), arrow(), line(), turned]).averaged(0.3)
    assert graph.neighbours[:2] == [2, 1]
    assert graph.adjacent(2) == 0
    assert counted([arrow(), line()]).averaged(0.5).adjacent(2) == 0  # in more than that share


def test_clear_shares_are_told_apart() -> None:
    """Six pairs that nearly always come back among 45 that hardly do: a threshold between."""
    p = 10
    counts = np.array([96, 99, 100, 97, 98, 100] + [2, 0, 1, 5, 3] * 7 + [4] * 4)
    links = np.zeros((p, p), dtype=np.int64)
    links[np.triu_indices(p, 1)] = counts
    links = links + links.T
    strength = EdgeStrength(tuple("abcdefghij"), 100, links, links / 2, 1, 0, ("", ""))
    assert 0.04 <= strength.threshold < 0.96
    assert sum(mask.bit_count() for mask in strength.averaged(strength.threshold).neighbours) == 12


def test_intervals_are_jeffreys() -> None:
    """Of the beta distribution, by pair and in the table alike; an end where all or none are linked."""
    turned = Pdag([2, 0, 0], [0, 1, 0], [0, 0, 0])
    strength = counted([turned, turned, line(), arrow(), arrow()])
    low, high = stats.beta.ppf([0.025, 0.975], 1 + 0.5, 4 + 0.5)
    assert strength.interval("b", "c") == pytest.approx((low, high))
    assert strength.interval("c", "b") == strength.interval("b", "c")
    sure = strength.interval("a", "b")
    assert sure == pytest.approx((stats.beta.ppf(0.025, 5.5, 0.5), 1.0))
    frame = strength.frame()
    assert frame[["source", "target", "directed"]].to_numpy().tolist() == [["a", "b", 0.5], ["b", "c", 0.2]]
    assert frame[["low", "high"]].to_numpy().tolist() == [list(sure), list(strength.interval("b", "c"))]
    frame = counted([turned, turned, arrow()]).frame()
    assert frame[["source", "target", "directed"]].to_numpy().tolist() == [["b", "a", 2 / 3]]

"""Tables whose links are as strong as asked, and the nearest ones with another strength."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from engine.errors import SettingsError
from engine.simulation.nmis import change_table, draw_table, nmis


def even(arity: int, parents: int) -> tuple[np.ndarray, np.ndarray]:
    """Parents and child without a leaning of their own."""
    return np.full((arity,) * parents, arity**-parents), np.full(arity, 1 / arity)


def slow_nmis(table: np.ndarray, parents: np.ndarray, m: int) -> float:
    """The definition, cell by cell."""
    r = table.shape[-1]
    pair: dict[tuple[int, int], float] = {}
    for at in itertools.product(*map(range, parents.shape)):
        for k in range(r):
            pair[at[m], k] = pair.get((at[m], k), 0.0) + parents[at] * table[(*at, k)]
    own = [sum(pair[j, k] for k in range(r)) for j in range(parents.shape[m])]
    its = [sum(pair[j, k] for j in range(parents.shape[m])) for k in range(r)]
    mutual = sum(p * math.log(p / (own[j] * its[k])) for (j, k), p in pair.items() if p > 0)
    return mutual / -sum(p * math.log(p) for p in its if p > 0)


def divergence(new: np.ndarray, old: np.ndarray, parents: np.ndarray) -> float:
    """KL(new, old) in nats, parents weighted by their own joint."""
    return float((parents[..., None] * new * np.log(new / old)).sum())


def pairs_of(table: np.ndarray, parents: np.ndarray) -> list[np.ndarray]:
    """The joint of every parent and the child."""
    joint, axes = parents[..., None] * table, range(parents.ndim)
    return [joint.sum(axis=tuple(m for m in axes if m != place)) for place in axes]


FEASIBLE = [
    (4, (0.3, 0.22), (0.3, 0.05)),
    (4, (0.3, 0.22), (0.3, 0.21)),
    (4, (0.3, 0.22), (0.3, 0.0)),
    (3, (0.3, 0.22), (0.3, 0.05)),
    (5, (0.3, 0.22), (0.3, 0.05)),
    (4, (0.2, 0.1, 0.1), (0.2, 0.1, 0.02)),
    (4, (0.1, 0.1, 0.1, 0.2), (0.1, 0.1, 0.1, 0.05)),
]


@pytest.mark.parametrize(("arity", "before", "after"), FEASIBLE)
def test_strengths_are_those_asked_for(arity: int, before: tuple[float, ...], after: tuple[float, ...]) -> None:
    """Drawn and changed, by the definition as well; the rest of what the parents tell by themselves stays."""
    parents, child = even(arity, len(before))
    for seed in range(3):
        old = draw_table(before, parents, child, np.random.default_rng(seed))
        new = change_table(old, parents, after)
        for table, wanted in ((old, before), (new, after)):
            np.testing.assert_allclose(nmis(table, parents), wanted, atol=1e-8)
            assert [slow_nmis(table, parents, m) for m in range(len(wanted))] == pytest.approx(wanted, abs=1e-8)
            np.testing.assert_allclose(table.sum(axis=-1), 1.0, atol=1e-10)
            np.testing.assert_allclose(
                (parents[..., None] * table).sum(axis=tuple(range(parents.ndim))), child, atol=1e-9
            )
        for m, (mine, theirs) in enumerate(zip(pairs_of(old, parents), pairs_of(new, parents), strict=True)):
            if before[m] == after[m]:
                np.testing.assert_allclose(theirs, mine, atol=1e-9)


def test_parents_that_depend_on_one_another() -> None:
    """Neither parents nor child need be even."""
    parents = np.random.default_rng(3).dirichlet(np.full(16, 3.0)).reshape(4, 4)
    child = np.array([0.4, 0.3, 0.2, 0.1])
    old = draw_table((0.3, 0.22), parents, child, np.random.default_rng(0))
    new = change_table(old, parents, (0.3, 0.05))
    np.testing.assert_allclose(nmis(new, parents), (0.3, 0.05), atol=1e-8)
    np.testing.assert_allclose(pairs_of(new, parents)[0], pairs_of(old, parents)[0], atol=1e-9)


def test_the_same_strengths_are_the_same_table_and_nearer_ones_a_nearer_table() -> None:
    """Nothing to change, nothing changed; the divergence shrinks with the step, and a plain mixture is farther."""
    parents, child = even(4, 2)
    old = draw_table((0.3, 0.22), parents, child, np.random.default_rng(1))
    np.testing.assert_array_equal(change_table(old, parents, nmis(old, parents)), old)
    apart = [divergence(change_table(old, parents, (0.3, s)), old, parents) for s in (0.2, 0.15, 0.1, 0.05, 0.01)]
    assert apart == sorted(apart)
    assert 0 < apart[0] < 0.1
    deaf = np.broadcast_to((parents[..., None] * old).sum(axis=1, keepdims=True) * 4, old.shape)
    shares = np.linspace(0, 1, 2001)
    mixed = next(m for t in shares if nmis(m := (1 - t) * old + t * deaf, parents)[1] <= 0.05)
    assert apart[3] <= divergence(mixed, old, parents)


def test_what_cannot_be_is_said() -> None:
    """Two even yes/no parents cannot tell so much about one child; strengths are as many as the parents."""
    parents, child = even(2, 2)
    with pytest.raises(SettingsError, match="more than the child has to tell"):
        draw_table((0.3, 0.22), parents, child, np.random.default_rng(0))
    for wrong in ((0.3,), (0.3, -0.1), (0.3, 1.0), (0.3, math.nan)):
        with pytest.raises(SettingsError, match="2 numbers from 0 up"):
            draw_table(wrong, parents, child, np.random.default_rng(0))
        with pytest.raises(SettingsError, match="2 numbers from 0 up"):
            change_table(np.full((2, 2, 2), 0.5), parents, wrong)
    linked = np.array([[0.49, 0.01], [0.01, 0.49]])  # whoever knows one parent knows the other
    old = draw_table((0.2, 0.2), linked, child, np.random.default_rng(2))
    with pytest.raises(SettingsError, match="depend on one another too strongly"):
        change_table(old, linked, (nmis(old, linked)[0], 0.0))


def test_a_seed_is_a_table() -> None:
    """The same seed gives the same bits, another seed another table."""
    parents, child = even(4, 2)
    one, same, other = (draw_table((0.3, 0.22), parents, child, np.random.default_rng(s)) for s in (7, 7, 8))
    np.testing.assert_array_equal(one, same)
    assert np.abs(one - other).max() > 0.01

"""Sums over products of tables against enumeration."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.models.elimination import MOST_CELLS, Factor, sum_out


def slow(factors: list[Factor], arity: np.ndarray, keep: tuple[int, ...]) -> tuple[float, np.ndarray]:
    """Walk over every combination of all variables."""
    table = np.zeros([arity[x] for x in keep])
    for cell in itertools.product(*[range(int(a)) for a in arity]):
        table[tuple(cell[x] for x in keep)] += math.prod(
            float(f[tuple(cell[x] for x in scope)]) for scope, f in factors
        )
    unmentioned = set(range(len(arity))) - {x for scope, _ in factors for x in scope} - set(keep)
    total = table.sum() / math.prod(int(arity[x]) for x in unmentioned)
    return math.log(total), table / table.sum()


@settings(max_examples=60)
@given(
    st.integers(0, 10_000),
    st.lists(st.lists(st.integers(0, 4), unique=True, max_size=3), max_size=7),
    st.lists(st.integers(0, 4), unique=True, max_size=3),
)
def test_sum_out_equals_enumeration(seed: int, scopes: list[list[int]], keep: list[int]) -> None:
    """The product of random factors summed over every combination, whatever is kept and in whatever order."""
    rng = np.random.default_rng(seed)
    arity = rng.integers(1, 4, 5)
    factors = [(tuple(scope), rng.random([arity[x] for x in scope]) + 0.01) for scope in scopes]
    found = sum_out(factors, arity, keep)
    assert found is not None
    log_total, shares = slow(factors, arity, tuple(keep))
    assert found[0] == pytest.approx(log_total, abs=1e-9)
    assert found[1].shape == tuple(arity[x] for x in keep)
    assert found[1].ravel().tolist() == pytest.approx(shares.ravel().tolist(), abs=1e-12)


def test_no_factors_at_all() -> None:
    """An empty product is 1; a variable kept that no factor speaks of is uniform."""
    arity = np.array([2, 4])
    found = sum_out([], arity)
    assert found is not None and found[0] == 0.0 and found[1].shape == ()
    kept = sum_out([((), np.array(0.5))], arity, (1,))
    assert kept is not None and kept[1].tolist() == [0.25] * 4
    assert kept[0] == pytest.approx(math.log(0.5 * 4))


def test_zeros_inside_are_allowed_but_not_everywhere() -> None:
    """Single cells may be zero; a product without any mass has no shares."""
    arity = np.array([2, 2])
    found = sum_out([((0, 1), np.array([[1.0, 0.0], [0.0, 3.0]]))], arity, (0,))
    assert found is not None and found[1].tolist() == [0.25, 0.75]
    with pytest.raises(ValueError, match=r"domain|positive"):
        sum_out([((0,), np.array([1.0, 0.0])), ((0,), np.array([0.0, 1.0]))], arity)


def test_long_products_do_not_underflow() -> None:
    """A chain of 200 factors of 1e-5 sums to a number that no float holds, but its logarithm is right."""
    n = 200
    arity = np.full(n + 1, 2)
    found = sum_out([((i, i + 1), np.full((2, 2), 1e-5)) for i in range(n)], arity, (0,))
    assert found is not None
    assert found[0] == pytest.approx(n * math.log(1e-5) + (n + 1) * math.log(2), rel=1e-12)
    assert found[1].tolist() == [0.5, 0.5]


def test_a_table_that_would_be_too_large_is_refused() -> None:
    """Thirty variables that all hang together are refused, not attempted; so is a kept table of that size."""
    arity = np.full(30, 3)
    pairs: list[Factor] = [((j, i), np.ones((3, 3))) for i in range(30) for j in range(i)]
    assert sum_out(pairs, arity) is None
    assert MOST_CELLS < 3**14
    assert sum_out([((x,), np.ones(3)) for x in range(14)], arity, range(14)) is None

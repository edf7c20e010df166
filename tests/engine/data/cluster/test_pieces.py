"""Rows that workers keep: packed, cut, counted and added without a cluster."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.data.cluster.pieces import Answer, Piece, RowBlock, added, chosen, counted, cut_off, joined, packed
from engine.data.cluster.store import shares
from engine.data.store import Block, Cells
from engine.errors import DataError


def held(rows: int, arity: tuple[int, ...] = (2, 3, 4), seed: int = 0) -> tuple[RowBlock, np.ndarray]:
    """Some rows, packed, and their codes."""
    rng = np.random.default_rng(seed)
    codes = np.array([rng.integers(0, r, rows) for r in arity], dtype=np.uint8)
    return RowBlock.of(codes, np.array(arity)), codes


def levels_of_first(block: Block, item: int) -> np.ndarray:
    """Counts of the first variable's levels, times the item."""
    return np.bincount(block.codes([0], 0, block.n_rows)[0], minlength=int(block.arity[0])) * item


@given(begin=st.integers(0, 200), many=st.integers(0, 200))
def test_any_rows_are_cut_off(begin: int, many: int) -> None:
    """Also rows that begin in the middle of a word."""
    part, codes = held(400)
    assert np.array_equal(cut_off(part, Piece(begin, begin + many, 400)), codes[:, begin : begin + many])


@given(begin=st.integers(0, 150), end=st.integers(151, 300), more=st.integers(0, 70))
def test_a_block_is_what_is_left_of_a_part_and_the_next_rows(begin: int, end: int, more: int) -> None:
    """The same as the rows packed at once."""
    part, codes = held(300)
    _, others = held(more, seed=1)
    block = joined(part, Piece(begin, end, 300), [others] if more else [])
    expected = np.concatenate([codes[:, begin:end], others], axis=1)
    assert np.array_equal(block.codes(0, expected.shape[1]), expected)
    assert np.array_equal(block.planes.words, RowBlock.of(expected, np.array([2, 3, 4])).planes.words)


def test_a_part_that_changed_is_refused() -> None:
    """What is worked out again must be what it was."""
    part, _ = held(300)
    for again in (lambda: cut_off(part, Piece(0, 10, 301)), lambda: joined(part, Piece(0, 301, 301), [])):
        with pytest.raises(DataError, match="did not give the same rows when a part of it had to be worked out again"):
            again()


def test_many_levels_keep_their_codes() -> None:
    """Planes of a hundred levels are more bytes than codes, so the codes stay beside them; a worker is told of both."""
    part, codes = held(1000, (100, 2))
    assert part.given is not None and np.array_equal(part.given, codes)
    small, _ = held(1000, (3, 2))
    assert small.given is None
    assert sys.getsizeof(part) > codes.nbytes + part.planes.words.nbytes
    assert sys.getsizeof(small) > small.planes.words.nbytes


def test_answers_add() -> None:
    """Blocks of one worker, then workers; variables by their positions."""
    first, codes = held(300)
    second, others = held(100, seed=1)
    work = packed(levels_of_first, [1, 10], np.array([2, 0]))
    expected = np.bincount(np.concatenate([codes[2], others[2]]), minlength=4)
    together = counted([first, second], work)
    assert together.mark == first.mark + second.mark
    assert np.array_equal(together.outcomes[0], expected) and np.array_equal(together.outcomes[1], 10 * expected)
    apart = added([counted([second], work), counted([first], work)])
    assert apart.mark == together.mark and np.array_equal(apart.outcomes[1], 10 * expected)
    nothing = added([Answer(1, [None, Cells(np.array([[1]]), np.array([2]))])] * 2)
    assert nothing.outcomes[0] is None and nothing.outcomes[1].counts.tolist() == [4]


@given(rows=st.lists(st.integers(0, 299), max_size=20))
def test_chosen_rows_come_in_the_order_that_they_are_asked_in(rows: list[int]) -> None:
    """Also twice."""
    part, codes = held(300)
    which = np.array(rows, dtype=np.int64)
    assert np.array_equal(chosen(part, np.array([1, 0]), which), codes[[1, 0]][:, which])


@given(
    st.lists(
        st.tuples(st.integers(0, 40), st.sets(st.sampled_from("abc"))), unique_by=lambda pair: pair[0], max_size=30
    )
)
def test_each_block_is_answered_for_once(pairs: list[tuple[int, set[str]]]) -> None:
    """By a worker that holds it, evenly where several do; under "" where none does."""
    holders = dict(pairs)
    found = shares(holders, list(holders))
    assert sorted(key for keys in found.values() for key in keys) == sorted(holders)
    for worker, keys in found.items():
        assert all(worker in holders[key] if worker else not holders[key] for key in keys)


def test_blocks_that_several_hold_are_shared_out_evenly() -> None:
    """Nobody does all of it."""
    assert {len(keys) for keys in shares({k: ["a", "b"] for k in range(10)}, range(10)).values()} == {5}

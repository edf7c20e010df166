"""Blocks of rows, and answers of several blocks put together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.data.planes import build_planes
from engine.data.store import Block, Cells, code_type, combined, decoded, picked
from tests.engine.data.blocks import block_of


def drawn(arity: list[int], rows: int, seed: int) -> np.ndarray:
    """Random codes, read-only as all codes are."""
    codes = np.random.default_rng(seed).integers(0, np.array(arity)[:, None], (len(arity), rows))
    codes = codes.astype(code_type(np.array(arity)))
    codes.flags.writeable = False
    return codes


arities = st.lists(st.integers(1, 12), min_size=1, max_size=5)


@given(arities, st.integers(1, 400), st.integers(0, 99), st.data())
def test_codes_come_back_from_planes(arity: list[int], rows: int, seed: int, more: st.DataObject) -> None:
    """Of any variables in any order, whole, from a word on, or rows one by one."""
    codes = drawn(arity, rows, seed)
    planes = build_planes(codes, np.array(arity))
    which = more.draw(st.lists(st.integers(0, len(arity) - 1), max_size=6))
    begin = 64 * more.draw(st.integers(0, rows // 64))
    end = more.draw(st.integers(begin, rows))
    assert (decoded(planes, which, begin, end) == codes[which, begin:end]).all()
    some = np.array(more.draw(st.lists(st.integers(0, rows - 1), max_size=2 * rows)), dtype=np.int64)
    assert (picked(planes, some) == codes[:, some]).all()
    assert picked(planes, some).dtype == codes.dtype


@pytest.mark.parametrize("levels", [1, 2, 256, 257])
def test_codes_of_planes_have_the_smallest_type(levels: int) -> None:
    """Also of a variable with few levels beside one with many."""
    codes = drawn([levels, 2], 130, 1)
    found = block_of(codes, np.array([levels, 2])).codes([1], 0, 130)
    assert found.dtype == codes.dtype and (found == codes[[1]]).all() and not found.flags.writeable


@given(st.integers(1, 3000), st.integers(1, 9), st.integers(1, 20))
def test_parts_have_every_row_once(rows: int, many: int, step: int) -> None:
    """In order, and none is empty."""
    block = Block(lambda: build_planes(drawn([2], rows, 0), np.array([2])), np.array([2]), rows)
    parts = block.parts(many, step)
    assert len(parts) <= many and all(one.first < one.last for one in parts)
    assert [row for one in parts for row in range(*one.rows)] == list(range(rows))


keys = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=0, max_size=20)


def _cells(rows: list[tuple[int, ...]], columns: int) -> Cells:
    seen = sorted(set(rows))
    table = np.array(seen, dtype=np.int64).reshape(len(seen), columns)
    return Cells(table, np.array([rows.count(one) for one in seen], dtype=np.int64))


@given(st.lists(keys, min_size=1, max_size=4), st.integers(1, 2), st.integers(1, 3))
def test_cells_of_several_blocks_are_those_of_all_rows(blocks: list[list], columns: int, first: int) -> None:
    """Rising, each once, counts added; in whatever groups they are put together."""
    parts = [[one[:columns] for one in rows] for rows in blocks]
    whole = _cells([one for rows in parts for one in rows], columns)
    each = [_cells(rows, columns) for rows in parts]
    left = [combined(each[:first])] + ([combined(each[first:])] if each[first:] else [])
    for found in (combined(each), combined(left)):
        assert found.keys.tolist() == whole.keys.tolist()
        assert found.counts.tolist() == whole.counts.tolist()


def test_what_is_combined_keeps_its_form() -> None:
    """Arrays are added without changing what came, lists and tuples item by item, None stays None."""
    one, two = np.arange(3), np.arange(3) * 10
    one.flags.writeable = two.flags.writeable = False
    assert combined([one, two, two]).tolist() == [0, 21, 42]
    assert one.tolist() == [0, 1, 2]
    found = combined([[one, (two, None)], [two, (two, None)]])
    assert isinstance(found, list) and isinstance(found[1], tuple)
    assert (found[0].tolist(), found[1][0].tolist(), found[1][1]) == ([0, 11, 22], [0, 20, 40], None)
    assert combined([one]) is one

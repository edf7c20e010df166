"""Counts are the same wherever the rows are: as codes, as planes alone, in several blocks, and with several threads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import execution
from engine.counting import requests
from engine.counting.requests import Request
from engine.data import memory_store
from engine.data.dataset import Dataset
from engine.data.memory_store import MemoryStore
from engine.data.store import Block, Store, combined
from tests.engine.data.blocks import block_of
from tests.engine.data.test_store import drawn


class Blocks(Store):
    """Rows in several blocks, each with an odd number of rows; and as little as a store has to do."""

    def __init__(self, codes: np.ndarray, arity: np.ndarray, rows: int, *, keep: bool = False) -> None:
        self.arity, self.n_rows = arity, codes.shape[1]
        parts = [np.ascontiguousarray(codes[:, i : i + rows]) for i in range(0, codes.shape[1], rows)]
        for one in parts:
            one.flags.writeable = False
        self.blocks = [block_of(one, arity) for one in parts]
        if keep:
            self.blocks = [
                Block(one.planes, arity, one.n_rows, part) for one, part in zip(self.blocks, parts, strict=True)
            ]
        self.rounds = 0

    def totals(self, function: Any, items: Sequence[Any], work: float = 0.0) -> list[Any]:
        self.rounds += 1
        return [combined([function(block, item) for block in self.blocks]) for item in items]

    def select(self, positions: Sequence[int]) -> Store:
        raise NotImplementedError

    def some(self, rows: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def digests(self) -> bytes:
        return b""


def over(store: Store) -> Dataset:
    """A data set over some rows."""
    names = [f"v{i}" for i in range(len(store.arity))]
    levels = {name: tuple(map(str, range(r))) for name, r in zip(names, store.arity.tolist(), strict=True)}
    return Dataset(tuple(names), levels, dict.fromkeys(names, "nominal"), store)


def everywhere(arity: list[int], rows: int, seed: int) -> dict[str, Dataset]:
    """The same rows in every place."""
    codes, levels = drawn(arity, rows, seed), np.array(arity, dtype=np.int64)
    whole = MemoryStore(levels, codes)
    doubled = np.repeat(drawn(arity, rows, seed + 1), 2, axis=0)
    doubled[::2] = codes  # ours are every second variable of a table
    wide = block_of(doubled, np.repeat(levels, 2))
    planes = wide.planes
    ours = type(planes)(planes.words, planes.starts[::2].copy(), planes.arity[::2].copy(), rows)
    return {
        "codes": over(whole),
        "planes": over(MemoryStore(levels, None, whole.planes)),
        "among others": over(MemoryStore(levels, None, ours)),
        "blocks": over(Blocks(codes, levels, max(1, rows // 3))),
        "blocks with codes": over(Blocks(codes, levels, max(1, rows // 2), keep=True)),
    }


def plain(answer: Any) -> Any:
    """Arrays and what holds them as lists, with their types."""
    if isinstance(answer, np.ndarray):
        return str(answer.dtype), answer.tolist()
    if isinstance(answer, requests.Additions):
        return plain([answer.candidates, answer.tables, answer.configurations])
    return [plain(one) for one in answer] if isinstance(answer, list | tuple) else answer


def questions(arity: list[int]) -> dict[str, Callable[[Dataset], Any]]:
    """Everything that can be asked."""
    last = len(arity) - 1
    few, many = (1,), tuple(range(1, last))
    candidates = np.array([last])
    planes = sum(r - 1 for r in arity)
    found: dict[str, Callable[[Dataset], Any]] = {
        "levels": requests.level_counts,
        "first pairs": lambda data: np.triu(requests.pair_counts(data, 0, min(3, planes)), 1),
        "later pairs": lambda data: np.triu(requests.pair_counts(data, planes // 2, planes), planes // 2 + 1),
    }
    for name, group in (("no", ()), ("few", few), ("many", many)):
        found |= {
            f"family of {name}": lambda data, group=group: requests.family_counts(data, 0, group),
            f"table of {name}": lambda data, group=group: requests.family_table(data, 0, group),
            f"additions to {name}": lambda data, group=group: requests.addition_counts(data, 0, group, candidates),
            f"sparse to {name}": lambda data, group=group: requests.sparse_additions(data, 0, group, candidates),
            f"observed of {name}": lambda data, group=group: requests.observed_counts(data, group),
            f"strata of {name}": lambda data, group=group: requests.strata_counts(data, [(*group, 0, last)]),
        }
    return found


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from([2, 2, 3, 4, 9, 40]), min_size=3, max_size=7),
    st.integers(1, 500),
    st.integers(0, 99),
    st.sampled_from([1, 2, 60, 1 << 16]),
)
def test_every_question_has_one_answer(arity: list[int], rows: int, seed: int, most: int) -> None:
    """To the last bit, whatever is counted whole and whatever by what occurs."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(requests, "_MOST_SPARSE_TABLE", most)
        patched.setattr(requests, "_most", lambda data: max(min(4 * data.n_rows, most), most))
        patched.setattr(memory_store, "_WORTH", 1.0)
        places = everywhere(arity, rows, seed)
        for name, ask in questions(arity).items():
            with execution.using(1):
                expected = plain(ask(places["codes"]))
            for place, data in places.items():
                for threads in (1, 3):
                    with execution.using(threads):
                        assert plain(ask(data)) == expected, (name, place, threads)


def slow(data: Dataset, group: Sequence[int]) -> Counter:
    """Rows of every cell, by walking the rows."""
    return Counter(tuple(column) for column in data.codes[list(group)].T.tolist())


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from([2, 3, 5, 30]), min_size=3, max_size=6), st.integers(1, 200), st.integers(0, 99))
def test_answers_are_those_of_a_walk(arity: list[int], rows: int, seed: int) -> None:
    """Observed cells, sparse additions and strata, in mixed-radix order."""
    places = everywhere(arity, rows, seed)
    data, group = places["codes"], tuple(range(1, len(arity)))
    expected = slow(data, group)
    for one in places.values():
        cells, counts = requests.observed_counts(one, group)
        assert [tuple(cell) for cell in cells.tolist()] == sorted(expected)
        assert counts.tolist() == [expected[cell] for cell in sorted(expected)]
        assert cells.dtype == counts.dtype == np.int64
        table = requests.sparse_additions(one, 0, group[:-1], np.array([group[-1]]))[0]
        whole = slow(data, (*group, 0))
        assert table.tolist() == [[whole[*cell, k] for k in range(arity[0])] for cell in sorted(expected)]
        strata = requests.strata_counts(one, [(*group[1:], 0, 1)])[0]
        tables = slow(data, (*group[1:], 0, 1))
        seen = strata[strata.any(axis=(1, 2))]
        for stratum, found in zip(sorted({cell[:-2] for cell in tables}), seen, strict=True):
            assert found.tolist() == [[tables[*stratum, i, j] for j in range(arity[1])] for i in range(arity[0])]


def test_strata_are_numbered_as_rows_are() -> None:
    """Also those that no row has: sums over them add up in the same order."""
    for rows in (3, 20, 200, 2_000):
        data = everywhere([3, 2, 5, 4, 3, 6], rows, rows)["codes"]
        for group in ((), (2,), (2, 3), (2, 3, 4), (2, 3, 4, 5)):
            code, many = requests.configuration_codes(data, group)
            cells = (code * 3 + data.codes[0]) * 2 + data.codes[1]
            expected = np.bincount(cells, minlength=many * 6).reshape(many, 3, 2)
            assert requests.strata_counts(data, [(*group, 0, 1)])[0].tolist() == expected.tolist()


def test_keys_never_overflow() -> None:
    """Forty variables of four levels are told apart by more than one number; blocks agree with the whole."""
    places = everywhere([4] * 42, 300, 0)
    parents, data = tuple(range(1, 41)), places["codes"]
    expected = slow(data, parents)
    for one in places.values():
        cells, counts = requests.observed_counts(one, parents)
        assert [tuple(cell) for cell in cells.tolist()] == sorted(expected)
        assert counts.sum() == 300
        found = requests.addition_counts(one, 0, parents, np.array([41]))
        assert found is not None and found.configurations == len(expected)
        table = found.tables[0].reshape(len(expected), 4, 4)
        whole = slow(data, (*parents, 0, 41))
        assert all(
            table[j, cell[-2], cell[-1]] == whole[cell] for cell in whole for j in [sorted(expected).index(cell[:-2])]
        )


def test_many_requests_are_one_pass() -> None:
    """And one more where the parent configurations that occur have to be found first."""
    codes, arity = drawn([3, 4, 2, 40, 50, 60], 400, 1), np.array([3, 4, 2, 40, 50, 60])
    store = Blocks(codes, arity, 150)
    data, whole = over(store), over(MemoryStore(arity, codes))
    asked = [Request(0, (1,), np.array([2, 3])), Request(2, (), np.array([0, 1])), Request(1, (0, 2), np.array([3]))]
    assert plain(requests.many_addition_counts(data, asked)) == plain(requests.many_addition_counts(whole, asked))
    assert store.rounds == 1
    asked += [Request(0, (3, 4), np.array([1, 2])), Request(0, (3, 4, 5), np.array([1]))]
    found = requests.many_addition_counts(data, asked)
    assert plain(found) == plain(requests.many_addition_counts(whole, asked))
    assert store.rounds == 3
    families = [(0, (1, 2)), (1, ()), (2, (3, 4))]
    assert plain(requests.many_family_counts(data, families)) == plain(
        [requests.family_counts(whole, child, parents) for child, parents in families]
    )
    assert store.rounds == 4
    assert requests.many_addition_counts(data, []) == []
    assert store.rounds == 4


def test_tables_too_sparse_are_none_wherever_the_rows_are() -> None:
    """By the number of all rows, not of a block's."""
    for rows, there in ((16_000, False), (17_000, True)):
        codes, arity = drawn([2, 200, 2, 85], rows, 1), np.array([2, 200, 2, 85])
        for store in (MemoryStore(arity, codes), Blocks(codes, arity, 1_000)):
            found = requests.addition_counts(over(store), 0, (1, 2), np.array([3]))
            assert (found is not None) == there

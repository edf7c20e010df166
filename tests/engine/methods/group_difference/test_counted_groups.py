"""A comparison of rows that are only counted says what the same rows in memory say, to the last bit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from engine.counting.subset_store import RowSubset, part_of
from engine.data.digest import ROWS
from engine.data.store import Block
from engine.data.stored.disk_store import DiskStore
from engine.errors import DataError
from engine.methods.group_difference.average import families
from tests.engine.data.stored.make import frame_of_levels, parquet, stored

BIG = 2 * ROWS + 1_234


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[engine.Dataset, engine.Dataset]:
    """The same rows in memory and on disk, in several blocks; a level of 'arm' is rare."""
    folder = tmp_path_factory.mktemp("both")
    table = frame_of_levels(BIG)
    path, chosen = (
        parquet(folder, table),
        engine.Dataset.from_frame(table.head(3_000), kinds={"pain": "ordinal"}).recipe,
    )
    return chosen.apply(engine.read_table(table)), stored(path, chosen, folder / "stored")


def evidence(result: Any) -> str:
    """All that is saved of an answer but what only rows in memory say: of rows that were left out or look related."""
    written: str = replace(result, made=replace(result.made, rows=()), left_out="").to_json()
    return written


CASES: list[dict[str, Any]] = [
    {"group": "sex"},
    {"group": "sex", "score": engine.K2(), "p_none": 0.2},
    {"group": "sex", "average": "none", "search": "hill_climbing"},
    {"group": "arm", "groups": ("a", "c")},
    {"group": "arm", "groups": ("b",), "max_parents": 5},
    {"group": "ill", "knowledge": engine.Knowledge(forbidden=[("age", "sex")], required=[("sex", "pain")])},
]


@pytest.mark.parametrize("choices", CASES)
def test_the_answer_has_the_same_bits(
    both: tuple[engine.Dataset, engine.Dataset], choices: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is saved: sums over orders, blocks, permutations, three networks; in memory by tables and row by row."""
    memory, disk = both
    method = engine.GroupDifference(**choices)
    by_tables = evidence(method.run(memory))
    monkeypatch.setattr(families, "MANY_ROWS", BIG + 1)
    assert evidence(method.run(disk)) == by_tables == evidence(method.run(memory))


def test_levels_that_neither_group_has_are_dropped(tmp_path: Path) -> None:
    """The first, one in the middle and the last; wherever the other groups have them."""
    rng = np.random.default_rng(0)
    codes = np.stack([rng.integers(0, 3, 900), rng.integers(0, 5, 900), rng.integers(0, 3, 900)])
    codes[1, codes[0] < 2] = np.array([1, 3])[codes[1, codes[0] < 2] % 2]
    codes[2, codes[0] < 2] = 0
    table = engine.Dataset.from_codes(codes, [["p", "q", "r"], 5, 3], ["group", "x", "y"]).to_frame()
    memory = engine.Dataset.from_frame(table.astype(str), kinds=dict.fromkeys(table, "nominal"))
    disk = stored(parquet(tmp_path, table.astype(str)), memory.recipe, tmp_path / "stored")
    method = engine.GroupDifference("group", groups=("p", "q"))
    result = method.run(disk)
    assert result.dropped == {"x": ("0", "2", "4"), "y": ("1", "2")}
    assert evidence(result) == evidence(method.run(memory))


def test_large_families_are_counted_where_rows_are(tmp_path: Path) -> None:
    """Of more cells than a table has: only those that occur, with equal words and numbers to rounding."""
    rng = np.random.default_rng(2)
    codes = np.vstack([rng.integers(0, 9, (5, 3_000)), rng.integers(0, 2, (1, 3_000))])
    codes[1] = np.where(codes[5] == 1, codes[0], codes[1])
    data = engine.Dataset.from_codes(codes, [9] * 5 + [2], ["a", "b", "c", "d", "e", "group"])
    memory = engine.Dataset.from_frame(data.to_frame().astype(str))
    disk = stored(parquet(tmp_path, data.to_frame().astype(str)), memory.recipe, tmp_path / "stored")
    method = engine.GroupDifference("group", max_parents=4)
    here, there = method.run(memory), method.run(disk)
    assert here.posterior is not None and there.posterior is not None
    assert np.allclose(here.posterior.log_odds, there.posterior.log_odds, rtol=1e-9)
    assert here.variables()["verdict"].tolist() == there.variables()["verdict"].tolist()


def test_one_pass_counts_all_families(
    both: tuple[engine.Dataset, engine.Dataset], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both groups in the same pass, and what is said of the variables afterwards takes no other."""
    _, disk = both
    passes: list[str] = []
    before = DiskStore.totals
    monkeypatch.setattr(
        DiskStore,
        "totals",
        lambda self, function, items, work=0.0: passes.append(function.__name__) or before(self, function, items, work),
    )
    result = engine.GroupDifference("sex", average="orders", search="thick_thinning", max_parents=3).run(disk)
    late = [str(words) for words in passes]
    assert result.average is not None and late[-1] == "answer_for_part"
    joint = [k for k, words in enumerate(passes) if words == "answer_for_part"]
    assert len(passes) - 1 == joint[-1]  # the tables come last: nothing is counted for what is said of them


def test_a_pass_tells_its_blocks_and_can_be_cancelled(both: tuple[engine.Dataset, engine.Dataset]) -> None:
    """The fraction rises with each block of the pass; what progress raises ends it at the next."""
    _, disk = both
    reports: list[tuple[float, str]] = []
    method = engine.GroupDifference("sex", max_parents=2)
    with engine.execution.using(1):
        method.run(disk, progress=lambda fraction, words: reports.append((fraction, words)))
    counting = [(fraction, words) for fraction, words in reports if words.startswith("counting ")]
    assert [words.rpartition(": ")[2] for _, words in counting[1:]] == ["block 1 of 2", "block 2 of 2"]
    fractions = [fraction for fraction, _ in counting]
    assert fractions == sorted(set(fractions))
    assert [fraction for fraction, _ in reports] == sorted(fraction for fraction, _ in reports)

    class Stopped(Exception):
        """Somebody has cancelled."""

    def stop(_: float, words: str) -> None:
        if "block 1" in words:
            raise Stopped

    with engine.execution.using(1), pytest.raises(Stopped):
        method.run(disk, progress=stop)


def test_parts_of_a_block_are_its_rows() -> None:
    """Any levels of a variable, the last and all among them, from any word on."""
    rng = np.random.default_rng(3)
    arity = np.array([3, 4, 1, 2])
    codes = np.stack([rng.integers(0, r, 1_000) for r in arity])
    data = engine.Dataset.from_codes(codes, arity.tolist(), ["a", "b", "c", "d"])
    for wanted in ((0,), (2,), (0, 2), (0, 1, 2), ()):
        for first, last in ((0, 16), (3, 7), (15, 16)):
            block = Block(data.planes, arity, 1_000, None, (first, last))
            part = part_of(block, RowSubset(0, wanted, (3, 1), ((0, 1), (0, 1, 2, 3))))
            inside = np.isin(codes[0], wanted) & (np.arange(1_000) // 64 >= first) & (np.arange(1_000) // 64 < last)
            assert part.n_rows == inside.sum()
            assert np.array_equal(part.codes([0, 1], 0, part.n_rows), codes[[3, 1]][:, inside])


def test_what_shuffles_rows_refuses(both: tuple[engine.Dataset, engine.Dataset]) -> None:
    """In one sentence; another score needs counts only."""
    memory, disk = both
    method = engine.GroupDifference("sex")
    for call in (method.null, method.stability):
        with pytest.raises(DataError, match=r"needs the rows one by one.*take a sample of them"):
            call(disk)
    assert method.check_score(disk).probabilities.equals(method.check_score(memory).probabilities)


def test_groups_that_are_not_there_are_refused_alike(both: tuple[engine.Dataset, engine.Dataset]) -> None:
    """A level or a group that does not exist."""
    for choices in ({"group": "sex", "groups": ("x", "f")}, {"group": "none"}):
        said = []
        for data in both:
            with pytest.raises(DataError) as caught:
                engine.GroupDifference(**choices).run(data)  # type: ignore[arg-type]
            said.append(str(caught.value))
        assert said[0] == said[1]

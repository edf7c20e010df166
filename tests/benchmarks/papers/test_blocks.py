"""Blocks on any workers: kept as they end, taken up after a kill, the same table however they were run."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pandas as pd
import pytest

from benchmarks.papers.blocks import SECONDS, Running, run_blocks
from benchmarks.papers.group_difference.plan import Plan
from benchmarks.papers.group_difference.study import GroupDifferenceStudy
from engine import execution
from engine.errors import Cancelled, SettingsError

SMALL = {"draws": [1], "sizes": [100, 200], "pairs": 1, "repeats": 2, "lasso": False}


def figures(running: Running, **changed: object) -> pd.DataFrame:
    """All rows of the study without the time they took."""
    return GroupDifferenceStudy.run(**SMALL | changed, running=running).rows.drop(columns=SECONDS)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def whole() -> pd.DataFrame:
    """What a run gives that nothing stopped."""
    return figures(Running())


def test_a_cancelled_run_keeps_what_it_has(tmp_path: Path, whole: pd.DataFrame) -> None:
    """Cancelled at the third block: three files; the run after it works on five, then a third run on none."""

    def stop(fraction: float, words: str) -> None:
        if words == "blocks: 3 of 8":
            raise Cancelled

    with pytest.raises(Cancelled):
        figures(Running(keep=tmp_path, progress=stop))
    assert len(list(tmp_path.glob("*/*.json"))) == 3
    for left in (5, 0):
        seen: list[float] = []
        again = figures(Running(keep=tmp_path, progress=lambda fraction, words, seen=seen: seen.append(fraction)))
        pd.testing.assert_frame_equal(again, whole, check_exact=True)
        assert len(seen) == left + 1  # the first says what was done before
        assert seen == sorted(seen) and all(3 / 8 <= one <= 1 for one in seen)


def test_another_plan_takes_up_nothing(tmp_path: Path) -> None:
    """Another seed has its own blocks; the first ones stay."""
    first = figures(Running(keep=tmp_path))
    assert not figures(Running(keep=tmp_path), seed=1).equals(first)
    assert len(list(tmp_path.glob("*"))) == 2


def test_the_same_plan_with_other_blocks_takes_up_nothing(tmp_path: Path) -> None:
    """Blocks are kept by their place: in another order, or of another size, each is worked on anew."""
    plan, running = Plan(sets=("balance-scale",)), Running(keep=tmp_path)

    def named(block: object) -> tuple[list[dict[str, object]], dict[str, float]]:
        return [{"block": str(block)}], {}

    for blocks in ((("a", 1), ("b", 1)), (("b", 1), ("a", 1)), (("a", 2), ("b", 2))):
        found = run_blocks(named, blocks, plan, running, words="blocks")
        assert [rows[0]["block"] for rows, _ in found] == [str(block) for block in blocks]


def test_a_damaged_block_is_worked_on_again(tmp_path: Path, whole: pd.DataFrame) -> None:
    """Half a file, or another file under its name, is no outcome."""
    figures(Running(keep=tmp_path))
    one, two = sorted(tmp_path.glob("*/*.json"))[:2]
    one.write_text(one.read_text(encoding="utf-8")[:100], encoding="utf-8")
    two.write_text(json.dumps(["rows"]), encoding="utf-8")
    seen: list[str] = []
    again = figures(Running(keep=tmp_path, progress=lambda fraction, words: seen.append(words)))
    pd.testing.assert_frame_equal(again, whole, check_exact=True)
    assert seen == ["blocks: 6 of 8", "blocks: 7 of 8", "blocks: 8 of 8"]


def test_a_cluster_that_is_not_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody listens on that port; no long wait either."""
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    monkeypatch.setattr(execution, "PATIENCE", 1)
    start = time.monotonic()
    with pytest.raises(SettingsError, match=r"No Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"):
        figures(Running(cluster="tcp://127.0.0.1:9"))
    assert time.monotonic() - start < 30

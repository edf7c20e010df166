"""A comparison of rows that belong together and are only counted says what it says of them in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import engine
from engine.methods.group_difference.rows import clusters
from tests.engine.data.stored.make import frame_of_levels, parquet, stored
from tests.engine.methods.group_difference.test_clusters_on_disk import both, evidence

__all__ = ["both"]


@pytest.mark.parametrize(
    "choices",
    [{"group": "sex"}, {"group": "arm", "groups": ("b",), "score": engine.K2(), "knowledge": engine.Knowledge()}],
)
def test_the_answer_has_the_same_bits(
    both: tuple[engine.Dataset, ...], choices: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is saved; also where counts by unit have to be taken in many passes."""
    memory, disk = both
    method = engine.GroupDifference(**choices)
    expected = method.run(memory)
    assert expected.clusters is not None and expected.clusters.alone > 0
    monkeypatch.setattr(clusters, "MOST_BYTES", 2_000_000)
    assert evidence(method.run(disk)) == evidence(expected)


def test_subjects_of_one_row_each_change_nothing(tmp_path: Path) -> None:
    """As in memory."""
    table = frame_of_levels(900).assign(who=[f"p{k}" for k in range(900)])
    memory = engine.Dataset.from_frame(table, roles={"who": "subject"})
    disk = stored(parquet(tmp_path, table), memory.recipe, tmp_path / "stored")
    result = engine.GroupDifference("sex").run(disk)
    assert result.clusters is None and disk.subject_count is None
    assert evidence(result) == evidence(engine.GroupDifference("sex").run(memory))

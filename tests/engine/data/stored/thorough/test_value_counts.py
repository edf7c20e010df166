"""One pass over rows on disk decides what the table in memory decides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import engine
from tests.engine.data.stored.make import parquet
from tests.engine.data.stored.test_value_counts import everything

CHOICES: list[dict[str, Any]] = [
    {},
    {"kinds": {"score": "continuous", "exact": "nominal", "when": "continuous"}, "bins": 4},
    {"bins": {"score": 5, "age": [40.5, 60]}, "binning": {"score": "width"}, "rare": 200},
    {
        "missing_tokens": {"dose": ["-9"]},
        "missing": "level",
        "kinds": {"dose": "continuous"},
        "merge": {"arm": {"c": "b"}},
    },
    {"roles": {"arm": "group", "ill": "outcome", "row": "identifier"}, "levels": {"arm": ["c", "b", "a"]}},
]


@pytest.mark.parametrize("choices", CHOICES)
@pytest.mark.parametrize("files", [1, 3])
def test_a_pass_decides_what_the_table_in_memory_decides(tmp_path: Path, choices: dict[str, Any], files: int) -> None:
    """Kinds, levels in order, cut points, merges; and the reasons, row numbers and counts of the report."""
    table = everything(6_000)
    path = parquet(tmp_path, table, files=files, row_group=700)
    memory = engine.Dataset.from_frame(engine.read_table(table), **choices)
    recipe = engine.Recipe.from_parquet(path, **choices)
    assert recipe.columns == memory.recipe.columns
    assert recipe == memory.recipe
    disk = engine.Dataset.from_parquet(path, engine.Recipe(**choices), folder=tmp_path / "stored")
    assert disk.fingerprint == memory.fingerprint
    assert disk.report is not None and memory.report is not None
    told, expected = disk.report.to_dict(), memory.report.to_dict()
    assert told["suggestions"] == expected["suggestions"]
    for own, other in zip(told["columns"], expected["columns"], strict=True):
        assert own == {**other, "missing_tokens": own["missing_tokens"]}

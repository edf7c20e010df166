"""What a kept folder says of its rows is what was written, or it is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.data.stored.manifest import digest_of
from engine.errors import DataError
from tests.engine.data.stored.make import frame, parquet, recipe

INFINITE = float("inf")


def rows_less(written: Any) -> None:
    written["rows"] -= 1


def one_name_twice(written: Any) -> None:
    written["recipe"]["columns"][1]["name"] = written["recipe"]["columns"][0]["name"]


def levels_swapped(written: Any) -> None:
    written["recipe"]["columns"][0]["levels"].reverse()


def blocks_of_another_length(written: Any) -> None:
    written["block_rows"] //= 2


def role_of_nobody(written: Any) -> None:
    written["recipe"]["roles"] = {"sex": "group"}


def report_of_texts(written: Any) -> None:
    written["report"]["rows_read"] = "many"


def report_without_end(written: Any) -> None:
    written["report"]["rows_read"] = INFINITE


def rows_without_end(written: Any) -> None:
    written["rows"] = INFINITE


def levels_without_end(written: Any) -> None:
    written["arity"][0] = INFINITE


def other_digest(written: Any) -> None:
    written["digest"] = 7


CHANGES = [
    rows_less,
    one_name_twice,
    levels_swapped,
    blocks_of_another_length,
    role_of_nobody,
    report_of_texts,
    report_without_end,
    rows_without_end,
    levels_without_end,
    other_digest,
]
CONTRADICTIONS = [rows_less, one_name_twice, rows_without_end, levels_without_end]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that was kept."""
    folder = tmp_path_factory.mktemp("manifest")
    engine.Dataset.from_parquet(parquet(folder, frame(3_000)), recipe(), folder=folder / "kept", keep=True)
    return folder / "kept"


def refused(kept: Path, change: Callable[[Any], None], signed: bool) -> str:
    """What is said of a manifest that somebody changed, with or without its digest."""
    manifest = kept / "table.json"
    before = manifest.read_text(encoding="utf-8")
    written = json.loads(before)
    change(written)
    if signed:
        written["digest"] = digest_of(written)
    manifest.write_text(json.dumps(written), encoding="utf-8")
    try:
        with pytest.raises(DataError) as caught:
            engine.Dataset.open_stored(kept)
    finally:
        manifest.write_text(before, encoding="utf-8")
    return str(caught.value)


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_noticed(kept: Path, change: Callable[[Any], None]) -> None:
    """Whatever it is about: the planes are only half of what is counted."""
    assert refused(kept, change, signed=False) == "'table.json' in 'kept' is damaged; read the table again."


@pytest.mark.parametrize("change", CONTRADICTIONS)
def test_what_contradicts_itself_is_refused(kept: Path, change: Callable[[Any], None]) -> None:
    """Also by somebody who made the digest fit."""
    assert "damaged" in refused(kept, change, signed=True)


def test_it_is_opened_as_it_was_written(kept: Path) -> None:
    """Again and again."""
    assert engine.Dataset.open_stored(kept).fingerprint == engine.Dataset.open_stored(kept).fingerprint

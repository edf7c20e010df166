"""Stored files open, and say what they said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import engine
from engine.methods.result import Result
from engine.project.file import to_bytes
from tests.contract.brings import OURS
from tests.engine.project.stored.make import HERE, contents

FILES = sorted(HERE.glob("*.diptych"))
MOST_BYTES = 400_000
"""Of all together, since they stay for good."""


def test_there_are_files_of_every_method() -> None:
    """Small ones."""
    assert sum(path.stat().st_size for path in HERE.iterdir() if path.is_file()) < MOST_BYTES
    choices = engine.load(HERE / "choices.diptych")
    assert isinstance(choices, engine.Project)
    assert {one.result.slug for one in choices.analyses} == set(OURS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_stored_file_opens_and_says_what_it_said(path: Path) -> None:
    """Edges and verdicts to the letter; every answer has its headline, and can be saved again."""
    found = engine.load(path)
    told = json.loads((HERE / f"{path.stem}.json").read_text(encoding="utf-8"))
    assert contents(found) == told
    answers = [found] if isinstance(found, Result) else [one.result for one in found.analyses]
    data = found.data() if isinstance(found, engine.Project) else None
    for answer in answers:
        assert data is None or data.is_of(answer.fingerprint)  # which may have a digest of another kind
        assert answer.headline().endswith(".")
        assert answer.summary()
    assert engine.load(to_bytes(found)) == found

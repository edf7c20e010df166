"""Files of this and of older versions open, and say what they said."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest

import engine
from engine.methods.group_difference.result import GroupDifferenceResult
from engine.methods.result import Result
from engine.project.file import NEWEST, to_bytes
from tests.contract.brings import OURS
from tests.engine.project.stored.make import HERE, contents

FILES = sorted(HERE.glob("version-*.diptych"))
MOST_BYTES = 400_000
"""Of all together, since they stay for good."""


def test_there_are_files_of_every_version_and_method() -> None:
    """Small ones; a new version of the file has to leave some."""
    versions = {int(path.name.split("-")[1]) for path in FILES}
    assert versions == set(range(1, NEWEST + 1))
    assert sum(path.stat().st_size for path in HERE.iterdir() if path.is_file()) < MOST_BYTES
    newest = engine.load(HERE / f"version-{NEWEST}-choices.diptych")
    assert isinstance(newest, engine.Project)
    assert {one.result.slug for one in newest.analyses} == set(OURS)


def by_one_rule(path: zipfile.Path, told: dict[str, Any]) -> dict[str, Any]:
    """What a file holds, without verdicts on groups from before orders were averaged: they are by another rule now."""
    if path.stem == "version-2-averaged":
        return told
    parts = [told, *told.get("analyses", {}).values()]
    for part in parts:
        if part.get("method") == "group_difference":
            del part["verdicts"]
    return told


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_stored_file_opens_and_says_what_it_said(path: zipfile.Path) -> None:
    """Edges and verdicts to the letter; every answer has its headline, and can be saved again."""
    found = engine.load(path)  # type: ignore[arg-type]
    told = json.loads((HERE / f"{path.stem}.json").read_text(encoding="utf-8"))
    assert by_one_rule(path, contents(found)) == by_one_rule(path, told)
    answers = [found] if isinstance(found, Result) else [one.result for one in found.analyses]
    data = found.data() if isinstance(found, engine.Project) else None
    for answer in answers:
        assert data is None or data.is_of(answer.fingerprint)  # which may have a digest of another kind
        assert answer.headline().endswith(".")
        assert answer.summary()
    assert engine.load(to_bytes(found)) == found


def test_an_older_comparison_rests_on_the_single_order_it_was_made_with() -> None:
    """It says so in its notes, and another prior of the paper's is read off it as before."""
    found = engine.load(HERE / "version-1-groups.diptych")
    assert isinstance(found, GroupDifferenceResult)
    assert found.method.average == "none"
    assert any("One order only" in note for note in found.notes())
    assert (found.with_prior(0.9999).log_odds < found.log_odds).all()


def test_the_stored_files_are_of_the_version_they_are_called() -> None:
    """As they say of themselves; those of version 1 have a packed array, which is still read."""
    packed = []
    for path in FILES:
        with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as whole:
            assert json.loads(whole.read("about.json"))["version"] == int(path.name.split("-")[1])
            packed += [path.stem for name in whole.namelist() if name.startswith("arrays/")]
    assert "version-1-cohort" in packed

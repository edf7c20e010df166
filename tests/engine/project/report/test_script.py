"""The script of a result runs, and gives the result again."""

from __future__ import annotations

from pathlib import Path

import pytest

import sample_data
from engine.project.report.write import script_of
from tests.engine.project.report.answers import KINDS, SAMPLES, answer


@pytest.mark.parametrize("kind", [one for one in KINDS if one != "ordinal with strength"])
def test_a_script_is_python(kind: str) -> None:
    """Whatever was asked."""
    compile(script_of(answer(kind)), kind, "exec")


@pytest.mark.parametrize("kind", ["log_linear", "patient with a target"])
def test_a_script_gives_the_same(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Headline for headline, from the file."""
    key = SAMPLES.get(kind, "cough_and_smoke")
    path = tmp_path / "table.csv"
    path.write_bytes(sample_data.catalog.file_bytes(f"{key}.csv"))
    exec(script_of(answer(kind), str(path)), {})  # noqa: S102 - it is our own
    assert capsys.readouterr().out.startswith(answer(kind).summary())

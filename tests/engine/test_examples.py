"""The examples in the engine's docstrings run, and print what they say."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import engine
import sample_data

NAMES = {"engine": engine, "sample_data": sample_data}
"""What a script has imported before."""
ROOT = Path(engine.__file__).parent
SHOWN = [file for file in sorted(ROOT.rglob("*.py")) if ">>> " in file.read_text(encoding="utf-8")]


@pytest.mark.parametrize("file", SHOWN, ids=lambda file: str(file.relative_to(ROOT)))
def test_the_examples_of_a_module_run(file: Path) -> None:
    """As a script would write them: with `engine`, `sample_data` and the names of the module."""
    parts = ("engine", *file.relative_to(ROOT).with_suffix("").parts)
    found = doctest.testmod(importlib.import_module(".".join(parts).removesuffix(".__init__")), extraglobs=NAMES)
    assert found.attempted and not found.failed

"""A sixth method turns no test red: those that walk over the registry, with that of docs/adding-a-method.md in it."""

from __future__ import annotations

import re
import subprocess
import sys

from tests.floor.tree import ROOT

WALKS = re.compile(r"\bMETHODS\b|tests\.contract\.brings")
"""What a test file says that walks over the registry."""


def test_a_sixth_method_turns_no_test_red() -> None:
    """In a process of its own, where it is registered before anything is collected."""
    files = sorted(
        str(file.relative_to(ROOT))
        for file in (ROOT / "tests").rglob("test_*.py")
        if file.parent.name != "thorough" and WALKS.search(file.read_text(encoding="utf-8"))
    )
    assert len(files) >= 10
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "tests.contract.sixth", *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]

"""Who may import whom: the contracts of `.importlinter`, no circle, and every import of ours at the top of its file."""

from __future__ import annotations

import subprocess
import sys

import networkx as nx

from tests.floor.tree import ROOT, arrows, foreign

DRAWS = {"streamlit", "pyvis", "plotly"}


def test_rooms_import_only_those_below() -> None:
    """The storeys are drawn in `.importlinter`; imports for the type checker and inside functions count."""
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"  # it sets up logging anew
    command = [sys.executable, "-c", program, "--no-cache"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout


def test_the_engine_draws_nothing() -> None:
    """No engine module imports anything that puts things on a screen; charts have Plotly when they are called."""
    drawn = [one for one in foreign() if one.source.startswith("engine") and one.target in DRAWS]
    called = {one for one in drawn if one.target == "plotly"}
    called = {one for one in called if one.typing or (one.inner and one.source.startswith("engine.telling.charts"))}
    assert not [str(one) for one in drawn if one not in called]


def test_no_circle_of_imports() -> None:
    """No file imports, by whatever way round, a file that imports it; types count."""
    graph = nx.DiGraph((one.source, one.target) for one in arrows())
    assert not [sorted(circle) for circle in nx.strongly_connected_components(graph) if len(circle) > 1]


def test_imports_of_ours_stand_at_the_top() -> None:
    """Inside functions only heavy libraries are imported, never to hide a circle."""
    assert not [str(one) for one in arrows() if one.inner]

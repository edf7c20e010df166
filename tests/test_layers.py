"""The walls of the house: who may import whom, how light the engine is, how long a file may be."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import engine

ROOT = Path(__file__).parents[1]
ENGINE = sorted((ROOT / "engine").rglob("*.py"))
DASHBOARD = sorted((ROOT / "dashboard").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def imported(file: Path) -> set[str]:
    """The top-level packages a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("file", ENGINE, ids=lambda f: str(f.relative_to(ROOT)))
def test_the_engine_knows_no_dashboard(file: Path) -> None:
    """No engine module imports the dashboard or anything that draws."""
    assert not imported(file) & {"dashboard", "streamlit", "pyvis", "plotly", "sample_data"}


@pytest.mark.parametrize("file", sorted((ROOT / "dashboard" / "app_pages").glob("*.py")), ids=lambda f: f.name)
def test_pages_compute_nothing(file: Path) -> None:
    """A page imports no numerical library; it chooses, runs and shows."""
    assert not imported(file) & {"numpy", "scipy", "sklearn", "numba", "networkx"}


def test_importing_the_engine_is_light() -> None:
    """`import engine` loads none of the heavy libraries."""
    heavy = ["pandas", "sklearn", "scipy", "streamlit", "numba", "networkx", "plotly", "pyvis", "joblib"]
    code = f"import sys, engine; print([name for name in {heavy!r} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert shown.stdout.strip() == "[]"


@pytest.mark.parametrize("file", ENGINE + DASHBOARD + TESTS, ids=lambda f: str(f.relative_to(ROOT)))
def test_no_file_passes_400_lines(file: Path) -> None:
    """A longer file asks to become a folder."""
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 400


def test_public_names_are_those_promised() -> None:
    """What scripts rely on is there, and nothing else is public."""
    assert sorted(engine.__all__) == sorted(
        [
            "GES",
            "K2",
            "METHODS",
            "BDeu",
            "Cancelled",
            "DataError",
            "Dataset",
            "DiptychError",
            "Exact",
            "GroupDifference",
            "HillClimbing",
            "InstanceSpecific",
            "Knowledge",
            "LogLinear",
            "SettingsError",
            "ThickThinning",
            "instance_score",
            "learn",
            "load",
            "log_score",
            "read_table",
            "save",
        ]
    )
    assert all(hasattr(engine, name) for name in engine.__all__)


def test_readme_commands_and_changelog_fit_the_package() -> None:
    """The README has both set-up commands, and the changelog names the version."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(r"^python3 -m venv .*diptych$", readme, re.MULTILINE)
    assert re.search(r"^python3 -m venv .*pytest$", readme, re.MULTILINE)
    version = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert version is not None
    assert f"## {version[1]}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

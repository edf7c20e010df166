"""The package as a whole: how light its import is, what is public, what README and changelog say of it."""

from __future__ import annotations

import re
import subprocess
import sys

import engine
from tests.floor.tree import ROOT


def test_importing_the_engine_is_light() -> None:
    """`import engine` loads none of the heavy libraries."""
    heavy = ["pandas", "sklearn", "scipy", "streamlit", "numba", "networkx", "plotly", "pyvis", "joblib"]
    code = f"import sys, engine; print([name for name in {heavy!r} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert shown.stdout.strip() == "[]"


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
            "Recipe",
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

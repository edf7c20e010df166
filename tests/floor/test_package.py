"""The package as a whole: how light its import is, what is public, what README and changelog say of it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys

import engine
from tests.floor.tree import ROOT


def loaded_by(program: str) -> list[str]:
    """The heavy libraries that a fresh interpreter has loaded after a program."""
    heavy = ["pandas", "sklearn", "scipy", "streamlit", "numba", "networkx", "plotly", "pyvis", "joblib", "pyarrow"]
    code = f"{program}; import sys; print([name for name in {heavy!r} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return list(ast.literal_eval(shown.stdout.strip()))


def test_importing_the_engine_is_light() -> None:
    """`import engine` loads none of the heavy libraries."""
    assert loaded_by("import engine") == []


def test_naming_everything_public_is_light() -> None:
    """Nor does any public name, until it is used on a table."""
    assert loaded_by("import engine; [getattr(engine, name) for name in engine.__all__]") == []


def test_public_names_are_those_promised() -> None:
    """What scripts rely on is there, and nothing else is public."""
    assert sorted(engine.__all__) == sorted(
        [
            "GES",
            "K2",
            "METHODS",
            "PC",
            "BDe",
            "BDeu",
            "BGe",
            "Best",
            "Cancelled",
            "DataError",
            "Dataset",
            "DiptychError",
            "Discriminative",
            "Exact",
            "GaussianBIC",
            "GroupDifference",
            "HillClimbing",
            "InstanceSpecific",
            "SavedResult",
            "Knowledge",
            "LogLinear",
            "OrderMCMC",
            "Ordinal",
            "Project",
            "Recipe",
            "SettingsError",
            "ThickThinning",
            "by_group",
            "compare",
            "decisions",
            "edge_posteriors",
            "exchange",
            "graphs",
            "instance_score",
            "learn",
            "load",
            "log_score",
            "measures",
            "models",
            "read_table",
            "report",
            "resampling",
            "save",
            "settle",
            "simulation",
            "table_one",
            "words",
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


def test_the_engine_says_that_it_is_typed() -> None:
    """Type checkers of other people's projects read our annotations only where this marker stands."""
    assert (ROOT / "engine" / "py.typed").is_file()

"""Are the lower bounds in pyproject.toml true? Installs exactly them in an environment of its own and tests with it.

    python -m benchmarks.lower_bounds                     the engine's tests
    python -m benchmarks.lower_bounds tests/dashboard     others; what follows goes to pytest

Takes some minutes and the network (a package index); nothing of this environment is touched.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
BOUND = re.compile(r"([A-Za-z0-9_.-]+)(?:\[[a-z,]+\])?\s*>=\s*([0-9][0-9A-Za-z.]*)")
EXTRAS = ("cluster", "docs", "sql", "test")


def bounds() -> dict[str, str]:
    """Every package that pyproject.toml names, with the lowest version it allows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [*project["dependencies"], *(one for extra in EXTRAS for one in project["optional-dependencies"][extra])]
    found = {match[1]: match[2] for match in map(BOUND.match, named) if match}
    unbound = [one for one in named if not BOUND.match(one) and not one.startswith(project["name"])]
    if unbound:
        raise SystemExit(f"No lower bound: {', '.join(unbound)}")
    return found


def install(folder: Path) -> Path:
    """An environment with the lower bounds; its Python."""
    pins = folder / "pins.txt"
    pins.write_text("".join(f"{name}=={version}\n" for name, version in bounds().items()), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    python = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "-c", pins, "-e", f"{ROOT}[{','.join(EXTRAS)}]"], check=True)
    return python


def main(arguments: list[str]) -> int:
    """Install, say what was installed, test; pytest's exit code."""
    with tempfile.TemporaryDirectory() as folder:
        python = install(Path(folder))
        shown = subprocess.run([python, "-m", "pip", "freeze", "--exclude-editable"], check=True, capture_output=True)
        print(shown.stdout.decode())
        return subprocess.run([python, "-m", "pytest", *(arguments or ["tests/engine"])], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

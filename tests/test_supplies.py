"""What Diptych is made of: locked with digests, allowed by the project, and fetched by nobody's name alone."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LOCKS = {"requirements.lock": ("cluster", "sql"), "requirements-test.lock": ("cluster", "docs", "sql", "test")}
BREAKS = {"numpy", "pandas", "plotly", "pyarrow", "scikit-learn", "scipy", "streamlit"}


def locked(name: str) -> dict[str, Requirement]:
    """What a lock holds, by name; each with a digest."""
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text and "index" not in text  # where it comes from is for who installs it to say
    entries = re.findall(r"^(\S[^\\\n]*?) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", text, re.M)
    assert len(entries) == len(re.findall(r"^[a-z0-9]", text, re.M))
    found = map(Requirement, (entry for entry, _ in entries))
    return {canonicalize_name(one.name): one for one in found}


@pytest.mark.parametrize(("lock", "extras"), LOCKS.items())
def test_a_lock_holds_what_the_project_asks_for(lock: str, extras: tuple[str, ...]) -> None:
    """Every library with its extras, one version each, within the bounds; a bound that moved asks for `.ci/lock`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    texts = [*project["dependencies"], *(one for extra in extras for one in project["optional-dependencies"][extra])]
    wanted = [one for one in map(Requirement, texts) if one.name != project["name"]]
    known = locked(lock)
    assert len(wanted) > 20
    for one in wanted:
        (pin,) = known[canonicalize_name(one.name)].specifier
        assert pin.operator == "==" and pin.version in one.specifier, one.name
        assert one.name not in BREAKS or "<" in str(one.specifier).replace("<=", ""), one.name


def test_the_locks_agree() -> None:
    """And what makes a release is locked too."""
    assert {"hatchling", "cyclonedx-bom", "pip-audit"} <= set(locked("requirements-release.lock"))
    run, test = map(locked, LOCKS)
    assert {name: str(test[name].specifier) for name in run} == {name: str(one.specifier) for name, one in run.items()}


def test_workflows_run_what_was_looked_at() -> None:
    """An action by its commit, whoever moves its tag; and the lock is what containers and wheels are made from."""
    used = [
        line.split("uses:")[1].strip()
        for file in (ROOT / ".github" / "workflows").glob("*.yml")
        for line in file.read_text(encoding="utf-8").splitlines()
        if "uses:" in line
    ]
    assert len(used) > 6
    assert [one for one in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", one)] == []
    for place in ("docs/serve/Containerfile", "docs/serve/README.md", ".ci/release", ".ci/advisories"):
        assert "requirements.lock" in (ROOT / place).read_text(encoding="utf-8"), place
    assert "-r requirements-test.lock" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_lock_is_moved() -> None:
    """The job that moves libraries proposes each file that `.ci/lock` writes."""
    written = set(re.findall(r"-o (\S+\.lock)", (ROOT / ".ci" / "lock").read_text(encoding="utf-8")))
    assert written == {*LOCKS, "requirements-release.lock"}
    move = (ROOT / ".github" / "workflows" / "move-locks.yml").read_text(encoding="utf-8")
    (listed,) = re.findall(r"locks=\(([^)]*)\)", move)
    assert set(listed.split()) == written
    assert move.count('-- "${locks[@]}"') == 2

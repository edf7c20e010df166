"""The bill of materials names everything that Diptych runs on here, and nothing of this computer."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import requires, version
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]


def test_every_library_of_the_project_is_in_the_bill() -> None:
    """With the version that is installed, reached from Diptych itself; no library that only tests need."""
    made = subprocess.run([sys.executable, ROOT / ".ci" / "sbom.py"], capture_output=True, text=True, check=True).stdout
    bill = json.loads(made)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    known = {one["name"].lower().replace("_", "-"): one["version"] for one in bill["components"]}
    said = [Requirement(one) for one in requires("diptych") or []]
    direct = [one.name.lower().replace("_", "-") for one in said if "extra" not in str(one.marker)]
    assert len(direct) > 10
    assert {name: known.get(name) for name in direct} == {name: version(name) for name in direct}
    assert {"starlette", "uvicorn", "tornado"} & set(known)  # of Streamlit, nothing that Diptych names itself
    assert not {"pytest", "mypy", "playwright"} & set(known)
    references = {one["bom-ref"] for one in bill["components"]} | {bill["metadata"]["component"]["bom-ref"]}
    needed = {one["ref"]: set(one["dependsOn"]) for one in bill["dependencies"]}
    assert set(needed) == references and set().union(*needed.values()) <= references
    assert str(ROOT) not in made and str(Path.home()) not in made

"""What Diptych is made of in this environment, as CycloneDX 1.6: run it with the Python that has Diptych installed."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = "diptych"


def requirements(found: Distribution) -> list[str]:
    """The names of what a distribution needs here, extras apart."""
    parsed = map(Requirement, found.requires or [])
    return sorted(
        {canonicalize_name(one.name) for one in parsed if one.marker is None or one.marker.evaluate({"extra": ""})}
    )


def installed(root: str) -> dict[str, Distribution]:
    """A distribution and all that it needs, directly and not, by name."""
    result: dict[str, Distribution] = {}
    to_do = [root]
    while to_do:
        name = to_do.pop()
        if name not in result:
            result[name] = distribution(name)
            to_do += requirements(result[name])
    return result


def reference(found: Distribution) -> str:
    """The package URL."""
    return f"pkg:pypi/{canonicalize_name(found.name)}@{found.version}"


def component(found: Distribution, kind: str = "library") -> dict[str, Any]:
    """One part; its licence where the package says one in a line."""
    said = found.metadata.get("License-Expression") or ""
    licences = {"licenses": [{"expression": said}]} if said else {}
    url = reference(found)
    return {"type": kind, "bom-ref": url, "name": found.name, "version": found.version, "purl": url} | licences


def bill() -> dict[str, Any]:
    """The whole document."""
    parts = installed(ROOT)
    root = parts.pop(ROOT)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.now(UTC).isoformat(timespec="seconds"),
            "component": component(root, "application"),
        },
        "components": [component(parts[name]) for name in sorted(parts)],
        "dependencies": [
            {"ref": reference(found), "dependsOn": [reference(parts[name]) for name in requirements(found)]}
            for found in (root, *(parts[name] for name in sorted(parts)))
        ],
    }


if __name__ == "__main__":
    try:
        sys.stdout.write(json.dumps(bill(), indent=2) + "\n")
    except PackageNotFoundError as missing:
        sys.exit(f"{missing.name} is not installed here.")

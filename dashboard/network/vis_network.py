"""Where the script lies that draws the networks."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def vis_network_file() -> Path:
    """The vis-network script that the pyvis wheel carries, found without importing pyvis."""
    spec = find_spec("pyvis")
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError("pyvis is not installed; networks cannot be drawn without it.")
    return Path(spec.submodule_search_locations[0]) / "lib" / "vis-9.1.2" / "vis-network.min.js"

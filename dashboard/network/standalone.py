"""Networks as one page that opens anywhere and can ask for nothing."""

from __future__ import annotations

import hashlib
import html
import json
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from dashboard.network.panel import ASSETS, Panel, Point, panel_data
from dashboard.text import visible
from dashboard.theme import INK

VIS_NETWORK = "1f20f0736f32cb9bedf8f6383b25cfea2f839e1abe80d6e8040b4d5bea378c69"
"""SHA-256 of the one script of strangers that pages run."""


def check_vis_network() -> None:
    """End the command with a sentence where the script that draws networks is another one than the one we know."""
    try:
        content = vis_network_file().read_bytes()
    except (OSError, RuntimeError):
        content = b""
    if hashlib.sha256(content).hexdigest() != VIS_NETWORK:
        raise SystemExit(
            "The script of pyvis that draws networks is missing or was changed, so nothing is served. "
            'Install it anew: pip install --force-reinstall "pyvis==0.3.2"'
        )


def vis_network_file() -> Path:
    """The vis-network script that the pyvis wheel carries, found without importing pyvis."""
    spec = find_spec("pyvis")
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError("pyvis is not installed; networks cannot be drawn without it.")
    return Path(spec.submodule_search_locations[0]) / "lib" / "vis-9.1.2" / "vis-network.min.js"


SCRIPTS = ("network_tones.js", "network_fit.js", "network_hulls.js", "network_svg.js", "network.js")
"""Ours, each after those that it uses."""


def standalone_html(
    panels: Sequence[Panel],
    positions: Mapping[str, Point],
    title: str,
    *,
    words: Mapping[str, str] | None = None,
    evidence: str = "",
) -> str:
    """One page with the same networks that opens anywhere, needs no network and can ask for nothing.

    The drawing runs in a sandboxed frame of its own: scripts yes, but no origin, no forms, no navigation.
    """
    data = panel_data(panels, positions, words=words, evidence=evidence)
    safe = json.dumps(data, allow_nan=False).translate({ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"})
    modules = "\n".join(_inlined(name) for name in SCRIPTS)
    start = (
        "const data = JSON.parse(document.getElementById('data').textContent);"
        "const panels = new Panels(document.body, window.vis, () => {}); panels.update(data);"
    )
    policy = (
        '<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; {frame}form-action 'none'; "
        "base-uri 'none'\">"
    )
    inner = (
        f"<!doctype html><html lang='en'><head>{policy.format(frame='')}"
        f"<style>body{{margin:8px}}{(ASSETS / 'network.css').read_text(encoding='utf-8')}</style></head><body>"
        f"<script type='application/json' id='data'>{safe}</script>"
        f"<script>{_script(vis_network_file().read_text(encoding='utf-8'))}</script>"
        f"<script type='module'>{_script(modules)}\n{start}</script></body></html>"
    )
    name = html.escape(visible(title))
    return (
        f'<!doctype html><html lang="en"><head>{policy.format(frame="")}<title>{name}</title>'
        "<style>body{margin:16px;font-family:system-ui,sans-serif;"
        f"color:{INK}}}"
        "h1{font-size:22px}"
        "iframe{width:100%;height:calc(100vh - 90px);border:0}</style></head>"
        f'<body><h1>{name}</h1><iframe title="Networks" sandbox="allow-scripts allow-downloads" '
        f'srcdoc="{html.escape(inner)}"></iframe></body></html>'
    )


def _inlined(name: str) -> str:
    """A module of ours as part of one script: without its imports, its exports plain."""
    lines = (ASSETS / name).read_text(encoding="utf-8").splitlines()
    return "\n".join(line.removeprefix("export ") for line in lines if not line.startswith("import "))


def _script(text: str) -> str:
    """Script text that cannot end its own element."""
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")

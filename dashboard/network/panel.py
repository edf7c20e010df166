"""Networks side by side on one layout: built by pyvis, shown by our own component, clicks and drags come back.

User text goes to the component as data and is painted on a canvas or set as text; it is never markup.
Nodes are our integers there; names are looked up again on the way back.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.network.outlines import LEGEND, Group, group_data
from dashboard.network.vis_network import vis_network_file
from dashboard.text import short, visible
from dashboard.theme import ARCS, CHANGED, INK, PAPER, ArcStyle, evidence_colour

if TYPE_CHECKING:
    from pyvis.network import Network

Point = tuple[float, float]

ASSETS = Path(__file__).parent / "assets"
FONT = '"Source Sans", "Source Sans Pro", sans-serif'


@dataclass(frozen=True)
class Node:
    """A variable in a panel.

    Attributes
    ----------
    name : the variable
    log10_odds : evidence for "different" that colours the node; None leaves it white
    words : what the tooltip says below the name, as plain text
    value : a line below the name in the box itself
    changed : drawn with a fill of its own and a heavier border
    """

    name: str
    log10_odds: float | None = None
    words: str = ""
    value: str = ""
    changed: bool = False


@dataclass(frozen=True)
class Edge:
    """An arc, or a line when not `directed`.

    Attributes
    ----------
    status : a key of `dashboard.theme.ARCS`
    weight : 0 to 1, thin to thick
    words : what the tooltip says after "source -> target", as plain text
    mark : a sign that stands on the middle of the arc
    """

    source: str
    target: str
    status: str = "plain"
    weight: float = 0.4
    words: str = ""
    directed: bool = True
    mark: str = ""


@dataclass(frozen=True)
class Panel:
    """One network with what stands above it."""

    title: str
    subtitle: str
    nodes: Sequence[Node]
    edges: Sequence[Edge]
    groups: Sequence[Group] = ()


@dataclass(frozen=True)
class NetworkEvent:
    """What the user has just done to the networks; all empty when nothing.

    Attributes
    ----------
    node : the variable clicked or found by search
    edge : (source, target, panel number) of the arc clicked
    group : (number of the group, panel number) whose outline was clicked
    cleared : a click beside everything
    moved : variable -> where it was dragged to
    """

    node: str | None = None
    edge: tuple[str, str, int] | None = None
    group: tuple[int, int] | None = None
    cleared: bool = False
    moved: Mapping[str, Point] = field(default_factory=dict)


def node_label(name: str, variables: int) -> str:
    """A name in one or two lines, narrower the more variables share the picture."""
    width = 16 if variables <= 12 else 12 if variables <= 20 else 9
    text = visible(name) or "(no name)"
    if len(text) <= width:
        return text
    cut = max(text.rfind(mark, 0, width) for mark in " _-./:") + 1
    if cut < width // 3:
        cut = width
    return f"{text[:cut].rstrip()}\n{short(text[cut:].lstrip(), width)}"


def _font_size(variables: int) -> int:
    """Pixels at full size; a crowded picture is shown smaller, so its letters start out larger."""
    return 15 if variables <= 12 else 17 if variables <= 20 else 19


def label_widths(names: Sequence[str]) -> dict[str, float]:
    """Characters of each label's longest line, for `engine.graphs.drawing.layout.layout(label_widths=...)`."""
    return {name: float(max(map(len, node_label(name, len(names)).split("\n")))) for name in names}


def network_panels(
    panels: Sequence[Panel],
    positions: Mapping[str, Point],
    selected: str | None = None,
    *,
    key: str,
    words: Mapping[str, str] | None = None,
    evidence: str = "",
) -> NetworkEvent:
    """Show one to three networks side by side; they zoom, move, select and highlight together.

    Parameters
    ----------
    panels : what to show; every node's name is in `positions`
    positions : variable -> (x, y) in pixels, y downwards; physics is off, nothing moves by itself
    selected : the variable in the spotlight
    key : of this place on the page
    words : status -> what the legend calls it ("only in placebo"), in place of the theme's words
    evidence : what the legend calls the colours of nodes; empty when nodes carry no evidence

    Returns
    -------
    What the user did just now. Keep `moved` (`session().move`) and hand the positions in again.
    """
    names = list(positions)
    data = panel_data(panels, positions, selected, words=words, evidence=evidence)
    result = _component()(key=key, data=data, on_event_change=_nothing, height="content")
    return read_event(getattr(result, "event", None), names, len(panels))


def panel_data(
    panels: Sequence[Panel],
    positions: Mapping[str, Point],
    selected: str | None = None,
    *,
    words: Mapping[str, str] | None = None,
    evidence: str = "",
) -> dict[str, Any]:
    """All the component is told, as plain JSON values."""
    names = list(positions)
    numbers = {name: number for number, name in enumerate(names)}
    used = {edge.status for panel in panels for edge in panel.edges}
    return {
        "names": [visible(name) for name in names],
        "panels": [_one_panel(panel, positions, numbers) for panel in panels],
        "options": _options(),
        "legend": _legend(used, _any_directed(panels), words or {}, evidence)
        + [LEGEND] * any(panel.groups for panel in panels),
        "selected": numbers.get(selected) if selected is not None else None,
        "file": "diptych-networks",
    }


def read_event(raw: Any, names: Sequence[str], panels: int) -> NetworkEvent:
    """The component's answer with names in it; whatever does not fit is nothing."""

    def name(number: Any) -> str | None:
        good = isinstance(number, int) and not isinstance(number, bool) and 0 <= number < len(names)
        return names[number] if good else None

    if not isinstance(raw, Mapping):
        return NetworkEvent()
    kind = raw.get("kind")
    if kind == "group":
        group, panel = raw.get("group"), raw.get("panel")
        good = all(isinstance(one, int) and one >= 0 for one in (group, panel))
        return NetworkEvent(group=(group, panel)) if good and panel < panels else NetworkEvent()  # type: ignore
    if kind == "node":
        node = name(raw.get("node"))
        return NetworkEvent(node=node, cleared=raw.get("node") is None)
    if kind == "edge":
        source, target, panel = name(raw.get("source")), name(raw.get("target")), raw.get("panel")
        if source is not None and target is not None and isinstance(panel, int) and 0 <= panel < panels:
            return NetworkEvent(edge=(source, target, panel))
    if kind == "moved" and isinstance(raw.get("positions"), list):
        return NetworkEvent(moved=dict(filter(None, (_moved(one, name) for one in raw["positions"]))))
    return NetworkEvent()


def build_network(panel: Panel, positions: Mapping[str, Point], numbers: Mapping[str, int] | None = None) -> Network:
    """One panel as a pyvis network: integer ids, places fixed, numbers as plain Python ones."""
    from pyvis.network import Network

    numbers = numbers or {name: number for number, name in enumerate(positions)}
    network = Network(directed=True, cdn_resources="in_line")  # else it drops the second arc of a pair
    network.options = _options()
    for node in panel.nodes:
        fill = CHANGED if node.changed else PAPER if node.log10_odds is None else evidence_colour(node.log10_odds)
        x, y = positions[node.name]
        network.add_node(
            int(numbers[node.name]),
            label="\n".join(filter(None, (node_label(node.name, len(numbers)), short(node.value, 16)))),
            shape="box",
            color={"background": fill, "border": INK if node.changed else "#8A96A0"},
            borderWidth=2.5 if node.changed else 1,
            font={"size": _font_size(len(numbers)), "face": FONT, "color": INK},
            words="\n".join(filter(None, (visible(node.name), _lines(node.words)))),
            x=float(x),
            y=float(y),
        )
    for position, edge in enumerate(panel.edges):
        style = ARCS[edge.status]
        mark = " → " if edge.directed else " — "
        text = f"{visible(edge.source)}{mark}{visible(edge.target)}"
        network.add_edge(
            int(numbers[edge.source]),
            int(numbers[edge.target]),
            id=position,
            color={"color": style.colour},
            dashes=list(style.dash) or False,
            width=_width(edge.weight),
            words=": ".join(filter(None, (text, _lines(edge.words)))),
            mark=visible(edge.mark),
            arrows="to" if edge.directed else "",
        )
    return network


def _one_panel(panel: Panel, positions: Mapping[str, Point], numbers: Mapping[str, int]) -> dict[str, Any]:
    network = build_network(panel, positions, numbers)
    nodes, edges, *_ = network.get_network_data()
    return {
        "title": visible(panel.title),
        "subtitle": visible(panel.subtitle),
        "nodes": nodes,
        "edges": edges,
        "groups": group_data(panel.groups, numbers),
    }


def _options() -> dict[str, Any]:
    return {
        "physics": {"enabled": False},
        "layout": {"improvedLayout": False},
        "interaction": {
            "hover": True,
            "selectConnectedEdges": False,
            "hoverConnectedEdges": False,
            "keyboard": {"enabled": True, "bindToWindow": False},
        },
        "nodes": {"margin": 5, "chosen": False, "shapeProperties": {"borderRadius": 4}},
        "edges": {
            "smooth": False,
            "chosen": False,
            "arrows": {"to": {"scaleFactor": 0.65}},
            "arrowStrikethrough": False,
        },
    }


def _legend(used: set[str], directed: bool, words: Mapping[str, str], evidence: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = [
        {
            "kind": "arc",
            "colour": style.colour,
            "dash": list(style.dash),
            "directed": directed,
            "words": short(words.get(status, style.words), 40),
        }
        for status, style in _styles(used)
    ]
    if evidence:
        colours = [evidence_colour(step / 4) for step in range(-8, 9, 2)]
        entries.append({"kind": "scale", "colours": colours, "words": short(evidence, 80)})
    return entries


def _styles(used: set[str]) -> list[tuple[str, ArcStyle]]:
    return [(status, style) for status, style in ARCS.items() if status in used and status != "plain"]


def _any_directed(panels: Sequence[Panel]) -> bool:
    return any(edge.directed for panel in panels for edge in panel.edges)


def _width(weight: float) -> float:
    share = weight if math.isfinite(weight) else 0.0
    return round(1.2 + 3.2 * max(0.0, min(1.0, share)), 2)


def _lines(text: str) -> str:
    return "\n".join(filter(None, map(visible, text.splitlines())))


def _moved(one: Any, name: Any) -> tuple[str, Point] | None:
    if not (isinstance(one, list | tuple) and len(one) == 3):
        return None
    number, x, y = one
    known = name(number)
    numbers = all(isinstance(v, int | float) and math.isfinite(v) and abs(v) < 1e6 for v in (x, y))
    return (known, (float(x), float(y))) if known is not None and numbers else None


def _nothing() -> None:
    """Streamlit hands a trigger back only when a callback is registered for it."""


@cache
def _component() -> Any:
    """The component; its script is loaded from this server, so a re-run carries data only."""
    script = """
export default async (component) => {
  const address = new URL("/diptych/network_component.js", window.location.origin).href;
  return (await import(address)).mount(component);
};
"""
    return st.components.v2.component(
        "diptych_network", css=(ASSETS / "network.css").read_text(encoding="utf-8"), js=script
    )


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
    import html

    data = panel_data(panels, positions, words=words, evidence=evidence)
    safe = json.dumps(data, allow_nan=False).translate({ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"})
    modules = "\n".join(_inlined(name) for name in ("network_hulls.js", "network_svg.js", "network.js"))
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
        "<style>body{margin:16px;font-family:system-ui,sans-serif;color:#1C2733}h1{font-size:22px}"
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

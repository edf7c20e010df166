"""Networks side by side on one layout: what they are made of, built by pyvis, as plain values for our component.

User text goes to the component as data and is painted on a canvas or set as text; it is never markup.
Nodes are our integers there; names are looked up again on the way back.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from dashboard.network.boxes import FONT_SIZE, MARGIN, RADIUS, SHAPES, box_label, fill_legend, shape_legend, text_height
from dashboard.session.caches import Point
from dashboard.session.labels import full_name
from dashboard.text import short, visible
from dashboard.theme import (
    ARCS,
    BORDER,
    CATEGORICAL,
    CHANGED,
    DARK_PAPER,
    INK,
    LINE,
    MUTED,
    PAPER,
    PRIMARY,
    ArcStyle,
    dark,
    evidence_colour,
    faded,
    is_dark,
    luminance,
)
from engine.graphs.drawing.labels import box_width
from engine.graphs.drawing.layers import HEIGHT
from engine.words import count, listed

if TYPE_CHECKING:
    import pandas as pd
    from pyvis.network import Network

Key = TypeVar("Key")

VALUE = 26
"""Characters of the line below a name."""
TIGHTER = 8.0
"""Pixels that narrow boxes, which show a name alone, have less beside their text."""
ASSETS = Path(__file__).parent / "assets"
FONT = '"Source Sans", "Source Sans Pro", "Helvetica Neue", Arial, "Liberation Sans", sans-serif'
EDGE, LIT_EDGE = 3.0, 2.0
"""Pixels by which the edge of ink of an arc is wider than the arc: of one that differs, of one that is looked at."""
LEAST_WEIGHT = 0.05
OUTLINE_ROOM = 13.0
"""Pixels between a box and the outline around it, as the script draws it."""
OUTLINE_LEGEND = {
    "kind": "hull",
    "colour": CATEGORICAL[0],
    "words": "a clique, with its number; click inside: its boxes get a heavy border",
}


@dataclass(frozen=True)
class Node:
    """A variable in a panel.

    Attributes
    ----------
    name : the variable
    log10_odds : evidence for "different" that colours the node; None leaves it white
    words : what the tooltip says below the name, as plain text
    sign : stands before the name in the box
    value : a line below the name in the box itself
    changed : drawn with a fill of its own, which the words of the legend explain, and a heavier border
    shape : a key of `dashboard.network.boxes.SHAPES`
    label : what the box shows in place of the name, where part of that is said by the shape
    lit : drawn with a heavier border, as an end of the link that is looked at
    fill : its colour, where something says what that means; its border is of ink then
    narrow : in short lines, as where three networks stand in a row
    """

    name: str
    log10_odds: float | None = None
    words: str = ""
    sign: str = ""
    value: str = ""
    changed: bool = False
    shape: str = "box"
    label: str = ""
    lit: bool = False
    fill: str = ""
    narrow: bool = False


@dataclass(frozen=True)
class Edge:
    """An arc, or a line when not `directed`.

    Attributes
    ----------
    status : a key of `dashboard.theme.ARCS`
    weight : 0 to 1, thin to thick
    words : what the tooltip says after "source -> target", as plain text
    mark : a sign that stands on the middle of the arc
    certainty : 0 to 1, pale to full colour
    width : pixels, in place of what the weight says; 0 where that decides
    lit : the link that is looked at: with an edge of ink
    p : its probability, where the reader chooses from which on links are drawn
    """

    source: str
    target: str
    status: str = "plain"
    weight: float = 0.4
    words: str = ""
    directed: bool = True
    mark: str = ""
    certainty: float = 1.0
    width: float = 0.0
    lit: bool = False
    p: float | None = None


@dataclass(frozen=True)
class Outline:
    """Variables drawn inside one outline.

    Attributes
    ----------
    members : the variables, all of them nodes of the panel
    label : a few characters that stand on the outline
    chosen : drawn stronger than the others
    """

    members: tuple[str, ...]
    label: str
    chosen: bool = False


@dataclass(frozen=True)
class Panel:
    """One network with what stands above it: title, subtitle, and a sign in a colour before them."""

    title: str
    subtitle: str
    nodes: Sequence[Node]
    edges: Sequence[Edge]
    groups: Sequence[Outline] = ()
    sign: str = ""
    colour: str = INK


def strongest_links(panels: Sequence[Panel], links: pd.DataFrame, most: int) -> Panel:
    """The strongest links of some networks in one panel, with the boxes that they touch.

    Parameters
    ----------
    panels : the networks
    links : their links, with source, target and strength
    most : how many links are drawn
    """
    best = links.nlargest(most, "strength")
    pairs = set(zip(best["source"], best["target"], strict=True))
    edges = [edge for panel in panels for edge in panel.edges if (edge.source, edge.target) in pairs]
    touched = {end for pair in pairs for end in pair}
    nodes = {node.name: node for panel in panels for node in panel.nodes if node.name in touched}
    total = count(sum(len(panel.edges) for panel in panels), "link")
    titles = listed([panel.title for panel in panels])
    return Panel(titles, f"the strongest {len(edges)} of {total}", list(nodes.values()), edges)


def box_text(node: Node, variables: Sequence[str]) -> str:
    """The lines of a box: its sign and name or label, and its value."""
    label = f"{node.sign} {box_label(node.name, node.label, variables, node.narrow)}".strip()
    return "\n".join(filter(None, (label, short(node.value, VALUE))))


def drawn_width(node: Node, variables: Sequence[str]) -> float:
    """Width of a box, as the layout is told and as it is drawn; narrow ones are as wide as the widest of them."""
    if node.narrow:
        return max(box_width(box_label(name, "", variables, narrow=True)) for name in variables) - TIGHTER
    return box_width(box_text(node, variables)) + 2 * SHAPES[node.shape].room


def in_rows(panels: Sequence[Panel], across: int = 3) -> list[Sequence[Panel]]:
    """Panels in rows of as many as stand side by side."""
    return [panels[start : start + across] for start in range(0, len(panels), across)]


def panel_data(
    panels: Sequence[Panel],
    positions: Mapping[str, Point],
    selected: str | None = None,
    *,
    words: Mapping[str, str] | None = None,
    evidence: str = "",
    small: bool = False,
    height: int = 0,
    least: Sequence[float] = (),
) -> dict[str, Any]:
    """All the component is told, as plain JSON values."""
    names = list(positions)
    numbers = {name: number for number, name in enumerate(names)}
    edges = [edge for panel in panels for edge in panel.edges]
    used = {
        status: any(edge.directed for edge in edges if edge.status == status) for status in {e.status for e in edges}
    }
    drawn = [_panel_values(panel, positions, numbers) for panel in panels]
    legend = (
        _legend(used, words or {}, evidence)
        + shape_legend({node.shape for panel in panels for node in panel.nodes}, words or {})
        + fill_legend({_fill(node) for panel in panels for node in panel.nodes}, words or {})
        + [OUTLINE_LEGEND] * any(panel.groups for panel in panels)
    )
    return {
        "names": [visible(full_name(name)) for name in names],
        "panels": drawn,
        "options": _options(),
        "legend": legend,
        "dark": {colour: dark(colour) for colour in sorted({*_colours(drawn, legend), INK, BORDER})},
        "style": {**_COLOURS, "font": FONT, "letters": FONT_SIZE, "radius": RADIUS},
        "selected": numbers.get(selected) if selected is not None else None,
        "file": "diptych-networks",
        "small": small,
        "height": height,
        "least": list(least),
    }


def _colours(panels: Iterable[Mapping[str, Any]], legend: Iterable[Mapping[str, Any]]) -> set[str]:
    """All that is painted; the component is told how each looks on a dark screen."""
    result = {colour for entry in legend for colour in entry.get("colours", [entry.get("colour")])}
    for panel in panels:
        result |= {colour for node in panel["nodes"] for colour in node["color"].values()}
        result |= {edge["color"]["color"] for edge in panel["edges"]}
        result |= {group[part] for group in panel["groups"] for part in ("colour", "ink")}
        result.add(panel["colour"])
    return result


def _fill(node: Node) -> str:
    """The colour of a box that says something, "" where it has that of its shape."""
    if node.log10_odds is not None:
        return evidence_colour(node.log10_odds)
    return CHANGED if node.changed else node.fill


def build_network(panel: Panel, positions: Mapping[str, Point], numbers: Mapping[str, int] | None = None) -> Network:
    """One panel as a pyvis network: integer ids, places fixed, numbers as plain Python ones."""
    from pyvis.network import Network

    numbers = numbers or {name: number for number, name in enumerate(positions)}
    names = list(numbers)
    network = Network(directed=True, cdn_resources="in_line")  # else it drops the second arc of a pair
    network.options = _options()
    for node in panel.nodes:
        shape = SHAPES[node.shape]
        fill = _fill(node) or shape.fill
        heavy = node.changed or node.lit
        x, y = positions[node.name]
        network.add_node(
            int(numbers[node.name]),
            label=box_text(node, names),
            shape="box",
            color={"background": fill, "border": INK if heavy or node.fill else BORDER},
            borderWidth=2.5 if heavy else 1.4 if node.fill else 1,
            **shape.options(),
            widthConstraint={"minimum": drawn_width(node, names) - 2 * (MARGIN + shape.room)},
            font={"size": FONT_SIZE, "face": FONT, "color": INK},
            words="\n".join(filter(None, (visible(full_name(node.name)), _lines(node.words)))),
            x=float(x),
            y=float(y),
        )
    for position, edge in enumerate(panel.edges):
        style = ARCS[edge.status]
        width = edge.width or style.width or _width(edge.weight)
        mark = " → " if edge.directed else " — "
        text = f"{visible(full_name(edge.source))}{mark}{visible(full_name(edge.target))}"
        network.add_edge(
            int(numbers[edge.source]),
            int(numbers[edge.target]),
            id=position,
            color={"color": faded(style.colour, edge.certainty)},
            dashes=list(style.dash) or False,
            width=round(width, 2),
            **_around(style, width, lit=edge.lit),
            lit=edge.lit,
            words=": ".join(filter(None, (text, _lines(edge.words)))),
            mark=visible(edge.mark),
            p=edge.p,
            status=edge.status,
            arrows="to" if edge.directed else "",
        )
    return network


def _around(style: ArcStyle, width: float, *, lit: bool) -> dict[str, Any]:
    """The edge of ink of an arc; nothing for most, nor for a dashed one that is looked at."""
    if not style.edged and (style.dash or not lit):
        return {}
    return {"around": {"color": INK, "width": round(width + (EDGE if style.edged else LIT_EDGE), 2)}}


def _panel_values(panel: Panel, positions: Mapping[str, Point], numbers: Mapping[str, int]) -> dict[str, Any]:
    network = build_network(panel, positions, numbers)
    nodes, edges, *_ = network.get_network_data()
    return {
        "title": visible(panel.title),
        "subtitle": visible(panel.subtitle),
        "nodes": nodes,
        "edges": edges,
        "groups": outline_values(panel.groups, numbers),
        "sign": visible(panel.sign),
        "colour": panel.colour,
    }


def free_outlines(groups: Sequence[Outline], nodes: Sequence[Node], positions: Mapping[str, Point]) -> list[Outline]:
    """The outlines that run over no box of another variable, which would look as if it belonged to them."""
    sizes, high = drawn_sizes(nodes), drawn_height(nodes) / 2
    ends = np.array([[-0.5, -1], [-0.5, 1], [0.5, -1], [0.5, 1]])
    boxes = {name: np.array(positions[name]) + ends * (wide, high) for name, wide in sizes.items()}

    def free(members: Sequence[str]) -> bool:
        within = np.vstack([boxes[name] + np.sign(ends) * OUTLINE_ROOM for name in members])
        return not any(_meet(within, boxes[name]) for name in boxes.keys() - {*members})

    return [group for group in groups if free(group.members)]


def _meet(one: np.ndarray, other: np.ndarray) -> bool:
    """True where the smallest convex shapes around two sets of points overlap: no line along a side parts them."""
    sides = np.vstack([(points[:, None] - points).reshape(-1, 2) for points in (one, other)])
    across = sides[np.abs(sides).max(axis=1) > 0][:, ::-1] * (1, -1)
    first, second = across @ one.T, across @ other.T
    return not bool((first.max(axis=1) <= second.min(axis=1)).any())  # each side is there in both directions


def outline_values(groups: Sequence[Outline], numbers: Mapping[str, int]) -> list[dict[str, Any]]:
    """What the component is told of groups; colours go round, the labels tell them apart."""
    return [
        {
            "members": [int(numbers[name]) for name in group.members],
            "label": short(group.label, 6),
            "chosen": group.chosen,
            "colour": colour,
            "ink": DARK_PAPER if luminance(colour) > 0.18 else PAPER,
            "words": ", ".join(map(visible, group.members)),
        }
        for group, colour in zip(groups, cycle(CATEGORICAL), strict=False)
    ]


_COLOURS = {"ink": INK, "muted": MUTED, "paper": PAPER, "line": LINE, "border": BORDER, "strong": PRIMARY}


def screen_style(**more: str) -> dict[str, str]:
    """Font and colours of a drawing script, which has none of its own, as they are on this screen."""
    shade = dark if is_dark() else str
    return {name: shade(colour) for name, colour in {**_COLOURS, **more}.items()} | {"font": FONT}


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
        "nodes": {"margin": MARGIN, "chosen": False, "shapeProperties": {"borderRadius": RADIUS}},
        "edges": {
            "smooth": False,
            "chosen": False,
            "arrows": {"to": {"scaleFactor": 0.65}},
            "arrowStrikethrough": False,
        },
    }


def _legend(used: Mapping[str, bool], words: Mapping[str, str], evidence: str) -> list[dict[str, Any]]:
    """What the drawn arcs mean; an arc has its arrowhead in the legend where one of its status has one (`used`)."""
    entries: list[dict[str, Any]] = [
        {
            "kind": "arc",
            "status": status,
            "colour": style.colour,
            "dash": list(style.dash),
            "directed": used[status] and not style.width,
            "width": style.width or 2.5,
            "edged": INK if style.edged else "",
            "around": (style.width or 2.5) + EDGE,
            "words": short(words.get(status, style.words), 40),
        }
        for status, style in _styles(used)
    ]
    if evidence:
        colours = [evidence_colour(step / 4) for step in range(-8, 9, 2)]
        entries.append({"kind": "scale", "colours": colours, "words": short(evidence, 80)})
    return entries


def _styles(used: Collection[str]) -> list[tuple[str, ArcStyle]]:
    return [(status, style) for status, style in ARCS.items() if status in used and status != "plain"]


def _width(weight: float) -> float:
    share = weight if math.isfinite(weight) else 0.0
    return round(1.2 + 3.2 * max(0.0, min(1.0, share)), 2)


def _lines(text: str) -> str:
    return "\n".join(filter(None, map(visible, text.splitlines())))


def drawn_sizes(nodes: Sequence[Node]) -> dict[str, float]:
    """Name -> width of its box."""
    names = [node.name for node in nodes]
    return {node.name: drawn_width(node, names) for node in nodes}


def drawn_height(nodes: Sequence[Node]) -> float:
    """Height of the boxes, for `layout`: of the one with most lines."""
    names = [node.name for node in nodes]
    return max((text_height(box_text(node, names)) for node in nodes), default=HEIGHT)


def drawn_span(positions: Mapping[str, Point], sizes: Mapping[str, float]) -> float:
    """Width of the picture of boxes at these places."""
    boxes = [(x, sizes[name] / 2) for name, (x, _) in positions.items()]
    return max((x + half for x, half in boxes), default=0.0) - min((x - half for x, half in boxes), default=0.0)


def widths(strengths: Mapping[Key, float]) -> dict[Key, float]:
    """From `LEAST_WEIGHT` to 1 by the logarithm, as bits run from one to thousands; nothing and less are thinnest."""
    sizes = {key: math.log1p(max(value, 0.0)) for key, value in strengths.items()}
    top = max(sizes.values(), default=1.0) or 1.0
    return {key: max(LEAST_WEIGHT, size / top) ** 2 for key, size in sizes.items()}


def of_share(share: float) -> float:
    """Of a share of networks: squared, so that a link in all of them stands out from one in half."""
    return max(LEAST_WEIGHT, share * share)


def of_correlation(size: float) -> float:
    """Of a partial correlation of either sign: by its size, and 0.6 is as wide as can be."""
    return max(LEAST_WEIGHT, min(1.0, abs(size) / 0.6))


def certainty_of(p: float, absent: float, there: float) -> float:
    """Darkness of a line that is there with probability p: full from `there` on, palest at `absent`."""
    return 1.0 if p >= there else max(0.0, 0.8 * (p - absent) / (there - absent))


def of_estimate(size: float, *, odds: bool) -> float:
    """Pixels of a partial correlation, or of a log odds ratio by Yule's coefficient, of either sign."""
    share = math.tanh(abs(size) / 4) if odds else min(abs(size), 1.0)
    return round(1.0 + 12.0 * share**1.2, 2)

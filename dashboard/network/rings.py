"""Items as rings with lines or arrows between them, as a component: layouts and a threshold that answer at once."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from dashboard.network.component import NetworkEvent, loaded, nothing, read_event
from dashboard.network.panel import Edge, Panel, screen_style
from dashboard.session.labels import full_name
from dashboard.text import visible
from dashboard.theme import dark_svg, is_dark
from engine.graphs.drawing.rings import Ring, RingLink, draw_rings, place_by_springs
from engine.graphs.drawing.svg import STYLES


def show_rings(
    pictures: Mapping[str, Mapping[str, str]],
    names: Sequence[str],
    *,
    key: str,
    least: float | None,
    height: int,
    picked: Sequence[str] = (),
    warning: str = "",
    file: str = "diptych-ordinal-network",
) -> NetworkEvent:
    """Draw them, and say what was clicked.

    Parameters
    ----------
    pictures : layout -> "lines" and "arrows" -> the SVG element
    names : the items, as the pictures number them
    key : of this place on the page
    least : size from which lines are drawn at first; None where it cannot be chosen
    height : pixels that the picture may be high
    file : begins the names of saved pictures
    picked : the item, or the two ends of the link, that is looked at
    warning : above the lines, of which only clear ones are drawn at first then
    """
    coloured = dark_svg if is_dark() else str
    data = {
        "pictures": {layout: {kind: coloured(svg) for kind, svg in own.items()} for layout, own in pictures.items()},
        "least": least,
        "height": height,
        "file": file,
        "picked": [list(names).index(name) for name in picked if name in names],
        "warning": warning,
        "style": screen_style(),
    }
    result = _component()(key=key, data=data, on_event_change=nothing, height="content")
    return read_event(getattr(result, "event", None), list(names), 1)


MANY_ITEMS = 24
"""Variables above which networks side by side are drawn as rings: boxes with whole names would be cut."""
_ROOM, _HEIGHT = 300.0, 330.0


def panel_pictures(panels: Sequence[Panel], names: Sequence[str], labels: Mapping[str, str]) -> str:
    """Networks as rings on one layout, each under its title, as markup with every text escaped.

    Parameters
    ----------
    panels : the networks
    names : the variables
    labels : name -> what stands beside its ring
    """
    rings = [Ring(name, labels.get(name, name), -1.0, words=full_name(name)) for name in names]
    links = [[_ring_link(edge) for edge in panel.edges] for panel in panels]
    pulling = {frozenset((link.source, link.target)): link for own in links[:2] for link in own if not link.pale}
    drawn = {frozenset((link.source, link.target)): link for own in links for link in own}
    places = place_by_springs(rings, list(pulling.values()), _ROOM, _HEIGHT, list(drawn.values()))
    return "".join(
        f"<figure class='dr-panel'><figcaption><b>{html.escape(f'{panel.sign} {visible(panel.title)}'.strip())}</b> "
        f"{html.escape(visible(panel.subtitle))}</figcaption>"
        f"{draw_rings(rings, own, places, ident=f'panel{number}', title=visible(panel.title))}</figure>"
        for number, (panel, own) in enumerate(zip(panels, links, strict=True))
    )


def _ring_link(edge: Edge) -> RingLink:
    status = edge.status if edge.status in STYLES else "plain"
    sign = -1.0 if status == "negative" else 1.0
    a, b = edge.source, edge.target
    words = f"{full_name(a)} – {full_name(b)}\n{edge.words}"
    return RingLink(a, b, sign * 0.3, edge.directed, edge.certainty < 0.5, words, status, float(edge.width))


@cache
def _component() -> Any:
    return loaded("diptych_rings", "rings.js", "rings.css")

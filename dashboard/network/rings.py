"""Items as rings with lines or arrows between them, as a component: layouts and a threshold that answer at once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from dashboard.network.component import NetworkEvent, loaded, nothing, read_event
from dashboard.network.panel import FONT
from dashboard.theme import INK, LINE, MUTED, PAPER, PRIMARY, dark, is_dark

_COLOUR = re.compile(r"(?<=')#[0-9A-Fa-f]{6}(?=')")


def show_rings(
    pictures: Mapping[str, Mapping[str, str]],
    names: Sequence[str],
    *,
    key: str,
    least: float,
    height: int,
    picked: Sequence[str] = (),
) -> NetworkEvent:
    """Draw them, and say what was clicked.

    Parameters
    ----------
    pictures : layout -> "lines" and "arrows" -> the SVG element
    names : the items, as the pictures number them
    key : of this place on the page
    least : size from which lines are drawn at first
    height : pixels that the picture may be high
    picked : the item, or the two ends of the link, that is looked at
    """
    shade = dark if is_dark() else str

    def coloured(svg: str) -> str:
        return _COLOUR.sub(lambda found: dark(found.group()), svg) if is_dark() else svg

    data = {
        "pictures": {layout: {kind: coloured(svg) for kind, svg in own.items()} for layout, own in pictures.items()},
        "least": least,
        "height": height,
        "file": "diptych-ordinal-network",
        "picked": [list(names).index(name) for name in picked if name in names],
        "style": {
            "ink": shade(INK),
            "muted": shade(MUTED),
            "line": shade(LINE),
            "paper": shade(PAPER),
            "strong": shade(PRIMARY),
            "font": FONT,
        },
    }
    result = _component()(key=key, data=data, on_event_change=nothing, height="content")
    return read_event(getattr(result, "event", None), list(names), 1)


@cache
def _component() -> Any:
    return loaded("diptych_rings", "rings.js", "rings.css")

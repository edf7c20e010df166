"""A figure for the last row of a room: every letter larger, and the figure with them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import plotly.graph_objects as go

TIMES = 1.4
USUAL = 12
"""Pixels of letters where a figure says nothing."""
_IN_MARKUP = re.compile(r"(?<=<span style='font-size:)\d+(?=px;)")
"""A size in a label's own markup; a name cannot hold it, since its signs are escaped."""


def enlarged(figure: go.Figure) -> go.Figure:
    """The figure with letters, height and margins larger; what is drawn in it stays."""
    import plotly.graph_objects as go

    figure_data = figure.to_plotly_json()
    layout = _larger(figure_data["layout"], "")
    layout["font"] = {"size": TIMES * USUAL} | layout.get("font", {})
    if "height" in layout:
        layout["height"] *= TIMES
    layout["margin"] = {side: size if side == "autoexpand" else TIMES * size for side, size in _margin(layout).items()}
    return go.Figure({"data": _larger(figure_data["data"], ""), "layout": layout})


def _margin(layout: Mapping[str, Any]) -> Mapping[str, Any]:
    margin: Mapping[str, Any] = layout.get("margin") or {}
    return margin


def _larger(value: Any, key: str) -> Any:
    if isinstance(value, Mapping):
        font = "font" in key
        return {
            name: item if name == "template" else _size(item) if font and name == "size" else _larger(item, name)
            for name, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_larger(entry, key) for entry in value]
    if isinstance(value, str):
        return _IN_MARKUP.sub(lambda result: f"{TIMES * int(result.group()):.0f}", value)
    return value


def _size(value: Any) -> Any:
    return [_size(item) for item in value] if isinstance(value, list | tuple) else TIMES * value

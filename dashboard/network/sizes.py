"""How large boxes are drawn that show more than their names, or other words, for the layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dashboard.network.labels import text_height
from dashboard.network.panel import Node, Point, box_text, drawn_width
from engine.graphs.drawing.layers import HEIGHT


def drawn_sizes(nodes: Sequence[Node]) -> dict[str, float]:
    """Name -> width of its box."""
    return {node.name: drawn_width(node, len(nodes)) for node in nodes}


def drawn_height(nodes: Sequence[Node]) -> float:
    """Height of the boxes, for `layout`: of the one with most lines."""
    return max([HEIGHT, *(text_height(box_text(node, len(nodes))) for node in nodes)])


def drawn_span(positions: Mapping[str, Point], sizes: Mapping[str, float]) -> float:
    """How wide the picture is of boxes at these places."""
    boxes = [(x, sizes[name] / 2) for name, (x, _) in positions.items()]
    return max((x + half for x, half in boxes), default=0.0) - min((x - half for x, half in boxes), default=0.0)

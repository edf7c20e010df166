"""How wide boxes are drawn that have a text or a shape of their own, for the layout."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.network.labels import box_label, font_size
from dashboard.network.panel import Node
from dashboard.network.shapes import SHAPES
from engine.graphs.drawing.labels import box_width


def drawn_sizes(nodes: Sequence[Node]) -> dict[str, float]:
    """Name -> width of its box, in the letters that a crowded picture has."""
    many = len(nodes)
    larger = font_size(many) / font_size(1)
    return {
        node.name: larger * box_width(box_label(node.name, node.label, many)) + 2 * SHAPES[node.shape].room
        for node in nodes
    }

"""How large boxes are drawn that show more than their names, or other words, for the layout."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.network.labels import text_height
from dashboard.network.panel import Node, box_text, drawn_width
from engine.graphs.drawing.layers import HEIGHT


def drawn_sizes(nodes: Sequence[Node]) -> dict[str, float]:
    """Name -> width of its box."""
    return {node.name: drawn_width(node, len(nodes)) for node in nodes}


def drawn_height(nodes: Sequence[Node]) -> float:
    """Height of the boxes, for `layout`: of the one with most lines."""
    return max([HEIGHT, *(text_height(box_text(node, len(nodes))) for node in nodes)])

"""Graphs over the variables of a table: DAGs, their equivalence classes, comparison, and a layout to draw them."""

from engine.graphs.compare import Comparison, compare
from engine.graphs.drawing.layout import layout
from engine.graphs.drawing.svg import to_svg
from engine.graphs.pdag import compelled, consistent_extension, cpdag, skeleton, v_structures

__all__ = [
    "Comparison",
    "compare",
    "compelled",
    "consistent_extension",
    "cpdag",
    "layout",
    "skeleton",
    "to_svg",
    "v_structures",
]

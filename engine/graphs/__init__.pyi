"""The public names, and where they live."""

from .comparison import Comparison, compare
from .drawing.layout import layout
from .drawing.svg import to_svg
from .pdag import compelled, consistent_extension, cpdag, skeleton, v_structures

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

"""The public names, and where they live."""

from .adjustment import adjustment_sets, check_adjustment
from .comparison import Comparison, compare
from .drawing.layout import layout
from .drawing.svg import to_svg
from .pdag import compelled, consistent_extension, cpdag, skeleton, v_structures
from .separation import d_separated, open_paths, paths, separating_set

__all__ = [
    "Comparison",
    "adjustment_sets",
    "check_adjustment",
    "compare",
    "compelled",
    "consistent_extension",
    "cpdag",
    "d_separated",
    "layout",
    "open_paths",
    "paths",
    "separating_set",
    "skeleton",
    "to_svg",
    "v_structures",
]

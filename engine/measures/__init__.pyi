"""The public names, and where they live."""

from .bootstrap import bootstrap_interval
from .comparing import compare_curves
from .curves import auc, auc_by, curve
from .structure import adjacencies, arrowheads, difference, patterns

__all__ = [
    "adjacencies",
    "arrowheads",
    "auc",
    "auc_by",
    "bootstrap_interval",
    "compare_curves",
    "curve",
    "difference",
    "patterns",
]

"""How well a result meets the truth: curves with their intervals, and networks edge by edge."""

from engine.measures.bootstrap import bootstrap_interval
from engine.measures.comparing import compare as compare_curves
from engine.measures.curves import auc, auc_by, curve
from engine.measures.structure import adjacencies, arrowheads, difference, patterns

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

"""The public names, and where they live."""

from .compare import rerun_shuffles
from .difference import LEVEL, Compare
from .result import DIFFERENCE, ComparisonResult
from .table import ODDS, LinkWord, Scale, signed, word_of

__all__ = [
    "DIFFERENCE",
    "LEVEL",
    "ODDS",
    "Compare",
    "ComparisonResult",
    "LinkWord",
    "Scale",
    "rerun_shuffles",
    "signed",
    "word_of",
]

"""The public names, and where they live."""

from .compare import rerun_shuffles
from .difference import LEVEL
from .result import DIFFERENCE, ComparisonResult
from .scales import ODDS, Scale, signed
from .settings import Compare
from .table import LinkWord, word_of

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

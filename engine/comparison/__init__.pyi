"""The public names, and where they live."""

from .compare import search_links_again
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
    "search_links_again",
    "signed",
    "word_of",
]

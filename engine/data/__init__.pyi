"""The public names, and where they live."""

from .dataset import Dataset, Recipe
from .preparing.choices import BESIDE
from .preparing.deciding.decide import decisions
from .preparing.deciding.decision import Decision, holds, settle
from .preparing.proposals import Proposal, propose
from .preparing.shaping import propose_shaped
from .preparing.wording import Step, choice_steps
from .reading.limits import MEGABYTE, Limits
from .reading.read import read_table
from .reading.report import ReadingReport, plain, reading_report

__all__ = [
    "BESIDE",
    "MEGABYTE",
    "Dataset",
    "Decision",
    "Limits",
    "Proposal",
    "ReadingReport",
    "Recipe",
    "Step",
    "choice_steps",
    "decisions",
    "holds",
    "plain",
    "propose",
    "propose_shaped",
    "read_table",
    "reading_report",
    "settle",
]

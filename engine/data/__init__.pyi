"""The public names, and where they live."""

from .dataset import Dataset, Recipe
from .preparing.choices import BESIDE
from .preparing.conditions import ANY, OF_GAPS, OF_NUMBERS, OF_VALUES, checked, columns_of, conditions_sentence
from .preparing.deciding.decide import decisions
from .preparing.deciding.decision import Decision, Option, holds, settle
from .preparing.derived import checked_ways, derived_sentence, sources
from .preparing.dictionary import Dictionary, read_dictionary
from .preparing.levels import place_levels
from .preparing.proposals import Proposal, propose
from .preparing.report import ColumnReport
from .preparing.roles import propose_group, propose_roles, propose_weight, roles_reason
from .preparing.shaping import propose_shaped, shape_columns
from .preparing.variables import Variable
from .preparing.wording import Step, choice_steps
from .reading.columns import MISSING_TOKENS
from .reading.filetype import short_name
from .reading.limits import MEGABYTE, Limits
from .reading.read import read_table
from .reading.report import ReadingReport, plain, reading_report

__all__ = [
    "ANY",
    "BESIDE",
    "MEGABYTE",
    "MISSING_TOKENS",
    "OF_GAPS",
    "OF_NUMBERS",
    "OF_VALUES",
    "ColumnReport",
    "Dataset",
    "Decision",
    "Dictionary",
    "Limits",
    "Option",
    "Proposal",
    "ReadingReport",
    "Recipe",
    "Step",
    "Variable",
    "checked",
    "checked_ways",
    "choice_steps",
    "columns_of",
    "conditions_sentence",
    "decisions",
    "derived_sentence",
    "holds",
    "place_levels",
    "plain",
    "propose",
    "propose_group",
    "propose_roles",
    "propose_shaped",
    "propose_weight",
    "read_dictionary",
    "read_table",
    "reading_report",
    "roles_reason",
    "settle",
    "shape_columns",
    "short_name",
    "sources",
]

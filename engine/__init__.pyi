"""The public names, and where they live."""

from . import exchange, graphs, measures, models, resampling, simulation, words
from .comparison.compare import compare
from .data.dataset import Dataset, Recipe
from .data.preparing.deciding.decide import decisions
from .data.preparing.deciding.decision import settle
from .data.reading.read import read_table
from .errors import Cancelled, DataError, DiptychError, SettingsError
from .methods.discriminative.method import Discriminative
from .methods.group_difference.method import GroupDifference
from .methods.instance_specific.method import InstanceSpecific
from .methods.log_linear.method import LogLinear
from .methods.ordinal.method import Ordinal
from .methods.registry import METHODS
from .methods.table_one import table_one
from .project.file import load, save
from .project.project import Project, SavedResult, by_group
from .project.report.write import report
from .scores.dirichlet import K2, BDe, BDeu
from .scores.gaussian import BGe, GaussianBIC
from .scores.instance import instance_score
from .scores.local import log_score
from .search.best import Best
from .search.constraint import PC
from .search.equivalence import GES
from .search.exact import Exact
from .search.hill_climbing import HillClimbing
from .search.knowledge import Knowledge
from .search.learn import learn
from .search.orders.mcmc import OrderMCMC
from .search.orders.posterior import edge_posteriors
from .search.thick_thinning import ThickThinning

__version__: str

__all__ = [
    "GES",
    "K2",
    "METHODS",
    "PC",
    "BDe",
    "BDeu",
    "BGe",
    "Best",
    "Cancelled",
    "DataError",
    "Dataset",
    "DiptychError",
    "Discriminative",
    "Exact",
    "GaussianBIC",
    "GroupDifference",
    "HillClimbing",
    "InstanceSpecific",
    "Knowledge",
    "LogLinear",
    "OrderMCMC",
    "Ordinal",
    "Project",
    "Recipe",
    "SavedResult",
    "SettingsError",
    "ThickThinning",
    "by_group",
    "compare",
    "decisions",
    "edge_posteriors",
    "exchange",
    "graphs",
    "instance_score",
    "learn",
    "load",
    "log_score",
    "measures",
    "models",
    "read_table",
    "report",
    "resampling",
    "save",
    "settle",
    "simulation",
    "table_one",
    "words",
]

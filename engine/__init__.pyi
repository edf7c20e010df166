"""The public names, and where they live."""

from . import exchange, graphs, measures, models, resampling, simulation, words
from .data.dataset import Dataset, Recipe
from .data.reading.read import read_table
from .errors import Cancelled, DataError, DiptychError, SettingsError
from .methods import METHODS, Discriminative, GroupDifference, InstanceSpecific, LogLinear, Ordinal
from .project.compare import compare
from .project.file import load, save
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
from .search.order_mcmc import OrderMCMC
from .search.order_posterior import edge_posteriors
from .search.thick_thinning import ThickThinning

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
    "Recipe",
    "SettingsError",
    "ThickThinning",
    "compare",
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
    "resampling",
    "save",
    "simulation",
    "words",
]

"""Diptych's engine: compare two networks learned from one table. What is not named here is private."""

from engine.data.dataset import Dataset, Recipe
from engine.data.reading.read import read_table
from engine.errors import Cancelled, DataError, DiptychError, SettingsError
from engine.methods import METHODS, GroupDifference, InstanceSpecific, LogLinear
from engine.project.file import load, save
from engine.scores.dirichlet import K2, BDeu
from engine.scores.instance import instance_score
from engine.scores.local import log_score
from engine.search.equivalence import GES
from engine.search.exact import Exact
from engine.search.hill_climbing import HillClimbing
from engine.search.knowledge import Knowledge
from engine.search.learn import learn
from engine.search.thick_thinning import ThickThinning

__all__ = [
    "GES",
    "K2",
    "METHODS",
    "BDeu",
    "Cancelled",
    "DataError",
    "Dataset",
    "DiptychError",
    "Exact",
    "GroupDifference",
    "HillClimbing",
    "InstanceSpecific",
    "Knowledge",
    "LogLinear",
    "Recipe",
    "SettingsError",
    "ThickThinning",
    "instance_score",
    "learn",
    "load",
    "log_score",
    "read_table",
    "save",
]

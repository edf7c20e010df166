"""Diptych's engine: compare two networks learned from one table. What is not named here is private."""

from engine.data.dataset import Dataset
from engine.data.reading.read import read_table
from engine.errors import Cancelled, DataError, DiptychError, SettingsError
from engine.methods.group_difference.settings import GroupDifference
from engine.methods.instance_specific.settings import InstanceSpecific
from engine.methods.log_linear.settings import LogLinear
from engine.scores.dirichlet import K2, BDeu
from engine.scores.instance import instance_score
from engine.scores.local import log_score
from engine.search.learn import learn

__all__ = [
    "K2",
    "BDeu",
    "Cancelled",
    "DataError",
    "Dataset",
    "DiptychError",
    "GroupDifference",
    "InstanceSpecific",
    "LogLinear",
    "SettingsError",
    "instance_score",
    "learn",
    "log_score",
    "read_table",
]

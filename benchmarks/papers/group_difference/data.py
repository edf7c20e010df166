"""The four tables that Sverchkov & Cooper (2015) learn their networks from.

balance-scale is made here by its rule. The others are read from a folder: UCI's tables as `car.csv`, `hayes-roth.csv`
and `nursery.csv` (any format that Diptych reads is fine under these names), with or without a header.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np

from benchmarks.papers.group_difference.printed import SETS
from engine.data.dataset import Dataset
from engine.data.reading.read import read_table
from engine.errors import DataError, SettingsError

MADE = "balance-scale"
COLUMNS = {"car": 7, "hayes-roth": 5, "nursery": 9}
"""How many columns the tables of the folder have; hayes-roth without the number of the case."""


def balance_scale() -> Dataset:
    """All 625 settings of a balance: two weights and two distances of 1 to 5; it tips to the larger product."""
    settings = np.array(list(itertools.product(range(1, 6), repeat=4)))
    turn = settings[:, 0] * settings[:, 1] - settings[:, 2] * settings[:, 3]
    tips = np.where(turn == 0, 0, np.where(turn > 0, 1, 2))  # balanced, left, right
    names = ["class", "left_weight", "left_distance", "right_weight", "right_distance"]
    sizes = list("12345")
    return Dataset.from_codes(np.vstack([tips, settings.T - 1]), [list("BLR"), *[sizes] * 4], names)


def table(name: str, folder: Path | None) -> Dataset:
    """One of the four tables, all variables nominal.

    Raises
    ------
    SettingsError : an unknown table, or one that needs a folder and there is none
    DataError : the folder has no such file, or the file is not that table
    """
    if name == MADE:
        return balance_scale()
    if name not in COLUMNS:
        raise SettingsError(f"There is no data set {name!r}; there are {', '.join(map(repr, SETS))}.")
    if folder is None:
        raise SettingsError(
            f"{name!r} is not made here; name the folder that holds UCI's table as {name}.csv (--data)."
        )
    file = folder / f"{name}.csv"
    if not file.is_file():
        raise DataError(f"The folder {str(folder)!r} has no {file.name}; put UCI's table there, or leave {name!r} out.")
    read = read_table(file)
    if read.shape[1] != COLUMNS[name]:
        raise DataError(
            f"{file.name} has {read.shape[1]} columns; {name!r} has {COLUMNS[name]}. Give it just those, without "
            "numbers of cases."
        )
    return Dataset.from_frame(read, kinds=dict.fromkeys(map(str, read.columns), "nominal"))

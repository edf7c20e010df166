"""Small tables with known contexts."""

from __future__ import annotations

import itertools

import numpy as np

import engine

NAMES = ["X0", "X1", "X2", "X3", "X4", "X5"]
ARCS = {("X0", "X2"), ("X1", "X2"), ("X2", "X3"), ("X3", "X5"), ("X4", "X5")}


def figure_one(rows: int = 800, seed: int = 4) -> engine.Dataset:
    """After figure 1 of the paper: X0 = 0 makes X1 irrelevant to X2, X3 = 1 makes X4 irrelevant to X5; all binary."""
    rng = np.random.default_rng(seed)
    x0, x1, x4 = (rng.random(rows) < 0.5 for _ in range(3))
    x2 = rng.random(rows) < np.where(~x0, 0.7, np.where(x1, 0.98, 0.1))
    x3 = rng.random(rows) < np.where(x2, 0.8, 0.2)
    x5 = rng.random(rows) < np.where(x3, 0.65, np.where(x4, 0.95, 0.05))
    return engine.Dataset.from_codes(np.array([x0, x1, x2, x3, x4, x5]).astype(int), [2] * 6, NAMES)


def true_drops(patient: dict[str, str]) -> set[tuple[str, str]]:
    """The arcs that do not apply to a patient of `figure_one`."""
    dropped = set()
    if patient["X0"] == "0":
        dropped.add(("X1", "X2"))
    if patient["X3"] == "1":
        dropped.add(("X4", "X5"))
    return dropped


def all_patients() -> list[dict[str, str]]:
    """The 64 patients there can be."""
    return [dict(zip(NAMES, values, strict=True)) for values in itertools.product("01", repeat=6)]


def all_cases(data: engine.Dataset) -> engine.Dataset:
    """Every cell of a table's joint distribution once."""
    cells = list(itertools.product(*[range(int(levels)) for levels in data.arity]))
    return engine.Dataset.from_codes(np.array(cells).T, data.levels, data.names)

"""How a sample table is made: variables with their parents and probabilities, drawn row by row from one
seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Columns = dict[str, list[str]]
"""Column name -> its cells as written in the file."""


@dataclass(frozen=True)
class Variable:
    """One discrete variable of a network.

    `chance` takes the levels of the parents, in the order of `parents`, and gives one weight a level.
    """

    name: str
    levels: tuple[str, ...]
    label: str
    parents: tuple[str, ...]
    chance: Callable[..., Sequence[float]]
    kind: str = "nominal"


@dataclass(frozen=True)
class Entry:
    """One line of the data dictionary."""

    name: str
    kind: str
    label: str
    levels: tuple[str, ...] = ()
    unit: str = ""


@dataclass(frozen=True)
class Made:
    """A table with its dictionary and its truth (plain JSON values)."""

    columns: Columns
    dictionary: list[Entry]
    truth: dict[str, Any] = field(default_factory=dict)


def draw(network: Sequence[Variable], n: int, rng: np.random.Generator) -> Columns:
    """n rows of a network whose variables come after their parents.

    Only uniform numbers are asked of the generator: their stream is the same in every version of numpy.
    """
    columns: Columns = {}
    for variable in network:
        uniform = rng.random(n)
        rows = zip(*(columns[parent] for parent in variable.parents), strict=True)
        known: dict[tuple[str, ...], np.ndarray] = {}
        cells = []
        for u, row in zip(uniform, rows if variable.parents else iter([()] * n), strict=True):
            if row not in known:
                weight = np.cumsum(np.asarray(variable.chance(*row), dtype=float))
                known[row] = weight / weight[-1]
            cells.append(variable.levels[int(np.searchsorted(known[row], u, side="right"))])
        columns[variable.name] = cells
    return columns


def arcs(network: Sequence[Variable]) -> list[list[str]]:
    """[parent, child] of every arc."""
    return [[parent, variable.name] for variable in network for parent in variable.parents]


def entries(network: Sequence[Variable]) -> list[Entry]:
    """The dictionary of a network."""
    return [Entry(v.name, v.kind, v.label, v.levels) for v in network]


def by(table: Mapping[str, Sequence[float]]) -> Callable[[str], Sequence[float]]:
    """The chances of a variable with one parent."""
    return lambda level: table[level]


def yes(probability: float) -> tuple[float, float]:
    """Weights of the levels no, yes."""
    return 1.0 - probability, probability

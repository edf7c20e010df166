"""A discrete Bayesian network to draw rows from: learned from a table, or random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.data.dataset import Dataset
from engine.errors import DataError, SettingsError
from engine.graphs.dag import Parents, check_acyclic, topological_order
from engine.models.tables import posterior_mean


@dataclass(frozen=True, eq=False)
class Network:
    """Variables, arcs and conditional probability tables.

    Attributes
    ----------
    names : p variable names
    levels : for each variable its level names
    parents : for each variable its parents, ascending positions
    tables : for each variable a (configurations, levels) table of probabilities; the first parent's code is the most
        significant digit of a configuration

    Raises
    ------
    DataError : the arcs go round in a circle, or a table does not fit its family or is no table of probabilities
    """

    names: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    parents: Parents
    tables: tuple[np.ndarray, ...]

    def __post_init__(self) -> None:
        check_acyclic(self.parents, self.names)
        for i, (name, table) in enumerate(zip(self.names, self.tables, strict=True)):
            shape = (self.configurations(i), len(self.levels[i]))
            if table.shape != shape:
                raise DataError(f"The table of {name!r} has shape {table.shape}; its family asks for {shape}.")
            if not ((table >= 0).all() and (np.abs(table.sum(axis=1) - 1.0) <= 1e-9).all()):
                raise DataError(f"A row of the table of {name!r} is no distribution; its numbers must sum to 1.")

    @property
    def arities(self) -> np.ndarray:
        """(p,) numbers of levels."""
        return np.array([len(levels) for levels in self.levels], dtype=np.int64)

    def configurations(self, child: int) -> int:
        """How many configurations the parents of a variable have."""
        return int(np.prod([len(self.levels[parent]) for parent in self.parents[child]], dtype=np.int64))

    def sample(self, rows: int, generator: np.random.Generator) -> Dataset:
        """`rows` independent rows."""
        return Dataset.from_codes(self.sample_codes(rows, generator), self.levels, self.names)

    def sample_codes(self, rows: int, generator: np.random.Generator) -> np.ndarray:
        """(p, rows) codes of independent rows."""
        return sample_codes(self.parents, self.tables, self.arities, rows, generator)


def fitted(data: Dataset, parents: Parents, alpha: float = 1.0) -> Network:
    """The network with these arcs and the data's tables: posterior means (N_jk + alpha) / (N_j + r alpha).

    Parameters
    ----------
    parents : for each variable of `data` its parents
    alpha : Dirichlet prior of a cell, above 0; 1 as in K2

    Raises
    ------
    DataError : the arcs go round in a circle, a table would have too many cells
    SettingsError : alpha is not above 0
    """
    if not alpha > 0:
        raise SettingsError(f"alpha is {alpha}; it must be above 0.")
    names = data.names
    families = tuple(tuple(sorted(family)) for family in parents)
    tables = []
    for child, family in enumerate(families):
        table = posterior_mean(data, names[child], [names[parent] for parent in family], alpha).table
        tables.append(table.reshape(-1, table.shape[-1]))
    return Network(names, tuple(data.levels[name] for name in names), families, tuple(tables))


def random_network(
    parents: Parents, arities: Sequence[int] | np.ndarray, generator: np.random.Generator, concentration: float = 1.0
) -> Network:
    """Dirichlet tables for given arcs and numbers of levels; variables are named X1, X2, ..., levels "0", "1", ...

    Parameters
    ----------
    parents : for each variable its parents, as the random DAGs of `engine.simulation.networks` come
    concentration : of a cell; 1 is uniform over all distributions, below 1 the rows are more uneven

    Raises
    ------
    SettingsError : concentration is not above 0
    """
    if not concentration > 0:
        raise SettingsError(f"concentration is {concentration}; it must be above 0.")
    count = len(parents)
    names = tuple(f"X{i:0{len(str(count))}d}" for i in range(1, count + 1))
    levels = tuple(tuple(map(str, range(int(arity)))) for arity in arities)
    tables = []
    for family, own in zip(parents, levels, strict=True):
        rows = int(np.prod([len(levels[parent]) for parent in family], dtype=np.int64))
        tables.append(generator.dirichlet(np.full(len(own), concentration), size=rows))
    return Network(names, levels, parents, tuple(tables))


def sample_codes(
    parents: Parents,
    tables: Sequence[np.ndarray],
    arities: np.ndarray,
    rows: int,
    generator: np.random.Generator,
) -> np.ndarray:
    """(p, rows) codes drawn forward along the arcs; all rows of a variable at once.

    Parameters
    ----------
    parents : for each variable its parents; acyclic
    tables : for each variable its (configurations, levels) probabilities, the first parent's code the most significant
        digit of a configuration
    arities : (p,) numbers of levels
    """
    codes = np.zeros((len(parents), rows), dtype=np.uint8 if arities.max(initial=0) <= 256 else np.uint16)
    for variable in topological_order(parents):
        configuration = np.zeros(rows, dtype=np.int64)
        for parent in parents[variable]:
            configuration *= int(arities[parent])
            configuration += codes[parent]
        drawn = generator.random(rows)
        bounds = tables[variable].cumsum(axis=1)
        for level in range(int(arities[variable]) - 1):  # past the bound of a level: one level further
            codes[variable] += drawn >= bounds[configuration, level]
    return codes

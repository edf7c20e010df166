"""A discrete Bayesian network, learned from a table or random: rows drawn, probabilities of rows, and queries."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.counting.requests import observed_counts
from engine.data.dataset import Dataset
from engine.errors import DataError, check_number
from engine.graphs.dag import Parents, check_acyclic, parents_of, to_networkx, topological_order
from engine.graphs.drawing.svg import graph_bundle
from engine.lazy import nx
from engine.models.elimination import Factor, sum_out
from engine.words import count, short


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

    Examples
    --------
    >>> tables = (np.array([[0.9, 0.1]]), np.array([[0.8, 0.2], [0.1, 0.9]]))
    >>> network = Network(("rain", "wet"), (("no", "yes"),) * 2, ((), (0,)), tables)
    >>> network.sample(4, np.random.default_rng(0)).shape
    (4, 2)
    """

    names: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    parents: Parents
    tables: tuple[np.ndarray, ...]

    def __post_init__(self) -> None:
        check_acyclic(self.parents, self.names)
        for i, (name, table) in enumerate(zip(self.names, self.tables, strict=True)):
            check_table(name, table, (self.configurations(i), len(self.levels[i])))

    def __repr__(self) -> str:
        arcs = sum(map(len, self.parents))
        return f"Network({count(len(self.names), 'variable')}, {count(arcs, 'arc')})"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """A line and the picture for a notebook, which asks nothing of any other host."""
        return graph_bundle(to_networkx(self.parents, self.names), repr(self))

    @property
    def arities(self) -> np.ndarray:
        """(p,) numbers of levels."""
        return np.array([len(levels) for levels in self.levels], dtype=np.int64)

    def configurations(self, child: int) -> int:
        """Number of configurations of a variable's parents.

        Parameters
        ----------
        child : position of the variable

        Returns
        -------
        1 for a variable without parents
        """
        return int(np.prod([len(self.levels[parent]) for parent in self.parents[child]], dtype=np.int64))

    def sample(self, rows: int, generator: np.random.Generator) -> Dataset:
        """Rows drawn independently.

        Parameters
        ----------
        rows : how many
        generator : all randomness comes from it

        Returns
        -------
        `Dataset` with the names and levels of the network

        Examples
        --------
        >>> network = random_network(((), (0,)), [2, 3], np.random.default_rng(0))
        >>> network.sample(100, np.random.default_rng(1)).shape
        (100, 2)
        """
        return Dataset.from_codes(self.sample_codes(rows, generator), self.levels, self.names)

    def sample_codes(self, rows: int, generator: np.random.Generator) -> np.ndarray:
        """(p, rows) codes of rows drawn independently.

        Parameters
        ----------
        rows : how many
        generator : all randomness comes from it
        """
        return sample_codes(self.parents, self.tables, self.arities, rows, generator)

    def log_probability(self, codes: np.ndarray) -> np.ndarray:
        """(n,) natural log of the probability of whole rows; minus infinity for one that cannot be.

        Parameters
        ----------
        codes : (p, n) of all variables, in the order of `names`

        Examples
        --------
        >>> network = Network(("rain",), (("no", "yes"),), ((),), (np.array([[0.75, 0.25]]),))
        >>> np.exp(network.log_probability(np.array([[0, 1, 1]]))).round(2).tolist()
        [0.75, 0.25, 0.25]
        """
        result = np.zeros(codes.shape[1])
        with np.errstate(divide="ignore"):
            logs = [np.log(table) for table in self.tables]
        for child, family in enumerate(self.parents):
            result += logs[child][_configuration(codes, family, self.arities), codes[child]]
        return result

    def position(self, name: str) -> int:
        """Position of a variable among the names.

        Parameters
        ----------
        name : of the variable

        Returns
        -------
        from 0 up

        Raises
        ------
        DataError : no such variable

        Examples
        --------
        >>> Network(("rain",), (("no", "yes"),), ((),), (np.array([[0.75, 0.25]]),)).position("rain")
        0
        """
        if name not in self.names:
            raise DataError(f"The network has no variable {name!r}.", column=name)
        return self.names.index(name)

    def query(self, wanted: str, given: Mapping[str, str] | None = None) -> np.ndarray:
        """(levels,) probabilities of a variable's levels, given the levels of some others.

        Parameters
        ----------
        wanted : name of the variable that is asked about
        given : name -> level of what is known

        Raises
        ------
        DataError : no such variable or level, what is given cannot be, or a table on the way would be too large

        Examples
        --------
        >>> tables = (np.array([[0.75, 0.25]]), np.array([[1.0, 0.0], [0.25, 0.75]]))
        >>> network = Network(("rain", "wet"), (("no", "yes"), ("no", "yes")), ((), (0,)), tables)
        >>> network.query("rain", {"wet": "yes"}).tolist()
        [0.0, 1.0]
        """
        child = self.position(wanted)
        known = self.positions_of(given or {})
        try:
            result = sum_out(self.factors(known), self.arities, () if child in known else (child,))
        except ValueError:
            raise DataError(
                f"What is given cannot be: {dict(given or {})} has probability 0; leave a part out."
            ) from None
        if result is None:
            raise DataError(f"The probabilities of {wanted!r} need a table too large to build; give more levels.")
        return np.eye(len(self.levels[child]))[known[child]] if child in known else result[1]

    def positions_of(self, levels: Mapping[str, str]) -> dict[int, int]:
        """Position -> code of what is known; `DataError` for a variable or level that the network does not have.

        Parameters
        ----------
        levels : name -> level
        """
        return {self.position(name): self._code(name, level) for name, level in levels.items()}

    def configuration(self, child: int, codes: np.ndarray) -> np.ndarray:
        """(n,) the row of a variable's table that each column of codes selects.

        Parameters
        ----------
        child : position of the variable
        codes : (p, n) of all variables
        """
        return _configuration(codes, self.parents[child], self.arities)

    def factors(self, known: Mapping[int, int]) -> list[Factor]:
        """The tables at the codes that are known, with an axis for each variable that is not.

        Parameters
        ----------
        known : position -> code
        """
        result = []
        for child, (family, table) in enumerate(zip(self.parents, self.tables, strict=True)):
            scope = (*family, child)
            cells = table.reshape([len(self.levels[x]) for x in scope])
            free = tuple(x for x in scope if x not in known)
            result.append((free, np.asarray(cells[tuple(known.get(x, slice(None)) for x in scope)])))
        return result

    def _code(self, name: str, level: str) -> int:
        levels = self.levels[self.position(name)]
        if level not in levels:
            raise DataError(f"{name!r} has no level {level!r}; it has {', '.join(map(repr, levels))}.", column=name)
        return levels.index(level)


def check_table(name: str, table: np.ndarray, shape: tuple[int, ...]) -> None:
    """`DataError` for a table that does not fit its family or has a row that is no distribution."""
    if table.shape != shape:
        raise DataError(f"The table of {name!r} has shape {table.shape}; its family asks for {shape}.")
    if not ((table >= 0).all() and (np.abs(table.sum(axis=-1) - 1.0) <= 1e-9).all()):
        raise DataError(f"A row of the table of {name!r} is no distribution; its numbers must sum to 1.")


def fitted(data: Dataset, parents: Parents | nx.DiGraph, alpha: float = 1.0) -> Network:
    """The network with these arcs and the data's tables: posterior means (N_jk + alpha) / (N_j + r alpha).

    Parameters
    ----------
    data : the rows that the tables are learned from
    parents : a DAG over the variables of `data`, or for each variable the positions of its parents
    alpha : Dirichlet prior of a cell, above 0; 1 as in K2

    Returns
    -------
    the network, over the names and levels of the data

    Raises
    ------
    DataError : the arcs go round in a circle or have no directions, a table would have too many cells
    SettingsError : alpha is not above 0

    Examples
    --------
    >>> data = Dataset.from_codes(np.array([[0, 0, 1], [0, 1, 1]]), [["no", "yes"]] * 2, ["rain", "wet"])
    >>> fitted(data, [(), (0,)]).tables[1].round(2).tolist()
    [[0.5, 0.5], [0.33, 0.67]]
    """
    check_number("alpha", alpha, above=0)
    names = data.names
    given = parents if isinstance(parents, Sequence) else parents_of(parents, names)
    families = tuple(tuple(sorted(family)) for family in given)
    check_acyclic(families, names)
    tables = []
    for child, family in enumerate(families):
        table = posterior_mean(data, names[child], [names[parent] for parent in family], alpha).table
        tables.append(table.reshape(-1, table.shape[-1]))
    return Network(names, tuple(data.levels[name] for name in names), families, tuple(tables))


def numbered_names(count: int) -> tuple[str, ...]:
    """X1, X2, ..., all equally long."""
    return tuple(f"X{i:0{len(str(count))}d}" for i in range(1, count + 1))


def level_numbers(arities: Sequence[int] | np.ndarray) -> tuple[tuple[str, ...], ...]:
    """For each variable the levels "0", "1", ..."""
    return tuple(tuple(map(str, range(int(arity)))) for arity in arities)


def random_network(
    parents: Parents, arities: Sequence[int] | np.ndarray, generator: np.random.Generator, concentration: float = 1.0
) -> Network:
    """Dirichlet tables for given arcs and numbers of levels; variables are named X1, X2, ..., levels "0", "1", ...

    Parameters
    ----------
    parents : for each variable its parents, as the random DAGs of `engine.simulation.networks` come
    arities : (p,) numbers of levels
    generator : all randomness comes from it
    concentration : of a cell; 1 is uniform over all distributions, below 1 the rows are more uneven

    Returns
    -------
    the network

    Raises
    ------
    SettingsError : concentration is not above 0

    Examples
    --------
    >>> network = random_network(((), (0,)), [2, 2], np.random.default_rng(0))
    >>> network.names, [table.shape for table in network.tables]
    (('X1', 'X2'), [(1, 2), (2, 2)])
    """
    check_number("concentration", concentration, above=0)
    names, levels = numbered_names(len(parents)), level_numbers(arities)
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
    order: Sequence[int] | None = None,
) -> np.ndarray:
    """(p, rows) codes drawn forward along the arcs, in an order that fits them; all rows of a variable at once.

    Examples
    --------
    >>> sure = [np.array([[0.0, 1.0]]), np.array([[1.0, 0.0], [0.0, 1.0]])]
    >>> sample_codes(((), (0,)), sure, np.array([2, 2]), 3, np.random.default_rng(0)).tolist()
    [[1, 1, 1], [1, 1, 1]]
    """
    codes = np.zeros((len(parents), rows), dtype=np.uint8 if arities.max(initial=0) <= 256 else np.uint16)
    for variable in topological_order(parents) if order is None else order:
        configuration = _configuration(codes, parents[variable], arities)
        drawn = generator.random(rows)
        bounds = tables[variable].cumsum(axis=1)
        for level in range(int(arities[variable]) - 1):  # past the bound of a level: one level further
            codes[variable] += drawn >= bounds[configuration, level]
    return codes


def _configuration(codes: np.ndarray, family: Sequence[int], arities: np.ndarray) -> np.ndarray:
    """(n,) the row of a table that each column of codes selects."""
    result = np.zeros(codes.shape[1], dtype=np.int64)
    for parent in family:
        result *= int(arities[parent])
        result += codes[parent]
    return result


MAX_CELLS = 5_000_000
"""Most probabilities one table may have."""


@dataclass(frozen=True, eq=False)
class Cpt:
    """The distribution of a child for each configuration of its parents.

    Attributes
    ----------
    child, parents : names; the parents in the order of the first axes
    table : (levels of each parent ..., levels of the child) probabilities; the last axis sums to one

    Examples
    --------
    >>> engine.models.Cpt("cough", ("smoking",), np.array([[0.9, 0.1], [0.6, 0.4]])).table[1].tolist()
    [0.6, 0.4]
    """

    child: str
    parents: tuple[str, ...]
    table: np.ndarray


def posterior_mean(data: Dataset, child: str, parents: Sequence[str], alpha: float) -> Cpt:
    """Means of the Dirichlet posteriors: (N_jk + alpha) / (N_j + r alpha), with N_jk rows of level k of the child.

    Parameters
    ----------
    data : the rows
    child, parents : names of variables of the data
    alpha : Dirichlet prior of a cell, above 0

    Returns
    -------
    the table, its axes the parents in the order given and the child last

    Raises
    ------
    DataError : a variable that the data do not have, a table with too many cells

    Examples
    --------
    >>> from engine.data.dataset import Dataset
    >>> data = Dataset.from_codes(np.array([[0, 0, 1]]), [["no", "yes"]], ["rain"])
    >>> posterior_mean(data, "rain", [], alpha=1.0).table.tolist()
    [0.6, 0.4]
    """
    which = [data.index(name) for name in (*parents, child)]
    shape = tuple(int(data.arity[i]) for i in which)
    check_size(child, shape)
    cells, seen = observed_counts(data, which)
    counts = np.full(shape, float(alpha))
    counts[tuple(cells.T)] += seen
    return Cpt(child, tuple(parents), counts / counts.sum(axis=-1, keepdims=True))


def check_size(child: str, shape: Sequence[int]) -> None:
    """`DataError` for a table that would fill the memory."""
    if math.prod(shape) > MAX_CELLS:
        raise DataError(
            f"The table of {short(child, 60)!r} would have {math.prod(shape):,} probabilities (up to {MAX_CELLS:,} are "
            "possible); give it fewer parents or levels."
        )

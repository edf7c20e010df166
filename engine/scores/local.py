"""The one idea: a decomposable score is a sum over variables of `local(child, parents)`.

A `LocalScore` is a small frozen value (K2, BDeu, ...). Bound to a data set it answers the only two questions a search
asks; searches know nothing else about it. Variables are positions here, names only at the public boundary.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from engine.counting.walk_state import Rows
from engine.data.dataset import Dataset
from engine.errors import SettingsError
from engine.graphs.dag import check_acyclic, parents_of
from engine.lazy import nx, pd

GAIN = 1e-9
"""A move must gain more than this (natural log), relative to the score it changes; less is a tie, and no move."""


class BoundScore(Protocol):
    """A score with its data: what a search sees."""

    n_variables: int

    def local(self, child: int, parents: tuple[int, ...]) -> float:
        """Natural-log score of one family."""
        ...

    def additions(self, child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        """(p,) scores of the families `parents + (x,)` for every variable x; -inf where x is in the family.

        `among` (p,) bool says which x are asked about, all where None; the others are -inf too.
        """
        ...


@runtime_checkable
class BatchedScore(BoundScore, Protocol):
    """A bound score that is asked about many families at once for less than it costs one by one."""

    def many_additions(self, child: int, families: np.ndarray, sizes: np.ndarray, among: np.ndarray) -> np.ndarray:
        """(g, p) `additions` of the first `sizes[g]` of `families[g]` (g, m) as parents, in ascending order."""
        ...


class Family(NamedTuple):
    """A family that a greedy search wants weighed.

    Attributes
    ----------
    child, parents : positions, the parents ascending
    required : the parents that must stay
    among : (p,) bool the variables that might join the parents; None where none may
    """

    child: int
    parents: tuple[int, ...]
    required: Container[int]
    among: np.ndarray | None


class Weighed(NamedTuple):
    """Score of a family; gain of taking each parent away, -inf where it must stay; (p,) gain of each addition."""

    local: float
    removals: np.ndarray
    additions: np.ndarray


@runtime_checkable
class ClimbingScore(BoundScore, Protocol):
    """A bound score that the compiled climber knows, at least for some data."""

    def climbing_rows(self, by_size: np.ndarray | None = None) -> Rows | None:
        """Rows and score for the climber, `by_size[k]` added for k parents; None where it is not to serve."""
        ...


def weigh(score: BoundScore, families: Iterable[Family]) -> Iterator[Weighed]:
    """Score each family and every change of it, in their order."""
    # of a score that weighs many for less; asking a protocol costs more than weighing
    together = getattr(score, "weigh", None)
    return together(families) if together is not None else (weigh_one(score, family) for family in families)


def weigh_one(score: BoundScore, family: Family) -> Weighed:
    """Score one family and every change of it, by the two questions that any score answers."""
    child, group, required, among = family
    base = checked(score.local(child, group))
    removals = np.full(len(group), -np.inf)
    for i, x in enumerate(group):
        if x not in required:
            removals[i] = checked(score.local(child, group[:i] + group[i + 1 :])) - base
    if among is None:
        return Weighed(base, removals, np.full(score.n_variables, -np.inf))
    return Weighed(base, removals, checked_all(score.additions(child, group, among)) - base)


def checked(value: float) -> float:
    """A score of a family, where it is a number; searches compare scores, and what is none cannot be compared."""
    if not math.isfinite(value):
        raise SettingsError(
            f"The score of a family is {value}; a score must answer every family with a finite logarithm. "
            "Look at its prior and its formula.",
            setting="score",
        )
    return value


def checked_all(values: np.ndarray) -> np.ndarray:
    """Scores of `additions`, where they are numbers; -inf is what cannot be added."""
    if not (values < np.inf).all():
        checked(float(values[~(values < np.inf)][0]))
    return values


@runtime_checkable
class LocalScore(Protocol):
    """A decomposable score before it meets data."""

    @property
    def equivalent(self) -> bool:
        """True where Markov-equivalent DAGs score the same."""
        ...

    def bind(self, data: Dataset) -> BoundScore:
        """This score with its data, as a search wants it."""
        ...

    def family(self, data: Dataset, child: str, parents: list[str]) -> float:
        """Natural-log score of one family, by names."""
        ...


class FamilyByName(ABC):
    """Base of the scores of data sets: a family asked about by names."""

    @abstractmethod
    def bind(self, data: Dataset) -> BoundScore:
        """This score with its data, as a search wants it."""

    def family(self, data: Dataset, child: str, parents: Sequence[str]) -> float:
        """Natural-log score of one family.

        Parameters
        ----------
        data : the rows that are explained
        child, parents : names; the order of the parents does not matter

        Returns
        -------
        the score, in nats

        Raises
        ------
        DataError : the data have no such variable
        """
        return self.bind(data).local(data.index(child), tuple(sorted(data.index(name) for name in parents)))


def log_score(data: Dataset, graph: nx.DiGraph, score: LocalScore) -> pd.Series:
    """Natural-log score of every variable given its parents in a DAG; the sum is the DAG's score.

    Parameters
    ----------
    data : the rows that are explained
    graph : a networkx.DiGraph over all variables of the data, without circles
    score : such as `engine.K2()` or `engine.BDeu(ess=1.0)`

    Returns
    -------
    pandas.Series by variable, in column order

    Raises
    ------
    DataError : the graph does not stand over exactly these variables, has a cycle or an edge without a direction

    Examples
    --------
    >>> import networkx as nx
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 1] * 9, [0, 1, 1, 1] * 9], [2, 2], ["smoking", "cough"])
    >>> engine.log_score(data, nx.DiGraph([("smoking", "cough")]), engine.K2()).round(3).to_dict()
    {'smoking': -26.54, 'cough': -16.681}
    """
    parents = parents_of(graph, data.names)
    check_acyclic(parents, data.names)
    bound = score.bind(data)
    values = [bound.local(child, group) for child, group in enumerate(parents)]
    return pd.Series(values, index=pd.Index(data.names, name="variable"))

"""Counts of a table as the search asks for them, and the information of edges.

Positions are those of the variables in alphabetical order, so that ties go by name; the data keep their own order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.counting import Additions, Request, kernels, many_addition_counts, many_observed_counts
from engine.counting.design_effect import design_effect_of
from engine.counting.numpy_counter import table_information as computed_information
from engine.methods.fitting import check_counts, check_shape
from engine.methods.log_linear.pair_counts import (
    Computed,
    PairCounts,
    Weights,
    shared_entropy_terms,
    shared_log_factorials,
)
from engine.methods.storing import storable

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

_MOST_DENSE = 4096  # cells up to which a table is laid out whole
_AT_ONCE = 1 << 22  # cells that are counted in one go: bounds the memory


@storable
@dataclass(frozen=True, eq=False)
class Margin:
    """The observed cells of some variables: (J, k) codes and (J,) counts."""

    variables: tuple[int, ...]
    cells: np.ndarray
    counts: np.ndarray

    def _check_read(self) -> None:
        """Nothing where what a file holds fits together, `DataError` elsewhere."""
        check_shape(self.cells, None, len(self.variables))
        check_shape(self.counts, len(self.cells))
        check_counts(self.counts)

    def over(self, variables: Sequence[int]) -> Margin:
        """The margin of fewer of the variables."""
        columns = self.cells[:, [self.variables.index(x) for x in variables]]
        if not columns.shape[1]:
            return Margin((), np.zeros((1, 0), dtype=np.int64), self.counts.sum(keepdims=True))
        cells, inverse = np.unique(columns, axis=0, return_inverse=True)
        return Margin(tuple(variables), cells, np.bincount(inverse.ravel(), self.counts).astype(np.int64))

    def ordered(self, variables: Sequence[int], arity: np.ndarray) -> Margin:
        """The same counts with the variables in another order."""
        if self.variables == tuple(variables):
            return self
        if self.cells_possible(arity) > _MOST_DENSE:
            return self.over(variables)
        axes = [self.variables.index(x) for x in variables]
        return margin_of(variables, self.dense(arity).transpose(axes))

    def cells_possible(self, arity: np.ndarray) -> float:
        """How many cells there could be, seen or not."""
        return math.prod(float(arity[x]) for x in self.variables)

    def weight(self, weights: Weights) -> float:
        """The sum of the weights of all cells."""
        return float(weights[self.counts].sum())

    def dense(self, arity: np.ndarray) -> np.ndarray:
        """The whole table, one axis a variable."""
        table = np.zeros([int(arity[x]) for x in self.variables], dtype=np.int64)
        table[tuple(self.cells.T)] = self.counts
        return table


class InformationRequest(NamedTuple):
    """A variable, others that it may be joined to, and what all of them are given."""

    a: int
    others: Sequence[int]
    given: Sequence[int]


class Counts:
    """The table by position in alphabetical order.

    Parameters
    ----------
    data : the table
    effect : the design effect that counts are divided by where they are weighed; the table's own where None
    """

    def __init__(self, data: Dataset, effect: float | None = None) -> None:
        self.data = data
        self.effect = design_effect_of(data) if effect is None else effect
        self.names = tuple(sorted(data.names))
        self.column = np.array([data.index(name) for name in self.names], dtype=np.int64)
        self.arity = data.arity[self.column]
        self.n_rows = data.n_rows
        self.pairs = PairCounts(data)

    @property
    def log_factorials(self) -> Weights:
        """ln k! for every count there can be."""
        return shared_log_factorials(self.n_rows, self.effect)

    @property
    def entropy_terms(self) -> Weights:
        """k ln k for every count there can be."""
        return shared_entropy_terms(self.n_rows, self.effect)

    @property
    def size(self) -> float:
        """The sample size: rows by themselves that would tell as much."""
        return self.n_rows / self.effect

    @property
    def margins(self) -> list[np.ndarray]:
        """The counts of every variable's levels, in the order of the data."""
        return self.pairs.levels

    @cached_property
    def place(self) -> np.ndarray:
        """(p,) the position of each variable, variables as the data order them."""
        result = np.empty(len(self.names), dtype=np.int64)
        result[self.column] = np.arange(len(self.names))
        return result

    def margin(self, variables: Sequence[int]) -> Margin:
        """The observed cells of some variables, counted where their counts are not there already."""
        return self.many_margins([variables])[0]

    def many_margins(self, groups: Sequence[Sequence[int]]) -> list[Margin]:
        """`margin` of many groups of variables: those that have to be counted in one pass."""
        result: dict[tuple[int, ...], Margin] = {}
        wanted = []
        for group in map(tuple, groups):
            if group not in result:
                dense = self._known(group)
                if dense is None:
                    wanted.append(group)
                else:
                    result[group] = margin_of(group, dense)
        counted = many_observed_counts(self.data, [self.column[list(group)].tolist() for group in wanted])
        result |= {group: Margin(group, *item) for group, item in zip(wanted, counted, strict=True)}
        return [result[tuple(group)] for group in groups]

    def known_or_counted(self, groups: Sequence[tuple[int, ...]], known: Iterable[Margin]) -> list[Margin]:
        """`many_margins`, where some tables are known already, their variables in any order."""
        wanted = {frozenset(group) for group in groups}
        tables: dict[frozenset[int], Margin] = {}
        for item in known:
            if (key := frozenset(item.variables)) in wanted and key not in tables:
                tables[key] = item
        missing = [group for group in dict.fromkeys(groups) if frozenset(group) not in tables]
        tables |= {frozenset(margin.variables): margin for margin in self.many_margins(missing)}
        return [tables[frozenset(group)].ordered(group, self.arity) for group in groups]

    def _known(self, group: tuple[int, ...]) -> np.ndarray | None:
        """The whole table of one variable or two, where it has been counted."""
        if len(group) == 1:
            return self.margins[self.column[group[0]]]
        return self.pairs.table(*self.column[list(group)].tolist()) if len(group) == 2 else None

    def all_pairs(self, weights: Weights) -> np.ndarray:
        """(p, p) symmetric: the information of all pairs without a separator; 0 on the diagonal."""
        result = np.zeros((len(self.names), len(self.names)))
        for first, block in self.pairs.blocks(weights):
            result[self.place[first : first + len(block)]] += block[:, self.column]
        return result + result.T  # every pair stands on one side only

    def information(self, a: int, others: Sequence[int], given: Sequence[int], weights: Weights) -> np.ndarray:
        """Information of `a` and each of `others` given the same variables: w(S+a+b) + w(S) - w(S+a) - w(S+b)."""
        return self.many_informations([InformationRequest(a, others, given)], weights)[0]

    def many_informations(self, requests_value: Sequence[InformationRequest], weights: Weights) -> list[np.ndarray]:
        """`information` of many edges, in one pass as long as it fits."""
        requests_value = [InformationRequest(a, others, sorted(given)) for a, others, given in requests_value]
        informations = list[np.ndarray]()
        for part in self._parts(requests_value):
            requests = [
                Request(int(self.column[a]), tuple(self.column[list(given)].tolist()), self.column[list(others)])
                for a, others, given in part
            ]
            tables = many_addition_counts(self.data, requests)
            informations += [
                self._information(item, counted, weights) for item, counted in zip(part, tables, strict=True)
            ]
        return informations

    def _parts(self, requests: Sequence[InformationRequest]) -> Iterator[list[InformationRequest]]:
        """What is counted in one go."""
        part, cells = list[InformationRequest](), 0
        for item in requests:
            widest = int(self.arity[list(item.others)].max(initial=1))
            own = len(item.others) * widest * math.prod(int(self.arity[x]) for x in (item.a, *item.given))
            if part and cells + own > _AT_ONCE:
                yield part
                part, cells = [], 0
            part.append(item)
            cells += own
        if part:
            yield part

    def _information(self, request: InformationRequest, counted: Additions | None, weights: Weights) -> np.ndarray:
        a, others, given = request
        if counted is None:
            return np.array([self._sparse(a, b, given, weights) for b in others])
        out = np.empty(len(others))
        r, levels = int(self.arity[a]), self.arity[list(others)]
        for s in set(levels.tolist()):
            members = np.flatnonzero(levels == s)
            out[members] = table_information(counted.tables, members, counted.configurations, r, s, weights)
        return out

    def _sparse(self, a: int, b: int, given: Sequence[int], weights: Weights) -> float:
        """The same where the whole table would be mostly empty."""
        whole = self.margin((*given, a, b))
        parts = [whole.over(group).weight(weights) for group in (given, (*given, a), (*given, b))]
        return whole.weight(weights) + parts[0] - parts[1] - parts[2]


def margin_of(variables: Sequence[int], dense: np.ndarray) -> Margin:
    """The cells that occur of a whole table, one axis a variable."""
    cells = np.argwhere(dense)
    return Margin(tuple(variables), cells, dense[tuple(cells.T)])


def table_information(tables: np.ndarray, members: np.ndarray, q: int, r: int, s: int, weights: Weights) -> np.ndarray:
    """(m,) information of two variables given others, from the flat (q, r, s) tables `members`."""
    result = np.empty(len(members))
    if isinstance(weights, Computed):
        computed_information(tables, members, q, r, s, weights, result)  # type: ignore[arg-type]
    else:
        kernels().table_information(tables, members, q, r, s, weights, result)
    return result

"""Scales that variables are compared by beyond the levels of their blocks: odds of levels, order, or values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np

from engine.counting.differences.forms import FEW, LEVELS, NOMINAL, NUMBER, ORDERED, hermite_nodes, legendre_table
from engine.counting.requests import level_counts
from engine.data.dataset import Dataset
from engine.lazy import special
from engine.models.latent_normal import normal_scores

MANY_ROWS = 50_000
"""From here on tables of all variables of a family are counted once, and not row by row for each of its children."""
MOST_LOOKED_UP = 1 << 16
"""Rows up to which ln n! is looked up."""
FEWEST_LEVELS = 3
"""Levels of an ordered variable, or distinct values of a number, from which it is more than two shares."""


@cache
def _legendre() -> np.ndarray:
    return legendre_table()


@cache
def nodes() -> tuple[np.ndarray, ...]:
    """See `hermite_nodes`."""
    return hermite_nodes()


@cache
def tables(rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """ln Gamma(n + 1/2), ln n! up to all rows, and Legendre polynomials: what `segment_evidence` looks up."""
    n = np.arange(max(rows, 2 * FEW) + 2)  # blocks under FEW rows look up twice their rows
    return special.gammaln(n + 0.5), special.gammaln(n + 1.0), _legendre()


class Scale(NamedTuple):
    """The scale by which a variable is compared.

    Attributes
    ----------
    kind : LEVELS, NOMINAL, ORDERED or NUMBER of `difference_kernels`
    absent : the code of missing values; -1 where there is none
    levels : (r,) scores of the levels of an ordered variable; zeros else
    """

    kind: int
    absent: int
    levels: np.ndarray


@dataclass(frozen=True, eq=False)
class Scales:
    """The scales by which all variables of two groups are compared.

    Attributes
    ----------
    data : both groups' rows
    rows : (N,) positions in `data`, those of the first group first; none where families are only counted
    by_levels : whether only the levels of blocks are compared, as the paper does
    """

    data: Dataset
    rows: np.ndarray
    by_levels: bool

    @cached_property
    def scales(self) -> tuple[Scale, ...]:
        """One a variable."""
        return tuple(self._scale(name) for name in self.data.names)

    @cached_property
    def line(self) -> np.ndarray:
        """(n,) which variables are numbers, and so taken out of others by a line."""
        return np.array([scale.kind == NUMBER for scale in self.scales])

    @cached_property
    def scaled(self) -> np.ndarray:
        """(n,) which variables are compared along a scale."""
        return np.array([scale.kind in (ORDERED, NUMBER) for scale in self.scales])

    @cached_property
    def scores(self) -> np.ndarray:
        """(n, N) normal scores of numbers and ordered variables, of the whole table; 0 for others and where missing."""
        result = np.zeros((self.data.n_variables, len(self.rows)))
        for i, (name, scale) in enumerate(zip(self.data.names, self.scales, strict=True)):
            if scale.kind == NUMBER:
                result[i] = normal_scores(self.data.numbers[name].column)[self.rows]
            elif scale.kind == ORDERED:
                result[i] = scale.levels[self.codes[i]]
        return result

    @cached_property
    def codes(self) -> np.ndarray:
        """(n, N) codes of `rows`."""
        return np.ascontiguousarray(self.data.codes[:, self.rows])

    def places(self, parents: tuple[int, ...], configurations: np.ndarray) -> np.ndarray:
        """(N,) which of the configurations of some variables each of `rows` has."""
        key, known = np.zeros(len(self.rows), dtype=np.int64), np.zeros(len(configurations), dtype=np.int64)
        for x, codes in zip(parents, configurations.T, strict=True):
            key = key * self.data.arity[x] + self.codes[x]
            known = known * self.data.arity[x] + codes
        order = np.argsort(known)
        return np.asarray(order[np.searchsorted(known, key, sorter=order)])

    def known(self, child: int) -> np.ndarray:
        """Positions among `rows` with a value of the child, by its score ascending."""
        scale, codes = self.scales[child], self.codes[child]
        order = np.argsort(self.scores[child], kind="stable") if scale.kind != NOMINAL else np.arange(len(self.rows))
        return np.asarray(order[codes[order] != scale.absent] if scale.absent >= 0 else order)

    @property
    def tables(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """See the function `tables`."""
        return tables(min(1 << int(np.ceil(np.log2(max(self.data.n_rows, 1)))), MOST_LOOKED_UP))

    def _scale(self, name: str) -> Scale:
        levels = len(self.data.levels[name])
        nothing = np.zeros(levels)
        if self.by_levels:
            return Scale(LEVELS, -1, nothing)
        missing = self.data.missing_level(name)
        absent = self.data.levels[name].index(missing) if missing is not None else -1
        present = levels - (absent >= 0)
        number = self.data.kinds[name] == "continuous"
        known = self.data.numbers.get(name) if number and len(self.rows) else None
        if known is not None and len(known.values) > FEWEST_LEVELS:  # NaN is one of them
            return Scale(NUMBER, absent, nothing)
        if (number or self._ordered(name)) and present >= FEWEST_LEVELS:
            return Scale(ORDERED, absent, level_scores(self._counts[self.data.index(name)], absent))
        return Scale(NOMINAL, -1, nothing)

    @cached_property
    def _counts(self) -> list[np.ndarray]:
        """Rows of every level, of all variables in one pass."""
        return level_counts(self.data)

    def _ordered(self, name: str) -> bool:
        if self.data.kinds[name] == "ordinal":
            return True
        columns = self.data.made_by.columns if self.data.made_by is not None else ()
        return any(column.name == name and column.ordered for column in columns)


def level_scores(counts: np.ndarray, absent: int) -> np.ndarray:
    """(r,) the same of levels in order, from their rows; 0 of the one for missing values."""
    counts = counts.astype(float)
    if absent >= 0:
        counts[absent] = 0.0
    middle = np.cumsum(counts) - counts / 2
    n = counts.sum()
    result = np.zeros(len(counts))
    there = counts > 0
    result[there] = special.ndtri(middle[there] / n)
    return result

"""Links checked with the numbers that were cut: a number in thirds leaves a part of what it explains behind.

Of X <- C -> Y with all three cut, X and Y stay associated within each third of C. So a link of two numbers, or of any
two given a number, has the partial correlation of the normal scores beside it: what explains them is taken out by a
line with bends at quantiles of each number, and by the levels of every other variable. Squares of scores are asked too,
so that a curved link is not taken for none.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from engine.data.dataset import Dataset
from engine.data.spoken_levels import spoken_level
from engine.lazy import special
from engine.methods.fitting import check_that
from engine.methods.storing import storable
from engine.models.latent_normal import normal_scores

NEAR = 0.1
"""A partial correlation no larger than this is near 0."""
MOST_ROWS = 5000
"""Rows that are looked at, evenly spaced: enough to tell 0 from `NEAR`."""
ROWS_A_BEND, MOST_BENDS = 40, 12
"""Rows for each bend of the line by which a number is taken out, and the most of them."""
FEWEST_LEFT = 8
"""Rows left over after what is taken out, below which nothing is told."""
FROM_THE_CUT = "may come from the cut"


@storable
@dataclass(frozen=True)
class NumberCheck:
    """The check of two variables by their numbers.

    Attributes
    ----------
    a, b, given : names
    cut : those of `given` that are numbers with more values than levels
    of : the levels that the correlation is of, "" for a number or an ordered variable
    correlation, low, high : partial correlation of scores, with its interval of 95 %, over all levels together
    rows : looked at
    shown : whether the numbers show a link: a correlation beyond `NEAR` whose interval excludes 0, of squares too
    """

    a: str
    b: str
    given: tuple[str, ...]
    cut: tuple[str, ...]
    of: tuple[str, str]
    correlation: float
    low: float
    high: float
    rows: int
    shown: bool

    @property
    def from_the_cut(self) -> bool:
        """True of a link that may be there only because a number that explains it was cut."""
        return bool(self.cut) and not self.shown

    def _check_read(self) -> None:
        check_that(set(self.cut) <= set(self.given) and len(self.of) == 2, "a check of numbers is of none")


@dataclass(frozen=True, eq=False)
class NumberChecks:
    """The rows that links are checked with.

    Attributes
    ----------
    data : the table
    effect : its design effect
    """

    data: Dataset
    effect: float
    _bases: dict[str, np.ndarray] = field(default_factory=dict)

    def of(self, pairs: Iterable[tuple[str, str, Sequence[str]]]) -> tuple[NumberCheck, ...]:
        """A check of each pair that numbers tell something of: two numbers, or any two given a number that was cut."""
        if not self.data.in_memory:
            return ()
        known = {(a, b): self._check(a, b, tuple(given)) for a, b, given in pairs}
        return tuple(check for check in known.values() if check is not None)

    @cached_property
    def cut(self) -> frozenset[str]:
        """The numbers with more values than levels."""
        return frozenset(name for name in self.data.names if is_cut(self.data, name))

    @cached_property
    def _rows(self) -> np.ndarray:
        n = self.data.n_rows
        return np.arange(n) if n <= MOST_ROWS else np.linspace(0, n - 1, MOST_ROWS).round().astype(np.int64)

    def _check(self, a: str, b: str, given: tuple[str, ...]) -> NumberCheck | None:
        numbers = self.data.numbers
        cut = tuple(name for name in given if name in self.cut)
        if not cut and not {a, b} <= set(numbers):
            return None
        known = np.ones(len(self._rows), dtype=bool)
        for name in {a, b, *given} & set(numbers):
            known &= ~np.isnan(self._basis(name)[0])
        size = int(known.sum())
        if not size:
            return None
        basis = np.concatenate([np.ones((1, size)), *(self._taken_out(name, known) for name in given)])
        columns, levels = zip(*(self._ends(name) for name in (a, b)), strict=True)
        left = size / self.effect - len(basis)
        if left < FEWEST_LEFT:
            return None
        directions, spread, _ = np.linalg.svd(basis.T, full_matrices=False)
        directions = directions[:, spread > 1e-9 * spread[0]]
        first, second = (_residuals(column[:, known], directions) for column in columns)
        partial = np.clip(first @ second.T / size, -1.0, 1.0)
        noise = np.sqrt((first**2) @ (second**2).T / size)  # above 1 where both spread more at the same rows
        reach = special.ndtri(1 - 0.025 / partial.size)
        shown = (np.abs(partial) > NEAR) & (np.abs(partial) * math.sqrt(left) > reach * np.maximum(noise, 1.0))
        own = partial[tuple(slice(1 if names is None else None) for names in levels)]  # of scores, not their squares
        i, j = np.unravel_index(np.abs(own).argmax(), own.shape)
        value, width = float(own[i, j]), special.ndtri(1 - 0.025 / own.size) / math.sqrt(left)
        centre = math.atanh(max(min(value, 1 - 1e-9), 1e-9 - 1))
        of = tuple("" if names is None else names[k] for names, k in zip(levels, (i, j), strict=True))
        ends = math.tanh(centre - width), math.tanh(centre + width)
        return NumberCheck(a, b, given, cut, (of[0], of[1]), value, *ends, size, bool(shown.any()))

    def _ends(self, name: str) -> tuple[np.ndarray, tuple[str, ...] | None]:
        """(k, n) what is correlated: scores and their squares, or flags of levels and which these are."""
        if name in self.data.numbers:
            return self._basis(name), None
        levels, spoken = self.data.levels[name], spoken_level(self.data.levels[name])
        which = range(len(levels)) if spoken is None else [spoken]
        return self._basis(name)[list(which)], tuple(levels[k] for k in which)

    def _taken_out(self, name: str, known: np.ndarray) -> np.ndarray:
        """(k, size) of some rows what another line or other levels of a variable would explain."""
        basis = self._basis(name)[:, known]
        if name not in self.data.numbers:
            return basis
        bends = min(MOST_BENDS, max(2, basis.shape[1] // ROWS_A_BEND))
        knots = np.unique(np.quantile(basis[0], np.linspace(0, 1, bends)))
        return np.stack([np.interp(basis[0], knots, hat) for hat in np.eye(len(knots))])

    def _basis(self, name: str) -> np.ndarray:
        """(k, n) a number's normal scores and their squares, NaN where it has none; else flags of levels."""
        if name not in self._bases:
            if name in self.data.numbers:
                values = self.data.numbers[name].column[self._rows]
                scores = np.where(np.isnan(values), np.nan, normal_scores(values))
                self._bases[name] = np.stack([scores, scores**2])
            else:
                codes = self.data.column(name)[self._rows]
                self._bases[name] = (codes == np.arange(len(self.data.levels[name]))[:, None]).astype(float)
        return self._bases[name]


def is_cut(data: Dataset, name: str) -> bool:
    """True of a number with more values than levels."""
    known = data.numbers.get(name)
    if data.kinds[name] != "continuous" or (known is None and data.in_memory):
        return False
    return known is None or len(known.values) - 1 > len(data.levels[name]) - (data.missing_level(name) is not None)


def _residuals(columns: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """(k, n) what is left of columns, with mean square 1; zeros where nothing is."""
    left = columns - (columns @ directions) @ directions.T
    size = np.sqrt((left**2).mean(axis=1, keepdims=True))
    return np.divide(left, size, out=np.zeros_like(left), where=size > 1e-9)

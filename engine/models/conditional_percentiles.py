"""Where a row's numbers lie among all rows, and among rows with all its other values, by a latent normal vector.

A number is its own latent value, the normal score of its rank; a rating, or one of two levels, is a latent value cut at
thresholds, of which the row tells an interval; a level of a nominal variable with more is a flag, whose conditional
expectation is linear. All are jointly normal with the correlations of the rows: of scores, polychoric (Olsson 1979),
and of a score with a rating the covariance with the rating's conditional mean over that mean's standard deviation.
Given numbers and flags alone a number is normal, in closed form; ratings are averaged over within their intervals by
quasi-Monte Carlo (Genz 1992).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from engine.data.dataset import Dataset
from engine.lazy import special, stats
from engine.models.latent_normal import LIFTED_FROM, UNKNOWN, Boxes, as_correlation, normal_scores, read_levels
from engine.models.polychoric import polychoric

ROWS_A_COLUMN = 5
"""Rows for each column of the model, below which nothing is said given others."""
DETERMINED = 1e-3
"""Share of a latent value's variance left by the others, below which these determine it."""
LEAST_EIGENVALUE = 0.02
"""What eigenvalues of correlations that do not fit together are lifted to."""
FEWEST_FLAGGED = 10
"""Rows that a nominal level needs to be a flag."""
MOST_ROWS = 20_000
"""Rows that correlations are taken from, evenly spaced."""
_POINTS = 1024


class Percentile(NamedTuple):
    """Where a number lies.

    Attributes
    ----------
    value : the number
    overall : share of all rows below it, half of those at it included
    given : the same of rows with all the other values; NaN where others determine it, or rows are too few
    """

    value: float
    overall: float
    given: float


@dataclass(frozen=True, eq=False)
class ConditionalPercentiles:
    """The latent normal vector of a table's variables.

    Attributes
    ----------
    sorted_values : number -> its values in all rows, rising
    numbers, ratings : names in the order of their columns
    cuts : of every rating
    flags : (name, code of the level, mean, standard deviation) of each nominal level
    correlation : of numbers, then flags, then ratings
    n_rows : of the table
    """

    sorted_values: Mapping[str, np.ndarray]
    numbers: tuple[str, ...]
    ratings: tuple[str, ...]
    cuts: tuple[np.ndarray, ...]
    flags: tuple[tuple[str, int, float, float], ...]
    correlation: np.ndarray
    n_rows: int

    @classmethod
    def of(cls, data: Dataset) -> ConditionalPercentiles:
        """Those of a table in memory; worked out once for each.

        Parameters
        ----------
        data : the table
        """
        if data not in _KNOWN:
            _KNOWN[data] = cls._made(data)
        return _KNOWN[data]

    @classmethod
    def _made(cls, data: Dataset) -> ConditionalPercentiles:
        rows = np.unique(np.linspace(0, data.n_rows - 1, min(data.n_rows, MOST_ROWS)).round().astype(np.int64))
        numbers = tuple(name for name in sorted(data.names) if name in data.numbers)  # whatever the order of columns
        columns = {name: data.numbers[name].column for name in numbers}
        values = {name: np.sort(column[~np.isnan(column)]) for name, column in columns.items()}
        numbers = tuple(name for name in numbers if len(values[name]) and values[name][0] < values[name][-1])
        scores = [np.where(np.isnan(columns[name]), np.nan, normal_scores(columns[name]))[rows] for name in numbers]
        ratings, codes, flags = [], [], []
        for name in sorted(set(data.names) - set(values)):
            own, levels = read_levels(data, name)
            own, many = own[rows], int(data.arity[data.index(name)])
            if levels == 2 or data.kinds[name] == "ordinal":
                if len(np.unique(own[own != UNKNOWN])) > 1:
                    ratings.append(name)
                    codes.append((own, levels))
                continue
            counts = np.bincount(data.column(name)[rows], minlength=many)
            for code in np.flatnonzero((counts >= FEWEST_FLAGGED) & (np.arange(many) != counts.argmax())).tolist():
                flag = (data.column(name)[rows] == code).astype(float)
                flags.append((name, code, float(flag.mean()), float(flag.std())))
                scores.append((flag - flag.mean()) / flag.std())
        boxes = Boxes.of(np.array([own for own, _ in codes]).reshape(len(codes), len(rows)), [n for _, n in codes])
        known = np.array(scores).reshape(len(scores), len(rows))
        return cls(values, numbers, tuple(ratings), boxes.cuts, tuple(flags), _correlation(known, boxes), data.n_rows)

    def percentiles(self, values: Mapping[str, float], codes: Mapping[str, int]) -> dict[str, Percentile]:
        """Where the numbers of one row lie.

        Parameters
        ----------
        values : number -> its value, of those that are known
        codes : name -> code of the level of every other variable that is known, that of missing values left out

        Returns
        -------
        number -> `Percentile`
        """
        n, known = len(self.numbers), {}
        shares = {name: self._share(name, value) for name, value in values.items() if name in self.sorted_values}
        for place, name in enumerate(self.numbers):
            if name in shares and name not in self.determined:
                known[place] = float(special.ndtri(shares[name][1]))
        for place, (name, code, mean, spread) in enumerate(self.flags, n):
            if name in codes:
                known[place] = ((codes[name] == code) - mean) / spread
        bounds = {
            place: (float(cut[codes[name]]), float(cut[codes[name] + 1]))
            for place, (name, cut) in enumerate(zip(self.ratings, self.cuts, strict=True), n + len(self.flags))
            if 0 <= codes.get(name, UNKNOWN) < len(cut) - 1
        }
        enough = self.n_rows >= ROWS_A_COLUMN * len(self.correlation)
        result = {}
        for name, (share, _) in shares.items():
            place = self.numbers.index(name) if name in self.numbers else -1
            given = self._given(place, known, bounds) if place in known and enough else math.nan
            result[name] = Percentile(values[name], share, given)
        return result

    @cached_property
    def determined(self) -> frozenset[str]:
        """Numbers that the numbers and flags before them determine: a total after its items, a copy."""
        matrix, kept, result = self.correlation, [*range(len(self.numbers), len(self.numbers) + len(self.flags))], set()
        for place, name in enumerate(self.numbers):
            weights = np.linalg.lstsq(matrix[np.ix_(kept, kept)], matrix[kept, place], rcond=1e-9)[0]
            if 1.0 - weights @ matrix[kept, place] < DETERMINED:
                result.add(name)
            else:
                kept.append(place)
        return frozenset(result)

    @cached_property
    def _fitting(self) -> np.ndarray:
        """The correlations, made positive definite where those of the columns that are used are not."""
        used = [i for i in range(len(self.correlation)) if i not in {self.numbers.index(x) for x in self.determined}]
        result, part = self.correlation.copy(), self.correlation[np.ix_(used, used)]
        values, vectors = np.linalg.eigh(part) if used else (np.ones(1), part)
        if values[0] < LIFTED_FROM:
            part = as_correlation((vectors * np.maximum(values, LEAST_EIGENVALUE)) @ vectors.T)
        result[np.ix_(used, used)] = part
        return result

    def _share(self, name: str, value: float) -> tuple[float, float]:
        """The share of rows below a value; and for its latent value one that is neither 0 nor 1."""
        own = self.sorted_values[name]
        share = float(np.searchsorted(own, value) + np.searchsorted(own, value, side="right")) / (2 * len(own))
        edge = 0.5 / (len(own) + 1)
        return share, min(max(share, edge), 1.0 - edge)

    def _given(self, place: int, known: Mapping[int, float], bounds: Mapping[int, tuple[float, float]]) -> float:
        """The probability of a latent value below that of a number, given all that is known but itself."""
        others, free = [x for x in known if x != place], [*bounds, place]
        matrix = self._fitting
        weights = np.linalg.solve(matrix[np.ix_(others, others)], matrix[np.ix_(others, free)])
        mean = np.array([known[x] for x in others]) @ weights
        left = np.linalg.cholesky(matrix[np.ix_(free, free)] - matrix[np.ix_(free, others)] @ weights)
        if left[-1, -1] ** 2 < DETERMINED:
            return math.nan
        drawn, weight = np.zeros((_POINTS if bounds else 1, len(free))), np.ones(_POINTS if bounds else 1)
        points = _points(len(bounds))
        for k, (low, high) in enumerate(bounds.values()):
            centre = mean[k] + drawn[:, :k] @ left[k, :k]
            begin, end = (low - centre) / left[k, k], (high - centre) / left[k, k]
            sign = np.where(begin > 0, -1.0, 1.0)  # in the lower tail a probability keeps its digits
            first, last = (
                special.ndtr(np.minimum(sign * begin, sign * end)),
                special.ndtr(np.maximum(sign * begin, sign * end)),
            )
            weight = weight * (last - first)
            drawn[:, k] = sign * special.ndtri(np.clip(first + points[:, k] * (last - first), 1e-300, 1.0 - 1e-16))
        z = (known[place] - mean[-1] - drawn[:, :-1] @ left[-1, :-1]) / left[-1, -1]
        total = float(weight.sum())
        return float(weight @ special.ndtr(z)) / total if total > 0 else math.nan


_KNOWN: WeakKeyDictionary[Dataset, ConditionalPercentiles] = WeakKeyDictionary()
_SEQUENCES: dict[int, np.ndarray] = {}


def _points(dimensions: int) -> np.ndarray:
    """(_POINTS, dimensions) of a Sobol sequence, scrambled alike every time."""
    if dimensions not in _SEQUENCES:
        _SEQUENCES[dimensions] = stats.qmc.Sobol(max(dimensions, 1), seed=0).random(_POINTS)
    return _SEQUENCES[dimensions]


def _correlation(known: np.ndarray, boxes: Boxes) -> np.ndarray:
    """Of (k, n) scores, NaN where missing, then of ratings, each pair over the rows that have both."""
    means = []
    for codes, cuts in zip(boxes.codes, boxes.cuts, strict=True):
        density = np.exp(-0.5 * cuts**2) / math.sqrt(2 * math.pi)
        expected = -np.diff(density) / np.diff(special.ndtr(cuts))  # of the latent value within each level
        means.append(np.append(expected, np.nan)[codes])
    columns = np.concatenate([known, np.array(means).reshape(len(means), known.shape[1])])
    there = (~np.isnan(columns)).astype(float)
    filled = np.nan_to_num(columns)
    pairs = np.maximum(there @ there.T, 1.0)
    mean = filled @ there.T / pairs  # of a row's variable over the rows that have the column's too
    spread = filled**2 @ there.T / pairs - mean**2
    covariance = filled @ filled.T / pairs - mean * mean.T
    scale = np.sqrt(spread * spread.T)
    result = np.divide(covariance, scale, out=np.zeros_like(scale), where=scale > 0)
    k = len(known)
    if means:
        own = np.sqrt(np.diag(spread)[k:])  # of the conditional mean
        result[:k, k:] = np.clip(result[:k, k:] / np.maximum(own, 1e-9), -1.0, 1.0)
        result[k:, :k] = result[:k, k:].T
        result[k:, k:] = polychoric(boxes)
    np.fill_diagonal(result, 1.0)
    return np.asarray(result)

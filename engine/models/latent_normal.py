"""A normal vector seen only in levels: every ordinal variable is a standard normal one, cut at thresholds.

Luo, Moffa & Kuipers (2021), section 2: variable i takes level l where its latent value lies between the thresholds
l and l + 1, and the latent values are jointly normal with a correlation matrix. Means and variances cannot be told
from levels, so they are 0 and 1. A missing answer has no bounds at all. A number is its own latent value: its normal
score is known, and only conditions the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.counting.backend import kernels
from engine.data.dataset import Dataset
from engine.lazy import special, stats

LIFTED_FROM, LIFTED_TO = 1e-3, 0.1
"""Eigenvalues below the first become the second where a matrix of pairwise correlations is no correlation matrix."""
UNKNOWN = -1
"""The code of a missing answer."""
_TINY = 1e-300
_LOG_2PI = float(np.log(2.0 * np.pi))


def thresholds(counts: np.ndarray) -> np.ndarray:
    """Cut points of one variable: normal quantiles of smoothed shares, (count + 1) / (N + L).

    Equation 9 of the paper has the plain shares; its program smooths them, so that no level is ever impossible.

    Examples
    --------
    >>> thresholds(np.array([49, 49])).tolist()
    [-inf, 0.0, inf]
    """
    shares = np.cumsum(counts + 1.0) / (counts.sum() + len(counts))
    return np.concatenate([[-np.inf], special.ndtri(shares[:-1]), [np.inf]])


def normal_scores(values: np.ndarray) -> np.ndarray:
    """(N,) normal quantiles of (rank - .5) / n, ranks of equal values their mean; 0 where there is no value."""
    known = ~np.isnan(values)
    result = np.zeros(len(values))
    if known.any():
        ranks = stats.rankdata(values[known])
        result[known] = special.ndtri((ranks - 0.5) / len(ranks))
    return result


def standard_scores(values: np.ndarray) -> np.ndarray:
    """(N,) normal scores with mean 0 and variance 1; NaN where there is no value."""
    known = ~np.isnan(values)
    scores = normal_scores(values)
    own = scores[known]
    return np.where(known, (scores - own.mean()) / max(float(own.std()), _TINY), np.nan)


@dataclass(frozen=True, eq=False)
class Boxes:
    """Bounds that the rows set to the latent values.

    Attributes
    ----------
    codes : (p, n) levels, `UNKNOWN` where an answer is missing
    cuts : (L_i + 1,) thresholds of every variable
    numbers : position -> (n,) the latent values of a variable that is a number, NaN where they are missing; its
        levels and thresholds then tell nothing more
    """

    codes: np.ndarray
    cuts: tuple[np.ndarray, ...]
    numbers: Mapping[int, np.ndarray] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        codes: np.ndarray,
        levels: Sequence[int],
        cuts: Sequence[np.ndarray] | None = None,
        numbers: Mapping[int, np.ndarray] | None = None,
    ) -> Boxes:
        """The boxes of a table, with thresholds of its own where none are given."""
        codes = np.ascontiguousarray(codes, dtype=np.int64)
        own = (thresholds(np.bincount(row[row >= 0], minlength=size)) for row, size in zip(codes, levels, strict=True))
        return cls(codes, tuple(own) if cuts is None else tuple(cuts), numbers or {})

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.codes.shape[1])

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """(p, n) between which two values every latent value lies; infinite where an answer is missing."""
        low, high = np.full(self.codes.shape, -np.inf), np.full(self.codes.shape, np.inf)
        for i, cut in enumerate(self.cuts):
            known = self.codes[i] != UNKNOWN
            low[i, known] = cut[self.codes[i, known]]
            high[i, known] = cut[self.codes[i, known] + 1]
        for i, values in self.numbers.items():
            known = ~np.isnan(values)
            low[i], high[i] = np.where(known, values, -np.inf), np.where(known, values, np.inf)
        return low, high


def read_levels(data: Dataset, name: str) -> tuple[np.ndarray, int]:
    """(n,) codes of a variable, `UNKNOWN` where its answer is missing, and how many levels it can have besides."""
    codes, levels = data.codes_of([data.index(name)])[0].astype(np.int64), data.levels[name]
    missing = data.missing_level(name)
    if missing is None:
        return codes, len(levels)
    place = levels.index(missing)
    return np.where(codes == place, UNKNOWN, codes - (codes > place)), len(levels) - 1


def lifted(correlation: np.ndarray) -> tuple[np.ndarray, bool]:
    """A correlation matrix, and whether it had to be made one.

    Correlations found pair by pair need not fit together. Eigenvalues that are not clearly above 0 are lifted, not
    clipped: a matrix that is barely positive definite has correlations that no search survives.
    """
    values, vectors = np.linalg.eigh(correlation)
    if values[0] > 1e-8:
        return correlation, False
    values = np.where(values < LIFTED_FROM, LIFTED_TO, values)
    return as_correlation((vectors * values) @ vectors.T), True


def as_correlation(covariance: np.ndarray) -> np.ndarray:
    """(p, p) covariances rescaled to ones on the diagonal."""
    spread = np.sqrt(np.diag(covariance))
    result = covariance / spread[:, None] / spread
    np.fill_diagonal(result, 1.0)
    return 0.5 * (result + result.T)


def draw_between(low: np.ndarray, high: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Standard normal values between bounds, by inversion in the tail where a probability keeps its digits."""
    turned = low > 0
    begin, end = np.where(turned, -high, low), np.where(turned, -low, high)
    first, last = special.ndtr(begin), special.ndtr(end)
    result = special.ndtri(np.maximum(first + generator.random(low.shape) * (last - first), _TINY))
    result = np.clip(result, begin, end)
    return np.asarray(np.where(turned, -result, result))


def fitted(statistic: np.ndarray, parents: Sequence[Sequence[int]], order: Sequence[int]) -> np.ndarray:
    """The correlation matrix of a DAG: every variable regressed on its parents, in topological order (equation 20).

    Parameters
    ----------
    statistic : (p, p) correlations of the draws
    parents : positions, for every variable
    order : of the variables, parents first

    Returns
    -------
    (p, p) what the regressions imply, (I - B)^-1 V (I - B)^-T, rescaled to correlations (equation 4)
    """
    p = len(statistic)
    implied = np.zeros((p, p))
    done: list[int] = []
    for child in order:
        family = list(parents[child])
        weights = np.linalg.solve(statistic[np.ix_(family, family)], statistic[family, child])
        left = statistic[child, child] - weights @ statistic[family, child]
        implied[child, done] = implied[done, child] = weights @ implied[np.ix_(family, done)]
        implied[child, child] = weights @ implied[np.ix_(family, family)] @ weights + left
        done.append(child)
    return as_correlation(implied)


class Chains:
    """Latent values of all rows, drawn within their boxes; they go on where the last call left them."""

    def __init__(self, boxes: Boxes, seed: int) -> None:
        self.low, self.high = boxes.bounds()
        low, high = np.maximum(self.low, -2.0), np.minimum(self.high, 2.0)
        self.latent = np.ascontiguousarray(np.clip(0.5 * (low + high), self.low, self.high))
        self._generator = np.random.default_rng(seed)

    def correlation(self, under: np.ndarray, draws: int, skip: int) -> np.ndarray:
        """The E step: correlations of latent values drawn given the boxes, the expected statistic (equation 13)."""
        p, n = self.latent.shape
        total = np.zeros((p + 1, p))
        self._sweep(under, skip, draws, total)
        mean = total[p] / (n * draws)
        second = np.tril(total[:p]) + np.tril(total[:p], -1).T
        return as_correlation(second / (n * draws) - np.outer(mean, mean))

    def moments(self, under: np.ndarray) -> np.ndarray:
        """(p, p) sums of products of one more draw of all rows, which are then `latent`."""
        p = len(self.latent)
        total = np.zeros((p + 1, p))
        self._sweep(under, 0, 1, total)
        return np.asarray(np.tril(total[:p]) + np.tril(total[:p], -1).T)

    def _sweep(self, under: np.ndarray, skip: int, draws: int, total: np.ndarray) -> None:
        precision = np.linalg.inv(under)
        spread = 1.0 / np.sqrt(np.diag(precision))
        weights = -precision * (spread * spread)[:, None]
        weights[np.abs(weights) < 1e-12] = 0.0  # what a missing edge leaves of rounding is not worth a product
        np.fill_diagonal(weights, 0.0)
        seed = self._generator.integers(1 << 62, dtype=np.uint64)
        kernels().sweep_rows(self.latent, self.low, self.high, weights, spread, seed, skip, draws, total)


def log_probabilities(
    boxes: Boxes, correlation: np.ndarray, *, points: int = 16, shifts: int = 8, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Natural logarithm of the probability of every row's answers, by quasi-Monte Carlo (Genz 1992), and its error.

    Of numbers it is their density, and the others' answers are given them.
    """
    low, high = boxes.bounds()
    n = low.shape[1]
    exact = low == high
    if not exact.any():
        return _box_probabilities(low, high, correlation, points, shifts, seed)
    logs, errors = np.zeros(n), np.zeros(n)
    patterns, where = np.unique(exact, axis=1, return_inverse=True)
    for number, seen in enumerate(patterns.T):
        rows, free = np.flatnonzero(where.ravel() == number), ~seen
        root = np.linalg.cholesky(correlation[np.ix_(seen, seen)])
        white = np.linalg.solve(root, low[np.ix_(seen, rows)])
        logs[rows] = -0.5 * (white**2).sum(axis=0) - np.log(np.diag(root)).sum() - 0.5 * len(root) * _LOG_2PI
        if free.any():
            slopes = np.linalg.solve(root, correlation[np.ix_(seen, free)])
            left = correlation[np.ix_(free, free)] - slopes.T @ slopes
            spread, centre = np.sqrt(np.diag(left))[:, None], slopes.T @ white
            below, above = ((item[np.ix_(free, rows)] - centre) / spread for item in (low, high))
            own, errors[rows] = _box_probabilities(below, above, as_correlation(left), points, shifts, seed)
            logs[rows] += own
    return logs, errors


def _box_probabilities(
    low: np.ndarray, high: np.ndarray, correlation: np.ndarray, points: int, shifts: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """ln P and its error of rows that are known by their boxes alone."""
    p, n = low.shape
    generators = np.sqrt(_primes(p)) % 1.0  # Richtmyer's
    moved = np.random.default_rng(seed).random((shifts, p))
    result = np.empty((n, shifts))
    kernels().box_probabilities(low, high, np.ascontiguousarray(correlation), generators, moved, points, result)
    mean = np.maximum(result.mean(axis=1), _TINY)
    return np.log(mean), result.std(axis=1, ddof=1) / np.sqrt(shifts) / mean


def _primes(many: int) -> np.ndarray:
    result: list[int] = []
    number = 2
    while len(result) < many:
        if all(number % prime for prime in result):
            result.append(number)
        number += 1
    return np.array(result, dtype=float)


def information(boxes: Boxes) -> float:
    """The mean of `pair_information` over pairs.

    Examples
    --------
    >>> halves = Boxes.of(np.array([[0, 1], [0, 1]]), [2, 2])
    >>> round(information(halves), 3)
    0.405
    """
    p = len(boxes.cuts)
    return float(pair_information(boxes)[np.triu_indices(p, 1)].mean()) if p > 1 else 1.0


def pair_information(boxes: Boxes) -> np.ndarray:
    """Share of what latent values would tell of a correlation that their levels still tell.

    Of one variable it is the variance that its levels leave of the latent value's 1, sum over levels of
    (phi(low) - phi(high))^2 / p, phi the normal density; of a pair that are nearly independent it is the product, times
    the share of the rows that have both answers.
    """
    own = []
    for i, cut in enumerate(boxes.cuts):
        if i in boxes.numbers:  # nothing is hidden
            own.append(1.0)
            continue
        density = np.exp(-0.5 * cut * cut) / np.sqrt(2.0 * np.pi)
        own.append(float((np.diff(density) ** 2 / np.diff(special.ndtr(cut))).sum()))
    known = (boxes.codes != UNKNOWN).astype(float)
    both = known @ known.T / boxes.n_rows  # a row without one of the two answers tells nothing of the pair
    return np.asarray(np.outer(own, own) * both)

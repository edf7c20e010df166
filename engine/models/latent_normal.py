"""A normal vector seen only in levels: every ordinal variable is a standard normal one, cut at thresholds.

Luo, Moffa & Kuipers (2021), section 2: variable i takes level l where its latent value lies between the thresholds
l and l + 1, and the latent values are jointly normal with a correlation matrix. Means and variances cannot be told
from levels, so they are 0 and 1. A missing answer has no bounds at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.counting import kernels

LIFTED_FROM, LIFTED_TO = 1e-3, 0.1
"""Eigenvalues below the first become the second where a matrix of pairwise correlations is no correlation matrix."""
UNKNOWN = -1
"""The code of a missing answer."""
_MOST = 0.999  # correlations of a start lie between minus this and this
_STEPS = 60
_TINY = 1e-300


def thresholds(counts: np.ndarray) -> np.ndarray:
    """Cut points of one variable: normal quantiles of smoothed shares, (count + 1) / (N + L).

    Equation 9 of the paper has the plain shares; its program smooths them, so that no level is ever impossible.

    Parameters
    ----------
    counts : (L,) rows of every level

    Returns
    -------
    (L + 1,) rising, from minus to plus infinity

    Examples
    --------
    >>> thresholds(np.array([49, 49])).tolist()
    [-inf, 0.0, inf]
    """
    from scipy.special import ndtri

    shares = np.cumsum(counts + 1.0) / (counts.sum() + len(counts))
    return np.concatenate([[-np.inf], ndtri(shares[:-1]), [np.inf]])


@dataclass(frozen=True, eq=False)
class Boxes:
    """What the rows say of the latent values.

    Attributes
    ----------
    codes : (p, n) levels, `UNKNOWN` where an answer is missing
    cuts : (L_i + 1,) thresholds of every variable
    """

    codes: np.ndarray
    cuts: tuple[np.ndarray, ...]

    @classmethod
    def of(cls, codes: np.ndarray, levels: Sequence[int], cuts: Sequence[np.ndarray] | None = None) -> Boxes:
        """The boxes of a table, with thresholds of its own where none are given.

        Parameters
        ----------
        codes : (p, n) levels from 0, `UNKNOWN` where an answer is missing
        levels : (p,) how many each variable can have
        cuts : thresholds of every variable, from other rows

        Returns
        -------
        `Boxes`
        """
        codes = np.ascontiguousarray(codes, dtype=np.int64)
        own = (thresholds(np.bincount(one[one >= 0], minlength=size)) for one, size in zip(codes, levels, strict=True))
        return cls(codes, tuple(own) if cuts is None else tuple(cuts))

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return int(self.codes.shape[1])

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """(p, n) between which two values every latent value lies; infinite where an answer is missing."""
        low, high = np.full(self.codes.shape, -np.inf), np.full(self.codes.shape, np.inf)
        for i, cut in enumerate(self.cuts):
            known = self.codes[i] != UNKNOWN
            low[i, known] = cut[self.codes[i, known]]
            high[i, known] = cut[self.codes[i, known] + 1]
        return low, high


def polychoric(boxes: Boxes, imagined: float | None = None) -> np.ndarray:
    """Correlation of every pair of latent variables, each pair for itself (equation 11), by maximum likelihood.

    All pairs are climbed side by side by Fisher's scoring on the derivative of the bivariate normal distribution, kept
    inside a shrinking bracket.

    Parameters
    ----------
    boxes : levels and thresholds
    imagined : rows that stand in every cell of a pair's table beforehand; 1 in the authors' program, where it only
        begins a fit, but with many levels it draws a correlation towards 0. None spreads one row over all cells

    Returns
    -------
    (p, p) symmetric, ones on the diagonal; it need not be positive definite, see `lifted`

    Notes
    -----
    The source is Olsson (1979), the two-step estimator.
    """
    p = len(boxes.cuts)
    found = np.eye(p)
    shapes: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for i in range(p):
        for j in range(i):
            shapes.setdefault((len(boxes.cuts[i]) - 1, len(boxes.cuts[j]) - 1), []).append((i, j))
    for shape, pairs in shapes.items():
        counts = np.stack([_table(boxes.codes[i], boxes.codes[j], shape) for i, j in pairs])
        counts = counts + (1.0 / (shape[0] * shape[1]) if imagined is None else imagined)
        first = np.stack([boxes.cuts[i] for i, _ in pairs])
        second = np.stack([boxes.cuts[j] for _, j in pairs])
        best = _climbed(counts, first, second)
        for (i, j), value in zip(pairs, best, strict=True):
            found[i, j] = found[j, i] = value
    return found


def polychoric_variances(boxes: Boxes, correlation: np.ndarray) -> np.ndarray:
    """Large-sample variance of every pairwise correlation, one over the information, thresholds taken as known.

    The source is Olsson (1979).

    Parameters
    ----------
    boxes : levels and thresholds
    correlation : (p, p) what was found

    Returns
    -------
    (p, p), zeros on the diagonal; infinite where no row has both answers
    """
    p = len(boxes.cuts)
    found = np.zeros((p, p))
    known = (boxes.codes != UNKNOWN).astype(float)
    both = known @ known.T
    for i in range(p):
        for j in range(i):
            rho = np.array([correlation[i, j]]).clip(-_MOST, _MOST)
            ends = boxes.cuts[i][None, :], boxes.cuts[j][None, :]
            chance = np.maximum(rectangles(*ends, rho), _TINY)
            change = _corners(_density(*ends, rho))
            told = both[i, j] * float((change * change / chance).sum())
            found[i, j] = found[j, i] = 1.0 / told if told > 0 else np.inf
    return found


def _table(one: np.ndarray, other: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    both = (one != UNKNOWN) & (other != UNKNOWN)
    return np.bincount(one[both] * shape[1] + other[both], minlength=shape[0] * shape[1]).reshape(shape)


def _climbed(counts: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The correlation of m tables at once: the root of the likelihood's derivative, which falls through it once."""
    low, high = np.full(len(counts), -_MOST), np.full(len(counts), _MOST)
    rho = np.zeros(len(counts))
    n = counts.sum(axis=(1, 2))
    for _ in range(_STEPS):
        chance = np.maximum(rectangles(first, second, rho), _TINY)
        change = _corners(_density(first, second, rho))
        slope = (counts * change / chance).sum(axis=(1, 2))
        information = n * (change * change / chance).sum(axis=(1, 2))
        low, high = np.where(slope > 0, rho, low), np.where(slope > 0, high, rho)
        step = rho + slope / np.maximum(information, _TINY)
        step = np.where((step > low) & (step < high), step, 0.5 * (low + high))
        moved = np.abs(step - rho).max()
        rho = step
        if moved < 1e-9:
            break
    return rho


def rectangles(first: np.ndarray, second: np.ndarray, rho: np.ndarray) -> np.ndarray:
    """Probabilities that a bivariate standard normal falls between cuts, by Owen's T.

    Parameters
    ----------
    first, second : (m, K + 1) and (m, L + 1) rising cut points of both variables; infinite ends are welcome
    rho : (m,) correlations, between -1 and 1

    Returns
    -------
    (m, K, L) probabilities; each of the m tables sums to the probability between its outermost cuts
    """
    return np.maximum(_corners(_distribution(first, second, rho)), 0.0)


def _corners(values: np.ndarray) -> np.ndarray:
    """Differences over both axes of values at the corners."""
    return np.diff(np.diff(values, axis=1), axis=2)


def _grids(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    shape = (len(first), first.shape[1], second.shape[1])
    return np.broadcast_to(first[:, :, None], shape), np.broadcast_to(second[:, None, :], shape)


def _density(first: np.ndarray, second: np.ndarray, rho: np.ndarray) -> np.ndarray:
    """The bivariate normal density at the corners: the derivative of the distribution by its correlation."""
    h, k = _grids(first, second)
    inner = np.isfinite(h) & np.isfinite(k)
    h, k = np.where(inner, h, 0.0), np.where(inner, k, 0.0)
    r = rho[:, None, None]
    left = 1.0 - r * r
    value = np.exp(-0.5 * (h * h - 2.0 * r * h * k + k * k) / left) / (2.0 * np.pi * np.sqrt(left))
    return np.where(inner, value, 0.0)


def _distribution(first: np.ndarray, second: np.ndarray, rho: np.ndarray) -> np.ndarray:
    """P(X <= h, Y <= k) at the corners (Owen 1956)."""
    from scipy.special import ndtr, owens_t

    h, k = _grids(first, second)
    inner = np.isfinite(h) & np.isfinite(k)
    a, b = (np.where(inner, one, 1.0) for one in (h, k))
    a, b = (np.where(np.abs(one) < 1e-12, 1e-12, one) for one in (a, b))  # the formula divides by both
    r = rho[:, None, None]
    root = np.sqrt(1.0 - r * r)
    below = 0.5 * (ndtr(a) + ndtr(b)) - owens_t(a, (b / a - r) / root) - owens_t(b, (a / b - r) / root)
    below -= np.where((a * b < 0), 0.5, 0.0)
    return np.where(inner, below, np.minimum(ndtr(h), ndtr(k)))


def lifted(correlation: np.ndarray) -> tuple[np.ndarray, bool]:
    """A correlation matrix, and whether it had to be made one.

    Correlations found pair by pair need not fit together. Eigenvalues that are not clearly above 0 are lifted, not
    clipped: a matrix that is barely positive definite has correlations that no search survives.

    Parameters
    ----------
    correlation : (p, p) symmetric, ones on the diagonal

    Returns
    -------
    (p, p), and False where it is the given one, since that was positive definite
    """
    values, vectors = np.linalg.eigh(correlation)
    if values[0] > 1e-8:
        return correlation, False
    values = np.where(values < LIFTED_FROM, LIFTED_TO, values)
    return as_correlation((vectors * values) @ vectors.T), True


def as_correlation(covariance: np.ndarray) -> np.ndarray:
    """(p, p) covariances rescaled to ones on the diagonal."""
    spread = np.sqrt(np.diag(covariance))
    found = covariance / spread[:, None] / spread
    np.fill_diagonal(found, 1.0)
    return 0.5 * (found + found.T)


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
    """Latent values of all rows, drawn within their boxes; they go on where the last call left them.

    Parameters
    ----------
    boxes : what the rows say
    seed : equal seeds give equal draws
    """

    def __init__(self, boxes: Boxes, seed: int) -> None:
        self._low, self._high = boxes.bounds()
        low, high = np.maximum(self._low, -2.0), np.minimum(self._high, 2.0)
        self._latent = np.ascontiguousarray(np.clip(0.5 * (low + high), self._low, self._high))
        self._generator = np.random.default_rng(seed)

    def correlation(self, under: np.ndarray, draws: int, skip: int) -> np.ndarray:
        """Correlations of latent values that are drawn given the boxes: the expected statistic (equation 13).

        Parameters
        ----------
        under : (p, p) correlation matrix of the latent values
        draws : sweeps that count, of every row;  skip : sweeps before them

        Returns
        -------
        (p, p) correlations of the draws of all rows together, as the authors' program has them
        """
        p, n = self._latent.shape
        precision = np.linalg.inv(under)
        spread = 1.0 / np.sqrt(np.diag(precision))
        weights = -precision * (spread * spread)[:, None]
        weights[np.abs(weights) < 1e-12] = 0.0  # what a missing edge leaves of rounding is not worth a product
        np.fill_diagonal(weights, 0.0)
        total = np.zeros((p + 1, p))
        seed = self._generator.integers(1 << 62, dtype=np.uint64)
        kernels().sweep_rows(self._latent, self._low, self._high, weights, spread, seed, skip, draws, total)
        mean = total[p] / (n * draws)
        second = np.tril(total[:p]) + np.tril(total[:p], -1).T
        return as_correlation(second / (n * draws) - np.outer(mean, mean))


def log_probabilities(
    boxes: Boxes, correlation: np.ndarray, *, points: int = 16, shifts: int = 8, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Natural logarithm of the probability of every row's answers, by quasi-Monte Carlo (Genz 1992).

    Parameters
    ----------
    boxes : levels and thresholds
    correlation : (p, p) of the latent values
    points, shifts : of the lattice; each shift is an estimate of its own
    seed : of the shifts: equal seeds make two correlation matrices comparable point by point

    Returns
    -------
    (n,) logarithms, and their standard errors
    """
    low, high = boxes.bounds()
    p, n = low.shape
    generators = np.sqrt(_primes(p)) % 1.0  # Richtmyer's
    moved = np.random.default_rng(seed).random((shifts, p))
    found = np.empty((n, shifts))
    kernels().box_probabilities(low, high, np.ascontiguousarray(correlation), generators, moved, points, found)
    mean = np.maximum(found.mean(axis=1), _TINY)
    return np.log(mean), found.std(axis=1, ddof=1) / np.sqrt(shifts) / mean


def _primes(many: int) -> np.ndarray:
    found: list[int] = []
    number = 2
    while len(found) < many:
        if all(number % prime for prime in found):
            found.append(number)
        number += 1
    return np.array(found, dtype=float)


def information(boxes: Boxes) -> float:
    """The mean of `pair_information` over pairs.

    Parameters
    ----------
    boxes : levels and thresholds

    Returns
    -------
    above 0, below 1: 0.41 for two halves each, 0.8 for five even levels

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

    Parameters
    ----------
    boxes : levels and thresholds

    Returns
    -------
    (p, p) between 0 and 1
    """
    from scipy.special import ndtr

    own = []
    for cut in boxes.cuts:
        density = np.exp(-0.5 * cut * cut) / np.sqrt(2.0 * np.pi)
        own.append(float((np.diff(density) ** 2 / np.diff(ndtr(cut))).sum()))
    known = (boxes.codes != UNKNOWN).astype(float)
    both = known @ known.T / boxes.n_rows  # a row without one of the two answers tells nothing of the pair
    return np.asarray(np.outer(own, own) * both)

"""Partial correlations of latent normal values, each pair given all others, and what every row adds to them.

With R the polychoric correlations and P their inverse, the partial correlation of i and j is -P_ij / sqrt(P_ii P_jj),
and the share of i's latent variance that all others explain is 1 - 1 / P_ii. Both change with R as dP = -P dR P.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from engine.lazy import special
from engine.models.latent_normal import UNKNOWN, Boxes
from engine.models.polychoric import correlations_with_numbers, polychoric, polychoric_influence

LEAST_EIGENVALUE = 0.02
_AT_ONCE = 1 << 21
"""Numbers of p x p matrices of units in hand."""


@dataclass(frozen=True, eq=False)
class PartialCorrelations:
    """Two-step polychoric correlations turned into partial ones.

    Attributes
    ----------
    partial : (p, p), 1 on the diagonal
    precision : (p, p) the inverse of the polychoric correlations
    """

    partial: np.ndarray
    precision: np.ndarray

    @classmethod
    def of(cls, correlation: np.ndarray) -> PartialCorrelations:
        """From polychoric correlations, which are made positive definite first where they are not."""
        precision = np.linalg.inv(_positive_definite(correlation))
        root = np.sqrt(np.diag(precision))
        partial = -precision / np.outer(root, root)
        np.fill_diagonal(partial, 1.0)
        return cls(partial, precision)

    @property
    def z(self) -> np.ndarray:
        """(q,) Fisher's z of every pair, in the order of `numpy.triu_indices(p, 1)`."""
        return np.asarray(np.arctanh(self.partial[np.triu_indices(len(self.partial), 1)]))

    @property
    def explained(self) -> np.ndarray:
        """(p,) share of each latent value's variance that all others explain, R squared."""
        return np.asarray(1.0 - 1.0 / np.diag(self.precision))


def boxes_of(codes: np.ndarray, levels: np.ndarray, numbers: Mapping[int, np.ndarray] | None = None) -> Boxes:
    """The boxes of a table, half a row added to every level before its thresholds are taken.

    Parameters
    ----------
    codes : (p, n) levels, `UNKNOWN` where an answer is missing
    levels : (p,) how many each variable has
    numbers : position -> (n,) latent values of those that are numbers; see `Boxes`
    """
    return Boxes.of(codes, levels.tolist(), [_cuts(*item) for item in zip(codes, levels, strict=True)], numbers)


def estimate(boxes: Boxes) -> PartialCorrelations:
    """The partial correlations of a table.

    Parameters
    ----------
    boxes : of `boxes_of`
    """
    return PartialCorrelations.of(polychoric(boxes))


def influences(boxes: Boxes, unit: np.ndarray, n_units: int) -> tuple[PartialCorrelations, np.ndarray, np.ndarray]:
    """The partial correlations, and what each unit adds to the error of their Fisher's z and of ln P_ii.

    Parameters
    ----------
    boxes : of `boxes_of`
    unit : (n,) the unit each row is of, from 0: itself, or its subject
    n_units : how many there are

    Returns
    -------
    estimates; (q, n_units) of z; (p, n_units) of ln P_ii
    """
    correlation = polychoric(boxes)
    change = np.empty((len(correlation) * (len(correlation) - 1) // 2, n_units))
    for place, own in _correlation_influences(boxes, correlation):
        change[place] = np.bincount(unit, own, minlength=n_units)
    result = PartialCorrelations.of(correlation)
    of_z, of_precision = np.empty_like(change), np.empty((len(correlation), n_units))
    step = max(1, _AT_ONCE // correlation.size)
    for begin in range(0, n_units, step):
        units = slice(begin, begin + step)
        of_z[:, units], of_precision[:, units] = _through_inverse(result, change[:, units])
    return result, of_z, of_precision


def _correlation_influences(boxes: Boxes, correlation: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Of each pair, by its place, what every row adds to its correlation."""
    p = len(boxes.cuts)
    place = np.empty((p, p), dtype=np.int64)
    place[np.triu_indices(p, 1)] = np.arange(p * (p - 1) // 2)
    known = boxes.codes != UNKNOWN
    answers = known.sum(axis=1)
    for i, j, _, influence in correlations_with_numbers(boxes):
        yield int(place[j, i]), influence
    for pairs, parts in polychoric_influence(boxes, correlation):
        cells, first, second = (np.pad(part, [(0, 0)] + [(0, 1)] * (part.ndim - 1)) for part in parts)
        for number, (i, j) in enumerate(pairs):  # an unknown answer, -1, has the padding's 0
            x, y = boxes.codes[i], boxes.codes[j]
            both = np.count_nonzero(known[i] & known[j])
            own = cells[number, x, y] / max(both, 1) + first[number, x] / answers[i] + second[number, y] / answers[j]
            yield int(place[min(i, j), max(i, j)]), own


def _through_inverse(estimates: PartialCorrelations, change: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(q, u) changes of correlations as changes of Fisher's z and of ln P_ii."""
    precision = estimates.precision
    p = len(precision)
    first, second = np.triu_indices(p, 1)
    root, partial = np.sqrt(np.diag(precision)), estimates.partial[first, second]
    moved = np.zeros((change.shape[1], p, p))
    moved[:, first, second] = moved[:, second, first] = change.T
    moved = precision @ moved @ precision  # minus the change of the inverse
    diagonal = moved[:, np.arange(p), np.arange(p)] / np.diag(precision)
    result = moved[:, first, second] / (root[first] * root[second])
    result += 0.5 * partial * (diagonal[:, first] + diagonal[:, second])
    return (result / (1.0 - partial**2)).T, -diagonal.T


def _cuts(codes: np.ndarray, levels: int) -> np.ndarray:
    """Thresholds of one variable, half a row added to every level."""
    known = codes[codes != UNKNOWN]
    share = (np.bincount(known, minlength=levels) + 0.5) / (len(known) + 0.5 * levels)
    return np.concatenate([[-np.inf], special.ndtri(np.cumsum(share)[:-1]), [np.inf]])


def _positive_definite(correlation: np.ndarray) -> np.ndarray:
    """The nearest by its eigenvalues that is a correlation matrix and can be inverted."""
    values, vectors = np.linalg.eigh(correlation)
    if values[0] >= LEAST_EIGENVALUE:
        return correlation
    lifted = (vectors * np.maximum(values, LEAST_EIGENVALUE)) @ vectors.T
    root = np.sqrt(np.diag(lifted))
    return np.asarray(lifted / np.outer(root, root))

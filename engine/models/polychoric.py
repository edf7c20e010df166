"""Correlations of latent normal values, pair by pair: Luo, Moffa & Kuipers (2021), equation 11; Olsson (1979)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.lazy import special
from engine.models.latent_normal import UNKNOWN, Boxes
from engine.models.normal_scores import MOST as _MOST
from engine.models.normal_scores import partial_correlation, scores_of

_STEPS = 60
_TINY = 1e-300
_RARE = 1e-9
"""Probability below which no cell counts as rarer, so that one row in it does not decide."""


def polychoric(boxes: Boxes, imagined: float | None = None) -> np.ndarray:
    """Correlation of every pair of latent variables, each pair for itself (equation 11), by maximum likelihood.

    All pairs are climbed side by side by Fisher's scoring on the derivative of the bivariate normal distribution, kept
    inside a shrinking bracket. Of a pair with a number it is the correlation of their scores.
    """
    result = np.eye(len(boxes.cuts))
    for i, j, r, _ in correlations_with_numbers(boxes):
        result[i, j] = result[j, i] = r
    for shape, pairs in _by_shape(boxes).items():
        counts = np.stack([_table(boxes.codes[i], boxes.codes[j], shape) for i, j in pairs])
        counts = counts + (1.0 / (shape[0] * shape[1]) if imagined is None else imagined)
        first, second = (np.stack([boxes.cuts[pair[end]] for pair in pairs]) for end in (0, 1))
        best = _climbed(counts, first, second)
        for (i, j), value in zip(pairs, best, strict=True):
            result[i, j] = result[j, i] = value
    return result


def correlations_with_numbers(boxes: Boxes) -> Iterator[tuple[int, int, float, np.ndarray]]:
    """Of every pair (i, j), j below i, with a number: the correlation of their scores, and what every row adds."""
    if boxes.numbers:
        scores = scores_of(boxes)
        for i in range(len(scores)):
            for j in range(i):
                if i in boxes.numbers or j in boxes.numbers:
                    yield i, j, *partial_correlation(scores[i], scores[j])


def polychoric_variances(boxes: Boxes, correlation: np.ndarray) -> np.ndarray:
    """Large-sample variance of every pairwise correlation: one over the information, thresholds taken as known.

    The source is Olsson (1979). Of a pair with a number it is the sum of squares of what rows add.
    """
    p = len(boxes.cuts)
    result = np.zeros((p, p))
    for i, j, _, influence in correlations_with_numbers(boxes):
        result[i, j] = result[j, i] = influence @ influence
    known = (boxes.codes != UNKNOWN).astype(float)
    both = known @ known.T
    for i in range(p):
        for j in range(i):
            if i in boxes.numbers or j in boxes.numbers:
                continue
            rho = np.array([correlation[i, j]]).clip(-_MOST, _MOST)
            ends = boxes.cuts[i][None, :], boxes.cuts[j][None, :]
            chance = np.maximum(rectangles(*ends, rho), _TINY)
            change = _corners(_density(*ends, rho))
            information = both[i, j] * float((change * change / chance).sum())
            result[i, j] = result[j, i] = 1.0 / information if information > 0 else np.inf
    return result


def polychoric_influence(
    boxes: Boxes, correlation: np.ndarray
) -> Iterator[tuple[list[tuple[int, int]], tuple[np.ndarray, np.ndarray, np.ndarray]]]:
    """Influence of a row on n times the two-step polychoric correlation of its pair, in three parts.

    With s the derivative of a cell's ln probability by the correlation and I its information, a row adds
    [s + sum_a A_a (1{x <= a} - F_a) / phi(tau_a) + the same for y] / I, where A_a = -sum of s times the derivative of
    the cells' probabilities by the threshold a: what estimating the thresholds adds (Olsson 1979, two steps). The parts
    are by the cells, by the levels of the first and by those of the second, since where answers are missing each rests
    on other rows. Pairs with a number are not among them; see `correlations_with_numbers`.
    """
    for shape, pairs in _by_shape(boxes).items():
        first, second = (np.stack([boxes.cuts[pair[end]] for pair in pairs]) for end in (0, 1))
        rho = np.array([correlation[pair] for pair in pairs]).clip(-_MOST, _MOST)
        chance = np.maximum(rectangles(first, second, rho), _RARE)
        change = _corners(_density(first, second, rho))
        score = change / chance
        information = np.maximum((change * score).sum(axis=(1, 2)), _TINY)
        levels = []
        for axis, own, other in ((1, first, second), (2, second, first)):
            inner = own[:, 1:-1]
            between = (other[:, None, :] - rho[:, None, None] * inner[:, :, None]) / np.sqrt(1 - rho**2)[:, None, None]
            along = np.diff(special.ndtr(between), axis=2)  # of the other variable's levels, at each threshold
            drop = -np.diff(score, axis=axis)
            pull = -(along * (drop if axis == 1 else drop.transpose(0, 2, 1))).sum(axis=2)
            below = np.arange(shape[axis - 1]) <= np.arange(len(inner[0]))[:, None]
            added = (pull[:, :, None] * (below[None] - special.ndtr(inner)[:, :, None])).sum(axis=1)
            levels.append(added / information[:, None])
        yield pairs, (score / information[:, None, None], levels[0], levels[1])


def _by_shape(boxes: Boxes) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Levels of both -> the pairs (i, j) of ratings, j below i."""
    shapes: dict[tuple[int, int], list[tuple[int, int]]] = {}
    ratings = [i for i in range(len(boxes.cuts)) if i not in boxes.numbers]
    for place, i in enumerate(ratings):
        for j in ratings[:place]:
            shapes.setdefault((len(boxes.cuts[i]) - 1, len(boxes.cuts[j]) - 1), []).append((i, j))
    return shapes


def _table(item: np.ndarray, other: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    both = (item != UNKNOWN) & (other != UNKNOWN)
    return np.bincount(item[both] * shape[1] + other[both], minlength=shape[0] * shape[1]).reshape(shape)


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
    """Probabilities that a bivariate standard normal falls between cuts, by Owen's T."""
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
    h, k = _grids(first, second)
    inner = np.isfinite(h) & np.isfinite(k)
    a, b = (np.where(inner, item, 1.0) for item in (h, k))
    a, b = (np.where(np.abs(entry) < 1e-12, 1e-12, entry) for entry in (a, b))  # the formula divides by both
    r = rho[:, None, None]
    root = np.sqrt(1.0 - r * r)
    below = (
        0.5 * (special.ndtr(a) + special.ndtr(b))
        - special.owens_t(a, (b / a - r) / root)
        - special.owens_t(b, (a / b - r) / root)
    )
    below -= np.where((a * b < 0), 0.5, 0.0)
    return np.where(inner, below, np.minimum(special.ndtr(h), special.ndtr(k)))

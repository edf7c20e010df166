"""Correlations of latent values of which at least one is known: polyserial (Olsson, Drasgow & Dorans 1982) and Pearson.

A number x is its own latent value, a rating y the level that its latent value falls into, so that given x

    P(y = k | x) = Phi((tau_k+1 - rho x) / w) - Phi((tau_k - rho x) / w),        w^2 = 1 - rho^2

with the thresholds tau of the rating's shares. Of two numbers the estimate is Pearson's correlation of normal scores.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.lazy import special
from engine.models.latent_normal import UNKNOWN, Boxes

MOST = 0.999
"""Correlations lie between minus this and this."""
_STEPS, _TINY, _RARE = 60, 1e-300, 1e-9
_NEAR = 0.02
"""A step below which the information of the last one serves."""
_GRID = np.linspace(-6.0, 6.0, 241)
_WEIGHTS = np.exp(-0.5 * _GRID**2) / np.exp(-0.5 * _GRID**2).sum()
"""Of integrals over a standard normal number."""


class _Levels(NamedTuple):
    """What a number says of a rating's levels: (L, n) probabilities, and (L + 1, n) of its thresholds.

    Attributes
    ----------
    chance : of every level
    at : the normal density at every threshold, over w
    turn : the derivative of the distribution at every threshold by the correlation
    """

    chance: np.ndarray
    at: np.ndarray
    turn: np.ndarray


def correlation_with_number(boxes: Boxes, i: int, j: int) -> float:
    """The correlation of two latent values, of which at least one is a number, by maximum likelihood."""
    number, other = (i, j) if i in boxes.numbers else (j, i)
    x = boxes.numbers[number]
    if other in boxes.numbers:
        both = ~np.isnan(x) & ~np.isnan(boxes.numbers[other])
        x, y = x[both], boxes.numbers[other][both]
        x, y = x - x.mean(), y - y.mean()
        return float(np.clip(x @ y / max(np.sqrt((x @ x) * (y @ y)), _TINY), -MOST, MOST))
    both = ~np.isnan(x) & (boxes.codes[other] != UNKNOWN)
    x, codes, cuts = x[both], boxes.codes[other][both], boxes.cuts[other]
    density = np.exp(-0.5 * cuts[1:-1] ** 2).sum() / np.sqrt(2.0 * np.pi)
    begun = float((x - x.mean()) @ codes) / max(len(x) * density, _TINY)  # the ad hoc estimate of two steps
    low, high, rho, moved, information = -MOST, MOST, min(max(begun, -0.95), 0.95), 1.0, 0.0
    for _ in range(_STEPS):
        slope = float(_scores(x, codes, cuts, rho).sum())
        low, high = (rho, high) if slope > 0 else (low, rho)
        if moved > _NEAR:
            information = max(len(x) * _information(cuts, rho), _TINY)
        step = rho + slope / information
        step = step if low < step < high else 0.5 * (low + high)
        moved, rho = abs(step - rho), step
        if moved < 1e-9:
            break
    return rho


def variance_with_number(boxes: Boxes, i: int, j: int, rho: float) -> float:
    """Large-sample variance of that correlation, the thresholds taken as known."""
    rho = min(max(rho, -MOST), MOST)
    both = float(np.count_nonzero(_known(boxes, i) & _known(boxes, j)))
    if i in boxes.numbers and j in boxes.numbers:
        return (1.0 - rho * rho) ** 2 / max(both, _TINY)
    cuts = boxes.cuts[j if i in boxes.numbers else i]
    return 1.0 / max(both * _information(cuts, rho), _TINY)


def influence_with_number(boxes: Boxes, i: int, j: int, rho: float) -> np.ndarray:
    """(n,) what every row adds to that correlation, with what the number's ranks and the thresholds add.

    Of two numbers it is [x y - rho (x^2 + y^2) / 2] / n (Klaassen & Wellner 1997). With s the derivative of
    ln P(y | x) by rho and I its information, of a number and a rating a row adds
    [s + E D(X) (1{x <= X} - F(X)) / phi(X) + the sum of a rating's thresholds as in `polychoric_influence`] / I, where
    D(x) = E[ds / dx | x] = -E[s d ln P(y | x) / dx | x].
    """
    known = _known(boxes, i), _known(boxes, j)
    both = known[0] & known[1]
    many = max(int(np.count_nonzero(both)), 1)
    number, other = (i, j) if i in boxes.numbers else (j, i)
    x = boxes.numbers[number]
    result = np.zeros(len(x))
    if other in boxes.numbers:
        u, v = (values[both] for values in (x, boxes.numbers[other]))
        u, v = ((values - values.mean()) / max(float(values.std()), _TINY) for values in (u, v))
        result[both] = (u * v - 0.5 * rho * (u * u + v * v)) / many
        return result
    codes, cuts = boxes.codes[other], boxes.cuts[other]
    rho = min(max(rho, -MOST), MOST)
    result[both] = _scores(x[both], codes[both], cuts, rho) / many
    grid = _levels(_GRID, cuts, rho)
    score = np.diff(grid.turn, axis=0) / np.maximum(grid.chance, _RARE)
    drift = rho * (score * np.diff(grid.at, axis=0)).sum(axis=0)  # D, from d P(y | x) / dx
    step = _GRID[1] - _GRID[0]
    above = drift[::-1].cumsum()[::-1] * step  # of all X from x on
    ranks = above - float((drift * special.ndtr(_GRID)).sum()) * step
    has = ~np.isnan(x)
    result[has] += np.interp(x[has], _GRID, ranks) / max(int(np.count_nonzero(has)), 1)
    inner = cuts[1:-1]
    pull = (np.diff(score, axis=0) * grid.at[1:-1] * _WEIGHTS).sum(axis=1)
    density = np.exp(-0.5 * inner * inner) / np.sqrt(2.0 * np.pi)
    below = np.arange(len(cuts) - 1) <= np.arange(len(inner))[:, None]
    added = (pull / density) @ (below - special.ndtr(inner)[:, None])
    rated = codes != UNKNOWN
    result[rated] += added[codes[rated]] / max(int(np.count_nonzero(rated)), 1)
    return result / max(_information(cuts, rho), _TINY)


def _known(boxes: Boxes, i: int) -> np.ndarray:
    """(n,) which rows have an answer."""
    return ~np.isnan(boxes.numbers[i]) if i in boxes.numbers else boxes.codes[i] != UNKNOWN


def _edges(x: np.ndarray, cuts: np.ndarray, rho: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Thresholds given numbers x: in standard deviations, the density there and the turn of `_Levels`."""
    root = np.sqrt(1.0 - rho * rho)
    ends = (cuts - rho * x) / root
    at = np.exp(-0.5 * np.minimum(ends * ends, 1400.0)) / (root * np.sqrt(2.0 * np.pi))  # 0 at the endless ones
    return ends, at, at * (rho * np.where(np.isfinite(cuts), cuts, 0.0) - x) / (root * root)


def _chance(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Probability between two ends, from the other tail where both are above 0, which keeps its digits."""
    turned = low > 0
    return np.asarray(special.ndtr(np.where(turned, -low, high)) - special.ndtr(np.where(turned, -high, low)))


def _levels(x: np.ndarray, cuts: np.ndarray, rho: float) -> _Levels:
    """What numbers x say of the levels of a rating."""
    ends, at, turn = _edges(x, cuts[:, None], rho)
    return _Levels(_chance(ends[:-1], ends[1:]), at, turn)


def _scores(x: np.ndarray, codes: np.ndarray, cuts: np.ndarray, rho: float) -> np.ndarray:
    """(n,) the derivative of ln P(y | x) by the correlation, for every row."""
    (low, _, below), (high, _, above) = (_edges(x, cuts[codes + place], rho) for place in (0, 1))
    return np.asarray((above - below) / np.maximum(_chance(low, high), _TINY))


def _information(cuts: np.ndarray, rho: float) -> float:
    """What a row tells of the correlation: the expected square of its score."""
    levels = _levels(_GRID, cuts, rho)
    change = np.diff(levels.turn, axis=0)
    return float(((change * change / np.maximum(levels.chance, _RARE)) * _WEIGHTS).sum())

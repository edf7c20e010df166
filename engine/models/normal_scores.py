"""Correlations and differences of means of normal scores given other variables, and what every row adds to their error.

A number's score is the normal quantile of (rank - .5) / n, so nothing here moves with its margin. A rating's score is
the mean of a standard normal between its level's thresholds, divided by the variance of these means: its covariance
with a normal number is that of the latent value (Olsson, Drasgow & Dorans 1982, the polyserial correlation by
moments). Ranks and thresholds are estimated too: what that adds stands in `Scores.through`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.lazy import special
from engine.models.latent_normal import Boxes, normal_scores

LEAST_LEFT = 0.02
"""Share of a variance that others leave, below which a correlation is taken as if they left so much."""
MOST = 0.999
"""Correlations lie between minus this and this."""


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of one variable in one group.

    Attributes
    ----------
    values : (n,) with mean 0 over the rows that have one; 0 where there is none
    known : (n,) which rows have one
    place : (n,) position of each row's value among the distinct ones
    pull : (d, d) what a row with the one value moves the score of the other, times n; None for levels of a name
    latent : whether it stands for a latent variable of variance 1
    """

    values: np.ndarray
    known: np.ndarray
    place: np.ndarray
    pull: np.ndarray | _Ranks | None = None
    latent: bool = False

    def through(self, gradient: np.ndarray) -> np.ndarray:
        """(n,) what each row adds through the scores of all, from (n,) n times the derivative by every score."""
        result = np.zeros(len(self.values))
        if self.pull is not None:
            added = np.bincount(self.place[self.known], gradient[self.known], minlength=len(self.pull))
            result[self.known] = (self.pull @ (added / self.known.sum()))[self.place[self.known]]
        return result


@dataclass(frozen=True, eq=False)
class _Ranks:
    """The matrix [1{x < y} + 1{x = y} / 2 - F(y)] / phi(z(y)) of distinct values x and y, never written out."""

    share: np.ndarray
    density: np.ndarray

    def __len__(self) -> int:
        return len(self.share)

    def __matmul__(self, added: np.ndarray) -> np.ndarray:
        weight = added / self.density
        above = np.cumsum(weight[::-1])[::-1] - weight / 2
        return np.asarray(above - self.share @ weight)


def scores_of_number(values: np.ndarray) -> Scores:
    """The normal scores of numbers, NaN where there is none."""
    known = ~np.isnan(values)
    score, place = normal_scores(values), np.zeros(len(values), dtype=np.int64)
    distinct, place[known], counts = np.unique(values[known], return_inverse=True, return_counts=True)
    if not len(distinct):
        return Scores(score, known, place)
    share = (np.cumsum(counts) - counts / 2) / counts.sum()
    density = np.exp(-0.5 * special.ndtri(share) ** 2) / np.sqrt(2 * np.pi)
    score[known] -= score[known].mean()
    return Scores(score, known, place, _Ranks(share, density))


def scores_of_rating(codes: np.ndarray, levels: int) -> Scores:
    """The scores of ordered levels, half a row added to each; a negative code is no answer."""
    known = codes >= 0
    place = np.where(known, codes, 0).astype(np.int64)
    counts = np.bincount(place[known], minlength=levels)
    if not counts.any():
        return Scores(np.zeros(len(codes)), known, place, latent=True)
    share = counts / counts.sum()
    means, moved = _latent_means(share, 0.5 / counts.sum())
    own = moved - share @ moved
    values = np.where(known, means[place], 0.0)
    values[known] -= values[known].mean()
    return Scores(values, known, place, own, latent=True)


def scores_of(boxes: Boxes) -> list[Scores]:
    """The scores of every variable."""
    return [
        scores_of_number(boxes.numbers[i]) if i in boxes.numbers else scores_of_rating(own, len(cuts) - 1)
        for i, (own, cuts) in enumerate(zip(boxes.codes, boxes.cuts, strict=True))
    ]


def scores_of_level(codes: np.ndarray, level: int, known: np.ndarray) -> Scores:
    """Indicators of the levels of rows, centred."""
    values = np.where(known, codes == level, False).astype(float)
    values[known] -= values[known].mean() if known.any() else 0.0
    return Scores(values, known, np.zeros(len(codes), dtype=np.int64))


def _latent_means(share: np.ndarray, added: float) -> tuple[np.ndarray, np.ndarray]:
    """(K,) means of a standard normal between thresholds, over their mean square, and (K, K) by share what moves them.

    The thresholds are of shares with so much added; the square is over the shares as they are: with the half rows of
    rare levels it would be too large.
    """
    whole = 1.0 + added * len(share)
    own, turn = (share + added) / whole, np.eye(len(share)) / whole
    turn -= own / whole  # [l, k]: of own share k by share l
    ends = special.ndtri(np.clip(np.cumsum(own)[:-1], 0, 1))
    density = np.exp(-0.5 * ends**2) / np.sqrt(2 * np.pi)
    means = -np.diff(density, prepend=0.0, append=0.0) / own
    drop = np.cumsum(turn, axis=1)[:, :-1] * ends  # d density = -end d share below
    moved = (np.diff(drop, prepend=0.0, append=0.0, axis=1) - means * turn) / own
    square = share @ means**2
    by_share = means**2 - square + 2 * moved @ (share * means)
    return means / square, moved / square - np.outer(by_share, means) / square**2


def partial_correlation(first: Scores, second: Scores, given: Sequence[Scores] = ()) -> tuple[float, np.ndarray]:
    """The correlation of two scores given others, and what every row adds to its error.

    Parameters
    ----------
    first, second : of one group's rows
    given : what both are regressed on
    """
    kept = first.known & second.known
    for other in given:
        kept = kept & other.known
    n, influence = int(kept.sum()), np.zeros(len(kept))
    if n <= len(given) + 2:
        return 0.0, influence
    x = np.array([item.values[kept] for item in (first, second)])
    x = x - x.mean(axis=1, keepdims=True)
    spreads = [_variances(item, kept) for item in (first, second)]
    x *= np.sqrt([every / own for every, own in spreads])[:, None]
    table = np.array([item.values[kept] for item in given]).reshape(len(given), n)
    table = table - table.mean(axis=1, keepdims=True)
    slopes = x @ np.linalg.pinv(table)
    fit = slopes @ table
    left = x - fit
    spread = [
        1.0 - own.var() if item.latent else rest.var()
        for item, own, rest in zip((first, second), fit, left, strict=True)
    ]
    whole = [1.0 if item.latent else max(own.var(), 1e-12) for item, own in zip((first, second), x, strict=True)]
    variance = np.maximum(spread, LEAST_LEFT * np.array(whole))
    root = float(np.sqrt(variance.prod()))
    covariance = float((left[0] * left[1]).mean())
    r = float(np.clip(covariance / root, -MOST, MOST))
    own = (left[0] * left[1] - covariance) / root
    pulls = [other / root for other in left[::-1]]
    for end, item in enumerate((first, second)):
        about = -fit[end] if item.latent else left[end]
        change = fit[end].var() - fit[end] ** 2 - 2 * fit[end] * left[end] if item.latent else left[end] ** 2
        own -= r / (2 * variance[end]) * (change - (0.0 if item.latent else left[end].var()))
        pulls[end] = pulls[end] - r / variance[end] * about
    influence[kept] = own / n
    for end, (item, (every, here)) in enumerate(zip((first, second), spreads, strict=True)):
        if every != here:
            square = (item.values - item.values[kept].mean()) ** 2
            moved = item.known * (item.values**2 / every - 1) / item.known.sum() - kept * (square / here - 1) / n
            influence += r / (2 * variance[end]) * moved
    gradient = np.zeros(len(kept))
    columns = [*pulls, *(
        -(slopes[0, k] * left[1] + slopes[1, k] * left[0]) / root
        + r * (slopes[0, k] * left[0] / variance[0] + slopes[1, k] * left[1] / variance[1])
        for k in range(len(given))
    )]  # fmt: skip
    for item, column in zip((first, second, *given), columns, strict=True):
        gradient[kept] = column * (item.known.sum() / n)
        influence += item.through(gradient) / item.known.sum()
    # ranks and slopes are fitted to these rows: without the 6, variances of 100 rows are a tenth too small
    return r, influence * np.sqrt(n / max(n - len(given) - 6, 1))


def _variances(item: Scores, kept: np.ndarray) -> tuple[float, float]:
    """Of a latent variable's scores over all rows that have one, and over those that are used.

    Of some rows only, a covariance moves with their share of rare levels; divided by the root of their own variance
    it is as exact as by maximum likelihood.
    """
    if not item.latent or kept.sum() == item.known.sum():
        return 1.0, 1.0
    every, own = (float(item.values[rows].var()) for rows in (item.known, kept))
    return (every, own) if own > 0 else (1.0, 1.0)


def mean_difference(
    number: Scores, codes: np.ndarray, sides: tuple[int, int], given: Sequence[Scores] = ()
) -> tuple[float, np.ndarray]:
    """The difference of a number's mean scores between two levels, in SD within levels, and what every row adds.

    Parameters
    ----------
    number : of one group's rows
    codes : (n,) levels of a name
    sides : the level that is subtracted and the one it is subtracted from; (a, -1) for a less the rest
    given : what is held as well, on a line
    """
    kept = number.known.copy()
    for other in given:
        kept &= other.known
    low, high = sides
    own = codes[kept].astype(np.int64)
    first, second = (own == low, own != low) if high < 0 else (own == high, own == low)
    n, influence = int(kept.sum()), np.zeros(len(kept))
    if not first.any() or not second.any() or n <= len(given) + 3:
        return 0.0, influence
    levels = np.unique(own) if high >= 0 else np.array([0, 1])
    among = own if high >= 0 else first.astype(int)
    dummies = (among == levels[:, None]).astype(float)
    contrast = (levels == (high if high >= 0 else 1)).astype(float) - (levels == (low if high >= 0 else 0))
    table = np.array([item.values[kept] for item in given]).reshape(len(given), n)
    design = np.vstack([dummies, table - table.mean(axis=1, keepdims=True)])
    inverse = np.linalg.pinv(design @ design.T / n, hermitian=True)
    weight = inverse @ np.concatenate([contrast, np.zeros(len(given))])
    z = number.values[kept]
    slopes = inverse @ (design @ z) / n
    left, pull = z - slopes @ design, weight @ design
    variance = max(float(left.var()), LEAST_LEFT * max(float(z.var()), 1e-12))
    sd = float(np.sqrt(variance))
    d = float(contrast @ slopes[: len(levels)] / sd)
    influence[kept] = (pull * left / sd - d / (2 * variance) * (left**2 - left.var())) / n
    columns = [pull / sd - d / variance * left]
    for k in range(len(levels), len(design)):
        columns.append((weight[k] * left - pull * slopes[k]) / sd + d / variance * slopes[k] * left)
    gradient = np.zeros(len(kept))
    for item, column in zip((number, *given), columns, strict=True):
        gradient[kept] = column * (item.known.sum() / n)
        influence += item.through(gradient) / item.known.sum()
    # a level of few rows has no spread of its own to be seen: no less than equal spreads would give
    least, square = float(weight @ np.concatenate([contrast, np.zeros(len(given))])) / n, float(influence @ influence)
    widened = np.sqrt(max(least / max(square, 1e-300), 1.0)) if square > 1e-12 else 1.0
    return d, influence * widened * np.sqrt(n / max(n - len(design) - 1, 1))

"""How strongly two hidden values are tied beyond what the other parents explain, and what chance would show; which
items are copies, and on which answers gaps depend.

Where rows belong together, what a link's interval rests on is its own design effect, from sums by subject (a sandwich)
of the influence of every row on the partial correlation: with u and v the normal scores of the two less what the others
explain, in units of their standard deviations,

    e = u v - r (u^2 + v^2) / 2,        effect = C / (C - 1) sum over subjects of (sum of e)^2 / sum over rows of e^2
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.counting.backend import kernels
from engine.lazy import special
from engine.measures.multiple import holm
from engine.methods.ordinal.answers import Answers
from engine.models.latent_normal import UNKNOWN, Boxes

ALPHA = 0.05
_Z = 1.959963984540054  # the normal quantile of 0.975
_LARGEST = 1 - 1e-12


@dataclass(frozen=True)
class Link:
    """Two variables, the later one given its other parents.

    Attributes
    ----------
    partial : partial correlation of the hidden values;  low, high : its 95 % interval (Fisher's z)
    weight : of the regression, in standard deviations of both
    log_bayes_factor : natural logarithm of the odds that the rows speak for the link by, after the BIC
    chance : how often one of all pairs would show as much without any link, at most 1 (Bonferroni)
    """

    partial: float
    low: float
    high: float
    weight: float
    log_bayes_factor: float
    chance: float

    @property
    def beyond_chance(self) -> bool:
        """True where chance alone would rarely show as much among all pairs."""
        return self.chance <= ALPHA

    def below(self, margin: float) -> bool:
        """True where a partial correlation of this size is improbable.

        Parameters
        ----------
        margin : between 0 and 1
        """
        return max(abs(self.low), abs(self.high)) < margin


def link(
    correlation: np.ndarray,
    variances: np.ndarray,
    source: int,
    child: int,
    given: tuple[int, ...],
    rows: float,
    pairs: int,
    effect: float = 1.0,
    subjects: int = 0,
) -> Link:
    """Evidence on a pair.

    The variance of a partial correlation is what hidden values would leave in it, (1 - r^2)^2 / rows, and what levels
    add: for every correlation that it is made of the slope squared, times by how much the variance of that
    correlation passes the (1 - r^2)^2 / rows of hidden values. Where rows belong together it is multiplied by the
    link's design effect, and the normal quantiles are those of t with a degree of freedom for every subject but one.

    Parameters
    ----------
    correlation : (p, p) of the hidden values, found pair by pair
    variances : (p, p) of these
    source, child, given : positions: a possible parent, its child, and the child's other parents
    rows : that have the answers
    pairs : how many pairs there are
    effect, subjects : the design effect of this link, and of how many subjects; 1 and 0 where every row is its own

    Returns
    -------
    `Link`
    """
    result = np.empty(1)
    groups = np.array([given], dtype=np.int64).reshape(1, len(given))
    kernels().partial_correlations(np.ascontiguousarray(correlation), source, child, groups, result)
    partial = float(np.clip(result[0], -_LARGEST, _LARGEST))
    family = [source, *given]
    weight = float(np.linalg.lstsq(correlation[np.ix_(family, family)], correlation[family, child], rcond=None)[0][0])
    family = [source, child, *given]
    free = 1.0 / (1.0 / max(rows - len(given) - 3, 1e-9) + _added(correlation, variances, family, rows)) / effect
    rows = free + len(given) + 3  # of hidden values that would tell as much
    gained = -0.5 * rows * math.log1p(-partial * partial) - 0.5 * math.log(max(rows, 1.0))
    if free <= 1 or subjects == 1:
        return Link(partial, -1.0, 1.0, weight, gained, 1.0)
    z, spread = math.atanh(partial), 1.0 / math.sqrt(free)
    reach, p = _Z, math.erfc(abs(z) / spread / math.sqrt(2.0))
    if subjects:
        reach = float(special.stdtrit(subjects - 1, 0.975))
        p = 2.0 * float(special.stdtr(subjects - 1, -abs(z) / spread))
    low, high = math.tanh(z - reach * spread), math.tanh(z + reach * spread)
    return Link(partial, low, high, weight, gained, min(1.0, pairs * p))


def _added(correlation: np.ndarray, variances: np.ndarray, family: list[int], rows: float) -> float:
    """Variance that levels add to Fisher's z of the first two given the others."""
    own = correlation[np.ix_(family, family)]
    precision = np.linalg.pinv(own, hermitian=True)
    a, b, c = precision[0, 0], precision[1, 1], precision[0, 1]
    root = math.sqrt(max(a * b, 1e-300))
    partial = float(np.clip(-c / root, -_LARGEST, _LARGEST))
    # with R changed by one correlation r_xy, P = R^-1 changes by -(P_.x P_y. + P_.y P_x.)
    change = [np.outer(precision[i], precision[j]) for i, j in ((0, 0), (1, 1), (0, 1))]
    top, right, both = (-(half + half.T) for half in change)
    slope = -(both / root) + 0.5 * (c / root) * (top / a + right / b)
    beyond = np.maximum(variances[np.ix_(family, family)] - (1.0 - own * own) ** 2 / rows, 0.0)
    positions = np.triu_indices(len(family), 1)
    with np.errstate(invalid="ignore"):
        added = np.nansum(slope[positions] ** 2 * beyond[positions])
    return float(added) / (1.0 - partial * partial) ** 2


Asked = tuple[int, int, tuple[int, ...]]
"""Two variables and what their link is given, by position in the answers."""


def link_effects(boxes: Boxes, clusters: np.ndarray, questions: Iterable[Asked]) -> list[float]:
    """The design effect of each link.

    Parameters
    ----------
    boxes : the rows
    clusters : (n,) numbers from 0 that rows of one subject share
    questions : the links

    Returns
    -------
    numbers from 1 up, in this order
    """
    many = int(clusters.max()) + 1
    scores = normal_scores(boxes)
    products = scores @ scores.T
    result = []
    for source, child, given in questions:
        left = []
        for x in (source, child):
            others = list(given)
            weights = np.linalg.lstsq(products[np.ix_(others, others)], products[others, x], rcond=None)[0]
            rest = scores[x] - weights @ scores[others]
            left.append(rest / math.sqrt(max(float(rest @ rest) / len(rest), 1e-12)))
        u, v = left
        e = u * v - float(u @ v) / len(u) * (u * u + v * v) / 2
        sums = np.bincount(clusters, e, minlength=many)
        whole = float(e @ e)
        effect = float(sums @ sums) / whole * many / max(many - 1, 1) if whole > 0 else 1.0
        result.append(max(1.0, effect))
    return result


def normal_scores(boxes: Boxes) -> np.ndarray:
    """(p, n) mean of the normal value behind every answer, less the variable's mean; 0 for a missing one.

    Parameters
    ----------
    boxes : the rows
    """
    result = np.zeros(boxes.codes.shape)
    for i, (own, cuts) in enumerate(zip(boxes.codes, boxes.cuts, strict=True)):
        density = np.exp(-0.5 * np.asarray(cuts) ** 2) / math.sqrt(2 * math.pi)
        means = (density[:-1] - density[1:]) / np.maximum(np.diff(special.ndtr(cuts)), 1e-12)
        known = own != UNKNOWN
        values = means[own[known]]
        result[i, known] = values - values.mean()
    for i, scores in boxes.numbers.items():
        result[i] = np.nan_to_num(scores)
    return result


NEARLY, IN_LEVELS = 0.97, 0.9
"""Correlation of scores, or of latent values where that of scores is the second, from which two say nearly the same."""
FEWEST_GAPS = 5
"""Of a variable, from which it is asked what they depend on."""


def copies_of(boxes: Boxes, correlation: np.ndarray) -> list[tuple[int, int]]:
    """Pairs that are copies of each other, or reversed, or nearly so.

    The latent correlation alone would also name rare items that never occur together, and not all exact copies.

    Parameters
    ----------
    boxes : the rows
    correlation : (p, p) pair by pair, before it was lifted
    """
    scores, known = normal_scores(boxes), boxes.codes != UNKNOWN
    result = []
    for i, j in zip(*np.triu_indices(len(scores), 1), strict=True):
        both = known[i] & known[j]
        u, v = (scores[x][both] - scores[x][both].mean() for x in (i, j))
        alike = abs(u @ v) / max(float(np.sqrt((u @ u) * (v @ v))), 1e-12)
        if alike > NEARLY or (alike > IN_LEVELS and abs(correlation[i, j]) > NEARLY):
            result.append((int(i), int(j)))
    return result


def gap_causes(answers: Answers) -> dict[int, tuple[int, ...]]:
    """Variable -> those on whose answers it depends whether its own is missing, the surest first.

    Each pair is tested by the correlation of gaps with scores, p corrected for all of them (Holm).

    Parameters
    ----------
    answers : the rows
    """
    known = (answers.codes != UNKNOWN).astype(float)
    gaps = np.flatnonzero((1 - known).sum(axis=1) >= FEWEST_GAPS).tolist()
    if not gaps:
        return {}
    scores, lost = normal_scores(answers.boxes()), 1.0 - known[gaps]
    n = known.sum(axis=1)
    first = lost @ known.T  # of rows that have an answer of the other
    variance = first * (1 - first / n)
    squares = (scores**2).sum(axis=1) - scores.sum(axis=1) ** 2 / n
    covariance = lost @ scores.T - first * (scores.sum(axis=1) / n)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.nan_to_num(covariance / np.sqrt(variance * squares / np.maximum(n - 1, 1) * answers.effect))
    p = holm(2.0 * special.ndtr(-np.abs(z)).ravel()).reshape(z.shape)
    result = {}
    for place, i in enumerate(gaps):
        causes = [int(j) for j in np.argsort(-np.abs(z[place]), kind="stable") if p[place, j] <= ALPHA and j != i]
        if causes:
            result[i] = tuple(causes)
    return result

"""How well a score tells cases from others: ROC, its area with an interval, precision and recall.

A larger score means "more likely a case" throughout. Only the order of the scores matters, so they may be log odds
and infinite ones are welcome. A tie between a case and another counts half, as in the Mann-Whitney statistic.

DeLong, DeLong & Clarke-Pearson (1988): the area is the mean of its structural components, one for each case (the
share of the others that it beats) and one for each other (the share of the cases that beat it); their covariances give
the variance of an area and of the difference of two areas on the same cases.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from engine.errors import DataError
from engine.lazy import pd, special
from engine.measures.intervals import check_level, share_interval
from engine.words import in_percent


@dataclass(frozen=True, eq=False)
class Curve:
    """ROC and precision-recall curve: what happens at every threshold, the strictest first.

    Attributes
    ----------
    thresholds : (m,) scores, falling; what scores at least so much is called; the first, infinity, calls nothing
    called_cases, called_others : (m,) how many cases and how many others are called
    cases, others : how many there are
    """

    thresholds: np.ndarray
    called_cases: np.ndarray
    called_others: np.ndarray
    cases: int
    others: int

    @property
    def sensitivity(self) -> np.ndarray:
        """(m,) share of the cases that are called: true positive rate, recall."""
        return np.asarray(self.called_cases / self.cases)

    @property
    def false_positive_rate(self) -> np.ndarray:
        """(m,) share of the others that are called: 1 - specificity."""
        return np.asarray(self.called_others / self.others)

    @property
    def precision(self) -> np.ndarray:
        """(m,) share of what is called that are cases; 1 where nothing is called."""
        called = self.called_cases + self.called_others
        return np.asarray(np.where(called > 0, self.called_cases / np.maximum(called, 1), 1.0))

    @property
    def auc(self) -> float:
        """Area under the ROC curve."""
        return float(np.trapezoid(self.sensitivity, self.false_positive_rate))

    @property
    def average_precision(self) -> float:
        """Precision at every threshold, weighted by the cases that it adds; no straight lines between points."""
        return float((np.diff(self.sensitivity) * self.precision[1:]).sum())


@dataclass(frozen=True)
class Auc:
    """An area under a ROC curve with DeLong's variance.

    Attributes
    ----------
    value, variance : from 0 to 1, 0.5 for a score that knows nothing; and the variance of that
    low, high : confidence interval, value -+ z standard errors cut off at 0 and 1; it has no width where cases and
        others do not overlap, which says that the variance could not be estimated, not that it is 0. With a single
        case or a single other there is no variance: it and the interval are not numbers
    cases, others : how many there are
    """

    value: float
    variance: float
    low: float
    high: float
    cases: int
    others: int


class Pooled(NamedTuple):
    """Several blocks as one: scores, whether each is a case, and the number of its block."""

    scores: np.ndarray
    truth: np.ndarray
    block: np.ndarray


def curve(scores: ArrayLike, truth: ArrayLike) -> Curve:
    """The curve of a score.

    Parameters
    ----------
    scores : (n,) numbers, the larger the more likely a case
    truth : (n,) true for cases

    Returns
    -------
    `Curve`: cases and others called at every threshold, with the rates and areas of the ROC and precision-recall curves

    Raises
    ------
    DataError : lengths differ, a score is missing, or there are no cases or no others

    Examples
    --------
    >>> found = engine.measures.curve([0.9, 0.8, 0.4, 0.3, 0.2], [True, True, False, True, False])
    >>> found.sensitivity.round(2).tolist()
    [0.0, 0.33, 0.67, 0.67, 1.0, 1.0]
    """
    from sklearn.metrics import roc_curve

    codes, known, levels = checked(scores, truth)
    # codes for scores: the same order, and scikit-learn refuses infinite ones
    false_rate, rate, steps = roc_curve(known, codes, drop_intermediate=False)
    cases, others = int(known.sum()), int((~known).sum())
    thresholds = np.concatenate([[np.inf], levels[steps[1:].astype(int)]])
    called_cases, called_others = (np.rint(x).astype(int) for x in (rate * cases, false_rate * others))
    return Curve(thresholds, called_cases, called_others, cases, others)


def auc(scores: ArrayLike, truth: ArrayLike, level: float = 0.95) -> Auc:
    """The area under the ROC curve with its variance and confidence interval (DeLong et al. 1988).

    Parameters
    ----------
    scores, truth : (n,) each, as for `curve`
    level : coverage of the interval, between 0 and 1

    Returns
    -------
    `Auc`

    Raises
    ------
    DataError, SettingsError : as for `curve`; a level that is not between 0 and 1

    Examples
    --------
    >>> engine.measures.auc([0.9, 0.8, 0.3, 0.2], [True, False, True, False]).value
    0.75
    """
    check_level(level)
    codes, known, _ = checked(scores, truth)
    of_cases, of_others = components(codes, known)
    value = float(of_cases.mean())
    variance = covariance(of_cases, of_cases) + covariance(of_others, of_others)
    return _with_limits(value, variance, level, len(of_cases), len(of_others))


def _with_limits(value: float, variance: float, level: float, cases: int, others: int) -> Auc:
    """An area with its interval."""
    reach = float(special.ndtri((1 + level) / 2)) * math.sqrt(variance)
    low, high = np.clip([value - reach, value + reach], 0.0, 1.0)  # keeps what is not a number
    return Auc(value, variance, float(low), float(high), cases, others)


def pool(blocks: Iterable[tuple[ArrayLike, ArrayLike]]) -> Pooled:
    """Blocks of (scores, truth) end to end, to draw one curve of them all; `DataError` for none, or of unlike lengths.

    Scores of different blocks are compared with each other, so they must be on one scale.
    """
    parts = [(np.asarray(scores, dtype=float), np.asarray(truth, dtype=bool)) for scores, truth in blocks]
    for number, (scores, truth) in enumerate(parts):
        if scores.shape != truth.shape:
            raise DataError(f"Block {number} has {scores.size} scores for {truth.size} cases and others.")
    if not parts:
        raise DataError("There is no block to pool; give at least one.")
    sizes = [len(scores) for scores, _ in parts]
    scores, truth = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Pooled(scores, truth, np.repeat(np.arange(len(parts)), sizes))


def auc_by(
    labels: Sequence[Hashable] | np.ndarray, scores: ArrayLike, truth: ArrayLike, level: float = 0.95
) -> dict[Hashable, Auc | None]:
    """The area for every label apart (a variable, a block).

    Parameters
    ----------
    labels : (n,) what each score belongs to
    scores, truth, level : as for `auc`

    Returns
    -------
    label -> `Auc`, in order of first appearance; None for a label without cases or without others

    Raises
    ------
    DataError, SettingsError : as for `auc`, over all labels together

    Examples
    --------
    >>> engine.measures.auc_by(["a", "a", "b", "b"], [0.9, 0.8, 0.4, 0.3], [True, False, False, True])["b"].value
    0.0
    """
    numbers, values, known = numbered(labels, np.size(truth)), np.asarray(scores, dtype=float), np.asarray(truth, bool)
    checked(values, known)
    result: dict[Hashable, Auc | None] = {}
    for number, label in enumerate(dict.fromkeys(_plain(labels))):
        here = numbers == number
        both = 0 < known[here].sum() < here.sum()
        result[label] = auc(values[here], known[here], level) if both else None
    return result


def checked(scores: ArrayLike, truth: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(n,) codes of the scores in rising order, (n,) truth, and the distinct scores."""
    values, known = np.asarray(scores, dtype=float), np.asarray(truth, dtype=bool)
    if values.ndim != 1 or values.shape != known.shape:
        raise DataError(f"There are {values.size} scores for {known.size} cases and others; each needs one score.")
    if np.isnan(values).any():
        raise DataError(f"Score {int(np.isnan(values).argmax()) + 1} is missing; leave its row out, or give it one.")
    for there, noun in ((known.any(), "cases"), (not known.all(), "others")):
        if not there:
            raise DataError(f"There are no {noun}, so there is no curve; it needs at least one case and one other.")
    levels, codes = np.unique(values, return_inverse=True)
    return codes, known, levels


def components(codes: np.ndarray, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Structural components: for each case the share of others below it, for each other that of cases above it."""
    size = int(codes.max()) + 1
    cases, others = (np.bincount(codes[which], minlength=size) for which in (known, ~known))
    below = np.cumsum(others) - others / 2  # others below a score, a tie for half
    above = cases.sum() - np.cumsum(cases) + cases / 2
    return below[codes[known]] / others.sum(), above[codes[~known]] / cases.sum()


def covariance(first: np.ndarray, second: np.ndarray) -> float:
    """Covariance of the means of components; not a number for a single one, of which there is no estimate."""
    n = len(first)
    return float(((first - first.mean()) * (second - second.mean())).sum() / (n - 1) / n) if n > 1 else math.nan


def _plain(labels: Sequence[Hashable] | np.ndarray) -> list[Hashable]:
    return list(labels.tolist() if isinstance(labels, np.ndarray) else labels)


def numbered(labels: Sequence[Hashable] | np.ndarray, size: int) -> np.ndarray:
    """(n,) labels as numbers, by first appearance."""
    plain = _plain(labels)
    if len(plain) != size:
        raise DataError(f"There are {len(plain)} labels for {size} cases and others; each needs one.")
    number = {label: place for place, label in enumerate(dict.fromkeys(plain))}
    return np.array([number[label] for label in plain], dtype=int)


# -- what is called at a threshold ------------------------------------------------------------------------------------


class Called(NamedTuple):
    """Cases and others, called or not.

    Attributes
    ----------
    found, missed : cases called, and not
    alarms, spared : others called, and not
    """

    found: int
    missed: int
    alarms: int
    spared: int

    @property
    def number(self) -> int:
        """Number called."""
        return self.found + self.alarms


class Rate(NamedTuple):
    """A share of what is called or not.

    Attributes
    ----------
    name : usual name;  hits, of : whole numbers;  low, high : its interval of 95 % (Jeffreys), in percent
    """

    name: str
    hits: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.hits / self.of

    @property
    def percent(self) -> str:
        """In percent, with a decimal where it would be rounded to none or to all."""
        rounded = in_percent(self.share)
        alike = self.share not in (0, 1) and rounded in (in_percent(0), in_percent(1))
        return in_percent(self.share, 1) if alike else rounded


def rates(called: Called) -> list[Rate]:
    """Sensitivity, specificity and predictive values, those that have something to be a share of.

    Examples
    --------
    >>> [(rate.name, rate.share) for rate in rates(Called(found=3, missed=1, alarms=0, spared=2))]
    [('Sensitivity', 0.75), ('specificity', 1.0), ('PPV', 1.0), ('NPV', 0.6666666666666666)]
    """
    margins = (
        ("Sensitivity", called.found, called.found + called.missed),
        ("specificity", called.spared, called.spared + called.alarms),
        ("PPV", called.found, called.found + called.alarms),
        ("NPV", called.spared, called.spared + called.missed),
    )
    some = [(name, hits, of) for name, hits, of in margins if of]
    return [Rate(name, hits, of, *(100 * float(end) for end in share_interval(hits, of))) for name, hits, of in some]


def rates_together(called: ArrayLike, truth: ArrayLike, clusters: Sequence[Hashable] | np.ndarray) -> list[Rate]:
    """`rates` of items that belong together: Jeffreys' intervals of as many items as tell as much by themselves.

    Examples
    --------
    >>> found = rates_together([True, True, False, False], [True, False, True, False], ["a", "a", "b", "b"])
    >>> [(rate.name, rate.hits, rate.of) for rate in found]
    [('Sensitivity', 1, 2), ('specificity', 1, 2), ('PPV', 1, 2), ('NPV', 1, 2)]
    """
    said, case = np.asarray(called, dtype=bool), np.asarray(truth, dtype=bool)
    groups = numbered(clusters, len(said))
    margins = (("Sensitivity", case, said), ("specificity", ~case, ~said), ("PPV", said, case), ("NPV", ~said, ~case))
    result = []
    for name, hit, of in ((name, hit[among], groups[among]) for name, among, hit in margins if among.any()):
        n = effective_number(np.array([hit, ~hit], dtype=float), of)
        ends = share_interval(hit.mean() * n, n)
        result.append(Rate(name, int(hit.sum()), len(hit), *(100 * float(end) for end in ends)))
    return result


def effective_number(said: np.ndarray, clusters: Sequence[Hashable] | np.ndarray) -> float:
    """Number of independent items that tell as much: n over the mean design effect (Rao & Scott 1981).

    `said` is (what can be said, n) of ones and zeros. Where all items are said to be the same nothing shows that
    effect, and each cluster counts once.

    Examples
    --------
    >>> effective_number(np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]), ["a", "a", "b", "b"])
    2.0
    """
    n = said.shape[1]
    if not n:
        return n
    groups = numbered(clusters, n)
    sizes, shares = np.bincount(groups), said.mean(axis=1)
    some = shares > 0
    if some.sum() < 2:
        return len(sizes)
    totals = np.array([np.bincount(groups, one) for one in said[some]])
    spread = ((totals - np.outer(shares[some], sizes)) ** 2).sum(axis=1) / n
    return n / max(float((spread / shares[some]).sum() / (some.sum() - 1)), 1.0)


def called_at(curve: Curve, place: int) -> Called:
    """Classify by the threshold at a place of the curve."""
    result, alarms = int(curve.called_cases[place]), int(curve.called_others[place])
    return Called(result, curve.cases - result, alarms, curve.others - alarms)


def size(curve: Curve) -> int:
    """Cases and others together."""
    return curve.cases + curve.others


def place_for(curve: Curve, most: int) -> int:
    """The last threshold that calls no more than so many; equal scores are called together or not at all."""
    return int(np.searchsorted(curve.called_cases + curve.called_others, most, side="right") - 1)


def place_above(curve: Curve, threshold: float) -> int:
    """The threshold that calls just the scores above this one."""
    return int(np.sum(curve.thresholds > threshold)) - 1


def points(curve: Curve) -> pd.DataFrame:
    """Every point: threshold, called, found, false_alarms, share_found, share_false_alarms, precision."""
    return pd.DataFrame(
        {
            "threshold": curve.thresholds,
            "called": curve.called_cases + curve.called_others,
            "found": curve.called_cases,
            "false_alarms": curve.called_others,
            "share_found": curve.sensitivity,
            "share_false_alarms": curve.false_positive_rate,
            "precision": curve.precision,
        }
    )


def pairs_won(area: Auc) -> tuple[int, float]:
    """Pairs of a case and another, and in how many of them the case has the higher score (a tie counts half)."""
    pairs = area.cases * area.others
    return pairs, round(area.value * pairs * 2) / 2

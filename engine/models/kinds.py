"""Rows by their values alone: those farthest from all others, and kinds of rows that are alike.

A number is taken by its distance from the median in quartile ranges, an ordered level by its place, a level of a
nominal variable as a flag; each variable has the variance 1.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.execution import Progress, silent
from engine.lazy import special

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

MOST_KINDS = 6
"""Kinds that are tried."""
PERMUTED = 19
"""Tables with every column permuted, and normal clouds correlated alike, that kinds are held against: p is .05."""
MOST_ROWS = 1_000
"""Rows that kinds are sought in; the others then belong to the nearest."""
SEPARATED = 0.25
"""Mean silhouette up to which no structure is found (Kaufman and Rousseeuw 1990)."""
_CLIP = 3.0
USUAL = 0.75
"""Share of the rows beside which a row whose values are named lies no farther without them."""
_NAMED, _APART = 3, 2.0  # variables that are named, and standard deviations from which on one is
_RARE = 0.05
"""Share of rows as far out on its side up to which a value is rare by itself."""
_PARTNER, _BESIDE = 0.05, 0.5  # parts of what is unexpected, and of the first partner's part, that a partner brings
_SKEWED = 1.0
"""Skewness beyond which a number is highly skewed (Bulmer 1979)."""
_TABLES, _MOST_CELLS = 99, 50_000
"""Tables that chance is told by where levels have an order, and cells of a table beyond which it is not told."""
_COMMON = 0.25
"""Share of rows above which a level does not stand out."""


@dataclass(frozen=True, eq=False)
class Kinds:
    """Kinds of rows.

    Attributes
    ----------
    codes : (n,) the kind of each row, 0 the largest
    silhouette : the mean silhouette of the rows, 1 where kinds are far apart, 0 where they overlap
    chance : the largest mean silhouette of tables without kinds, 0 where that is not worked out
    """

    codes: np.ndarray
    silhouette: float
    chance: float

    @property
    def seen(self) -> bool:
        """True where the rows fall into kinds more than tables without kinds do, and these are separate."""
        return self.silhouette > max(self.chance, SEPARATED)


@dataclass(frozen=True)
class Extremes:
    """The rows farthest from all others.

    Attributes
    ----------
    rows : (row, distance, the variables that set it apart most) each, the farthest first
    without : how far each of them lies without these variables
    combined : variable -> score of each of them whose values are not rare but their combination is, the most unexpected
        first, else empty
    middle, usual : the median distance of all rows, and that which three quarters of them do not exceed
    chance : between which distances the farthest of as many rows lies (95 %) whose values are independent, numbers
        normal and levels permuted; NaN where a value is missing, nothing has an order, or levels have too many cells
    skewed : numbers that are highly skewed in the other rows too, so that chance puts rows farther out
    names : the variables that the distance is of
    """

    rows: tuple[tuple[int, float, tuple[str, ...]], ...]
    without: tuple[float, ...]
    combined: tuple[dict[str, float], ...]
    middle: float
    usual: float
    chance: tuple[float, float]
    skewed: tuple[str, ...]
    names: tuple[str, ...]


def value_scores(data: Dataset) -> tuple[np.ndarray, tuple[str, ...]]:
    """(n, k) scores of a table's rows, and the variable of each column."""
    columns: list[np.ndarray] = []
    names: list[str] = []
    for name in data.names:
        codes = data.column(name).astype(float)
        if name in data.numbers:
            own = np.asarray(data.numbers[name].column, dtype=float)
            low, middle, high = np.nanquantile(own, (0.25, 0.5, 0.75))
            scale = (high - low) / 1.349 or float(np.nanstd(own)) or 1.0  # that of a normal variable
            parts = [np.nan_to_num((own - middle) / scale)]
        elif data.kinds[name] == "ordinal" or len(data.levels[name]) == 2:
            parts = [(codes - codes.mean()) / (codes.std() or 1.0)]
        else:
            flags = (codes[:, None] == np.unique(codes)).astype(float)
            flags = (flags - flags.mean(axis=0)) / np.sqrt(max(flags.var(axis=0).sum(), 1e-12))
            parts = list(flags.T)
        columns += parts
        names += [name] * len(parts)
    return np.array(columns).T.reshape(data.n_rows, len(columns)), tuple(names)


def extreme_rows(data: Dataset, most: int = 10) -> Extremes:
    """The rows farthest from all others, all values taken together (Mahalanobis), and what sets each apart most.

    Only numbers and ordered levels are taken where there are some: a rare level of another variable is not extreme.

    Parameters
    ----------
    data : the table, in memory
    most : rows to name

    Returns
    -------
    `Extremes`

    Examples
    --------
    >>> from engine.models.kinds import extreme_rows
    >>> found = extreme_rows(sample_data.dataset("breast_cancer"), 1)
    >>> found.rows[0][1] > 10 > found.middle
    True
    """
    ranked = [name for name in data.names if name in data.numbers or data.kinds[name] == "ordinal"]
    scores, names = value_scores(data.select(ranked) if ranked else data)
    distance, covariance = _distances(scores)
    middle, usual = map(float, np.quantile(distance, (0.5, USUAL)))
    columns = {name: data.column(name) for name in dict.fromkeys(names)}
    result, without, combined = [], [], []
    for row in np.argsort(-distance, kind="stable")[:most].tolist():
        levels = {name: own for name, own in columns.items() if name not in data.numbers}
        common = {name for name, own in levels.items() if (own == own[row]).mean() > _COMMON}
        named, left = _set_apart(scores[row], covariance, names, common, usual)
        together: dict[str, float] = {}
        if named and not any(_is_rare(data, row, name) for name in named):
            together = _combination(scores[row], covariance, names, named[0])
        if together:
            named = tuple(together)
            left = _without(scores[row], covariance, names, named)[-1]
        result.append((row, float(distance[row]), named))
        without.append(left)
        combined.append(together)
    whole = ranked and not any(np.isnan(data.numbers[name].column).any() for name in ranked if name in data.numbers)
    chance = _by_chance(scores, np.array([name in data.numbers for name in names])) if whole else (np.nan, np.nan)
    skewed = _skewed(np.delete(scores, [row for row, *_ in result], axis=0), names, data.numbers)
    return Extremes(tuple(result), tuple(without), tuple(combined), middle, usual, chance, skewed, tuple(columns))


def _distances(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How far each row lies from the middle, and the covariance that this is measured by."""
    from sklearn.covariance import LedoitWolf

    cloud = LedoitWolf(assume_centered=True).fit(np.clip(scores, -_CLIP, _CLIP))
    return np.sqrt(np.maximum((scores @ cloud.precision_ * scores).sum(axis=1), 0.0)), cloud.covariance_


def _by_chance(scores: np.ndarray, numbers: np.ndarray) -> tuple[float, float]:
    """Between which distances the farthest of as many independent rows lies; by chi-squared of numbers alone."""
    ends, (n, many) = np.array([0.025, 0.975]), scores.shape
    if numbers.all():
        low, high = np.sqrt(special.chdtri(many, 1 - ends ** (1 / n)))
    elif scores.size > _MOST_CELLS:
        return np.nan, np.nan
    else:
        generator, farthest = np.random.default_rng(0), []
        for _ in range(_TABLES):
            drawn = generator.permuted(scores, axis=0)
            drawn[:, numbers] = generator.standard_normal((n, int(numbers.sum())))
            farthest.append(_distances(drawn)[0].max())
        low, high = np.quantile(farthest, ends)
    return float(low), float(high)


def _skewed(scores: np.ndarray, names: Sequence[str], numbers: Collection[str]) -> tuple[str, ...]:
    """The numbers that are highly skewed, most of all first; none where no rows are left."""
    if not len(scores):
        return ()
    centred = scores - scores.mean(axis=0)
    size = np.abs((centred**3).mean(axis=0)) / np.maximum(centred.std(axis=0), 1e-12) ** 3
    order = np.argsort(-size, kind="stable")
    return tuple(names[k] for k in order if names[k] in numbers and size[k] > _SKEWED)


def _set_apart(
    scores: np.ndarray, covariance: np.ndarray, names: tuple[str, ...], common: set[str], usual: float
) -> tuple[tuple[str, ...], float]:
    """The variables without which a row lies least far, until it lies no farther than usual: each of more than two SDs
    given what is left, a common level only where there is nothing else. And how far the row then lies."""
    named: list[str] = []
    while len(set(names)) > len(named):
        left, precision, pulls, size = _without(scores, covariance, names, named)
        rare = np.array([names[k] not in common for k in left])
        rare |= not named and not rare.any()
        residuals = np.where(rare, np.abs(pulls) / np.sqrt(np.diag(precision)), 0.0)
        if size <= usual or len(named) == _NAMED or residuals.max() <= _APART:
            return tuple(named), size
        named.append(names[left[int(np.argmax(residuals))]])
    return tuple(named), 0.0


def _without(
    scores: np.ndarray, covariance: np.ndarray, names: Sequence[str], named: Collection[str]
) -> tuple[list[int], np.ndarray, np.ndarray, float]:
    """The columns of a row beside some variables, their precision, its product with their scores, and how far they are
    out."""
    left = [k for k, name in enumerate(names) if name not in named]
    precision = np.linalg.pinv(covariance[np.ix_(left, left)], hermitian=True)
    pulls = precision @ scores[left]
    return left, precision, pulls, float(np.sqrt(max(scores[left] @ pulls, 0.0)))


def _is_rare(data: Dataset, row: int, name: str) -> bool:
    """True where few rows have a value as far out on its side, or of a variable without order the level."""
    column = np.asarray(data.numbers[name].column, dtype=float) if name in data.numbers else data.column(name)
    there = column[~np.isnan(column)] if name in data.numbers else column
    if name not in data.numbers and data.kinds[name] != "ordinal":
        return bool((there == column[row]).mean() <= _RARE)
    return bool(min((there <= column[row]).mean(), (there >= column[row]).mean()) <= _RARE)


def _combination(scores: np.ndarray, covariance: np.ndarray, names: Sequence[str], first: str) -> dict[str, float]:
    """Variable -> score of the unexpected one and of up to two that it is most unexpected beside; empty without any.

    A score is as far from what the others let expect as the sum, over these, of minus coefficient times score (linear
    regression) and of itself; a partner has a large part on the side of the whole.
    """
    _, precision, pulls, _ = _without(scores, covariance, names, ())
    own = np.array([name == first for name in names])
    k = int(np.argmax(np.where(own, np.abs(pulls) / np.sqrt(np.diag(precision)), -1.0)))
    parts = np.where(own, 0.0, precision[k] * scores / pulls[k])
    best = [int(j) for j in np.argsort(-parts, kind="stable")[: _NAMED - 1]]
    if parts[best[0]] < _PARTNER:
        return {}
    return {names[j]: float(scores[j]) for j in [k, *(j for j in best if parts[j] >= _BESIDE * parts[best[0]])]}


def value_kinds(data: Dataset, progress: Progress = silent) -> Kinds:
    """Kinds of rows by k-means, as many as have the largest mean silhouette, held against tables without kinds.

    Parameters
    ----------
    data : the table, in memory
    progress : called with a fraction from 0 to 1 and words

    Returns
    -------
    `Kinds`

    Examples
    --------
    >>> from engine.models.kinds import value_kinds
    >>> value_kinds(sample_data.dataset("breast_cancer")).seen
    True
    """
    scores = np.clip(value_scores(data)[0], -_CLIP, _CLIP)
    generator = np.random.default_rng(0)
    part = scores[np.sort(generator.permutation(len(scores))[:MOST_ROWS])]
    best, found = _kinds(part)
    if found is None:
        return Kinds(np.zeros(len(scores), dtype=np.int64), 0.0, 0.0)
    chance = []
    for number in range(PERMUTED if best > SEPARATED else 0):
        progress(number / PERMUTED, "looking for kinds of patients")
        cloud = generator.multivariate_normal(part.mean(axis=0), np.cov(part.T).reshape(2 * part.shape[1:]), len(part))
        chance += [_kinds(near)[0] for near in (generator.permuted(part, axis=0), np.clip(cloud, -_CLIP, _CLIP))]
    codes = found.predict(scores)
    order = np.argsort(np.argsort(-np.bincount(codes), kind="stable"))
    return Kinds(order[codes], best, max(chance, default=0.0))


def _kinds(scores: np.ndarray) -> tuple[float, Any]:
    """The best mean silhouette, and the kinds that have it; None of rows too few or all alike."""
    from sklearn.cluster import KMeans
    from sklearn.metrics import silhouette_score

    best: tuple[float, Any] = (-1.0, None)
    for k in range(2, min(MOST_KINDS, len(scores) // 10) + 1):
        means = KMeans(k, n_init=2, random_state=0).fit(scores)
        if len(set(means.labels_)) > 1:
            size = float(silhouette_score(scores, means.labels_))
            best = max(best, (size, means), key=lambda item: item[0])
    return best


def apart(data: Dataset, kinds: Kinds, kind: int, most: int = _NAMED) -> tuple[str, ...]:
    """The variables that set a kind of rows apart from the others, most of all first.

    Parameters
    ----------
    data : the table
    kinds : its kinds
    kind : which
    most : variables to name
    """
    scores, names = value_scores(data)
    scores, inside = np.clip(scores, -_CLIP, _CLIP), kinds.codes == kind
    gap = np.abs(scores[inside].mean(axis=0) - scores[~inside].mean(axis=0))
    return tuple(dict.fromkeys(names[k] for k in np.argsort(-gap, kind="stable")))[:most]

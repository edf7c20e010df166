"""Intervals by drawing again: of an area or a share, where items that belong together are drawn together."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from engine.errors import DataError, check_choice, check_number
from engine.measures.curves import auc, checked, numbered
from engine.measures.intervals import check_level, share_interval

Statistic = Literal["auc", "average precision"]
STATISTICS: tuple[Statistic, ...] = get_args(Statistic)
_AT_ONCE = 1 << 22  # numbers a bootstrap holds at a time


def bootstrap_interval(
    scores: ArrayLike,
    truth: ArrayLike,
    of: Statistic = "auc",
    *,
    clusters: Sequence[Hashable] | np.ndarray | None = None,
    runs: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[float, float]:
    """Percentile interval of a statistic over tables drawn again with replacement.

    Parameters
    ----------
    scores, truth : (n,) each, as for `curve`
    of : "auc" or "average precision"
    clusters : (n,) labels of what belongs together and is drawn together, such as the variables of one pair of groups;
        None to draw cases among cases and others among others
    runs : tables drawn; one that has no cases or no others says nothing and is left out
    level : coverage of the interval, between 0 and 1
    seed : equal seeds give equal intervals

    Returns
    -------
    lower and upper end

    Raises
    ------
    DataError : as for `curve`; no table drawn has both cases and others
    SettingsError : an unknown statistic, no runs, a level that is not between 0 and 1

    Examples
    --------
    >>> engine.measures.bootstrap_interval([0.9, 0.8, 0.3, 0.2], [True, False, True, False], runs=100)
    (0.0, 1.0)
    """
    check_choice("of", of, STATISTICS)
    check_number("runs", runs, least=1, whole=True)
    check_level(level)
    codes, known, _ = checked(scores, truth)
    groups = known.astype(int) if clusters is None else numbered(clusters, len(known))
    generator = np.random.default_rng(seed)
    result: list[np.ndarray] = []
    batch = max(1, _AT_ONCE // len(known))
    for start in range(0, runs, batch):
        weights = _redrawn(groups, clusters is not None, min(batch, runs - start), generator)
        result.append(_weighted(of, codes, known, weights))
    values = np.concatenate(result)
    values = values[~np.isnan(values)]
    if not len(values):
        raise DataError("No resampled table had both cases and others; the interval needs more clusters.")
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _redrawn(groups: np.ndarray, whole: bool, runs: int, generator: np.random.Generator) -> np.ndarray:
    """(runs, n) how often each is drawn: whole groups drawn anew, or each group redrawn from its own members."""
    if whole:
        count = int(groups.max()) + 1
        return np.asarray(generator.multinomial(count, np.full(count, 1 / count), size=runs)[:, groups])
    weights = np.zeros((runs, len(groups)), dtype=np.int64)
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        weights[:, members] = generator.multinomial(len(members), np.full(len(members), 1 / len(members)), size=runs)
    return weights


def _weighted(of: str, codes: np.ndarray, known: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """(runs,) the statistic of every weighting; not a number where the cases or the others weigh nothing."""
    order = np.argsort(-codes, kind="stable")  # highest first
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    drawn = [np.where(which, weights, 0)[:, order] for which in (known, ~known)]
    cases, others = (np.add.reduceat(counts, starts, axis=1).astype(float) for counts in drawn)
    with np.errstate(divide="ignore", invalid="ignore"):
        totals = cases.sum(axis=1), others.sum(axis=1)
        called = np.cumsum(cases, axis=1), np.cumsum(others, axis=1)
        if of == "auc":
            value = (others * (called[0] - cases / 2)).sum(axis=1) / (totals[0] * totals[1])
        else:
            precision = called[0] / np.maximum(called[0] + called[1], 1)
            value = (cases * precision).sum(axis=1) / totals[0]
    return np.asarray(np.where((totals[0] > 0) & (totals[1] > 0), value, np.nan))


def area_interval(
    scores: ArrayLike, truth: ArrayLike, clusters: Sequence[Hashable] | np.ndarray | None = None, runs: int = 1000
) -> tuple[float, float]:
    """The 95 % interval of an area that its items allow: DeLong's, or of whole clusters drawn again.

    DeLong's has no width where all pairs agree; then it is Jeffreys' of as many pairs as have no item in common.
    """
    if clusters is None:
        result = auc(scores, truth)
        if result.value in (0, 1) and result.low == result.high:
            cases = int(np.sum(np.asarray(truth, dtype=bool)))
            pairs = min(cases, np.size(truth) - cases)
            return _jeffreys(result.value * pairs, pairs)
        return result.low, result.high
    if len(set(clusters)) < 2:
        return math.nan, math.nan
    try:
        return bootstrap_interval(scores, truth, clusters=clusters, runs=runs)
    except DataError:
        if not 0 < np.sum(np.asarray(truth, dtype=bool)) < np.size(truth):
            raise
        return math.nan, math.nan


def share_interval_of(
    hits: ArrayLike, clusters: Sequence[Hashable] | np.ndarray | None = None, *, runs: int = 2000
) -> tuple[float, float]:
    """95 % interval of a share of items: Jeffreys', or where items belong together of whole clusters drawn again.

    Examples
    --------
    >>> low, high = share_interval_of([True, True, False, False], ["a", "a", "b", "b"])
    >>> low, high
    (0.0, 1.0)
    """
    hit = np.asarray(hits, dtype=bool)
    if not len(hit):
        return math.nan, math.nan
    if clusters is None:
        return _jeffreys(float(hit.sum()), len(hit))
    groups = numbered(clusters, len(hit))
    sizes, of_hits = np.bincount(groups), np.bincount(groups, hit)
    shares = of_hits / sizes
    if np.all(shares == shares[0]):
        return _jeffreys(float(shares[0]) * len(sizes), len(sizes))
    drawn = _drawn(len(sizes), runs)
    return _ends(drawn @ of_hits / (drawn @ sizes), 0.95)


def mean_share_interval(
    hits: ArrayLike, groups: ArrayLike, clusters: Sequence[Hashable] | np.ndarray, *, runs: int = 2000
) -> tuple[float, float]:
    """95 % percentile interval of the mean over groups of their shares of hits; whole clusters are drawn again.

    A draw without an item of a group says nothing and is left out.

    Examples
    --------
    >>> mean_share_interval([True, False, True, True], [0, 1, 0, 1], ["a", "a", "b", "b"])
    (0.5, 1.0)
    """
    hit, group = np.asarray(hits, dtype=float), np.asarray(groups)
    cluster = numbered(clusters, len(hit))
    many, count = int(cluster.max()) + 1, int(group.max()) + 1
    sizes, of_hits = np.zeros((many, count)), np.zeros((many, count))
    np.add.at(sizes, (cluster, group), 1)
    np.add.at(of_hits, (cluster, group), hit)
    drawn = _drawn(many, runs)
    with np.errstate(invalid="ignore"):
        means = ((drawn @ of_hits) / (drawn @ sizes)).mean(axis=1)
    return _ends(means[np.isfinite(means)], 0.95)


def _drawn(many: int, runs: int) -> np.ndarray:
    """(runs, many) how often each of some clusters is drawn, as many as there are."""
    return np.random.default_rng(0).multinomial(many, np.full(many, 1 / many), size=runs)


def _ends(values: np.ndarray, level: float) -> tuple[float, float]:
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _jeffreys(hits: float, n: int) -> tuple[float, float]:
    low, high = share_interval(hits, n, 0.95)
    return float(low), float(high)

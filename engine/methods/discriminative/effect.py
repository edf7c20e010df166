"""Differences of the classes in one family, and the shift of a child by its link inside each class.

Points of probability, with subjects as what was sampled: shares of a series are those of its subject, or its steps add
to one sum, as the rows of a subject do (sandwich).
"""

from __future__ import annotations

import math
import warnings
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from engine.measures.risk_difference import looks, risk_difference
from engine.measures.shifts import wilson_interval
from engine.methods.discriminative.coding import Counted
from engine.methods.discriminative.structure import ClassNetwork, LearnedNetwork, Pair, weights_of

if TYPE_CHECKING:
    from engine.methods.discriminative.settings import DiscriminativeSettings

MOST_RARE = 0.1
"""Share of either class's observations that a configuration must have to be looked at."""
NOTHING = (math.nan,) * 5
SIGNIFICANCE = 0.05
"""Share of shuffles that may find as much by chance, corrected for all families at once."""
Interval = tuple[float, float, float]
"""A difference, and the ends of its interval; not numbers where there are too few subjects to give one."""
Counts = tuple[np.ndarray, np.ndarray]
"""(U,) hits of every subject, and of how many."""


def chance_of(shuffled: np.ndarray, value: float) -> float:
    """Share of shuffles whose best is as much, the observed one counted; NaN without shuffles."""
    if not len(shuffled):
        return float("nan")
    return float((1 + (shuffled >= value - 1e-9).sum()) / (1 + len(shuffled)))


def clear(low: float, high: float) -> bool:
    """True of an interval of a difference that leaves 0 out; one that is not known does not."""
    return low > 0 or high < 0


def learned_networks(
    counted: Counted, pair: Pair, side: np.ndarray, method: DiscriminativeSettings, units: np.ndarray | None
) -> tuple[LearnedNetwork, LearnedNetwork]:
    """The networks of a contrast with their counts, effects and shifts, others first."""
    used, weights = pair.used(method.top_families, shared=method.shared), weights_of(counted, side, method)
    others = _network(counted, pair.others, np.where(side >= 0, 1 - side, side), used[0], weights[1], units)
    return others, _network(counted, pair.own, side, used[1], weights[0], units)


def _network(
    counted: Counted,
    network: ClassNetwork,
    side: np.ndarray,
    used: np.ndarray,
    weight: float,
    units: np.ndarray | None,
) -> LearnedNetwork:
    counts = tuple(counted.family(child, parents, side) for child, parents in enumerate(network.parents))
    effects = [effect_of(counted, child, parents, side, units) for child, parents in enumerate(network.parents)]
    shifts = np.full((len(network.parents), max(map(len, network.parents), default=0), 2, 3), np.nan)
    for child, parents in enumerate(network.parents):
        shifts[child, : len(parents)] = shifts_of(counted, child, parents, side, units)
    families = network.parents, network.pacl, network.alone, network.added
    return LearnedNetwork(*families, used, counts, weight, np.array(effects, dtype=float), shifts)


def effect_of(
    counted: Counted, child: int, parents: tuple[int, ...], side: np.ndarray, units: np.ndarray | None = None
) -> tuple[float, ...]:
    """The largest difference of P(level | configuration), class less others, where both have been seen often enough.

    Of series the shares of each subject are averaged over subjects (Welch's interval), since the steps of a subject are
    no sample by themselves; of rows that of Agresti and Caffo, as on the page of group differences, or a sandwich where
    rows share subjects. The largest of many is shown: its interval is widened by their number (Bonferroni), candidate
    parents among them.
    """
    counts = counted.family(child, parents, side)
    usual = _usual(counts)
    if not usual.any():
        return NOTHING
    rows = counts.sum(axis=2)
    of = counts / np.maximum(rows, 1)[:, :, None]
    difference = np.where(usual[:, None], np.abs(of[1] - of[0]), -1.0)
    level = 1 - 0.05 / (int(usual.sum()) * (counted.slices.n_variables if parents else 1))
    j, k = divmod(int(difference.argmax()), difference.shape[1])
    if counted.slices.plain and units is None:
        gap, low, high = (float(part[k]) for part in risk_difference(counts[None, :, j], level))
        return gap, low, high, j, k
    level = 1 - (1 - level) / looks(counts.shape[2])
    if units is not None:
        own, others = (_by_unit(counted, child, parents, (j, k), side == item, units) for item in (1, 0))
        return *_sandwich(own, others, level), j, k
    hits, seen = _by_unit(counted, child, parents, (j, k), side >= 0, None)
    shares, seen = hits / np.maximum(seen, 1), seen > 0
    return *_welch(shares[(side == 1) & seen], shares[(side == 0) & seen], level), j, k


def shifts_of(
    counted: Counted, child: int, parents: tuple[int, ...], side: np.ndarray, units: np.ndarray | None = None
) -> np.ndarray:
    """The largest shift of a level of the child by each parent alone, in the others and in the class.

    A shift is the difference of P(level) between two values of the parent, among observations in which the other
    parents are the same; only configurations that are common in both classes are looked at. The interval is a
    sandwich over subjects, of rows of a subject each Newcombe's, widened by the number of shifts that were looked at.

    A parent that turns its direction has the two signed shifts of one contrast instead (`turning_contrast`), where
    both intervals leave 0 out; all others are sizes.
    """
    counts = counted.family(child, parents, side)
    usual = _usual(counts)
    of = counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)
    result = np.full((len(parents), 2, 3), math.nan)
    for place, pairs in enumerate(_pairs(counted.slices.arity[list(parents)], usual)):
        if not pairs:
            continue
        first_levels, second_levels = np.array(pairs).T
        level = 1 - 0.05 / (len(pairs) * counts.shape[2])

        def shift_between(net: int, ends: tuple[int, int], k: int, level: float = level) -> Interval:
            if counted.slices.plain and units is None:
                return _newcombe(counts[net, ends, k], counts[net, ends].sum(axis=1), level)
            first, second = (_by_unit(counted, child, parents, (end, k), side == net, units) for end in ends)
            return _sandwich(first, second, level)

        if contrast := turning_contrast(counts, counted.slices.arity[list(parents)], place):
            high, low, k = contrast
            signed = np.array([shift_between(net, (high, low), k) for net in (0, 1)])
            if (np.sign(signed) == np.sign(signed[:, :1])).all():
                result[place] = signed
                continue
        for net in (0, 1):
            shifts = of[net, first_levels] - of[net, second_levels]
            at, k = divmod(int(np.abs(shifts).argmax()), shifts.shape[1])
            ends = int(first_levels[at]), int(second_levels[at])
            ends = ends if shifts[at, k] >= 0 else ends[::-1]
            result[place, net] = shift_between(net, ends, k)
    return result


def turning_contrast(counts: np.ndarray, arity: np.ndarray, place: int) -> tuple[int, int, int] | None:
    """By which two configurations and which level of the child a parent turns its direction between the classes.

    Of all that shift the level up in one class and down in the other the one whose smaller shift is the largest; of
    equals the last level, so that a child with two is read by its second. The higher value of the parent comes first.

    Parameters
    ----------
    counts : (2, q, r) of the child, by configuration
    arity : (parents,) numbers of levels
    place : of the parent
    """
    pairs = _pairs(arity, _usual(counts))[place]
    if not pairs:
        return None
    low, high = np.array(pairs).T
    of = counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)
    others, own = of[:, high] - of[:, low]
    smaller = np.where(own * others < 0, np.minimum(np.abs(own), np.abs(others)), 0.0).round(12)
    if not smaller.any():
        return None
    at, back = divmod(int(smaller[:, ::-1].argmax()), smaller.shape[1])
    return int(high[at]), int(low[at]), smaller.shape[1] - 1 - back


def turns(shifts: np.ndarray) -> bool:
    """True of the signed shifts of a link that turns its direction between the classes."""
    return bool(shifts[0, 0] * shifts[1, 0] < 0)


def more_in(shifts: np.ndarray) -> int:
    """In which of two classes a link shifts its child more: 0 or 1, -1 where neither is clearly ahead, or it turns.

    The interval of the difference is put together of the two (Zou and Donner 2008).
    """
    if not np.isfinite(shifts).all() or turns(shifts):
        return -1
    (first, low_first, high_first), (second, low_second, high_second) = shifts.tolist()
    gap = second - first
    if gap - math.hypot(second - low_second, high_first - first) > 0:
        return 1
    return 0 if gap + math.hypot(high_second - second, first - low_first) < 0 else -1


def _usual(counts: np.ndarray) -> np.ndarray:
    """(q,) configurations that neither class has too rarely."""
    rows = counts.sum(axis=2)
    return np.asarray((rows / np.maximum(rows.sum(axis=1, keepdims=True), 1) >= MOST_RARE).all(axis=0))


def _pairs(arity: np.ndarray, usual: np.ndarray) -> list[list[tuple[int, int]]]:
    """For each parent the pairs of configurations that differ in it alone; the first parent changes slowest."""
    shape = tuple(arity.tolist())
    number = np.arange(len(usual)).reshape(shape)
    result = []
    for axis, many in enumerate(shape):
        lines = np.moveaxis(number, axis, -1).reshape(-1, many).tolist()
        result.append([(a, b) for line in lines for a, b in combinations(line, 2) if usual[a] and usual[b]])
    return result


def _by_unit(
    counted: Counted,
    child: int,
    parents: tuple[int, ...],
    cell: tuple[int, int],
    inside: np.ndarray,
    units: np.ndarray | None,
) -> Counts:
    """Of every subject the observations inside a class that have a configuration and a level, and the configuration."""
    j, k = cell
    if units is None:
        r = int(counted.slices.arity[child])
        here = counted.counts_by_point(child, parents).reshape(counted.n_points, -1, r)[:, j] * inside[:, None]
        return here[:, k], here.sum(axis=1)
    rows = inside & (counted.slices.codes(parents)[0] == j)
    number = np.unique(units, return_inverse=True)[1]
    many = int(number.max()) + 1
    return (
        np.bincount(number, rows & (counted.slices.after[child] == k), minlength=many),
        np.bincount(number, rows, minlength=many),
    )


def _newcombe(hits: np.ndarray, n: np.ndarray, level: float) -> Interval:
    """The first of two shares less the second, with its interval (Newcombe 1998, method 10)."""
    share = hits / n
    low, high = wilson_interval(hits, n, level)
    gap = share[0] - share[1]
    down = math.hypot(share[0] - low[0], high[1] - share[1])
    up = math.hypot(high[0] - share[0], share[1] - low[1])
    return float(gap), float(gap - down), float(gap + up)


def _sandwich(counts: Counts, other: Counts, level: float) -> Interval:
    """A share less another, with an interval to which every subject adds one independent sum."""
    from scipy.stats import t

    shares = [float(hits.sum() / n.sum()) for hits, n in (counts, other)]
    gap = shares[0] - shares[1]
    parts = [(hits - share * n) / n.sum() for (hits, n), share in zip((counts, other), shares, strict=True)]
    fewest = min(int((n > 0).sum()) for _, n in (counts, other))
    many = int(((counts[1] > 0) | (other[1] > 0)).sum())
    error = math.sqrt(float(((parts[0] - parts[1]) ** 2).sum()) * many / max(many - 1, 1))
    if fewest < 2:
        return gap, math.nan, math.nan
    reach = float(t.ppf(0.5 + level / 2, fewest - 1)) * error
    return gap, max(gap - reach, -1.0), min(gap + reach, 1.0)


def _welch(first: np.ndarray, second: np.ndarray, level: float) -> Interval:
    """Difference of two means with its interval; without one where a side has a single subject."""
    from scipy.stats import ttest_ind

    gap = float(first.mean() - second.mean())
    if min(len(first), len(second)) < 2 or first.var() + second.var() == 0:
        return gap, math.nan, math.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of a class whose subjects are nearly all alike
        interval = ttest_ind(first, second, equal_var=False).confidence_interval(level)
    return gap, max(float(interval.low), -1.0), min(float(interval.high), 1.0)

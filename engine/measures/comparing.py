"""Whether two scores of the same items tell cases from others equally well: DeLong's paired test, or a permutation.

DeLong's test rests on an estimated variance, and of five items there is none to speak of: its p comes out as 0. So
where a class is small, the variance is 0, or items belong together, the scores are swapped instead: if both are equally
good, it does not matter which of an item's two ranks came from which (Bandos, Rockette & Gur 2005). Items that belong
together swap together.

With every item's two ranks at hand, the difference of the areas after any swaps is a sum over items with a sign each:

    difference = sum over items of sign * (w(first rank) - w(second rank)) / (2 * cases * others)

where w of a case's rank is how many of the others' ranks, of both scores, lie below it (a tie counts half), and w of
another's rank how many of the cases' lie above. So few items are enumerated, and of many signs are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from engine.lazy import special
from engine.measures.curves import checked, components, covariance, numbered

ENOUGH = 10
"""Cases, and others, from which DeLong's variance is trusted."""
ENUMERATED = 16
"""Items, or groups of them, up to which all swaps are made; 2 to the power of it."""
DRAWS, FEWEST = 9_999, 999
"""Swaps drawn where they are too many; fewer, but so many at least, where the items are very many."""
DELONG, EXACT, DRAWN = "DeLong's paired test", "exact permutation test", "permutation test by draws"
_AT_ONCE = 1 << 22  # signs held at a time
_IN_ALL = 20_000_000


@dataclass(frozen=True)
class AreaComparison:
    """Two areas on the same cases.

    Attributes
    ----------
    difference, variance : first less second, and DeLong's variance of that
    z : difference in standard errors (DeLong's test only); infinite where the variance is 0 and the difference is not
    p : two-tailed
    test : what gave p
    """

    difference: float
    variance: float
    z: float
    p: float
    test: str = DELONG


def compare_curves(
    first: ArrayLike,
    second: ArrayLike,
    truth: ArrayLike,
    *,
    clusters: Sequence[Hashable] | np.ndarray | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> AreaComparison:
    """Test if two scores of the same cases have different areas, two-tailed, by the test that their number allows.

    DeLong's where there are 10 cases and 10 others and the variance is positive; else, and where items belong together,
    a permutation of paired scores, exact for few and by seeded draws for many. Its null is that the two scores are
    exchangeable.

    Parameters
    ----------
    first, second, truth : (n,) each, as for `curve`
    clusters : (n,) labels of what belongs together and is swapped together; None for each item by itself
    draws : swaps that are drawn where they are too many to make them all
    seed : of the draws

    Returns
    -------
    `AreaComparison`: the difference of the areas, first less second, its p value and what gave it

    Raises
    ------
    DataError : as for `curve`, for either score

    Examples
    --------
    >>> found = engine.measures.compare_curves([4, 3, 2, 1], [1, 4, 3, 2], [True, True, False, False])
    >>> found.difference, found.p, found.test
    (0.5, 0.5, 'exact permutation test')
    """
    result = delong(first, second, truth)
    if abs(result.difference) < 1e-12:
        return AreaComparison(0.0, result.variance, 0.0, 1.0)
    cases = int(np.asarray(truth, dtype=bool).sum())
    enough = min(cases, np.size(truth) - cases) >= ENOUGH
    if clusters is None and enough and result.variance > 0:
        return result
    weights = _weights(first, second, truth)
    if clusters is not None:
        weights = np.bincount(numbered(clusters, len(weights)), weights).astype(np.int64)
    p, exact = swap_test(weights, draws, seed)
    return AreaComparison(result.difference, result.variance, math.nan, p, EXACT if exact else DRAWN)


def paired(
    first: ArrayLike,
    second: ArrayLike,
    truth_of_first: ArrayLike,
    truth_of_second: ArrayLike,
    clusters: Sequence[Hashable] | np.ndarray | None = None,
) -> AreaComparison | None:
    """The paired test of two scores; None where they are not of the same items, as far as their truth tells."""
    if not np.array_equal(np.asarray(truth_of_first), np.asarray(truth_of_second)):
        return None
    return compare_curves(first, second, truth_of_first, clusters=clusters)


def delong(first: ArrayLike, second: ArrayLike, truth: ArrayLike) -> AreaComparison:
    """DeLong's paired test, whatever the number of cases; z and p are not numbers with a single case or other."""
    pairs = []
    for scores in (first, second):
        codes, known, _ = checked(scores, truth)
        pairs.append(components(codes, known))
    (cases_a, others_a), (cases_b, others_b) = pairs
    difference = float(cases_a.mean() - cases_b.mean())
    on_cases, on_others = cases_a - cases_b, others_a - others_b
    variance = covariance(on_cases, on_cases) + covariance(on_others, on_others)
    if math.isnan(variance):
        return AreaComparison(difference, variance, math.nan, math.nan)
    if abs(difference) < 1e-12:  # rounding of two means, nothing that data could show
        return AreaComparison(0.0, variance, 0.0, 1.0)
    z = difference / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, difference)
    return AreaComparison(difference, variance, z, float(2 * special.ndtr(-abs(z))))


def _weights(first: ArrayLike, second: ArrayLike, truth: ArrayLike) -> np.ndarray:
    """(n,) what each item adds to the difference of the areas, times 4 * cases * others: whole numbers."""
    from scipy.stats import rankdata

    known = np.asarray(truth, dtype=bool)
    ranks = np.array([rankdata(checked(scores, truth)[0]) for scores in (first, second)])
    weights = np.empty(len(known), dtype=np.int64)
    for which in (known, ~known):
        rivals = np.sort(ranks[:, ~which], axis=None)
        below, up_to = (np.searchsorted(rivals, ranks[:, which], side=side) for side in ("left", "right"))
        beaten = below + up_to  # a tie counts half, all is doubled
        weights[which] = beaten[0] - beaten[1]
    weights[~known] *= -1  # another should lie below
    return weights


def swap_test(weights: np.ndarray, draws: int = DRAWS, seed: int = 0) -> tuple[float, bool]:
    """Share of random signs that give a sum as far from 0 as it is, and whether all signs there are were tried."""
    result = abs(int(weights.sum()))
    sizes, many = np.unique(np.abs(weights[weights != 0]), return_counts=True)
    if many.sum() <= ENUMERATED:
        sums = np.zeros(1, dtype=np.int64)
        for size in np.repeat(sizes, many):
            sums = np.concatenate([sums + size, sums - size])
        return float(np.mean(np.abs(sums) >= result)), True
    rng = np.random.default_rng(seed)
    draws = min(draws, max(FEWEST, _IN_ALL // len(sizes)))
    batch = max(1, _AT_ONCE // len(sizes))
    reached = 0
    for start in range(0, draws, batch):
        up = rng.binomial(many, 0.5, size=(min(batch, draws - start), len(sizes)))  # of equal sizes, those with a plus
        reached += int(np.sum(np.abs((2 * up - many) @ sizes) >= result))
    return (1 + reached) / (1 + draws), False

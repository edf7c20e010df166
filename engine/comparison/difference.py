"""The joint test of all differences: draws of the estimates' error, one correction over every pair, and three sums.

theta_hat - theta is about a sum of influences e_i over units; a draw of that error is sum_i w_i e_i with w_i standard
normal, the same w_i for all pairs. No search and no model is inside a draw, margins are free, and what belongs together
shares one w.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from engine.comparison.estimates import Estimates
from engine.execution import Progress, silent
from engine.lazy import special
from engine.methods.fitting import check_shape
from engine.methods.setting import Settings, setting
from engine.methods.storing import storable
from engine.words import count

DRAWS = 1999
LEVEL = 0.05
SEEN = 2.0
"""Standard errors from 0 of the mean over groups, from which a pair is one that is there."""
SPLIT = 0.8
"""Share of the error that pairs which are there divide; all others divide the rest."""
SUMS = ("the largest difference", "the links that are clearly there", "total strength")
_POWER = 0.8416212335729143  # the normal quantile of 8 in 10
_BLOCK = 1 << 22
"""Numbers of draws in hand."""
_MOST_GRAM = 1500
"""Estimates up to which draws are made of their covariance, where there are more units than estimates."""


@storable
@dataclass(frozen=True, eq=False)
class Differences:
    """The outcome of the joint test; arrays are by pair of groups (r) and estimate (q).

    Attributes
    ----------
    value, variance : (k, q) of the groups
    covariance : (r, q) of the two groups of a pair, 0 where they share no unit
    freedom : (k,) degrees of freedom of the groups
    seen : (q,) whether the mean over groups is clearly not 0
    p : (r, q) corrected over all estimates and pairs of groups
    least : the 5 % point of the draws' smallest weighted p
    sums : (3,) p of the three sums, each by itself;  corrected : (3,) with one correction
    """

    value: np.ndarray
    variance: np.ndarray
    covariance: np.ndarray
    freedom: np.ndarray
    seen: np.ndarray
    p: np.ndarray
    least: float
    sums: np.ndarray
    corrected: np.ndarray

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs of groups."""
        return list(combinations(range(len(self.value)), 2))

    @cached_property
    def share(self) -> np.ndarray:
        """(q,) of the error that each estimate may make."""
        return error_shares(self.seen)

    @cached_property
    def error(self) -> np.ndarray:
        """(r, q) standard errors of the differences."""
        return _errors(self.variance, self.covariance, self.pairs)

    @cached_property
    def degrees(self) -> np.ndarray:
        """(r, q) degrees of freedom of the differences, after Welch."""
        return _degrees(self.variance, self.freedom, self.pairs)

    @cached_property
    def z(self) -> np.ndarray:
        """(r, q) differences, the second group less the first, as standard normals of the same p."""
        gap = np.array([self.value[b] - self.value[a] for a, b in self.pairs]) / self.error
        return np.asarray(np.sign(gap) * -special.ndtri(special.stdtr(self.degrees, -np.abs(gap)).clip(1e-300)))

    @cached_property
    def visible(self) -> np.ndarray:
        """(r, q) the difference that would have been called in 8 of 10."""
        bar = -special.ndtri(np.clip(self.least * self.share / 2, 1e-300, 0.5))
        return np.asarray((bar + _POWER) * self.error)

    def _check_read(self) -> None:
        k, q = self.value.shape
        for array, shape in (
            (self.variance, (k, q)),
            (self.covariance, (len(self.pairs), q)),
            (self.p, (len(self.pairs), q)),
            (self.freedom, (k,)),
            (self.seen, (q,)),
            (self.sums, (3,)),
            (self.corrected, (3,)),
        ):
            check_shape(array, *shape)


def error_shares(seen: np.ndarray) -> np.ndarray:
    """(q,) of the error that each estimate may make; they sum to 1."""
    many = int(seen.sum())
    if many in (0, len(seen)):
        return np.full(len(seen), 1.0 / max(len(seen), 1))
    return np.where(seen, SPLIT / many, (1 - SPLIT) / (len(seen) - many))


def find_differences(
    groups: Sequence[Estimates],
    draws: int = DRAWS,
    seed: int = 0,
    progress: Progress = silent,
    weights: np.ndarray | None = None,
    *,
    even: bool = False,
) -> Differences:
    """Test every difference of every two groups, with one correction.

    `weights` are what each estimate counts in overall strength; `even` gives all the same share of the error.
    """
    result = _Observed(groups, weights, even)
    reached, links = [], len(groups[0].value)
    progress(0.0, f"testing the differences: 0 of {count(links, 'link')}")
    for star in _draws(groups, draws, seed, joint=share_units(groups)):
        reached.append(result.sums_of_draws(star))
        done = star[0].stop
        progress(done / links, f"testing the differences: {done:,} of {count(links, 'link')}")
    least, all_, noise = _combined(reached, result)
    ordered = np.sort(least)
    p = (1 + np.searchsorted(ordered, result.score, side="right")) / (draws + 1)
    null = np.array([-least, all_, noise])
    sums = (1 + (null >= result.three[:, None]).sum(axis=1)) / (draws + 1)
    rank = (draws - np.argsort(np.argsort(null, axis=1, kind="stable"), axis=1)) / draws
    corrected = (1 + (rank.min(axis=0)[None, :] <= sums[:, None]).sum(axis=1)) / (draws + 1)
    observed = result.value, result.variance, result.covariance, result.freedom, result.seen
    return Differences(*observed, p, float(np.quantile(least, LEVEL)), sums, corrected)


def three_sums(groups: Sequence[Estimates], weights: np.ndarray | None = None) -> np.ndarray:
    """Largest difference (minus the least weighted p), differences in all, overall strength: what shuffles compare."""
    return _Observed(groups, weights).three


class _Observed:
    """The figures of the groups as they are, and the same of draws."""

    def __init__(self, groups: Sequence[Estimates], weights: np.ndarray | None = None, even: bool = False) -> None:
        value, variance, freedom = (
            np.array([getattr(group, name) for group in groups]) for name in ("value", "variance", "freedom")
        )
        pairs = list(combinations(range(len(groups)), 2))
        covariance = np.array([_covariance(groups[a], groups[b]) for a, b in pairs])
        self.value, self.variance, self.covariance = value, variance, covariance
        self.freedom, self.pairs = freedom, pairs
        self.error = _errors(variance, covariance, pairs)
        mean = np.zeros(value.shape[1]) if even else _common_z(value, variance, covariance, pairs)
        self.seen = np.abs(mean) >= SEEN
        self.weights = np.ones(value.shape[1]) if weights is None else weights
        self.share = error_shares(self.seen)
        gap = np.array([value[a] - value[b] for a, b in pairs])
        z = gap / self.error
        self.score = 2 * special.stdtr(_degrees(variance, freedom, pairs), -np.abs(z)) / self.share
        self.among = self.seen if self.seen.any() else ~self.seen
        strength = (self.weights**2 * (value**2 - variance)).sum(axis=1)
        self.three = np.array(
            [
                -self.score.min(initial=np.inf),
                (z[:, self.among] ** 2).sum(),
                max(abs(strength[a] - strength[b]) for a, b in pairs),
            ]
        )

    def sums_of_draws(self, drawn: tuple[slice, list[np.ndarray]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of a block: largest |z| seen and not seen, sum of squares, and noise of each group's strength."""
        block, star = drawn
        seen, among = self.seen[block], self.among[block]
        draws = star[0].shape[1]
        largest, all_ = np.zeros((2, draws)), np.zeros(draws)
        for (a, b), error in zip(self.pairs, self.error[:, block], strict=True):
            z = (star[a] - star[b]) / error[:, None]
            z *= z
            for row, chosen in enumerate((seen, ~seen)):
                if chosen.any():
                    np.maximum(largest[row], z[chosen].max(axis=0), out=largest[row])
            all_ += z[among].sum(axis=0)
        square = self.weights[block] ** 2
        noise = np.array(
            [
                2 * ((own[block] * square) @ item) + square @ (item * item) - square @ spread[block]
                for own, spread, item in zip(self.value, self.variance, star, strict=True)
            ]
        )
        return np.sqrt(largest), all_, noise


def _combined(
    blocks: list[tuple[np.ndarray, np.ndarray, np.ndarray]], observed: _Observed
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Least weighted p, differences in all, and difference of strength of every draw."""
    largest = np.max([item for item, _, _ in blocks], axis=0)
    least = np.full(largest.shape[1], np.inf)
    for row, chosen in enumerate((observed.seen, ~observed.seen)):
        if chosen.any():
            least = np.minimum(least, 2 * special.ndtr(-largest[row]) / observed.share[chosen][0])
    noise = np.sum([entry for _, _, entry in blocks], axis=0)
    strength = np.max([np.abs(noise[a] - noise[b]) for a, b in observed.pairs], axis=0)
    return least, np.sum([element for _, element, _ in blocks], axis=0), strength


def _draws(
    groups: Sequence[Estimates], draws: int, seed: int, *, joint: bool
) -> Iterator[tuple[slice, list[np.ndarray]]]:
    """Blocks of estimates, each with the draws of its error in every group: (q, draws)."""
    generator = np.random.default_rng(seed)
    q, k = len(groups[0].value), len(groups)
    by_value = sorted(range(k), key=lambda group: groups[group].value.tolist())  # whichever group stands first
    roots: list[np.ndarray] = [np.empty(0)] * k
    noises: list[np.ndarray] = [np.empty(0)] * k
    if joint:  # one weight a unit for all groups
        every = np.unique(np.concatenate([group_value.units for group_value in groups]))
        whole = np.zeros((k, q, len(every)))
        for row, group in enumerate(by_value):
            whole[row][:, np.searchsorted(every, groups[group].units)] = groups[group].influence
        root = _root(whole.reshape(-1, len(every)))
        noise = generator.standard_normal((root.shape[1], draws))
        for row, group in enumerate(by_value):
            roots[group], noises[group] = root.reshape(k, q, -1)[row], noise
    else:
        for group in by_value:
            roots[group] = _root(groups[group].influence)
            noises[group] = generator.standard_normal((roots[group].shape[1], draws))
    step = max(1, _BLOCK // draws)
    for begin in range(0, q, step):
        block = slice(begin, min(begin + step, q))
        yield block, [root[block] @ noise for root, noise in zip(roots, noises, strict=True)]


def _root(influence: np.ndarray) -> np.ndarray:
    """A matrix whose rows have the same products with each other; of fewer columns where that is less work."""
    q, units = influence.shape
    if q >= units or q > _MOST_GRAM:
        return influence
    gram = influence @ influence.T
    gram[np.diag_indices(q)] += 1e-10 * np.diag(gram) + 1e-300
    return np.asarray(np.linalg.cholesky(gram))


def share_units(groups: Sequence[Estimates]) -> bool:
    """True where a unit is of two groups: subjects that stand in both.

    Parameters
    ----------
    groups : the estimates of each
    """
    units = np.concatenate([group.units for group in groups])
    return len(np.unique(units)) < len(units)


def _covariance(a: Estimates, b: Estimates) -> np.ndarray:
    """(q,) of two groups: the products of the influence of subjects that stand in both."""
    _, own, other = np.intersect1d(a.units, b.units, assume_unique=True, return_indices=True)
    if not len(own):
        return np.zeros(len(a.value))
    return np.asarray(np.einsum("qu,qu->q", a.influence[:, own], b.influence[:, other]))


def _errors(variance: np.ndarray, covariance: np.ndarray, pairs: list[tuple[int, int]]) -> np.ndarray:
    whole = [variance[a] + variance[b] - 2 * both for (a, b), both in zip(pairs, covariance, strict=True)]
    return np.sqrt(np.maximum(whole, 1e-12))


def _degrees(variance: np.ndarray, freedom: np.ndarray, pairs: list[tuple[int, int]]) -> np.ndarray:
    return np.array(
        [
            (variance[a] + variance[b]) ** 2 / (variance[a] ** 2 / freedom[a] + variance[b] ** 2 / freedom[b])
            for a, b in pairs
        ]
    )


def common_z(groups: Sequence[Estimates]) -> np.ndarray:
    """(q,) the mean over groups that no difference moves, over its standard error."""
    observed = _Observed(groups)
    return _common_z(observed.value, observed.variance, observed.covariance, observed.pairs)


def _common_z(
    value: np.ndarray, variance: np.ndarray, covariance: np.ndarray, pairs: list[tuple[int, int]]
) -> np.ndarray:
    """The mean over groups that no difference moves, over its standard error.

    Its weights are those of least squares: 1 / variance where groups share no unit. It is uncorrelated with every
    difference, so choosing by it does not choose by the difference.
    """
    k = len(value)
    matrix = np.zeros((value.shape[1], k, k))
    matrix[:, np.arange(k), np.arange(k)] = variance.T
    for (a, b), both in zip(pairs, covariance, strict=True):
        bound = 0.999 * np.sqrt(variance[a] * variance[b])
        matrix[:, a, b] = matrix[:, b, a] = np.clip(both, -bound, bound)
    weights = np.linalg.solve(matrix, np.ones((value.shape[1], k, 1)))[:, :, 0]
    return np.asarray((weights * value.T).sum(axis=1) / np.sqrt(weights.sum(axis=1)))


@storable
@dataclass(frozen=True)
class Compare(Settings):
    """The settings by which differences of links are tested.

    Attributes
    ----------
    draws : of the error of the estimates
    seed : all randomness comes from it
    p_none : prior probability that no link differs, above 0 and below 1; moves P(differs) only
    """

    slug = "compare"
    title = "Comparison"
    question = "Which links differ?"
    paper = "influence draws, one correction over all pairs"

    draws: int = setting(
        DRAWS, label="Draws", help="Draws of the estimates' error behind each p.", minimum=99, maximum=99_999
    )
    seed: int = setting(0, label="Seed", help="All randomness comes from it.", minimum=0)
    p_none: float = setting(
        0.5,
        label="Prior probability that nothing differs",
        help="How likely you think it is, before seeing the data, that no link differs. It is spread over the pairs.",
        above=0.0,
        below=1.0,
    )

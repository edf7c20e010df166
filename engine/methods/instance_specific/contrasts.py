"""How far a link shifts a share here, how far among the others, and how sure it is that the two differ.

A link Z -> X is looked at in the strata that the other parents of X make. A contrast is the difference of the share of
one level of X between two levels of Z: *here* its mean over some strata, *among the others* that over the rest, both
with Mantel and Haenszel's weights. Two things could pass for a difference of the two where there is no interaction: the
scale of points, where effects add up on the log odds, and that of log odds, where they add up in points. So the smaller
of two statistics counts, and 0 where they disagree about the sign:

- points: the difference over its standard error, every share at what it would be if the shift were one and the same in
  all strata (a score test);
- log odds: that of Mantel-Haenszel's odds ratios, of the level against the commonest other one, with the variance of
  Robins, Breslow and Greenland (1986), half a row in each cell of either side.

Intervals are Wilson's of each share put together (Newcombe 1998; Zou and Donner 2008). Rows of one subject widen both
by the contrast's own design effect (sandwich variance by subject over that by row, at least 1), and Student's t with
one degree less than the subjects of the smaller side takes the normal's place.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from engine.counting.requests import configuration_codes
from engine.data.dataset import Dataset
from engine.data.rows.relations import FEWEST
from engine.lazy import special
from engine.scores.instance import PopulationFamily

LEAST_ROWS = 10
"""Rows of either level of Z, here and among the others, below which nothing is asked."""
MOST_PAIRS = 45
"""Pairs of levels of Z that are compared; of more, those with the most rows."""


@dataclass(frozen=True, eq=False)
class Subjects:
    """Which rows of a family belong together: one entry a subject, configuration and level of the child.

    Attributes
    ----------
    number : (e,) of the subject, from 0
    configuration, level : (e,) row and column of the family's counts
    count : (e,) rows
    """

    number: np.ndarray
    configuration: np.ndarray
    level: np.ndarray
    count: np.ndarray

    def without(self, subject: int) -> Subjects:
        """The entries of all others."""
        stays = self.number != subject
        return Subjects(*(part[stays] for part in (self.number, self.configuration, self.level, self.count)))


@dataclass(frozen=True, eq=False)
class FamilyRows:
    """Rows of a child where they are not those of the population's family: a parent more, or one subject less.

    Attributes
    ----------
    family : the rows;  subjects : which belong together, None where each stands alone
    """

    family: PopulationFamily
    subjects: Subjects | None


def subjects_of_family(data: Dataset, child: int, parents: tuple[int, ...]) -> Subjects | None:
    """Which rows of a family belong together."""
    if data.clusters is None:
        return None
    code, _ = configuration_codes(data, parents)
    configuration = np.unique(code, return_inverse=True)[1].astype(np.int64)
    r = int(data.arity[child])
    cell = configuration * r + data.codes_of([child])[0].astype(np.int64)
    cells = int(cell.max(initial=-1)) + 1
    keys, count = np.unique(data.clusters.astype(np.int64) * cells + cell, return_counts=True)
    return Subjects(keys // cells, keys % cells // r, keys % cells % r, count)


def without_subject(family: PopulationFamily, subjects: Subjects, number: int) -> FamilyRows:
    """A family's rows of all other subjects."""
    counts, own = family.counts.copy(), subjects.number == number
    np.subtract.at(counts, (subjects.configuration[own], subjects.level[own]), subjects.count[own])
    return FamilyRows(replace(family, counts=counts), subjects.without(number))


@dataclass(frozen=True, eq=False)
class Strata:
    """The rows of one family, by the values of the parents other than the source.

    Attributes
    ----------
    counts : (strata, levels of the source, levels of the child) rows
    group : (strata,) which strata stand together, numbers from 0 without gaps
    entries : (number of the subject, stratum, level of the source, level of the child, rows), None for single rows
    values : (strata, other parents) their codes
    """

    counts: np.ndarray
    group: np.ndarray
    entries: tuple[np.ndarray, ...] | None = None
    values: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Contrasts:
    """Every group of strata against all the others; arrays are (groups, pairs of levels of Z, levels of X).

    Attributes
    ----------
    pairs : (pairs, 2) levels of Z: a shift is the share at the second less that at the first
    levels : levels of X; of two the second alone
    asked : whether there are rows enough
    here, others : the shifts;  statistic : as the head of the file says
    error : standard errors of the differences
    p : two-sided, NaN where nothing was asked
    strata : the rows, see `Strata`
    widened : design effect;  freedom : degrees of freedom
    rows, subjects : (groups,) rows here, subjects here (rows where they stand alone)
    """

    pairs: np.ndarray
    levels: np.ndarray
    asked: np.ndarray
    here: np.ndarray
    others: np.ndarray
    error: np.ndarray
    statistic: np.ndarray
    p: np.ndarray
    strata: Strata
    widened: np.ndarray
    freedom: np.ndarray
    rows: np.ndarray
    subjects: np.ndarray
    _legs: dict[float, list[np.ndarray]] = field(default_factory=dict)

    def interval(self, group: int, chance: float) -> tuple[np.ndarray, ...]:
        """Ends of the intervals of one group's shifts here, among the others, and of their difference."""
        if self.strata.entries is None:
            if chance not in self._legs:
                reach = np.full((1, 1), critical(np.array(np.inf), chance))
                self._legs[chance] = _legs(self.strata, self.pairs, self.levels, reach, np.ones((1, 1)), None)
            down, up, other_down, other_up = (part[group] for part in self._legs[chance])
        else:
            reach = critical(self.freedom[group], chance)[:, None]
            result = _legs(self.strata, self.pairs, self.levels, reach, self.widened[group], group)
            down, up, other_down, other_up = (part[0] for part in result)
        here, others = self.here[group], self.others[group]
        difference = here - others
        return (
            np.maximum(here - np.sqrt(down), -1),
            np.minimum(here + np.sqrt(up), 1),
            np.maximum(others - np.sqrt(other_down), -1),
            np.minimum(others + np.sqrt(other_up), 1),
            difference - np.sqrt(down + other_up),
            difference + np.sqrt(up + other_down),
        )


def critical(freedom: np.ndarray, chance: float) -> np.ndarray:
    """Value that a statistic passes with probability `chance`, both tails together."""
    known = np.isfinite(freedom)
    return np.where(known, -special.stdtrit(np.where(known, freedom, 1.0), chance / 2), -special.ndtri(chance / 2))


@np.errstate(divide="ignore", invalid="ignore")
def contrasts(strata: Strata) -> Contrasts:
    """Every group of strata against all the others."""
    counts = strata.counts.astype(float)
    group = strata.group
    groups = int(group.max(initial=-1)) + 1
    sizes = counts.sum(axis=2)
    pairs = _pairs(sizes.sum(axis=0))
    levels = np.array([1]) if counts.shape[2] == 2 else np.arange(counts.shape[2])
    low, high = pairs[:, 0], pairs[:, 1]
    n, m = sizes[:, low], sizes[:, high]  # (S, P)
    both = (n > 0) & (m > 0)
    weight = np.where(both, n * m / (n + m), 0.0)
    share = np.where(sizes[..., None] > 0, counts / sizes[..., None], 0.0)[:, :, levels]
    p, q = share[:, low], share[:, high]  # (S, P, K)
    shift = np.where(both[..., None], q - p, 0.0)
    sums = _Sums(group, groups)
    own, total = sums(weight), weight.sum(axis=0)
    rest = np.maximum(total - own, 0.0)
    moved, moved_all = sums(weight[..., None] * shift), (weight[..., None] * shift).sum(axis=0)
    here = moved / own[..., None]
    others = (moved_all - moved) / rest[..., None]
    common = moved_all / total[:, None]
    variance = _variance(n, m, weight, (counts[:, low][:, :, levels], counts[:, high][:, :, levels]), common)
    plain = weight[..., None] ** 2 * np.where(
        both[..., None], p * (1 - p) / np.maximum(n, 1)[..., None] + q * (1 - q) / np.maximum(m, 1)[..., None], 0.0
    )
    error, raw = (
        sums(part) / own[..., None] ** 2 + (part.sum(axis=0) - sums(part)) / rest[..., None] ** 2
        for part in (variance, plain)
    )
    arms = np.where(both, n, 0.0), np.where(both, m, 0.0)
    enough = np.ones((groups, len(pairs)), dtype=bool)
    for arm in arms:
        inside = sums(arm)
        enough &= (inside >= LEAST_ROWS) & (arm.sum(axis=0) - inside >= LEAST_ROWS)
    widened, freedom = np.ones((groups, len(pairs), len(levels))), np.full((groups, len(pairs)), np.inf)
    rows = sums(sizes.sum(axis=1))
    subjects = rows
    if strata.entries is not None:
        widened, subjects, other_subjects = _clustered(strata, sums, pairs, levels, weight, share, raw)
        fewer = np.minimum(subjects, other_subjects)
        enough &= (fewer >= FEWEST)[:, None]
        freedom = np.repeat(np.maximum(fewer - 1, 1).astype(float)[:, None], len(pairs), 1)
    error = np.sqrt(error * widened)
    points = (here - others) / error
    logs = _log_odds(counts, pairs, levels, both, sums) / np.sqrt(widened)
    agree = np.sign(points) == np.sign(logs)
    statistic = np.where(agree, np.sign(points) * np.minimum(np.abs(points), np.abs(logs)), 0.0)
    tested = np.broadcast_to(enough[..., None], statistic.shape) & np.isfinite(statistic)
    statistic = np.where(tested, statistic, np.nan)
    size = -np.abs(statistic)
    known = np.isfinite(freedom)[..., None]
    chance = 2 * np.where(known, special.stdtr(np.where(known, freedom[..., None], 1.0), size), special.ndtr(size))
    asked, found = (pairs, levels, tested), (here, others, error, statistic, chance)
    return Contrasts(*asked, *found, strata, widened, freedom, rows, subjects)


class _Sums:
    """Sums over the strata of every group."""

    def __init__(self, group: np.ndarray, groups: int) -> None:
        self.group = group
        self.order = None if (group == np.arange(len(group))).all() else np.argsort(group, kind="stable")
        self.starts = np.searchsorted(np.sort(group), np.arange(groups))

    def __call__(self, values: np.ndarray) -> np.ndarray:
        """(groups, ...) of (strata, ...)."""
        if self.order is None:
            return values
        result: np.ndarray = np.add.reduceat(values[self.order], self.starts, axis=0)
        return result


def _pairs(sizes: np.ndarray) -> np.ndarray:
    """Every two levels of the source that have rows, those with the most rows where they are many."""
    there = np.flatnonzero(sizes)
    first, second = np.triu_indices(len(there), 1)
    result = np.column_stack([there[first], there[second]])
    if len(result) > MOST_PAIRS:
        thin = np.minimum(sizes[result[:, 0]], sizes[result[:, 1]])
        result = result[np.sort(np.argsort(-thin, kind="stable")[:MOST_PAIRS])]
    return result


def _variance(
    n: np.ndarray, m: np.ndarray, weight: np.ndarray, counts: tuple[np.ndarray, np.ndarray], common: np.ndarray
) -> np.ndarray:
    """(strata, pairs, levels) variance of weight times shift, each share as if the shift were `common` everywhere."""
    n, m = n[..., None], m[..., None]
    pooled = (counts[0] + counts[1] + 0.5) / (n + m + 1)
    p = pooled - np.nan_to_num(common) * m / (n + m)
    q = pooled + np.nan_to_num(common) * n / (n + m)
    edge = 0.5 / (n + m + 1)
    p, q = np.clip(p, edge, 1 - edge), np.clip(q, edge, 1 - edge)
    result = weight[..., None] ** 2 * (p * (1 - p) / n + q * (1 - q) / m)
    return np.where(weight[..., None] > 0, result, 0.0)


def _log_odds(counts: np.ndarray, pairs: np.ndarray, levels: np.ndarray, both: np.ndarray, sums: _Sums) -> np.ndarray:
    """(groups, pairs, levels) difference of log odds ratios, here less among the others, over its standard error."""
    low, high = pairs[:, 0], pairs[:, 1]
    common = np.argsort(-counts.sum(axis=(0, 1)), kind="stable")
    yes, no = counts[:, :, levels], counts[:, :, np.where(levels == common[0], common[1], common[0])]
    cells = [np.where(both[..., None], part, 0.0) for part in (yes[:, high], no[:, high], yes[:, low], no[:, low])]
    size: np.ndarray = np.add.reduce(cells)

    def pieces(spread: np.ndarray) -> list[np.ndarray]:
        a, b, c, d = (cell + spread / 2 for cell in cells)  # half a row a cell in all, by the size of the strata
        whole = size + 2 * spread
        item, two, r, s = (a + d) / whole, (b + c) / whole, a * d / whole, b * c / whole
        result = [r, s, item * r, item * s + two * r, two * s]
        return [np.where(both[..., None], part, 0.0) for part in result]

    def log_and_variance(r: np.ndarray, s: np.ndarray, pr: np.ndarray, mixed: np.ndarray, qs: np.ndarray) -> tuple:
        return np.log(r / s), pr / (2 * r**2) + mixed / (2 * r * s) + qs / (2 * s**2)

    of_group = sums(size)
    alone, together = np.nan_to_num(size / of_group[sums.group]), np.nan_to_num(size / size.sum(axis=0))
    own = log_and_variance(*(sums(part) for part in pieces(alone)))
    rest = log_and_variance(*(np.maximum(part.sum(axis=0) - sums(part), 0.0) for part in pieces(together)))
    result: np.ndarray = (own[0] - rest[0]) / np.sqrt(own[1] + rest[1])
    return result


@np.errstate(divide="ignore", invalid="ignore")
def _legs(
    strata: Strata, pairs: np.ndarray, levels: np.ndarray, reach: np.ndarray, widened: np.ndarray, only: int | None
) -> list[np.ndarray]:
    """Squares of how far intervals of mean shifts reach below and above, here and among the others.

    Four (groups, pairs, levels) arrays; of one group where `only` names it.
    """
    counts, group = strata.counts, strata.group
    if only is not None:
        group = np.where(group == only, 0, 1)
    sums = _Sums(group, int(group.max(initial=0)) + 1)
    sizes = counts.sum(axis=2)
    n, m = sizes[:, pairs[:, 0]], sizes[:, pairs[:, 1]]
    both = (n > 0) & (m > 0)
    weight = np.where(both, n * m / (n + m), 0.0)
    down, up = np.zeros(()), np.zeros(())
    for place, size in ((0, n), (1, m)):
        size = size[..., None]
        hits = counts[:, pairs[:, place]][:, :, levels]
        share, many = hits / size, size / widened
        middle = (share * many + reach**2 / 2) / (many + reach**2)
        half = reach / (many + reach**2) * np.sqrt(share * (1 - share) * many + reach**2 / 4)
        below, above = (share - middle + half) ** 2, (middle + half - share) ** 2
        below, above = (np.where(both[..., None], weight[..., None] ** 2 * part, 0.0) for part in (below, above))
        down, up = (down + above, up + below) if place == 0 else (down + below, up + above)
    own, total = sums(weight)[..., None], weight.sum(axis=0)[:, None]
    here = [sums(part) / own**2 for part in (down, up)]
    rest = [np.maximum(part.sum(axis=0) - sums(part), 0.0) / (total - own) ** 2 for part in (down, up)]
    return [*here, *rest]


def _clustered(
    strata: Strata,
    sums: _Sums,
    pairs: np.ndarray,
    levels: np.ndarray,
    weight: np.ndarray,
    share: np.ndarray,
    raw: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(groups, pairs, levels) design effects; (groups,) subjects that have rows here, and among the others."""
    subject, stratum, source, level, count = strata.entries or ()
    group = strata.group
    groups = len(raw)
    many = int(subject.max(initial=-1)) + 1
    place = group[stratum]
    keys, where = np.unique(subject * groups + place, return_inverse=True)
    of_subject, of_group = keys // groups, keys % groups
    here = np.bincount(of_group, minlength=groups)
    alone = of_group[np.bincount(of_subject, minlength=many)[of_subject] == 1]
    others = len(np.unique(subject)) - np.bincount(alone, minlength=groups)
    sizes = strata.counts.sum(axis=2)
    own, total = sums(weight), weight.sum(axis=0)
    widened = np.ones(raw.shape)
    for k, (i, j) in enumerate(pairs.tolist()):
        for position, code in enumerate(levels.tolist()):
            inside = ((source == i) | (source == j)) & (weight[stratum, k] > 0)
            s, arm = stratum[inside], source[inside]
            residual = count[inside] * ((level[inside] == code) - share[s, arm, position])
            part = np.where(arm == j, 1.0, -1.0) * weight[s, k] / sizes[s, arm] * residual
            by_unit = np.bincount(where[inside], part, minlength=len(keys))
            by_subject = np.bincount(of_subject, by_unit, minlength=many)
            b = 1 / np.maximum(total[k] - own[:, k], 0.0)
            a = 1 / own[:, k] + b
            squares = np.bincount(of_group, by_unit**2, minlength=groups)
            crossed = np.bincount(of_group, by_unit * by_subject[of_subject], minlength=groups)
            sandwich = a**2 * squares - 2 * a * b * crossed + b**2 * (by_subject**2).sum()
            ratio = sandwich / raw[:, k, position]
            active = len(np.unique(subject[inside]))
            ratio = ratio * active / max(active - 1, 1)
            widened[:, k, position] = np.where(np.isfinite(ratio), np.maximum(ratio, 1.0), 1.0)
    return widened, here, others

"""An exact permutation test of each variable on its own: how often shuffled group labels show as much as was found.

Where a variable does not differ, the group labels may be shuffled: rows a group and rows a level stay, and one group's
counts follow the multivariate hypergeometric distribution. The statistic is A of equation 10 under the method's own
score, at even prior odds for each variable, so that no prior on screen moves it; of a number or an ordered variable it
is evidence of the sort that P(differs) goes by: scores, segments where each row is by itself, and gaps.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from engine.counting.backend import kernels
from engine.counting.differences.forms import FORMS, MOST_CELLS, NUMBER, ORDERED, SCALE, ChildComparison
from engine.data.fine_codes import CELLS
from engine.execution import share
from engine.lazy import special
from engine.measures.multiple import holm
from engine.methods.group_difference.blocks import Blocks
from engine.methods.group_difference.numbers.scales import level_scores, nodes
from engine.methods.group_difference.odds import log_prior_odds
from engine.methods.group_difference.rows.groups import Groups
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.storing import storable
from engine.scores.dirichlet import row_scores

LEAST = 999
"""Shuffles of every variable; those that few of them reach get more."""
ENOUGH = 10
"""Shuffles that reach what was found, after which no more are drawn (Besag & Clifford 1991)."""
_EVEN = math.log(0.5)
_ROUNDING = 1e-9
_AT_ONCE = 1_000_000
"""Numbers of one step over blocks and draws: 8 MB."""
_FEW_AT_ONCE = 100_000
"""Counts that are looked up at once: few stay in the cache, many keep two threads from waiting for each other."""
_PILOT = 200
"""Deals that tell how much sums of scores vary, before any is counted."""
_WORTH_THREADS = 500
"""Shuffles from which on several threads are faster than one."""
_MOST_BITS = 20
"""Bits of a count up to which all that there could be are worked out beforehand: 8 MB."""
_PAIRWISE = 8
"""From so many numbers on NumPy adds up in another order than one after the other."""


@storable
@dataclass(frozen=True, eq=False)
class Chance:
    """Results of shuffled labels for each variable.

    Attributes
    ----------
    p : (n,) share of shuffles that show as much as was found, this labelling counted as one of them
    corrected : (n,) p after Holm: how often any of the variables would show as much by chance; 1 for a variable of one
        level
    shuffles : (n,) how many were drawn
    """

    p: np.ndarray
    corrected: np.ndarray
    shuffles: np.ndarray

    @property
    def least(self) -> np.ndarray:
        """(n,) whether no shuffle showed as much: then p is as small as so many shuffles can make it."""
        return np.asarray(self.p * (1 + self.shuffles) < 1.5)


def chance(
    method: GroupDifferenceSettings,
    names: Sequence[str],
    blocks: Sequence[Blocks],
    least: int = LEAST,
    groups: Groups | None = None,
) -> Chance:
    """Shuffle the labels of every variable within its blocks; of `groups`, without parents, by what it is."""
    most = max(least, math.ceil(2 * len(names) / method.chance))
    dealt: list[_Dealt | None] = [None] * len(names)
    if groups is not None:
        dealt = [_dealt(method, groups, i, block.counts[0]) for i, block in enumerate(blocks)]
    result = _test_each(method, list(zip(names, blocks, dealt, strict=True)), least, most)
    p, shuffles = (np.array(column) for column in zip(*result, strict=True))
    return Chance(p, _corrected(p, np.array([block.counts.shape[2] > 1 for block in blocks])), shuffles)


def _test_each(
    method: GroupDifferenceSettings, tasks: Sequence[tuple[str, Blocks, _Dealt | None]], least: int, most: int
) -> list[tuple[float, int]]:
    """`_one` of every variable; on all threads where each is drawn often: a few draws free the interpreter's lock for
    too short a time. What takes longest comes first, so that nobody waits for it in the end."""
    if least < _WORTH_THREADS:
        return [_one(method, *task, least, most) for task in tasks]
    order = sorted(range(len(tasks)), key=lambda i: -tasks[i][1].counts.size)
    result = share(lambda i: _one(method, *tasks[i], least, most), order)
    return [answer for _, answer in sorted(zip(order, result, strict=True), key=lambda both: both[0])]


def _corrected(p: np.ndarray, tested: np.ndarray) -> np.ndarray:
    """p after Holm (1979), over the variables that could be asked about."""
    result = np.ones(len(p))
    result[tested] = holm(p[tested])
    return result


def _one(
    method: GroupDifferenceSettings, name: str, blocks: Blocks, dealt: _Dealt | None, least: int, most: int
) -> tuple[float, int]:
    """p, and how many shuffles there were; 0 where no label can be shuffled."""
    both = blocks.counts.sum(axis=2).min(axis=1) > 0  # labels can be shuffled only where both groups have rows
    levels = blocks.counts.shape[2]
    if levels < 2 or not both.any():
        return 1.0, 0
    alpha = method.score.cell_prior(blocks.possible, levels)
    prior = float(log_prior_odds(np.array([_EVEN / blocks.possible]))[0])
    table = _Shuffled(blocks.counts[both], alpha, prior) if dealt is None else dealt
    generator = np.random.default_rng([method.seed, zlib.crc32(name.encode()), len(blocks.parents)])
    drawn = table.draw(least, generator)
    hits = np.flatnonzero(drawn >= table.observed - _ROUNDING)
    if len(hits) >= ENOUGH or most == least:
        return (1 + len(hits)) / (1 + least), least
    shuffles = least
    while len(hits) < ENOUGH and shuffles < most:
        more = table.draw(min(shuffles, most - shuffles), generator)
        hits = np.concatenate([hits, shuffles + np.flatnonzero(more >= table.observed - _ROUNDING)])
        shuffles += len(more)
    if len(hits) >= ENOUGH:
        last = int(hits[ENOUGH - 1]) + 1
        return ENOUGH / last, last
    return (1 + len(hits)) / (1 + most), most


@lru_cache(maxsize=8)
def _rises(alpha: float, bits: int) -> np.ndarray | _Rises:
    """ln of alpha (alpha + 1) ... (alpha + k - 1) for every k of so many bits; under K2 all variables share alpha 1."""
    if bits > _MOST_BITS:
        return _Rises(alpha)
    result = np.asarray(_Rises(alpha)[np.arange(2**bits)])
    result.setflags(write=False)
    return result


class _Rises:
    """The same worked out for the counts that are asked for: of many millions of rows most never are."""

    def __init__(self, alpha: float) -> None:
        self._alpha = alpha

    def __getitem__(self, counts: np.ndarray) -> np.ndarray:
        return np.asarray(special.gammaln(self._alpha + counts) - special.gammaln(self._alpha))


def _across(cells: np.ndarray | _Rises, counts: np.ndarray) -> np.ndarray:
    """`cells[counts].sum(axis=-1)` to the last bit, level by level: NumPy is slow where the last axis is short."""
    if counts.shape[-1] >= _PAIRWISE:
        return np.asarray(cells[counts].sum(axis=-1))
    result = cells[counts[..., 0]]
    for level in range(1, counts.shape[-1]):
        result += cells[counts[..., level]]
    return np.asarray(result)


def _first(levels: np.ndarray, smaller: np.ndarray, draws: int, generator: np.random.Generator) -> np.ndarray:
    """(k, draws, r) counts of the smaller group, of (k, r) rows at each level and (k,) rows of that group."""
    if levels.shape[1] == 2:  # all blocks at once, and the same random numbers as one by one
        own = generator.hypergeometric(levels[:, :1], levels[:, 1:], smaller[:, None], (len(levels), draws))
        return np.stack([own, smaller[:, None] - own], axis=-1)
    blocks = zip(levels, smaller, strict=True)
    return np.stack([generator.multivariate_hypergeometric(*block, draws, method="marginals") for block in blocks])


class _Shuffled:
    """Counts of one variable whose labels are shuffled, block by block.

    Blocks and levels are put in an order of their own, by how many rows they have, so that neither the order of levels
    nor of contexts nor of groups changes a draw.
    """

    def __init__(self, counts: np.ndarray, alpha: float, prior: float) -> None:
        levels = np.sort(counts.sum(axis=1), axis=1)
        smaller = counts.sum(axis=2).min(axis=1)
        order = np.lexsort((*levels.T, smaller))
        self.levels, self.smaller = levels[order], smaller[order]
        self.cells = _rises(alpha, int(levels.max()).bit_length())
        n, total = self.levels.sum(axis=1), alpha * counts.shape[2]
        sizes = sum(special.gammaln(total) - special.gammaln(total + rows) for rows in (self.smaller, n - self.smaller))
        together = special.gammaln(total) - special.gammaln(total + n) + self.cells[self.levels].sum(axis=1)
        self.shift = sizes - together + prior
        smallest = counts[np.arange(len(counts)), counts.sum(axis=2).argmin(axis=1)]
        both = counts.sum(axis=1)
        self.observed = float(np.logaddexp(0.0, self._odds(smallest, both)[order] + self.shift).sum())

    def _odds(self, first: np.ndarray, both: np.ndarray) -> np.ndarray:
        """The part of counts in b + ln((1 - p) / p), of (..., r) counts of the smaller group and of both together."""
        return _across(self.cells, first) + _across(self.cells, both - first)

    def draw(self, draws: int, generator: np.random.Generator) -> np.ndarray:
        """(draws,) statistics of as many shuffles."""
        result = np.zeros(draws)
        step = max(1, _AT_ONCE // draws)
        few = max(1, _FEW_AT_ONCE // (draws * self.levels.shape[1]))
        for begin in range(0, len(self.levels), step):
            end = min(begin + step, len(self.levels))
            odds = np.empty((end - begin, draws))
            for i in range(begin, end, few):
                some = slice(i, min(i + few, end))
                levels, smaller = self.levels[some], self.smaller[some]
                first = _first(levels, smaller, draws, generator)
                odds[some.start - begin : some.stop - begin] = self._odds(first, levels[:, None, :])
            odds += self.shift[begin:end, None]
            result += np.logaddexp(0.0, odds).sum(axis=0)
        return result


def _dealt(method: GroupDifferenceSettings, groups: Groups, child: int, counts: np.ndarray) -> _Dealt | None:
    """The deals of labels of a variable; None where rows are by themselves and have levels only, (2, r) `counts`."""
    clusters, scales = groups.clusters, groups.scales(method)
    scale, levels = scales.scales[child], counts.shape[1]
    scaled, alpha = scale.kind in (ORDERED, NUMBER) and method.average == "orders", method.score.cell_prior(1.0, levels)
    if clusters is None and not scaled:
        return None
    absent = scale.absent
    second, cluster = np.arange(2), np.zeros(2, dtype=np.int64)
    if clusters is not None:
        second, cluster, cells = clusters.second, clusters.cluster, clusters.cells(child, ())
        counts = np.zeros((len(second), levels), dtype=np.int64)
        counts[cells.unit, cells.values] = cells.times
    if scaled and scale.kind == NUMBER:
        known, cell = scales.known(child), np.full(len(scales.rows), MOST_CELLS)
        of, rows = np.unique(scales.scores[child][known], return_inverse=True, return_counts=True)[1:]
        few = len(rows) <= MOST_CELLS
        cell[known] = (np.arange(len(rows)) if few else (np.cumsum(rows) - rows) * MOST_CELLS // len(of))[of]
        unit = groups.unit if clusters is not None else (np.arange(len(cell)) >= groups.first.n_rows).astype(np.int64)
        absent, cell = MOST_CELLS, cell + unit * (MOST_CELLS + 1)
        counts = np.bincount(cell, minlength=len(second) * (absent + 1)).reshape(-1, absent + 1)
    elif scaled and clusters is None and groups.fine is not None and groups.fine.holds(child, ()):
        counts, absent = groups.fine.family(child, ())[:, 0], CELLS - 1
    if clusters is None:  # the smaller group's counts are drawn, whichever comes first
        second = second ^ int(counts[1].sum() > counts[0].sum())
    of_units = counts, second, None if clusters is not None and not clusters.crossing else cluster
    if not scaled:
        return _Dealt(*of_units, alpha)
    looked_up, scores = scales.tables if clusters is None else None, level_scores(counts.sum(axis=0), absent)
    return _DealtValues(*of_units, alpha * levels / 2, scores=scores, absent=absent, looked_up=looked_up)


class _Dealt:
    """Counts of one variable whose labels are dealt to whole units, or to rows inside clusters of units.

    The statistic is that of one block, ln P(one group) + ln P(the other), of rows as they are.

    units : (m, levels) rows of each unit;  second : (m,) whether it is of the second group
    cluster : (m,) whose labels it shares, where they are dealt inside; None where whole units get one
    """

    def __init__(self, units: np.ndarray, second: np.ndarray, cluster: np.ndarray | None, alpha: float) -> None:
        self.alpha, self.inside, self.both = alpha, cluster is not None, units.sum(axis=0)
        self.units, self.second, self.found = units, second, units[second > 0].sum(axis=0)
        if cluster is not None:
            many = int(cluster.max()) + 1
            self.units = np.zeros((many, units.shape[1]), dtype=np.int64)
            np.add.at(self.units, cluster, units)
            self.second = np.bincount(cluster, units.sum(axis=1) * second, many).astype(np.int64)

    @cached_property
    def observed(self) -> float:
        """The statistic of the labels as they are."""
        return float(self._scores(self.found[None])[0])

    def draw(self, draws: int, generator: np.random.Generator) -> np.ndarray:
        """(draws,) statistics of as many deals."""
        return self._scores(self._deals(draws, generator))

    def _scores(self, second: np.ndarray) -> np.ndarray:
        return row_scores(second, self.alpha) + row_scores(self.both - second, self.alpha)

    def _deals(self, draws: int, generator: np.random.Generator) -> np.ndarray:
        """(draws, levels) counts of the second group."""
        result = np.zeros((draws, len(self.both)), dtype=np.int64)
        if self.inside:
            for rows, own in zip(self.units, self.second, strict=True):
                there = np.flatnonzero(rows)
                result[:, there] += _first(rows[None, there], own[None], draws, generator)[0]
            return result
        step = max(1, _AT_ONCE // max(self.units.size, 1))
        for begin in range(0, draws, step):
            labels = np.tile(self.second, (min(step, draws - begin), 1))
            result[begin : begin + step] = generator.permuted(labels, axis=1) @ self.units
        return result


class _DealtValues(_Dealt):
    """The same by the place on a scale: evidence of gaps, scores, and segments where rows are by themselves.

    scores : (levels,) of levels or cells in their order;  absent : the one of missing values, -1 without
    looked_up : see `tables`; None where rows belong together
    """

    def __init__(self, *of: Any, scores: np.ndarray, absent: int, looked_up: tuple[np.ndarray, ...] | None) -> None:
        super().__init__(*of)
        self.there = np.flatnonzero((self.both > 0) & (np.arange(len(self.both)) != absent))
        self.looked_up, self.rows = looked_up, self.both[self.there]
        n, drawn, forms = max(self.rows.sum(), 1), self.found[self.there].sum(), np.zeros((FORMS, len(self.rows)))
        centred = scores[self.there] - self.rows @ scores[self.there] / n
        kernels().fill_forms(centred, self.rows.astype(float), np.zeros(len(self.rows)), len(self.rows), forms)
        rate = self.second / self.units.sum(axis=1) if self.inside else np.full(len(self.second), self.second.mean())
        self.forms, self.centre = forms.T, (rate @ self.units)[self.there] @ forms.T
        pilot = self._deals(_PILOT, np.random.default_rng(0))[:, self.there] @ forms.T
        self.variance = np.maximum(((pilot - self.centre) ** 2).mean(axis=0), 1e-9)
        self.wide = (SCALE * drawn * (n - drawn) / n) ** 2 * (forms**2 @ self.rows / n) / self.variance

    def _scores(self, second: np.ndarray) -> np.ndarray:
        own = second[:, self.there]
        other, u = self.rows - own, own @ self.forms - self.centre
        logs = u * u * self.wide / (1 + self.wide) / self.variance - np.log1p(self.wide)
        result = np.asarray(special.logsumexp(logs / 2, axis=1)) - math.log(FORMS)
        apart = (own.sum(axis=1) > 0) & (other.sum(axis=1) > 0)
        if self.looked_up is not None and apart.any():
            factors, (many, levels) = np.zeros(int(apart.sum())), own[apart].shape
            how = ChildComparison(ORDERED, np.zeros(levels), -1, self.looked_up, nodes())
            filled = self.alpha, factors, 0, np.zeros(levels + FORMS), np.zeros(levels + FORMS)
            kernels().compare_counts(how, own[apart].ravel(), other[apart].ravel(), many, levels, *filled)
            result[apart] = np.logaddexp(result[apart], factors)
        whole = second.sum(axis=1), self.both.sum() - second.sum(axis=1)
        for kept, every in zip((own.sum(axis=1), other.sum(axis=1)), whole, strict=True):
            result += row_scores(np.stack([kept, every - kept], axis=1), self.alpha)
        return result

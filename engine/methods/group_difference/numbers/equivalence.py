"""Equivalence: the largest difference that all rows leave room for, and contexts that say otherwise.

*Equivalent overall* is of all rows, and given S*: for every level of a nominal variable, for every cut point of an
ordered one or a number, an interval that holds for all of them together lies within the margin. That says nothing of
contexts, which would take tens of thousands of rows; those of one and two variables are looked through.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from engine.execution import one_blas_thread
from engine.lazy import special
from engine.measures.risk_difference import largest_difference, risk_difference
from engine.methods.fitting import check_that
from engine.methods.group_difference.blocks import Blocks
from engine.methods.group_difference.rows.counted_groups import CountedGroups
from engine.methods.group_difference.rows.groups import Groups
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.storing import storable

LEAST_ROWS = 10
"""Rows of each group from which a context is looked at."""
MOST_PAIRED, MOST_SINGLE = 60, 200
"""Variables up to which contexts of two are looked through, and of one."""
_MOST_LEVELS = 500
"""Levels of all variables together up to which contexts of two are looked through."""
_MANY_ROWS, _MOST_EXACT = 10_000, 1000
"""Rows from which tables are counted; rows of a level or a group up to which a p is worked out exactly."""
_DRAWS, _MOST_DRAWN, _MOST_CELLS = 1000, 500, 20_000_000
"""Draws of the largest difference in any context, of contexts those that speak most for a difference; fewer draws where
all together would have more cells than that."""
_LEVEL, _MOST_FOUND, _WORTH = 0.05, 50, 2.5
"""Of the tests of one variable's contexts together; contexts that are kept; z from which an exact p is worked out."""


@storable
@dataclass(frozen=True)
class FoundContext:
    """A context of one or two variables in which a variable differs, whatever is said of all rows.

    Attributes
    ----------
    variables, codes : whose values make the context, and which
    level : code of the level whose share differs, or with an order the last code up to which the shares are added up
    effect : difference of that share, second group minus first
    p : after Holm over all contexts of the variable
    """

    variables: tuple[int, ...]
    codes: tuple[int, ...]
    level: int
    effect: float
    p: float

    def _check_read(self) -> None:
        check_that(0 < len(self.variables) == len(self.codes) <= 2, "a context is none")


def parts_of(counts: np.ndarray, ordered: bool) -> np.ndarray:
    """(..., k) of (..., r) counts: up to each cut point, or of each level, of two the second."""
    if counts.shape[-1] <= 2:
        return counts[..., 1:]
    return counts.cumsum(axis=-1)[..., :-1] if ordered else counts


def bound_of(blocks: Blocks, ordered: bool) -> float:
    """The largest difference of a share, held within the blocks, that an interval of 95 % for all of them allows."""
    counts = blocks.weighed
    if counts.shape[2] < 2 or not (counts.sum(axis=2).min(axis=1) > 0).any():
        return math.nan
    hits = np.moveaxis(parts_of(counts, ordered), -1, 0)
    rest = counts.sum(axis=2) - hits
    ends = [
        risk_difference(np.stack([b, a], axis=-1), 1 - 0.05 / len(hits))[1:] for a, b in zip(hits, rest, strict=True)
    ]
    return float(max(np.abs([end[1] for end in pair]).max() for pair in ends))


def drawn_largest(method: GroupDifferenceSettings, name: str, blocks: Blocks) -> np.ndarray:
    """Draws from the posterior of the largest difference of a variable in any context of S*."""
    seed = [method.seed, zlib.crc32(name.encode()), len(blocks.parents), 1]
    # the order of levels and of contexts shall change no draw
    chosen = np.argsort(-blocks.bayes, kind="stable")[:_MOST_DRAWN]  # large contexts that are alike come last
    counts = np.array([table[:, np.lexsort(table)] for table in blocks.weighed[chosen]])
    counts = counts[np.lexsort(counts.reshape(len(counts), -1).T)]
    draws = max(1, min(_DRAWS, _MOST_CELLS // counts.size))
    prior = method.score.cell_prior(blocks.possible, counts.shape[2])
    return largest_difference(counts, prior, draws, np.random.default_rng(seed))


def bound_of_numbers(values: np.ndarray, inside: np.ndarray, worth: float = 1.0) -> float:
    """The largest difference of the groups' shares up to any cut point that all rows allow at 95 %.

    That of the sample and the limit of Kolmogorov and Smirnov's statistic; what is missing comes after every value.

    Parameters
    ----------
    values : of both groups, NaN where missing
    inside : which are of the first
    worth : what a row counts, below 1 where rows belong together
    """
    filled = np.where(np.isfinite(values), values, math.inf)
    parts = [np.sort(filled[which]) for which in (inside, ~inside)]
    below = [np.searchsorted(part, np.unique(filled), side="right") / len(part) for part in parts]
    reach = float(special.kolmogi(_LEVEL)) * math.sqrt(sum(1 / (worth * len(part)) for part in parts))
    return float(np.abs(below[1] - below[0]).max()) + reach


def scan(groups: Groups, ordered: Collection[str], worth: Sequence[float]) -> tuple[tuple[FoundContext, ...], ...]:
    """The contexts of one and two variables in which each variable differs, Holm's correction over all of its own.

    Parameters
    ----------
    groups : their rows
    ordered : the variables whose levels have an order
    worth : what a row of each variable counts, below 1 where rows belong together
    """
    arity = groups.pooled.arity.astype(np.int64)
    owner = np.repeat(np.arange(len(arity)), arity)
    code = np.arange(len(owner)) - np.repeat(np.cumsum(arity) - arity, arity)
    allowed = np.triu(owner[:, None] != owner, 1) | np.eye(len(owner), dtype=bool)
    if not pairs_scanned(groups.pooled.arity):
        allowed = np.eye(len(owner), dtype=bool)
    result = []
    for child, counts in enumerate(_joint(groups, owner)):
        usual = allowed & (owner != child)[:, None] & (owner != child)
        u, v = np.nonzero(usual & (counts.sum(axis=1).min(axis=0) >= LEAST_ROWS))
        whose = np.unique(owner[u] * len(arity) + owner[v], return_inverse=True)[1]
        found = _differing(counts[:, :, u, v].astype(float), whose, groups.pooled.names[child] in ordered, worth[child])
        pairs = [tuple(dict.fromkeys((int(u[j]), int(v[j])))) for j, *_ in found]
        contexts = [(tuple(owner[list(pair)].tolist()), tuple(code[list(pair)].tolist())) for pair in pairs]
        about = zip(contexts, found, strict=True)
        result.append(tuple(FoundContext(*context, k, size, p) for context, (_, k, size, p) in about))
    return tuple(result)


def pairs_scanned(arity: np.ndarray) -> bool:
    """True where contexts of two variables are looked through too."""
    return bool(len(arity) <= MOST_PAIRED and arity.sum() <= _MOST_LEVELS)


def _joint(groups: Groups, owner: np.ndarray) -> Iterator[np.ndarray]:
    """Of each variable the (2, r, L, L) rows of either group at each of its levels that have two levels of others."""
    n, many = groups.pooled.n_variables, len(owner)
    if groups.counted is None and groups.pooled.n_rows < _MANY_ROWS:
        hot = []
        for part in (groups.first, groups.second):
            codes = part.codes[owner]
            hot.append((codes == (np.arange(many) - np.searchsorted(owner, owner))[:, None]).astype(np.float32))
        for child in range(n):
            own = np.flatnonzero(owner == child)
            with one_blas_thread():
                tables = np.stack([[(rows * rows[x]) @ rows.T for x in own] for rows in hot])
            yield tables
        return
    counted = CountedGroups(groups.first, groups.second) if groups.counted is None else groups.counted
    paired = pairs_scanned(groups.pooled.arity)
    for child in range(n):
        others = [x for x in range(n) if x != child]
        families = [(child, pair) for pair in [*((x,) for x in others), *(combinations(others, 2) if paired else ())]]
        counted.ask(families)
        result = np.zeros((2, int(groups.pooled.arity[child]), many, many))
        for _, parents in families:
            configurations, table = counted.family(child, parents)
            shape = [int(groups.pooled.arity[x]) for x in parents]
            places = np.indices(shape).reshape(len(shape), -1) if configurations is None else configurations.T
            begins = [int(np.searchsorted(owner, x)) for x in parents]
            result[:, :, begins[0] + places[0], begins[-1] + places[-1]] = table.transpose(0, 2, 1)
        yield result


def _differing(
    counts: np.ndarray, whose: np.ndarray, ordered: bool, worth: float
) -> list[tuple[int, int, float, float]]:
    """Context, level, difference and corrected p of what differs in (2, r, m) counts, the least p first.

    Beside each context by itself it is asked whether differences are unlike among the contexts that the same variables
    make (`whose`; Cochran's Q), which differences that run both ways are; the clearest of them then stands for these.
    """
    n = counts.sum(axis=1)
    hits = np.moveaxis(parts_of(np.moveaxis(counts, 1, -1), ordered), -1, 1)
    shares = hits / np.maximum(n, 1)[:, None]
    pooled = hits.sum(axis=0) / np.maximum(n.sum(axis=0), 1)
    weight = pooled * (1 - pooled) * (1 / np.maximum(n, 1)).sum(axis=0) / worth
    asked = weight > 0
    weight = np.where(asked, 1 / np.where(asked, weight, 1.0), 0.0)
    difference = shares[1] - shares[0]
    z = np.abs(difference) * np.sqrt(weight)
    k, j = np.nonzero(z > _WORTH)
    best = np.argsort(-z[k, j], kind="stable")[: 4 * _MOST_FOUND]
    k, j = k[best], j[best]
    p = np.maximum(_exact(hits[0, k, j], hits[1, k, j], n[:, j]), 2 * special.ndtr(-z[k, j]))
    tests = int(asked.sum())
    for level in range(len(z)):
        sums = [np.bincount(whose, weight[level] * difference[level] ** power) for power in (0, 1, 2)]
        freedom = np.bincount(whose, asked[level]) - 1
        unlike = sums[2] - sums[1] ** 2 / np.maximum(sums[0], 1e-300)
        chances = np.where(freedom > 0, special.chdtrc(np.maximum(freedom, 1), np.maximum(unlike, 0.0)), 1.0)
        tests += int((freedom > 0).sum())
        few = np.flatnonzero(chances < _LEVEL / max(tests, 1))
        clearest = [int(np.argmax(np.where(whose == pair, z[level], -1.0))) for pair in few]
        k, j, p = np.append(k, [level] * len(few)), np.append(j, clearest), np.append(p, chances[few])
    k, j = k.astype(np.int64), j.astype(np.int64)
    order = np.argsort(p, kind="stable")
    corrected = np.minimum(np.maximum.accumulate(p[order] * np.maximum(tests - np.arange(len(p)), 1)), 1.0)
    first = 1 if counts.shape[1] <= 2 else 0
    return [
        (int(j[x]), int(k[x]) + first, float(difference[k[x], j[x]]), float(own))
        for x, own in zip(order, corrected, strict=True)
        if own <= _LEVEL
    ][:_MOST_FOUND]


def _exact(first: np.ndarray, second: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Twice the smaller tail of Fisher's test, of hits in either group and (2, m) rows; 0 where all are many."""
    result, hits = np.zeros(len(first)), first + second
    few = np.flatnonzero(np.minimum(hits, n[0]) <= _MOST_EXACT)
    if len(few):
        rows, k = n[:, few], np.arange(np.minimum(hits, n[0])[few].max() + 1)[:, None]
        inside = (k <= rows[0]) & (k <= hits[few]) & (hits[few] - k <= rows[1])
        logs = _log_choose(rows[0], k) + _log_choose(rows[1], hits[few] - k) - _log_choose(rows.sum(axis=0), hits[few])
        shares = np.where(inside, np.exp(np.where(inside, logs, 0.0)), 0.0)
        tails = [np.where(part, shares, 0.0).sum(axis=0) for part in (k <= first[few], k >= first[few])]
        result[few] = np.minimum(2 * np.minimum(*tails), 1.0)
    return result


def _log_choose(n: np.ndarray, k: np.ndarray) -> np.ndarray:
    logs = special.gammaln
    return np.asarray(logs(n + 1.0) - logs(k + 1.0) - logs(np.maximum(n - k, 0) + 1.0))

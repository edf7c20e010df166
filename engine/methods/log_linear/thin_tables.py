"""Tests on tables with few rows a cell, where the chi-squared tail of G does not hold: tables drawn with fixed margins.

Within every configuration of the separator both margins stay as they are, so the statistic, sum of k ln k over the
cells, has its exact conditional distribution under "no link". Draws stop as soon as enough of them reach what was
observed (Besag & Clifford 1991: p = hits / draws is then exact to use). What no draw reaches is placed by a gamma
distribution with the mean and variance of the draws, never above 1 / (draws + 1). Where rows belong together, G and the
margins that tables are drawn with are divided by the design effect.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from zlib import crc32

import numpy as np

from engine.measures.tails import log_chi2_tail
from engine.methods.log_linear.counts import MOST_TABLED, Margin, Weights, entropy_terms, shared_entropy_terms

EXPECTED = 5.0
SHARE = 0.2
"""A table is thin where more than this share of its cells expects fewer than `EXPECTED` rows (Cochran's rule)."""
SHIFT = 0.05
"""Or where G without a link is larger on average than its degrees of freedom by more of its standard deviations.

By Williams 1976: by (N sum 1/n_i - 1)(N sum 1/n_j - 1) / 6N. Ten levels by ten need 2,600 rows by this: at 1,000 rows,
ten a cell, ten such variables have a false link at alpha .05 in .086 of 2,000 tables, though no cell is small.
"""
HITS = 20
MOST_DRAWS = 2000
_FIRST = 60

Strata = list[np.ndarray]
_Margins = tuple[np.ndarray, np.ndarray]


def strata(table: Margin) -> Strata:
    """The counts of the last two variables, a table for every configuration of the others that occurs.

    Levels that do not occur in it are left out, and tables of one line, which can tell nothing.
    """
    given, (a, b) = table.cells[:, :-2], table.cells[:, -2:].T
    result = []
    if len(table.counts):
        _, which = np.unique(given, axis=0, return_inverse=True)
        for item in range(int(which.max()) + 1):
            here = which.ravel() == item
            (rows, i), (columns, j) = (np.unique(x[here], return_inverse=True) for x in (a, b))
            dense = np.zeros((len(rows), len(columns)), dtype=np.int64)
            np.add.at(dense, (i, j), table.counts[here])
            if min(dense.shape) > 1:
                result.append(dense)
    return result


def is_thin(tables: Strata, effect: float = 1.0) -> bool:
    """True where the chi-squared tail does not hold, since too many cells expect too few rows (of those divided)."""
    few = cells = degrees = 0
    above = 0.0
    for table in tables:
        expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
        few, cells = few + int((expected < EXPECTED * effect).sum()), cells + expected.size
        above += math.prod(_unevenness(table.sum(axis=axis)) for axis in (0, 1)) / (6 * float(table.sum())) * effect
        degrees += (table.shape[0] - 1) * (table.shape[1] - 1)
    return few > SHARE * cells or above > SHIFT * math.sqrt(2 * degrees)


def thin_pairs(margins: Sequence[np.ndarray], n_rows: int, effect: float = 1.0) -> np.ndarray:
    """(p, p) whether the table of two variables is thin, from the counts of each one's levels; `effect` divides all."""
    result = np.zeros((len(margins), len(margins)), dtype=bool)
    seen = [np.asarray(margin)[np.asarray(margin) > 0] for margin in margins]
    if not n_rows or not seen:
        return result
    flat, sizes = np.concatenate(seen), np.array([len(item) for item in seen])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    uneven = np.array([_unevenness(entry) for entry in seen])
    for a, own in enumerate(seen):
        few = (own[:, None] * flat[None, :] < EXPECTED * n_rows * effect).sum(axis=0)
        degrees = (len(own) - 1) * (sizes - 1)
        leaning = uneven[a] * uneven / (6 * n_rows) * effect > SHIFT * np.sqrt(2 * degrees)
        result[a] = (degrees > 0) & ((np.add.reduceat(few, starts) > SHARE * len(own) * sizes) | leaning)
    np.fill_diagonal(result, False)
    return result


def _unevenness(margin: np.ndarray) -> float:
    """N sum 1/n - 1, the part of one margin in how much G is above its degrees of freedom."""
    return float(margin.sum() * (1 / margin).sum() - 1)


def seed_of(seed: int, names: Sequence[str]) -> np.random.Generator:
    """A generator that depends on the seed and the names only, so that the order of columns changes nothing."""
    return np.random.default_rng([seed, crc32("\0".join(names).encode())])


def drawn_log_p(
    tables: Strata, rng: np.random.Generator, hits: int = HITS, most: int = MOST_DRAWS, effect: float = 1.0
) -> float:
    """ln p of "no link in any of these tables" by draws with fixed margins.

    Parameters
    ----------
    tables : as `strata` gives them
    rng : of the draws
    hits, most : draws at least as far off after which to stop, and draws at most
    effect : the design effect: G is divided by it, and draws have margins that were

    Returns
    -------
    natural logarithm, 0 where nothing can be told
    """
    if not tables:
        return 0.0
    rows = max(int(table.sum()) for table in tables)
    weights = entropy_terms(rows) if rows <= MOST_TABLED else shared_entropy_terms(rows)
    observed = sum(float(weights[table].sum()) for table in tables)
    margins = [(margin.sum(axis=1), margin.sum(axis=0)) for margin in tables]
    if effect != 1.0:
        half = (observed - _least(margins, weights)) / effect
        margins = [_divided(*margin, effect) for margin in margins]
        observed = half + _least(margins, weights)
    reach = observed - 1e-9 * max(1.0, observed)
    drawn = np.zeros(0)
    while len(drawn) < most:
        size = min(max(_FIRST, 2 * len(drawn)), most - len(drawn))
        drawn = np.concatenate([drawn, _draw(margins, size, weights, rng)])
        reached = np.flatnonzero(drawn >= reach)
        if len(reached) >= hits:
            return math.log(hits / (int(reached[hits - 1]) + 1))
    if not np.ptp(drawn):  # margins so small that only one table has them
        return 0.0
    log_p = math.log((len(reached) + 1) / (most + 1))
    return log_p if len(reached) else min(log_p, _beyond(margins, drawn, observed, weights))


def _divided(lines: np.ndarray, columns: np.ndarray, effect: float) -> _Margins:
    """Both margins of a table divided by the design effect, in whole rows that sum to the same."""
    total = max(round(float(lines.sum()) / effect), 1)
    return _shared_out(lines, total), _shared_out(columns, total)


def _shared_out(counts: np.ndarray, total: int) -> np.ndarray:
    """So many rows in the shares of counts, by largest remainders."""
    share = counts * (total / counts.sum())
    result = np.floor(share + 1e-9).astype(np.int64)
    result[np.argsort(result - share, kind="stable")[: total - int(result.sum())]] += 1
    return result


def _draw(margins: Sequence[_Margins], size: int, weights: Weights, rng: np.random.Generator) -> np.ndarray:
    """The statistic of so many draws."""
    from scipy.stats import random_table

    ordered = sorted(tuple(np.sort(line).tolist() for line in margin) for margin in margins)
    result = np.zeros(size)
    for rows, columns in ordered:  # sorted, so that the order of levels changes nothing
        draws = random_table.rvs(rows, columns, size=size, random_state=rng)
        result += weights[draws.astype(np.int64)].sum(axis=(1, 2))
    return result


def _least(margins: Sequence[_Margins], weights: Weights) -> float:
    """The statistic of tables without any link, so that what is above it is half of G."""
    return sum(float(weights[rows].sum() + weights[columns].sum() - weights[rows.sum()]) for rows, columns in margins)


def _beyond(margins: Sequence[_Margins], drawn: np.ndarray, observed: float, weights: Weights) -> float:
    """ln p from a gamma distribution of G with the mean and variance of the draws."""
    least = _least(margins, weights)
    mean, variance = float(drawn.mean()) - least, float(drawn.var())
    if variance <= 0 or mean <= 0:
        return 0.0
    shape, scale = mean**2 / variance, variance / mean
    return float(log_chi2_tail(np.array([2 * (observed - least) / scale]), np.array([2 * shape]))[0])

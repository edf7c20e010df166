"""What the data say of one edge, whatever the criterion made of it: a Bayes factor, a chance, the largest shift.

The Bayes factor is that of the clique with the edge against its two overlapping parts given the separator, under one
Dirichlet prior for all (BDeu: ess shared out evenly over the cells, so that margins agree):

    ln BF = D(S+a+b) + D(S) - D(S+a) - D(S+b),
    D(A) = lnG(ess) - lnG(ess + N) + sum over cells of lnG(ess/#A + n) - lnG(ess/#A)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.methods.log_linear.counts import Margin
from engine.methods.log_linear.message import edge_evidence
from engine.methods.log_linear.thin_tables import drawn_log_p, is_thin, seed_of, strata

ESS = 1.0
"""Equivalent sample size, as everywhere in the package where nothing else is asked for."""
MARGIN = 0.1
"""A shift of a share that is smaller than this is called small."""
DRAWS = 400


@dataclass(frozen=True)
class EdgeSupport:
    """What the rows say of one edge given its separator.

    Attributes
    ----------
    separator : names
    log_bayes_factor : natural log, for the edge
    log10_p : of the G test, by draws where the table is thin
    """

    separator: tuple[str, ...]
    log_bayes_factor: float
    log10_p: float


def edge_support(
    table: Margin,
    names: Sequence[str],
    arity: np.ndarray,
    seed: int | None,
    separator: Sequence[str],
    effect: float = 1.0,
) -> EdgeSupport:
    """Of an edge between the last two variables of a table, given its others.

    Parameters
    ----------
    table : the counts
    names, arity : of all variables, in alphabetical order
    seed : of the draws for a thin table; None for the chi-squared distribution whatever the table
    separator : the names of the others, as they shall be said
    effect : the design effect, which counts are divided by

    Returns
    -------
    `EdgeSupport`
    """
    tables = strata(table)
    *given, a, b = table.variables
    if seed is not None and is_thin(tables, effect):
        rng = seed_of(seed, [names[x] for x in (a, b, *given)])
        log10_p = drawn_log_p(tables, rng, effect=effect) / math.log(10)
    else:
        log10_p = edge_evidence(table, arity, 1, 0, effect).log10_p
    return EdgeSupport(tuple(separator), log_bayes_factor(table, arity, effect=effect), log10_p)


def log_bayes_factor(table: Margin, arity: np.ndarray, ess: float = ESS, effect: float = 1.0) -> float:
    """ln of how many times more probable the counts are with the edge between the last two variables than without."""
    *given, a, b = table.variables
    whole, *parts = (
        _dirichlet(table.over(group), arity, ess, effect) for group in ((*given, a, b), given, (*given, a), (*given, b))
    )
    return whole + parts[0] - parts[1] - parts[2]


def largest_shift(table: Margin, names: Sequence[str], seed: int, effect: float = 1.0) -> tuple[float, float]:
    """The largest difference that a level of one of the last two variables makes to a share of the other.

    Whatever the levels of the variables that are given, and either way round.

    Parameters
    ----------
    table : the counts
    names : of all variables, in alphabetical order
    seed : of the draws
    effect : the design effect, which counts are divided by

    Returns
    -------
    as observed, and below which it lies with 95 % posterior probability under Jeffreys' prior for every line; NaN where
    nothing can be told
    """
    tables = strata(table)
    rng = seed_of(seed, ["shift", *(names[x] for x in table.variables)])
    lines = [side for table_value in tables for side in (table_value, table_value.T)]
    if not lines:
        return math.nan, math.nan
    observed = max(
        float(np.ptp(line_value / line_value.sum(axis=1, keepdims=True), axis=0).max()) for line_value in lines
    )
    drawn = np.zeros(DRAWS)
    for line in lines:
        gamma = rng.standard_gamma(line / effect + 0.5, size=(DRAWS, *line.shape))
        shares = gamma / gamma.sum(axis=2, keepdims=True)
        drawn = np.maximum(drawn, np.ptp(shares, axis=1).max(axis=1))
    return observed, float(np.quantile(drawn, 0.95))


def _dirichlet(table: Margin, arity: np.ndarray, ess: float, effect: float) -> float:
    """ln of the marginal likelihood of a table's counts; cells that do not occur add nothing."""
    from scipy.special import gammaln

    if not table.variables:
        return 0.0
    each = ess / table.cells_possible(arity)
    rows = float(table.counts.sum()) / effect
    cells = float((gammaln(each + table.counts / effect) - gammaln(each)).sum())
    return float(gammaln(ess) - gammaln(ess + rows)) + cells

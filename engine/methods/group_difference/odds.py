"""Equations 6 to 11 of Sverchkov & Cooper 2015, in log space from end to end.

The paper uses the letters S and T both ways round; here a block (one configuration of the parents that the three
networks share) is modelled either as *independent* in the two groups or as the *same*; b = ln independent - ln same.
"""

from __future__ import annotations

import math

import numpy as np

from engine.errors import SettingsError

P_LEVELS = ("overall", "variable", "context")


def row_scores(counts: np.ndarray, alpha: float) -> np.ndarray:
    """Equation 3 for every row of (J, r) counts: Dirichlet-multinomial log marginal likelihood, `alpha` a cell."""
    from scipy.special import gammaln

    total = alpha * counts.shape[1]
    cells = (gammaln(alpha + counts) - gammaln(alpha)).sum(axis=1)
    return np.asarray(cells + gammaln(total) - gammaln(total + counts.sum(axis=1)))


def log_block_priors(p_same: float, p_level: str, blocks: np.ndarray) -> np.ndarray:
    """ln p_ieta, the log prior probability that one block of each variable is the same in both groups."""
    if p_level not in P_LEVELS:
        raise SettingsError(f"p_level is {p_level!r}; it can be {', '.join(map(repr, P_LEVELS))}.")
    if not 0 < p_same < 1:
        raise SettingsError(f"p_same is {p_same!r}; it must be above 0 and below 1.")
    share = {"overall": len(blocks) * blocks, "variable": blocks, "context": np.ones(len(blocks))}[p_level]
    return math.log(p_same) / np.asarray(share, dtype=float)


def log_prior_odds(log_p: np.ndarray) -> np.ndarray:
    """r = ln((1 - p) / p) from ln p, exact for p next to 1."""
    return np.log(-np.expm1(log_p)) - log_p


def surprise(bayes: np.ndarray, log_p: np.ndarray) -> np.ndarray:
    """t = -ln P(same | data) of blocks with log Bayes factor `bayes`: the logarithm of equation 9."""
    return np.logaddexp(0.0, bayes + log_prior_odds(log_p))


def log_odds(
    bayes: np.ndarray, starts: np.ndarray, possible: np.ndarray, log_p: np.ndarray
) -> tuple[np.ndarray, float]:
    """Equations 10 and 11: natural-log posterior odds of a difference, by variable and overall.

    Blocks without rows have b = 0 and are added in closed form, never enumerated.
    """
    sizes = np.diff(starts)
    variable = np.repeat(np.arange(len(sizes)), sizes)
    empty = possible - sizes
    evidence = np.bincount(variable, surprise(bayes, log_p[variable]), minlength=len(sizes))
    evidence = evidence - empty * log_p  # A_i = -ln P(all blocks of i the same | data)
    prior = log_prior_odds(log_p)
    shifted = bayes + prior[variable]
    largest = np.where(empty > 0, prior, -np.inf)
    np.maximum.at(largest, variable, shifted)
    largest = np.where(np.isfinite(largest), largest, 0.0)  # no block at all cannot be; keep the sums finite
    # where A_i is tiny the odds are the sum of the blocks' odds, which log space still holds
    sums = np.bincount(variable, np.exp(shifted - largest[variable]), minlength=len(sizes))
    sums = sums + np.where(empty > 0, empty * np.exp(np.minimum(prior - largest, 0.0)), 0.0)
    small = np.log(sums) + largest
    by_variable = _odds_of(evidence, small)
    total = float(evidence.sum())
    peak = float(small.max(initial=-np.inf))
    overall = _odds_of(np.array([total]), np.array([peak + math.log(np.exp(small - peak).sum())]))
    return by_variable, float(overall[0])


def parts(bayes: np.ndarray, possible: float) -> np.ndarray:
    """(m,) what each block of a variable adds, natural log, at even prior odds: they sum to ln((1 + O_i) / 2)."""
    log_p = np.full(len(bayes), math.log(0.5) / possible)
    return surprise(bayes, log_p) + log_p


def _odds_of(evidence: np.ndarray, small: np.ndarray) -> np.ndarray:
    """ln(exp(A) - 1); `small` where A is too close to 0 for that to keep its digits."""
    safe = np.where(evidence < 1e-8, 1.0, evidence)
    return np.where(evidence < 1e-8, small, safe + np.log(-np.expm1(-safe)))


def probability(log_odds: np.ndarray) -> np.ndarray:
    """P(different) from natural-log odds."""
    return np.exp(-np.logaddexp(0.0, -np.asarray(log_odds, dtype=float)))


def tipping_log_block_prior(bayes: np.ndarray, starts: np.ndarray, possible: np.ndarray) -> np.ndarray:
    """(n,) ln p_ieta at which each variable's odds are exactly 1, by bisection (the odds fall as p grows)."""
    n = len(possible)
    low, high = np.full(n, -350.0), np.full(n, 14.0)  # of ln(-ln p): p from 1 - 1e-152 down to exp(-1e6)
    for _ in range(80):
        middle = (low + high) / 2
        odds, _ = log_odds(bayes, starts, possible, -np.exp(middle))
        different = odds > 0  # p may grow: ln(-ln p) may fall
        low, high = np.where(different, low, middle), np.where(different, middle, high)
    return -np.exp((low + high) / 2)

"""Equations 6 to 11 of Sverchkov & Cooper 2015, in log space from end to end; how many rows would carry a difference.

The paper uses the letters S and T both ways round; here a block (one configuration of the parents that the three
networks share) is modelled either as *independent* in the two groups or as the *same*; b = ln independent - ln same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.errors import check_choice, check_number
from engine.scores.dirichlet import row_scores

P_LEVELS = ("overall", "variable", "context")


def log_block_priors(p_same: float, p_level: str, blocks: np.ndarray) -> np.ndarray:
    """ln p_ieta, the log prior probability that one block of each variable is the same in both groups."""
    check_choice("p_level", p_level, P_LEVELS)
    check_number("p_same", p_same, above=0, below=1)
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
    evidence, small = _sums(bayes, starts, possible, log_p)
    total = float(evidence.sum())
    peak = float(small.max(initial=-np.inf))
    overall = _odds_of(np.array([total]), np.array([peak + math.log(np.exp(small - peak).sum())]))
    return _odds_of(evidence, small), float(overall[0])


def _sums(
    bayes: np.ndarray, starts: np.ndarray, possible: np.ndarray, log_p: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """By variable -ln P(all its blocks are the same | data), and the log of its odds where that is too close to 0."""
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
    return evidence, np.log(sums) + largest


def paper_odds(
    stack: tuple[np.ndarray, np.ndarray, np.ndarray], p_same: float, p_level: str
) -> tuple[np.ndarray, float]:
    """`log_odds` of what `blocks.stack` gives, under a prior."""
    return log_odds(*stack, log_block_priors(p_same, p_level, stack[2]))


def parts(bayes: np.ndarray, possible: float) -> np.ndarray:
    """(m,) what each block of a variable adds, natural log, at even prior odds: they sum to ln((1 + O_i) / 2)."""
    log_p = np.full(len(bayes), math.log(0.5) / possible)
    return surprise(bayes, log_p) + log_p


def _odds_of(evidence: np.ndarray, small: np.ndarray) -> np.ndarray:
    """The "- 1" of equation 10: ln(exp(A) - 1); `small` where A is too close to 0 for that to keep its digits."""
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
        odds = _odds_of(*_sums(bayes, starts, possible, -np.exp(middle)))
        different = odds > 0  # p may grow: ln(-ln p) may fall
        low, high = np.where(different, low, middle), np.where(different, middle, high)
    return -np.exp((low + high) / 2)


POWER = 0.8
"""In this share of tables P(differs) shall reach the wanted one."""
_NORMAL_POWER = 0.8416212335729143  # the normal quantile of it
_COMMON = 0.25  # variance of a common difference's prior, in SD
_DRAWS = 60
_MOST = 2.0**20
_MOST_CELLS = 256


def visible_shift(first: int, second: int, log_same: float) -> float:
    """The common difference, in SD, with which P(differs) of a lone variable reaches .5 in `POWER` of tables.

    By the normal form of its Bayes factor, a quarter of the prior of a difference: half of it is a common difference,
    half of that one of location. Of a share of a half, an SD is 50 percentage points.

    Parameters
    ----------
    first, second : rows of the groups
    log_same : ln of the prior probability that the variable does not differ
    """
    rows = first * second / max(first + second, 1)
    spread = _COMMON * rows
    if spread <= 0:
        return math.nan
    wanted = math.log(4) + log_same - math.log(-math.expm1(log_same)) + 0.5 * math.log1p(spread)
    return (math.sqrt(2 * max(wanted, 0.0) * (1 + spread) / spread) + _NORMAL_POWER) / math.sqrt(rows)


def rows_for_posterior(
    counts: np.ndarray,
    possible: float,
    margin: float,
    alpha: float,
    log_same: float,
    wanted: float,
    seed: Sequence[int],
) -> float:
    """Rows a group with which P(differs), given these parents, reaches `wanted` in `POWER` of tables.

    Tables are drawn with the observed shares of contexts and levels; in every context `margin` is moved between the
    groups, between the two commonest levels. The number of rows is found by halving.
    """
    both = counts.sum(axis=1)
    most = max(_MOST_CELLS // counts.shape[2], 1)
    blocks = np.argsort(-both.sum(axis=1), kind="stable")[:most]  # the others add little, and are left as they are
    blocks = blocks[both[blocks].sum(axis=1) > 0]
    if not len(blocks) or counts.shape[2] < 2:
        return math.nan
    rows = both[blocks].sum(axis=1)
    weight = rows / both.sum()
    shares = (both[blocks] + 0.5) / (rows[:, None] + 0.5 * counts.shape[2])
    first, second = _two_shares(shares, margin)

    def carried(number: float) -> bool:
        generator = np.random.default_rng(list(seed))
        n = np.maximum(np.round(number * weight), 1).astype(np.int64)
        drawn_first, drawn_second = (
            generator.multinomial(n, share, size=(_DRAWS, len(n))) for share in (first, second)
        )
        return (
            float((_surprise(drawn_first, drawn_second, alpha, possible, log_same) >= -math.log1p(-wanted)).mean())
            >= POWER
        )

    low, high = 5.0, 10.0
    while not carried(high):
        low, high = high, 2 * high
        if high > _MOST:
            return math.nan
    while high / low > 1.03:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if carried(middle) else (middle, high)
    step = 10.0 ** (math.floor(math.log10(high)) - 1)
    return float(math.ceil(high / step) * step)


def _two_shares(shares: np.ndarray, margin: float) -> tuple[np.ndarray, np.ndarray]:
    """(m, r) shares of the two groups: the commonest level's half the margin up and down, at the cost of the next."""
    order = np.argsort(-shares, axis=1, kind="stable")
    rows = np.arange(len(shares))
    give, take = order[:, 0], order[:, 1]
    pair = shares[rows, give] + shares[rows, take]
    middle = np.clip(shares[rows, give], margin / 2, np.maximum(pair - margin / 2, margin / 2))
    result = []
    for end in (np.minimum(middle + margin / 2, pair), np.maximum(middle - margin / 2, 0.0)):
        moved = shares.copy()
        moved[rows, give] = end
        moved[rows, take] = pair - end
        result.append(moved / moved.sum(axis=1, keepdims=True))
    return result[0], result[1]


def _surprise(first: np.ndarray, second: np.ndarray, alpha: float, possible: float, log_same: float) -> np.ndarray:
    """(draws,) -ln P(no context differs) of (draws, m, r) counts of either group."""
    m = first.shape[1]
    scores = [row_scores(counts, alpha) for counts in (first, second, first + second)]
    same = log_same / possible
    odds = math.log(-math.expm1(same)) - same
    return np.asarray(np.logaddexp(0.0, odds + scores[0] + scores[1] - scores[2]).sum(axis=1) - same * (possible - m))

"""How many rows a group would carry a difference of a given size."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.methods.group_difference.odds import row_scores

POWER = 0.8
"""In this share of tables P(differs) shall reach the wanted one."""
_DRAWS = 60
_MOST = 2.0**20
_MOST_CELLS = 256


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
        item, other = (generator.multinomial(n, share, size=(_DRAWS, len(n))) for share in (first, second))
        return float((_surprise(item, other, alpha, possible, log_same) >= -math.log1p(-wanted)).mean()) >= POWER

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
    draws, m, r = first.shape
    scores = [row_scores(item.reshape(-1, r), alpha).reshape(draws, m) for item in (first, second, first + second)]
    same = log_same / possible
    odds = math.log(-math.expm1(same)) - same
    return np.asarray(np.logaddexp(0.0, odds + scores[0] + scores[1] - scores[2]).sum(axis=1) - same * (possible - m))

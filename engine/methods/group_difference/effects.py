"""Differences of the share of a level between the groups within blocks, and the block and level that say most."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.data.spoken_levels import spoken_level
from engine.lazy import special
from engine.measures.risk_difference import risk_difference
from engine.methods.group_difference.blocks import Blocks

FEW_ROWS = 10
"""A context with fewer rows than this in one of the groups is marked: its shares are little more than the prior."""


def difference(blocks: Blocks, k: int, j: int | None = None) -> tuple[float, float, float]:
    """The difference of the share of level k with its interval, held within all blocks or in block j.

    That of a block holds for all blocks together, since a reader is shown the one that differs most.
    """
    many = 1 if j is None else max(int((blocks.counts.sum(axis=2).min(axis=1) > 0).sum()), 1)
    effect, low, high = risk_difference(blocks.counts if j is None else blocks.counts[j : j + 1], 1 - 0.05 / many)
    if not np.isfinite(effect[k]):
        return math.nan, math.nan, math.nan
    if blocks.ends is not None:
        low, high = blocks.ends[-1 if j is None else j]
        wider = float(special.ndtri(1 - 0.025 / many) / special.ndtri(0.975))
        middle, reach = (low + high) / 2, wider * (high - low) / 2
        low, high = np.maximum(middle - reach, -1.0), np.minimum(middle + reach, 1.0)
    return float(effect[k]), float(low[k]), float(high[k])


def decisive(blocks: Blocks) -> int | None:
    """The block with the largest odds for a difference of those with rows of both groups."""
    both = blocks.counts.sum(axis=2).min(axis=1) > 0
    return int(np.argmax(np.where(both, blocks.bayes, -math.inf))) if both.any() else None


def level_of(blocks: Blocks, marginal: Blocks, levels: Sequence[str]) -> int:
    """The level that differences of a variable are of by itself: whose share differs most within the contexts of S*, or
    over all rows where no context has rows of both groups."""
    effect = risk_difference(blocks.counts)[0]
    return most_different(effect if np.isfinite(effect).any() else risk_difference(marginal.counts)[0], levels)


def most_different(effect: np.ndarray, levels: Sequence[str]) -> int:
    """The level with the largest difference; of two levels, which mirror each other, that which one speaks of."""
    size, spoken = np.round(np.abs(effect), 9), spoken_level(levels)
    return int(np.flatnonzero(size == size.max())[-1]) if spoken is None else spoken


def contexts_counted(blocks: Sequence[Blocks]) -> dict[str, list[float | bool]]:
    """Numbers of contexts that each variable could have and that have rows, and whether the decisive one has few."""
    decides = [block.counts[int(np.argmax(block.bayes))].sum(axis=1) for block in blocks]
    return {
        "contexts": [block.possible for block in blocks],
        "contexts_with_rows": [len(block.bayes) for block in blocks],
        "few_rows": [bool(rows.min() < FEW_ROWS) for rows in decides],
    }

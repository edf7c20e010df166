"""What a table shows beside its links: items that are copies of each other, and gaps that depend on other answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.lazy import special
from engine.measures.multiple import holm
from engine.methods.ordinal.effects import ALPHA, normal_scores
from engine.models.latent_normal import UNKNOWN, Boxes

if TYPE_CHECKING:
    from engine.methods.ordinal.answers import Answers

NEARLY, IN_LEVELS = 0.97, 0.9
"""Correlation of scores, or of latent values where that of scores is the second, from which two say nearly the same."""
FEWEST_GAPS = 5


def copies_of(boxes: Boxes, correlation: np.ndarray) -> list[tuple[int, int]]:
    """Pairs that are copies of each other, or reversed, or nearly so.

    The latent correlation alone would also name rare items that never occur together, and not all exact copies.

    Parameters
    ----------
    boxes : the rows
    correlation : (p, p) pair by pair, before it was lifted
    """
    scores, known = normal_scores(boxes), boxes.codes != UNKNOWN
    result = []
    for i, j in zip(*np.triu_indices(len(scores), 1), strict=True):
        both = known[i] & known[j]
        u, v = (scores[x][both] - scores[x][both].mean() for x in (i, j))
        alike = abs(u @ v) / max(float(np.sqrt((u @ u) * (v @ v))), 1e-12)
        if alike > NEARLY or (alike > IN_LEVELS and abs(correlation[i, j]) > NEARLY):
            result.append((int(i), int(j)))
    return result


def gap_causes(answers: Answers) -> dict[int, tuple[int, ...]]:
    """Variable -> those on whose answers it depends whether its own is missing, the surest first.

    Each pair is tested by the correlation of gaps with scores, p corrected for all of them (Holm).

    Parameters
    ----------
    answers : the rows
    """
    known = (answers.codes != UNKNOWN).astype(float)
    gaps = np.flatnonzero((1 - known).sum(axis=1) >= FEWEST_GAPS).tolist()
    if not gaps:
        return {}
    scores, lost = normal_scores(answers.boxes()), 1.0 - known[gaps]
    n = known.sum(axis=1)
    first = lost @ known.T  # of rows that have an answer of the other
    variance = first * (1 - first / n)
    squares = (scores**2).sum(axis=1) - scores.sum(axis=1) ** 2 / n
    covariance = lost @ scores.T - first * (scores.sum(axis=1) / n)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.nan_to_num(covariance / np.sqrt(variance * squares / np.maximum(n - 1, 1) * answers.effect))
    p = holm(2.0 * special.ndtr(-np.abs(z)).ravel()).reshape(z.shape)
    result = {}
    for place, i in enumerate(gaps):
        causes = [int(j) for j in np.argsort(-np.abs(z[place]), kind="stable") if p[place, j] <= ALPHA and j != i]
        if causes:
            result[i] = tuple(causes)
    return result

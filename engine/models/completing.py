"""Missing answers drawn given all answers of their row: full information for whatever is estimated of complete tables.

Data augmentation under the latent normal model: latent values are drawn within their boxes as in the E step of the
ordinal network, where a missing answer has no bounds; correlations given them (inverse Wishart, with the prior under
which each is uniform, Barnard, McCulloch & Meng 2000); thresholds given the completed levels, and of numbers scores.
Every so often the table is kept, its gaps filled. Estimates of the tables are pooled by Rubin's rules (1987). This
needs answers that are missing at random: whether one is missing may depend on the answers that are there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.lazy import special, stats
from engine.models.latent_normal import UNKNOWN, Boxes, Chains, as_correlation, lifted, standard_scores
from engine.models.partial_correlations import boxes_of, estimate, influences
from engine.models.polychoric import polychoric

TABLES, FIRST, APART = 20, 60, 12
"""Completed tables, draws before the first, and from one to the next."""


@dataclass(frozen=True, eq=False)
class PooledEstimates:
    """Partial correlations of one table, or pooled over completed ones.

    Attributes
    ----------
    correlation : (p, p) polychoric correlations
    partial : (p, p), 1 on the diagonal
    explained : (p,) share of each latent value's variance that all others explain
    of_z, of_precision : (q, units), (p, units) what every unit adds to their errors
    between_z, between_precision : (q, tables), (p, tables) what every completed table adds; of none without gaps
    """

    correlation: np.ndarray
    partial: np.ndarray
    explained: np.ndarray
    of_z: np.ndarray
    of_precision: np.ndarray
    between_z: np.ndarray
    between_precision: np.ndarray

    @property
    def z(self) -> np.ndarray:
        """(q,) Fisher's z of every pair, in the order of `numpy.triu_indices(p, 1)`."""
        return np.asarray(np.arctanh(self.partial[np.triu_indices(len(self.partial), 1)]))


def complete_tables(boxes: Boxes, levels: Sequence[int], seed: int, effect: float = 1.0) -> list[Boxes]:
    """`TABLES` tables without gaps.

    Parameters
    ----------
    boxes : with gaps
    levels : (p,) how many each variable has
    seed : of the draws
    effect : the design effect, by which rows tell less of the correlations
    """
    return list(_completed(boxes, levels, np.random.default_rng(seed), effect))


def _completed(boxes: Boxes, levels: Sequence[int], generator: np.random.Generator, effect: float) -> Iterator[Boxes]:
    chains = Chains(boxes, int(generator.integers(1 << 31)))
    correlation, _ = lifted(polychoric(boxes))
    missing = ~(chains.low > -np.inf) & ~(chains.high < np.inf)
    codes, cuts = boxes.codes.copy(), list(boxes.cuts)
    p, n = codes.shape
    for number in range(FIRST + APART * TABLES):
        worth = n / effect
        scale = worth * as_correlation(chains.moments(correlation)) + np.eye(p)
        drawn = stats.invwishart.rvs(worth + p + 1, scale, random_state=generator)
        correlation = as_correlation(drawn.reshape(p, p))
        for i in np.flatnonzero(missing.any(axis=1)).tolist():
            gaps, known, latent = missing[i], ~missing[i], chains.latent[i]
            if i in boxes.numbers:
                latent[:] = standard_scores(latent)
                chains.low[i, known] = chains.high[i, known] = latent[known]
                continue
            codes[i, gaps] = np.searchsorted(cuts[i][1:-1], latent[gaps])
            shares = generator.dirichlet(np.bincount(codes[i], minlength=levels[i]) + 0.5)
            cuts[i] = np.concatenate([[-np.inf], special.ndtri(np.cumsum(shares)[:-1]), [np.inf]])
            chains.low[i, known], chains.high[i, known] = cuts[i][codes[i, known]], cuts[i][codes[i, known] + 1]
        if number >= FIRST and (number - FIRST) % APART == APART - 1:
            scores = {i: chains.latent[i].copy() for i in boxes.numbers}
            yield boxes_of(np.where(codes == UNKNOWN, 0, codes), np.array(levels), scores)


def pooled(tables: Sequence[Boxes], unit: np.ndarray, n_units: int) -> PooledEstimates:
    """The partial correlations of a table, or of completed ones, with what adds to their errors.

    Parameters
    ----------
    tables : of `boxes_of` or `complete_tables`
    unit, n_units : as of `influences`
    """
    first, of_z, of_precision = influences(tables[0], unit, n_units)
    many, p = len(tables), len(first.partial)
    if many == 1:
        nothing = np.empty((len(of_z), 0)), np.empty((p, 0))
        return PooledEstimates(
            np.linalg.inv(first.precision), first.partial, first.explained, of_z, of_precision, *nothing
        )
    every = [first, *map(estimate, tables[1:])]
    z = np.stack([item.z for item in every])
    logs = np.log([np.diag(item.precision) for item in every])
    partial, (above, below) = np.eye(p), np.triu_indices(p, 1)
    partial[above, below] = partial[below, above] = np.tanh(z.mean(axis=0))
    share = np.sqrt((1.0 + 1.0 / many) / (many - 1))
    return PooledEstimates(
        np.mean([np.linalg.inv(item.precision) for item in every], axis=0),
        partial,
        1.0 - np.exp(-logs.mean(axis=0)),
        of_z,
        of_precision,
        share * (z - z.mean(axis=0)).T,
        share * (logs - logs.mean(axis=0)).T,
    )

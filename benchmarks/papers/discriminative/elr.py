"""Parameters by conditional likelihood for networks that are given: ELR (Greiner & Zhou 2002), as section 2.5 has it.

A row of a table is a softmax of free numbers, theta_k = exp(beta_k) / sum exp(beta). The ascent begins at the maximum
likelihood parameters, as there, and climbs log CCL of the training series by SciPy's L-BFGS, where they take conjugate
gradients. They end early by a validation of the number of steps; here the ascent goes on to its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.evaluation.lessons.discriminative import EPS
from engine.methods.discriminative.coding import Counted
from engine.methods.discriminative.structure import log_ccl
from engine.scores.discriminative import log_parameters

STEPS = 200
"""Most steps of the ascent."""


class Cells(NamedTuple):
    """The cells of all families of a network, row after row.

    Attributes
    ----------
    counts : (S, C) of every series
    starts : where the rows of the tables begin
    """

    counts: np.ndarray
    starts: np.ndarray


class Ascent(NamedTuple):
    """What an ascent came to.

    Attributes
    ----------
    log_theta : of the network of side 0 and of side 1, (C,) as `Cells` has them
    scores : (S,) log-likelihood ratio of every series, above 0 for side 1
    start, end : log CCL of the training series before and after
    """

    log_theta: tuple[np.ndarray, np.ndarray]
    scores: np.ndarray
    start: float
    end: float


def ascend(
    counted: Counted, side: np.ndarray, parents: Sequence[Sequence[Sequence[int]]], steps: int = STEPS
) -> Ascent:
    """Climb log CCL from the maximum likelihood parameters of both networks.

    Parameters
    ----------
    counted : the series
    side : (S,) 0 and 1 for the training series of both classes, below 0 for the others
    parents : of every variable, in the network of side 0 and of side 1
    steps : most steps
    """
    from scipy.optimize import minimize

    nets = [cells_of(counted, one) for one in parents]
    begin = [_likeliest(cells, side == net) for net, cells in enumerate(nets)]
    start = _value(nets, side, begin)

    def falling(beta: np.ndarray) -> tuple[float, np.ndarray]:
        value, slope = climb(beta, nets, side)
        return -value, -slope

    found = minimize(falling, np.concatenate(begin), jac=True, method="L-BFGS-B", options={"maxiter": steps})
    split = len(begin[0])
    ended = [normalised(part, cells.starts) for part, cells in zip(np.split(found.x, [split]), nets, strict=True)]
    end = _value(nets, side, ended)
    if end < start:
        ended, end = begin, start
    return Ascent((ended[0], ended[1]), _ratio(nets, ended), start, end)


def cells_of(counted: Counted, parents: Sequence[Sequence[int]]) -> Cells:
    """All families of a network side by side.

    Parameters
    ----------
    counted : the series
    parents : of every variable
    """
    blocks = [counted.counts_by_point(child, tuple(own)) for child, own in enumerate(parents)]
    sizes = [int(counted.slices.arity[child]) for child in range(len(blocks))]
    rows = np.concatenate([np.full(block.shape[1] // r, r) for block, r in zip(blocks, sizes, strict=True)])
    return Cells(np.concatenate(blocks, axis=1), np.concatenate([[0], np.cumsum(rows)[:-1]]))


def climb(beta: np.ndarray, nets: Sequence[Cells], side: np.ndarray) -> tuple[float, np.ndarray]:
    """log CCL of the training series, and its gradient.

    Parameters
    ----------
    beta : free numbers of the network of side 0, then of side 1
    nets : their cells
    side : as `ascend` takes it
    """
    parts = np.split(beta, [nets[0].counts.shape[1]])
    logs = [normalised(part, cells.starts) for part, cells in zip(parts, nets, strict=True)]
    inside = side >= 0
    others, own = (cells.counts[inside] @ log for cells, log in zip(nets, logs, strict=True))
    sign = np.where(side[inside] == 1, 1.0, -1.0)
    pull = sign / (1 + np.exp(np.clip(sign * (own - others), -700, 700)))
    slopes = []
    for cells, log, weight in zip(nets, logs, (-pull, pull), strict=True):
        weighed = weight @ cells.counts[inside]
        rows = np.add.reduceat(weighed, cells.starts)
        slopes.append(weighed - _spread(rows, cells.starts, len(log)) * np.exp(log))
    return log_ccl(own, others, side[inside]), np.concatenate(slopes)


def normalised(beta: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """log theta of free numbers: every row sums to one.

    Parameters
    ----------
    beta : (C,) free numbers
    starts : where rows begin
    """
    high = _spread(np.maximum.reduceat(beta, starts), starts, len(beta))
    total = np.log(np.add.reduceat(np.exp(beta - high), starts))
    result: np.ndarray = beta - high - _spread(total, starts, len(beta))
    return result


def _spread(rows: np.ndarray, starts: np.ndarray, cells: int) -> np.ndarray:
    """A number a row, repeated for every cell of it."""
    return np.repeat(rows, np.diff(np.append(starts, cells)))


def _likeliest(cells: Cells, taken: np.ndarray) -> np.ndarray:
    """log theta of the series taken, as the method has them."""
    counts = cells.counts[taken].sum(axis=0)
    return log_parameters(counts, np.zeros_like(counts), "ml", EPS, cells.starts)


def _ratio(nets: Sequence[Cells], logs: Sequence[np.ndarray]) -> np.ndarray:
    """(S,) log-likelihood of every series in the network of side 1, less that in the other."""
    others, own = (cells.counts @ log for cells, log in zip(nets, logs, strict=True))
    ratio: np.ndarray = own - others
    return ratio


def _value(nets: Sequence[Cells], side: np.ndarray, logs: Sequence[np.ndarray]) -> float:
    """log CCL of the training series."""
    ratio = _ratio(nets, logs)
    return log_ccl(ratio, np.zeros_like(ratio), side)

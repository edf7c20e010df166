"""Searches by conditional likelihood as section 5.1 has them: a parent for every variable, whether it helps or not.

`engine.Discriminative` ends its search when no link helps any more; with many variables that is early, since a few
links tell the training series apart to the last digit. And both scores again without any memory, for the run times:
every family of every step is scored from its counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.evaluation.lessons.discriminative import EPS
from engine.methods.discriminative.coding import Counted
from engine.methods.discriminative.structure import log_ccl
from engine.scores.discriminative import log_parameters


class Forced(NamedTuple):
    """What a search found.

    Attributes
    ----------
    parents : (2, p) the parent of every variable in the networks of side 0 and side 1
    likelihoods : (S, 2) log-likelihood of every series in the networks of side 0 and side 1
    """

    parents: np.ndarray
    likelihoods: np.ndarray

    @property
    def scores(self) -> np.ndarray:
        """(S,) log-likelihood ratio of every series, above 0 for side 1."""
        ratio: np.ndarray = self.likelihoods[:, 1] - self.likelihoods[:, 0]
        return ratio


def forced(counted: Counted, side: np.ndarray, *, paired: bool) -> Forced:
    """The link that raises CCL most, or lowers it least, until every variable has one; ties go to the first.

    Parameters
    ----------
    counted : the series
    side : (S,) 0 and 1 for the training series of both classes, below 0 for the others
    paired : whether a move adds a link to both networks, or to one
    """
    change, without = _sums(counted, side)
    inside = side >= 0
    sign = np.where(side[inside] == 1, 1.0, -1.0)[:, None, None]
    gap = (without[1] - without[0]).sum(axis=1)
    gains = (change[1] - change[0])[None] if paired else np.stack([-change[0], change[1]])
    p = change.shape[2]
    free = np.ones((len(gains), p), dtype=bool)
    parents = np.zeros((2, p), dtype=np.int64)
    while free.any():
        after = sign * (gap[inside][:, None, None] + gains[:, inside])
        value = np.where(free[:, :, None], -np.logaddexp(0.0, -after).sum(axis=1), -np.inf)
        net, child, x = (int(one) for one in np.unravel_index(int(value.argmax()), value.shape))
        gap = gap + gains[net, :, child, x]
        free[net, child] = False
        parents[slice(None) if paired else net, child] = x
    children = np.arange(p)
    likelihoods = [without[net].sum(axis=1) + change[net][:, children, parents[net]].sum(axis=1) for net in (0, 1)]
    return Forced(parents, np.stack(likelihoods, axis=1))


def _sums(counted: Counted, side: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(2, S, p, p) what a parent changes in a child's log-likelihood of every series, and (2, S, p) that without one.

    By network, series, child, parent.
    """
    starts = counted.slices.starts[:-1]
    first = slice(0, int(counted.slices.arity[0]))  # any variable's rows sum to the child's own counts
    tables = counted.by_point.reshape(counted.n_points, *counted.pairs(side).shape[1:]).astype(float)
    change, without = [], []
    for counts in counted.pairs(side):
        alone = counts[first].sum(axis=0)
        theta = log_parameters(counts, np.zeros_like(counts), "ml", EPS, starts)
        own = log_parameters(alone, np.zeros_like(alone), "ml", EPS, starts)
        of_pairs = np.add.reduceat(np.add.reduceat(tables * theta, starts, axis=2), starts, axis=1)
        without.append(np.add.reduceat(tables[:, first].sum(axis=1) * own, starts, axis=1))
        change.append(of_pairs.transpose(0, 2, 1) - without[-1][:, :, None])
    return np.stack(change), np.stack(without)


class Anew(NamedTuple):
    """What a search without memory found: parents as `Forced`, and how many families it scored."""

    parents: np.ndarray
    scored: int


def acl_anew(counted: Counted, side: np.ndarray) -> Anew:
    """The best parent of every variable in either network by PACL, family by family."""
    p = counted.slices.n_variables
    parents, scored = np.zeros((2, p), dtype=np.int64), 0
    for net in (0, 1):
        for child in range(p):
            pacl = np.empty(p)
            for x in range(p):
                counts = counted.family(child, (x,), side)
                intra, extra = counts[net], counts[1 - net]
                pacl[x] = ((intra - extra) * log_parameters(intra, extra, "ml", EPS)).sum()
                scored += 1
            parents[net, child] = pacl.argmax()
    return Anew(parents, scored)


def ccl_anew(counted: Counted, side: np.ndarray, *, paired: bool) -> Anew:
    """As `forced`, but every family that could be added is scored again at every step."""
    p = counted.slices.n_variables
    now = np.stack([np.stack([_says(counted, side, net, child, ()) for child in range(p)]) for net in (0, 1)])
    free = {(net, child) for net in ((0,) if paired else (0, 1)) for child in range(p)}
    parents, scored = np.zeros((2, p), dtype=np.int64), 0
    while free:
        total = now.sum(axis=1)
        best, move, said = -np.inf, (0, 0, 0), now[:, 0]
        for first, child in sorted(free):
            nets = (0, 1) if paired else (first,)
            for x in range(p):
                trial, says = total.copy(), now[:, child].copy()
                for net in nets:
                    says[net] = _says(counted, side, net, child, (x,))
                    trial[net] += says[net] - now[net, child]
                    scored += 1
                value = log_ccl(trial[1], trial[0], side)
                if value > best:
                    best, move, said = value, (first, child, x), says
        first, child, x = move
        now[:, child] = said
        parents[slice(None) if paired else first, child] = x
        free.remove((first, child))
    return Anew(parents, scored)


def _says(counted: Counted, side: np.ndarray, net: int, child: int, parents: tuple[int, ...]) -> np.ndarray:
    """(S,) log-likelihood of every series by one family of a network."""
    counts = counted.family(child, parents, side)[net]
    return counted.log_likelihood(child, parents, log_parameters(counts, np.zeros_like(counts), "ml", EPS))

"""DAGs drawn from their posterior: orders by MCMC, and under each order a parent set of every child.

Friedman & Koller 2003: given an order the children choose their parents independently of each other, so a DAG is drawn
exactly. The prior is over orders, as in `engine.search.orders.posterior`: a DAG counts once for every order it allows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.execution import part, silent
from engine.search.orders.mcmc import OrderMCMC, explore, random_order, walk
from engine.search.orders.posterior import split_r_hat
from engine.search.orders.tables import Tables, over_subsets, space
from engine.search.problem import Problem

DRAWS = 250
"""DAGs of each chain."""
_WARMING = 5
"""A walk's first part, not counted: one step for so many that are."""
_HOPELESS = 25.0
"""A parent set this many nats below one of its own subsets, which may be had whenever it may, is never drawn."""


@dataclass(frozen=True, eq=False)
class DagSample:
    """DAGs, by position in the data.

    Attributes
    ----------
    arcs : (chains, draws, p, p) bool, whether a DAG has the arc [source, target]
    r_hat : split R-hat of the orders' worth; near 1 where the chains agree
    """

    arcs: np.ndarray
    r_hat: float


def draw_dags(search: OrderMCMC, problem: Problem, draws: int = DRAWS) -> DagSample:
    """Walk over orders and draw a DAG of every so many.

    Parameters
    ----------
    search : chains, steps and seed
    problem : data, score and knowledge
    draws : DAGs of each chain
    """
    progress = problem.progress
    explored = explore(search, problem, part(progress, 0.0, 0.5))
    p = len(explored.parents)
    families = [family.tables() for family in explored.families]
    tables, sets = space(families, summing=True), [_ParentSets.of(family, p) for family in families]
    generators = [np.random.default_rng(seed) for seed in np.random.SeedSequence([search.seed, 2]).spawn(search.chains)]
    orders = [explored.order, *(random_order(problem.allowed.required, generator) for generator in generators[1:])]
    every = max(search.steps // draws, 1)
    arcs = np.zeros((search.chains, draws, p, p), dtype=bool)
    totals = np.empty((search.chains, draws))
    for chain, (start, generator) in enumerate(zip(orders, generators, strict=True)):
        order = start.copy()
        walk(tables, order, generator, max(search.steps // _WARMING, 1), silent, "")
        for draw in range(draws):
            done = (chain * draws + draw) / (search.chains * draws)
            part(progress, 0.5, 1.0)(done, f"drawing networks: {chain * draws + draw} of {search.chains * draws}")
            totals[chain, draw] = walk(tables, order, generator, every, silent, "").totals[-1]
            for child, parents in _drawn(sets, order, generator):
                arcs[chain, draw, parents, child] = True
    back = np.argsort(problem.order) if p else np.empty(0, dtype=np.int64)
    return DagSample(arcs[:, :, back[:, None], back], split_r_hat(totals))


@dataclass(frozen=True, eq=False)
class _ParentSets:
    """The parent sets of one child that may be drawn: (k, p) members, the same as (k, w) words, and (k,) scores."""

    members: np.ndarray
    words: np.ndarray
    scores: np.ndarray

    @classmethod
    def of(cls, tables: Tables, p: int) -> _ParentSets:
        rows = np.arange(len(tables.alone))
        inside = np.zeros((len(rows), p), dtype=bool)
        inside[:, tables.candidates] = (rows[:, None] >> np.arange(len(tables.candidates))) & 1 == 1
        inside[:, list(tables.required)] = True
        best = over_subsets(tables.alone.copy(), np.maximum)
        wider = tables.wider.take(tables.outside, axis=1)
        best_wider = np.maximum(over_subsets(wider.copy(), np.maximum), best[:, None])
        hopeful = np.flatnonzero(np.isfinite(tables.alone) & (tables.alone >= best - _HOPELESS))
        row, place = np.nonzero(np.isfinite(wider) & (wider >= best_wider - _HOPELESS))
        joined = inside[row].copy()
        joined[np.arange(len(row)), tables.outside[place]] = True
        members = np.concatenate([inside[hopeful], joined])
        return cls(members, _words(members), np.concatenate([tables.alone[hopeful], wider[row, place]]))


def _words(members: np.ndarray) -> np.ndarray:
    """(k, p) flags as (k, w) words of 64 bits."""
    wide = np.pad(members, [(0, 0), (0, -members.shape[1] % 64)])
    return np.ascontiguousarray(np.packbits(wide, axis=1)).view(np.uint64)


def _drawn(
    sets: list[_ParentSets], order: np.ndarray, generator: np.random.Generator
) -> Iterator[tuple[int, np.ndarray]]:
    """A child and its parents, for all children, from their probabilities under an order."""
    later = np.ones(len(order), dtype=bool)
    chances = generator.random(len(order))
    for child, chance in zip(order.tolist(), chances, strict=True):
        own = sets[child]
        allowed = np.flatnonzero(~(own.words & _words(later[None])).any(axis=1))
        scores = own.scores[allowed]
        weight = np.cumsum(np.exp(scores - scores.max()))
        chosen = int(np.searchsorted(weight, chance * weight[-1], side="right"))
        yield child, np.flatnonzero(own.members[allowed[min(chosen, len(weight) - 1)]])
        later[child] = False

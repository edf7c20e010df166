"""How many patients are told something in tables without interaction: effects of the parents add up on the log odds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from engine.counting.design_effect import design_effect_of
from engine.counting.requests import family_table
from engine.data.dataset import Dataset
from engine.errors import SettingsError
from engine.execution import Progress, silent
from engine.methods.instance_specific.population import Parents, Population, learn_population, ordered
from engine.methods.instance_specific.settings import InstanceSpecificSettings
from engine.methods.instance_specific.solver import solver_of
from engine.methods.storing import storable
from engine.models.network import Network, fitted
from engine.resampling import repeat

RUNS, PATIENTS = 20, 200
"""Tables drawn where nobody asks for more or fewer, and rows of each that are looked at as patients."""
ROUNDS, CLOSE = 500, 1e-9
"""Rounds of proportional fitting at most, and the change of a share below which they end."""


@storable
@dataclass(frozen=True, eq=False)
class WithoutContext:
    """The share of patients who are told that a link is another for them, in tables without interaction.

    Attributes
    ----------
    shares : (runs,) of every table
    least : (runs,) the smallest corrected p of every table, over everything that could be asked of it
    origin : the data and settings that it belongs to
    """

    shares: np.ndarray
    least: np.ndarray
    origin: tuple[Any, ...]

    def p(self, least: float) -> float:
        """Share of tables without interaction that show as much: those whose smallest p is no larger, plus one."""
        return float((1 + (self.least <= least).sum()) / (1 + len(self.least)))

    @property
    def mean(self) -> float:
        """The mean share."""
        return float(self.shares.mean())

    @property
    def span(self) -> tuple[float, float]:
        """The smallest and the largest share."""
        return float(self.shares.min()), float(self.shares.max())

    def check(self, population: Population) -> None:
        """Nothing where this belongs to a population network of the same data and settings."""
        if self.origin != population.origin:
            raise SettingsError("These shares were worked out for other data or with other settings.")


def without_context(
    method: InstanceSpecificSettings, data: Dataset, population: Population, runs: int, jobs: int, progress: Progress
) -> WithoutContext:
    """Tables drawn from the population's arcs with additive distributions, learned and looked at as the real one is.

    As many rows are drawn as the real ones are worth: with subjects, their number divided by the design effect.
    """
    rows = ordered(data, None)
    size = max(2, round(data.n_rows / design_effect_of(rows)))
    task = partial(_one, method, additive(rows, population.parents), size)
    result = repeat(task, runs, method.seed, jobs=jobs, progress=progress, words="simulated tables without interaction")
    shares, least = np.array(result).T
    return WithoutContext(shares, least, population.origin)


def additive(rows: Dataset, parents: Parents) -> Network:
    """The network with these arcs whose distributions have no interaction: the main effects of the parents alone.

    For child X and parents Z1, Z2, ... the log-linear model [Z1 Z2 ...][X Z1][X Z2] ..., which is the multinomial
    logistic one with main effects, by iterative proportional fitting; half a row a level of X is spread over all cells.
    """
    result = fitted(rows, parents, 0.5)
    tables = list(result.tables)
    for child, family in enumerate(result.parents):
        if len(family) > 1:
            shape = [int(rows.arity[x]) for x in (*family, child)]
            configurations, seen = family_table(rows, child, family)
            counts = np.zeros(shape)
            counts[tuple(np.asarray(configurations).T)] = seen
            counts += 0.5 * shape[-1] / counts.size
            tables[child] = main_effects(counts).reshape(-1, shape[-1])
    return replace(result, tables=tuple(tables))


def main_effects(counts: np.ndarray) -> np.ndarray:
    """Shares of the last axis's levels given the others, their effects added on the log odds (maximum likelihood)."""
    last = counts.ndim - 1
    margins = [tuple(i for i in range(last) if i != axis) for axis in range(last)] + [(last,)]
    wanted = [counts.sum(axis=over, keepdims=True) for over in margins]
    shares = fitting = np.broadcast_to(counts.sum(axis=-1, keepdims=True) / counts.shape[-1], counts.shape)
    for _ in range(ROUNDS):
        for over, target in zip(margins, wanted, strict=True):
            fitting = fitting * (target / fitting.sum(axis=over, keepdims=True))
        previous, shares = shares, fitting / fitting.sum(axis=-1, keepdims=True)
        if np.abs(shares - previous).max() < CLOSE:
            break
    return np.asarray(shares)


def _one(
    method: InstanceSpecificSettings, network: Network, rows: int, seed: np.random.SeedSequence
) -> tuple[float, float]:
    """The share of the patients of one table who are told something, and the smallest p of all its questions."""
    drawn = network.sample(rows, np.random.default_rng(seed))
    population = learn_population(method, drawn, None, silent)
    solver = solver_of(method, population, drawn)
    patients = drawn.select(population.names).codes[:, :PATIENTS].T.astype(np.int64)
    sentences = [any(link.told for link in solver.links(solver.network(codes, silent), codes)) for codes in patients]
    return float(np.mean(sentences)), solver.questions.least

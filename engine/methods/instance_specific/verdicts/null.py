"""How many patients are told something in tables drawn from the population's network."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import SettingsError
from engine.execution import Progress, silent
from engine.methods.instance_specific.population import Population, learn_population, ordered
from engine.methods.instance_specific.settings import InstanceSpecificSettings
from engine.methods.instance_specific.solver import solver_of
from engine.methods.storing import storable
from engine.models.network import Network, fitted
from engine.resampling import repeat

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

RUNS, PATIENTS = 20, 200
"""Tables drawn where nobody asks for more or fewer, and rows of each that are looked at as patients."""


@storable
@dataclass(frozen=True, eq=False)
class WithoutContext:
    """The share of patients who are told that a link is another for them, in tables of the population's own network.

    Attributes
    ----------
    shares : (runs,) of every table
    origin : the data and settings that it belongs to
    """

    shares: np.ndarray
    origin: tuple[Any, ...]

    @property
    def mean(self) -> float:
        """The mean share."""
        return float(self.shares.mean())

    @property
    def span(self) -> tuple[float, float]:
        """The smallest and the largest share."""
        return float(self.shares.min()), float(self.shares.max())

    def check(self, population: Population) -> None:
        """Nothing where this belongs to a population network of the same data and settings.

        Parameters
        ----------
        population : the network

        Raises
        ------
        SettingsError : it belongs to other data or settings
        """
        if self.origin != population.origin:
            raise SettingsError("These shares were worked out for other data or with other settings.")


def without_context(
    method: InstanceSpecificSettings, data: Dataset, population: Population, runs: int, jobs: int, progress: Progress
) -> WithoutContext:
    """Tables of as many rows drawn from the fitted population network, learned and looked at as the real one is.

    Every row of the population's distributions is a free one there, so no parent stops mattering in any context but
    by the numbers that the real table has there.
    """
    network = fitted(ordered(data, None), population.parents, 0.5)
    once = partial(_one, method, network, data.n_rows)
    found = repeat(
        once, runs, method.seed, jobs=jobs, progress=progress, words="tables drawn from the population's network"
    )
    return WithoutContext(np.array(found), population.origin)


def _one(method: InstanceSpecificSettings, network: Network, rows: int, seed: np.random.SeedSequence) -> float:
    """The share of the patients of one table who are told something."""
    drawn = network.sample(rows, np.random.default_rng(seed))
    population = learn_population(method, drawn, None, silent)
    solver = solver_of(method, population, drawn)
    patients = drawn.select(population.names).codes[:, :PATIENTS].T.astype(np.int64)
    told = [any(link.told for link in solver.links(solver.network(codes, silent), codes)) for codes in patients]
    return float(np.mean(told))

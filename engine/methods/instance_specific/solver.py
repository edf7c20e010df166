"""One patient's network under one method, population network and tables; used for one patient after another."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.execution import Progress
from engine.graphs.pdag import Pdag
from engine.methods.instance_specific import published
from engine.methods.instance_specific.order_kept import NodeChoice, OrderKept
from engine.methods.instance_specific.population import Population
from engine.methods.instance_specific.predict import Factors, HeldOut
from engine.methods.instance_specific.settings import InstanceSpecificSettings
from engine.methods.storing import storable
from engine.models.elimination import sum_out
from engine.scores.instance import UNKNOWN, InstanceTables

if TYPE_CHECKING:
    from engine.data.dataset import Dataset


@storable
@dataclass(frozen=True, eq=False)
class Network:
    """A patient's network by position: the choice of every variable, a DAG, and in published mode its CPDAG."""

    choices: tuple[NodeChoice, ...]
    parents: tuple[tuple[int, ...], ...]
    cpdag: Pdag | None


class Solver:
    """The patient's network under one method, population network and tables; used for one patient after another."""

    def __init__(self, method: InstanceSpecificSettings, population: Population, tables: InstanceTables) -> None:
        self.method, self.population, self.tables = method, population, tables
        self.log_kappa = math.log(method.kappa)
        self.factors = Factors(tables)
        self.constraints = method.known().constraints(population.names)
        self._order_kept = (
            OrderKept(tables, population.order, self.log_kappa, self.constraints, method.additions)
            if method.mode == "order_kept"
            else None
        )

    def network(self, values: np.ndarray, progress: Progress) -> Network:
        """What every variable chose, and the graph that makes."""
        if self._order_kept is not None:
            choices = self._order_kept.choose(values)
            return Network(choices, tuple(choice.parents for choice in choices), None)
        values = self._met(values)
        cpdag, parents = published.search(
            self.tables, self.population, values, self.log_kappa, self.constraints, progress
        )
        return Network(published.choices(self.tables, parents, values, self.log_kappa), parents, cpdag)

    def ratio(self, network: Network, values: np.ndarray) -> np.ndarray:
        """(p,) terms of the log-likelihood ratio, in the order of the population's names."""
        if network.cpdag is None:
            return np.array([choice.gain if choice.changed else 0.0 for choice in network.choices])
        return published.ratio_terms(self.tables, network.parents, self.population, self._met(values))

    def _met(self, values: np.ndarray) -> np.ndarray:
        """Values that no row has count as unknown: the paper's score would else choose parents by the prior alone."""
        met = values.copy()
        met[list(unseen(self.tables, values))] = UNKNOWN
        return met

    def predict(
        self, network: Network, values: np.ndarray, leave_out: bool, target: str | None = None
    ) -> tuple[HeldOut, np.ndarray | None]:
        """The held-out log probability of a patient, and (2, r) shares of the target, the patient's network first.

        `leave_out`: the patient is a row of the table, and is taken out of all counts.
        """
        arity = self.tables.data.arity
        own = self.factors.of_patient(network.choices, values, leave_out)
        theirs = self.factors.of_population(self.population.parents, values, leave_out)
        keep = None if target is None else self.population.names.index(target)
        found = [sum_out(factors, arity, () if keep is None else (keep,)) for factors in (own, theirs)]
        logs = [math.nan if one is None else one[0] for one in found]
        known = int((values != UNKNOWN).sum())
        held_out = HeldOut(logs[0], logs[1], known, self.method.mode == "order_kept")
        if keep is None or found[0] is None or found[1] is None:
            return held_out, None
        return held_out, np.array([found[0][1], found[1][1]])


def solver_of(method: InstanceSpecificSettings, population: Population, data: Dataset) -> Solver:
    """The solver of these settings, kept beside the population network, so that patients and sliders share its work."""
    return population.keep(method, lambda: Solver(method, population, population.tables(method, data)))


def unseen(tables: InstanceTables, values: np.ndarray) -> tuple[int, ...]:
    """Variables whose value no row has."""
    codes = tables.data.codes
    return tuple(x for x, value in enumerate(values.tolist()) if value != UNKNOWN and not (codes[x] == value).any())

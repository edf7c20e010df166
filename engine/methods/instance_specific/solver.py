"""One patient's network under one method, population network and tables; used for one patient after another."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.counting import family_table
from engine.execution import Progress
from engine.graphs.pdag import Pdag
from engine.methods.instance_specific import published
from engine.methods.instance_specific.order_kept import NodeChoice, OrderKept
from engine.methods.instance_specific.population import Population
from engine.methods.instance_specific.predict import Factors, HeldOut, interval_of_shares
from engine.methods.instance_specific.settings import InstanceSpecificSettings
from engine.methods.instance_specific.verdicts.links import Link, links_of
from engine.methods.storing import storable
from engine.models.elimination import sum_out
from engine.scores.instance import UNKNOWN, InstanceTables, PopulationFamily

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
        self._wider: dict[tuple[int, tuple[int, ...]], PopulationFamily] = {}
        self._links: dict[object, tuple[Link, ...]] = {}
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

    def family_of(self, choice: NodeChoice) -> PopulationFamily:
        """A variable's rows by the configuration of all the parents that it has in either network."""
        own = self.tables.parents[choice.child]
        group = tuple(sorted({*own, *choice.population, *choice.parents}))
        if group == own:
            return self.tables.family(choice.child)
        key = (choice.child, group)
        if key not in self._wider:
            configurations, counts = family_table(self.tables.data, choice.child, group)
            possible = self.tables.configurations(group)
            self._wider[key] = PopulationFamily(group, possible, configurations, counts, np.empty(0))
        return self._wider[key]

    def links(self, network: Network, values: np.ndarray) -> list[Link]:
        """What may be said of every link of either network; empty in published mode, which has no probabilities."""
        codes = values.tolist()
        found: list[Link] = []
        for choice in network.choices if network.cpdag is None else ():
            family = self.family_of(choice)
            own = {x: codes[x] for x in family.parents}
            key = (choice.child, choice.parents, tuple(own.items()))
            if key not in self._links:
                self._links[key] = links_of(family, choice, own, self.method.margin)
            found += self._links[key]
        return found

    def expected(self, values: np.ndarray, target: str) -> np.ndarray | None:
        """(2, r) ends of the 95 % interval of the target's shares under the population's network."""
        generator = np.random.default_rng(self.method.seed)
        keep = self.population.names.index(target)
        return interval_of_shares(self.tables, self.population.parents, values, keep, generator)

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

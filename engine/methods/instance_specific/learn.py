"""One patient: her values, her network, and what it says about her."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from engine.errors import DataError
from engine.execution import Progress, part
from engine.methods.instance_specific import published
from engine.methods.instance_specific.order_kept import OrderKept
from engine.methods.instance_specific.population import Population, matching
from engine.methods.instance_specific.predict import Factors, HeldOut
from engine.methods.instance_specific.result import InstanceSpecificResult, Network
from engine.models.elimination import sum_out
from engine.scores.instance import UNKNOWN, InstanceTables, patient_codes

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.instance_specific.settings import InstanceSpecific, Patient


def run_one(
    method: InstanceSpecific,
    data: Dataset,
    instance: Patient,
    target: str | None,
    population: Population | None,
    progress: Progress,
) -> InstanceSpecificResult:
    """Learn the population network where it is not given, then the patient's."""
    row = row_number(data, instance)
    if target is not None:
        _refuse_constant(data, target, row)
    leave_out = row if target is not None else None
    population = matching(method, data, leave_out, population, part(progress, 0.0, 0.8))
    solver = solver_of(method, population, data)
    tables = solver.tables
    values, observed = patient_values(data, instance, population.names, target)
    progress(0.8, "the patient's network")
    network = solver.network(values, part(progress, 0.8, 1.0))
    held_out, prediction = solver.foresee(network, values, row is not None and target is None, target)
    progress(1.0, "done")
    return InstanceSpecificResult(
        method=method,
        names=data.names,
        levels=data.levels,
        row=row,
        target=target,
        observed_target=observed,
        n_rows=tables.data.n_rows,
        fingerprint=data.fingerprint,
        network_of_all=population,
        network=network,
        counted=tuple(tables.family(child) for child in range(len(population.names))),
        codes=dict(zip(population.names, values.tolist(), strict=True)),
        ratio=solver.ratio(network, values),
        held_out=held_out,
        predicted=prediction,
        unseen=tuple(population.names[x] for x in _unseen(tables, values)),
    )


class Solver:
    """The patient's network under one method, population network and tables; used for one patient after another."""

    def __init__(self, method: InstanceSpecific, population: Population, tables: InstanceTables) -> None:
        self.method, self.population, self.tables = method, population, tables
        self.log_kappa = math.log(method.kappa)
        self.factors = Factors(tables)
        self._order_kept = (
            OrderKept(tables, population.order, self.log_kappa, method.additions, method.max_parents)
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
            self.tables, self.population, values, self.log_kappa, self.method.max_parents, progress
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
        met[list(_unseen(self.tables, values))] = UNKNOWN
        return met

    def foresee(
        self, network: Network, values: np.ndarray, leave_out: bool, target: str | None = None
    ) -> tuple[HeldOut, np.ndarray | None]:
        """The held-out log probability of a patient, and (2, r) shares of the target in her network and in theirs.

        `leave_out`: she is a row of the table, and is taken out of all counts.
        """
        arity = self.tables.data.arity
        hers = self.factors.of_patient(network.choices, values, leave_out)
        theirs = self.factors.of_population(self.population.parents, values, leave_out)
        keep = None if target is None else self.population.names.index(target)
        found = [sum_out(factors, arity, () if keep is None else (keep,)) for factors in (hers, theirs)]
        logs = [math.nan if one is None else one[0] for one in found]
        known = int((values != UNKNOWN).sum())
        held_out = HeldOut(logs[0], logs[1], known, self.method.mode == "order_kept")
        if keep is None or found[0] is None or found[1] is None:
            return held_out, None
        return held_out, np.array([found[0][1], found[1][1]])


def solver_of(method: InstanceSpecific, population: Population, data: Dataset) -> Solver:
    """The solver of these settings, kept beside the population network, so that patients and sliders share its work."""
    return population.keep(method, lambda: Solver(method, population, population.tables(method, data)))


def row_number(data: Dataset, instance: Patient) -> int | None:
    """The row a patient is, checked; None for one given by her values."""
    if isinstance(instance, Mapping):
        return None
    if isinstance(instance, bool) or not isinstance(instance, int | np.integer):
        raise DataError(f"A patient is a row number or a table of name and value, not {type(instance).__name__}.")
    if not 0 <= instance < data.n_rows:
        raise DataError(f"There is no row {instance}; rows are numbered 0 to {data.n_rows - 1}.")
    return int(instance)


def patient_values(
    data: Dataset, instance: Patient, names: tuple[str, ...], target: str | None = None
) -> tuple[np.ndarray, str | None]:
    """(p,) codes in the order of `names`, the target blanked, and the target's true level where it was known."""
    row = data.codes[:, instance] if not isinstance(instance, Mapping) else patient_codes(data, instance)
    codes = row.astype(np.int64)
    observed = None
    if target is not None:
        code = codes[data.index(target)]
        observed = None if code == UNKNOWN else data.levels[target][code]
        codes[data.index(target)] = UNKNOWN
    return codes[[data.index(name) for name in names]], observed


def _refuse_constant(data: Dataset, target: str, row: int | None) -> None:
    column = data.column(target)
    if row is not None:
        column = np.delete(column, row)
    if column.size and (column == column[0]).all():
        level = data.levels[target][column[0]]
        others = "other " if row is not None else ""
        raise DataError(
            f"All {others}rows have {target} = {level}, so there is nothing to predict; choose another target.",
            column=target,
        )


def _unseen(tables: InstanceTables, values: np.ndarray) -> tuple[int, ...]:
    """Variables whose value no row has."""
    codes = tables.data.codes
    return tuple(x for x, value in enumerate(values.tolist()) if value != UNKNOWN and not (codes[x] == value).any())

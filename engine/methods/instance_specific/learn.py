"""One patient: the known values, the network, and what it says about the patient."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.data.table_rows import code_patient
from engine.errors import DataError
from engine.execution import Progress, part
from engine.methods.instance_specific.population import Population, matching
from engine.methods.instance_specific.result import InstanceSpecificResult
from engine.methods.instance_specific.settings import InstanceSpecificSettings
from engine.methods.instance_specific.solver import solver_of, unseen
from engine.methods.instance_specific.subjects import made_of
from engine.scores.instance import UNKNOWN

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

Patient = Any
"""A row number, or a patient's known values: a dictionary by name, a row of a pandas table, or a table of one row.

Values are levels or what a file would hold; see `engine.data.table_rows.code_patient`.
"""


def run_one(
    method: InstanceSpecificSettings,
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
    values, observed, not_known = patient_values(data, instance, population.names, target)
    progress(0.8, "the patient's network")
    network = solver.network(values, part(progress, 0.8, 1.0))
    held_out, prediction = solver.predict(network, values, row if target is None else None, target)
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
        unseen=tuple(population.names[x] for x in unseen(tables, values)),
        made=made_of(data),
        not_known=not_known,
        wider={
            population.names[choice.child]: solver.family_of(choice)
            for choice in network.choices
            if not set(choice.parents) <= set(choice.population)
        },
        answered=None
        if network.cpdag is not None
        else tuple(solver.links(network, values, solver.subject_of(row if target is None else None))),
        divided_by=solver.by,
        expected=None if target is None else solver.expected(values, target),
    )


def row_number(data: Dataset, instance: Patient) -> int | None:
    """The row a patient is, checked; None for one given by values."""
    if isinstance(instance, Mapping) or hasattr(instance, "items"):
        return None
    if isinstance(instance, bool) or not isinstance(instance, int | np.integer):
        raise DataError(f"A patient is a row number or a table of name and value, not {type(instance).__name__}.")
    if not 0 <= instance < data.n_rows:
        raise DataError(f"There is no row {instance}; rows are numbered 0 to {data.n_rows - 1}.")
    return int(instance)


def patient_values(
    data: Dataset, instance: Patient, names: tuple[str, ...], target: str | None = None
) -> tuple[np.ndarray, str | None, tuple[str, ...]]:
    """(p,) codes in the order of `names`, the target blanked; its true level where known; what else is not known."""
    not_known: tuple[str, ...] = ()
    if row_number(data, instance) is None:
        codes, not_known = code_patient(data, instance)
    else:
        codes = data.store.some(np.array([instance]))[:, 0].astype(np.int64)
    observed = None
    if target is not None:
        code = codes[data.index(target)]
        observed = None if code == UNKNOWN else data.levels[target][code]
        codes[data.index(target)] = UNKNOWN
    return codes[[data.index(name) for name in names]], observed, not_known


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

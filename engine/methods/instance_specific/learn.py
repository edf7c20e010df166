"""The run for one patient, and for many at once: who shares which links, and which patients are alike."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from engine import execution
from engine.counting.design_effect import design_effect_of
from engine.counting.requests import level_counts
from engine.data.dataset import Dataset
from engine.data.rows.relations import FEWEST
from engine.data.store import remote_refusal
from engine.data.table_rows import code_patient, number_values, rows_of_subject, table_rows
from engine.errors import DataError
from engine.execution import Progress, part, silent
from engine.graphs.dag import bits
from engine.graphs.pdag import Pdag
from engine.lazy import pd
from engine.methods.cost import Size
from engine.methods.evidence import RunRecord
from engine.methods.instance_specific.cohort_evidence import ABSENT, ADDED, DROPPED, KEPT, REVERSED, CohortEvidence
from engine.methods.instance_specific.evidence import InstanceEvidence
from engine.methods.instance_specific.links import Difference
from engine.methods.instance_specific.patient_numbers import outer_values, patient_numbers, patient_scales, regressed
from engine.methods.instance_specific.population import Population, matching, population_seconds
from engine.methods.instance_specific.settings import InstanceSpecificSettings
from engine.methods.instance_specific.solver import Network, Solver, solver_of, unseen
from engine.methods.instance_specific.unusual import tables_of_others
from engine.scores.instance import UNKNOWN
from engine.telling.subjects import few_subjects, together

Patient = Any
"""A row number, or a patient's known values: a dictionary by name, a row of a pandas table, or a table of one row.

Values are levels or what a file would hold; see `engine.data.table_rows.code_patient`.
"""


def run_patient(
    method: InstanceSpecificSettings,
    data: Dataset,
    instance: Patient,
    target: str | None,
    population: Population | None,
    progress: Progress,
) -> InstanceEvidence:
    """Learn the population network where it is not given, then the patient's."""
    row = row_number(data, instance)
    if target is not None:
        _refuse_constant(data, target, row)
    leave_out = row if target is not None else None
    population = matching(method, data, leave_out, population, part(progress, 0.0, 0.8))
    solver = solver_of(method, population, data)
    tables = solver.tables
    values, observed, not_known = patient_values(data, instance, population.names, target)
    progress(0.8, "learning the patient's network")
    network = solver.network(values, part(progress, 0.8, 1.0))
    held_out, prediction = solver.predict(network, values, row if target is None else None, target)
    counts, own = population.counts(data), solver.left_out(row if target is None else None)
    by_name = dict(zip(population.names, values.tolist(), strict=True))
    numbers = patient_numbers(data, instance, row, by_name, target)
    high, low, every = outer_values(data, numbers, by_name)
    own_rows = np.array([], int) if row is None else rows_of_subject(data, row)
    shares = None
    if target is not None and any(number.far for number in numbers):  # its level says too little of it
        shares = regressed(data, target, own_rows, by_name, {number.name: number.value for number in numbers})
    progress(1.0, "done")
    return InstanceEvidence(
        method=method,
        names=data.names,
        levels=data.levels,
        row=row,
        numbers=numbers,
        outer=(len(high), len(low), every),
        outermost=max(high, low, key=len),
        scales=patient_scales(data, by_name),
        regressed=shares,
        table_row=None if row is None else int(table_rows(data, np.array([row]))[0]),
        target=target,
        observed_target=observed,
        n_rows=tables.data.n_rows,
        fingerprint=data.fingerprint,
        network_of_all=population,
        network=network,
        counted=tuple(tables.family(child) for child in range(len(population.names))),
        codes=by_name,
        ratio=solver.ratio(network, values),
        held_out=held_out,
        predicted=prediction,
        unseen=tuple(population.names[x] for x in unseen(tables, values)),
        made=provenance_of(data),
        not_known=not_known,
        answered=None
        if network.cpdag is not None
        else tuple(solver.links(network, values, solver.subject_of(row if target is None else None))),
        divided_by=solver.by,
        population_tables=None
        if counts is None
        else tables_of_others(
            counts, population.parents, np.zeros((len(values), 0), int) if own is None else own.codes
        ),
        expected=None if target is None else solver.expected(values, target),
        expected_here=None if target is None else solver.expected(values, target, network.choices),
    )


def provenance_of(data: Dataset) -> RunRecord:
    """Where an answer comes from, with what the rows of a subject are worth."""
    provenance, counted = RunRecord.of(data), data.subject_count
    if counted is None:
        return provenance
    text = few_subjects(data.subject_column, counted.subjects, FEWEST)
    if not counted.too_few:
        effective_rows = data.n_rows / design_effect_of(data)
        text = together(data.subject_column, data.n_rows, counted.subjects, effective_rows, counted.alone)
    return replace(provenance, rows=(text, *provenance.rows))


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
    place = data.index(target)
    rows = level_counts(data)[place].copy()
    if row is not None:
        rows[data.store.some(np.array([row]))[place, 0]] -= 1
    if np.count_nonzero(rows) == 1:
        level = data.levels[target][int(rows.argmax())]
        others = "other " if row is not None else ""
        raise DataError(
            f"All {others}rows have {target} = {level}, so there is nothing to predict; choose another target.",
            column=target,
        )


Arc = tuple[int, int]
_PATIENT = 1.2e-5
"""Seconds of a patient for every variable."""
_BLOCK = 64
"""Patients solved together: their sums are formed first, so that the number of workers changes no bit."""


def run_cohort(
    method: InstanceSpecificSettings,
    data: Dataset,
    instances: Iterable[Patient] | None,
    population: Population | None,
    jobs: int,
    progress: Progress,
) -> CohortEvidence:
    """Solve every patient against one population network; blocks of patients are independent pieces of work."""
    if instances is None and not data.in_memory:
        raise remote_refusal(data.store, "A cohort of all rows")
    patients = _each(data, instances)
    if not patients:
        raise DataError("There are no patients in the cohort; choose at least one row.")
    rows = [row_number(data, patient) for patient in patients]
    seconds = 0.0 if population is not None else population_seconds(method, Size.of(data))
    learned = seconds / (seconds + _PATIENT * data.n_variables * len(patients))
    population = matching(method, data, None, population, part(progress, 0.0, learned))
    values = np.empty((len(patients), data.n_variables), dtype=np.int32)  # narrow: it stays beside the result
    for i, patient in enumerate(patients):  # what a value is not known for, a single patient's result says
        values[i] = patient_values(data, patient, population.names)[0]
    numbers = np.array([-1 if row is None else row for row in rows])
    blocks = [(values[i : i + _BLOCK], numbers[i : i + _BLOCK]) for i in range(0, len(patients), _BLOCK)]
    size = 1 if jobs == 1 else -(-len(blocks) // (4 * jobs))  # few pieces: every other process counts anew for each
    pieces = [blocks[i : i + size] for i in range(0, len(blocks), size)]
    solve = partial(_solve, method, population, data)
    rest = part(progress, learned, 1.0)
    solved = execution.map(solve, pieces, jobs=jobs, progress=rest, words="groups of patients")
    result = [block for piece in solved for block in piece]
    ratios, gains = (np.concatenate([getattr(block, name) for block in result]) for name in ("ratios", "gains"))
    place = {name: i for i, name in enumerate(data.names)}
    seen = {arc for block in result for arc in block.arcs}
    arcs = sorted(seen, key=lambda arc: [place[population.names[x]] for x in arc])
    status = np.concatenate([block.over(arcs) for block in result])
    likely = np.array([_mean([block.likely.get(arc, (0.0, 0)) for block in result]) for arc in arcs])
    counted: dict[Hashable, Difference] = {}
    for block in result:
        for difference in block.differences:
            _count(counted, difference)
    differs = np.array([[arc in own for arc in arcs] for block in result for own in block.told], dtype=bool)
    return CohortEvidence(
        method=method,
        names=data.names,
        levels=data.levels,
        patients=tuple(f"patient {i + 1}" if row is None else row for i, row in enumerate(rows)),
        n_rows=data.n_rows,
        fingerprint=data.fingerprint,
        network_of_all=population,
        values=values,
        arcs=tuple((population.names[a], population.names[b]) for a, b in arcs),
        status=status,
        probabilities=likely,
        told=differs.reshape(status.shape),
        ratios=ratios,
        held_out_gains=gains,
        made=provenance_of(data),
        numbers=_numbers(data, patients, rows),
        units=data.units,
        differences=tuple(sorted(counted.values(), key=lambda found: (-found.patients, found.source, found.child))),
        least_p=1.0 if method.mode == "published" else solver_of(method, population, data).questions.least,
    )


def _numbers(data: Dataset, patients: Sequence[Patient], rows: Sequence[int | None]) -> dict[str, np.ndarray]:
    """Name -> (patients,) their numbers, NaN where there is none; nothing where the rows are only counted."""
    if not data.in_memory or not data.numbers:
        return {}
    if None not in rows:
        return {name: numbers.column[np.array(rows)] for name, numbers in data.numbers.items()}
    known = [number_values(data, patient, row) for patient, row in zip(patients, rows, strict=True)]
    return {name: np.array([values.get(name, math.nan) for values in known]) for name in data.numbers}


def predict_patients(
    method: InstanceSpecificSettings,
    data: Dataset,
    patients: pd.DataFrame,
    target: str,
    population: Population | None,
    progress: Progress,
) -> pd.DataFrame:
    """The target of new patients by the network of each, learned with the target blanked."""
    if not hasattr(patients, "iloc"):
        raise DataError(
            f"predict is asked of a pandas table with a patient a row, not of {type(patients).__name__}; for a row of "
            "the data itself use run(data, row, target=...), which leaves that row out."
        )
    _refuse_constant(data, target, None)
    given = _each(data, patients)
    population = matching(method, data, None, population, part(progress, 0.0, 0.8))
    solver, levels = solver_of(method, population, data), data.levels[target]
    rows = []
    for number, patient in enumerate(given):
        progress(0.8 + 0.2 * number / len(given), "learning patients' networks")
        values, observed, _ = patient_values(data, patient, population.names, target)
        _, shares = solver.predict(solver.network(values, silent), values, None, target)
        own, theirs = np.full((2, len(levels)), np.nan) if shares is None else shares
        best = None if shares is None else levels[int(own.argmax())]
        rows.append((observed, best, *own.tolist(), *theirs.tolist()))
    progress(1.0, "done")
    columns = ["observed", "class", *(f"p({x})" for x in levels), *(f"population p({x})" for x in levels)]
    return pd.DataFrame(rows, index=patients.index, columns=columns)


def _each(data: Dataset, instances: Any) -> list[Patient]:
    """The patients one by one: all rows, those named, or the rows of a pandas table of values."""
    if instances is None:
        return list(range(data.n_rows))
    if hasattr(instances, "columns"):
        return [instances.iloc[[i]] for i in range(len(instances))]  # a table of one row keeps the columns' types
    return list(instances)


@dataclass(frozen=True, eq=False)
class _Block:
    """Some patients solved: (b, arcs) status of the arcs that any of them or the population has, (b,) log ratios and
    held-out gains, the sum of the posteriors of every arc and how many patients it was asked for, and for every
    patient the links that are sure to be different; the same by context."""

    arcs: tuple[Arc, ...]
    status: np.ndarray
    ratios: np.ndarray
    gains: np.ndarray
    likely: dict[Arc, tuple[float, int]]
    told: list[set[Arc]]
    differences: list[Difference]

    def over(self, arcs: Sequence[Arc]) -> np.ndarray:
        """(b, arcs) the status of more arcs, absent where no patient here has them."""
        place = {arc: i for i, arc in enumerate(arcs)}
        result = np.full((len(self.status), len(arcs)), ABSENT, dtype=np.int8)
        result[:, [place[arc] for arc in self.arcs]] = self.status
        return result


def _solve(
    method: InstanceSpecificSettings, population: Population, data: Dataset, blocks: list[tuple[np.ndarray, np.ndarray]]
) -> list[_Block]:
    """Solve blocks of patients, each (b, p) codes and (b,) which row of the table a patient is, -1 for none."""
    solver = solver_of(method, population, data)
    return [_solve_block(solver, *block) for block in blocks]


def _solve_block(solver: Solver, values: np.ndarray, numbers: np.ndarray) -> _Block:
    ratios, gains = np.empty(len(values)), np.empty(len(values))
    statuses: list[dict[Arc, int]] = []
    likely: dict[Arc, tuple[float, int]] = {}
    told: list[set[Arc]] = []
    differences: dict[Hashable, Difference] = {}
    for i, codes in enumerate(values):
        row = None if numbers[i] < 0 else int(numbers[i])
        network = solver.network(codes, silent)
        statuses.append(arc_status(solver.population, network))
        ratios[i] = solver.ratio(network, codes).sum()
        gains[i] = solver.predict(network, codes, row)[0].gain
        links = solver.links(network, codes, solver.subject_of(row))
        told.append({(link.source, link.child) for link in links if link.told})
        for link in links:
            if link.told and link.compared is not None:
                ends = solver.population.names[link.source], solver.population.names[link.child]
                known = {solver.population.names[x]: int(codes[x]) for x in link.beside if codes[x] != UNKNOWN}
                _count(differences, Difference(*ends, known, link.word, link.compared.here, link.compared.others, 1))
        for link in links:
            if link.weighed:
                previous, many = likely.get((link.source, link.child), (0.0, 0))
                likely[link.source, link.child] = previous + link.applies, many + 1
    arcs = tuple(sorted(set().union(*statuses)))
    result = np.array([[status.get(arc, ABSENT) for arc in arcs] for status in statuses], dtype=np.int8)
    return _Block(arcs, result.reshape(len(values), len(arcs)), ratios, gains, likely, told, list(differences.values()))


def _count(counted: dict[Hashable, Difference], found: Difference) -> None:
    """Add the patients of a difference to those of the same link and context."""
    key = found.source, found.child, tuple(sorted(found.given.items()))
    counted[key] = found if key not in counted else replace(found, patients=counted[key].patients + found.patients)


def _mean(parts: list[tuple[float, int]]) -> float:
    """The mean of sums with how many terms each has; NaN where nobody was asked."""
    many = sum(number for _, number in parts)
    return sum(total for total, _ in parts) / many if many else math.nan


def arc_status(population: Population, network: Network) -> dict[Arc, int]:
    """(source, target) -> what the arc is to a patient; an edge without a direction stands at its lower end.

    In published mode an edge whose direction differs is `REVERSED`, at the place it has in the patient's network.
    """
    if network.cpdag is None:
        status = {(x, child): KEPT for child, group in enumerate(population.parents) for x in group}
        for choice in network.choices:
            if choice.changed:
                status |= {(x, choice.child): DROPPED for x in choice.population if x not in choice.parents}
                status |= {(x, choice.child): ADDED for x in choice.parents if x not in choice.population}
        return status
    arcs_of_all, after = _both_ways(population.cpdag), _both_ways(network.cpdag)
    status = {}
    for a, b in _single(after):
        linked = (a, b) in arcs_of_all, (b, a) in arcs_of_all
        status[a, b] = ADDED if not any(linked) else KEPT if linked == (True, (b, a) in after) else REVERSED
    for a, b in _single(arcs_of_all):
        if (a, b) not in after and (b, a) not in after:
            status[a, b] = DROPPED
    return status


def _both_ways(graph: Pdag) -> set[Arc]:
    """The arcs of a CPDAG, an edge without a direction both ways."""
    return {(i, j) for i in range(graph.n_variables) for j in bits(graph.children[i] | graph.neighbours[i])}


def _single(arcs: set[Arc]) -> list[Arc]:
    """Every edge once: both-way pairs only at the lower end."""
    return [(a, b) for a, b in arcs if a < b or (b, a) not in arcs]

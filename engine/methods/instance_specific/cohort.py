"""Many patients at once: who shares which links, and which patients are alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from engine import execution
from engine.errors import DataError
from engine.execution import Progress, part, silent
from engine.methods.instance_specific.cohort_result import ABSENT, ADDED, DROPPED, KEPT, REVERSED, CohortResult
from engine.methods.instance_specific.learn import patient_values, row_number, solver_of
from engine.methods.instance_specific.population import Population, matching
from engine.methods.instance_specific.result import Network

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.instance_specific.settings import InstanceSpecific, Patient

_BLOCK = 64
"""Patients solved between two reports of progress; a block shares its memo."""


def run_cohort(
    method: InstanceSpecific,
    data: Dataset,
    instances: Iterable[Patient] | None,
    population: Population | None,
    jobs: int,
    progress: Progress,
) -> CohortResult:
    """Solve every patient against one population network; blocks of patients are independent pieces of work."""
    patients: list[Patient] = list(range(data.n_rows)) if instances is None else list(instances)
    if not patients:
        raise DataError("There are no patients in the cohort; choose at least one row.")
    rows = [row_number(data, patient) for patient in patients]
    population = matching(method, data, None, population, part(progress, 0.0, 0.3))
    values = np.array([patient_values(data, patient, population.names)[0] for patient in patients])
    in_table = np.array([row is not None for row in rows])
    size = _BLOCK if jobs == 1 else min(1024, max(_BLOCK, -(-len(patients) // (4 * jobs))))
    blocks = [(values[i : i + size], in_table[i : i + size]) for i in range(0, len(patients), size)]
    solve = partial(_solve, method, population, data)
    found = execution.map(
        solve, blocks, jobs=jobs, progress=part(progress, 0.3, 1.0), words=f"{len(patients):,} patients, blocks"
    )
    ratios, gains = (np.concatenate([getattr(block, name) for block in found]) for name in ("ratios", "gains"))
    place = {name: i for i, name in enumerate(data.names)}
    seen = {arc for block in found for arc in block.arcs}
    arcs = sorted(seen, key=lambda arc: [place[population.names[x]] for x in arc])
    status = np.concatenate([block.over(arcs) for block in found])
    likely = np.sum([block.likely for block in found], axis=0) / len(patients)
    return CohortResult(
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
        probabilities=np.array([likely[arc] for arc in arcs]),
        ratios=ratios,
        held_out_gains=gains,
    )


@dataclass(frozen=True, eq=False)
class _Block:
    """Some patients solved: (b, arcs) status of the arcs that any of them or the population has, (b,) log ratios and
    held-out gains, and (p, p) the sum of the posteriors of every arc."""

    arcs: tuple[tuple[int, int], ...]
    status: np.ndarray
    ratios: np.ndarray
    gains: np.ndarray
    likely: np.ndarray

    def over(self, arcs: Sequence[tuple[int, int]]) -> np.ndarray:
        """(b, arcs) the status of more arcs, absent where no patient here has them."""
        place = {arc: i for i, arc in enumerate(arcs)}
        found = np.full((len(self.status), len(arcs)), ABSENT, dtype=np.int8)
        found[:, [place[arc] for arc in self.arcs]] = self.status
        return found


def _solve(
    method: InstanceSpecific, population: Population, data: Dataset, patients: tuple[np.ndarray, np.ndarray]
) -> _Block:
    """Solve some patients, given by (b, p) codes and whether each is a row of the table."""
    solver = solver_of(method, population, data)
    values, in_table = patients
    p = len(population.names)
    status = np.full((len(values), p, p), ABSENT, dtype=np.int8)
    ratios, gains, likely = np.empty(len(values)), np.empty(len(values)), np.zeros((p, p))
    for i, codes in enumerate(values):
        network = solver.network(codes, silent)
        status[i] = arc_status(population, network)
        ratios[i] = solver.ratio(network, codes).sum()
        gains[i] = solver.foresee(network, codes, bool(in_table[i]))[0].gain
        for choice in network.choices:
            for x, probability in choice.arc_probabilities.items():
                likely[x, choice.child] += probability
    sources, targets = np.nonzero((status != ABSENT).any(axis=0))
    arcs = tuple(zip(sources.tolist(), targets.tolist(), strict=True))
    return _Block(arcs, status[:, sources, targets], ratios, gains, likely)


def arc_status(population: Population, network: Network) -> np.ndarray:
    """(p, p) what every arc [source, target] is to a patient; an edge without a direction stands at its lower end.

    In published mode an edge whose direction differs is `REVERSED`, at the place it has in the patient's network.
    """
    p = len(population.names)
    before, after = np.zeros((p, p), dtype=bool), np.zeros((p, p), dtype=bool)
    if network.cpdag is None:
        for child in range(p):
            before[list(population.parents[child]), child] = True
            after[list(network.parents[child]), child] = True
    else:
        for graph, out in ((population.cpdag, before), (network.cpdag, after)):
            for i in range(p):
                for j in range(p):
                    out[i, j] = (graph.children[i] | graph.neighbours[i]) >> j & 1
    near_before, near_after = before | before.T, after | after.T
    alike = (before == after) & (before.T == after.T)
    shown = _single(after)
    status = np.full((p, p), ABSENT, dtype=np.int8)
    status[_single(before) & ~near_after] = DROPPED
    status[shown & alike] = KEPT
    status[shown & ~alike & near_before] = REVERSED
    status[shown & ~near_before] = ADDED
    return status


def _single(arcs: np.ndarray) -> np.ndarray:
    """Every edge once: both-way pairs only at the lower end."""
    found: np.ndarray = arcs & ~(np.tril(arcs) & arcs.T)
    return found

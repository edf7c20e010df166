"""The paper's own search: GES2, that is GES with the IS-Score and kappa, begun at the population's CPDAG.

Pa_pop is read from the directed part of the CPDAG, as the authors' program does; only so do the paper's tables come
out. Where the patient's graph and the population's disagree about a direction the score counts a
dependence twice, which is why this mode is shown with a warning and its ratio with the share that comes from such arcs.
"""

from __future__ import annotations

import numpy as np

from engine.execution import Progress
from engine.graphs.pdag import Pdag
from engine.methods.instance_specific.parent_choices import NodeChoice
from engine.methods.instance_specific.population import Population, member
from engine.methods.instance_specific.subjects import score_of_patient
from engine.scores.instance import UNKNOWN, InstanceTables
from engine.search.constraints import Constraints
from engine.search.equivalence import ges

Parents = tuple[tuple[int, ...], ...]
PARTS = ("reversed arcs", "undirected edges", "dropped arcs", "added arcs")


def search(
    tables: InstanceTables,
    population: Population,
    values: np.ndarray,
    log_kappa: float,
    known: Constraints,
    progress: Progress,
) -> tuple[Pdag, Parents]:
    """The patient's CPDAG and one DAG of it; a variable whose value is unknown gains no arc."""
    p = len(population.names)
    met = values != UNKNOWN
    allowed = met[None, :] & met[:, None] & known.allowed
    near = np.array([[population.cpdag.adjacent(i) >> j & 1 for j in range(p)] for i in range(p)], dtype=bool)
    constraints = Constraints(allowed | (near & known.allowed), known.required, known.max_parents)
    result = ges(score_of_patient(tables, values, log_kappa), constraints, progress, start=population.cpdag)
    return result, member(result)


def choices(tables: InstanceTables, parents: Parents, values: np.ndarray, log_kappa: float) -> tuple[NodeChoice, ...]:
    """What every variable of the patient's DAG gains over the population's directed parents."""
    score, charged = score_of_patient(tables, values), score_of_patient(tables, values, log_kappa)
    codes = tables.data.codes
    result = []
    for child, group in enumerate(parents):
        gain = score.local(child, group) - tables.plain(child)
        cost = charged.cost(child, group)
        known = [x for x in group if values[x] != UNKNOWN]
        agree = score.match[known].all(axis=0) if known else np.ones(tables.data.n_rows, dtype=bool)
        cases = np.bincount(codes[child][agree], minlength=int(tables.data.arity[child]))
        result.append(NodeChoice(child, tables.parents[child], group, gain, cost, cases))
    return tuple(result)


def ratio_terms(tables: InstanceTables, patient: Parents, population: Population, values: np.ndarray) -> np.ndarray:
    """(p,) terms of equation 14: IS-Score of the patient's DAG minus that of the population's, by variable."""
    score = score_of_patient(tables, values)
    return np.array(
        [
            score.local(child, own) - score.local(child, other)
            for child, (own, other) in enumerate(zip(patient, population.parents, strict=True))
        ]
    )


def ratio_part(child: int, patient: Parents, population: Population) -> str:
    """Where a variable's term of equation 14 comes from: the first of `PARTS` that holds for its arcs."""
    own, other = set(patient[child]), set(population.parents[child])
    lost, gained = other - own, own - other
    turned_in = any(child in population.parents[x] for x in gained)
    turned_out = any(child in patient[x] for x in lost)
    if turned_in or turned_out:
        return PARTS[0]
    if population.cpdag.neighbours[child]:
        return PARTS[1]
    return PARTS[2] if lost and not gained else PARTS[3] if gained else PARTS[2]

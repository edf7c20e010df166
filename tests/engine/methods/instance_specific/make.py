"""Small tables with known contexts."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

import engine
from engine.methods.instance_specific.parent_choices import NodeChoice
from engine.methods.instance_specific.result import InstanceSpecificResult
from engine.methods.instance_specific.solver import solver_of
from engine.scores.instance import UNKNOWN, InstanceScore, InstanceTables

NAMES = ["X0", "X1", "X2", "X3", "X4", "X5"]
ARCS = {("X0", "X2"), ("X1", "X2"), ("X2", "X3"), ("X3", "X5"), ("X4", "X5")}


def figure_one(rows: int = 800, seed: int = 4) -> engine.Dataset:
    """After figure 1 of the paper: X0 = 0 makes X1 irrelevant to X2, X3 = 1 makes X4 irrelevant to X5; all binary."""
    rng = np.random.default_rng(seed)
    x0, x1, x4 = (rng.random(rows) < 0.5 for _ in range(3))
    x2 = rng.random(rows) < np.where(~x0, 0.7, np.where(x1, 0.98, 0.1))
    x3 = rng.random(rows) < np.where(x2, 0.8, 0.2)
    x5 = rng.random(rows) < np.where(x3, 0.65, np.where(x4, 0.95, 0.05))
    return engine.Dataset.from_codes(np.array([x0, x1, x2, x3, x4, x5]).astype(int), [2] * 6, NAMES)


def true_drops(patient: dict[str, str]) -> set[tuple[str, str]]:
    """The arcs that do not apply to a patient of `figure_one`."""
    dropped = set()
    if patient["X0"] == "0":
        dropped.add(("X1", "X2"))
    if patient["X3"] == "1":
        dropped.add(("X4", "X5"))
    return dropped


def all_patients() -> list[dict[str, str]]:
    """The 64 patients there can be."""
    return [dict(zip(NAMES, values, strict=True)) for values in itertools.product("01", repeat=6)]


def all_cases(data: engine.Dataset) -> engine.Dataset:
    """Every cell of a table's joint distribution once."""
    cells = list(itertools.product(*[range(int(levels)) for levels in data.arity]))
    return engine.Dataset.from_codes(np.array(cells).T, data.levels, data.names)


TINY = 1e-300
"""For the pseudo-counts of a population row that went to the patient's row whole: it has no rows left either."""


def log_probabilities(
    tables: InstanceTables, choices: Sequence[NodeChoice], values: np.ndarray, cases: np.ndarray
) -> np.ndarray:
    """(n,) log probability of (p, n) whole cases under one patient's network.

    A case that agrees with the patient on Pa_IS of a variable takes the row of parameters of the similar cases, any
    other case the population's row, learned from the rows that do not agree. In order-kept mode this is a proper
    distribution; where an arc is turned it need not be.
    """
    result = np.zeros(cases.shape[1])
    score = InstanceScore(tables, values)
    for choice in choices:
        family = tables.family(choice.child)
        own = list(choice.parents)
        shared = UNKNOWN not in values[own] and (own or tables.empty == "all_rows") and choice.changed
        agree = (cases[own] == values[own, None]).all(axis=0) if shared else np.zeros(cases.shape[1], dtype=bool)
        matched = score.matched(choice.child, choice.parents) if shared else np.zeros_like(family.counts)
        prior = tables.shared_prior(choice.child, own)
        row = (matched.sum(axis=0) + prior / matched.shape[1]) / (matched.sum() + prior)
        result[agree] += np.log(row[cases[choice.child][agree]])
        left = family.counts - matched
        plain = tables.ess / family.possible  # BDeu, where the family is the population's as it stands
        priors = np.full((len(left), 1), tables.population_prior(choice.child) if choice.changed else plain)
        if shared:
            priors = np.maximum(score.remaining_priors(choice.child, choice.parents)[:, None], TINY)
        shares = (left + priors / left.shape[1]) / (left.sum(axis=1, keepdims=True) + priors)
        number = {tuple(configuration): j for j, configuration in enumerate(family.configurations.tolist())}
        shares = np.vstack([shares, np.full(left.shape[1], 1 / left.shape[1])])  # the last: no such row was seen
        which = [number.get(tuple(item), -1) for item in cases[list(family.parents)].T.tolist()]
        result += np.where(agree, 0.0, np.log(shares[which, cases[choice.child]]))
    return result


def log_probability(result: InstanceSpecificResult, data: engine.Dataset, cases: engine.Dataset) -> np.ndarray:
    """(n,) natural-log probability of whole cases under the patient's network, `data` those of the result."""
    tables = solver_of(result.method, result.network_of_all, data).tables
    values = np.array([result.codes[name] for name in result.network_of_all.names])
    codes = cases.select(result.network_of_all.names).codes
    return log_probabilities(tables, result.network.choices, values, codes)

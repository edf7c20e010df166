"""Random DAGs over normal variables with their true correlations, by the recipe of Luo, Moffa & Kuipers 2021."""

from __future__ import annotations

import numpy as np

import engine
from engine.graphs.dag import Parents
from engine.scores.ordinal import ExpectedGaussian
from engine.search.problem import Problem


def network(variables: int, seed: int, neighbours: float = 4.0) -> tuple[np.ndarray, Parents]:
    """(p, p) correlations, and parents: Erdos-Renyi, weights uniform on +-(0.4, 1), noise of variance 1."""
    rng = np.random.default_rng(seed)
    weights = np.zeros((variables, variables))
    order = rng.permutation(variables)
    for a in range(variables):
        for b in range(a):
            if rng.random() < neighbours / (variables - 1):
                weights[order[a], order[b]] = rng.uniform(0.4, 1) * rng.choice([-1, 1])
    spread = np.linalg.inv(np.eye(variables) - weights)
    covariance = spread @ spread.T
    sizes = np.sqrt(np.diag(covariance))
    parents = tuple(tuple(np.flatnonzero(row).tolist()) for row in weights)
    return covariance / sizes / sizes[:, None], parents


def nobody(variables: int) -> engine.Dataset:
    """Two rows of nothing, for the names alone."""
    names = [f"x{i:03d}" for i in range(variables)]
    return engine.Dataset.from_codes(np.zeros((variables, 2), dtype=np.uint8), [2] * variables, names)


def problem(
    matrix: np.ndarray, rows: int = 500, penalty: float = 3.0, knowledge: engine.Knowledge | None = None
) -> Problem:
    """The search for a DAG on a correlation matrix."""
    data = nobody(len(matrix))
    score = ExpectedGaussian(matrix, data.names, rows, penalty)
    return Problem(data, score, (knowledge or engine.Knowledge()).constraints(data.names))


def total(asked: Problem, parents: Parents) -> float:
    """The score of a DAG."""
    return sum(asked.bound.local(child, group) for child, group in enumerate(parents))

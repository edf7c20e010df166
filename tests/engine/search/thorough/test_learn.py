"""Searches against all graphs, pyAgrum, and twenty orders of columns."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from tests.engine.make import random_data
from tests.engine.search.test_learn import SEARCHES, all_dags


def peer_template(gum, data: engine.Dataset):  # type: ignore[no-untyped-def]
    """The peer's network that declares the levels, so that unobserved ones count there too."""
    net = gum.BayesNet()
    for name in data.names:
        net.add(gum.LabelizedVariable(name, name, list(data.levels[name])))
    return net


@pytest.mark.parametrize("score", [engine.K2(), engine.BDeu(1.0)])
@pytest.mark.parametrize("search", SEARCHES)
def test_twenty_column_orders_give_one_result(search: str, score: engine.K2 | engine.BDeu) -> None:
    """Ties go by name, so shuffling the columns finds the same arcs."""
    data = random_data(250, 8, 12, seed=4)
    rng = np.random.default_rng(0)
    found = set()
    for _ in range(20):
        shuffled = data.select(data.names[i] for i in rng.permutation(data.n_variables))
        found.add(frozenset(engine.learn(shuffled, score, search=search).edges))
    assert len(found) == 1


@pytest.mark.parametrize(("rows", "variables", "arcs"), [(1000, 10, 14), (2000, 20, 28), (500, 30, 40)])
def test_thick_thinning_equals_pyagrum(rows: int, variables: int, arcs: int) -> None:
    """Arc for arc the DAG of a C++ peer's K2 with greedy thick thinning."""
    gum = pytest.importorskip("pyagrum", reason="pyagrum is not installed")
    data = random_data(rows, variables, arcs, seed=rows)
    learner = gum.BNLearner(data.to_frame().astype(str), peer_template(gum, data))
    learner.useScoreK2()
    learner.useGreedyThickThinning()
    dag = learner.learnDAG()
    theirs = {(data.names[a], data.names[b]) for a, b in dag.arcs()}
    assert set(engine.learn(data, engine.K2()).edges) == theirs


@pytest.mark.parametrize("score", [engine.K2(), engine.BDeu(1.0)])
def test_exact_is_the_best_of_all_dags(score: engine.K2 | engine.BDeu) -> None:
    """Over four variables nothing among all 543 DAGs scores higher than what the exact search returns."""
    for seed in range(3):
        data = random_data(150, 4, 5, seed)
        best = max(engine.log_score(data, dag, score).sum() for dag in all_dags(data.names))
        found = engine.learn(data, score, search="exact")
        assert engine.log_score(data, found, score).sum() == pytest.approx(best, rel=1e-12)

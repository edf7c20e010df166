"""Skeletons of PC beside causal-learn's, where that is installed; it is no dependency of ours."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import engine
from engine.simulation.ordinal import full_sample, random_latent_model

ALPHA = 0.05


@pytest.mark.parametrize(("test", "theirs"), [("fisher_z", "fisherz"), ("chi_squared", "chisq")])
def test_skeletons_are_those_of_causal_learn(test: str, theirs: str) -> None:
    """Ten tables of each test, 8 to 12 variables: every pair linked by one is linked by the other."""
    pc = pytest.importorskip("causallearn.search.ConstraintBased.PC", reason="causal-learn is not installed").pc
    for seed in range(10):
        generator = np.random.default_rng(seed)
        _, data = full_sample(random_latent_model(8 + seed % 5, generator, 3.0), 400, generator)
        codes = data.codes.astype(float if test == "fisher_z" else np.int64)
        matrix = pc(codes.T, ALPHA, theirs, stable=True, show_progress=False).G.graph
        found = engine.learn(data, search=engine.PC(ALPHA, test)).to_undirected()
        for i, j in itertools.combinations(range(data.n_variables), 2):
            linked = bool(matrix[i, j] or matrix[j, i])
            assert found.has_edge(data.names[i], data.names[j]) == linked, (seed, data.names[i], data.names[j])

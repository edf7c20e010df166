"""The part of the calibration study on ordinal networks: its truths worked out apart, and a small part with bars."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from benchmarks.calibration.methods import ordinal as part
from engine.graphs.dag import topological_order
from engine.simulation.ordinal import full_sample, random_latent_model


def test_true_partial_correlations_are_those_of_many_rows() -> None:
    """Residuals of regressions on 400,000 hidden rows, for every pair of a network learned from few.

    The normal equations have six unknowns at the most, and are the same sums for every pair.
    """
    generator = np.random.default_rng(1)
    model, data = full_sample(random_latent_model(6, generator, 3.0), 200, generator)
    result = engine.Ordinal(approach="gpc").run(data)
    values = model.latent(400_000, generator)
    products = values @ values.T
    order = topological_order(result.parents)
    for i in range(6):
        for j in range(i):
            source, child = sorted((i, j), key=order.index)
            given = [x for x in result.parents[child] if x != source]
            rest = []
            for one in (source, child):
                weights = np.linalg.solve(products[np.ix_(given, given)], products[given, one])
                rest.append(values[one] - weights @ values[given])
            found = part.true_partial(model, result, data.names[i], data.names[j])
            assert found == pytest.approx(np.corrcoef(rest)[0, 1], abs=0.008)
            assert part.true_partial(model, result, data.names[j], data.names[i]) == found


def test_ends_of_a_claim_are_its_variables() -> None:
    """Whatever its mark."""
    assert part._ends("a -> b") == part._ends("a -- b") == ["a", "b"]

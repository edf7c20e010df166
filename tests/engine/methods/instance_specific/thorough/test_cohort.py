"""A cohort equals its patients one by one, and its tables are what counting by hand gives."""

from __future__ import annotations

import numpy as np

import engine
from tests.engine.make import random_data


def test_column_order_changes_no_pattern_and_no_cluster() -> None:
    """Patterns of equal size are numbered, and clustered, alike however the columns stand."""
    data = random_data(400, 8, 12, seed=1)
    method = engine.InstanceSpecific(additions=True, kappa=0.9)
    first = method.run_cohort(data).by_patient()
    assert first["pattern"].max() > 20
    for seed in range(3):
        other = data.select(np.random.default_rng(seed).permutation(data.names).tolist())
        assert method.run_cohort(other).by_patient().equals(first)

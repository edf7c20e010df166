"""Relabelling and reordering change nothing for one patient."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from tests.engine.make import random_data


@given(seed=st.integers(0, 1000), draw=st.data())
@settings(max_examples=15)
def test_relabelling_and_reordering_change_nothing(seed: int, draw: st.DataObject) -> None:
    """Rows, columns and levels in another order give the same networks and numbers."""
    data = random_data(120, 6, 9, seed=seed)
    patient = {name: data.levels[name][data.codes[i, 7]] for i, name in enumerate(data.names)}
    rows = np.array(draw.draw(st.permutations(range(120))))
    columns = draw.draw(st.permutations(range(6)))
    codes, levels = [], []
    for i in columns:
        order = draw.draw(st.permutations(range(int(data.arity[i]))))
        codes.append(np.argsort(order)[data.codes[i]][rows])
        levels.append([data.levels[data.names[i]][k] for k in order])
    other = engine.Dataset.from_codes(np.array(codes), levels, [data.names[i] for i in columns])
    method = engine.InstanceSpecific(kappa=0.5)
    first, again = method.run(data, patient), method.run(other, patient)
    assert set(first.population.edges) == set(again.population.edges)
    assert set(first.instance.edges) == set(again.instance.edges)
    assert first.log_likelihood_ratio == pytest.approx(again.log_likelihood_ratio, abs=1e-9)
    assert first.held_out.instance == pytest.approx(again.held_out.instance, abs=1e-9)

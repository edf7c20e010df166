"""The correlation-stability coefficient: tables with a known answer, and its definition by hand. At length."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from tests.engine.methods.ordinal.test_partial_network import P, table


def test_known_answers() -> None:
    """Few strong links of unequal nodes in many rows are stable to the end; of no links nothing is."""
    weights = np.zeros((P, P))
    for j, value in enumerate((0.45, 0.4, 0.35), 1):
        weights[0, j] = weights[j, 0] = value
    stable = engine.Ordinal().case_dropping(table(0, weights, 3000), runs=20)
    assert stable.coefficient("expected_influence") == pytest.approx(0.75)
    noise = engine.Ordinal().case_dropping(table(1, np.zeros((P, P)), 150), runs=20)
    assert noise.coefficient("strength") < 0.25

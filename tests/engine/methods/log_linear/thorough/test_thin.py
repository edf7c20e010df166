"""Tests on thin tables: against all tables with the same margins, written out; and what alpha is kept."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from tests.engine.methods.log_linear.make import named


@pytest.mark.parametrize(("criterion", "published"), [("smt", 0.2), ("chi2", 0.1)])
def test_alpha_is_kept_where_cells_are_few(criterion: str, published: float) -> None:
    """Ten levels and 300 rows, four unrelated variables: false links in no more than .07, where the paper's test has
    far more."""
    rng = np.random.default_rng(5)
    tables = [named(rng.integers(0, 10, (4, 300)), [10] * 4) for _ in range(150)]
    share = {
        thin: np.mean(
            [bool(engine.LogLinear(criterion=criterion, thin_tables=thin).run(one).steps.shape[0]) for one in tables]
        )
        for thin in ("drawn", "published")
    }
    assert share["drawn"] <= 0.07
    assert share["published"] >= published

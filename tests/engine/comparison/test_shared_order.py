"""The order that few differing tables ask for: its score written out, and a child whose table differs comes last."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import gammaln

import engine
from engine.comparison.links import SAME, SameOrDifferent


def dirichlet(child: np.ndarray, parents: np.ndarray, configurations: int) -> float:
    """BDeu with one row in all, of binary variables, cell by cell."""
    cell, total = 1.0 / (2 * configurations), 0.0
    for context in np.unique(parents):
        counts = np.bincount(child[parents == context], minlength=2)
        total += gammaln(2 * cell) - gammaln(2 * cell + counts.sum()) + (gammaln(cell + counts) - gammaln(cell)).sum()
    return float(total)


def test_a_family_is_the_same_or_another_in_each_group() -> None:
    """Both terms written out; additions are the scores of the larger families."""
    codes = np.random.default_rng(0).integers(0, 2, (4, 60))
    score = SameOrDifferent(engine.Dataset.from_codes(codes, [2] * 4, ["a", "b", "c", "g"]))
    a, b, c, g = codes
    together = dirichlet(a, 2 * b + c, 4)
    apart = dirichlet(a, 4 * b + 2 * c + g, 8)
    wanted = np.logaddexp(np.log(SAME) + together, np.log(1 - SAME) + apart)
    assert score.local(0, (1, 2)) == pytest.approx(wanted)
    found = score.additions(0, (1,))
    assert found[2] == pytest.approx(wanted) and not np.isfinite(found[:2]).any() and len(found) == 3

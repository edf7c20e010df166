"""Evidence of small tables whose labels are dealt at random; all cells in `thorough`."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.methods.group_difference.numbers.permuted import CELLS, bounded_mean, permuted


@pytest.mark.parametrize("name", ["heavy, 25 + 12", "tied, 20 + 3", "rare levels, 25 + 25"])
def test_evidence_of_nothing_is_at_most_one_on_average(name: str) -> None:
    """The mean of min(evidence, 20) is at most 1 within its error; segments are above 19 in at most 1 %."""
    for what, logs in permuted(CELLS[name], 2000, seed=5).items():
        mean, error = bounded_mean(logs)
        assert mean <= 1 + 3 * error, what
        if what == "segments":
            assert (logs > np.log(19)).mean() <= 0.01 + 3 * np.sqrt(0.01 / len(logs))

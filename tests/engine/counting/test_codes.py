"""Numbers of parent configurations, where they are many and where they are just as many as the rows."""

from __future__ import annotations

import numpy as np
import pytest

from engine.counting.requests import configuration_codes
from engine.data.dataset import Dataset


@pytest.mark.parametrize("rows", [3, 4, 5])
def test_configurations_are_renumbered_only_where_they_outnumber_the_rows(rows: int) -> None:
    """Four configurations in four rows keep their numbers; in three rows those that occur are counted through."""
    codes = np.array([[1, 1, 0, 1, 1], [0, 1, 1, 0, 1]], dtype=np.uint8)[:, :rows]
    data = Dataset.from_codes(codes, [2, 2], ["a", "b"])
    found, many = configuration_codes(data, (0, 1))
    plain = 2 * codes[0] + codes[1]
    if rows < 4:
        kept = sorted(set(plain.tolist()))
        assert (found.tolist(), many) == ([kept.index(one) for one in plain.tolist()], len(kept))
    else:
        assert (found.tolist(), many) == (plain.tolist(), 4)
    assert configuration_codes(data, ())[0].tolist() == [0] * rows

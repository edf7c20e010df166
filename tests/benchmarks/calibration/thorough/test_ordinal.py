"""The part of the calibration study on ordinal networks: its truths worked out apart, and a small part with bars."""

from __future__ import annotations

from functools import cache

import numpy as np

from benchmarks.calibration.cell import Counted
from benchmarks.calibration.methods import ordinal as part

NULL, PLANTED, NETWORK = 1, 3, 5
"""Places of the cells that the small part is made of, with 1,000, 300 and 500 rows."""


@cache
def measured(cell: int, *seed: int) -> Counted:
    """What the table of this seed counts in a cell; both tests begin with the same."""
    return part.cells()[cell].measure(np.random.default_rng(seed))


def test_every_cell_counts_what_it_says() -> None:
    """Hits are at most all; quantities with a bar are counted somewhere."""
    counted = {}
    first = {NULL: 0, PLANTED: 1, NETWORK: 2}
    for cell in range(len(part.cells())):
        found = measured(cell, first.get(cell, 3), 0)
        assert all(0 <= hits <= of for hits, of in found.values())
        counted |= found
    assert set(part.BARS) <= set(counted)
    assert len({cell.name for cell in part.cells()}) == len(part.cells())


def test_a_small_part_may_not_get_worse() -> None:
    """A few tables without a link, with one, and of networks; fixed seeds."""
    assert sum(measured(NULL, 0, i)[part.ANY][0] for i in range(8)) <= 1
    links = [measured(PLANTED, 1, i) for i in range(10)]
    assert sum(one[part.PLANTED][0] for one in links) >= 8
    assert sum(one[part.STRONG][0] for one in links) == 0
    found = [measured(NETWORK, 2, i) for i in range(5)]
    for quantity in (part.NOTHING, part.EXCEEDS):
        hits, of = (sum(one[quantity][k] for one in found) for k in (0, 1))
        assert hits <= 0.07 * of
    hits, of = (sum(one[part.HELD][k] for one in found) for k in (0, 1))
    assert hits >= 0.6 * of, "outside its bar at full size too; it may not get worse"

"""Evidence of tables whose labels are dealt at random, of every cell: on average at most 1, and rarely large.

At most 25,000 tables a cell here; `python -m tests.engine.methods.group_difference.numbers.permuted 100000` has more.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.methods.group_difference.numbers.permuted import (
    CELLS,
    Cell,
    bounded_mean,
    clustered,
    followers,
    permuted,
)


def tables_of(cell: Cell) -> int:
    """How many: a few seconds' worth."""
    return min(25_000, 800_000 // ((cell.first + cell.second) * cell.blocks))


def within(share: float, bar: float, many: int) -> bool:
    """At most the bar, within three of its Monte Carlo errors."""
    return share <= bar + 3 * np.sqrt(bar / many)


@pytest.mark.parametrize("name", CELLS)
def test_evidence_of_nothing_is_at_most_one_on_average(name: str) -> None:
    """The mean of min(evidence, 20) of every form; how often segments of a block are above 19 and above 266."""
    cell = CELLS[name]
    for what, logs in permuted(cell, tables_of(cell), seed=11).items():
        mean, error = bounded_mean(logs)
        assert mean <= 1 + 3 * error, what
        if what == "segments":
            bar = 0.003 if cell.first + cell.second >= 100 else 0.01
            assert within((logs > np.log(19)).mean(), bar, len(logs)), what
            assert within((logs > np.log(266)).mean(), 0.0005, len(logs)), what


@pytest.mark.parametrize(("icc", "crossing"), [(0.1, False), (0.2, False), (0.3, False), (0.3, True)])
def test_subjects_that_are_alike_are_no_evidence(icc: float, crossing: bool) -> None:
    """40 subjects of 3 to 12 rows, whole ones dealt or labels inside them: on average at most 1, above 19 in .5 %."""
    logs = clustered(icc, crossing, 3000, seed=11)
    mean, error = bounded_mean(logs)
    assert mean <= 1 + 3 * error
    assert within((logs > np.log(19)).mean(), 0.005, len(logs))


@pytest.mark.parametrize(
    "power",
    [0.0, 1.0],
)
def test_followers_of_unequal_spread_do_not_differ(power: float) -> None:
    """x moves .8 standard deviations, y's spread goes with x: given x it is the same in both groups."""
    logs = followers(power, 400, seed=3)
    mean, error = bounded_mean(logs)
    assert mean <= 1 + 3 * error
    assert within((logs > np.log(19)).mean(), 0.005, len(logs))

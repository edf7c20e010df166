"""Progress, cancelling and spreading work."""

from __future__ import annotations

import pytest

import engine
from engine import execution


def square(x: int) -> int:
    return x * x


@pytest.mark.parametrize("jobs", [1, 2])
def test_map_keeps_the_order_and_reports_to_the_end(jobs: int) -> None:
    """Results stand in the order of the items, and the last report says 1."""
    seen: list[float] = []
    found = execution.map(square, range(5), jobs=jobs, progress=lambda fraction, words: seen.append(fraction))
    assert found == [0, 1, 4, 9, 16]
    assert seen[-1] == 1.0
    assert seen == sorted(seen)


def test_cancelled_travels_out_of_map() -> None:
    """A callback that raises Cancelled ends the work."""

    def stop(fraction: float, words: str) -> None:
        raise engine.Cancelled

    with pytest.raises(engine.Cancelled):
        execution.map(square, range(5), progress=stop)


def test_part_maps_its_share() -> None:
    """Half done of the second half is three quarters of the whole."""
    seen: list[float] = []
    execution.part(lambda fraction, words: seen.append(fraction), 0.5, 1.0)(0.5, "")
    assert seen == [0.75]


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_piece_is_told_as_it_ends(jobs: int) -> None:
    """Every place once, with its own outcome."""
    told: dict[int, int] = {}
    execution.map(square, [3, 1, 2], jobs=jobs, finished=told.__setitem__)
    assert told == {0: 9, 1: 1, 2: 4}

"""Levels that are given another place."""

from __future__ import annotations

import pytest

from engine.data.preparing.levels import place_levels


@pytest.mark.parametrize(
    ("places", "order"),
    [({}, "abcd"), ({0: 3}, "bcad"), ({3: 1}, "dabc"), ({0: 2}, "bacd"), ({0: 4, 3: 1}, "dbca"), ({2: 3}, "abcd")],
)
def test_places_of_levels(places: dict[int, int], order: str) -> None:
    """A level that is given a place stands there afterwards."""
    assert place_levels("abcd", places) == list(order)

"""What a usual threshold calls, item by item."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.measures.curves import called_at, curve, place_above
from tests.engine.measures.test_called import ITEMS


@given(ITEMS, st.integers(-4, 4))
def test_a_usual_threshold_calls_what_lies_above_it(items: list[tuple[int, bool]], threshold: int) -> None:
    """Not what is equal to it."""
    found = curve(*zip(*items, strict=True))
    assert called_at(found, place_above(found, threshold)).number == sum(score > threshold for score, _ in items)

"""The sentence that names a circle, whatever its length."""

from __future__ import annotations

import pytest

from engine.errors import DataError
from engine.graphs.dag import check_acyclic, topological_order


@pytest.mark.parametrize(("length", "whole"), [(2, True), (11, True), (12, False), (30, False)])
def test_long_circles_are_told_by_their_ends(length: int, whole: bool) -> None:
    """Up to twelve names stand in full, the first again at the end; of more the middle is left out."""
    names = [f"n{i:02d}" for i in range(length)]
    parents = [((i - 1) % length,) for i in range(length)]
    with pytest.raises(DataError) as told:
        check_acyclic(parents, names)
    listed = str(told.value).split("circle: ")[1].replace("'", "")
    full = [*names, names[0]]
    assert listed.startswith(" -> ".join(full if whole else [*full[:6], "...", *full[-5:]]) + ". ")
    with pytest.raises(DataError, match="circle"):
        topological_order(parents)

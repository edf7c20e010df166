"""The board's answer: only a full placing of the columns counts."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.network.component import read_tiers, tier_titles

NAMES = ["age", "sex", "outcome"]


def test_a_placing_is_read_by_names() -> None:
    """The first box holds what has no place."""
    assert read_tiers({"boxes": [[1], [0], [], [2]]}, NAMES) == [["age"], [], ["outcome"]]


@pytest.mark.parametrize(
    "raw",
    [
        None, 3, {}, {"boxes": 3}, {"boxes": [[0, 1, 2]]}, {"boxes": [[0], [1]]}, {"boxes": [[0, 0], [1, 2]]},
        {"boxes": [[0, 1], [3]]}, {"boxes": [[0, True], [2]]}, {"boxes": [["age"], [1, 2]]}, {"boxes": ["012", [1]]},
        {"boxes": [[0, 1, 2]] + [[]] * 9},
    ],
)  # fmt: skip
def test_anything_else_is_nothing(raw: Any) -> None:
    """Whatever a browser may send."""
    assert read_tiers(raw, NAMES) is None


def test_names_of_places() -> None:
    """From first to last."""
    assert tier_titles(2) == ["First", "Last"]
    assert tier_titles(4) == ["First", "Then", "Then", "Last"]

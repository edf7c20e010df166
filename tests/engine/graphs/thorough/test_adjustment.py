"""Sets that adjust on five hundred random graphs."""

from __future__ import annotations

from tests.engine.graphs.test_adjustment import check_graphs


def test_all_minimal_sets_of_five_hundred_graphs_are_found() -> None:
    """Against a walk along all paths for every set of variables."""
    assert check_graphs(range(500)) > 500

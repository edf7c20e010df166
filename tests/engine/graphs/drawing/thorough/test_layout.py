"""The shared picture: no overlaps, arcs down, the same again, and places that stay. At length."""

from __future__ import annotations

import pytest

from engine.graphs.drawing.layout import layout
from tests.engine.graphs.drawing.test_layout import overlaps, random_dag


@pytest.mark.parametrize("n", [100, 300])
def test_large_graphs_have_no_overlaps(n: int) -> None:
    """Hundreds of boxes stand apart, in layers or by forces."""
    graph = random_dag(n, 1)
    for one in (graph, graph.to_undirected()):
        assert not overlaps(layout([one]))

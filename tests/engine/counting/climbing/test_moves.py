"""Kernels of single moves against networkx and plain loops."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.counting.climbing.table import BEST, PLACE, Table, new_table, with_room

moves = pytest.importorskip("engine.counting.climbing.moves", reason="there is no compiler")


def drawn(seed: int, p: int) -> tuple[Table, nx.DiGraph]:
    """A table of a random DAG with random gains."""
    generator = np.random.default_rng(seed)
    order = generator.permutation(p)
    place = np.argsort(order)
    parents = [
        sorted(int(x) for x in range(p) if place[x] < place[child] and generator.random() < 0.2) for child in range(p)
    ]
    table = new_table(parents, ~np.eye(p, dtype=bool), [()] * p, p, 0)
    table.add[:] = generator.integers(-3, 4, (p, p))
    graph = nx.DiGraph([(x, child) for child, group in enumerate(parents) for x in group])
    graph.add_nodes_from(range(p))
    return table, graph


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([1, 2, 5, 63, 64, 65, 130]))
def test_close_finds_what_is_below_and_the_best_addition(seed: int, p: int) -> None:
    """Descendants as networkx has them; the best of the additions that close no circle."""
    table, graph = drawn(seed, p)
    moves.close(table.families, table.add, table.below, table.real, table.work)
    below = np.unpackbits(table.below[0].view(np.uint8), axis=1, count=p, bitorder="little").astype(bool)
    for y in range(p):
        assert set(np.flatnonzero(below[y])) == nx.descendants(graph, y)
        moves.rescan(table.add, table.below, table.real, table.work, y)
        legal = np.where(below[y], -np.inf, table.add[y])
        assert table.real[BEST, y] == legal.max()
        assert (table.work[PLACE, y] < 0) == (legal.max() == -np.inf)
        if legal.max() > -np.inf:
            assert legal[table.work[PLACE, y]] == legal.max()


def test_a_table_grows_and_keeps_what_it_holds() -> None:
    """Twice the room for parents, at most as many as there can be."""
    table, _ = drawn(3, 40)
    wide = with_room(table)
    room = table.gains.shape[2]
    assert wide.gains.shape == (2, 40, min(2 * room, 39))
    np.testing.assert_array_equal(wide.families[:, : room + 1], table.families)
    assert wide.add is table.add

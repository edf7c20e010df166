"""Restarts of the forward search: what they save is the difference of whole messages, and some find shorter ones."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import engine
from benchmarks.papers.log_linear.restarts import compare, search_once, search_with_restarts, summarise
from engine.lazy import pd
from tests.engine.methods.log_linear.make import edge_set, groups, total_mml


@pytest.mark.parametrize("seed", range(6))
def test_without_a_share_it_is_the_method(seed: int) -> None:
    """One edge at a time, and two at once."""
    data = groups(500, 7, seed)
    for joint in (False, True):
        run = search_once(data, 0.0, np.random.default_rng(0), joint=joint)
        assert set(map(frozenset, run.edges)) == edge_set(engine.LogLinear(joint=joint).run(data).graph)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_what_a_run_saves_is_the_difference_of_whole_messages(share: float) -> None:
    """Written out from cliques and separators, whatever the order in which edges came."""
    data = groups(500, 7, 3)
    empty = nx.empty_graph(data.names)
    for seed in range(4):
        run = search_once(data, share, np.random.default_rng(seed), joint=not share)
        graph = nx.Graph(empty)
        graph.add_edges_from(run.edges)
        assert nx.is_chordal(graph)
        assert run.saving == pytest.approx(total_mml(data, empty) - total_mml(data, graph), abs=1e-6)


def test_restarts_can_find_a_shorter_message() -> None:
    """On this table of eight variables; equal seeds give equal runs, and the first is the plain search."""
    data = groups(500, 8, 136)
    runs = search_with_restarts(data, 10, 0.5, np.random.default_rng(1))
    assert runs == search_with_restarts(data, 10, 0.5, np.random.default_rng(1))
    assert runs[0] == search_once(data, 0.0, np.random.default_rng(9))
    assert max(run.saving for run in runs) - runs[0].saving == pytest.approx(8.43, abs=0.01)
    assert search_with_restarts(data, 3, 0.0, np.random.default_rng(1)) == [runs[0]] * 4


def test_a_comparison_counts_edges_and_the_runs_that_helped() -> None:
    """Right and false ones where the truth is known; means of a table are those of its rows."""
    data = groups(500, 8, 136)
    true = search_once(data, 0.0, np.random.default_rng(0)).edges
    rows = list(compare(data, 10, [0.5], true))
    assert [row["search"] for row in rows] == ["plain", "two edges at once", "restarts, 0.5"]
    assert (rows[0]["gain"], rows[0]["false"], rows[0]["right"]) == (0.0, 0, len(true))
    assert rows[2]["gain"] == pytest.approx(8.43, abs=0.01)
    assert rows[2]["first run with it"] == 1
    assert rows[2]["better runs"] == 6
    table = summarise(pd.DataFrame([{"data": "d", "rows": 500, "set": 0, **row} for row in rows]))
    assert table["better tables"].tolist()[2] == 1
    assert table["edges"].tolist() == [row["edges"] for row in rows]

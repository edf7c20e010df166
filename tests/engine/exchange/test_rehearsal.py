"""Large network files are read first where nothing is lost if they bring the reader down."""

from __future__ import annotations

import networkx as nx
import pytest

from engine.errors import DataError
from engine.exchange.graph_json import to_json
from engine.exchange.network_reader import SMALL, read_graph, rehearse


def large() -> nx.DiGraph:
    """A tree whose file is over the size from which on it is rehearsed."""
    return nx.DiGraph([(f"variable {i // 2}", f"variable {i}") for i in range(1, 900)])


def test_a_large_network_is_the_same() -> None:
    """Rehearsed or not."""
    graph = large()
    content = to_json(graph).encode()
    assert len(content) > SMALL
    assert set(read_graph(content).edges) == set(graph.edges)


@pytest.mark.parametrize("kind", ["json", "bif", "graphml"])
def test_a_large_file_is_refused_in_the_readers_words(kind: str) -> None:
    """The sentence comes from the other process."""
    start = {"json": b'{"a": ', "bif": b"variable x {", "graphml": b"<graphml>"}[kind]
    with pytest.raises(DataError):
        rehearse(start + b"x" * SMALL, kind)


def test_a_small_file_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """It cannot be large or deep enough to do harm."""
    monkeypatch.setattr("engine.exchange.network_reader.read_foreign", None)
    rehearse(b"x" * SMALL, "json")

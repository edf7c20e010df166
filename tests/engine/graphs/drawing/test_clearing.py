"""Lines run behind no third box, where a straight picture without that can be had."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from engine.graphs.drawing.layers import HEIGHT, crossing
from engine.graphs.drawing.layout import layout

WIDE = 90.0
"""Pixels of a box."""


def sparse_network(n: int, seed: int) -> nx.DiGraph:
    """Every variable after the first has one parent among those before it, and every third a second one."""
    random = np.random.default_rng(seed)
    network = nx.DiGraph()
    for child in range(1, n):
        parents = random.choice(child, size=min(child, 2 if child % 3 == 0 else 1), replace=False)
        network.add_edges_from((f"v{parent}", f"v{child}") for parent in parents)
    return network


def hidden(network: nx.Graph, places: dict[str, tuple[float, float]]) -> list[tuple[str, str, str]]:
    """Each line, and the third box that one of 300 points on it lies in."""
    result = []
    for a, b in network.edges:
        share = np.linspace(0, 1, 300)[:, None]
        points = share * np.array(places[a]) + (1 - share) * np.array(places[b])
        for name, place in places.items():
            inside = np.abs(points - place) < [WIDE / 2 - 1, HEIGHT / 2 - 1]
            if name not in (a, b) and inside.all(axis=1).any():
                result.append((a, b, name))
    return result


@pytest.mark.parametrize("directed", [True, False])
def test_no_line_of_a_small_network_runs_behind_a_box(directed: bool) -> None:
    """It would look as if it ended there; heads still point down."""
    for seed in range(5):
        network = sparse_network(10, seed)
        graph = network if directed else network.to_undirected()
        places = layout([graph], sizes=dict.fromkeys(graph, WIDE))
        assert hidden(graph, places) == [], seed
        assert not directed or all(places[a][1] <= places[b][1] for a, b in network.edges)


SYMPTOMS = [
    *(
        ("activity", "fatigue"),
        ("fatigue", "pain"),
        ("activity", "mood"),
        ("fatigue", "interest"),
        ("fatigue", "sleep"),
    ),
    *(("pain", "sleep"), ("mood", "interest"), ("mood", "guilt"), ("interest", "contact")),
    *(("sleep", "focus"), ("guilt", "contact"), ("guilt", "worry"), ("worry", "restless"), ("restless", "appetite")),
]


def test_links_without_directions_join_boxes_of_a_grid_and_do_not_cross() -> None:
    """Rows and columns in line; the first ones at the left of the top; links both ways are without a direction."""
    graph = nx.Graph(SYMPTOMS)
    sizes = dict.fromkeys(graph, 74.0)
    places = layout([graph], sizes=sizes, height=25.0, room=280.0)
    assert layout([nx.DiGraph(graph)], sizes=sizes, height=25.0, room=280.0) == places
    columns, rows = (sorted({place[axis] for place in places.values()}) for axis in (0, 1))
    assert (len(columns), len(rows)) == (3, 4)
    assert columns[-1] - columns[0] + 74 <= 280
    assert all(np.arange(12) @ [place[axis] for place in places.values()] >= 0 for axis in (0, 1))
    assert hidden(graph, places) == []
    lines = np.array([[*places[a], *places[b]] for a, b in graph.edges])
    assert not crossing(lines, lines).any()
    straight = [(lines[:, k] == lines[:, k + 2]) for k in (0, 1)]
    assert np.logical_or(*straight).sum() >= 12

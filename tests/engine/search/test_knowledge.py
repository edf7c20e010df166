"""Drawn knowledge holds in what every search finds: properties over every setting at once."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

import engine
from engine.graphs.pdag import extend, from_networkx
from tests.engine.make import random_data

SEARCHES: list[tuple[str, dict[str, Any]]] = [
    ("thick_thinning", {}),
    ("hill_climbing", {"tabu": 3}),
    ("hill_climbing", {"restarts": 3, "seed": 5}),
    ("exact", {}),
    ("ges", {}),
    ("ges", {"fast": True, "structure_prior": 1.0}),
]


def knowledge(seed: int, names: tuple[str, ...]) -> dict[str, Any]:
    """Forbidden and required arcs, a limit, and by turns tiers (with one variable left out), an order or neither."""
    generator = np.random.default_rng(seed)
    order = [str(name) for name in generator.permutation(names)]
    forward = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    picked = generator.permutation(len(forward))
    known: dict[str, Any] = {
        "required": [forward[i] for i in picked[:2]],
        "forbidden": [forward[i] for i in picked[2:5]] + [forward[picked[5]][::-1]],
        "max_parents": int(generator.integers(2, 4)),
    }
    if seed % 3 == 0:
        known["tiers"] = [order[:2], order[2:4], order[4:-1]]
    elif seed % 3 == 1:
        known["order"] = order
    return known


@pytest.mark.parametrize(("search", "options"), SEARCHES)
@pytest.mark.parametrize("seed", range(6))
def test_drawn_knowledge_holds_in_every_search(search: str, options: dict[str, Any], seed: int) -> None:
    """What is required is there, what is forbidden or against tiers and order is not, no family is too large."""
    data = random_data(300, 6, 10, seed)
    known = knowledge(seed, data.names)
    found = engine.learn(data, engine.BDeu(), search=search, **known, **options)
    arcs = {(a, b) for a, b in found.edges if not found.has_edge(b, a)}
    either = set(found.edges) - arcs
    assert set(found) == set(data.names)
    assert set(known["required"]) <= arcs  # of a CPDAG too: what knowledge directs is told as directed
    assert not set(known["forbidden"]) & (arcs | either)
    tier = {name: t for t, group in enumerate(known.get("tiers", [])) for name in group}
    assert all(tier[a] <= tier[b] for a, b in arcs | either if a in tier and b in tier)
    rank = {name: t for t, name in enumerate(known.get("order", []))}
    assert all(rank[a] < rank[b] for a, b in arcs | either if rank)
    member = extend(from_networkx(found, data.names)) if search == "ges" else None
    sizes = map(len, member) if member is not None else (d for _, d in found.in_degree())
    assert max(sizes) <= known["max_parents"]
    assert nx.is_directed_acyclic_graph(nx.DiGraph(arcs))


@pytest.mark.parametrize(("search", "options"), SEARCHES)
def test_a_limit_of_none_and_of_zero(search: str, options: dict[str, Any]) -> None:
    """No parents at all leave no arc; a limit that is never met changes nothing."""
    data = random_data(300, 6, 10, seed=2)
    assert not engine.learn(data, engine.BDeu(), search=search, max_parents=0, **options).edges
    free = engine.learn(data, engine.BDeu(), search=search, **options)
    assert set(engine.learn(data, engine.BDeu(), search=search, max_parents=5, **options).edges) == set(free.edges)
    assert free.edges

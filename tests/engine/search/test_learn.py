"""Searches against brute force, a peer, their constraints, and the order of columns."""

from __future__ import annotations

import itertools
import pickle

import networkx as nx
import numpy as np
import pytest

import engine
from tests.engine.make import random_data
from tests.notebooks import frame_document

SEARCHES = ["thick_thinning", "hill_climbing", "exact"]


def all_dags(names: tuple[str, ...]) -> list[nx.DiGraph]:
    """Every DAG over a few variables, by trying every set of arcs."""
    pairs = list(itertools.permutations(names, 2))
    found = []
    for size in range(len(names) * (len(names) - 1) // 2 + 1):
        for arcs in itertools.combinations(pairs, size):
            graph = nx.DiGraph()
            graph.add_nodes_from(names)
            graph.add_edges_from(arcs)
            if nx.is_directed_acyclic_graph(graph):
                found.append(graph)
    return found


def test_exact_keeps_its_constraints() -> None:
    """Order, limit, required and forbidden arcs hold, and the best DAG under them is found."""
    data = random_data(200, 4, 6, seed=11)
    required, forbidden = [("v03", "v00")], [("v01", "v02")]
    found = engine.learn(data, engine.K2(), search="exact", required=required, forbidden=forbidden, max_parents=1)
    fits = [
        dag
        for dag in all_dags(data.names)
        if dag.has_edge("v03", "v00") and not dag.has_edge("v01", "v02") and max(d for _, d in dag.in_degree()) <= 1
    ]
    best = max(engine.log_score(data, dag, engine.K2()).sum() for dag in fits)
    assert engine.log_score(data, found, engine.K2()).sum() == pytest.approx(best, rel=1e-12)


def slow_thick_thinning(data: engine.Dataset, score: engine.K2) -> tuple[set[tuple[str, str]], int]:
    """The textbook loop: score every legal arc change by whole families, take the best, additions then removals.

    Returns the arcs and how many were removed on the way.
    """
    names = sorted(data.names)
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    removed = 0

    def family(child: str, parents: list[str]) -> float:
        return score.family(data, child, parents)

    for adding in (True, False):
        while True:
            moves = []
            for x, child in itertools.permutations(names, 2):
                parents = list(graph.predecessors(child))
                if adding and x not in parents and not nx.has_path(graph, child, x):
                    moves.append((family(child, [*parents, x]) - family(child, parents), x, child))
                elif not adding and x in parents:
                    rest = [y for y in parents if y != x]
                    moves.append((family(child, rest) - family(child, parents), x, child))
            gain, x, child = max(moves, key=lambda move: move[0], default=(0.0, "", ""))
            if gain <= 1e-9:
                break
            (graph.add_edge if adding else graph.remove_edge)(x, child)
            removed += not adding
    return set(graph.edges), removed


@pytest.mark.parametrize(("seed", "thinned"), [(0, 0), (1, 0), (2, 0), (3, 0), (9, 1), (33, 1), (50, 1)])
def test_thick_thinning_equals_the_textbook_loop(seed: int, thinned: int) -> None:
    """The delta table takes the same steps as scoring everything anew each time, removals too."""
    data = random_data(300, 7, 9, seed)
    arcs, removed = slow_thick_thinning(data, engine.K2())
    assert set(engine.learn(data, engine.K2()).edges) == arcs
    assert removed == thinned


@pytest.mark.parametrize("search", SEARCHES)
def test_constraints_hold_in_every_search(search: str) -> None:
    """Forbidden arcs stay out, required ones in, tiers and the limit are kept, and the graph is acyclic."""
    data = random_data(400, 7, 12, seed=6)
    tiers = [["v04", "v05"], ["v00", "v01", "v02"], ["v03", "v06"]]
    found = engine.learn(
        data, search=search, forbidden=[("v04", "v00")], required=[("v05", "v06")], tiers=tiers, max_parents=2
    )
    tier = {name: t for t, group in enumerate(tiers) for name in group}
    assert nx.is_directed_acyclic_graph(found)
    assert ("v05", "v06") in found.edges
    assert ("v04", "v00") not in found.edges
    assert all(tier[a] <= tier[b] for a, b in found.edges)
    assert max(d for _, d in found.in_degree()) <= 2
    assert len(found.edges) > 2


@pytest.mark.parametrize("search", SEARCHES)
def test_an_order_is_kept(search: str) -> None:
    """Every arc runs forward in the order given."""
    data = random_data(400, 6, 9, seed=8)
    order = list(reversed(data.names))
    found = engine.learn(data, search=search, order=order)
    assert found.edges
    assert all(order.index(a) < order.index(b) for a, b in found.edges)


@pytest.mark.parametrize(
    ("knowledge", "words"),
    [
        ({"forbidden": [("v00", "zz")]}, "zz"),
        ({"required": [("v00", "v01")], "forbidden": [("v00", "v01")]}, "required, but it is forbidden"),
        ({"required": [("v00", "v01"), ("v01", "v02"), ("v02", "v00")]}, "in a circle"),
        ({"tiers": [["v00"], ["v00"]]}, "two tiers"),
        ({"order": ["v00"]}, "every variable once"),
        ({"max_parents": -1}, "max_parents"),
        ({"required": [("v00", "v02"), ("v01", "v02")], "max_parents": 1}, "required parents"),
        ({"search": "magic"}, "thick_thinning"),
        ({"required": [("v00", "v00")]}, "itself"),
    ],
)
def test_contradictory_knowledge_is_refused_with_a_sentence(knowledge: dict, words: str) -> None:
    """What cannot be is said by name before any search starts."""
    with pytest.raises(engine.SettingsError, match=words):
        engine.learn(random_data(50, 3, 2, seed=0), **knowledge)


def test_restarts_never_score_lower_and_repeat_with_their_seed() -> None:
    """Shaking keeps the best DAG met, and one seed gives one DAG."""
    data = random_data(300, 12, 20, seed=13)
    score = engine.BDeu(1.0)
    plain = engine.log_score(data, engine.learn(data, score, search="hill_climbing"), score).sum()
    shaken = engine.learn(data, score, search="hill_climbing", restarts=5, seed=3)
    again = engine.learn(data, score, search="hill_climbing", restarts=5, seed=3)
    assert engine.log_score(data, shaken, score).sum() >= plain - 1e-6
    assert set(shaken.edges) == set(again.edges)


def test_hill_climbing_ends_where_no_single_change_gains() -> None:
    """Adding, removing or turning any one arc of the result gains nothing."""
    data, score = random_data(300, 7, 9, seed=21), engine.BDeu(1.0)
    found = engine.learn(data, score, search="hill_climbing")
    total = engine.log_score(data, found, score).sum()
    for a, b in itertools.permutations(data.names, 2):
        for change in ("add", "remove", "reverse"):
            other = found.copy()
            if change == "add" and not found.has_edge(a, b) and not found.has_edge(b, a):
                other.add_edge(a, b)
            elif change != "add" and found.has_edge(a, b):
                other.remove_edge(a, b)
                if change == "reverse":
                    other.add_edge(b, a)
            else:
                continue
            if nx.is_directed_acyclic_graph(other):
                assert engine.log_score(data, other, score).sum() <= total + 1e-6


def test_the_exact_search_names_its_limit() -> None:
    """Twenty-one variables are refused with the way out."""
    data = random_data(30, 21, 5, seed=0)
    with pytest.raises(engine.SettingsError, match="up to 20 variables"):
        engine.learn(data, search="exact")


def test_a_cancelled_search_stops() -> None:
    """A progress callback that raises Cancelled ends the search at once."""

    def stop(fraction: float, words: str) -> None:
        raise engine.Cancelled

    with pytest.raises(engine.Cancelled):
        engine.learn(random_data(200, 6, 8, seed=1), progress=stop)


def test_what_is_learned_shows_its_picture_in_a_notebook() -> None:
    """A graph of networkx like any other, copied and pickled, with a picture in which a name is no markup."""
    codes = np.array([[0, 0, 1, 1] * 9, [0, 0, 1, 1] * 9])
    graph = engine.learn(engine.Dataset.from_codes(codes, [2, 2], ["<b>a</b>", "b"]))
    assert isinstance(graph, nx.DiGraph) and pickle.loads(pickle.dumps(graph)).edges == graph.copy().edges  # noqa: S301
    document = frame_document(graph._repr_mimebundle_())
    assert "<b>a" not in document and document.count("<rect") == 2 and document.count("<line") == 1

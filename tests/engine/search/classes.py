"""Equivalence classes by brute force: all DAGs, their classes by definition, and which classes one arc leads to."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache

from engine.graphs.pdag import Pdag
from engine.scores.local import BoundScore

Dag = tuple[frozenset[int], ...]
"""For each variable the set of its parents."""
Key = tuple[frozenset, frozenset]
"""Skeleton and v-structures: what makes a class."""


def acyclic(dag: Dag) -> bool:
    """Whether variables without remaining parents can be taken away until none is left."""
    left = dict(enumerate(dag))
    while left:
        free = [i for i, parents in left.items() if not parents & left.keys()]
        if not free:
            return False
        for i in free:
            del left[i]
    return True


def key_of(dag: Dag) -> Key:
    """The class of a DAG (Verma & Pearl 1990)."""
    edges = frozenset(frozenset((x, child)) for child, parents in enumerate(dag) for x in parents)
    colliders = frozenset(
        (frozenset(pair), child)
        for child, parents in enumerate(dag)
        for pair in itertools.combinations(parents, 2)
        if frozenset(pair) not in edges
    )
    return edges, colliders


@cache
def all_classes(p: int) -> dict[Key, list[Dag]]:
    """Every class over p variables with all its DAGs."""
    pairs = list(itertools.combinations(range(p), 2))
    found: dict[Key, list[Dag]] = defaultdict(list)
    for choice in itertools.product(range(3), repeat=len(pairs)):
        parents: list[set[int]] = [set() for _ in range(p)]
        for (a, b), way in zip(pairs, choice, strict=True):
            if way:
                parents[b if way == 1 else a].add(a if way == 1 else b)
        dag = tuple(map(frozenset, parents))
        if acyclic(dag):
            found[key_of(dag)].append(dag)
    return dict(found)


def members(dag: Dag) -> set[Dag]:
    """All DAGs of the class of one, by turning covered arcs (Chickering 1995)."""
    seen = {dag}
    waiting = [dag]
    while waiting:
        one = waiting.pop()
        for child, parents in enumerate(one):
            for x in parents:
                if parents - {x} == one[x]:  # covered: the same parents but for the arc itself
                    other = with_arcs(one, removed=(x, child), added=(child, x))
                    if other not in seen:
                        seen.add(other)
                        waiting.append(other)
    return seen


def with_arcs(dag: Dag, removed: tuple[int, int] | None = None, added: tuple[int, int] | None = None) -> Dag:
    """The DAG with one arc (parent, child) taken away, one put in, or both."""
    parents = list(dag)
    if removed is not None:
        parents[removed[1]] = parents[removed[1]] - {removed[0]}
    if added is not None:
        parents[added[1]] = parents[added[1]] | {added[0]}
    return tuple(parents)


def one_more(group: Iterable[Dag]) -> set[Key]:
    """The classes with a DAG that is one of the group and one arc."""
    found = set()
    for dag in group:
        for x, child in itertools.permutations(range(len(dag)), 2):
            if x not in dag[child] and acyclic(larger := with_arcs(dag, added=(x, child))):
                found.add(key_of(larger))
    return found


def one_less(group: Iterable[Dag]) -> set[Key]:
    """The classes with a DAG that is one of the group without one arc."""
    return {
        key_of(with_arcs(dag, removed=(x, child)))
        for dag in group
        for child, parents in enumerate(dag)
        for x in parents
    }


def total(score: BoundScore, dag: Dag) -> float:
    """The score of a DAG."""
    return sum(score.local(child, tuple(sorted(parents))) for child, parents in enumerate(dag))


def slow_ges(
    score: BoundScore, admitted: Callable[[Dag], bool] = lambda dag: True, start: Dag | None = None
) -> list[Dag]:
    """The members of the class where GES ends, by the definition: the best class one arc away, up and then down.

    A class can be gone to if one of its members is admitted; the admitted members of the last one are returned.
    """
    p = score.n_variables
    classes = all_classes(p)
    here = key_of(start if start is not None else (frozenset(),) * p)
    for neighbours in (one_more, one_less):
        while True:
            open_ones = [key for key in neighbours(classes[here]) if any(map(admitted, classes[key]))]
            best = max(open_ones, key=lambda key: total(score, classes[key][0]), default=here)
            if total(score, classes[best][0]) <= total(score, classes[here][0]) + 1e-6:
                break
            here = best
    return [dag for dag in classes[here] if admitted(dag)]


def union(group: Iterable[Dag]) -> set[tuple[int, int]]:
    """All arcs of the DAGs: those that turn up both ways are undirected."""
    return {(x, child) for dag in group for child, parents in enumerate(dag) for x in parents}


def arcs(graph: Pdag) -> set[tuple[int, int]]:
    """The arcs of a partially directed graph, an undirected edge both ways."""
    p = graph.n_variables
    return {
        (x, child) for child in range(p) for x in range(p) if (graph.parents[child] | graph.neighbours[child]) >> x & 1
    }

"""Decomposable (chordal) graphs that grow and shrink by one edge: cliques, separators, and which edge may come or go.

An undirected graph is chordal when every cycle of more than three has a chord; exactly then its log-linear model has
closed-form estimates, a product over maximal cliques divided by one over the separators of a clique tree. Separators
are a multiset: the edges of the tree, not all pairwise intersections.

A set of variables is a Python integer whose bit i stands for variable i (see `engine.graphs.dag`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.graphs.dag import bits

Edge = tuple[int, int]


@dataclass(frozen=True)
class Addition:
    """Changes that the addition of one edge {a, b} makes for the other pairs.

    Attributes
    ----------
    separator : the minimal separator of a and b before the addition
    side_a, side_b : the components of a and of b without it: no pair across can be added any more, but for `again`
    again : the only pairs across that may be added still, each with a new separator
    """

    separator: int
    side_a: int
    side_b: int
    again: tuple[Edge, ...]


class DecomposableGraph:
    """A chordal graph over n variables; `neighbours[i]` is the bit set of those that share an edge with i."""

    def __init__(self, n: int, edges: Iterable[Edge] = ()) -> None:
        """Raises ValueError when the edges are not chordal."""
        self.neighbours = [0] * n
        self.n_edges = 0
        for a, b in edges:
            self._join(a, b)
        if self.elimination_order() is None:
            raise ValueError("the edges do not make a chordal graph")

    def copy(self) -> DecomposableGraph:
        """The same graph, to be changed on its own."""
        other = DecomposableGraph(0)
        other.neighbours, other.n_edges = self.neighbours.copy(), self.n_edges
        return other

    def has(self, a: int, b: int) -> bool:
        """True where there is an edge between a and b."""
        return bool(self.neighbours[a] >> b & 1)

    def edges(self) -> list[Edge]:
        """All edges (low, high), in order."""
        return [(a, b) for a in range(len(self.neighbours)) for b in bits(self.neighbours[a] & -(2 << a))]

    def component(self, start: int, without: int = 0) -> int:
        """Everything that `start` reaches by paths that avoid `without`."""
        neighbours = self.neighbours
        reached = fresh = 1 << start
        while fresh:
            result = 0
            while fresh:  # as `bits`, written out: searches spend much of their time here
                low = fresh & -fresh
                result |= neighbours[low.bit_length() - 1]
                fresh ^= low
            fresh = result & ~reached & ~without
            reached |= fresh
        return reached

    def separator(self, a: int, b: int) -> int | None:
        """The minimal separator of a and b if the edge between them keeps the graph chordal, else None.

        The edge may come exactly when the common neighbours separate a from b (none, in different components).
        """
        if a == b or self.has(a, b):
            return None
        common = self.neighbours[a] & self.neighbours[b]
        return None if self.component(a, common) >> b & 1 else common

    def add(self, a: int, b: int) -> Addition:
        """Add an edge that `separator` allows, and say which other pairs this touches; no other pair changes."""
        separator = self.neighbours[a] & self.neighbours[b]
        side_a = 0 if a == b or self.has(a, b) else self.component(a, separator)
        if not side_a or side_a >> b & 1:
            raise ValueError("this edge would leave a cycle without a chord")
        side_b = self.component(b, separator)
        self._join(a, b)
        changed = [(a, y) for y in self._reachable(self.neighbours[b] & side_b, b, separator)]
        changed += [(b, x) for x in self._reachable(self.neighbours[a] & side_a, a, separator)]
        return Addition(separator, side_a, side_b, tuple(changed))

    def _reachable(self, near: int, b: int, separator: int) -> list[int]:
        """Vertices of `near`, neighbours of b on its side, that may be joined to the other end a of the new edge a-b.

        What a and such a y have as common neighbours is b and those of the separator S that y touches, since all of S
        touches a and nothing else does on both sides. A path that avoids them gets from a to the side of y by a vertex
        of S that y does not touch, and from the last such vertex on it stays on that side. So y may be joined exactly
        where none of those touches what y reaches there without S and b; with all of S as neighbours it always may.
        """
        result, parts = [], list[tuple[int, int]]()
        for y in bits(near):
            if missing := separator & ~self.neighbours[y]:
                touched = next((touched for part, touched in parts if part >> y & 1), None)
                if touched is None:
                    part, touched = self.component(y, separator | 1 << b), 0
                    for x in bits(part):
                        touched |= self.neighbours[x]
                    parts.append((part, touched))
                if touched & missing:
                    continue
            result.append(y)
        return result

    def clique_of(self, a: int, b: int) -> int | None:
        """The one maximal clique that holds an edge, or None where several do: then it cannot be taken away alone."""
        common = self.neighbours[a] & self.neighbours[b]
        if all(not common & ~self.neighbours[x] & ~(1 << x) for x in bits(common)):
            return common | 1 << a | 1 << b
        return None

    def remove(self, a: int, b: int) -> int:
        """Take an edge away and give the separator that is left between its ends; ValueError where it cannot."""
        clique = self.clique_of(a, b) if self.has(a, b) else None
        if clique is None:
            raise ValueError("this edge cannot be taken away alone")
        self.neighbours[a] &= ~(1 << b)
        self.neighbours[b] &= ~(1 << a)
        self.n_edges -= 1
        return clique & ~(1 << a) & ~(1 << b)

    def elimination_order(self) -> list[int] | None:
        """A perfect elimination order by maximum cardinality search, reversed visit; None where there is none."""
        order = [v for v, _ in self._visits()]
        seen = 0
        for v in order:
            near = self.neighbours[v] & seen
            if near and any(near & ~self.neighbours[x] & ~(1 << x) for x in bits(near)):
                return None
            seen |= 1 << v
        return order[::-1]

    def clique_tree(self) -> tuple[list[int], list[int]]:
        """Maximal cliques, and the separators of a clique tree with their multiplicity (empty between components)."""
        cliques: list[int] = []
        separators: list[int] = []
        current, size = 0, -1
        for v, near in self._visits():
            if near.bit_count() <= size:  # v does not extend the clique at hand: a new one begins
                cliques.append(current)
                separators.append(near)
            current, size = near | 1 << v, near.bit_count()
        return ([*cliques, current] if current else []), separators

    def fill_in(self, extra: Iterable[Edge]) -> list[Edge]:
        """The further edges that make the graph chordal once `extra` are added; none of them could be left out.

        Every extra edge is reached by additions that keep the graph chordal; what turns out not to be needed goes
        again. That leaves a minimal triangulation: one is minimal when none of its fill edges can be taken away alone
        (Rose, Tarjan & Lueker 1976).
        """
        wanted, result = self.copy(), self.copy()
        pairs = sorted({(min(a, b), max(a, b)) for a, b in extra})
        for a, b in pairs:
            wanted._join(a, b)
        if wanted.elimination_order() is not None:
            return []
        for a, b in pairs:
            result._reach(a, b)
        fill = sorted(set(result.edges()) - set(wanted.edges()))
        while spare := next((pair for pair in fill if result.clique_of(*pair) is not None), None):
            result.remove(*spare)
            fill.remove(spare)
        return fill

    def without(self, a: int, b: int) -> tuple[DecomposableGraph, list[Edge]]:
        """The graph without an edge, and the other edges that have to go with it; none of those could stay.

        All edges of one end go, and come back one by one as long as the graph is chordal with them. That leaves a
        largest chordal graph inside the one without the edge, since from any chordal graph inside another one gets to
        it edge by edge through chordal graphs. Of the two ends the one that loses fewer edges, a in a tie.
        """
        tried = [self._less(end, other) for end, other in ((a, b), (b, a))]
        return min(tried, key=lambda item: len(item[1]))

    def _less(self, end: int, other: int) -> tuple[DecomposableGraph, list[Edge]]:
        """`without` where only `end` loses edges."""
        result = self.copy()
        waiting = [x for x in bits(self.neighbours[end]) if x != other]
        for x in (*waiting, other):
            result.neighbours[end] &= ~(1 << x)
            result.neighbours[x] &= ~(1 << end)
            result.n_edges -= 1
        while back := [x for x in waiting if result.separator(end, x) is not None][:1]:
            result._join(end, *back)
            waiting.remove(*back)
        return result, sorted((min(end, x), max(end, x)) for x in waiting)

    def _reach(self, a: int, b: int) -> None:
        """Add the edge between a and b, before it as many from a as it needs to stay chordal at every step.

        The variables next to both a and the part where b lies separate the two; in a chordal graph some variable of
        that part has all of them as neighbours (the nearest to b is taken), so a may be joined to it.
        """
        while not self.has(a, b):
            beyond = self.component(b, self.neighbours[a])
            touched = 0
            for x in bits(beyond):
                touched |= self.neighbours[x]
            separator = touched & self.neighbours[a]
            reached = 1 << b
            while not (fit := [x for x in bits(reached) if not separator & ~self.neighbours[x]]):
                for x in bits(reached):
                    reached |= self.neighbours[x] & beyond
            self._join(a, fit[0])

    def _join(self, a: int, b: int) -> None:
        if not self.has(a, b):
            self.neighbours[a] |= 1 << b
            self.neighbours[b] |= 1 << a
            self.n_edges += 1

    def _visits(self) -> list[tuple[int, int]]:
        """Maximum cardinality search: (variable, its neighbours visited before it); lowest first among equals."""
        n = len(self.neighbours)
        layers = [0] * (n + 1)
        layers[0] = (1 << n) - 1
        weight = [0] * n
        visited, top = 0, 0
        result = []
        for _ in range(n):
            while not layers[top]:
                top -= 1
            v = (layers[top] & -layers[top]).bit_length() - 1
            layers[top] &= ~(1 << v)
            result.append((v, self.neighbours[v] & visited))
            visited |= 1 << v
            for x in bits(self.neighbours[v] & ~visited):
                layers[weight[x]] &= ~(1 << x)
                weight[x] += 1
                layers[weight[x]] |= 1 << x
            top += 1
        return result

"""Partially directed graphs: which arcs of a DAG the data can tell, and which they cannot.

DAGs that imply the same independences form an equivalence class; its CPDAG keeps an arc directed when every
member agrees on the direction (the arc is *compelled*) and undirected otherwise. At the public boundary an
undirected edge is a pair of opposite arcs in a networkx DiGraph; inside, a `Pdag` holds three bit sets a
variable.

Sources: Verma & Pearl (1990) for skeleton and v-structures; Meek (1995) for the four rules; Dor & Tarsi
(1992) for the extension.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from engine.errors import DataError
from engine.graphs.dag import Parents, bits, check_acyclic, children_masks, mask_of, parents_of
from engine.graphs.dag import to_networkx as dag_to_networkx
from engine.lazy import nx

ObserveRule = Callable[[int, int, int, "Pdag"], None]
"""Called with the number of one of Meek's rules, the source and target of the arc that it makes, and the graph."""


@dataclass
class Pdag:
    """A graph with arcs and undirected edges over positions; bit j of an entry i stands for variable j.

    Attributes
    ----------
    parents, children : arcs into and out of each variable
    neighbours : undirected edges of each variable
    """

    parents: list[int]
    children: list[int]
    neighbours: list[int]

    @property
    def n_variables(self) -> int:
        """Number of variables."""
        return len(self.parents)

    def adjacent(self, i: int) -> int:
        """The bit set of all variables that share an edge with i."""
        return self.parents[i] | self.children[i] | self.neighbours[i]

    def direct(self, source: int, target: int) -> None:
        """Turn the undirected edge between two variables into an arc."""
        self.neighbours[source] &= ~(1 << target)
        self.neighbours[target] &= ~(1 << source)
        self.children[source] |= 1 << target
        self.parents[target] |= 1 << source

    def copy(self) -> Pdag:
        """The same graph, to be changed on its own."""
        return Pdag(self.parents.copy(), self.children.copy(), self.neighbours.copy())


def from_networkx(graph: nx.DiGraph, names: Sequence[Hashable]) -> Pdag:
    """Opposite arcs become an undirected edge, as those of an undirected graph are."""
    parents = parents_of(graph if graph.is_directed() else graph.to_directed(), names)
    if any(child in family for child, family in enumerate(parents)):
        check_acyclic(parents, names)
    into, out = [mask_of(family) for family in parents], children_masks(parents)
    both = [a & b for a, b in zip(into, out, strict=True)]
    return Pdag(
        [a & ~c for a, c in zip(into, both, strict=True)],
        [b & ~c for b, c in zip(out, both, strict=True)],
        both,
    )


def arcs(pdag: Pdag) -> list[tuple[int, int]]:
    """(source, target) of every arc, by source, then target; an undirected edge is two."""
    return [(i, j) for i in range(pdag.n_variables) for j in bits(pdag.children[i] | pdag.neighbours[i])]


def to_networkx(pdag: Pdag, names: Sequence[Hashable]) -> nx.DiGraph:
    """Arcs one way, undirected edges both ways; nodes in the order of `names`, arcs by source, then
    target."""
    return dag_to_networkx([bits(a | b) for a, b in zip(pdag.parents, pdag.neighbours, strict=True)], names)


def pattern(parents: Sequence[Iterable[int]]) -> Pdag:
    """The skeleton of a DAG in which only the arcs of v-structures keep their direction."""
    into = [mask_of(family) for family in parents]
    return _colliders(into, [a | b for a, b in zip(into, children_masks(parents), strict=True)])


def _colliders(into: list[int], adjacent: list[int]) -> Pdag:
    """The graph with these adjacencies in which only arcs of `into` that meet in a v-structure are directed."""
    result = Pdag([0] * len(into), [0] * len(into), adjacent.copy())
    for child, family in enumerate(into):
        if family & (family - 1):  # two parents at least
            for parent in bits(family):
                if family & ~adjacent[parent] & ~(1 << parent):  # another parent that it does not touch
                    result.direct(parent, child)
    return result


def apply_meek(
    pdag: Pdag, ambiguous: AbstractSet[tuple[int, int, int]] = frozenset(), observe: ObserveRule | None = None
) -> Pdag:
    """Direct, in place, every undirected edge whose direction Meek's rules R1-R4 force; returns the same
    object.

    R4 never fires on the pattern of a DAG; it is needed once arcs come from background knowledge. No rule rests on an
    ambiguous triple (a, b, c), given in both orders: a and c are apart, and b may be a collider or not. `observe` sees
    every direction before it is given.
    """
    waiting = [(i, j) for i in range(pdag.n_variables) for j in bits(pdag.neighbours[i])][::-1]
    while waiting:
        x, y = waiting.pop()
        if not pdag.neighbours[x] >> y & 1 or not (rule := _forcing_rule(pdag, x, y, ambiguous)):
            continue
        if observe is not None:
            observe(rule, x, y, pdag)
        pdag.direct(x, y)
        # An edge can only have become forced where a set that the rules read has changed: at either end, or
        # (the chain of R4) at a child of the arc's head.
        for u in bits(pdag.children[y] | 1 << x | 1 << y):
            for v in bits(pdag.neighbours[u]):
                waiting.append((u, v))
                waiting.append((v, u))
    return pdag


def _forcing_rule(pdag: Pdag, x: int, y: int, ambiguous: AbstractSet[tuple[int, int, int]]) -> int:
    """Which of Meek's rules directs the undirected edge x - y as x -> y; 0 where none does."""

    def clear(a: int, others: int) -> int:
        """Of the others those that x is known not to be a collider of together with a."""
        if not ambiguous:
            return others
        return mask_of(b for b in bits(others) if (a, x, b) not in ambiguous)

    near_y = pdag.adjacent(y) | 1 << y
    if clear(y, pdag.parents[x] & ~near_y):  # R1: w -> x - y, w and y apart
        return 1
    if pdag.children[x] & pdag.parents[y]:  # R2: x -> w -> y
        return 2
    between = pdag.neighbours[x] & pdag.parents[y]
    if any(clear(w, between & ~pdag.adjacent(w) & ~(1 << w)) for w in bits(between)):  # R3: x - w -> y twice
        return 3
    outside = clear(y, pdag.neighbours[x] & ~near_y)
    near = pdag.parents[y] & pdag.adjacent(x)
    if outside and any(pdag.parents[w] & outside for w in bits(near)):  # R4: x - v -> w -> y, v and y apart
        return 4
    return 0


def complete(parents: Sequence[Iterable[int]]) -> Pdag:
    """The CPDAG of a DAG that is known to be acyclic."""
    return apply_meek(pattern(parents))


def completed(pdag: Pdag) -> Pdag:
    """The CPDAG of the consistent extensions of a PDAG that is known to have one.

    They have the skeleton and the v-structures of the PDAG, so none has to be built.
    """
    return apply_meek(_colliders(pdag.parents, [pdag.adjacent(i) for i in range(pdag.n_variables)]))


def extend(pdag: Pdag) -> Parents | None:
    """A DAG with the same skeleton, the given arcs and no other v-structure, or None when there is none.

    Dor & Tarsi: a variable without children whose undirected neighbours touch all that touches it can be made
    a sink and taken away. Of several the highest position goes first, so that low positions come early in the
    order.
    """
    left = pdag.copy()
    n = pdag.n_variables
    parents = list(pdag.parents)
    remaining = list(range(n - 1, -1, -1))
    while remaining:
        sink = next((i for i in remaining if not left.children[i] and _simplicial(left, i)), None)
        if sink is None:
            return None
        parents[sink] |= left.neighbours[sink]
        others = ~(1 << sink)
        for i in bits(left.adjacent(sink)):
            left.children[i] &= others
            left.neighbours[i] &= others
        remaining.remove(sink)
    return tuple(tuple(bits(family)) for family in parents)


def member(cpdag: Pdag) -> Parents:
    """One DAG of an equivalence class, low positions early in its order."""
    parents = extend(cpdag)
    if parents is None:
        raise RuntimeError("the graph is no equivalence class: it has no consistent extension")
    return parents


def _simplicial(pdag: Pdag, i: int) -> bool:
    near = pdag.adjacent(i)
    return all(not near & ~pdag.adjacent(j) & ~(1 << j) for j in bits(pdag.neighbours[i]))


def cpdag(dag: nx.DiGraph) -> nx.DiGraph:
    """The CPDAG of a DAG: compelled arcs one way, reversible edges both ways.

    The pattern of the DAG (Verma & Pearl 1990), closed under the rules of Meek (1995).

    Parameters
    ----------
    dag : a DiGraph without circles

    Returns
    -------
    networkx.DiGraph with the nodes in the order of `dag`

    Raises
    ------
    DataError : the graph has a cycle or an edge both ways; one is named

    Examples
    --------
    >>> import networkx as nx
    >>> sorted(engine.graphs.cpdag(nx.DiGraph([("age", "cough"), ("cough", "phlegm")])).edges)
    [('age', 'cough'), ('cough', 'age'), ('cough', 'phlegm'), ('phlegm', 'cough')]
    """
    names = list(dag.nodes)
    parents = parents_of(dag, names)
    check_acyclic(parents, names)
    return to_networkx(complete(parents), names)


def compelled(dag: nx.DiGraph) -> set[tuple[Hashable, Hashable]]:
    """The arcs of a DAG that every Markov-equivalent DAG has in the same direction.

    Parameters
    ----------
    dag : a DiGraph without circles

    Returns
    -------
    (source, target) of each

    Raises
    ------
    DataError : the graph has a cycle or an edge both ways; one is named

    Examples
    --------
    >>> import networkx as nx
    >>> sorted(engine.graphs.compelled(nx.DiGraph([("age", "cough"), ("smoking", "cough")])))
    [('age', 'cough'), ('smoking', 'cough')]
    """
    graph = cpdag(dag)
    return {(a, b) for a, b in graph.edges if not graph.has_edge(b, a)}


def consistent_extension(graph: nx.DiGraph) -> nx.DiGraph:
    """A DAG with the skeleton, arcs and v-structures of a PDAG; for a CPDAG a member of its class (Dor & Tarsi 1992).

    Parameters
    ----------
    graph : a DiGraph with a pair of opposite arcs for an undirected edge, or an undirected graph

    Returns
    -------
    networkx.DiGraph without circles; nodes that come first in `graph` come early in its order

    Raises
    ------
    DataError : there is none (the arcs go in a circle, or every way of directing an edge adds a v-structure)

    Examples
    --------
    >>> import networkx as nx
    >>> either = nx.DiGraph([("age", "cough"), ("cough", "age")])
    >>> list(engine.graphs.consistent_extension(either).edges)
    [('age', 'cough')]
    """
    names = list(graph.nodes)
    parents = extend(from_networkx(graph, names))
    if parents is None:
        raise DataError(
            "The undirected edges of this graph cannot all be directed without a circle or "
            "a new v-structure; take away an arc, or start from the CPDAG of a DAG."
        )
    return dag_to_networkx(parents, names)


def skeleton(graph: nx.Graph) -> nx.Graph:
    """The graph without its directions.

    Parameters
    ----------
    graph : any networkx graph

    Returns
    -------
    networkx.Graph with an edge wherever `graph` has an arc or edge; nodes in the same order

    Examples
    --------
    >>> import networkx as nx
    >>> list(engine.graphs.skeleton(nx.DiGraph([("age", "cough"), ("cough", "age")])).edges)
    [('age', 'cough')]
    """
    result = nx.Graph()
    result.update(nodes=graph.nodes, edges=graph.edges)
    return result


def v_structures(graph: nx.DiGraph) -> set[tuple[Hashable, Hashable, Hashable]]:
    """All pairs of causes that share an effect and no edge between them: a -> child <- b.

    Parameters
    ----------
    graph : a DAG or a PDAG, of which only the directed arcs count

    Returns
    -------
    (a, child, b) of each; a comes before b in the graph

    Raises
    ------
    DataError : a node has an arc to itself

    Examples
    --------
    >>> import networkx as nx
    >>> engine.graphs.v_structures(nx.DiGraph([("age", "cough"), ("smoking", "cough")]))
    {('age', 'cough', 'smoking')}
    """
    names = list(graph.nodes)
    pdag = from_networkx(graph, names)
    return {
        (names[a], names[child], names[b])
        for child in range(len(names))
        for a in bits(pdag.parents[child])
        for b in bits(pdag.parents[child] & ~pdag.adjacent(a) & -(2 << a))
    }

"""d-separation in a DAG: the paths between two variables, what opens and blocks each, and sets that separate.

A path is open when no variable between its ends blocks it: a variable in the middle of a chain or a fork blocks where
it is known, a collider where neither it nor any of its descendants is. Two variables are d-separated by what is known
when no path between them is open; then every network with these arrows makes them independent given it.

Source: Pearl (1988), chapter 3; Shachter (1998) for deciding it without walking along paths.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.errors import DataError
from engine.graphs.dag import (
    Parents,
    ancestors,
    bits,
    check_acyclic,
    children_masks,
    mask_of,
    parents_of,
    positions_of,
)
from engine.lazy import nx
from engine.words import short

MOST_PATHS = 200
"""Paths that are listed, the shortest first."""
MOST_STEPS = 40_000
"""Beginnings of paths that are tried before the list ends as it is."""


@dataclass(frozen=True)
class Triple:
    """Three neighbours on a path, and whether the one in the middle lets it pass.

    Attributes
    ----------
    before, middle, after : the variables
    kind : how the arrows meet in the middle
    is_open : whether the path passes it
    known : the middle where it is known, else the known descendant that opens a collider, else None
    """

    before: Hashable
    middle: Hashable
    after: Hashable
    kind: Literal["chain", "fork", "collider"]
    is_open: bool
    known: Hashable | None = None


@dataclass(frozen=True)
class Path:
    """A path between two variables that visits none twice.

    Attributes
    ----------
    nodes : from one end to the other
    forward : for each pair of neighbours whether the arrow runs along the path
    descendants : of each collider on it, in the order of the graph
    """

    nodes: tuple[Hashable, ...]
    forward: tuple[bool, ...]
    descendants: Mapping[Hashable, tuple[Hashable, ...]]

    @property
    def arrows(self) -> tuple[tuple[Hashable, Hashable], ...]:
        """(source, target) of each arrow, in the order of the path."""
        pairs = zip(self.nodes, self.nodes[1:], self.forward, strict=False)
        return tuple((a, b) if forward else (b, a) for a, b, forward in pairs)

    def triples(self, given: Collection[Hashable] = ()) -> tuple[Triple, ...]:
        """For each variable between the ends what it does when the given ones are known.

        Parameters
        ----------
        given : the known variables
        """
        return tuple(self._triple_at(place, given) for place in range(1, len(self.nodes) - 1))

    def _triple_at(self, place: int, given: Collection[Hashable]) -> Triple:
        into, out = self.forward[place - 1], self.forward[place]
        before, middle, after = self.nodes[place - 1 : place + 2]
        known = middle if middle in given else None
        if into and not out:
            if known is None:
                known = next((node for node in self.descendants[middle] if node in given), None)
            return Triple(before, middle, after, "collider", known is not None, known)
        kind: Literal["chain", "fork"] = "fork" if out and not into else "chain"
        return Triple(before, middle, after, kind, known is None, known)

    def is_open(self, given: Collection[Hashable] = ()) -> bool:
        """True where nothing blocks it.

        Parameters
        ----------
        given : the known variables
        """
        return all(triple.is_open for triple in self.triples(given))

    def describe(self, given: Collection[Hashable] = ()) -> str:
        """The path, whether it is open, and why, in words.

        Parameters
        ----------
        given : the known variables

        Examples
        --------
        >>> import networkx as nx
        >>> graph = nx.DiGraph([("smoking", "wheeze"), ("asthma", "wheeze")])
        >>> engine.graphs.paths(graph, "smoking", "asthma")[0].describe(["wheeze"])
        'smoking → wheeze ← asthma is open: wheeze is a collider and is known.'
        """
        return f"{self} is {'open' if self.is_open(given) else 'blocked'}: {self.reason(given)}"

    def reason(self, given: Collection[Hashable] = ()) -> str:
        """Why it is open or blocked: the variables that decide it.

        Parameters
        ----------
        given : the known variables
        """
        deciding = self.deciding(given)
        if not self.is_open(given):
            return _sentence([_blocks(triple) for triple in deciding])
        if any(triple.kind == "collider" for triple in deciding):
            return _sentence([_opens(triple) for triple in deciding])
        if not deciding:
            return "an arrow joins the two."
        forks = [f"{triple.middle} leads to both ends" for triple in deciding if triple.kind == "fork"]
        return f"{forks[0] if forks else 'its arrows run one way'}, and no variable on it is known."

    def deciding(self, given: Collection[Hashable] = ()) -> tuple[Triple, ...]:
        """The variables that make it blocked or open: those that block; else its colliders; else all between its ends.

        Parameters
        ----------
        given : the known variables
        """
        triples = self.triples(given)
        blocking = tuple(triple for triple in triples if not triple.is_open)
        colliders = tuple(triple for triple in triples if triple.kind == "collider")
        return blocking or colliders or triples

    def __str__(self) -> str:
        text = str(self.nodes[0])
        for node, forward in zip(self.nodes[1:], self.forward, strict=True):
            text += f" {'→' if forward else '←'} {node}"
        return text


def _blocks(triple: Triple) -> str:
    """Say what a variable that blocks does."""
    if triple.kind == "collider":
        return f"{triple.middle} is a collider, and neither it nor a descendant is known"
    return f"{triple.middle} is the middle of a {triple.kind} and is known"


def _opens(triple: Triple) -> str:
    """Say what a collider that lets a path pass does."""
    if triple.known == triple.middle:
        return f"{triple.middle} is a collider and is known"
    return f"{triple.middle} is a collider and its descendant {triple.known} is known"


def _sentence(parts: Sequence[str]) -> str:
    return "; ".join(parts) + "."


class PathList(Sequence[Path]):
    """The paths between two variables, the shortest first.

    Attributes
    ----------
    complete : False where there are more than are listed
    """

    def __init__(self, listed: Sequence[Path], complete: bool) -> None:
        self._listed = tuple(listed)
        self.complete = complete

    def __getitem__(self, index):  # type: ignore[no-untyped-def]  # as a tuple's
        return self._listed[index]

    def __len__(self) -> int:
        return len(self._listed)

    def __iter__(self) -> Iterator[Path]:
        return iter(self._listed)


def paths(graph: nx.DiGraph, x: Hashable, y: Hashable, most: int = MOST_PATHS) -> PathList:
    """All paths between two variables of a DAG that visit none twice, the shortest first.

    Parameters
    ----------
    graph : a DAG
    x, y : two of its nodes
    most : how many are listed at the most

    Returns
    -------
    the paths; `complete` is False where there are more

    Raises
    ------
    DataError : the graph has a cycle, a name is no node of it, or both are the same

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.DiGraph([("smoking", "cough"), ("smoking", "wheeze"), ("asthma", "wheeze")])
    >>> [str(path) for path in engine.graphs.paths(graph, "cough", "asthma")]
    ['cough ← smoking → wheeze ← asthma']
    """
    return _listed(graph, x, y, None, most)


def open_paths(
    graph: nx.DiGraph, x: Hashable, y: Hashable, given: Collection[Hashable] = (), most: int = MOST_PATHS
) -> PathList:
    """The paths between two variables of a DAG that what is known leaves open, the shortest first.

    Parameters
    ----------
    graph : a DAG
    x, y : two of its nodes
    given : the known variables
    most : how many are listed at the most

    Returns
    -------
    the open paths; `complete` is False where there are more

    Raises
    ------
    DataError : the graph has a cycle, a name is no node of it, or both ends are the same

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.DiGraph([("smoking", "wheeze"), ("asthma", "wheeze")])
    >>> len(engine.graphs.open_paths(graph, "smoking", "asthma", ["wheeze"]))
    1
    """
    return _listed(graph, x, y, given, most)


def _listed(graph: nx.DiGraph, x: Hashable, y: Hashable, given: Collection[Hashable] | None, most: int) -> PathList:
    """Grow beginnings from one end, shortest first; with `given`, leave off where the path is blocked."""
    names, families, start, end = read_pair(graph, x, y)
    parents, children = [mask_of(family) for family in families], children_masks(families)
    below = [0] * len(names)
    for node, above in enumerate(ancestors(families)):
        for ancestor in bits(above):
            below[ancestor] |= 1 << node
    known = _known(names, given or (), (start, end))
    opens = [bool(known & (below[node] | 1 << node)) for node in range(len(names))]

    result: list[Path] = []
    waiting: deque[tuple[tuple[int, ...], tuple[bool, ...], int]] = deque([((start,), (), 1 << start)])
    for _ in range(MOST_STEPS):
        if not waiting or len(result) > most:
            break
        nodes, forward, visited = waiting.popleft()
        last = nodes[-1]
        if last == end:
            descendants = {
                names[nodes[i]]: tuple(names[j] for j in bits(below[nodes[i]]))
                for i in range(1, len(forward))
                if forward[i - 1] and not forward[i]
            }
            result.append(Path(tuple(names[node] for node in nodes), forward, descendants))
            continue
        for out, neighbours in ((True, children[last]), (False, parents[last])):
            if given is not None and forward and not _passes(last, forward[-1], out, known, opens):
                continue
            for node in bits(neighbours & ~visited):
                waiting.append(((*nodes, node), (*forward, out), visited | 1 << node))
    return PathList(result[:most], not waiting and len(result) <= most)


def _passes(node: int, into: bool, out: bool, known: int, opens: Sequence[bool]) -> bool:
    """True where the node lets a path through that comes in along or against an arrow and leaves so."""
    return opens[node] if into and not out else not known >> node & 1


def d_separated(graph: nx.DiGraph, x: Hashable, y: Hashable, given: Collection[Hashable] = ()) -> bool:
    """True where what is known leaves no path between two variables open (by reachability, Shachter 1998).

    Parameters
    ----------
    graph : a DAG
    x, y : two of its nodes
    given : the known variables, neither of the two among them

    Returns
    -------
    True where every path is blocked

    Raises
    ------
    DataError : the graph has a cycle, a name is no node of it, both are the same, or one of the two is given

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.DiGraph([("smoking", "wheeze"), ("asthma", "wheeze")])
    >>> [engine.graphs.d_separated(graph, "smoking", "asthma", given) for given in ([], ["wheeze"])]
    [True, False]
    """
    names, families, start, end = read_pair(graph, x, y)
    parents, children = [mask_of(family) for family in families], children_masks(families)
    known = _known(names, given, (start, end))
    reached: set[tuple[int, bool]] = set()  # a node, and whether it was entered along an arrow
    waiting = [(start, False)]
    while waiting:
        node, into = waiting.pop()
        if (node, into) in reached:
            continue
        reached.add((node, into))
        if node == end:
            return False
        is_known = known >> node & 1
        if not is_known:
            waiting += [(child, True) for child in bits(children[node])]
        if bool(is_known) == into:  # a collider passes at itself, or on the way back from a known descendant
            waiting += [(parent, False) for parent in bits(parents[node])]
    return True


def separating_set(
    graph: nx.DiGraph, x: Hashable, y: Hashable, given: Collection[Hashable] = ()
) -> frozenset[Hashable] | None:
    """A set of variables that d-separates two, none of which can be left out; None where no set does.

    Parameters
    ----------
    graph : a DAG
    x, y : two of its nodes
    given : variables that the set has to hold; of the others none can be left out

    Returns
    -------
    the set, with the given variables; empty where the two are separated without knowing any

    Raises
    ------
    DataError : the graph has a cycle, a name is no node of it, both are the same, or one of the two is given

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.DiGraph([("smoking", "cough"), ("smoking", "wheeze")])
    >>> engine.graphs.separating_set(graph, "cough", "wheeze")
    frozenset({'smoking'})
    """
    names, _, start, end = read_pair(graph, x, y)
    _known(names, given, (start, end))
    result = nx.find_minimal_d_separator(graph, {x}, {y}, included=set(given))
    return None if result is None else frozenset(result)


def read_pair(graph: nx.DiGraph, x: Hashable, y: Hashable) -> tuple[list[Hashable], Parents, int, int]:
    """The names, the parents, and the positions of two nodes; `DataError` for what is no DAG or no two nodes."""
    names = list(graph.nodes)
    families = parents_of(graph, names)
    check_acyclic(families, names)
    positions = positions_of(graph, names)
    for node in (x, y):
        if node not in positions:
            raise DataError(f"The graph has no variable {short(str(node), 60)!r}.")
    if x == y:
        raise DataError("X and Y are the same variable; choose two.")
    return names, families, positions[x], positions[y]


def _known(names: Sequence[Hashable], given: Collection[Hashable], ends: tuple[int, int]) -> int:
    """The bit set of what is known; `DataError` for a name that is no node, or one of the two ends."""
    positions = {name: i for i, name in enumerate(names)}
    for node in given:
        if node not in positions:
            raise DataError(f"The graph has no variable {short(str(node), 60)!r}.")
        if positions[node] in ends:
            raise DataError(f"{short(str(node), 60)!r} is X or Y; only other variables can be given.")
    return mask_of(positions[node] for node in given)

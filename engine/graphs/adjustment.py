"""Sets of variables that adjust: what to hold so that comparing X's levels shows what X does to Y.

A set adjusts by the back-door criterion (Pearl 1993) when no variable of it follows from X, and it blocks every path
that begins with an arrow into X. The minimal ones are the minimal separators of X and Y in a moral graph (van der
Zander, Liskiewicz & Textor 2019), all of which are met by moving from one to the next (Shen & Liang 1997).
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

from engine.graphs.dag import ancestors, bits, mask_of
from engine.graphs.separation import Path, d_separated, open_paths, paths, read_pair
from engine.lazy import nx
from engine.words import listed

MOST_SETS = 200
"""Minimal sets that are listed."""
_MOST_NAMED = 6


@dataclass(frozen=True)
class Adjustment:
    """The judgement of a set that may adjust for X and Y, and what is wrong with it where it does not.

    Attributes
    ----------
    works : whether the back-door criterion holds
    effects : variables of the set that follow from X
    open_paths : paths that carry more than the effect of X and stay open, the shortest first
    cut_paths : paths along which X acts on Y that the set blocks
    """

    works: bool
    effects: tuple[Hashable, ...]
    open_paths: tuple[Path, ...]
    cut_paths: tuple[Path, ...]

    def reasons(self, given: Collection[Hashable]) -> list[str]:
        """Why it fails, a sentence a reason; none where it adjusts.

        Parameters
        ----------
        given : the set
        """
        if self.works:
            return []
        sentences = [path.describe(given) for path in self.open_paths]
        sentences += [f"{path} is part of the effect, and the set blocks it." for path in self.cut_paths]
        named = {node for path in (*self.open_paths, *self.cut_paths) for node in path.nodes}
        return sentences + [f"{node} follows from X; leave it out." for node in self.effects if node not in named]


def adjustment_sets(
    graph: nx.DiGraph,
    x: Hashable,
    y: Hashable,
    among: Collection[Hashable] | None = None,
    most: int = MOST_SETS,
) -> tuple[frozenset[Hashable], ...]:
    """All sets that adjust for X and Y by the back-door criterion and of which no variable can be left out.

    Parameters
    ----------
    graph : a DAG whose arrows are causes
    x, y : two of its nodes: what acts, and on what
    among : the variables that can be held, as those of a table; all where None
    most : how many are listed at the most

    Returns
    -------
    the sets, the smallest first; `(frozenset(),)` where nothing has to be held, `()` where no set adjusts

    Raises
    ------
    DataError : the graph has a cycle, a name is no node of it, or both ends are the same

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.DiGraph([("age", "drug"), ("age", "death"), ("drug", "death")])
    >>> engine.graphs.adjustment_sets(graph, "drug", "death")
    (frozenset({'age'}),)
    """
    names, families, start, end = read_pair(graph, x, y)
    after = mask_of(node for node, above in enumerate(ancestors(families)) if above >> start & 1)
    usable = mask_of(i for i, name in enumerate(names) if among is None or name in among) & ~(after | 1 << start)
    families = tuple(tuple(p for p in family if p != start) for family in families)
    above = ancestors(families)
    near = _moral(families, above[start] | above[end] | 1 << start | 1 << end)
    for node in bits(~(usable | 1 << start | 1 << end) & ((1 << len(names)) - 1)):
        for other in bits(near[node]):  # a variable that cannot be held lets everything through
            near[other] = (near[other] | near[node]) & ~(1 << node | 1 << other)
        near[node] = 0
    found = sorted(_separators(near, start, end, most), key=lambda mask: (mask.bit_count(), sorted(bits(mask))))
    return tuple(frozenset(names[node] for node in bits(mask)) for mask in found)


def check_adjustment(graph: nx.DiGraph, x: Hashable, y: Hashable, given: Collection[Hashable]) -> Adjustment:
    """Check a set for X and Y by the back-door criterion, and say why it does not adjust.

    Parameters
    ----------
    graph : a DAG whose arrows are causes
    x, y : two of its nodes
    given : the set, without the two

    Returns
    -------
    the verdict with the paths that decide it

    Raises
    ------
    DataError : the graph has a cycle, a name is no node of it, both ends are the same, or one of the two is given

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.DiGraph([("age", "drug"), ("age", "death"), ("drug", "death")])
    >>> engine.graphs.check_adjustment(graph, "drug", "death", []).reasons([])
    ['drug ← age → death is open: age leads to both ends, and no variable on it is known.']
    """
    read_pair(graph, x, y)
    effects = tuple(node for node in graph if node in given and node in nx.descendants(graph, x))
    without = graph.copy()
    without.remove_edges_from(list(graph.out_edges(x)))
    back = list(open_paths(without, x, y, given))
    forward = [path for path in open_paths(graph, x, y, given) if path.forward[0] and not all(path.forward)]
    cut = [path for path in paths(graph, x, y) if all(path.forward) and not path.is_open(given)]
    works = not effects and d_separated(without, x, y, given)
    return Adjustment(works, effects, (*back, *forward), tuple(cut))


def confounded_pair(graph: nx.DiGraph) -> tuple[str, str] | None:
    """Find two variables with a common cause, so that setting the first and seeing it differ.

    Parameters
    ----------
    graph : a DAG

    Returns
    -------
    the first two that a path of arrows joins too, else the first two at all; None where no variable has two effects
    """
    pairs = (pair for cause in graph for pair in itertools.permutations(graph.successors(cause), 2))
    return max(pairs, key=lambda pair: nx.has_path(graph, *pair), default=None)


def describe_sets(sets: Sequence[frozenset[Hashable]]) -> str:
    """All sets that adjust, as a sentence; the first six are named.

    Parameters
    ----------
    sets : from `adjustment_sets`

    Examples
    --------
    >>> describe_sets([frozenset({"age"}), frozenset({"sex", "stage"})])
    'One of these 2 sets: age; sex and stage.'
    """
    if not sets:
        return "No set of these variables adjusts."
    if not sets[0]:
        return "Nothing: no path into X is open."
    named = [listed(sorted(map(str, one))) for one in sets[:_MOST_NAMED]]
    more = [f"{len(sets) - _MOST_NAMED} more"] if len(sets) > _MOST_NAMED else []
    return f"{f'One of these {len(sets)} sets: ' if len(sets) > 1 else ''}{'; '.join(named + more)}."


def _moral(families: Sequence[Sequence[int]], kept: int) -> list[int]:
    """For each kept variable its neighbours when parents of one child are joined and directions go."""
    near = [0] * len(families)
    for child in bits(kept):
        family = [*families[child], child]
        for node in family:
            near[node] |= mask_of(family) & ~(1 << node)
    return near


def _separators(near: Sequence[int], a: int, b: int, most: int) -> set[int]:
    """The minimal sets without which no way leads from one node to another, at most so many."""

    def border(nodes: int) -> int:
        around = 0
        for node in bits(nodes):
            around |= near[node]
        return around & ~nodes

    def reached(node: int, barred: int) -> int:
        inside = fresh = 1 << node
        while fresh:
            fresh = border(inside) & ~barred
            inside |= fresh
        return inside

    found: set[int] = set()
    waiting = [1 << a]
    while waiting and len(found) < most:
        barred = border(waiting.pop())
        if barred >> b & 1:
            continue
        separator = border(reached(b, barred))
        if separator not in found:
            found.add(separator)
            inside = reached(a, separator)
            waiting += [inside | 1 << node for node in bits(separator)]
    return found

"""How R's pcalg directs a skeleton, written out over pairs: the slow reference of `engine.search.constraint`.

`pc` first lets every x - y - z with x and z apart and y not in their separating set become x -> y <- z, one after the
other by x, then y, then z, and a later one writes over an earlier one (`udag2pdagRelaxed`). Then three rules go over
all edges until nothing changes. Conservative, it first looks at all separating sets among the neighbours of x and of z
(`pc.cons.intern`), and the rules leave triples alone on which these disagree.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection

Pair = tuple[int, int]
Triple = tuple[int, int, int]
Independent = Callable[[int, int, tuple[int, ...]], bool]


def neighbours(links: Collection[frozenset[int]], x: int) -> list[int]:
    """Those that x is linked with."""
    return sorted(y for link in links if x in link for y in link - {x})


def unshielded(links: Collection[frozenset[int]], p: int) -> list[Triple]:
    """x - y - z with x and z apart, both ways round, in the order in which they are directed."""
    return [
        (x, y, z)
        for x, y, z in itertools.permutations(range(p), 3)
        if {frozenset((x, y)), frozenset((y, z))} <= set(links) and frozenset((x, z)) not in links
    ]


def by_separating_set(
    links: Collection[frozenset[int]], separators: dict[Pair, Collection[int]], p: int
) -> tuple[list[Triple], set[Triple]]:
    """Colliders, none ambiguous."""
    return [(x, y, z) for x, y, z in unshielded(links, p) if y not in separators[min(x, z), max(x, z)]], set()


def by_all_sets(
    links: Collection[frozenset[int]], independent: Independent, p: int
) -> tuple[list[Triple], set[Triple]]:
    """Colliders, and triples on which separating sets disagree or that have none."""
    colliders, ambiguous = [], set()
    for x, y, z in unshielded(links, p):
        votes = [
            y in group
            for end in (x, z)
            for size in range(p)
            for group in itertools.combinations(neighbours(links, end), size)
            if independent(min(x, z), max(x, z), group)
        ]
        if not votes or len(set(votes)) > 1:
            ambiguous.add((x, y, z))
        elif not votes[0]:
            colliders.append((x, y, z))
    return colliders, ambiguous


def without_contradictions(colliders: list[Triple]) -> list[Triple]:
    """Colliders no edge of which another collider wants the other way: not pcalg's, but what is done here."""
    wanted = {pair for x, y, z in colliders for pair in ((x, y), (z, y))}
    return [(x, y, z) for x, y, z in colliders if not {(y, x), (y, z)} & wanted]


def direct(
    links: Collection[frozenset[int]], colliders: list[Triple], ambiguous: set[Triple], p: int, *, fourth: bool = False
) -> tuple[set[Pair], bool]:
    """Arcs (both ways for an edge without a direction), and whether one collider wrote over another.

    pcalg has the three rules of patterns; the fourth is Meek's for what else is known.
    """
    arcs = {pair for link in links for pair in itertools.permutations(link)}
    overwritten = False
    for x, y, z in colliders:
        overwritten |= not {(x, y), (z, y)} <= arcs
        arcs = arcs - {(y, x), (y, z)} | {(x, y), (z, y)}

    def line(a: int, b: int) -> bool:
        return {(a, b), (b, a)} <= arcs

    def arrow(a: int, b: int) -> bool:
        return (a, b) in arcs and (b, a) not in arcs

    def apart(a: int, b: int) -> bool:
        return not {(a, b), (b, a)} & arcs

    before: set[Pair] = set()
    while before != arcs:
        before = set(arcs)
        for a, b, c in itertools.permutations(range(p), 3):  # a -> b - c
            if arrow(a, b) and line(b, c) and apart(a, c) and (a, b, c) not in ambiguous:
                arcs.discard((c, b))
        for a, b, c in itertools.permutations(range(p), 3):  # a -> b -> c, a - c
            if arrow(a, b) and arrow(b, c) and line(a, c):
                arcs.discard((c, a))
        for a, b, c, d in itertools.permutations(range(p), 4):  # a - b -> d, a - c -> d, a - d, b and c apart
            both = line(a, b) and line(a, c) and arrow(b, d) and arrow(c, d)
            if both and line(a, d) and apart(b, c) and (b, a, c) not in ambiguous:
                arcs.discard((d, a))
        for a, b, c, d in itertools.permutations(range(p), 4) if fourth else ():  # a - b -> c -> d, a - d, b, d apart
            chain = line(a, b) and arrow(b, c) and arrow(c, d) and line(a, d)
            if chain and not apart(a, c) and apart(b, d) and (b, a, d) not in ambiguous:
                arcs.discard((d, a))
    return arcs, overwritten

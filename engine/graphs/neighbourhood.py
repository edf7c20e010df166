"""A part of a network that can be read: its strongest links and what they touch, or what lies around one variable."""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Mapping

Pair = tuple[str, str]


def neighbourhood(
    links: Mapping[Pair, float], centre: Collection[str] = (), most: int = 30, first: int = 10
) -> tuple[str, ...]:
    """The variables around a centre, each time the one that the strongest link joins to those that are there.

    Without a centre it begins with the ends of the strongest links of all. Where nothing more is linked with these, the
    strongest link elsewhere goes on, as long as there is no centre.

    Examples
    --------
    >>> neighbourhood({("a", "b"): 1.0, ("b", "c"): 3.0, ("d", "e"): 2.0}, most=3, first=2)
    ('b', 'c', 'a')
    """
    ranks = sorted(links, key=lambda pair: -_size(links[pair]))
    adjacent: dict[str, list[tuple[int, str]]] = {}
    for rank, (a, b) in enumerate(ranks):
        adjacent.setdefault(a, []).append((rank, b))
        adjacent.setdefault(b, []).append((rank, a))
    result: dict[str, None] = {}
    reach: list[tuple[int, str]] = []

    def take(*names: str) -> None:
        for name in names:
            if name not in result and len(result) < most:
                result[name] = None
                for item in adjacent.get(name, ()):
                    heapq.heappush(reach, item)

    take(*centre)
    for pair in () if centre else ranks:
        if len({*result, *pair}) > min(first, most):
            break
        take(*pair)
    later = iter(() if centre else ranks)
    while len(result) < most:
        if reach:
            take(heapq.heappop(reach)[1])
        elif (strongest := next(later, None)) is None:
            break
        elif len({*result, *strongest}) <= most:
            take(*strongest)
    return tuple(result)


def _size(strength: float) -> float:
    return -math.inf if math.isnan(strength) else strength

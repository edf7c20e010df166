"""What separates every pair of variables of an undirected graph, once the link between the two is gone."""

from __future__ import annotations

import numpy as np

from engine.counting.compiling import njit


@njit(cache=True, nogil=True)
def _near(adjacent, u, v, seen, stack):  # type: ignore[no-untyped-def]
    """How many neighbours of u reach v without passing another one; flags of them are in row 1 of `seen`."""
    p = adjacent.shape[0]
    reached, chosen = seen[0], seen[1]
    reached[:] = False
    chosen[:] = False
    reached[v] = True
    stack[0], depth, many = v, 1, 0
    while depth:
        depth -= 1
        w = stack[depth]
        for x in range(p):
            if adjacent[w, x] and x != u:
                if adjacent[u, x] and x != v:
                    if not chosen[x]:
                        chosen[x] = True
                        many += 1
                elif not reached[x]:
                    reached[x] = True
                    stack[depth] = x
                    depth += 1
    return many


@njit(cache=True, nogil=True)
def add_separators(adjacent, pairs, given):  # type: ignore[no-untyped-def]
    """Mark what separates each pair: neighbours of u that reach v's component, from u or from v, the smaller set.

    Parameters
    ----------
    adjacent : (p, p) flags of an undirected graph
    pairs : (m, 2); of two sets of one size that from the first is taken
    given : (m, p) flags, to which those of this graph are added
    """
    p = adjacent.shape[0]
    item, other = np.empty((2, p), dtype=np.bool_), np.empty((2, p), dtype=np.bool_)
    stack = np.empty(p, dtype=np.int64)
    for i in range(pairs.shape[0]):
        u, v = pairs[i]
        many = _near(adjacent, u, v, item, stack)
        more = _near(adjacent, v, u, other, stack)
        chosen = item[1] if many <= more else other[1]
        for x in range(p):
            if chosen[x]:
                given[i, x] = True

"""The information of a variable and a pair of others, for many pairs and all variables at once.

A table of x, y and z follows from the tables of its pairs and the counts of its cells but those with a last level: of
three variables with three levels each these are 8 cells instead of 27. They are the rows that the product of a plane of
y and one of z shares with a plane of x.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.counting.products import product_counts
from engine.graphs.chordal import Edge
from engine.methods.log_linear.ranking.weights import Weights

if TYPE_CHECKING:
    from engine.methods.log_linear.ranking.pairs import Pairs

_AT_ONCE = 1 << 22  # counts that are held at a time
_TOLD = 1 << 14  # pairs times variables whose tables are made at a time: they stay in the processor's cache


def triple_information(
    pairs: Pairs, edges: Sequence[Edge], others: np.ndarray, weights: Weights
) -> Iterator[tuple[list[int], np.ndarray]]:
    """w(x+y+z) + w() - w(x) - w(y+z) for pairs of variables (y, z) and each of some others, x.

    Parameters
    ----------
    pairs : counts of the table; variables are numbered as the data order them
    edges : the pairs
    others : (k,) variables with two levels or more, none of them in a pair
    weights : of counts

    Yields
    ------
    places of some edges, and (edges, k)
    """
    own = np.maximum(pairs.arity - 1, 0)
    planes = np.concatenate([np.arange(pairs.starts[x], pairs.starts[x] + own[x]) for x in others.tolist()])
    first = np.cumsum(own[others]) - own[others]
    alike: dict[tuple[int, int], list[int]] = {}
    for place, (y, z) in enumerate(edges):
        alike.setdefault((int(pairs.arity[y]), int(pairs.arity[z])), []).append(place)
    for (r, t), places in alike.items():
        step = max(1, _AT_ONCE // (max((r - 1) * (t - 1) + r + t - 2, 1) * max(len(planes), 1)))
        for begin in range(0, len(places), step):
            part = places[begin : begin + step]
            yield part, _information(pairs, [edges[place] for place in part], (r, t), others, planes, first, weights)


def _information(
    pairs: Pairs,
    edges: Sequence[Edge],
    shape: tuple[int, int],
    others: np.ndarray,
    planes: np.ndarray,
    first: np.ndarray,
    weights: Weights,
) -> np.ndarray:
    """Of pairs with the same numbers of levels."""
    r, t = shape
    ys, zs = (np.array(column) for column in zip(*edges, strict=True))
    of_y, of_z = (pairs.starts[x][:, None] + np.arange(s - 1) for x, s in ((ys, r), (zs, t)))
    one = np.repeat(of_y, t - 1, axis=1)  # (edges, products): y before z
    two = np.tile(of_z, (1, r - 1))
    both = product_counts(pairs.data, one.ravel(), two.ravel(), planes).reshape(len(edges), r - 1, t - 1, len(planes))
    with_y, with_z = (_with_planes(pairs, of.ravel(), planes).reshape(*of.shape, len(planes)) for of in (of_y, of_z))
    yz = _tables_of_edges(pairs, edges)
    found = np.empty((len(edges), len(others)))
    levels = pairs.arity[others]
    for s in set(levels.tolist()):
        members = np.flatnonzero(levels == s)
        margins = np.stack([pairs.levels[x] for x in others[members].tolist()], axis=1)  # (s, members)
        columns = first[members] + np.arange(s - 1)[:, None]
        step = max(1, _TOLD // len(members))
        for begin in range(0, len(edges), step):
            some = slice(begin, begin + step)
            told = _told([array[some][..., columns] for array in (both, with_y, with_z)], yz[some], margins, weights)
            found[some, members] = told
    return found


def _with_planes(pairs: Pairs, own: np.ndarray, planes: np.ndarray) -> np.ndarray:
    """(m, k) rows that some planes share with others: known, or counted."""
    if pairs.small:
        return pairs.shared(own[:, None], planes)
    different, place = np.unique(own, return_inverse=True)
    return product_counts(pairs.data, different, different, planes)[place]


def _tables_of_edges(pairs: Pairs, edges: Sequence[Edge]) -> np.ndarray:
    """(edges, t, r) counts of z and y."""
    known = [pairs.table(z, y) for y, z in edges]
    found = [one for one in known if one is not None]
    return np.stack(found if len(found) == len(known) else pairs.counted_tables([(z, y) for y, z in edges]))


def _told(cells: Sequence[np.ndarray], yz: np.ndarray, margins: np.ndarray, weights: Weights) -> np.ndarray:
    """(edges, members) information from counts without last levels; added up as `table_information` does.

    Parameters
    ----------
    cells : (edges, r - 1, t - 1, s - 1, members) of y, z and x; (edges, r - 1, s - 1, members) of y and x;
        (edges, t - 1, s - 1, members) of z and x
    yz : (edges, t, r)
    margins : (s, members) of x
    weights : of counts
    """
    inner, with_y, with_z = cells
    edges, t, r = yz.shape
    s, members = margins.shape
    whole = np.empty((t, r, s, edges, members), dtype=np.int64)
    whole[:-1, :-1, :-1] = inner.transpose(2, 1, 3, 0, 4)
    np.subtract(with_y.transpose(1, 2, 0, 3), whole[:-1, :-1, :-1].sum(axis=0), out=whole[-1, :-1, :-1])
    of_z = with_z.transpose(1, 2, 0, 3)
    np.subtract(of_z, whole[:-1, :-1, :-1].sum(axis=1), out=whole[:-1, -1, :-1])
    last = margins[:-1, None, :] - of_z.sum(axis=0)
    np.subtract(last, whole[-1, :-1, :-1].sum(axis=0), out=whole[-1, -1, :-1])
    lines = yz.transpose(1, 2, 0)[..., None]
    np.subtract(lines, whole[:, :, :-1].sum(axis=2), out=whole[:, :, -1])
    terms, alone, columns = weights[whole], weights[lines], weights[margins]
    found = np.zeros((edges, members))
    for j in range(t):
        for i in range(r):
            for k in range(s):
                found += terms[j, i, k]
            found -= alone[j, i]
    found += weights[margins[:, :1].sum()]
    for k in range(s):
        found -= columns[k]
    return found

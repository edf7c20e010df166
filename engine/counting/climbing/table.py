"""The arrays of a greedy search over DAGs, which `engine.counting.climbing.moves` and `.run` read and write.

Few arrays with many rows: what a compiler takes for a kernel grows with the number of arrays. Making them loads none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

WEIGH, CLIMB, GROW, SHRINK, GIVEN = 0, 1, 2, 3, 4
"""What a run does: weigh single changes, climb with a tabu list, add arcs, take arcs away, make one given move."""
DONE, PAUSED, ASKING, FULL, WENT_ON = 0, 1, 2, 3, 4
"""Why a run comes back: nothing is left to do; to let others speak; a family is to be weighed; no room for a parent.
(The last one is only for a step inside.)"""
ADD, REMOVE, REVERSE = 0, 1, 2
"""Kinds of moves."""
ALLOWED, REQUIRED = 1, 2
"""Bits of `Table.allowed`."""

MODE, MOST, TABU, IDLE, STEPS, PUSHED, MOVED, STALE, AT, SEEN, LEFT, WORK, WHAT, PARENT, CHILD = range(15)
"""Places in `Table.control`: the mode; most parents; length of the tabu list; moves since the last record; moves, -1
before a climb begins; arcs put on the tabu list; whether a move waits to be judged; whether `below` is to be worked out
anew; how many queued children are weighed, how many of those were looked at, and how many wait in all; work since the
last pause; the move that is given."""
LOCAL, BEST, MARKS = 0, 1, 2
"""Rows of `Table.real`: score of every family; largest gain of an addition that closes no circle; single numbers."""
TOLERANCE, RECORD = 0, 1
"""Places in the last of these: what counts as equal, and the best total of a climb."""
PLACE, QUEUE, DEGREE, READY, CANDIDATES = 0, 1, 2, 3, 4
"""Rows of `Table.work`: a parent that has the gain of row BEST, or -1; children to be weighed; room to work."""

ROOM = 8
"""Parents that a family has room for at first."""


class Table(NamedTuple):
    """A DAG on its way and what every change of one arc would gain.

    Attributes
    ----------
    families, kept : (p, K + 1) int64, how many parents each variable has, then the parents ascending; the DAG, and the
        best one of a climb
    add : (p, p) `add[child, x]` gain of x -> child; -inf where x is in the family, not allowed, or the family is full
    gains : (2, p, K) gain of taking the parent in that place away, -inf where it is required; and room to work
    below : (2, p, p / 64) uint64, bit x of `below[0, y]` says that a directed path runs from y to x; and room to work
    allowed : (p, p) uint8, `allowed[child, x]`, bits ALLOWED and REQUIRED
    real, work, control : see the names of their places
    recent : (tabu, 2) int64 ring of the arcs changed last, parent and child
    held : (2 tabu, 3) room to work
    """

    families: np.ndarray
    kept: np.ndarray
    add: np.ndarray
    gains: np.ndarray
    below: np.ndarray
    allowed: np.ndarray
    real: np.ndarray
    work: np.ndarray
    control: np.ndarray
    recent: np.ndarray
    held: np.ndarray


def new_table(
    parents: Sequence[Sequence[int]], allowed: np.ndarray, required: Sequence[Sequence[int]], most: int, tabu: int
) -> Table:
    """A table whose every family waits to be weighed.

    Parameters
    ----------
    parents : of every variable, ascending
    allowed : (p, p) bool, `allowed[child, parent]`
    required : parents that each child must keep
    most : most parents of a variable
    tabu : arcs that rest

    Returns
    -------
    `Table`
    """
    p = len(parents)
    room = max(1, min(most, ROOM, p - 1), *map(len, parents))
    bits = np.array(allowed, dtype=np.uint8)
    for child, group in enumerate(required):
        if group:
            bits[child, list(group)] |= REQUIRED
    work = np.zeros((5, max(p, 2)), dtype=np.int64)
    work[PLACE] = -1
    work[QUEUE, :p] = np.arange(p)
    control = np.zeros(CHILD + 1, dtype=np.int64)
    control[[MODE, MOST, TABU, STALE, LEFT, WHAT]] = WEIGH, most, tabu, 1, p, -1
    real = np.zeros((3, max(p, 2)))
    real[BEST] = -np.inf
    families = np.zeros((p, room + 1), dtype=np.int64)
    for child, group in enumerate(parents):
        if group:
            families[child, 0], families[child, 1 : len(group) + 1] = len(group), group
    return Table(
        families=families,
        kept=families.copy(),
        add=np.full((p, p), -np.inf),
        gains=np.full((2, p, room), -np.inf),
        below=np.zeros((2, p, -(-p // 64)), dtype=np.uint64),
        allowed=bits,
        real=real,
        work=work,
        control=control,
        recent=np.zeros((max(tabu, 1), 2), dtype=np.int64),
        held=np.zeros((2 * max(tabu, 1), 3)),
    )


def with_room(table: Table) -> Table:
    """The same table with room for twice as many parents.

    Parameters
    ----------
    table : is not changed, but its other arrays are shared

    Returns
    -------
    `Table`
    """
    _, p, room = table.gains.shape
    wide = min(2 * room, max(p - 1, 1))
    families, kept = np.zeros((2, p, wide + 1), dtype=np.int64)
    families[:, : room + 1], kept[:, : room + 1] = table.families, table.kept
    gains = np.full((2, p, wide), -np.inf)
    gains[:, :, :room] = table.gains
    return table._replace(families=families, kept=kept, gains=gains)

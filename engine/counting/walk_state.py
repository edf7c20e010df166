"""The arrays of a greedy search over DAGs that `engine.counting.climber` reads and writes; they need no compiler."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.data.planes import Planes

ADD, REMOVE, REVERSE = 0, 1, 2
"""Kinds of moves."""
CLIMB, GROW, SHRINK = 0, 1, 2
"""Modes: any move, with a tabu list; additions; removals."""
ALLOWED, REQUIRED = 1, 2
"""Bits of `State.rules`."""
PLANE_CELLS_SHORT, PLANE_CELLS_LONG, LONG_TABLE = 128, 48, 8192
"""Configurations times child levels up to which bit planes count fastest; the second from LONG_TABLE rows on."""
LARGE_COUNT, RISES = 1024, 64
"""Counts below LARGE_COUNT have their lnGamma looked up, for RISES alphas; of others it is as soon computed."""
_NOW = np.dtype(
    [(name, np.int64) for name in ("most_parents", "tabu", "steps", "begun", "idle")]
    + [("tolerance", "f8"), ("record", "f8")]
)


class Rows(NamedTuple):
    """Rows and a Dirichlet score.

    Attributes
    ----------
    words, starts : bit planes, see `engine.data.planes`
    codes : (p, n) uint8
    arity : (p,) int64
    ess : equivalent sample size, 0 for K2
    by_size : (p + 1,) what the score of a family gets for its number of parents
    rises, owners : (RISES, LARGE_COUNT) differences of lnGamma by count, and (RISES, 2) what the alpha of each
        row is made of and its lnGamma
    room : (5, n) uint32 for codes of all rows, which the system would else hand out and take back for every family
    """

    words: np.ndarray
    starts: np.ndarray
    codes: np.ndarray
    arity: np.ndarray
    ess: float
    by_size: np.ndarray
    rises: np.ndarray
    owners: np.ndarray
    room: np.ndarray


class State(NamedTuple):
    """A DAG on its way and what every change of one arc would gain.

    Attributes
    ----------
    sizes, parents : (p,) how many parents each variable has, and (p, K) which: the first so many, in no order
    record_sizes, record_parents : the same of the best DAG of a climb
    add : (p, p) `add[child, x]` gain of x -> child; -inf where it cannot be, circles aside
    drop : (p, K) gain of taking the parent in that place away; -inf where it is required
    best, best_parent : (p,) largest addition that closes no circle, and its parent
    below : (p, p / 64) uint64, bit x of `below[y]` says that a directed path runs from y to x
    changed : (p, p) int32 the step at which the arc between two variables was changed last
    rules : (p, p) uint8 `rules[child, x]`, bits ALLOWED and REQUIRED
    local : (p,) score of every family
    stale : (p,) uint8, 1 where a family has changed since it was weighed
    now : (1,) record: most parents; length of the tabu list; steps; step at which the climb began; moves since its last
        record; what counts as equal; the record
    """

    sizes: np.ndarray
    parents: np.ndarray
    record_sizes: np.ndarray
    record_parents: np.ndarray
    add: np.ndarray
    drop: np.ndarray
    best: np.ndarray
    best_parent: np.ndarray
    below: np.ndarray
    changed: np.ndarray
    rules: np.ndarray
    local: np.ndarray
    stale: np.ndarray
    now: np.ndarray


def new_rows(planes: Planes, codes: np.ndarray, ess: float, by_size: np.ndarray) -> Rows:
    """Rows with nothing looked up yet."""
    read_only = codes.view()
    read_only.flags.writeable = False  # as the codes of any data set, so that the kernels are compiled once
    rises, owners = np.empty((RISES, LARGE_COUNT)), np.full((RISES, 2), -1.0)
    room = np.empty((5, codes.shape[1]), np.uint32)
    return Rows(planes.words, planes.starts, read_only, planes.arity, float(ess), by_size, rises, owners, room)


def new_state(
    parents: Sequence[Sequence[int]], allowed: np.ndarray, required: Sequence[Sequence[int]], most: int, tabu: int
) -> State:
    """A state in which everything is stale.

    `most` is the largest number of parents, `tabu` how many moves arcs rest; the others are as in `Constraints`.
    """
    p = len(parents)
    room = max(1, min(most, p - 1), *map(len, parents))
    rules = np.array(allowed, dtype=np.uint8)
    for child, group in enumerate(required):
        if group:
            rules[child, list(group)] |= REQUIRED
    now = np.zeros(1, _NOW)
    now["most_parents"], now["tabu"] = most, tabu
    state = State(
        sizes=np.zeros(p, dtype=np.int64),
        parents=np.zeros((p, room), dtype=np.int32),
        record_sizes=np.zeros(p, dtype=np.int64),
        record_parents=np.zeros((p, room), dtype=np.int32),
        add=np.full((p, p), -np.inf),
        drop=np.full((p, room), -np.inf),
        best=np.full(p, -np.inf),
        best_parent=np.full(p, -1, dtype=np.int64),
        below=np.zeros((p, -(-p // 64)), dtype=np.uint64),
        changed=np.zeros((p, p), dtype=np.int32),
        rules=rules,
        local=np.zeros(p),
        stale=np.ones(p, dtype=np.uint8),
        now=now,
    )
    for child, group in enumerate(parents):
        if group:
            set_parents(state, child, group)
    return state


def set_parents(state: State, child: int, group: Sequence[int]) -> None:
    """Give a variable its parents; it is stale."""
    state.stale[child] = 1
    state.sizes[child], state.parents[child, : len(group)] = len(group), group

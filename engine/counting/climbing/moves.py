"""Kernels of a greedy search over DAGs: which change of one arc is the best, and what it does to the graph.

`engine.search.moves.DeltaTable` says the same readably, and the tests hold the two against each other, move for move.
Few functions and plain arrays: each costs the compiler its time. The arrays are those of `Table`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from engine.counting.climbing.table import (
    ADD,
    BEST,
    CHILD,
    CLIMB,
    DEGREE,
    DONE,
    FULL,
    GIVEN,
    GROW,
    IDLE,
    LEFT,
    LOCAL,
    MARKS,
    MODE,
    MOVED,
    PARENT,
    PLACE,
    PUSHED,
    QUEUE,
    READY,
    RECORD,
    REMOVE,
    REVERSE,
    STALE,
    STEPS,
    TABU,
    TOLERANCE,
    WENT_ON,
    WHAT,
)

_ONE = np.uint64(1)
_typed: Any = np.int64  # a bare figure would be a type of its own to the compiler, and ask for another compilation


@njit(cache=True, nogil=True, error_model="numpy")
def rescan(add, below, real, work, child):  # type: ignore[no-untyped-def]
    """Look for the best addition to one child again."""
    top, at = -np.inf, -1
    for x in range(add.shape[1]):
        if add[child, x] > top and (below[0, child, x >> 6] >> np.uint64(x & 63)) & _ONE == 0:
            top, at = add[child, x], x
    real[BEST, child], work[PLACE, child] = top, at


@njit(cache=True, nogil=True, error_model="numpy")
def close(families, add, below, real, work):  # type: ignore[no-untyped-def]
    """Work out anew what is below what, children before parents."""
    p, width = add.shape[0], below.shape[2]
    for x in range(p):
        work[DEGREE, x] = 0
        for word in range(width):
            below[1, x, word] = 0
    for child in range(p):
        for i in range(families[child, 0]):
            work[DEGREE, families[child, i + 1]] += 1
    ready = 0
    for x in range(p):
        if work[DEGREE, x] == 0:
            work[READY, ready] = x
            ready += 1
    while ready:
        ready -= 1
        child = work[READY, ready]
        for i in range(families[child, 0]):
            x = families[child, i + 1]
            for word in range(width):
                below[1, x, word] |= below[1, child, word]
            below[1, x, child >> 6] |= _ONE << np.uint64(child & 63)
            work[DEGREE, x] -= 1
            if work[DEGREE, x] == 0:
                work[READY, ready] = x
                ready += 1
    for y in range(p):
        changed = False
        for word in range(width):
            changed |= below[1, y, word] != below[0, y, word]
            below[0, y, word] = below[1, y, word]
        if changed:
            rescan(add, below, real, work, y)


@njit(cache=True, nogil=True, error_model="numpy")
def _join(add, below, real, work, x, child):  # type: ignore[no-untyped-def]
    """Bring what is below what up to date after adding x -> child."""
    for y in range(add.shape[0]):
        if y == x or (below[0, y, x >> 6] >> np.uint64(x & 63)) & _ONE:
            for word in range(below.shape[2]):
                below[0, y, word] |= below[0, child, word]
            below[0, y, child >> 6] |= _ONE << np.uint64(child & 63)
            at = work[PLACE, y]
            if at >= 0 and (below[0, y, at >> 6] >> np.uint64(at & 63)) & _ONE:
                rescan(add, below, real, work, y)


@njit(cache=True, nogil=True, error_model="numpy")
def _best_addition(add, below, real, work, recent, held, length, short):  # type: ignore[no-untyped-def]
    """Gain, parent and child of the best addition; among equals the lowest parent, then the lowest child.

    The first `length` of `recent` count only if they gain more than `short`.
    """
    p, count = add.shape[0], 0
    for i in range(2 * length):
        child, x = recent[i // 2, i % 2], recent[i // 2, 1 - i % 2]
        value = add[child, x]
        if -np.inf < value <= short and (below[0, child, x >> 6] >> np.uint64(x & 63)) & _ONE == 0:
            held[count, 0], held[count, 1], held[count, 2] = child, x, value
            count += 1
            add[child, x] = -np.inf
            if work[PLACE, child] == x:
                rescan(add, below, real, work, child)
    gain = -np.inf
    for child in range(p):
        gain = max(gain, real[BEST, child])
    least = gain - real[MARKS, TOLERANCE]
    parent, who = p, -1
    if gain > -np.inf:
        for child in range(p):
            if real[BEST, child] >= least:
                for x in range(parent):
                    if add[child, x] >= least and (below[0, child, x >> 6] >> np.uint64(x & 63)) & _ONE == 0:
                        parent, who = x, child
                        break
        gain = add[who, parent] if who >= 0 else -np.inf
    for i in range(count):
        child, x, value = int(held[i, 0]), int(held[i, 1]), held[i, 2]
        add[child, x] = value
        if value > real[BEST, child]:
            real[BEST, child], work[PLACE, child] = value, x
    return gain, parent, who


@njit(cache=True, nogil=True, error_model="numpy")
def _best_arc(families, add, gains, below, recent, turning, length, short, floor, tolerance):  # type: ignore[no-untyped-def]
    """Gain, parent and child of the best removal or reversal; none (-1) where nothing gains more than `floor`."""
    p = add.shape[0]
    for child in range(p):
        for i in range(families[child, 0]):
            x = families[child, i + 1]
            gain = gains[0, child, i]
            if turning:
                gain += add[x, child]
            if gain <= short:
                for t in range(length):
                    a, b = recent[t, 0], recent[t, 1]
                    if (a == x and b == child) or (a == child and b == x):
                        gain = -np.inf
            gains[1, child, i] = gain
    while True:
        most = -np.inf
        for child in range(p):
            for i in range(families[child, 0]):
                most = max(most, gains[1, child, i])
        if most == -np.inf or most <= floor:
            return -np.inf, -1, -1
        parent, who, at = p, 0, 0
        for child in range(p):
            for i in range(families[child, 0]):
                if gains[1, child, i] >= most - tolerance and families[child, i + 1] < parent:
                    parent, who, at = families[child, i + 1], child, i
        free = True
        if turning:
            for i in range(families[who, 0]):  # no other directed path may run from the parent to the child
                x = families[who, i + 1]
                free &= (below[0, parent, x >> 6] >> np.uint64(x & 63)) & _ONE == 0
        if free:
            return gains[1, who, at], parent, who
        gains[1, who, at] = -np.inf


@njit(cache=True, nogil=True, error_model="numpy")
def _insert(families, x, child):  # type: ignore[no-untyped-def]
    """Write x among the ascending parents of child."""
    i = families[child, 0] + 1
    families[child, 0] = i
    while i > 1 and families[child, i - 1] > x:
        families[child, i] = families[child, i - 1]
        i -= 1
    families[child, i] = x


@njit(cache=True, nogil=True, error_model="numpy")
def step(families, kept, add, gains, below, real, work, control, recent, held):  # type: ignore[no-untyped-def]
    """Choose a move and make it: WENT_ON, DONE or FULL."""
    p, tolerance, mode = add.shape[0], real[MARKS, TOLERANCE], control[MODE]
    none = _typed(0)
    gain, what, x, child = -np.inf, none - 1, none - 1, none - 1
    if mode == GIVEN:
        what, x, child = control[WHAT], control[PARENT], control[CHILD]
        if what < 0:
            return DONE
    elif mode == GROW:
        gain, x, child = _best_addition(add, below, real, work, recent, held, none, -np.inf)
        what = ADD
        if gain <= tolerance:
            return DONE
    elif mode != CLIMB:
        gain, x, child = _best_arc(families, add, gains, below, recent, none, none, -np.inf, -np.inf, tolerance)
        what = REMOVE
        if gain <= tolerance:
            return DONE
    else:
        total = 0.0
        for y in range(p):
            total += real[LOCAL, y]
        if control[STEPS] < 0 or (control[MOVED] and total > real[MARKS, RECORD] + tolerance):
            real[MARKS, RECORD] = total
            control[IDLE] = 0
            if control[STEPS] < 0:
                control[STEPS], control[PUSHED] = 0, 0
            for y in range(p):
                for i in range(families[y, 0] + 1):
                    kept[y, i] = families[y, i]
        elif control[MOVED]:
            control[IDLE] += 1
            if control[IDLE] > control[TABU]:
                return DONE
        control[MOVED] = 0
        short = real[MARKS, RECORD] - total + tolerance
        for resting in range(1 if control[IDLE] else 0, 2):
            if gain > tolerance:
                break  # on the way to a new record; else what was changed lately rests
            length = min(control[PUSHED], control[TABU]) if resting else none
            gain, x, child = _best_addition(add, below, real, work, recent, held, length, short)
            what = none + ADD if child >= 0 else none - 1
            for turning in range(2):
                other, y, z = _best_arc(
                    families, add, gains, below, recent, turning, length, short, gain + tolerance, tolerance
                )
                if z >= 0 and other > gain + tolerance:
                    gain, what, x, child = other, REMOVE + turning, y, z
        if what < 0 or (gain <= tolerance and control[IDLE] >= control[TABU]):
            return DONE
    if what != REMOVE and families[child if what == ADD else x, 0] + 1 == families.shape[1]:
        return FULL
    if what == ADD:
        _insert(families, x, child)
        _join(add, below, real, work, x, child)
    else:
        size = families[child, 0]
        gone = 0
        for i in range(1, size + 1):
            if gone:
                families[child, i - 1] = families[child, i]
            gone |= families[child, i] == x
        families[child, 0] = size - 1
        if what == REVERSE:
            _insert(families, child, x)
        control[STALE] = 1
    work[QUEUE, 0], work[QUEUE, 1] = child, x
    control[LEFT] = 2 if what == REVERSE else 1
    control[MOVED] = 1
    control[WHAT] = -1
    if control[TABU]:
        at = control[PUSHED] % control[TABU]
        recent[at, 0], recent[at, 1] = x, child
        control[PUSHED] += 1
    control[STEPS] += 1
    return WENT_ON

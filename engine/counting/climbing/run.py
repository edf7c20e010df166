"""A greedy search over DAGs that counts, scores and moves without coming back, for K2, BDeu and BDe.

Where it cannot weigh a family by itself, or is not to, it comes back and asks. Sums are taken in the order of
`dirichlet_family` and `dirichlet_additions`, so that no bit depends on who weighs.
"""

from __future__ import annotations

import math
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from engine.counting.climbing.moves import close, rescan, step
from engine.counting.climbing.rows import COST, ESS, KINDS, MOST_PLANE_CELLS, MOST_STORED, N_ROWS, PRIORS
from engine.counting.climbing.table import (
    ALLOWED,
    ASKING,
    AT,
    CANDIDATES,
    DONE,
    GROW,
    LEFT,
    LOCAL,
    MODE,
    MOST,
    PAUSED,
    QUEUE,
    REQUIRED,
    SEEN,
    SHRINK,
    STALE,
    WEIGH,
    WENT_ON,
    WORK,
)
from engine.counting.numba_kernels import histogram_additions, mixed_radix, plane_additions

_ONE = np.uint64(1)
_typed: Any = np.int64  # a bare figure would be a type of its own to the compiler, and ask for another compilation
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # an odd number whose multiples fall far apart
_SHIFT = np.uint64(20)


@njit(cache=True, nogil=True, error_model="numpy")
def _score(counts, at, q, s, r, step_k, step_s, ess, n_rows, keys, noted):  # type: ignore[no-untyped-def]
    """Dirichlet score of a (q s, r) table whose cell (j, level, k) is at + j r s + k step_k + level step_s.

    Every lnGamma is looked up where it was asked before: the slot of a count lies beside those of its neighbours.
    """
    alpha, number = 1.0, 1
    if ess > 0.0:
        alpha, number = ess / (float(q * s) * r), q * s * r
    cell = np.uint64(number * KINDS) * np.uint64(n_rows + 1)  # no two pseudo-counts and counts have one key
    row = np.uint64(number * KINDS + r) * np.uint64(n_rows + 1)
    cell_place, row_place = (cell * _SPREAD) >> _SHIFT, (row * _SPREAD) >> _SHIFT
    mask = np.uint64(keys.shape[0] - 1)
    alphas = alpha * r
    cell_zero, row_zero, score = np.inf, np.inf, 0.0  # the lnGamma of no count is asked for with the first that is new
    for j in range(q):
        for level in range(s):
            total = 0
            place = at + j * r * s + level * step_s
            for k in range(r):
                count = counts[place + k * step_k]
                total += count
                slot = (cell_place + np.uint64(count)) & mask
                if keys[slot] != cell + np.uint64(count):
                    keys[slot] = cell + np.uint64(count)
                    if cell_zero == np.inf:
                        cell_zero = math.lgamma(alpha)
                    noted[slot] = math.lgamma(alpha + count) - cell_zero
                score += noted[slot]
            slot = (row_place + np.uint64(total)) & mask
            if keys[slot] != row + np.uint64(total):
                keys[slot] = row + np.uint64(total)
                if row_zero == np.inf:
                    row_zero = math.lgamma(alphas)
                noted[slot] = math.lgamma(alphas + total) - row_zero
            score -= noted[slot]
    return score


@njit(cache=True, nogil=True, error_model="numpy")
def weigh(  # type: ignore[no-untyped-def]
    tables, candidates, m, child, family, kept, joined, arity, n_rows, prior, keys, noted, remove, add
):
    """What one family is worth; writes what every change of it gains.

    tables : (m, q r s or more) counts with the first m of the candidates, as `plane_additions` leaves them. Where
        nothing can be added, m = 0, one table: with any candidate, or, where `joined`, the family's own with its last
        parent as the candidate
    family, kept : number of parents, then the parents ascending; and flags of those that must stay, by variable
    remove, add : (k or more,) and (p,) written: the gains; -inf for what cannot be
    """
    none, one, q = _typed(0), _typed(1), _typed(1)
    ess, cost, size, r = prior[ESS], prior[COST], family[0], arity[child]
    for i in range(size):
        q *= arity[family[i + 1]]
    counts = np.zeros(2 * q * r, np.int64)  # of the family, then of it without one parent
    s = arity[candidates[0]]
    if joined:
        for j in range(q // s):
            for k in range(r):
                for level in range(s):
                    counts[(j * s + level) * r + k] = tables[0, (j * r + k) * s + level]
    else:
        for cell in range(q * r):
            for level in range(s):
                counts[cell] += tables[0, cell * s + level]
    base = _score(counts, none, q, one, r, one, none, ess, n_rows, keys, noted) - cost * size + prior[PRIORS + size]
    inner = q * r
    for i in range(size):
        levels = arity[family[i + 1]]
        inner //= levels
        remove[i] = -np.inf
        if kept[family[i + 1]] & REQUIRED == 0:
            place = q * r
            for outer in range(q * r // levels // inner):
                for c in range(inner):
                    total = 0
                    for level in range(levels):
                        total += counts[(outer * levels + level) * inner + c]
                    counts[place] = total
                    place += 1
            score = _score(counts, q * r, q // levels, one, r, one, none, ess, n_rows, keys, noted)
            remove[i] = score - cost * (size - 1) + prior[PRIORS + size - 1] - base
    for x in range(add.shape[0]):
        add[x] = -np.inf
    flat = tables.reshape(-1)
    for c in range(m):
        x = candidates[c]
        score = _score(flat, c * tables.shape[1], q, arity[x], r, arity[x], one, ess, n_rows, keys, noted)
        add[x] = score - cost * (size + 1) + prior[PRIORS + size + 1] - base
    return base


def _sources() -> int:
    """A number that changes with any file of the counting kernels, which are compiled into `run`."""
    folder = Path(__file__).parent.parent
    stamps = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in sorted(folder.rglob("*.py"))]
    return zlib.crc32(repr(stamps).encode())


def _compiled(sources: int) -> Any:
    @njit(cache=True, nogil=True, error_model="numpy")
    def run(  # type: ignore[no-untyped-def]
        families, kept, add, gains, below, allowed, real, work, control, recent, held,
        words, starts, codes, arity, sizes, prior, keys, noted, inside, budget,
    ):  # fmt: skip
        """Go on with a search until it is done, has to ask, or has worked for `budget`; says which.

        The arrays are those of `Table`, then those of `Rows`. `inside` : whether families are counted and weighed here.
        """
        if sources < 0:  # never: what a function closes over is part of the key it is kept under
            return DONE
        n_rows, p, candidates = sizes[N_ROWS], add.shape[0], work[CANDIDATES]
        while True:
            if control[STALE]:
                close(families, add, below, real, work)
                control[STALE] = 0
            while control[AT] < control[LEFT]:
                if not inside:
                    return ASKING
                if control[WORK] > budget:
                    control[WORK] = 0
                    return PAUSED
                child = work[QUEUE, control[AT]]
                size, r = families[child, 0], arity[child]
                q, m, widest, i, first = _typed(1), _typed(0), _typed(1), _typed(0), _typed(0)
                for x in range(p):
                    if i < size and families[child, i + 1] == x:
                        q = min(q * arity[x], 1 << 40)
                        i += 1
                    elif (
                        size < control[MOST]
                        and control[MODE] != SHRINK
                        and allowed[child, x] & ALLOWED
                        # nothing is taken away while arcs are only added: what closes a circle now does so ever after
                        and (control[MODE] != GROW or (below[0, child, x >> 6] >> np.uint64(x & 63)) & _ONE == 0)
                    ):
                        candidates[m] = x
                        widest = max(widest, arity[x])
                        m += 1
                joined = m == 0 and size > 0
                if m == 0:
                    candidates[0] = families[child, size] if joined else (child + 1) % p
                    widest = arity[candidates[0]]
                    q //= widest if joined else 1
                if p == 1 or q * r * widest > max(4 * n_rows, sizes[MOST_STORED]):
                    return ASKING
                listed = max(m, 1)
                parents = families[child, 1 : size + (0 if joined else 1)]
                tables = np.zeros((listed, q * r * widest), np.int64)
                if q * r <= sizes[MOST_PLANE_CELLS]:
                    last = words.shape[1]
                    plane_additions(
                        words, starts, arity, child, parents, candidates[:listed], n_rows, first, last, tables
                    )
                    control[WORK] += listed * q * r * (last // 4 + widest)
                else:
                    code, family = np.empty(n_rows, np.uint32), np.empty(size + 1, np.int64)
                    for i in range(parents.shape[0]):
                        family[i] = parents[i]
                    family[parents.shape[0]] = child
                    mixed_radix(codes, arity, family[: parents.shape[0] + 1], first, code)
                    histogram_additions(code, codes, first, arity, candidates[:listed], tables)
                    control[WORK] += listed * (n_rows + q * r * widest)
                real[LOCAL, child] = weigh(
                    tables, candidates, m, child, families[child], allowed[child], joined, arity, n_rows, prior, keys,
                    noted, gains[0, child], add[child],
                )  # fmt: skip
                control[WORK] += 200
                control[AT] += 1
            while control[SEEN] < control[AT]:
                rescan(add, below, real, work, work[QUEUE, control[SEEN]])
                control[SEEN] += 1
            control[AT], control[SEEN], control[LEFT] = 0, 0, 0
            if control[MODE] == WEIGH:
                return DONE
            answer = step(families, kept, add, gains, below, real, work, control, recent, held)
            if answer != WENT_ON:
                return answer
            control[WORK] += 4 * p

    return run


run = _compiled(_sources())

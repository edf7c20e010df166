"""Kernels for normal variables: families of a covariance matrix, and partial correlations. Written once, see compiling.

What a variable has left after some others have explained it is a Schur complement, and one Cholesky factorisation of
those others serves all variables that are asked about. `groups[g, :m]` are the others; the lower triangle of `room`,
(m + 2, m) at least, gets their Cholesky factor, its last two rows what they explain of one variable and of another.
"""

from __future__ import annotations

import math

import numpy as np

from engine.counting.compiling import njit

TINY = 1e-10
"""A variance left below this share of the whole is rounding: the variable is determined by the others."""


@njit(cache=True, nogil=True)
def _factor(matrix, groups, g, m, room):  # type: ignore[no-untyped-def]
    """Fill in the Cholesky factor of a group's part of `matrix`; returns the logarithm of the determinant.

    A member that earlier ones determine gets a zero on the diagonal: it adds nothing.
    """
    log_determinant = 0.0
    for i in range(m):
        whole = matrix[groups[g, i], groups[g, i]]
        left = whole
        for j in range(i):
            value = matrix[groups[g, i], groups[g, j]]
            for k in range(j):
                value -= room[i, k] * room[j, k]
            value = value / room[j, j] if room[j, j] > 0.0 else 0.0
            room[i, j] = value
            left -= value * value
        determined = left <= TINY * whole
        room[i, i] = 0.0 if determined else math.sqrt(left)
        log_determinant += math.log(TINY * whole if determined else left)
    return log_determinant


@njit(cache=True, nogil=True)
def _explained(matrix, groups, g, m, room, x, row):  # type: ignore[no-untyped-def]
    """Fill in how much of x each member of a group explains beyond those before; returns the variance left."""
    left = matrix[x, x]
    for i in range(m):
        value = matrix[x, groups[g, i]]
        for j in range(i):
            value -= room[i, j] * room[row, j]
        room[row, i] = value / room[i, i] if room[i, i] > 0.0 else 0.0
        left -= room[row, i] * room[row, i]
    return left


@njit(cache=True, nogil=True)
def gaussian_local(matrix, child, groups, constants, slopes, share):  # type: ignore[no-untyped-def]
    """constants[m] - slopes[m] ln var(child | parents) - share ln det(parents), the m parents groups[0]."""
    m = groups.shape[1]
    room = np.empty((m + 2, m))
    log_determinant = _factor(matrix, groups, 0, m, room)
    left = _explained(matrix, groups, 0, m, room, child, m)
    least = TINY * matrix[child, child]
    return constants[m] - slopes[m] * math.log(left if left > least else least) - share * log_determinant


@njit(cache=True, nogil=True)
def gaussian_additions(matrix, child, groups, sizes, among, constants, slopes, share, out):  # type: ignore[no-untyped-def]
    """out[g, x] = `gaussian_local` of the first `sizes[g]` of `groups[g]` and x, for every x of `among`; else -inf."""
    room = np.empty((groups.shape[1] + 2, groups.shape[1]))
    least = TINY * matrix[child, child]
    for g in range(groups.shape[0]):
        m = sizes[g]
        log_determinant = _factor(matrix, groups, g, m, room)
        alone = _explained(matrix, groups, g, m, room, child, m)
        for x in range(matrix.shape[0]):
            inside = x == child or not among[x]
            for i in range(m):
                inside = inside or groups[g, i] == x
            if inside:
                out[g, x] = -np.inf
                continue
            left = _explained(matrix, groups, g, m, room, x, m + 1)
            both = alone
            if left > TINY * matrix[x, x]:
                common = matrix[child, x]
                for i in range(m):
                    common -= room[m, i] * room[m + 1, i]
                both = alone - common * common / left
            else:
                left = TINY * matrix[x, x]
            fit = slopes[m + 1] * math.log(both if both > least else least)
            out[g, x] = constants[m + 1] - fit - share * (log_determinant + math.log(left))


@njit(cache=True, nogil=True)
def partial_correlations(matrix, x, y, groups, out):  # type: ignore[no-untyped-def]
    """out[g] = correlation of x and y given the variables `groups[g]`; 0 where those determine one of the two."""
    m = groups.shape[1]
    room = np.empty((m + 2, m))
    for g in range(groups.shape[0]):
        _factor(matrix, groups, g, m, room)
        a = _explained(matrix, groups, g, m, room, x, m)
        b = _explained(matrix, groups, g, m, room, y, m + 1)
        if a <= TINY * matrix[x, x] or b <= TINY * matrix[y, y]:
            out[g] = 0.0
            continue
        common = matrix[x, y]
        for i in range(m):
            common -= room[m, i] * room[m + 1, i]
        out[g] = common / math.sqrt(a * b)

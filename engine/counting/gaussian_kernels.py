"""Kernels for normal variables: families of a covariance matrix, and partial correlations. Written once, see compiling.

What a variable has left after some others have explained it is a Schur complement, and one Cholesky factorisation of
those others serves all variables that are asked about.
"""

from __future__ import annotations

import math

import numpy as np

from engine.counting.compiling import njit

TINY = 1e-10
"""A variance left below this share of the whole is rounding: the variable is determined by the others."""


@njit(cache=True, nogil=True)
def _factor(matrix, group, factor):  # type: ignore[no-untyped-def]
    """Fill in the Cholesky factor of `matrix[group, group]`; returns the logarithm of the determinant.

    A member that earlier ones determine gets a zero on the diagonal: it adds nothing.
    """
    log_determinant = 0.0
    for i in range(group.shape[0]):
        whole = matrix[group[i], group[i]]
        left = whole
        for j in range(i):
            value = matrix[group[i], group[j]]
            for k in range(j):
                value -= factor[i, k] * factor[j, k]
            value = value / factor[j, j] if factor[j, j] > 0.0 else 0.0
            factor[i, j] = value
            left -= value * value
        determined = left <= TINY * whole
        factor[i, i] = 0.0 if determined else math.sqrt(left)
        log_determinant += math.log(TINY * whole if determined else left)
    return log_determinant


@njit(cache=True, nogil=True)
def _explained(matrix, group, factor, x, shares):  # type: ignore[no-untyped-def]
    """Fill in how much of x each member of the group explains beyond those before; returns the variance left."""
    left = matrix[x, x]
    for i in range(group.shape[0]):
        value = matrix[x, group[i]]
        for j in range(i):
            value -= factor[i, j] * shares[j]
        shares[i] = value / factor[i, i] if factor[i, i] > 0.0 else 0.0
        left -= shares[i] * shares[i]
    return left


@njit(cache=True, nogil=True)
def gaussian_local(matrix, child, parents, constants, slopes, share):  # type: ignore[no-untyped-def]
    """constants[m] - slopes[m] ln var(child | parents) - share ln det(parents), m parents."""
    m = parents.shape[0]
    factor = np.empty((m, m))
    log_determinant = _factor(matrix, parents, factor)
    left = _explained(matrix, parents, factor, child, np.empty(m))
    return constants[m] - slopes[m] * math.log(max(left, TINY * matrix[child, child])) - share * log_determinant


@njit(cache=True, nogil=True)
def gaussian_additions(matrix, child, parents, among, constants, slopes, share, out):  # type: ignore[no-untyped-def]
    """out[x] = `gaussian_local` of `parents` and x, for every x of `among` outside the family; -inf for the others."""
    m = parents.shape[0]
    factor, own, shares = np.empty((m, m)), np.empty(m), np.empty(m)
    log_determinant = _factor(matrix, parents, factor)
    before = _explained(matrix, parents, factor, child, own)
    least = TINY * matrix[child, child]
    for x in range(matrix.shape[0]):
        inside = x == child or not among[x]
        for i in range(m):
            inside = inside or parents[i] == x
        if inside:
            out[x] = -np.inf
            continue
        left = _explained(matrix, parents, factor, x, shares)
        after = before
        if left > TINY * matrix[x, x]:
            common = matrix[child, x]
            for i in range(m):
                common -= own[i] * shares[i]
            after = before - common * common / left
        else:
            left = TINY * matrix[x, x]
        out[x] = (
            constants[m + 1] - slopes[m + 1] * math.log(max(after, least)) - share * (log_determinant + math.log(left))
        )


@njit(cache=True, nogil=True)
def gaussian_many(matrix, child, groups, sizes, among, constants, slopes, share, out):  # type: ignore[no-untyped-def]
    """out[g] = `gaussian_additions` of the first `sizes[g]` of `groups[g]`, for every g."""
    for g in range(groups.shape[0]):
        gaussian_additions(matrix, child, groups[g, : sizes[g]], among, constants, slopes, share, out[g])


@njit(cache=True, nogil=True)
def partial_correlations(matrix, x, y, groups, out):  # type: ignore[no-untyped-def]
    """out[g] = correlation of x and y given the variables `groups[g]`; 0 where those determine one of the two."""
    m = groups.shape[1]
    factor, first, second = np.empty((m, m)), np.empty(m), np.empty(m)
    for g in range(groups.shape[0]):
        group = groups[g]
        _factor(matrix, group, factor)
        a = _explained(matrix, group, factor, x, first)
        b = _explained(matrix, group, factor, y, second)
        if a <= TINY * matrix[x, x] or b <= TINY * matrix[y, y]:
            out[g] = 0.0
            continue
        common = matrix[x, y]
        for i in range(m):
            common -= first[i] * second[i]
        out[g] = common / math.sqrt(a * b)

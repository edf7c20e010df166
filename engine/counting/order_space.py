"""The tables that `engine.counting.order_kernels` reads; apart, so that filling them in loads no compiler."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Space(NamedTuple):
    """What every variable is worth after which others, in tables.

    Variable i has the rows from `offsets[i]`; bit b of a row's number stands for `candidates[i, b]`. Entries of a row
    that stand for variables from outside lie from `starts[row]` to `starts[row + 1]`.

    Attributes
    ----------
    summing : whether the values are logarithms of sums, else they are the best
    candidates : (p, K) int64, the first `counts[i]` of each row are meant
    counts, offsets : (p,) int64
    values : (R,) by row: all subsets of the candidates in it, without one from outside
    starts : (R + 1,) int64
    outside : (E,) int64, the variable from outside
    weights : (E,) with it; best: the value, highest first; sums: as a multiple of the row's own sum
    required : (p, p) bool, `required[child, parent]`
    any_required : (p,) bool
    """

    summing: bool
    candidates: np.ndarray
    counts: np.ndarray
    offsets: np.ndarray
    values: np.ndarray
    starts: np.ndarray
    outside: np.ndarray
    weights: np.ndarray
    required: np.ndarray
    any_required: np.ndarray

"""Contingency counts, the cost of everything here.

Three ways, chosen by size (the figures behind the choice are in `docs/speed.md`):

- **bit planes** while a family has few cells: one bit a row and level, AND, bits counted, the last level by
  subtraction; the planes of one parent configuration are built once a block and serve every candidate parent;
- **histograms** of a mixed-radix code when the cells are many;
- **sorting** when parent configurations outnumber the rows, so that only observed ones are stored.

`requests` has what can be asked, `blocks` how a block of rows answers; the blocks of a table may be in memory, on disk
or on a cluster (`engine.data.store`), and threads share what is in memory.

The kernels are numba; `engine.counting.numpy_kernels` has the same functions in plain NumPy, which the tests compare
and which serve where numba cannot be imported.
"""

from __future__ import annotations

from engine.counting.backend import kernels
from engine.counting.requests import (
    MOST_PLANE_CELLS,
    Additions,
    Request,
    addition_counts,
    configuration_codes,
    family_counts,
    family_table,
    level_counts,
    many_addition_counts,
    many_family_counts,
    many_observed_counts,
    observed_counts,
    pair_counts,
    sparse_additions,
    strata_counts,
)

__all__ = [
    "MOST_PLANE_CELLS",
    "Additions",
    "Request",
    "addition_counts",
    "configuration_codes",
    "family_counts",
    "family_table",
    "kernels",
    "level_counts",
    "many_addition_counts",
    "many_family_counts",
    "many_observed_counts",
    "observed_counts",
    "pair_counts",
    "sparse_additions",
    "strata_counts",
]

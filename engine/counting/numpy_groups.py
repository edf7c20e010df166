"""The twin of `numba_groups` in plain NumPy."""

from __future__ import annotations

import numpy as np


def count_additions_by_group(
    before: np.ndarray,
    after: np.ndarray,
    config: np.ndarray,
    group: np.ndarray,
    starts: np.ndarray,
    counts: np.ndarray,
) -> None:
    """See the kernel of this name."""
    inside = group >= 0
    for x in range(len(before)):
        np.add.at(counts, (group[inside], config[inside], starts[x] + before[x, inside], after[inside]), 1)

"""The kernel that counts every candidate parent of one child by group of rows."""

from __future__ import annotations

from numba import njit


@njit(cache=True, nogil=True)
def count_additions_by_group(before, after, config, group, starts, counts):  # type: ignore[no-untyped-def]
    """Add every observation to `counts[group, config, starts[x] + before[x], after]`, for all x.

    before : (p, m) codes of the candidates;  after : (m,) codes of the child
    config : (m,) configuration of the parents there are;  group : (m,), left out where below 0
    """
    p, m = before.shape
    for x in range(p):
        start = starts[x]
        for row in range(m):
            if group[row] >= 0:
                counts[group[row], config[row], start + before[x, row], after[row]] += 1

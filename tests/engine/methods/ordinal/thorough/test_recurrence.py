"""The threshold of an averaged network is the L1 rule."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.methods.ordinal.recurrence import EdgeStrength


def slow_threshold(shares: np.ndarray) -> float:
    """The area between the distribution of the shares and every flat one, on a fine grid."""
    grid = np.linspace(0, 1, 4001)[:-1] + 1 / 8000
    function = np.array([(shares <= x).mean() for x in grid])
    levels = np.unique(np.concatenate([[0.0], [(shares <= x).mean() for x in shares]]))
    areas = [np.abs(function - level).mean() for level in levels]
    level = levels[int(np.argmin(areas))]
    return float(np.sort(shares)[int(np.ceil(level * len(shares) - 1e-9)) - 1]) if level > 0 else 0.0


@given(st.lists(st.integers(0, 20), min_size=10, max_size=10))
def test_the_threshold_is_the_l1_rule(counts: list[int]) -> None:
    """Against the slow one, or as small an area."""
    p = 5
    links = np.zeros((p, p), dtype=np.int64)
    links[np.triu_indices(p, 1)] = counts
    links = links + links.T
    strength = EdgeStrength(tuple("abcde"), 20, links, links / 2, 1, 0, ("", ""))
    shares = np.sort(np.array(counts) / 20)
    found, slow = strength.threshold, slow_threshold(shares)

    def area(threshold: float) -> float:
        level = (shares <= threshold).mean() if threshold > 0 or (shares == 0).any() else 0.0
        knots = np.unique(np.concatenate([[0.0], shares, [1.0]]))
        below = np.array([(shares <= x).mean() for x in knots[:-1]])
        return float((np.diff(knots) * np.abs(below - level)).sum())

    assert area(found) <= area(slow) + 1e-3

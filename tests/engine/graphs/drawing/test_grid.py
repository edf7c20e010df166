"""Places on a grid: the search ends where no exchange helps, as one that tries them singly does."""

from __future__ import annotations

import numpy as np
import pytest

from engine.graphs.drawing import grid
from engine.graphs.drawing.clearing import CLEAR


def singly(about: grid._Grid, at: np.ndarray) -> tuple[float, np.ndarray]:
    """The same descent, one variable after the other and one exchange after the other."""
    cost, moved = float(about.costs(at[None])[0]), True
    while moved:
        moved = False
        for v in range(about.n):
            best = None
            for other in range(v + 1, len(at)):
                tried = at.copy()
                tried[[v, other]] = at[[other, v]]
                now = float(about.costs(tried[None])[0])
                if now < cost - 1e-6 and (best is None or now < best[0]):
                    best = now, tried
            if best is not None:
                (cost, at), moved = best, True
    return cost, at


@pytest.mark.parametrize("at_once", [1, 300, grid.AT_ONCE])
def test_exchanges_weighed_together_lead_where_single_ones_do(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid, "AT_ONCE", at_once)
    random = np.random.default_rng(3)
    for n, columns, rows in ((5, 3, 2), (9, 3, 3), (10, 4, 3)):
        pairs = np.column_stack(np.triu_indices(n, 1))
        arcs = random.permutation(pairs)[: 2 * n]
        about = grid._Grid(grid._slots(columns, rows, 0.5), np.array([0.4, 0.3]), CLEAR / 100, arcs, n)
        about.alone += random.random(len(about.alone)) / 10  # else some are as good as each other, up to rounding
        for _ in range(4):
            begun = random.permutation(columns * rows)
            cost, at = about._descend(begun)
            slow = singly(about, begun)
            assert cost == pytest.approx(slow[0]), (n, begun)
            assert at.tolist() == slow[1].tolist()

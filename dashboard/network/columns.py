"""Two columns of boxes: what comes before on the left, what comes after on the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dashboard.network.labels import node_height, node_sizes

if TYPE_CHECKING:
    from dashboard.network.panel import Point

GAP = 8.0
"""Between two rows of boxes."""
BETWEEN = 280.0
"""Between the columns, for the arcs and their marks."""


def two_columns(left: Sequence[str], after: Sequence[str], between: float = BETWEEN) -> dict[str, Point]:
    """Where each name stands, in the order given.

    Parameters
    ----------
    before, after : names on the left and on the right
    between : pixels free between the boxes of the two
    """
    result: dict[str, Point] = {}
    rows = max(len(left), len(after), 1)
    names = [*left, *after]
    step_height = node_height(names) + GAP
    width = between + max(node_sizes(names).values(), default=0.0)
    for x, column in ((-width / 2, left), (width / 2, after)):
        step = step_height * (rows - 1) / max(len(column) - 1, 1)
        first = -step_height * (rows - 1) / 2 if len(column) > 1 else 0.0
        result |= {name: (x, first + place * step) for place, name in enumerate(column)}
    return result

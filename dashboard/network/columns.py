"""Two columns of boxes: what comes before on the left, what comes after on the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dashboard.network.panel import Point

APART = 46.0
"""Between two rows."""


def two_columns(before: Sequence[str], after: Sequence[str], width: float = 520.0) -> dict[str, Point]:
    """Where each name stands, in the order given.

    Parameters
    ----------
    before, after : names on the left and on the right
    width : between the columns
    """
    found: dict[str, Point] = {}
    rows = max(len(before), len(after), 1)
    for x, names in ((-width / 2, before), (width / 2, after)):
        step = APART * (rows - 1) / max(len(names) - 1, 1)
        first = -APART * (rows - 1) / 2 if len(names) > 1 else 0.0
        found |= {name: (x, first + place * step) for place, name in enumerate(names)}
    return found

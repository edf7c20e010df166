"""Which two levels of a group column are compared first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.counting.requests import level_counts
from engine.data.preparing.roles import propose_direction, propose_pair

if TYPE_CHECKING:
    from engine.data.dataset import Dataset


def likely_pair(data: Dataset, group: str) -> tuple[tuple[str, str] | None, str]:
    """The two levels a user most probably means, and why; None where rows are not counted, or of two levels that stand
    in this order.
    """
    levels = data.levels[group]
    if len(levels) < 3:
        pair, why = propose_direction(levels)
        return (None if pair == levels else pair), why
    if data.in_memory or data.report is None:
        rows = level_counts(data.select([group]))[0].tolist()
    else:  # nothing is counted only to propose
        rows = next((list(item.counts) for item in data.report.columns if item.name == group), [])
    return propose_pair(levels, rows) if len(rows) == len(levels) else (None, "")

"""The board on which columns are dragged into the order of time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from dashboard.network.component import loaded, nothing

REST = "No place in time"
MOST_BOXES = 6


def tiers_board(names: Sequence[str], boxes: Sequence[Sequence[str]], *, key: str) -> list[list[str]] | None:
    """Show the columns in their boxes."""
    place = {name: number for number, name in enumerate(names)}
    tiers = [[place[name] for name in box if name in place] for box in boxes]
    known = {number for tier in tiers for number in tier}
    rest = [number for number in range(len(names)) if number not in known]
    data = {"names": list(names), "boxes": [rest, *tiers], "titles": [REST, *titles(len(tiers))]}
    result = _component()(key=key, data=data, on_moved_change=nothing, height="content")
    return read_tiers(getattr(result, "moved", None), names)


def titles(boxes: int) -> list[str]:
    """What the places in time are called."""
    return ["First", *(["Then"] * (boxes - 2)), "Last"] if boxes > 1 else ["First"]


def read_tiers(raw: Any, names: Sequence[str]) -> list[list[str]] | None:
    """The component's answer with names in it; whatever does not fit is nothing."""
    boxes = raw.get("boxes") if isinstance(raw, Mapping) else None
    if not isinstance(boxes, Sequence) or isinstance(boxes, str) or not 2 <= len(boxes) <= MOST_BOXES + 1:
        return None
    if not all(isinstance(box, Sequence) and not isinstance(box, str) for box in boxes):
        return None
    numbers = [number for box in boxes for number in box]
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in numbers):
        return None
    if sorted(numbers) != list(range(len(names))):
        return None
    return [[names[number] for number in box] for box in boxes[1:]]


@cache
def _component() -> Any:
    return loaded("diptych_tiers", "tiers.css", "tiers.js")

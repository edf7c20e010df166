"""Shapes of boxes: which scale or group a variable belongs to, said by outline and tint together."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.text import short
from dashboard.theme import PAPER

MARGIN = 5
"""Pixels around the text of a box."""


@dataclass(frozen=True)
class NodeShape:
    """How a box is drawn; the outline says it without the tint.

    Attributes
    ----------
    radius : of its corners, half the height of a box for round ends
    dash : of its border, empty for a line
    fill : of it
    """

    radius: int
    dash: tuple[int, ...] = ()
    fill: str = PAPER

    @property
    def room(self) -> int:
        """Pixels that it needs on either side of its text, beyond those of the plain box."""
        return 7 if self.radius > 10 else 0

    def options(self) -> dict[str, Any]:
        """What vis-network is told; nothing for the plain box."""
        if self == SHAPES["box"]:
            return {}
        side = MARGIN + self.room
        return {
            "shapeProperties": {"borderRadius": self.radius, "borderDashes": list(self.dash) or False},
            "margin": {"top": MARGIN, "bottom": MARGIN, "left": side, "right": side},
        }


SHAPES = {
    "box": NodeShape(4),
    "round": NodeShape(20, fill="#E6F2EC"),
    "dashed": NodeShape(4, (5, 3), "#FBF3E3"),
    "round, dashed": NodeShape(20, (5, 3), "#F1EDF6"),
}
"""Name of a shape -> how it is drawn."""


def shape_legend(used: Collection[str], words: Mapping[str, str]) -> list[dict[str, Any]]:
    """Entries for the shapes on screen that the page has words for."""
    return [
        {
            "kind": "shape",
            "colour": shape.fill,
            "radius": shape.radius,
            "dash": list(shape.dash),
            "words": short(words[name], 40),
        }
        for name, shape in SHAPES.items()
        if name in used and name in words
    ]

"""Boxes of networks: their text and size, their shapes, and two columns of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dashboard.session.caches import Point
from dashboard.session.labels import shown_names
from dashboard.text import short, visible
from dashboard.theme import PAPER
from engine.graphs.drawing.labels import LETTER, LINES, box_width, wrapped, wrapped_apart
from engine.graphs.drawing.layers import HEIGHT

FONT_SIZE = int(LETTER)
"""Pixels of a letter in a picture at its own size; the component shows none smaller than eleven on the screen."""
FEW = 12
"""Variables up to which boxes are wide and say more than a name."""
FRAME = 10.0
"""Pixels a box is higher than its lines."""


def node_label(name: str, variables: Sequence[str]) -> str:
    """A name, or the label of a code, in a few lines, shorter where many share the picture; no two read alike."""
    return _label(name, variables, False, shown_names())


def _label(name: str, variables: Sequence[str], narrow: bool, labels: Mapping[str, str]) -> str:
    """`node_label`, the labels of columns being known."""
    few, text = len(variables) <= FEW, _text(name, labels)
    width, lines = (18, LINES + 1) if few and not narrow else (14, LINES)
    texts = tuple(_text(variable, labels) for variable in variables)
    return _wrapped(texts, width, lines).get(text) or wrapped(text, width, lines)


def _text(name: str, labels: Mapping[str, str]) -> str:
    return visible(labels.get(name, name)) or "(no name)"


@lru_cache(maxsize=64)
def _wrapped(texts: tuple[str, ...], width: int, lines: int) -> dict[str, str]:
    return wrapped_apart(texts, width, lines)


def box_label(name: str, label: str, variables: Sequence[str], narrow: bool) -> str:
    """Text of the box: a label of its own, else the name."""
    labels = shown_names()
    own = label if name not in labels else ""
    return _label(own or name, variables, narrow, labels)


def text_height(text: str) -> float:
    """Height of the box that shows this text."""
    return FONT_SIZE * (text.count("\n") + 1) + FRAME


def node_height(names: Sequence[str], below: str | Mapping[str, str] = "") -> float:
    """Height of the boxes, for `layout`: of the one with most lines."""
    return max([HEIGHT, *map(text_height, _texts(names, below).values())])


def node_sizes(names: Sequence[str], below: str | Mapping[str, str] = "") -> dict[str, float]:
    """Width of each variable's box, for `layout`; `below` is the longest text that may stand below a name."""
    return {name: box_width(text) for name, text in _texts(names, below).items()}


def _texts(names: Sequence[str], below: str | Mapping[str, str]) -> dict[str, str]:
    lines = dict.fromkeys(names, below) if isinstance(below, str) else below
    return {name: "\n".join(filter(None, (node_label(name, names), lines.get(name, "")))) for name in names}


RADIUS = 4
"""Pixels of the corners of a plain box."""
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
        """Options for vis-network; none for the plain box."""
        if self == SHAPES["box"]:
            return {}
        side = MARGIN + self.room
        return {
            "shapeProperties": {"borderRadius": self.radius, "borderDashes": list(self.dash) or False},
            "margin": {"top": MARGIN, "bottom": MARGIN, "left": side, "right": side},
        }


SHAPES = {
    "box": NodeShape(RADIUS),
    "round": NodeShape(20, fill="#E6F2EC"),
    "dashed": NodeShape(RADIUS, (5, 3), "#FBF3E3"),
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


def fill_legend(used: Collection[str], words: Mapping[str, str]) -> list[dict[str, Any]]:
    """Entries for the colours of boxes on screen that the page has words for, in the order of its words."""
    return [
        {"kind": "shape", "colour": fill, "radius": RADIUS, "dash": [], "words": short(text, 48)}
        for fill, text in words.items()
        if fill in used
    ]


GAP = 8.0
"""Between two rows of boxes."""
BETWEEN = 280.0
"""Between the columns, for the arcs and their marks."""


def two_columns(left: Sequence[str], after: Sequence[str], between: float = BETWEEN) -> dict[str, Point]:
    """Where each name stands, in the order given."""
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

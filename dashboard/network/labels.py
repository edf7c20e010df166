"""What stands in a box: a name in a few lines, whole words each, and how large that makes the box."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dashboard.text import visible
from engine.graphs.drawing.labels import LETTER, box_width, wrapped
from engine.graphs.drawing.layers import HEIGHT

FONT_SIZE = int(LETTER)
"""Pixels of a letter in a picture at its own size; the component shows none smaller than eleven on the screen."""
FRAME = 10.0
"""Pixels a box is higher than its lines."""


def node_label(name: str, variables: int) -> str:
    """A name in up to three lines, narrower the more variables share the picture."""
    text = visible(name) or "(no name)"
    return wrapped(text, 18, 2) if variables <= 12 else wrapped(text, 14 if variables <= 20 else 12, 3)


def box_label(name: str, label: str, variables: int) -> str:
    """What the box shows: a label of its own, which is short already and may be wider, else the name."""
    return node_label(label, min(variables, 20)) if label else node_label(name, variables)


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
    return {name: "\n".join(filter(None, (node_label(name, len(names)), lines.get(name, "")))) for name in names}

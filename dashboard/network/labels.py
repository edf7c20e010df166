"""What stands in a box: a name in one or two lines, and how large."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.text import visible
from engine.graphs.drawing.labels import box_width, wrapped
from engine.graphs.drawing.layers import HEIGHT


def node_label(name: str, variables: int) -> str:
    """A name in one or two lines, narrower the more variables share the picture."""
    return wrapped(visible(name) or "(no name)", 16 if variables <= 12 else 12 if variables <= 20 else 9)


def box_label(name: str, label: str, variables: int) -> str:
    """What the box shows: a label of its own, which is short already and may be wider, else the name."""
    return node_label(label, min(variables, 20)) if label else node_label(name, variables)


def font_size(variables: int) -> int:
    """Pixels at full size; a crowded picture is shown smaller, so its letters start out larger."""
    return 15 if variables <= 12 else 17 if variables <= 20 else 19


def node_height(names: Sequence[str], below: str = "") -> float:
    """Height of the boxes, for `layout`: of the longest label, and of a line below it."""
    lines = max((node_label(name, len(names)).count("\n") + 1 for name in names), default=1) + bool(below)
    return max(HEIGHT, HEIGHT / 2 * lines)


def node_sizes(names: Sequence[str], below: str = "") -> dict[str, float]:
    """Width of each variable's box, for `layout`; `below` is the longest text that may stand below a name."""
    return {name: box_width(f"{node_label(name, len(names))}\n{below}") for name in names}

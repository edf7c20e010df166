"""What stands in a box: a name in one or two lines, and how large."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.text import visible
from engine.graphs.drawing.labels import box_width, wrapped


def node_label(name: str, variables: int) -> str:
    """A name in one or two lines, narrower the more variables share the picture."""
    return wrapped(visible(name) or "(no name)", 16 if variables <= 12 else 12 if variables <= 20 else 9)


def font_size(variables: int) -> int:
    """Pixels at full size; a crowded picture is shown smaller, so its letters start out larger."""
    return 15 if variables <= 12 else 17 if variables <= 20 else 19


def node_sizes(names: Sequence[str], below: str = "") -> dict[str, float]:
    """Width of each variable's box, for `layout`; `below` is the longest text that may stand below a name."""
    return {name: box_width(f"{node_label(name, len(names))}\n{below}") for name in names}

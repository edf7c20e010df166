"""What stands in a box: a name in one or two lines, and how large."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.text import short, visible


def node_label(name: str, variables: int) -> str:
    """A name in one or two lines, narrower the more variables share the picture."""
    width = 16 if variables <= 12 else 12 if variables <= 20 else 9
    text = visible(name) or "(no name)"
    if len(text) <= width:
        return text
    cut = max(text.rfind(mark, 0, width) for mark in " _-./:") + 1
    if cut < width // 3:
        cut = width
    return f"{text[:cut].rstrip()}\n{short(text[cut:].lstrip(), width)}"


def font_size(variables: int) -> int:
    """Pixels at full size; a crowded picture is shown smaller, so its letters start out larger."""
    return 15 if variables <= 12 else 17 if variables <= 20 else 19


def label_widths(names: Sequence[str]) -> dict[str, float]:
    """Characters of each label's longest line, for `engine.graphs.drawing.layout.layout(label_widths=...)`."""
    return {name: float(max(map(len, node_label(name, len(names)).split("\n")))) for name in names}

"""What stands in the boxes of a drawn network, and how large a box it needs."""

from __future__ import annotations

from collections.abc import Iterable

LINE = 16
"""Characters a line of a label may have where nothing else is said."""
CHARACTER, PADDING, LEAST = 8.0, 24.0, 48.0
"""Pixels a character is wide, what a box adds to its text, and the narrowest box."""


def wrapped(text: str, width: int = LINE) -> str:
    """A text in one line or two of at most `width` characters; of a longer one the middle is left out."""
    if len(text) <= width:
        return text
    cut = max(text.rfind(mark, 0, width) for mark in " _-./:") + 1
    if cut < width // 3:
        cut = width
    first, rest = text[:cut].rstrip(), text[cut:].lstrip()
    return f"{first}\n{rest if len(rest) <= width else '…' + rest[1 - width :].lstrip()}"


def label(name: str) -> str:
    """A name as a box shows it: one or two lines of at most `LINE` characters, never empty."""
    return wrapped(" ".join(str(name).split()) or "(no name)")


def box_width(text: str) -> float:
    """Pixels a box needs for a text: those of its longest line."""
    return max(LEAST, CHARACTER * max(map(len, text.split("\n"))) + PADDING)


def box_sizes(names: Iterable[str]) -> dict[str, float]:
    """Name -> width of the box that shows its `label`, for `layout`."""
    return {name: box_width(label(name)) for name in names}

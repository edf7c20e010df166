"""The colours of all charts by what they mean, of the screen and of documents alike."""

from __future__ import annotations

from engine.graphs.drawing import svg

INK, MUTED = svg.INK, svg.MUTED
PAPER = "#FFFFFF"
PANEL = "#F4F6F8"
LINE = "#D5DBE1"
BORDER = "#7E8A95"
"""Of boxes in networks."""
PRIMARY = "#17557E"

GROUP_A = "#00507F"
GROUP_B = "#2C7A6B"
GROUP_COLOURS = ("#17557E", "#2C7A6B", "#8E3A76", "#7A6A00", "#4D6A80", "#A3195B")
"""Of the groups of a comparison, in their order."""
GROUP_MARKS = ("circle", "square-open", "diamond-open", "triangle-up-open", "cross-open", "x-open")

DIFFERENT, ALIKE = svg.DIFFERS, "#AFD0E8"
"""Where groups differ and where they are alike; text stands on both, and nothing else has the first."""
DIFFERENT_PALE = "#FCF0E3"
"""The row in which something differs."""
PALE = 0.45
"""Opacity of an estimate whose interval holds 0."""

CATEGORICAL = (GROUP_A, GROUP_B, "#A8508B", "#8A7A00", "#6C5FB0", "#56B4E9", "#5B6770", "#7FA650")
"""Of classes, blocks and other kinds without an order; none of them is near the orange of a difference."""
SEQUENTIAL = (
    "#EEF4F8", "#D8E6F0", "#BDD5E5", "#9CC1D9", "#77AACB",
    "#5292BB", "#327AA8", "#1B6392", "#0F4D77", "#083759",
)  # fmt: skip
DIVERGING = (
    "#C04A88", "#CF6EA1", "#DC94B9", "#EBB9CF", "#F6E3EC",
    "#DEE9F0", "#B2CEE0", "#7FADCB", "#4A88B0", "#0F4C75",
)  # fmt: skip
"""From below to above nothing: magenta to blue, as the lines of networks are."""
POSITIVE, NEGATIVE = PRIMARY, "#A3195B"
"""Of what speaks for and against, as the lines of networks are."""

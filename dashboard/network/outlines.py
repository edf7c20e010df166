"""Groups of variables in a network: soft outlines behind their boxes, each with a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.text import short, visible
from dashboard.theme import CATEGORICAL

LEGEND = {
    "kind": "hull",
    "colour": CATEGORICAL[0],
    "words": "a group, with its number; click inside: its boxes get a heavy border",
}


@dataclass(frozen=True)
class Outline:
    """Variables drawn inside one outline.

    Attributes
    ----------
    members : the variables, all of them nodes of the panel
    label : a few characters that stand on the outline
    chosen : drawn stronger than the others
    """

    members: tuple[str, ...]
    label: str
    chosen: bool = False


def outline_data(groups: Sequence[Outline], numbers: Mapping[str, int]) -> list[dict[str, Any]]:
    """What the component is told of groups; colours go round, the labels tell them apart."""
    return [
        {
            "members": [int(numbers[name]) for name in group.members],
            "label": short(group.label, 6),
            "chosen": group.chosen,
            "colour": CATEGORICAL[place % len(CATEGORICAL)],
            "words": ", ".join(map(visible, group.members)),
        }
        for place, group in enumerate(groups)
    ]

"""Which scale a variable belongs to, by how its name begins; a scale has a shape of its own in every network."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from dashboard.charts.ordinal.heat import fixed_order
from dashboard.network.shapes import SHAPES
from dashboard.text import short

if TYPE_CHECKING:
    from engine.methods.ordinal.result import OrdinalResult


def scales(names: Sequence[str]) -> dict[str, str]:
    """Name -> its beginning up to the first "_"; empty where these are not two to four that share out all variables.

    Parameters
    ----------
    names : the variables
    """
    found = {name: name.split("_", 1)[0] for name in names if "_" in name.strip("_")}
    begun = list(found.values())
    kinds = list(dict.fromkeys(begun))
    if not (len(found) == len(names) and 2 <= len(kinds) <= len(SHAPES)):
        return {}
    return found if all(begun.count(kind) > 1 for kind in kinds) else {}


def shape_of(found: dict[str, str]) -> dict[str, str]:
    """Name -> the shape of its scale."""
    kinds = list(dict.fromkeys(found.values()))
    return {name: list(SHAPES)[kinds.index(kind)] for name, kind in found.items()}


def shape_words(found: dict[str, str]) -> dict[str, str]:
    """Shape -> what the legend says of it."""
    kinds = list(dict.fromkeys(found.values()))
    return {
        shape: f"{short(kind, 20)}_… ({list(found.values()).count(kind)})"
        for shape, kind in zip(SHAPES, kinds, strict=False)
    }


def order_of(result: OrdinalResult) -> tuple[list[str], list[int]]:
    """The variables by scale and column, and the places before which a new scale begins."""
    found = scales(result.names)
    order = fixed_order(result.names, found)
    breaks = [i for i, (a, b) in enumerate(pairwise(order), 1) if found.get(a) != found.get(b)]
    return order, breaks

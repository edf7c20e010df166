"""Which scale a variable belongs to: as the dictionary says, or by how its name begins; each has its own shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from dashboard.charts.ordinal.heat import fixed_order
from dashboard.network.shapes import SHAPES
from dashboard.session.work import work
from dashboard.text import short

if TYPE_CHECKING:
    from engine.methods.ordinal.result import OrdinalResult


NONE = "no scale"
"""Of variables that the dictionary puts on none, while others are on one."""


def scales(names: Sequence[str]) -> dict[str, str]:
    """Name -> its scale: as the data dictionary has it, else the beginning of the name up to the first "_".

    Names are asked only where they begin in two to four ways that share out all variables; empty otherwise.

    Parameters
    ----------
    names : the variables
    """
    of = work().scales
    if any(name in of for name in names):
        return {name: of.get(name, NONE) for name in names}
    result = {name: name.split("_", 1)[0] for name in names if "_" in name.strip("_")}
    begun = list(result.values())
    kinds = list(dict.fromkeys(begun))
    if not (len(result) == len(names) and 2 <= len(kinds) <= len(SHAPES)):
        return {}
    return result if all(begun.count(kind) > 1 for kind in kinds) else {}


def shape_of(result: dict[str, str]) -> dict[str, str]:
    """Name -> the shape of its scale; what is beyond the shapes there are has none of its own."""
    return {name: shape for shape, kind in _shaped(result) for name, own in result.items() if own == kind}


def shape_words(result: dict[str, str]) -> dict[str, str]:
    """Shape -> what the legend says of it."""
    many = Counter(result.values())
    begun = {kind for kind in many if _begins(result, kind)}
    return {
        shape: f"{short(kind, 20)}{'_…' if kind in begun else ''} ({many[kind]})" for shape, kind in _shaped(result)
    }


def label_of(name: str, result: dict[str, str]) -> str:
    """The name without its scale, where all of the scale begin with it; "" for the name as it is."""
    kind = result.get(name)
    return name.removeprefix(f"{kind}_") if kind is not None and _begins(result, kind) else ""


def _begins(result: dict[str, str], kind: str) -> bool:
    return all(len(name) > len(kind) + 1 and name.startswith(f"{kind}_") for name, own in result.items() if own == kind)


def _shaped(result: dict[str, str]) -> list[tuple[str, str]]:
    """Shapes and their scales; the first is everybody's where more scales are told than there are shapes."""
    kinds = list(dict.fromkeys(result.values()))
    return list(zip(SHAPES, kinds, strict=False)) if len(kinds) <= len(SHAPES) else []


def order_of(result: OrdinalResult) -> tuple[list[str], list[int]]:
    """The variables by scale and column, and the places before which a new scale begins."""
    matches = scales(result.names)
    order = fixed_order(result.names, matches)
    breaks = [i for i, (a, b) in enumerate(pairwise(order), 1) if matches.get(a) != matches.get(b)]
    return order, breaks

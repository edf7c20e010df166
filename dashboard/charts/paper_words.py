"""Figures and keys of a paper's table as they are written, in tables and pictures alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.evaluation.papers import largest

if TYPE_CHECKING:
    import pandas as pd

QUANTITIES = {
    "chi-squared": "AUC of chi-squared, each variable alone",
    "p, odds": "p of odds against lasso (DeLong)",
    "edges": "number of links found",
    "fdr": "false links among those found (FDR)",
    "recall": "true links found (recall)",
    "f": "F: precision and recall in one",
    "false": "number of false links",
    "missed": "number of missed links",
    "seconds": "seconds of CPU",
    "distance": "edges to add, delete and turn in all",
    "added": "edges added",
    "deleted": "edges deleted",
    "reversed": "edges reversed",
    "accuracy": "share of new series rightly told",
}
_GIVEN = {
    "common": "one set of parents for both",
    "order": "order of the original given",
    "order of both": "order of both given",
}
_RATES = {"P": "precision", "R": "recall", "F": "F"}
_WHERE = {"IS": "at variables in context", "other": "elsewhere", "overall": "everywhere"}


def quantity_words(quantity: str) -> str:
    """A quantity as one says it; one that is not known here as it is called."""
    parts = quantity.split()
    if len(parts) == 3 and parts[1] in _RATES and parts[2] in _WHERE:
        return f"{parts[0]}: {_RATES[parts[1]]} {_WHERE[parts[2]]}"
    if quantity in QUANTITIES:
        return QUANTITIES[quantity]
    if quantity.startswith("p, "):
        return f"p of {quantity[3:]}" + ("" if " against " in quantity else " against lasso")
    score, *given = quantity.split(", ")
    if score in ("odds", "lasso"):
        return ", ".join([f"AUC of the {score}", *(_GIVEN.get(item, item) for item in given)])
    return quantity


def value_words(value: object) -> str:
    """A key's value on the screen: thousands apart, a dash for none."""
    if value is None or value != value:
        return "–"
    if isinstance(value, str):
        return value
    return f"{value:,.6g}" if isinstance(value, float) else f"{value:,}"


def digits_of(cells: pd.DataFrame) -> int:
    """Digits after the point that fit figures of this size."""
    top = largest(cells, ["printed", "ours"])
    return 3 if top <= 2 or top != top else 2 if top < 100 else 1


def number_words(value: float, digits: int, signed: bool = False) -> str:
    """A number with so many digits, an en dash where there is none."""
    if value != value:
        return "–"
    text = f"{value:z.{digits}f}"  # z: no "-0.00"
    return f"+{text}" if signed and value > 0 and float(text) else text

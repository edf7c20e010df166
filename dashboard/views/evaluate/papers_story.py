"""What each paper asked, what was run here, and whether it agrees, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dashboard.text import plain

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Paper:
    """A paper on this page.

    Attributes
    ----------
    short : its name on the screen
    asked : what it asked, as a sentence
    command : runs its study
    by : the key that gives points their shape and lines their name
    along : the key along which figures without a printed number are drawn
    reading : what the paper leaves open and how it was read, where that decides how figures compare
    """

    short: str
    asked: str
    command: str
    by: str
    along: str
    reading: str


PAPERS: dict[str, Paper] = {
    "group_difference": Paper(
        "Group differences",
        "Two networks differ in known places; who finds them, the posterior odds or a lasso?",
        "diptych study group_difference --full --data FOLDER --out FOLDER",
        "kind",
        "rows",
        "The lasso, and the odds that have an order, are given one of the original network. Given one that fits both "
        "networks of a pair, the lasso does better: the odds without an order are then ahead in 40 of 72 blocks only.",
    ),
    "instance_specific": Paper(
        "Networks of one patient",
        "Some arcs do not hold for some patients; does a search for one patient see that?",
        "diptych study instance_specific --full --out FOLDER",
        "search",
        "kappa",
        "The paper's GES takes a shortcut, ours with and without it stand beside the same figures; so do both of our "
        "searches for a patient.",
    ),
    "log_linear": Paper(
        "Associations",
        "The true links are known; how many are found, how many are false, and how long does it take?",
        "diptych study log_linear --full --out FOLDER",
        "method",
        "rows",
        "The paper does not say how many levels its variables have. With two each ours are nearest; three, or two to "
        "four, stand beside the same printed figures.",
    ),
}
"""In the order of the page."""

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
        return ", ".join([f"AUC of the {score}", *(_GIVEN.get(one, one) for one in given)])
    return quantity


def outside_first(verdicts: pd.DataFrame) -> pd.DataFrame:
    """All that is held to a band, the misses on top; figures as texts."""
    shown = verdicts.assign(ours=verdicts["ours"].map(_figure))
    return shown.sort_values("verdict", key=lambda column: column == "within", kind="stable", ignore_index=True)


def _figure(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def agreement_words(verdicts: pd.DataFrame) -> str:
    """How many of the figures held to a band are within it, as Markdown."""
    total, within = len(verdicts), len(verdicts[verdicts["verdict"] == "within"])
    outside = len(misses(verdicts))
    if not total:
        return "This run is not of the paper's size, so no figure is held to a band."
    if not outside:
        return f":material/check_circle: **All {total} figures that are held to a band are within it.**"
    return (
        f":material/error: **{within} of {total} figures that are held to a band are within it; "
        f"{outside} {'is' if outside == 1 else 'are'} outside:**"
    )


def misses(verdicts: pd.DataFrame) -> list[str]:
    """The figures outside their bands, each as a line of Markdown."""
    return [
        f"{plain(row['what'])}: ours **{plain(_figure(row['ours']))}**; band: {plain(row['band'])}"
        for _, row in verdicts.iterrows()
        if row["verdict"] != "within"
    ]


def number_words(value: float, digits: int, signed: bool = False) -> str:
    """A number with so many digits, an en dash where there is none."""
    if value != value:
        return "–"
    shown = f"{value:z.{digits}f}"  # z: no "-0.00"
    return f"+{shown}" if signed and value > 0 and float(shown) else shown

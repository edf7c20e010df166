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
    reading : what the paper leaves open and how it was read, where that decides how figures compare
    """

    short: str
    asked: str
    command: str
    reading: str


PAPERS: dict[str, Paper] = {
    "group_difference": Paper(
        "Group differences",
        "Two networks differ in known places; who finds them, the posterior odds or a lasso?",
        "diptych study group_difference --full --data FOLDER --out FOLDER",
        "The lasso, and the odds that have an order, are given one of the original network. Given one that fits both "
        "networks of a pair, the lasso does better: the odds without an order are then ahead in 40 of 72 blocks only.",
    ),
    "instance_specific": Paper(
        "Networks of one patient",
        "Some arcs do not hold for some patients; does a search for one patient see that?",
        "diptych study instance_specific --full --out FOLDER",
        "The paper's GES takes a shortcut, ours with and without it stand beside the same figures; so do both of our "
        "searches for a patient.",
    ),
    "log_linear": Paper(
        "Associations",
        "The true links are known; how many are found, how many are false, and how long does it take?",
        "diptych study log_linear --full --out FOLDER",
        "The paper does not say how many levels its variables have. With two each ours are nearest; three, or two to "
        "four, stand beside the same printed figures.",
    ),
}
"""In the order of the page."""


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

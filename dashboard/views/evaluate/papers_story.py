"""Whether what was run here agrees with the paper, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboard.text import plain

if TYPE_CHECKING:
    import pandas as pd


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

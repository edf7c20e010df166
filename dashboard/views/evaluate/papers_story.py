"""Whether what was run here agrees with the paper, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboard.text import plain
from engine.evaluation.studies.study import OPEN, OUTSIDE, WITHIN

if TYPE_CHECKING:
    import pandas as pd


def outside_first(verdicts: pd.DataFrame) -> pd.DataFrame:
    """All that is held to a band, the misses on top; figures as texts."""
    shown = _as_texts(verdicts)
    return shown.sort_values("verdict", key=lambda column: column != OUTSIDE, kind="stable", ignore_index=True)


def verdicts_shown(verdicts: pd.DataFrame) -> pd.DataFrame:
    """All that is held to a band: reading by reading where there are two, else the misses on top."""
    return _as_texts(verdicts) if (verdicts["verdict"] == OPEN).any() else outside_first(verdicts)


def _as_texts(verdicts: pd.DataFrame) -> pd.DataFrame:
    return verdicts.assign(ours=verdicts["ours"].map(_figure))


def _figure(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def agreement_words(verdicts: pd.DataFrame) -> str:
    """How many of the figures held to a band are within it, as Markdown."""
    within, outside, unjudged = (len(verdicts[verdicts["verdict"] == one]) for one in (WITHIN, OUTSIDE, OPEN))
    total = len(verdicts[verdicts["verdict"].isin([WITHIN, OUTSIDE, OPEN])])
    if not total:
        return "This run is not of the paper's size, so no figure is held to a band."
    if within == total:
        return f":material/check_circle: **All {total} figures that are held to a band are within it.**"
    are = "is" if outside == 1 else "are"
    later = f"{unjudged} {'gets' if unjudged == 1 else 'get'} no verdict, being of a reading chosen after it was seen"
    more = f"; {later}" if unjudged else ""
    return (
        f":material/error: **{within} of {total} figures that are held to a band are within it; "
        f"{outside} {are} outside{more}:**"
    )


def misses(verdicts: pd.DataFrame) -> list[str]:
    """The figures outside their bands, each as a line of Markdown."""
    return [
        f"{plain(row['what'])}: ours **{plain(_figure(row['ours']))}**; band: {plain(row['band'])}"
        for _, row in verdicts.iterrows()
        if row["verdict"] == OUTSIDE
    ]

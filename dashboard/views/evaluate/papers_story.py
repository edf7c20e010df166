"""Whether what was run here agrees with the paper, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboard.text import plain
from engine.evaluation.studies.study import (
    AUTHORS,
    FIGURES,
    LATER,
    OPEN,
    OUTSIDE,
    PROGRAM,
    SENTENCES,
    TARGETS,
    WITHIN,
    Study,
)

if TYPE_CHECKING:
    import pandas as pd

HELD = {
    SENTENCES: "are seen here",
    FIGURES: "are within their band",
    PROGRAM: "agree",
    AUTHORS: "agree",
    TARGETS: "are met",
}
"""What a figure is held to, in the order in which they are counted -> what is said of those that keep to it."""


def two_readings(verdicts: pd.DataFrame, study: type[Study]) -> bool:
    """Whether two readings of a paper stand side by side, the later one without a tick."""
    return study.unjudged == LATER and bool((verdicts["verdict"] == OPEN).any())


def outside_first(verdicts: pd.DataFrame) -> pd.DataFrame:
    """All that is held to a band, the misses on top; figures as texts."""
    shown = _as_texts(verdicts)
    return shown.sort_values("verdict", key=lambda column: column != OUTSIDE, kind="stable", ignore_index=True)


def verdicts_shown(verdicts: pd.DataFrame, study: type[Study]) -> pd.DataFrame:
    """All that is held to a band, and to what: reading by reading where there are two, else the misses on top."""
    whole = verdicts.assign(held_to=sources(verdicts, study)).rename(columns={"held_to": "held to"})
    return _as_texts(whole) if two_readings(verdicts, study) else outside_first(whole)


def sources(verdicts: pd.DataFrame, study: type[Study]) -> list[str]:
    """What each line is held to."""
    return [
        study.source_of(str(what), str(band)) for what, band in zip(verdicts["what"], verdicts["band"], strict=True)
    ]


def _as_texts(verdicts: pd.DataFrame) -> pd.DataFrame:
    return verdicts.assign(ours=verdicts["ours"].map(_figure))


def _figure(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def agreement_words(verdicts: pd.DataFrame, study: type[Study]) -> str:
    """How many keep to what they are held to, each source counted by itself, as Markdown.

    Parameters
    ----------
    verdicts : as a stored run has them
    study : says what each line is held to, and why some get no verdict
    """
    judged = verdicts.assign(source=sources(verdicts, study))
    judged = judged[judged["verdict"].isin([WITHIN, OUTSIDE])]
    unjudged = len(verdicts[verdicts["verdict"] == OPEN])
    if not len(judged) and not unjudged:
        return "This run is not of the paper's size, so no figure is held to a band."
    lines = []
    for source, kept in HELD.items():
        here = judged[judged["source"] == source]
        if len(here):
            within = len(here[here["verdict"] == WITHIN])
            icon = ":material/check_circle:" if within == len(here) else ":material/error:"
            lines.append(f"- {icon} **{source[0].upper()}{source[1:]}: {within} of {len(here)} {kept}.**")
    if unjudged:
        gets = "figure gets" if unjudged == 1 else "figures get"
        lines.append(f"- {unjudged} {gets} no verdict{', being ' + study.unjudged if study.unjudged else ''}.")
    return "\n".join(lines)


def misses(verdicts: pd.DataFrame) -> list[str]:
    """The figures outside their bands, each as a line of Markdown."""
    return [
        f"{plain(row['what'])}: ours **{plain(_figure(row['ours']))}**; band: {plain(row['band'])}"
        for _, row in verdicts.iterrows()
        if row["verdict"] == OUTSIDE
    ]

"""Whether what was run here agrees with the paper, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboard.text import plain
from engine.evaluation import AUTHORS, FIGURES, LATER, OPEN, OUTSIDE, PROGRAM, SENTENCES, TARGETS, WITHIN

if TYPE_CHECKING:
    import pandas as pd

VERDICT_WORDS = {
    SENTENCES: "are seen here",
    FIGURES: "are within their band",
    PROGRAM: "agree",
    AUTHORS: "agree",
    TARGETS: "are met",
}
"""What a figure is held to, in the order in which they are counted -> how those that keep to it are called."""


def two_readings(verdicts: pd.DataFrame, unjudged: str) -> bool:
    """Whether two readings of a paper stand side by side, the later one without a tick."""
    return unjudged == LATER and bool((verdicts["verdict"] == OPEN).any())


def verdicts_table(verdicts: pd.DataFrame, unjudged: str) -> pd.DataFrame:
    """All that is held to a band, and to what: reading by reading where there are two, else the misses on top."""
    if two_readings(verdicts, unjudged):
        return verdicts
    return verdicts.sort_values("verdict", key=lambda column: column != OUTSIDE, kind="stable", ignore_index=True)


def agreement_words(verdicts: pd.DataFrame, unjudged: str) -> str:
    """How many keep to what they are held to, each source counted by itself, and why some get no verdict; Markdown."""
    judged = verdicts[verdicts["verdict"].isin([WITHIN, OUTSIDE])]
    without = len(verdicts[verdicts["verdict"] == OPEN])
    if not len(judged) and not without:
        return "This run is not of the paper's size, so no figure is held to a band."
    lines = []
    for source, words in VERDICT_WORDS.items():
        here = judged[judged["held to"] == source]
        if len(here):
            within = len(here[here["verdict"] == WITHIN])
            icon = ":material/check_circle:" if within == len(here) else ":material/error:"
            lines.append(f"- {icon} **{source[0].upper()}{source[1:]}: {within} of {len(here)} {words}.**")
    if without:
        gets = "figure gets" if without == 1 else "figures get"
        lines.append(f"- {without} {gets} no verdict{', being ' + unjudged if unjudged else ''}.")
    return "\n".join(lines)


def misses(verdicts: pd.DataFrame) -> list[str]:
    """The figures outside their bands, each as a line of Markdown."""
    return [
        f"{plain(row['what'])}: ours **{plain(row['ours'])}**; band: {plain(row['band'])}"
        for _, row in verdicts[verdicts["verdict"] == OUTSIDE].iterrows()
    ]

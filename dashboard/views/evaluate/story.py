"""What a paper claimed, what came out here and what that teaches: its figure beside ours, and the verdicts under it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.charts.paper_figures import figure_alt, panels_figure
from dashboard.session.keys import widget_key
from dashboard.text import plain
from dashboard.views.shared.downloads import download, file_name, show_figure
from engine.evaluation.figures import PaperFigure, paper_figure
from engine.evaluation.papers import (
    AUTHORS,
    FIGURES,
    LATER,
    OPEN,
    OUTSIDE,
    PROGRAM,
    SENTENCES,
    TARGETS,
    agreements,
    covered_papers,
    paper_coverage,
)

if TYPE_CHECKING:
    import pandas as pd

    from engine.evaluation.papers import Agreement, PaperResults

ROW, LEAST_HEIGHT, MOST_HEIGHT = 35, 180, 470
COVERAGE = "What of the paper is here, and what is not"


def show_story(study: PaperResults) -> None:
    """The paper's figure beside ours, the counts of what agrees, and two folds: what is here, how it was read."""
    paper = paper_figure(study)
    if paper is not None:
        _figure(study, paper)
    else:
        st.markdown(f"**{plain(study.paper)}.**")
    st.markdown(agreement_words(study.verdicts, study.unjudged))
    _bands(study)
    _coverage(study)
    with st.expander("How it was run, and how the paper was read", expanded=paper is None):
        _reading(study)


def _figure(study: PaperResults, paper: PaperFigure) -> None:
    """The panels, and under them claim, outcome and lesson side by side."""
    st.markdown(f"**{plain(paper.title)}**")
    key = widget_key("evaluate.papers", "panels", study.slug)
    with st.container(key=widget_key("wide", study.slug)):
        show_figure(panels_figure(paper), f"{study.slug}-paper-and-ours", alt=figure_alt(paper), key=key, masked=True)
    parts = {"What the paper claims": paper.claimed, "What came out": paper.outcome, "What that teaches": paper.lesson}
    for column, (title, text) in zip(st.columns(3, gap="medium"), parts.items(), strict=True):
        column.markdown(f"**{title}**  \n{text}")
    st.caption(f"{plain(paper.paper)}. {paper.source}")


def _coverage(study: PaperResults) -> None:
    """The paper's table of what is here, and its file."""
    if study.slug not in covered_papers():
        return
    text = paper_coverage(study.slug)
    with st.expander(COVERAGE):
        st.markdown(text.partition("\n")[2])
        name = file_name(f"{study.slug}-coverage", "md")
        download(text.encode("utf-8"), name, "text/markdown", "This table (Markdown)", masked=True)


def _reading(study: PaperResults) -> None:
    st.markdown(f"{study.asked} {plain(study.done)}")
    if len(study.verdicts) and study.claim:
        st.markdown(f"**{plain(study.claim)}**")
    for text in (study.reading, *study.slips):
        st.caption(plain(text))


def _bands(study: PaperResults) -> None:
    """Everything that is held to a band; the misses on top, but where two readings of a paper stand side by side."""
    verdicts = study.verdicts
    if len(verdicts):
        with st.expander(f"All {len(verdicts)} bands", expanded=True):
            st.dataframe(
                verdicts_table(verdicts, study.unjudged),
                hide_index=True,
                height=min(MOST_HEIGHT, 3 + ROW * (len(verdicts) + 1)),
                alt="What is held to a band, the band, ours, the verdict, and what it is held to",
            )


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
    shown = verdicts.drop(columns="sentence", errors="ignore")
    if two_readings(shown, unjudged):
        return shown
    return shown.sort_values("verdict", key=lambda column: column != OUTSIDE, kind="stable", ignore_index=True)


def agreement_words(verdicts: pd.DataFrame, unjudged: str) -> str:
    """How many keep to what they are held to, each source counted by itself, and why some get no verdict; Markdown."""
    counted = agreements(verdicts)
    without = len(verdicts[verdicts["verdict"] == OPEN])
    if not counted and not without:
        return "This run is not of the paper's size, so no figure is held to a band."
    lines = [_counted(agreement) for agreement in counted]
    if without:
        gets = "figure gets" if without == 1 else "figures get"
        lines.append(f"- {without} {gets} no verdict{', being ' + unjudged if unjudged else ''}.")
    return "\n".join(lines)


def _counted(agreement: Agreement) -> str:
    """A line of Markdown: how many of one source hold, and of readings how many under all of them."""
    icon = ":material/check_circle:" if agreement.every == agreement.total else ":material/error:"
    words = VERDICT_WORDS[agreement.source]
    if agreement.readings:
        words += f" under some reading, {agreement.every} under every one"
    source = f"{agreement.source[0].upper()}{agreement.source[1:]}"
    return f"- {icon} **{source}: {agreement.supported} of {agreement.total} {words}.**"

"""What is said of the items of a try, counted by truth: the verdicts of the method's page beside its ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.text import plain
from dashboard.views.shared.downloads import download_table
from engine.evaluation.trials.outcome import either
from engine.evaluation.trials.said import in_words

if TYPE_CHECKING:
    import pandas as pd

    from engine.evaluation.trials.outcome import Trial


def show_said(trial: Trial, sentence: str, table: pd.DataFrame, whole: str, key: str) -> None:
    """The sentence with the table under it; nothing where a method says nothing of its items.

    Parameters
    ----------
    sentence, table : of the outcome, or of many runs
    whole : what intervals draw again as a whole ("runs"); nothing where each item stands by itself
    key : of the download's file name
    """
    if table.empty:
        return
    st.markdown("##### As said")
    st.markdown(plain(sentence))
    left, right = st.columns([1, 1], gap="medium")
    with left:
        st.dataframe(
            in_words(table, (trial.items.case, trial.items.other)),
            hide_index=True,
            alt=f"What is said of {trial.items.case} and of {trial.items.other} {trial.items.many}",
        )
    with right:
        st.caption(plain(said_note(trial, whole)))
        download_table(table, f"{key}-as-said")


def said_note(trial: Trial, whole: str) -> str:
    """How to read the table."""
    drawn = f"whole {whole} drawn again" if whole else f"each {trial.items.one} by itself"
    note = f" {trial.said_note}" if trial.said_note else ""
    return (
        f"These are the verdicts that the method's own page shows. {either(trial)} is false of what is "
        f'{trial.items.other}; "cannot tell" is never false.{note} In brackets: 95 % interval, {drawn}.'
    )

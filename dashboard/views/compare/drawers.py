"""Everything in numbers, and how it is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.text import plain
from dashboard.views.compare.request import DRAWS_KEY, SEED_KEY, settings
from dashboard.views.shared.sections import show_settings, show_table

if TYPE_CHECKING:
    import pandas as pd

    from dashboard.views.compare.request import ComparisonRequest

DRAWS = (999, 1999, 9999)
_HEADINGS = {
    "a": "A",
    "b": "B",
    "a_low": "A from",
    "a_high": "A to",
    "b_low": "B from",
    "b_high": "B to",
    "low": "difference from",
    "high": "difference to",
    "drawn": "found by the search in",
    "visible": "seen in 8 of 10",
    "p_any": "p, any two groups",
    "mark_a": "in A",
    "mark_b": "in B",
    "verdict_a": "A says",
    "verdict_b": "B says",
    "probability_a": "probability in A",
    "probability_b": "probability in B",
    "network_b": "network of B",
}


def show_tables(request: ComparisonRequest) -> None:
    """Links, shared edges, and how the two results stand to each other beside."""
    result = request.result
    with st.expander("Tables: links, edges, claims, settings"):
        names = [("Links", "No link was tested.")] if result.test is not None else []
        names += [
            ("Shared edges", "Neither has an edge."),
            ("Compared claims", "Neither makes a claim about the variables that both have."),
            ("Compared settings", "No settings."),
            ("Compared rows", "No rows."),
        ]
        for tab, (title, nothing) in zip(st.tabs([title for title, _ in names]), names, strict=True):
            with tab:
                table = result.table(title)
                if len(table):
                    show_table(_readable(table), title)
                else:
                    st.caption(nothing)


def _readable(table: pd.DataFrame) -> pd.DataFrame:
    """The table as one reads it: without what is the same in every row, A and B by their letters."""
    alone = ("network", "network_b", "group_a", "group_b", "levels")
    single = [item for item in alone if item in table and len(set(table[item])) < 2]
    return table.drop(columns=single).rename(columns=_HEADINGS)


def show_details(request: ComparisonRequest) -> None:
    """How differences are tested, with the two settings."""
    result = request.result
    with st.expander("Details of the method"):
        if result.test is not None:
            st.markdown(
                f"Every pair of variables is estimated in every group as a {plain(result.scale.number)}, whether "
                "or not "
                "a search found it. The error of all estimates is drawn together from the rows' influence, and p is "
                "corrected over all pairs. Pale links have an interval that holds no association."
            )
            st.markdown(plain(result.sentences()[1]))
            draws, seed = st.columns(2)
            begin = settings()
            with draws:
                st.selectbox(
                    "Draws", DRAWS, index=DRAWS.index(begin.draws) if begin.draws in DRAWS else 1, key=DRAWS_KEY,
                    disabled=not request.cards, persist_state="session",
                )  # fmt: skip
            with seed:
                st.number_input(
                    "Seed", 0, 2**31 - 1, begin.seed, key=SEED_KEY, disabled=not request.cards, persist_state="session"
                )
        st.caption(plain(result.caution))
        show_settings(result)

"""Before anything runs: what the table holds, and how weak a link it could show at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.text import plain
from dashboard.views.shared.downloads import download_table
from engine.methods.log_linear.power import level_table, odd_levels, power_sentence

if TYPE_CHECKING:
    from engine.data.dataset import Dataset


def show_before(data: Dataset) -> None:
    """The weakest link the table could show, and its variables."""
    if data.n_variables > 1 and data.n_rows:
        st.info(plain(power_sentence(data.n_rows, data.n_variables)), icon=":material/search:")
    show_levels(data)


def show_levels(data: Dataset) -> None:
    """Levels by variable, with what is odd about them."""
    table = level_table(data)
    for sentence in odd_levels(table):
        st.caption(plain(sentence))
    st.dataframe(
        table,
        hide_index=True,
        height=min(420, 38 + 35 * len(table)),
        column_config={"most frequent": st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1)},
    )
    download_table(table, "levels")

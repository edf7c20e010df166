"""Before anything runs: what the table holds, and how weak a link it could show at all."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from dashboard.text import plain
from dashboard.views.shared.downloads import download_table
from engine.methods.log_linear.message import detectable_odds_ratio

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset

MOST_VARIABLES = 3000
MANY_LEVELS = 12


def refusal(data: Dataset) -> str:
    """Why the table cannot be analysed, "" where it can."""
    if data.n_variables < 2:
        return "One variable has nothing to hang together with; choose more on the data page."
    if data.n_rows < 1:
        return "The table has no rows; choose another on the data page."
    if data.n_variables > MOST_VARIABLES:
        return (
            f"{data.n_variables:,} variables are more than the {MOST_VARIABLES:,} this page takes; choose fewer on the "
            "data page."
        )
    return ""


def power_sentence(rows: int, variables: int) -> str:
    """How weak a link could show at all, in plain words."""
    odds = detectable_odds_ratio(rows, variables)
    table = f"{rows:,} rows and {variables:,} variables"
    if not math.isfinite(odds):
        return f"With {table} not even a perfect link between two yes/no variables could show. Collect more rows."
    share = math.sqrt(odds) / (1 + math.sqrt(odds))
    return (
        f"With {table} a link between two yes/no variables shows from an odds ratio of about {odds:.2g} up: for "
        f"example {share:.0%} yes in one half of the rows and {1 - share:.0%} in the other. Weaker links stay unseen, "
        "and variables with more levels need more."
    )


def level_table(data: Dataset) -> pd.DataFrame:
    """Every variable with its levels: declared, observed, and the most frequent one's share."""
    import pandas as pd

    rows = []
    for name in data.names:
        counts = np.bincount(data.column(name), minlength=len(data.levels[name]))
        share = float(counts.max(initial=0)) / max(data.n_rows, 1)
        rows.append((name, len(data.levels[name]), int((counts > 0).sum()), share))
    return pd.DataFrame(rows, columns=["variable", "levels declared", "levels observed", "most frequent"])


def show_before(data: Dataset, source: str) -> None:
    """The table, the weakest link it could show, and its variables."""
    st.markdown(
        f"{plain(source)}: **{data.n_rows:,} rows, {data.n_variables:,} variables.** Press *Find the links* on the "
        "left. Of all the associations between the variables the few are chosen that are direct: those that the other "
        "links do not already explain."
    )
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


def odd_levels(table: pd.DataFrame) -> list[str]:
    """Constant variables, levels never seen, many levels: a sentence each."""
    found = []
    constant = list(table.loc[table["levels observed"] < 2, "variable"])
    if constant:
        found.append(f"One value only, so never linked: {_some(constant)}.")
    unseen = list(table.loc[table["levels observed"] < table["levels declared"], "variable"])
    if unseen:
        found.append(f"Levels that never occur count as levels all the same and make links dearer: {_some(unseen)}.")
    many = list(table.loc[table["levels declared"] > MANY_LEVELS, "variable"])
    if many:
        found.append(f"Many levels make links dear; consider merging some on the data page: {_some(many)}.")
    return found


def _some(names: list[str], most: int = 6) -> str:
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")

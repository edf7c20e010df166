"""Before anything runs: whether a table can be analysed, how weak an edge it could show, and what its levels cost."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from engine import words
from engine.methods.log_linear.message import detectable_odds_ratio

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset

MOST_VARIABLES = 3000
MANY_LEVELS = 12
NAMED = 6


def refusal(data: Dataset) -> str:
    """Why a table cannot be analysed, "" where it can."""
    if data.n_variables < 2:
        return "One variable has nothing to hang together with; choose more."
    if data.n_rows < 1:
        return "The table has no rows; choose another."
    if data.n_variables > MOST_VARIABLES:
        return f"{data.n_variables:,} variables are more than the {MOST_VARIABLES:,} that can be shown; choose fewer."
    return ""


def power_sentence(rows: int, variables: int) -> str:
    """How weak an edge could show at all, in plain words."""
    odds = detectable_odds_ratio(rows, variables)
    table = f"{rows:,} rows and {variables:,} variables"
    if not math.isfinite(odds):
        return f"With {table} not even a perfect link between two yes/no variables could show. Collect more rows."
    share = share_of_yes(odds)
    return (
        f"With {table} a link between two yes/no variables shows from an odds ratio of about {odds:.2g} up: for "
        f"example {share:.0%} yes in one half of the rows and {1 - share:.0%} in the other. Weaker links stay unseen, "
        "and variables with more levels need more."
    )


def share_of_yes(odds_ratio: float) -> float:
    """The share p that, beside 1 - p in the other half of the rows, makes this odds ratio: (p / (1 - p)) squared."""
    return math.sqrt(odds_ratio) / (1 + math.sqrt(odds_ratio))


def level_table(data: Dataset) -> pd.DataFrame:
    """Every variable with its levels: declared, observed, and the share of rows of the most frequent one."""
    import pandas as pd

    rows = []
    for name in data.names:
        counts = np.bincount(data.column(name), minlength=len(data.levels[name]))
        share = float(counts.max(initial=0)) / max(data.n_rows, 1)
        rows.append((name, len(data.levels[name]), int((counts > 0).sum()), share))
    return pd.DataFrame(rows, columns=["variable", "levels declared", "levels observed", "most frequent"])


def odd_levels(table: pd.DataFrame) -> list[str]:
    """Constant variables, levels never seen, many levels: a sentence each, of a table as `level_table` gives it."""
    declared, observed, names = table["levels declared"], table["levels observed"], table["variable"]
    found = []
    if constant := list(names[observed < 2]):
        found.append(f"One value only, so never linked: {_some(constant)}.")
    if unseen := list(names[observed < declared]):
        found.append(f"Levels that never occur count as levels all the same and make links dearer: {_some(unseen)}.")
    if many := list(names[declared > MANY_LEVELS]):
        found.append(f"Many levels make links dear; consider merging some: {_some(many)}.")
    return found


def _some(names: list[str]) -> str:
    return words.first(names, NAMED)

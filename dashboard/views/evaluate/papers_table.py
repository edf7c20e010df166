"""Cells of a paper's table: those chosen, as they are shown, shaded by how far ours is from print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dashboard.charts.paper_words import digits_of, number_words, value_words
from dashboard.theme import INK, evidence_colour
from engine.evaluation.studies.reading import largest

if TYPE_CHECKING:
    import pandas as pd
    from pandas.io.formats.style import Styler

FEW = 12
"""Values up to which a key gets a box of its own to choose from."""
NUMBERS = {
    "printed": "printed",
    "printed_spread": "± printed",
    "ours": "ours",
    "ours_spread": "± ours",
    "difference": "difference",
}
"""Column -> heading."""


def quantities(compared: pd.DataFrame) -> list[str]:
    """All quantities, those with printed figures first, otherwise as stored."""
    printed = set(compared.loc[compared["printed"].notna(), "quantity"])
    return sorted(dict.fromkeys(compared["quantity"]), key=lambda one: one not in printed)


def few_valued(compared: pd.DataFrame, keys: Sequence[str]) -> list[str]:
    """The keys with more than one value, but few."""
    return [key for key in keys if 1 < len(compared[key].unique()) <= FEW]


def chosen_cells(compared: pd.DataFrame, quantity: str, wanted: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """The lines of one quantity whose keys have a wanted value (in words; none wanted means all), as stored."""
    kept = compared["quantity"] == quantity
    for key, values in wanted.items():
        if values:
            kept &= compared[key].map(value_words).isin(values)
    return compared[kept]


def shown_table(cells: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Keys and figures under their headings; a spread that no cell has is left out."""
    numbers = [one for one in NUMBERS if not one.endswith("_spread") or cells[one].notna().any()]
    return cells[[*keys, *numbers]].rename(columns=NUMBERS).reset_index(drop=True)


def styled(table: pd.DataFrame) -> Styler:
    """Figures with their digits, and the difference on a colour from blue (ours lower) to orange (ours higher)."""
    digits = digits_of(table)
    far = largest(table, ["difference"])
    limit = far if far > 0 else 1.0

    def shade(value: float) -> str:
        return f"background-color: {evidence_colour(value, limit)}; color: {INK}" if value == value else ""

    formats = {
        name: (lambda value, signed=name == "difference": number_words(value, digits, signed))
        for name in NUMBERS.values()
        if name in table
    }
    keys = {name: value_words for name in table if name not in formats}
    return table.style.format({**formats, **keys}).map(shade, subset=["difference"])

"""Figure 2 of Luo, Moffa & Kuipers (2021): true against false links of the pattern, along each approach's setting."""

from __future__ import annotations

import pandas as pd

from benchmarks.papers.figures.panels import Panel, PaperFigure, Series, cells_where, number_text, with_points
from benchmarks.papers.results import PaperResults

VARIABLES, ROWS, LEVELS = 20, 500, 3.0
APPROACHES = ("OSEM", "OSEM, published", "BGe", "BDe", "GPC", "OPC", "NPC")
SCORED = ("OSEM", "BGe", "BDe")


def figure(results: PaperResults) -> PaperFigure:
    """TPR by FPRp: one run of the authors' program, and our means along the settings."""
    best = {name: _cells(results, "SHD", name)["ours"].min() for name in SCORED}
    searches = min((_cells(results, "SHD", name)["ours"].min() for name in ("GPC", "OPC", "NPC")), default=float("nan"))
    return PaperFigure(
        paper="Luo, Moffa & Kuipers 2021, Figure 2",
        title="Links of the pattern, 20 variables, 500 rows, 3 levels",
        across="false links by true ones, FPRp",
        upwards="true links found, TPR",
        panels=[
            Panel("Authors' program, one network", _curves(results, "printed")),
            Panel(f"Diptych, means of {results.plan['repeats']} networks", _curves(results, "ours")),
        ],
        source="No numbers are printed, curves are not read off: points are one run of the authors' program.",
        claimed=(
            "Ordinal structural EM (OSEM) keeps the order of levels. It is ahead of BGe (levels as numbers), BGe of "
            "BDe (unordered levels), and PC searches (by tests) come last."
        ),
        outcome=(
            f"**◐ Reproduced in part**: OSEM is ahead of BGe in {_ahead(results)}, but BDe is not ahead of PC "
            f"searches. SHD (wrong links and directions; lower is better) where drawn, {VARIABLES} variables: "
            f"OSEM {number_text(best['OSEM'], 1)}, BGe {number_text(best['BGe'], 1)}, BDe "
            f"{number_text(best['BDe'], 1)}, best PC search {number_text(searches, 1)}."
        ),
        lesson="Levels treated as unordered cost many links, as numbers few.",
        limits=(0.0, 1.03),
    )


def _ahead(results: PaperResults) -> str:
    """In how many settings OSEM's least mean SHD is below BGe's, each at its best."""
    keys = ["variables", "rows", "levels"]
    osem, bge = (
        cells_where(results, "SHD", data="drawn", approach=name).groupby(keys)["ours"].min() for name in ("OSEM", "BGe")
    )
    return f"{int((osem < bge).sum())} of {len(osem)} settings"


def _cells(results: PaperResults, quantity: str, approach: str) -> pd.DataFrame:
    keys = {"data": "drawn", "variables": VARIABLES, "rows": ROWS, "levels": LEVELS}
    return cells_where(results, quantity, approach=approach, **keys)


def _curves(results: PaperResults, column: str) -> list[Series]:
    return with_points([_series(results, name, column) for name in APPROACHES])


def _series(results: PaperResults, approach: str, column: str) -> Series:
    """TPR by FPRp along the settings."""
    tpr, fpr = (_cells(results, what, approach).set_index("setting")[column].dropna() for what in ("TPR", "FPRp"))
    both = tpr.index.intersection(fpr.index).sort_values()
    return Series(approach, list(fpr[both]), list(tpr[both]), joined=column == "ours")

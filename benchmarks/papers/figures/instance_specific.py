"""Table 1a of Jabbari, Visweswaran & Cooper (2018) as a picture: precision and recall where the context matters."""

from __future__ import annotations

import pandas as pd

from benchmarks.papers.figures.panels import Panel, PaperFigure, Series, cells_where, number_text, value_of
from benchmarks.papers.results import PaperResults

ARCS, GES, BEST = 50, "GES", 0.1
RATES = {"precision": "adjacency P IS", "recall": "adjacency R IS"}
SEARCHES = {"published": "GES, shortcut", "order_kept": GES}
"""Our two searches -> the GES drawn beside each: first with the shortcut of the paper's program, then without."""


def figure(results: PaperResults) -> PaperFigure:
    """Precision and recall by kappa, GES last: printed, our published search, and our search with the order kept."""
    at_best = {
        search: [value_of(_cells(results, RATES[rate], search, BEST), "ours") for rate in RATES] for search in SEARCHES
    }
    ges = [value_of(_cells(results, RATES[rate], GES, None), "ours") for rate in RATES]
    published, kept, population = (
        " and ".join(map(number_text, pair)) for pair in (at_best["published"], at_best["order_kept"], ges)
    )
    return PaperFigure(
        paper="Jabbari, Visweswaran & Cooper 2018, Table 1a",
        title="Precision and recall of links at variables in context, 50 arcs",
        across="κ, and GES",
        upwards="share",
        panels=[
            Panel("Paper, printed", _series(results, "published", GES, "printed")),
            Panel("Diptych, published search", _series(results, "published", SEARCHES["published"], "ours")),
            Panel("Diptych, order kept", _series(results, "order_kept", SEARCHES["order_kept"], "ours")),
        ],
        source="Redrawn from the printed numbers; bars are standard deviations over 10 networks.",
        claimed=(
            "The patient's network has higher precision and lower recall than greedy equivalence search (GES), one "
            "network for all, most of all at variables in context."
        ),
        outcome=(
            "**● Reproduced** where κ, the prior for a change, is 0.1. Precision and recall in context, mean of "
            f"{results.plan['networks']} networks: {published} (published search), {kept} (arrows not reversed); GES "
            f"{population}."
        ),
        limits=(0.0, 1.03),
        lesson="Report precision with recall: here much precision is gained, and little recall is lost.",
    )


def _cells(results: PaperResults, quantity: str, search: str, kappa: float | None) -> pd.DataFrame:
    """Cells of a search at 50 arcs; at one kappa where it is named."""
    cells = cells_where(results, quantity, arcs=ARCS, search=search)
    return cells if kappa is None else cells[cells["kappa"] == kappa]


def _series(results: PaperResults, search: str, population: str, column: str) -> list[Series]:
    """A series a rate: along kappa, then GES."""
    series = []
    for name, quantity in RATES.items():
        cells = _cells(results, quantity, search, None).sort_values("kappa")
        last = _cells(results, quantity, population, None)
        series.append(
            Series(
                name,
                [*(f"{kappa:g}" for kappa in cells["kappa"]), *[GES] * len(last)],
                [*cells[column], *last[column]],
                spread=[*cells[f"{column}_spread"], *last[f"{column}_spread"]],
            )
        )
    return series

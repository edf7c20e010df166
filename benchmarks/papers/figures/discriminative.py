"""Figure 3 of Burge & Lane (2005): accuracy as the classes' difference shrinks."""

from __future__ import annotations

import pandas as pd

from benchmarks.papers.figures.panels import (
    Panel,
    PaperFigure,
    cells_where,
    line_of,
    number_text,
    points_of,
    value_of,
    with_points,
)
from benchmarks.papers.results import PaperResults

METHODS = ("ACL-ML", "CCL single", "CCL paired", "BDE")
PERFECT, SINGLE_NAME = 0.114, "CCL"
"""The difference from which the text has ACL-ML classify perfectly; and the paper's one CCL."""


def figure(results: PaperResults) -> PaperFigure:
    """Accuracy by the difference of the classes: the numbers of the text, and our curves."""
    printed = [points_of(SINGLE_NAME if name == "CCL single" else name, _cells(results, name), "at", "printed")
               for name in METHODS if name != "CCL paired"]  # fmt: skip
    at = {name: value_of(_cells(results, name, PERFECT), "ours") for name in METHODS}
    return PaperFigure(
        paper="Burge & Lane 2005, Figure 3",
        title="Accuracy by the difference between the classes",
        across="difference c",
        upwards="accuracy",
        panels=[
            Panel("Paper, numbers of its text", with_points(printed)),
            Panel("Diptych", with_points([line_of(name, _cells(results, name), "at", "ours") for name in METHODS])),
        ],
        source="Redrawn from numbers of the text; curves are not read off.",
        claimed=(
            "Approximate conditional likelihood (ACL-ML) classifies perfectly from a class difference of c = .114, "
            "conditional likelihood (CCL) from .13, Bayesian fit (BDE) at none."
        ),
        outcome=(
            "**◐ Reproduced in part**: ACL-ML is nearly perfect, CCL only with one of two searches. Accuracy at "
            f"c = .114, {results.plan['runs']} runs: ACL-ML {number_text(at['ACL-ML'])}, BDE {number_text(at['BDE'])} "
            f"(chance), CCL {number_text(at['CCL single'])} (one network at a time) or "
            f"{number_text(at['CCL paired'])} (both)."
        ),
        lesson="Fit alone can miss what separates classes. How a search moves matters as much as its score.",
        limits=(0.35, 1.03),
    )


def _cells(results: PaperResults, method: str, at: float | None = None) -> pd.DataFrame:
    cells = cells_where(results, "accuracy", experiment="differences", families="all families", method=method)
    return cells if at is None else cells[cells["at"] == at]

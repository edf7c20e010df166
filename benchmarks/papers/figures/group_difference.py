"""Table 1 of Sverchkov & Cooper (2015) as a picture: in how many blocks the odds are ahead of the lasso."""

from __future__ import annotations

import pandas as pd

from benchmarks.papers.figures.panels import Panel, PaperFigure, Series, number_text
from benchmarks.papers.group_difference.printed import COUNTS
from benchmarks.papers.results import PaperResults

ODDS, LASSO = "odds", "lasso"
BOTH = "lasso, order of both"
"""The lasso under the reading of the order that was fixed before its figures were seen."""


def figure(results: PaperResults) -> PaperFigure:
    """The areas of the odds against those of the lasso, block by block, printed and ours."""
    printed, ours = (
        results.compared.pivot_table(values=column, index=results.keys, columns="quantity", sort=False)
        for column in ("printed", "ours")
    )
    blocks = len(printed)
    rival = BOTH if BOTH in ours else LASSO
    known = printed.index.intersection(ours.index)
    far = (ours.loc[known, ODDS] - printed.loc[known, ODDS]).abs().mean()
    given = _ahead(ours, "odds, order of both", rival)
    both = "" if given is None else f", in {given} where both do"
    return PaperFigure(
        paper="Sverchkov & Cooper 2015, Table 1",
        title="Area under the ROC curve, odds against lasso",
        across="lasso",
        upwards="odds",
        panels=[
            Panel(f"Paper: {_ahead(printed, ODDS, LASSO)} of {blocks} above the line", _series(printed, LASSO)),
            Panel(f"Diptych: {_ahead(ours, ODDS, rival)} of {blocks} above the line", _series(ours, rival)),
        ],
        source="Redrawn from the printed areas; a point is a block of 20 pairs.",
        claimed=(
            "The odds find changed variables better than a lasso (penalised regression). Their area under the curve "
            f"(AUC) is larger in {COUNTS['odds'].ahead} of 72 blocks where only the lasso knows the order, "
            f"in {COUNTS['odds, order'].ahead} where both do."
        ),
        outcome=(
            f"**◐ Reproduced in part**: ahead in {_ahead(ours, ODDS, rival)} of {blocks} blocks where only the lasso "
            f"knows the order{both}. AUCs of the odds are {number_text(far)} off the printed ones on average."
        ),
        lesson="Tell both rivals as much: against a lasso that knows more, no advantage is established.",
        limits=(0.45, 1.02),
        diagonal=True,
    )


def _ahead(areas: pd.DataFrame, score: str, rival: str) -> int | None:
    """In how many blocks a score has the larger area; None where it was not run."""
    return int((areas[score] > areas[rival]).sum()) if score in areas and rival in areas else None


def _series(areas: pd.DataFrame, rival: str) -> list[Series]:
    """Points of each kind of perturbation."""
    kinds = areas.index.get_level_values("kind")
    return [
        Series(str(kind), list(areas.loc[kinds == kind, rival]), list(areas.loc[kinds == kind, ODDS]))
        for kind in dict.fromkeys(kinds)
    ]

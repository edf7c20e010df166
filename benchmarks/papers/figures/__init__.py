"""The main figure of each paper beside ours, and what it teaches: `<slug>.py`, one a paper.

Nothing is copied from a paper: both sides are redrawn, the paper's from numbers that it prints (or, where it prints
none, from what `source` names), ours from the stored results. The sentences take their numbers from there as well.
"""

from __future__ import annotations

from benchmarks.papers.figures.panels import Panel, PaperFigure, Series
from benchmarks.papers.results import PaperResults
from engine.evaluation.trials import module_called

__all__ = ["Panel", "PaperFigure", "Series", "paper_figure"]


def paper_figure(results: PaperResults) -> PaperFigure | None:
    """The paper's main figure beside ours, with what was claimed, what came out and what that teaches.

    Parameters
    ----------
    results : of a study, as `read_results` gives them

    Returns
    -------
    the figure; None for a study that is of no single paper

    Examples
    --------
    >>> from benchmarks.papers.results import read_results
    >>> figure = paper_figure(read_results("group_difference"))
    >>> [panel.title for panel in figure.panels]
    ['Paper: 52 of 72 above the line', 'Diptych: 40 of 72 above the line']
    """
    module = module_called(f"benchmarks.papers.figures.{results.slug}")
    return None if module is None else module.figure(results)

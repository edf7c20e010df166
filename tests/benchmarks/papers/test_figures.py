"""The papers' figures beside ours: numbers are those that are stored, sentences are short, and print is the paper's."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from benchmarks.papers.figures import PaperFigure, paper_figure
from benchmarks.papers.figures.log_linear import LINKS
from benchmarks.papers.figures.panels import number_text
from benchmarks.papers.group_difference.printed import COUNTS, printed
from benchmarks.papers.instance_specific.printed import printed as printed_rows
from benchmarks.papers.log_linear.printed import AT_LARGEST, RECOVERED
from benchmarks.papers.results import every_paper, read_results
from engine.methods.registry import METHODS
from tests.benchmarks.papers.stored_runs import made_up

DOCS = Path(__file__).parents[3] / "docs"
PAPERS = [slug for slug in every_paper() if slug in METHODS]


def figure_of(slug: str) -> PaperFigure:
    """Of the run that came with the package."""
    figure = paper_figure(read_results(slug))
    assert figure is not None
    return figure


@pytest.mark.parametrize("slug", PAPERS)
def test_every_paper_has_its_figure_beside_ours(slug: str) -> None:
    """Panels with points within the axis, and sentences of at most 25 words without a missing number."""
    figure = figure_of(slug)
    assert len(figure.panels) >= 2
    for panel in figure.panels:
        assert panel.series
        for series in panel.series:
            assert len(series.x) == len(series.y) > 0
            assert all(figure.limits[0] <= y <= figure.limits[1] for y in series.y)
    assert read_results(slug).paper.startswith(figure.paper.rpartition(",")[0])
    texts = (figure.claimed, figure.outcome, figure.lesson, figure.source)
    assert "–" not in "".join(texts)
    assert sum(len(text.split()) for text in texts) <= 100
    assert figure.outcome.startswith(("**● Reproduced", "**◐ Reproduced in part", "**○ Not reproduced")), "its verdict"
    for sentence in re.split(r"(?<=[.:])\s+(?=[A-Z])", re.sub(r"\*\*[●◐○] |\*\*", "", " ".join(texts))):
        assert len(sentence.split()) <= 25
    assert "Redrawn from" in figure.source or "not read off" in figure.source
    page = (DOCS / f"{slug.replace('_', '-')}-study.md").read_text(encoding="utf-8")
    assert all(text in page for text in (figure.title, *texts))


@pytest.mark.parametrize("slug", every_paper())
def test_a_run_with_other_cells_is_drawn_too(slug: str) -> None:
    """A smaller one; what is of no single paper has no figure."""
    figure = paper_figure(made_up(slug))
    assert (figure is None) == (slug not in METHODS)


def test_the_first_paper_is_counted_from_its_table_and_from_our_first_reading() -> None:
    """72 points a side; ours against the lasso with the order of both networks, which was read first."""
    figure = figure_of("group_difference")
    paper = figure.panels[0]
    points = [sorted(zip(series.x, series.y, strict=True)) for series in paper.series]
    by_kind = {
        kind: sorted((cell.lasso, cell.odds) for key, cell in printed().items() if key[1] == kind)
        for kind in ("parametric", "structural")
    }
    assert points == list(by_kind.values())
    sides = [[xy for series in panel.series for xy in zip(series.x, series.y, strict=True)] for panel in figure.panels]
    above = [sum(odds > lasso for lasso, odds in side) for side in sides]
    assert above == [52, 40]
    assert str(COUNTS["odds"].ahead) in figure.claimed and "40 of 72" in figure.outcome


def test_the_second_papers_numbers_are_those_of_its_table() -> None:
    """Kappa by kappa, GES last, each with its standard deviation."""
    precision, recall = figure_of("instance_specific").panels[0].series
    rows = printed_rows(50)
    for series, rate in ((precision, "adjacency P IS"), (recall, "adjacency R IS")):
        assert list(series.x) == list(rows) == ["0.001", "0.1", "0.5", "0.9", "GES"]
        assert [(y, s) for y, s in zip(series.y, series.spread or (), strict=True)] == [
            (row[rate].mean, row[rate].spread) for row in rows.values()
        ]


def test_links_missed_and_false_make_the_third_papers_last_points() -> None:
    """F of the text's numbers; two selections of one true graph have its number of links."""
    figure = figure_of("log_linear")
    points = {series.name: dict(zip(series.x, series.y, strict=True)) for series in figure.panels[0].series}
    for name, key in (("MML", "mml"), ("chi-squared", "chi2"), ("AH", "ah")):
        missed, false = AT_LARGEST[key]
        right = LINKS - missed
        precision, recall = right / (right + false), right / LINKS
        assert points[name][1_000_000] == pytest.approx(2 * precision * recall / (precision + recall))
    assert points["MML"][100_000] == RECOVERED["mml"]
    results = read_results("log_linear")
    cells = results.compared.query("data == 'D3' and levels == 'binary' and rows == 100_000 and method == 'mml'")
    cells = cells.set_index("quantity")["ours"]
    assert cells["missed"] / (1 - cells["recall"]) == pytest.approx(LINKS)


def test_numbers_in_sentences() -> None:
    """Without a zero before the point; a dash where there is none."""
    assert [number_text(value) for value in (0.5, 1.0, 0.999, 0.0, math.nan)] == [".50", "1.00", "1.00", ".00", "–"]
    assert number_text(17.64, 1) == "17.6"

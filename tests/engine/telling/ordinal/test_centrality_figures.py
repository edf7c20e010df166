"""The plot of central items, and what is left of their order with fewer rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import engine
from engine.graphs.drawing.rings import NO_SCALE, scale_style
from engine.telling.ordinal.figures.centrality import case_dropping_figure, centrality_figure
from engine.telling.ordinal.figures.links import (
    MOST_LINKS,
    edge_accuracy_figure,
    largest_links,
    largest_words,
    links_figure,
)
from tests.engine.methods.ordinal.test_partial_network import table, true_weights

BAD = "<b>mood</b>"
TABLE = pd.DataFrame(
    {
        "variable": ["a_1", BAD, "b_1", "b_2"],
        "label": ["1", BAD, "a very long label that goes on x", "a very long label that goes on y"],
        "scale": ["a", "", "b", "b"],
        "strength": [0.5, 0.9, 0.2, 0.7],
        "strength_low": [0.4, 0.8, 0.0, 0.5],
        "strength_high": [0.7, 1.0, 0.3, 0.8],
    }
)


def test_the_largest_is_on_top_with_its_interval() -> None:
    """A mark an item where its label is, whiskers that end where the interval does."""
    figure = centrality_figure(TABLE, "strength", ["a", "b"], (), 400)
    axis = figure.layout.yaxis
    assert axis.range[0] > axis.range[1]
    marks = {
        place: (value, value - minus, value + plus)
        for trace in figure.data
        for place, value, minus, plus in zip(
            trace.y, trace.x, trace.error_x.arrayminus, trace.error_x.array, strict=True
        )
    }
    assert [marks[place] for place in range(4)] == [
        pytest.approx(row) for row in [(0.9, 0.8, 1.0), (0.7, 0.5, 0.8), (0.5, 0.4, 0.7), (0.2, 0.0, 0.3)]
    ]
    assert list(axis.tickvals) == [0, 1, 2, 3]
    assert axis.ticktext[2] == "1"
    assert figure.layout.height == 400


def test_marks_are_those_of_the_network() -> None:
    """Colour and shape of the scale, as the network numbers it; grey circles where there is none."""
    styles = {
        trace.y[0]: (trace.marker.color, trace.marker.symbol)
        for trace in centrality_figure(TABLE, "strength", ["b", "a"], (), 400).data
    }
    assert styles == {0: (NO_SCALE, "circle"), 1: scale_style(0), 2: scale_style(1)}
    assert [trace.marker.color for trace in centrality_figure(TABLE, "strength", [], (), 400).data] == [NO_SCALE]


def test_labels_are_text_told_apart_and_bold_where_looked_at() -> None:
    """No name is markup, on the axis and under the mouse; two that begin alike keep their ends."""
    figure = centrality_figure(TABLE, "strength", [], ("b_1",), 400)
    labels = list(figure.layout.yaxis.ticktext)
    assert labels[0] == "&lt;b&gt;mood&lt;/b&gt;"
    assert labels[3].startswith("<b>") and labels[3].endswith("x</b>")
    assert labels[1].endswith("y")
    assert figure.data[0].text[0] == "&lt;b&gt;mood&lt;/b&gt;<br>+.90 (95 % interval +.80 to +1.00)"


def test_every_measure_has_its_line_over_the_share_dropped() -> None:
    """Told apart without colour; the correlation that is asked for is marked."""
    table = pd.DataFrame(
        {
            "measure": ["strength", "strength", "expected_influence", "expected_influence"],
            "dropped": [0.25, 0.75, 0.25, 0.75],
            "correlation": [0.9, 0.6, 0.95, 0.8],
        }
    )
    figure = case_dropping_figure(table, {"strength": "Strength", "expected_influence": "Expected influence"})
    assert [trace.name for trace in figure.data] == ["Strength", "Expected influence"]
    assert [list(trace.y) for trace in figure.data] == [[0.9, 0.6], [0.95, 0.8]]
    assert len({trace.line.dash for trace in figure.data}) == 2
    assert [shape.y0 for shape in figure.layout.shapes] == [0.7]


@pytest.mark.parametrize("copies", [1, 20])
def test_every_pair_lies_in_its_interval_the_largest_on_top(copies: int) -> None:
    """The band has the ends of each; a mark's form says whether 0 is outside; names are text, and few are written."""
    lines = pd.DataFrame(
        {
            "a": [BAD, "x"],
            "b": ["y", "z"],
            "partial": [-0.2, 0.4],
            "low": [-0.3, -0.1],
            "high": [-0.1, 0.9],
            "clear": [True, False],
        }
    )
    figure = edge_accuracy_figure(pd.concat([lines] * copies, ignore_index=True))
    band, outside, inside = figure.data
    assert list(band.x) == [-0.1] * copies + [-0.3] * copies + [-0.1] * copies + [0.9] * copies
    assert (outside.marker.symbol, list(outside.y)) == ("circle", list(range(copies, 2 * copies)))
    assert (inside.marker.symbol, list(inside.y)) == ("circle-open", list(range(copies)))
    assert outside.text[0] == "&lt;b&gt;mood&lt;/b&gt; – y<br>−.20 (95 % interval −.30 to −.10)"
    named = figure.layout.yaxis.ticktext
    assert named == ("x – z", "&lt;b&gt;mood&lt;/b&gt; – y") if copies == 1 else named is None


def test_the_largest_links_have_their_intervals_and_are_filled_where_clear() -> None:
    """Those that the headline is about: links between scales, or all where none of these is clear; arrows by chance."""
    found = engine.Ordinal(approach="gpc").run(table(4, true_weights(), 800))
    lines = found.lines
    assert lines is not None
    links = largest_links(found)
    assert [tuple(row) for row in links[["a", "b"]].to_numpy()] == [
        (lines.names[i], lines.names[j]) for i, j in lines.pairs if lines.is_bridge(i, j)
    ][:MOST_LINKS]
    assert largest_words(found).startswith("The 10 largest of 16 pairs between scales. p is corrected for all pairs.")
    beside = replace(found, lines=replace(lines, names=("age", *lines.names[1:]), scales={}))
    assert "p is corrected for covariates’ pairs too." in largest_words(beside)
    figure = links_figure(links, {}, found, 400)
    clear, open_ones = figure.data
    assert [(trace.name, trace.marker.symbol) for trace in figure.data] == [
        ("clear", "circle"),
        ("not clear", "circle-open"),
    ]
    assert list(clear.y) == np.flatnonzero(links["clear"]).tolist() and len(clear.y) + len(open_ones.y) == MOST_LINKS
    first = lines.names.index(links["a"][0]), lines.names.index(links["b"][0])
    reach = lines.low[first], lines.partial[first], lines.high[first]
    ends = clear.x[0] - clear.error_x.arrayminus[0], clear.x[0], clear.x[0] + clear.error_x.array[0]
    assert ends == pytest.approx(reach) and figure.layout.yaxis.ticktext[0] == "a_3 – b_4"
    shaky = replace(found, lines=None)
    arrows = largest_links(shaky)
    assert len(arrows) == found.n_links and arrows["partial"].abs().is_monotonic_decreasing
    assert arrows["clear"].sum() == found.n_links - len(found.doubtful_links())
    assert links_figure(arrows, {}, shaky, 400).data[1].name == "not beyond chance"

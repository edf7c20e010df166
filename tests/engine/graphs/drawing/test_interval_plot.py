"""Measures with intervals: marks where the axis says, names as text, round ticks."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from engine.graphs.drawing.interval_plot import Measured, axis_ticks, draw_intervals

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>&'"


def test_marks_stand_where_the_axis_says_and_names_are_text() -> None:
    """Between the ticks beside them, in the middle of symmetric intervals; one row an item."""
    measures = [
        Measured("Strength", [1.0, 0.5, 0.0], [0.8, 0.3, -0.2], [1.2, 0.7, 0.2]),
        Measured(HOSTILE, [-0.5, 0.0, 0.25], [-0.6, -0.1, 0.15], [-0.4, 0.1, 0.35]),
    ]
    svg = draw_intervals(["a", "b", HOSTILE], [0, 0, None], measures, ident="c", title=HOSTILE, scales=["mood"])
    root = ElementTree.fromstring(svg)  # noqa: S314
    assert [text.text for text in root.iter(f"{SVG}text") if text.text == HOSTILE] == [HOSTILE] * 2
    marks = [(float(mark.attrib["cx"]), float(mark.attrib["cy"])) for mark in root.findall(f"{SVG}circle")]
    bars = [line for line in root.findall(f"{SVG}line") if line.get("stroke-width") == "2"]
    grid = [line for line in root.findall(f"{SVG}line") if line.get("stroke-width") is None]
    assert len(marks) == len(bars) == 6
    for (x, y), bar in zip(marks, bars, strict=True):
        assert x == pytest.approx((float(bar.attrib["x1"]) + float(bar.attrib["x2"])) / 2, abs=0.11)
        assert y == pytest.approx(float(bar.attrib["y1"]))
    ticks = axis_ticks(-0.2, 1.2)
    at = [float(line.attrib["x1"]) for line in grid[: len(ticks)]]
    assert [x for x, _ in marks[:3]] == pytest.approx(np.interp([1.0, 0.5, 0.0], ticks, at), abs=0.11)
    assert len({y for _, y in marks}) == 3


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(-0.3, 1.2, [0.0, 0.5, 1.0]), (0.0, 0.04, [0.0, 0.01, 0.02, 0.03, 0.04]), (-7, 0, [-6, -4, -2, 0]), (0, 0, [0])],
)
def test_ticks_are_round_and_few(low: float, high: float, ticks: list[float]) -> None:
    """Steps of 1, 2 or 5."""
    assert axis_ticks(low, high) == pytest.approx(ticks)

"""Pictures of lessons: paths, what is known, shares, curves; whatever a name is, it is text."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from engine.classroom.drawings import (
    Bar,
    bars_drawing,
    count_bars,
    curve_drawing,
    interval_drawing,
    network_drawing,
)

HOSTILE = "<script>&'\""


def lines(svg: str) -> list[dict[str, str]]:
    """The attributes of every line of a network."""
    return [one.attrib for one in ElementTree.fromstring(svg).iter() if one.tag.endswith("}line")]  # noqa: S314


def test_a_path_is_thick_where_it_is_open_and_dashed_where_blocked() -> None:
    """Given in either direction; other arrows are thin; one that may turn has no head."""
    arcs = [("A", "C"), ("C", "D"), ("B", "C")]
    opened = lines(network_drawing(arcs, "open", opened=[("C", "A"), ("B", "C")]).svg)
    assert [float(one["stroke-width"]) for one in opened] == [4.0, 1.7, 4.0]
    blocked = lines(network_drawing(arcs, "blocked", blocked=[("A", "C")], turned=[("C", "D")]).svg)
    assert ["stroke-dasharray" in one for one in blocked] == [True, False, False]
    assert ["marker-end" in one for one in blocked] == [True, False, True]


def test_what_is_known_stands_in_its_box() -> None:
    """The level beside the name."""
    assert ">C = yes<" in network_drawing([("A", "C")], "known", known={"C": "yes"}).svg


def test_bars_are_as_long_as_shares() -> None:
    """From 0 to the whole room, with the count behind each."""
    bars = count_bars(["North", "South"], [[30, 10], [0, 40]])
    assert [(bar.share, bar.note) for bar in bars] == [(0.25, "10 of 40"), (1.0, "40 of 40")]
    svg = bars_drawing({"Recovered": bars}, "bars").svg
    widths = [float(width) for width in re.findall(r"<rect [^>]*width='([\d.]+)'", svg)]
    assert [round(own / room, 2) for room, own in zip(widths[::2], widths[1::2], strict=True)] == [0.25, 1.0]


def test_the_lowest_point_of_a_curve_is_ringed() -> None:
    """Of the last curve; without being asked for there is no ring."""
    curves = {"training": [3.0, 2.0, 1.0], "new": [3.0, 1.5, 2.0]}
    ringed = curve_drawing(["none", "one", "two"], curves, "parents", "curves", lowest=True).svg
    assert ringed.count("r='9'") == 1
    ring = float(re.search(r"<circle cx='([\d.]+)' cy='[\d.]+' r='9'", ringed)[1])  # type: ignore[index]
    middle = float(re.search(r"<text x='([\d.]+)'[^>]*>one</text>", ringed)[1])  # type: ignore[index]
    assert ring == middle
    assert "r='9'" not in curve_drawing(["none", "one", "two"], curves, "parents", "curves").svg


def test_a_curve_below_zero_stays_above_its_labels() -> None:
    """Every point lies between the top and the names of the places."""
    svg = curve_drawing(["none", "one", "two"], {"gain": [0.0, 12.0, -21.0]}, "parents", "a gain").svg
    heights = [float(y) for y in re.findall(r"<circle cx='[\d.]+' cy='([\d.]+)'", svg)]
    label = float(re.search(r"<text x='[\d.]+' y='([\d.]+)'[^>]*>none</text>", svg)[1])  # type: ignore[index]
    assert max(heights) < label - 16


def test_names_are_text_in_every_picture() -> None:
    """Nothing in a name becomes an element, and each picture is well-formed."""
    drawings = [
        network_drawing([(HOSTILE, "B")], "a"),
        bars_drawing({HOSTILE: [Bar(HOSTILE, 0.5, HOSTILE)]}, "b"),
        interval_drawing({HOSTILE: (0.1, 0.0, 0.2)}, HOSTILE, "c"),
        curve_drawing([HOSTILE, "1"], {HOSTILE: [1.0, 2.0]}, HOSTILE, "d"),
    ]
    for drawing in drawings:
        tags = {one.tag.partition("}")[2] for one in ElementTree.fromstring(drawing.svg).iter()}  # noqa: S314
        assert "script" not in tags

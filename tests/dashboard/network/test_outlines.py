"""Groups of variables in a network: what the component is told, what it tells, and the page that leaves."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.network.component import NetworkEvent, read_event
from dashboard.network.panel import Edge, Node, Outline, Panel, free_outlines, outline_values, panel_data
from dashboard.network.standalone import standalone_html
from dashboard.theme import CATEGORICAL

HOSTILE = "</script><b>x</b>"
NAMES = ["a", HOSTILE, "c"]
PLACES = {"a": (0.0, 0.0), HOSTILE: (100.0, 0.0), "c": (50.0, 80.0)}
PANEL = Panel(
    "One",
    "",
    [Node(name) for name in NAMES],
    [Edge("a", "c", "link", directed=False)],
    [Outline(("a", HOSTILE, "c"), "1", chosen=True)],
)


def test_members_are_numbers_and_colours_go_round() -> None:
    """Labels tell groups apart even when there are more of them than colours."""
    groups = [Outline(("a", "c"), str(i)) for i in range(len(CATEGORICAL) + 1)]
    told = outline_values(groups, {"a": 0, "c": 2})
    assert told[0]["members"] == [0, 2]
    assert told[0]["colour"] == told[-1]["colour"]
    assert len({one["label"] for one in told}) == len(groups)


@pytest.mark.parametrize(
    ("at", "drawn"), [((150.0, 100.0), False), ((0.0, 150.0), False), ((390.0, 290.0), True), ((700.0, 0.0), True)]
)
def test_an_outline_that_runs_over_another_box_is_left_out(at: tuple[float, float], drawn: bool) -> None:
    """Inside the triangle and on its side; beside its long side, within the rectangle of its ends, is outside."""
    places = {"a": (0.0, 0.0), "b": (400.0, 0.0), "c": (0.0, 300.0), "d": at}
    outline = Outline(("a", "b", "c"), "1")
    assert free_outlines([outline], [Node(name) for name in places], places) == [outline] * drawn


def test_the_legend_speaks_of_groups_only_where_there_are_some() -> None:
    """Other pages' pictures stay as they were."""
    kinds = [entry["kind"] for entry in panel_data([PANEL], PLACES)["legend"]]
    assert kinds == ["arc", "hull"]
    bare = Panel(PANEL.title, "", PANEL.nodes, PANEL.edges)
    assert [entry["kind"] for entry in panel_data([bare], PLACES)["legend"]] == ["arc"]
    assert panel_data([bare], PLACES)["panels"][0]["groups"] == []


@pytest.mark.parametrize(
    ("raw", "group"),
    [
        ({"kind": "group", "group": 0, "panel": 0}, (0, 0)),
        ({"kind": "group", "group": -1, "panel": 0}, None),
        ({"kind": "group", "group": "0", "panel": 0}, None),
        ({"kind": "group", "group": 0, "panel": 5}, None),
        ({"kind": "group", "panel": 0}, None),
    ],
)
def test_a_click_inside_an_outline(raw: Any, group: tuple[int, int] | None) -> None:
    """Numbers that fit come back; anything else is nothing."""
    event = read_event(raw, NAMES, 1)
    assert event.group == group
    if group is None:
        assert event == NetworkEvent()


def test_the_standalone_page_brings_the_outlines() -> None:
    """The script that draws them is in it, hostile names are not markup."""
    page = standalone_html([PANEL], PLACES, "Title")
    assert "function hulls" in page
    assert HOSTILE not in page
    assert "import {" not in page

"""Belief bars on their way to the screen, and clicks on their way back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dashboard.network.beliefs import (
    MOST_LETTERS,
    MOST_LEVELS,
    UNEXPECTED,
    WIDTH,
    Belief,
    BeliefArc,
    beliefs_data,
    box_height,
    read_click,
)
from dashboard.theme import ARCS, DIFFERENT
from engine.graphs.drawing.svg import HEADLESS

HOSTILE = "</script><img src=http://evil.example/x onerror=alert(1)>\u202e\n"
MANY = tuple(f"level {i}" for i in range(9))
BELIEFS = [
    Belief("age", ("young", "old"), np.array([0.25, 0.75]), np.array([0.5, 0.5]), "old", "this patient"),
    Belief(HOSTILE, (HOSTILE, "", "\u202e"), np.array([0.2, 0.3, 0.5]), np.array([0.1, 0.2, 0.7]), outcome=True),
    Belief("many", MANY, None, np.array([0.3, 0.01, 0.2, 0.02, 0.15, 0.1, 0.12, 0.08, 0.02]), known="level 1"),
]
PLACES = {"age": (-40.0, 0.0), HOSTILE: (200.0, 130.0), "many": (0.0, 300.0)}
ARCS_DRAWN = [BeliefArc("age", HOSTILE, directed=False), BeliefArc(HOSTILE, "many", "✕")]


def data(words: str = "differs") -> dict[str, Any]:
    return beliefs_data(BELIEFS, ARCS_DRAWN, PLACES, words)


def test_data_is_plain_json_of_visible_texts() -> None:
    """Strict JSON; what a name hides is gone, its marks stay text, and a level without a letter has words."""
    sent = data()
    assert json.loads(json.dumps(sent, allow_nan=False)) == sent
    node = sent["nodes"][1]
    assert node["words"] == HOSTILE.replace("\u202e\n", "") and len(node["name"]) <= 2 * MOST_LETTERS
    assert [level["words"] for level in node["levels"]] == [node["words"], "(empty)", "(empty)"]
    assert all(len(level["name"]) <= 16 and level["name"] for level in node["levels"])
    assert "\u202e" not in json.dumps(sent, ensure_ascii=False)


def test_bars_are_what_is_believed_and_ticks_are_everybody() -> None:
    """Level by level; nothing where it could not be worked out; the known level by its place, the outcome marked."""
    age, hostile, many = data()["nodes"]
    assert [(level["p"], level["everybody"]) for level in age["levels"]] == [(0.25, 0.5), (0.75, 0.5)]
    assert (age["known"], hostile["known"], many["known"]) == (1, None, 1)
    assert (age["said"], hostile["said"]) == ("this patient", "")
    assert (age["outcome"], hostile["outcome"]) == (False, True)
    assert all(level["p"] is None for level in many["levels"])


def test_a_box_that_is_unexpected_is_marked_and_the_legend_says_so() -> None:
    """Nothing where no box is."""
    sent = beliefs_data([replace(BELIEFS[0], unexpected=True), *BELIEFS[1:]], ARCS_DRAWN, PLACES)
    assert [node["unexpected"] for node in sent["nodes"]] == [True, False, False]
    assert UNEXPECTED in {entry["words"] for entry in sent["legend"]}
    assert UNEXPECTED not in {entry["words"] for entry in data()["legend"]}


def test_of_many_levels_the_likeliest_are_drawn_and_the_known_one() -> None:
    """In the order of the variable, each with the code that a click on it sends."""
    shown = [level["code"] for level in data()["nodes"][2]["levels"]]
    assert shown == [0, 1, 2, 4, 5, 6] and len(shown) == MOST_LEVELS
    assert box_height(len(MANY)) == box_height(MOST_LEVELS) > box_height(2)


def test_boxes_lie_in_the_picture_where_they_were_laid_out() -> None:
    """No box leaves the field, and the middles keep their distances."""
    sent = data()
    for node in sent["nodes"]:
        assert node["x"] >= 0 and node["x"] + node["width"] <= sent["width"] + 1
        assert node["y"] >= 0 and node["y"] + node["height"] <= sent["height"] + 1
    middles = [(node["x"] + WIDTH / 2, node["y"] + node["height"] / 2) for node in sent["nodes"]]
    for (x, y), (a, b) in zip(middles[1:], (PLACES[HOSTILE], PLACES["many"]), strict=True):
        assert (x - middles[0][0], y - middles[0][1]) == pytest.approx((a + 40, b), abs=0.2)


def test_arcs_that_differ_are_told_by_colour_dash_sign_and_legend() -> None:
    """The other arcs are plain, and the legend speaks of marks only where one is drawn."""
    plain, marked = data()["arcs"]
    assert (plain["from"], plain["to"], plain["mark"], plain["dash"]) == (0, 1, "", [])
    assert (marked["from"], marked["to"], marked["mark"]) == (1, 2, "✕") and marked["dash"]
    assert (plain["colour"], marked["colour"]) == (ARCS["same"].colour, DIFFERENT)
    assert "differs" in [entry["words"] for entry in data()["legend"]]
    without = beliefs_data(BELIEFS, ARCS_DRAWN[:1], PLACES, "differs")
    assert "differs" not in [entry["words"] for entry in without["legend"]]
    assert (plain["directed"], marked["directed"]) == (False, True)
    assert HEADLESS in [entry["words"] for entry in without["legend"]]
    headed = beliefs_data(BELIEFS, ARCS_DRAWN[1:], PLACES)
    assert HEADLESS not in [entry["words"] for entry in headed["legend"]]


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ({"node": 0, "level": 0}, ("age", "young")),
        ({"node": 1, "level": 0}, (HOSTILE, HOSTILE)),
        ({"node": 1, "level": 1}, (HOSTILE, "")),
        ({"node": 0, "level": None}, ("age", None)),
        ({"node": 2, "level": 8}, ("many", "level 8")),
    ],
)
def test_a_click_comes_back_with_names(raw: object, read: tuple[str, str | None]) -> None:
    """Places become the variable and the level as the table has them, an empty level too."""
    assert read_click(raw, BELIEFS) == read


@pytest.mark.parametrize(
    "raw",
    [
        None,
        "age",
        [0, 1],
        {},
        {"level": 0},
        {"node": "age", "level": 0},
        {"node": True, "level": 0},
        {"node": 3, "level": 0},
        {"node": -1, "level": 0},
        {"node": 0, "level": 2},
        {"node": 0, "level": -1},
        {"node": 0, "level": True},
        {"node": 0, "level": 0.0},
        {"node": 0, "level": "old"},
        {"node": [0], "level": {}},
        {"node": float("nan"), "level": 0},
    ],
)
def test_what_does_not_fit_is_no_click(raw: object) -> None:
    """A browser may send anything: no level is set or cleared by it."""
    assert read_click(raw, BELIEFS) is None

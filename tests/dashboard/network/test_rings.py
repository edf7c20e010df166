"""Rings on their way to the screen, in the colours of the screen, and clicks on their way back."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from dashboard.network import panel, rings
from dashboard.network.component import NetworkEvent
from dashboard.theme import INK, PAPER, dark
from engine.graphs.drawing.rings import Ring, RingLink, draw_rings

LOOKS_LIKE_A_COLOUR = "'#A3195B'"
NAMES = ("a", LOOKS_LIKE_A_COLOUR, "b")
SVG = draw_rings(
    [Ring(name, name, 0.5, 0, name) for name in NAMES],
    [RingLink("a", "b", -0.4, words=LOOKS_LIKE_A_COLOUR)],
    {name: (90.0 * place, 0.0) for place, name in enumerate(NAMES)},
    ident="r",
    title=LOOKS_LIKE_A_COLOUR,
    scales=[LOOKS_LIKE_A_COLOUR],
    legend=True,
)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the component is given; its `event` is what it gives back."""
    sent: dict[str, Any] = {"event": None}

    def component(**given: Any) -> SimpleNamespace:
        sent.update(given)
        return SimpleNamespace(event=sent["event"])

    monkeypatch.setattr(rings, "_component", lambda: component)
    return sent


def show(picked: tuple[str, ...] = ()) -> NetworkEvent:
    """One picture."""
    return rings.show_rings({"circle": {"lines": SVG}}, NAMES, key="k", least=0.1, height=500, picked=picked)


def test_a_dark_screen_turns_colours_and_no_text(sent: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every colour that is drawn, and no item, tooltip or scale that is called as one; a light screen turns none."""
    show()
    assert sent["data"]["pictures"] == {"circle": {"lines": SVG}}
    assert sent["data"]["style"]["ink"] == INK
    for module in (rings, panel):
        monkeypatch.setattr(module, "is_dark", lambda: True)
    show()
    turned = sent["data"]["pictures"]["circle"]["lines"]
    attribute, text = re.compile(r"='(#\w{6})'"), re.compile(r">([^<]*)<")
    assert attribute.findall(turned) == [dark(colour) for colour in attribute.findall(SVG)]
    assert text.findall(turned) == text.findall(SVG)
    assert "&#x27;#A3195B&#x27;" in turned
    assert sent["data"]["style"]["paper"] == dark(PAPER)


def test_items_travel_as_their_numbers(sent: dict[str, Any]) -> None:
    """What is looked at on the way there, what was clicked on the way back; an item that is not drawn is left out."""
    sent["event"] = {"kind": "edge", "source": 0, "target": 2, "panel": 0}
    assert show(("b", "of another part")).edge == ("a", "b", 0)
    assert sent["data"]["picked"] == [2]
    sent["event"] = {"kind": "node", "node": 1}
    assert show().node == LOOKS_LIKE_A_COLOUR
    sent["event"] = {"kind": "node", "node": None}
    assert show().cleared


@pytest.mark.parametrize(
    "junk",
    [
        None,
        "node",
        [1],
        {},
        {"kind": "node", "node": 3},
        {"kind": "node", "node": -1},
        {"kind": "node", "node": True},
        {"kind": "node", "node": "a"},
        {"kind": "edge", "source": 0, "target": 1, "panel": 1},
        {"kind": "edge", "source": 0, "target": None, "panel": 0},
        {"kind": "edge", "source": 0},
    ],
)
def test_junk_is_no_click(sent: dict[str, Any], junk: Any) -> None:
    """Whatever a browser sends."""
    sent["event"] = junk
    assert show() == NetworkEvent()

"""The workshop's picture on its way to the screen, and what is done to it on its way back."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from dashboard.network.workshop import (
    MOST_LEVELS,
    Marks,
    WorkshopEvent,
    box_height,
    box_width,
    network_data,
    place_network,
    read_event,
)
from engine.models import Network, posteriors, random_network
from engine.simulation.networks import random_dag
from sample_data.workshop_networks import WORKSHOP_NETWORKS

HOSTILE = "</script><img src=http://evil.example/x onerror=alert(1)>\u202e\n"
NETWORK = WORKSHOP_NETWORKS["cough"].make()


def sent(network: Network, evidence: dict[str, str] | None = None, marks: Marks | None = None) -> dict[str, Any]:
    """All the component is told."""
    known = evidence or {}
    places = place_network(network)
    return network_data(network, places, posteriors(network, known), posteriors(network), known, marks or Marks())


def test_data_is_plain_json_with_the_engines_posteriors() -> None:
    """Strict JSON; bars are posteriors, ticks what was before; X, Y and the open path stand out."""
    marks = Marks(
        {"Smokes": "X", "Asthma": "Y"}, {("Smokes", "Wheeze"), ("Asthma", "Wheeze")}, {("Smokes", "Cough")}, {"Wheeze"}
    )
    data = sent(NETWORK, {"Wheeze": "yes"}, marks)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    nodes = dict(zip(NETWORK.names, data["nodes"], strict=True))
    for name in NETWORK.names:
        levels = nodes[name]["levels"]
        expected = posteriors(NETWORK, {"Wheeze": "yes"})[name]
        assert [level["p"] for level in levels] == pytest.approx(expected, abs=1e-6)
        assert [level["before"] for level in levels] == pytest.approx(posteriors(NETWORK)[name], abs=1e-6)
    assert nodes["Wheeze"]["known"] == 1 and nodes["Wheeze"]["opening"] and nodes["Smokes"]["end"] == "X"
    statuses = {(NETWORK.names[arc["from"]], NETWORK.names[arc["to"]]): arc["status"] for arc in data["arcs"]}
    assert statuses["Smokes", "Wheeze"] == "open" and statuses["Smokes", "Cough"] == "blocked"
    assert statuses["Wheeze", "Breathless"] == "plain"


def test_names_of_a_file_are_text() -> None:
    """What a name hides is gone, its marks stay text; of many levels the most probable are drawn, and the known one."""
    levels = tuple(f"level {i}" for i in range(9))
    table = np.array([[0.3, 0.01, 0.2, 0.02, 0.15, 0.1, 0.12, 0.08, 0.02]])
    network = Network((HOSTILE, "many"), ((HOSTILE, "\u202e"), levels), ((), ()), (np.array([[0.5, 0.5]]), table))
    data = sent(network, {"many": "level 1"})
    assert "\u202e" not in json.dumps(data, ensure_ascii=False)
    assert data["nodes"][0]["levels"][1]["words"] == "(empty)"
    assert len(data["nodes"][1]["levels"]) == MOST_LEVELS
    assert 1 in [level["code"] for level in data["nodes"][1]["levels"]]


@pytest.mark.parametrize("seed", range(4))
def test_no_box_covers_another(seed: int) -> None:
    """Laid out by themselves, and with one that was dragged."""
    rng = np.random.default_rng(seed)
    network = random_network(random_dag(14, 20, rng), rng.integers(2, 5, 14), rng)
    places = place_network(network)
    dragged = place_network(network, {**places, network.names[0]: places[network.names[5]]})
    for these in (places, dragged):
        high = max(map(box_height, network.levels))
        for i, a in enumerate(network.names):
            for b in network.names[:i]:
                dx, dy = these[a][0] - these[b][0], these[a][1] - these[b][1]
                wide = (box_width(a, network.levels[i]) + box_width(b, ("no", "yes"))) / 2
                assert abs(dx) >= wide - 1 or abs(dy) >= high - 1


@pytest.mark.parametrize("seed", range(4))
def test_boxes_stay_where_they_are(seed: int) -> None:
    """To the last digit, with another arrow or a new box far away; whoever is dragged onto another makes way for it."""
    rng = np.random.default_rng(seed)
    network = random_network(random_dag(8, 10, rng), rng.integers(2, 5, 8), rng)
    places = place_network(network)
    assert place_network(random_network(random_dag(8, 12, rng), [2] * 8, rng), places) == places
    first, last = network.names[0], network.names[-1]
    dragged = place_network(
        network, {**{name: at for name, at in places.items() if name != first}, first: places[last]}
    )
    assert [name for name in places if dragged[name] != places[name]] == [first]
    assert dragged[first] != places[last]


@pytest.mark.parametrize(
    ("raw", "event"),
    [
        ({"kind": "set", "node": 3, "level": 1}, WorkshopEvent("set", "Wheeze", level="yes")),
        ({"kind": "set", "node": 3, "level": None}, WorkshopEvent("set", "Wheeze")),
        ({"kind": "end", "node": 0}, WorkshopEvent("end", "Smokes")),
        ({"kind": "link", "node": 0, "other": 1}, WorkshopEvent("link", "Smokes", "Asthma")),
        ({"kind": "add", "x": 3, "y": 4.5, "name": "Fever"}, WorkshopEvent("add", point=(3.0, 4.5), name="Fever")),
        ({"kind": "rename", "node": 0, "name": "S\u202e"}, WorkshopEvent("rename", "Smokes", name="S")),
        ({"kind": "move", "node": 0, "x": 1, "y": 2}, WorkshopEvent("move", "Smokes", point=(1.0, 2.0))),
    ],
)
def test_events_come_back_with_names(raw: dict[str, Any], event: WorkshopEvent) -> None:
    """Each kind."""
    assert read_event(raw, NETWORK) == event


@pytest.mark.parametrize(
    "raw",
    [
        None, "set", {}, {"kind": "set", "node": 7, "level": 0}, {"kind": "set", "node": True, "level": 0},
        {"kind": "set", "node": 0, "level": 2}, {"kind": "link", "node": 0, "other": 0}, {"kind": "link", "node": 0},
        {"kind": "add", "x": float("nan"), "y": 0, "name": "a"}, {"kind": "add", "x": 1, "y": 1, "name": " "},
        {"kind": "add", "x": 1e9, "y": 1, "name": "a"}, {"kind": "move", "node": 0}, {"kind": "else", "node": 0},
    ],
)  # fmt: skip
def test_what_does_not_fit_is_nothing(raw: Any) -> None:
    """Whatever a browser says."""
    assert read_event(raw, NETWORK) is None

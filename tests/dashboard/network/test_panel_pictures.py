"""Networks of many variables side by side: rings on one layout, titles and labels as text."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from dashboard.network import rings
from dashboard.network.panel import Edge, Node, Panel
from dashboard.network.rings import panel_pictures

NAMES = [f"q{i}" for i in range(29)]


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """No table is open."""
    monkeypatch.setattr(rings, "full_name", str)


def panel(title: str, status: str, certainty: float = 1.0) -> Panel:
    """A chain of all variables."""
    edges = [Edge(a, b, status, directed=False, certainty=certainty, width=3.0) for a, b in pairwise(NAMES)]
    return Panel(title, "n = 10", [Node(name) for name in NAMES], edges)


def test_three_networks_stand_on_one_layout_with_all_their_labels() -> None:
    """Each variable at the same distance from the others, orange only where links differ, pale where uncertain."""
    made = panel_pictures(
        [panel("<b>A</b>", "positive"), panel("B", "negative", 0.0), panel("Difference", "differs")],
        NAMES,
        {"q3": "Sad"},
    )
    first, second, third = re.findall(r"<figure.*?</figure>", made, re.DOTALL)
    assert "<b>&lt;b&gt;A&lt;/b&gt;</b> n = 10" in first

    def middles(figure: str) -> list[tuple[float, float]]:
        found = re.findall(r"rings-node.*?<circle cx=.(-?[\d.]+). cy=.(-?[\d.]+).", figure, re.DOTALL)
        return [(float(x), float(y)) for x, y in found]

    assert len(middles(first)) == len(NAMES) and middles(first) == middles(second) == middles(third)
    assert all(figure.count("rings-link'") == len(NAMES) - 1 for figure in (first, second, third))
    assert all(">Sad<" in figure for figure in (first, second, third))
    assert "#DD8432" in third and "#DD8432" not in first + second
    assert "stroke-opacity" in second and "stroke-opacity" not in first
    assert "stroke-width='3.0'" in first

"""Networks in Plotly: the picture of the report, in places that can be read off the figure."""

from __future__ import annotations

import networkx as nx
import pytest

from engine.graphs.drawing.svg import STYLES, Line
from engine.telling.charts.network_layout import SCREEN, plan_networks
from engine.telling.charts.networks import networks_figure


def test_lines_end_at_boxes_and_heads_touch_them() -> None:
    """Two networks on one layout: each directed line has one head, whose tip lies on the rim of its target."""
    graph = nx.DiGraph([("age", "cough"), ("age", "fever")])
    plan = plan_networks([graph, graph], across=SCREEN)
    lines = {
        "A": [Line("age", "cough", True, STYLES["same"]), Line("age", "fever", True, STYLES["same"])],
        "B": [Line("age", "cough", False, STYLES["only_b"], sign="+")],
    }
    figure = networks_figure(lines, plan, [(STYLES["same"], "in both"), (STYLES["only_b"], "only in B")], {"fever"})
    heads = [trace for trace in figure.data if trace.fill == "toself" and trace.line.width == 0]
    assert len(heads) == 1 and len(heads[0].x) == 2 * 5  # four points and a gap each
    names = [trace for trace in figure.data if trace.mode == "text"]
    assert [len(trace.text) for trace in names] == [3, 3]
    place = {name: (x, y) for name, x, y in zip(names[0].hovertext, names[0].x, names[0].y, strict=True)}
    tips = {(heads[0].x[k], heads[0].y[k]) for k in (0, 5)}
    for target in ("cough", "fever"):
        box, (x, y) = plan.boxes[target], place[target]
        touching = [tip for tip in tips if abs(tip[0] - x) <= box.width and abs(tip[1] - y) <= box.height]
        across, down = (abs(touching[0][0] - x) / (box.width / 2), abs(touching[0][1] - y) / (box.height / 2))
        assert max(across, down) == pytest.approx(1.0)
    assert [trace.name for trace in figure.data if trace.showlegend is not False] == ["in both", "only in B"]
    assert "fever ▲" in names[0].text
    shift = names[1].x[0] - names[0].x[0]
    assert [b - a for a, b in zip(names[0].x, names[1].x, strict=True)] == pytest.approx([shift] * 3)

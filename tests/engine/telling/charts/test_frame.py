"""Charts are drawn by Plotly when one is asked for; figures for a room have larger letters and the same drawing."""

from __future__ import annotations

import json
import subprocess
import sys

import plotly.graph_objects as go

from engine.telling.charts.frame import TIMES, USUAL, enlarged


def test_plotly_is_loaded_when_a_chart_is_asked_for() -> None:
    """Neither the engine nor a comparison loads it."""
    code = (
        "import sys, engine; from engine.telling.comparison import figures; assert 'plotly' not in sys.modules;"
        "from engine.telling.charts import frame; frame.empty_figure(100); assert 'plotly' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_letters_grow_and_data_stay() -> None:
    """Fonts, height, margins and our own markup grow; points, values and names that look like markup do not."""
    figure = go.Figure(go.Scatter(x=[1], y=[2], name="font-size:11px;", marker={"size": 9}, textfont={"size": 10}))
    figure.update_layout(height=100, margin={"l": 10, "t": 4}, legend_font_size=12)
    figure.update_yaxes(ticktext=["a<span style='font-size:10px;color:#1C2733'>b</span>"], tickvals=[1])
    made = json.loads(enlarged(figure).to_json())
    (points,), layout = made["data"], made["layout"]
    assert (points["x"], points["y"], points["name"], points["marker"]["size"]) == ([1], [2], "font-size:11px;", 9)
    assert points["textfont"]["size"] == 10 * TIMES
    assert layout["legend"]["font"]["size"] == 12 * TIMES
    assert layout["yaxis"]["ticktext"] == ["a<span style='font-size:14px;color:#1C2733'>b</span>"]
    assert (layout["height"], layout["margin"]) == (100 * TIMES, {"l": 10 * TIMES, "t": 4 * TIMES})
    assert layout["font"]["size"] == TIMES * USUAL
    assert figure.layout.height == 100

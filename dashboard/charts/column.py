"""The picture of one column: rows in each level, or a histogram with its cut points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboard.text import chart, visible
from dashboard.theme import GROUP_A, INK, LINE, MUTED, SEQUENTIAL

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

    from engine.data.preparing.report import ColumnReport

HEIGHT = 230
MOST_BARS = 30
BARS = 40


def level_picture(about: ColumnReport) -> go.Figure:
    """Horizontal bars: rows that are used in each level, in the order of the levels."""
    import plotly.graph_objects as go

    counts = about.counts[:MOST_BARS]
    total = max(sum(about.counts), 1)
    figure = go.Figure(
        go.Bar(
            x=counts,
            y=list(range(len(counts))),
            orientation="h",
            marker={"color": GROUP_A},
            text=[f"{count:,} ({count / total:.0%})" for count in counts],
            textposition="outside",
            cliponaxis=False,
            hoverinfo="none",
        )
    )
    figure.update_yaxes(
        tickvals=list(range(len(counts))),
        ticktext=[chart(level, 22) for level in about.levels[:MOST_BARS]],
        range=[len(counts) - 0.4, -0.6],
        showgrid=False,
    )
    figure.update_xaxes(range=[0, max(counts, default=1) * 1.25], visible=False)
    return _styled(figure, max(110, min(HEIGHT, 30 + 30 * len(counts))) if len(counts) < 9 else 30 + 22 * len(counts))


def interval_picture(column: pd.Series, about: ColumnReport) -> go.Figure | None:
    """A histogram of the numbers, a dashed line at each cut; None where the cells are not numbers."""
    import numpy as np
    import pandas as pd
    import plotly.graph_objects as go

    if not pd.api.types.is_numeric_dtype(column):
        return None
    values = column.dropna().to_numpy(float)
    if not len(values):
        return None
    counts, edges = np.histogram(values[np.isfinite(values)], bins=BARS)
    middles = (edges[:-1] + edges[1:]) / 2
    interval = np.searchsorted(np.array(about.cuts), middles)
    shades = (SEQUENTIAL[4], SEQUENTIAL[6])
    figure = go.Figure(
        go.Bar(
            x=middles,
            y=counts,
            width=np.diff(edges),
            marker={"color": [shades[i % 2] for i in interval], "line": {"color": "white", "width": 0.5}},
            hovertext=[
                f"{low:.4g} to {high:.4g}: {count:,} rows"
                for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
            ],
            hoverinfo="text",
        )
    )
    for cut in about.cuts:
        figure.add_vline(x=cut, line={"color": INK, "width": 1.5, "dash": "dash"})
        figure.add_annotation(
            x=cut, y=1, yref="paper", yanchor="bottom", text=f"{cut:.4g}", showarrow=False, font={"size": 12}
        )
    per_level = [f"{visible(level)}: {count:,}" for level, count in zip(about.levels, about.counts, strict=True)]
    figure.update_xaxes(showgrid=False, title={"text": chart(" · ".join(per_level[:5]), 90), "font": {"size": 12}})
    figure.update_yaxes(gridcolor=LINE, nticks=4)
    return _styled(figure, HEIGHT)


def _styled(figure: go.Figure, height: int) -> go.Figure:
    figure.update_layout(
        height=height,
        margin={"l": 8, "r": 8, "t": 22, "b": 8},
        bargap=0.25,
        plot_bgcolor="white",
        showlegend=False,
        font={"color": INK, "size": 13},
        hoverlabel={"bgcolor": "white", "bordercolor": MUTED},
    )
    return figure


def alt_text(about: ColumnReport) -> str:
    """The picture for someone who does not see it."""
    listed = ", ".join(
        f"{visible(level)} {count:,}" for level, count in zip(about.levels[:12], about.counts, strict=False)
    )
    what = "Histogram with cut points; rows in each interval" if about.cuts else "Rows in each level"
    return f"{what} of {visible(about.name)}: {listed}."

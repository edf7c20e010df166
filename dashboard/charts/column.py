"""The picture of one column: rows in each level, or a histogram with its cut points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dashboard.text import chart, visible
from dashboard.theme import GROUP_A, INK, LINE, MUTED, PAPER, SEQUENTIAL
from engine.data.preparing.report import ColumnReport
from engine.data.preparing.variables import Numbers, numbers_of
from engine.telling.charts.frame import lay_out, layout_of, named_rows, numbered_bars
from engine.telling.charts.labels import lines
from engine.words import in_percent

if TYPE_CHECKING:
    import numpy as np
    import plotly.graph_objects as go

    from engine.data.dataset import Dataset
    from engine.data.preparing.variables import Variable

HEIGHT = 230
MOST_BARS = 30
BARS = 40
FEW = 9
"""Levels from which on rows are low, with one line of letters."""
SMALL_BARS = 12
SMALL_LEVELS = 24
TAIL = 0.01
"""Share of the rows at either end of a range that a small picture counts in its last bar: one typing error is no scale.
"""
FEW_VALUES = 12
"""Different numbers up to which each has a bar of its own."""
_STYLE: dict[str, Any] = {
    "margin": {"l": 8, "r": 8, "t": 22, "b": 8},
    "bargap": 0.25,
    "showlegend": False,
    "hoverlabel": {"bgcolor": PAPER, "bordercolor": MUTED},
}


def level_picture(about: ColumnReport) -> go.Figure:
    """Horizontal bars: rows that are used in each level, in the order of the levels."""
    counts = about.counts[:MOST_BARS]
    total = max(sum(about.counts), 1)
    numbers = [f"{count:,} ({in_percent(count / total)})" for count in counts]
    many = len(counts)
    figure = numbered_bars(counts, list(range(many)), numbers, marker={"color": GROUP_A}, hoverinfo="none")
    labels = [lines(level, 20, 2 if many < FEW else 1) for level in about.levels[:many]]
    figure.layout = layout_of(
        max(110, min(HEIGHT, 30 + 30 * many)) if many < FEW else 30 + 22 * many,
        xaxis={"range": [0, max(counts, default=1) * 1.8], "visible": False},
        yaxis={**named_rows(labels), "showgrid": False},
        **_STYLE,
    )
    return figure


def interval_picture(numbers: Numbers, about: ColumnReport) -> go.Figure | None:
    """A histogram of the numbers in the rows that are used, a dashed line at each cut; None where there are none."""
    import numpy as np

    if not np.isfinite(numbers.values).any():
        return None
    counts, edges = _histogram(numbers, BARS)
    shades = (SEQUENTIAL[4], SEQUENTIAL[6])
    interval = np.searchsorted(np.array(about.cuts), (edges[:-1] + edges[1:]) / 2)
    figure = _bars(counts, edges, [shades[i % 2] for i in interval])
    for cut in about.cuts:
        figure.add_vline(x=cut, line={"color": INK, "width": 1.5, "dash": "dash"})
        figure.add_annotation(
            x=cut, y=1, yref="paper", yanchor="bottom", text=f"{cut:.4g}", showarrow=False, font={"size": 12}
        )
    per_level = [f"{visible(level)}: {count:,}" for level, count in zip(about.levels, about.counts, strict=True)]
    figure.update_xaxes(showgrid=False, title={"text": chart(" · ".join(per_level[:5]), 90), "font": {"size": 12}})
    return _styled(figure, HEIGHT)


def distribution_picture(variable: Variable) -> go.Figure:
    """A column that has no kind yet: bars of its values, or a histogram where they are many numbers."""
    if variable.numbers is None or variable.n_distinct <= FEW_VALUES:
        return level_picture(_as_report(variable))
    counts, edges = _histogram(numbers_of(variable), BARS)
    return _styled(_bars(counts, edges, [SEQUENTIAL[6]] * len(counts)), HEIGHT)


def distribution_alt(variable: Variable) -> str:
    """The same for someone who does not see it."""
    if variable.numbers is None or variable.n_distinct <= FEW_VALUES:
        return alt_text(_as_report(variable))
    names = variable.level_names()
    return f"Histogram of {visible(variable.name)}, from {names[0]} to {names[-1]}."


def _as_report(variable: Variable) -> ColumnReport:
    counts = tuple(variable.counts().tolist())
    return ColumnReport(variable.name, "nominal", "", levels=variable.level_names(), counts=counts)


def outlines(data: Dataset) -> dict[str, list[int]]:
    """Variable -> rows in each of its levels, or in each part of its range where it is cut: a few bars for a table."""
    import numpy as np

    result = {}
    for name, codes in zip(data.names, data.codes, strict=True):
        if name in data.numbers:
            result[name] = _histogram(data.numbers[name], SMALL_BARS, TAIL)[0].tolist()
        else:
            result[name] = np.bincount(codes, minlength=len(data.levels[name])).tolist()[:SMALL_LEVELS]
    return result


def _histogram(numbers: Numbers, bars: int, tail: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """(bars,) rows in each part of the range, (bars + 1,) its ends; the numbers of the rows are never laid out.

    The share `tail` of the rows at either end is counted in the last bar there, whatever its numbers are.
    """
    import numpy as np

    finite = np.isfinite(numbers.values)
    rows = np.bincount(numbers.places, minlength=len(numbers.values))
    finite &= rows > 0
    values, rows = numbers.values[finite], rows[finite]
    if tail and len(values):
        reached = np.cumsum(rows) / rows.sum()
        values = values.clip(*values[np.searchsorted(reached, (tail, 1 - tail))])
    return np.histogram(values, bins=bars, weights=rows)


def _bars(counts: np.ndarray, edges: np.ndarray, colours: list[str]) -> go.Figure:
    import numpy as np
    import plotly.graph_objects as go

    figure = go.Figure(
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=counts,
            width=np.diff(edges),
            marker={"color": colours, "line": {"color": "white", "width": 0.5}},
            hovertext=[
                f"{low:.4g} to {high:.4g}: {count:,} rows"
                for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
            ],
            hoverinfo="text",
        )
    )
    figure.update_yaxes(gridcolor=LINE, nticks=4)
    return figure


def _styled(figure: go.Figure, height: int) -> go.Figure:
    return lay_out(figure, height, **_STYLE)


def alt_text(about: ColumnReport) -> str:
    """The picture for someone who does not see it."""
    listed = ", ".join(
        f"{visible(level)} {count:,}" for level, count in zip(about.levels[:12], about.counts, strict=False)
    )
    kind = "Histogram with cut points; rows in each interval" if about.cuts else "Rows in each level"
    return f"{kind} of {visible(about.name)}: {listed}."

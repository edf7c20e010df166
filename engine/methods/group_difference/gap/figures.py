"""The waterfall of a gap: from the first group's share to the second's, one bar a variable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.lazy import go
from engine.telling.charts.colours import DIFFERENT, GROUP_COLOURS, INK, LINE, MUTED, PAPER
from engine.telling.charts.frame import lay_out, name_rows
from engine.telling.charts.labels import distinct, escape

if TYPE_CHECKING:
    from engine.methods.group_difference.gap.gap import Gap

MOST_BARS = 8
"""Variables with a bar of their own; the others are one."""
_IN_ROW = 18
"""Letters of a row's name."""
_ROOM = 0.5
"""Part of the width in which bars stand, the numbers right of it."""


def waterfall(gap: Gap) -> go.Figure:
    """Both groups as full bars, and between them what comes with each variable, with its interval.

    Orange where the interval leaves 0 out, white where it does not, grey for what is not explained.

    Parameters
    ----------
    gap : what is drawn

    Returns
    -------
    plotly.graph_objects.Figure
    """
    rows = _rows(gap)
    scale = 100 if gap.of_levels else 1
    first, second = (scale * value for value in gap.observed)
    names = distinct([gap.labels[0], *(name for name, *_ in rows), gap.labels[1]], _IN_ROW)
    figure, notes, shapes = go.Figure(), [], []
    at = first
    reached = [0.0, first, second]
    for y, (name, ends, colour, line) in enumerate(rows, start=1):
        low, high = sorted((at, at + scale * ends[0]))
        hover = f"{escape(name, 60)}: {gap.amount(ends[0])}" + (f" ({gap.ends(ends)})" if len(ends) > 1 else "")
        figure.add_bar(
            x=[high - low],
            base=[low],
            y=[y],
            orientation="h",
            width=0.64,
            marker={"color": colour, "line": {"color": line, "width": 1.2}},
            hovertext=[hover],
            hoverinfo="text",
        )
        shapes.append(_joint(at, y - 1))
        text = gap.signed(ends[0]) + (f" ({gap.ends(ends)})" if len(ends) > 1 else "")
        text = text if max(map(abs, ends)) >= gap.smallest / 10 else "none seen"
        notes.append(_note(1.0, y, text, xref="paper", xanchor="right"))
        at += scale * ends[0]
        reached.append(at)
    shapes.append(_joint(at, len(rows)))
    for g, (y, value) in enumerate(((0, first), (len(rows) + 1, second))):
        figure.add_bar(
            x=[value],
            y=[y],
            orientation="h",
            width=0.64,
            marker={"color": GROUP_COLOURS[g], "line": {"width": 0}},
            hoverinfo="skip",
        )
        notes.append(
            _note(max(value, 0), y, f"<b>{escape(gap.written(gap.observed[g]), 20)}</b>", xanchor="left", xshift=6)
        )
    head = "pp (95 %)" if gap.of_levels else f"{escape(gap.unit, 12)} (95 %)".strip()
    notes.append(_note(1.0, 0, head, xref="paper", xanchor="right") | {"font": {"size": 11, "color": MUTED}})
    lay_out(
        figure,
        32 * (len(rows) + 2) + 34,
        annotations=notes,
        shapes=shapes,
        margin={"l": 8, "r": 8, "t": 2, "b": 26},
        showlegend=False,
        barmode="overlay",
    )
    low, high = min(reached), max(reached)
    width = (high - low) or 1.0
    figure.update_xaxes(
        domain=[0, _ROOM],
        range=[low - (0.06 * width if low < 0 else 0), high + 0.16 * width],
        nticks=5,
        gridcolor=LINE,
        zeroline=True,
        zerolinecolor=MUTED,
        tickfont={"color": MUTED, "size": 12},
        ticksuffix=" %" if gap.of_levels else "",
        showticksuffix="last",
    )
    ends = (0, len(names) - 1)
    texts = [f"<b>{escape(t, _IN_ROW)}</b>" if i in ends else escape(t, _IN_ROW) for i, t in enumerate(names)]
    name_rows(figure, texts, showgrid=False, zeroline=False, tickfont={"color": INK, "size": 12}, automargin=True)
    return figure


def _rows(gap: Gap) -> list[tuple[str, Any, str, str]]:
    """Name, share with its interval, colour and outline of each bar between the groups; they add up to the gap."""
    parts = list(zip(gap.names, gap.shares.tolist(), strict=True))
    own = parts.pop() if parts and parts[-1][0] == gap.outcome else None
    shown = [item for item in parts if abs(item[1][0]) >= gap.smallest / 5 or gap.is_clear(item[1])][:MOST_BARS]
    rest = sum(ends[0] for _, ends in parts) - sum(ends[0] for _, ends in shown)
    if own is not None:
        named = f"{gap.outcome} itself"
        shown.append((named if len(named) <= _IN_ROW else "the outcome itself", own[1]))
    result = [(name, ends, DIFFERENT if gap.is_clear(ends) else PAPER, INK) for name, ends in shown]
    if abs(rest) >= gap.smallest / 10:
        result.append(("other variables", [rest], LINE, MUTED))
    return [*result, ("not explained", list(gap.unexplained), LINE, MUTED)]


def _joint(x: float, y: float) -> dict[str, Any]:
    """A thin line from one bar to the next."""
    line = {"color": MUTED, "width": 1}
    return {"type": "line", "x0": x, "x1": x, "y0": y + 0.32, "y1": y + 0.68, "line": line}


def _note(x: float, y: float, text: str, **more: Any) -> dict[str, Any]:
    return {"x": x, "y": y, "text": text, "showarrow": False, "font": {"size": 11, "color": INK}, **more}

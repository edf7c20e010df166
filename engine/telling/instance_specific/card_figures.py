"""The small charts of a patient's three cards."""

from __future__ import annotations

import math
from typing import Any

from engine.lazy import go, pd
from engine.telling.charts.colours import DIFFERENT, GROUP_A, INK, LINE, MUTED
from engine.telling.charts.frame import lay_out, percent_ticks
from engine.telling.charts.labels import escape, short
from engine.words import fraction, in_percent, with_sign, with_unit

HEIGHT = 72
MOST_LETTERS = 22
"""Of a name and of a level beside a mark, in a card of 240 pixels."""


def prediction_figure(
    patient: float,
    ends_here: tuple[float, float] | None,
    population: float,
    ends: tuple[float, float] | None,
    everybody: float,
) -> go.Figure:
    """One probability by the patient's network and by the population's, with intervals, and the share of all rows."""
    rows = [
        ("all rows", everybody, "circle-open", None),
        ("population network", population, "circle-open", ends),
        ("this patient", patient, "circle", ends_here),
    ]
    top = max(0.1, *(max(share, high[1] if high else share) for _, share, _, high in rows)) * 1.45
    figure = go.Figure()
    for place, (_, share, symbol, interval) in enumerate(rows):
        if interval is not None:
            figure.add_scatter(
                x=list(interval), y=[place, place], mode="lines", line={"color": INK, "width": 2}, hoverinfo="skip"
            )
        figure.add_scatter(
            x=[share],
            y=[place],
            mode="markers",
            marker={"symbol": symbol, "size": 12, "color": GROUP_A, "line": {"width": 2, "color": GROUP_A}},
            hoverinfo="skip",
        )
        figure.add_annotation(
            x=max(share, interval[1]) if interval else share,
            y=place,
            text=in_percent(share),
            showarrow=False,
            xanchor="left",
            xshift=10,
            font={"size": 13, "color": INK},
        )
    return _framed(figure, [name for name, *_ in rows], [0, min(1.15, top)], **percent_ticks(min(1.0, top), 4))


def unusual_figure(table: pd.DataFrame, alpha: float) -> go.Figure:
    """Corrected p of a value as rare given the others, on a logarithmic axis; what is unusual has the colour."""
    rows = list(table.iloc[::-1].iterrows())
    figure = go.Figure()
    for place, (_, row) in enumerate(rows):
        odd = row["p"] < alpha
        p = max(float(row["p"]), 1e-4)
        figure.add_scatter(
            x=[p],
            y=[place],
            mode="markers+text",
            marker={
                "symbol": "triangle-up" if odd else "circle-open",
                "size": 12,
                "color": DIFFERENT if odd else GROUP_A,
                "line": {"width": 2 if not odd else 1.4, "color": INK if odd else GROUP_A},
            },
            text=[f"  {fraction(float(row['p']))}"],
            textposition="middle right",
            textfont={"size": 13, "color": INK},
            cliponaxis=False,
            hoverinfo="skip",
        )
    names = [f"{short(str(name), MOST_LETTERS)} = {short(str(row['level']), MOST_LETTERS)}" for name, row in rows]
    least = min(-2.0, *(math.log10(max(float(row["surprise"]), 1e-4)) for _, row in rows)) - 0.1
    return _framed(
        figure,
        names,
        [least, 1.0],
        type="log",
        tickvals=[0.001, 0.01, 0.1, 1],
        ticktext=[".001", ".01", ".1", "1"],
    )


def link_figure(compared: Any) -> go.Figure:
    """How far the link shifts a share among rows like the patient, with its interval, and among the others."""
    figure = go.Figure()
    figure.add_vline(x=0, line={"color": MUTED, "width": 1})
    figure.add_scatter(
        x=[compared.here_low, compared.here_high],
        y=[1, 1],
        mode="lines",
        line={"color": GROUP_A, "width": 2},
        hoverinfo="skip",
    )
    for place, share, symbol in ((1, compared.here, "circle"), (0, compared.others, "circle-open")):
        figure.add_scatter(
            x=[share],
            y=[place],
            mode="markers",
            marker={"symbol": symbol, "size": 12, "color": GROUP_A, "line": {"width": 2, "color": GROUP_A}},
            cliponaxis=False,
            hoverinfo="skip",
        )
        figure.add_annotation(
            x=max(share, compared.here_high) if place else share,
            y=place,
            text=with_unit(with_sign(100 * share)),
            showarrow=False,
            xanchor="left",
            xshift=10,
            font={"size": 13, "color": INK},
        )
    ends = [0.0, compared.here_low, compared.here_high, compared.others]
    room = (max(ends) - min(ends) or 0.1) / 5
    return _framed(
        figure,
        ["among the others", "for this patient"],
        [min(ends) - room, max(ends) + 4 * room],
        tickvals=_ticks(min(ends), max(ends)),
        ticktext=[with_sign(100 * tick) if tick else "0" for tick in _ticks(min(ends), max(ends))],
    )


def _ticks(low: float, high: float) -> list[float]:
    """Zero, and a round share to each side that has a mark farther off than half of it."""
    step = next(step for step in (0.05, 0.1, 0.2, 0.5) if step >= max(high, -low) / 2 or step == 0.5)
    return [share for share in (-step, 0.0, step) if low <= share <= high or share == 0.0]


def _framed(figure: go.Figure, rows: list[str], ends: list[float], **axis: Any) -> go.Figure:
    lay_out(figure, HEIGHT, margin={"l": 4, "r": 16, "t": 4, "b": 20}, showlegend=False)
    figure.update_xaxes(
        range=ends, gridcolor=LINE, zeroline=False, tickangle=0, tickfont={"size": 12, "color": MUTED}, **axis
    )
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[escape(name, 2 * MOST_LETTERS + 3) for name in rows],
        tickfont={"size": 12, "color": INK},
        range=[-0.6, len(rows) - 0.4],
        showgrid=False,
        zeroline=False,
    )
    return figure

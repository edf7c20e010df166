"""How often links come back: in drawn tables, with other seeds, and how many a threshold leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.lazy import go
from engine.telling.charts.colours import GROUP_A, GROUP_B, INK, LINE, MUTED
from engine.telling.charts.frame import ABOVE, lay_out, name_rows, percent_ticks, whiskers
from engine.telling.charts.labels import pair_label, row_height
from engine.words import in_percent

if TYPE_CHECKING:
    import pandas as pd


def recurrence_figure(table: pd.DataFrame) -> go.Figure:
    """A row a link: dots with intervals for drawn tables, diamonds for seeds; hollow where the network lacks it."""
    figure = go.Figure()
    names = ("bootstrap samples", "not in the network")
    _add_shares(figure, table, table["inside"], names, "of the bootstrap samples")
    rows = [i for i, value in enumerate(table["seeds"]) if _known(value)]
    figure.add_scatter(
        x=list(table["seeds"].iloc[rows]),
        y=rows,
        mode="markers",
        name="other seeds, same rows",
        marker={"symbol": "diamond-open", "size": 10, "color": GROUP_B, "line": {"width": 2}},
        hovertext=[f"{in_percent(share)} of the seeds" for share in table["seeds"].iloc[rows]],
        hoverinfo="text",
        showlegend=bool(rows),
    )
    marks = {"->": "→", "--": "–"}
    labels = [pair_label(row["source"], row["target"], marks.get(row["mark"], "–")) for _, row in table.iterrows()]
    lay_out(
        figure,
        120 + row_height(labels, 22, 34) * max(len(table), 4),
        margin={"r": 14, "t": 30, "b": 40},
        legend=ABOVE | {"xref": "container", "yref": "container"},
    )
    figure.update_xaxes(
        title="share of networks", **percent_ticks(), range=[-0.03, 1.04], gridcolor=LINE, zeroline=False
    )
    name_rows(figure, labels, gridcolor="#EEF1F4", tickfont={"color": INK, "size": 12}, automargin=True)
    return figure


def _add_shares(figure: go.Figure, table: pd.DataFrame, inside: pd.Series, names: tuple[str, str], of: str) -> None:
    """Dots with intervals, those of links that are not inside hollow; shares of what, for the tooltips."""
    for within, name in zip((True, False), names, strict=True):
        rows = [i for i, item in enumerate(inside) if bool(item) is within and _known(table["share"].iloc[i])]
        share, low, high = (table[column].iloc[rows] for column in ("share", "low", "high"))
        figure.add_scatter(
            x=list(share),
            y=rows,
            mode="markers",
            name=name,
            marker={
                "symbol": "circle" if within else "circle-open",
                "size": 10,
                "color": GROUP_A if within else MUTED,
                "line": {"width": 2},
            },
            error_x=whiskers(share, low, high, MUTED, 1.2),
            hovertext=[f"{in_percent(value)} {of}" for value in share],
            hoverinfo="text",
            showlegend=bool(rows),
        )


def _known(value: float) -> bool:
    return bool(value == value)


def threshold_figure(shares: pd.Series, usual: float, chosen: float) -> go.Figure:
    """How many links a threshold leaves, with the L1 rule's and the chosen one marked."""
    knots = [0.0, *sorted({float(share) for share in shares}), 1.0]
    left = [int((shares > knot).sum()) for knot in knots]
    figure = go.Figure(
        go.Scatter(
            x=knots,
            y=left,
            mode="lines",
            line={"shape": "hv", "color": GROUP_A, "width": 2},
            fill="tozeroy",
            fillcolor="rgba(0,114,178,0.10)",
            hovertext=[f"above {in_percent(knot)}: {many} links" for knot, many in zip(knots, left, strict=True)],
            hoverinfo="text",
        )
    )
    figure.add_vline(
        x=usual,
        line={"color": INK, "width": 2, "dash": "dot"},
        annotation={"text": f"L1 rule: {in_percent(usual)}", "font": {"size": 12, "color": INK}},
        annotation_position="top right" if usual < 0.75 else "top left",
    )
    if abs(chosen - usual) > 0.004:
        figure.add_vline(
            x=chosen,
            line={"color": GROUP_B, "width": 2},
            annotation={"text": f"chosen: {in_percent(chosen)}", "font": {"size": 12, "color": GROUP_B}},
            annotation_position="bottom right" if chosen < 0.75 else "bottom left",
        )
    lay_out(figure, 130, size=12, margin={"l": 7, "r": 7, "t": 24}, showlegend=False)
    figure.update_xaxes(range=[0, 1], **percent_ticks(), showgrid=False, zeroline=False, fixedrange=True)
    figure.update_yaxes(
        rangemode="tozero",
        gridcolor=LINE,
        zeroline=False,
        fixedrange=True,
        nticks=3,
        side="right",
        ticklabelposition="inside top",
    )
    return figure


def stability_figure(table: pd.DataFrame) -> go.Figure:
    """Shares as dots with intervals; links outside the model are open."""
    figure = go.Figure()
    _add_shares(figure, table, table["in_model"], ("in the model", "not in the model"), "of the bootstrap samples")
    labels = [pair_label(row["a"], row["b"]) for _, row in table.iterrows()]
    lay_out(figure, 110 + row_height(labels, 22, 34) * max(len(table), 4), margin={"b": 40}, legend=ABOVE)
    figure.update_xaxes(
        title="share of bootstrap samples with this link",
        **percent_ticks(),
        range=[-0.02, 1.03],
        gridcolor=LINE,
        zeroline=False,
    )
    name_rows(figure, labels, gridcolor="#EEF1F4", tickfont={"color": INK, "size": 12})
    return figure

"""How large links are, with intervals: the largest by name beside the network, and all pairs of the lines."""

from __future__ import annotations

from collections.abc import Mapping

from engine.lazy import go, pd
from engine.methods import frames
from engine.methods.ordinal.evidence import OrdinalEvidence
from engine.telling.charts.colours import INK, LINE, MUTED
from engine.telling.charts.frame import ABOVE, lay_out, name_rows, whiskers
from engine.telling.charts.labels import apart, escape
from engine.telling.ordinal.figures.networks import pale_words
from engine.text import Count, Text, told
from engine.words import fraction, signed

MOST_LINKS = 10
"""Of the largest links, beside the network."""
MOST_NAMED = 30
"""Pairs up to which each has its name beside it."""
_LETTERS, _BRIEF = 28, 22
"""Of a name beside a wide chart, and beside a narrow one."""


def largest_links(result: OrdinalEvidence) -> pd.DataFrame:
    """The links that the headline is about, the largest first: of lines, between scales where one of these is clear.

    Parameters
    ----------
    result : the answer

    Returns
    -------
    pandas.DataFrame: a, b, mark, partial, low, high (95 %), clear (of an arrow, whether it is beyond chance); at most
    `MOST_LINKS` rows

    Examples
    --------
    >>> result = engine.Ordinal(approach="gpc").run(sample_data.dataset("symptoms"))
    >>> bool(largest_links(result)["clear"].iloc[0])
    True
    """
    if result.lines is None or result.chance_first:
        links = [(pair, result.link(*pair), directed) for pair, directed in result.drawn_pairs]
        rows = [(*pair, "→" if way else "–", x.partial, x.low, x.high, x.beyond_chance) for pair, x, way in links]
        table = frames.data_frame(rows, columns=["a", "b", "mark", "partial", "low", "high", "clear"])
        return table.sort_values("partial", key=abs, kind="stable", ascending=False, ignore_index=True).head(MOST_LINKS)
    table = result.lines.line_table().assign(mark="–")
    if between_scales(result):
        table = table[table["bridge"]]
    return table.head(MOST_LINKS).reset_index(drop=True)


def between_scales(result: OrdinalEvidence) -> bool:
    """Whether the headline is about links between scales: of lines, where one of these is clear.

    Parameters
    ----------
    result : the answer
    """
    lines = None if result.chance_first else result.lines
    return lines is not None and any(lines.clear[pair] and lines.is_bridge(*pair) for pair in lines.item_pairs)


def largest_words(result: OrdinalEvidence) -> Text:
    """What stands below the largest links: which they are of how many, and that their intervals are not corrected.

    Parameters
    ----------
    result : the answer
    """
    table, lines, between = largest_links(result), result.lines, between_scales(result)
    many, noun = result.n_links, "link"
    if lines is not None and not result.chance_first:
        many, noun = sum(not between or lines.is_bridge(*pair) for pair in lines.pairs), "pair"
    every = Count(many, noun)
    some = told("The {} largest of {}", Count(len(table)), every) if len(table) < many else told("{}", every)
    open_ones = table[~table["clear"].astype(bool)]
    beyond = (open_ones["low"] * open_ones["high"] > 0).any()
    what = "beyond chance" if result.chance_first else "clear"
    beside = lines is not None and lines.covariates and not between
    p = f" p is corrected for {'covariates’ pairs too' if beside else 'all pairs'}." if "p" in table else ""
    own = told(" Intervals are not corrected: one without 0 may not be {}.", what) if beyond else ""
    return told("{}{}.{}{}", some, " between scales" if between else "", p, own)


def links_figure(table: pd.DataFrame, labels: Mapping[str, str], result: OrdinalEvidence, height: int) -> go.Figure:
    """Each link's partial correlation, 95 % interval and corrected p; filled where it is clear, or beyond chance.

    Parameters
    ----------
    table : `largest_links`
    labels : name -> what it is called in the network
    result : the answer
    height : pixels
    """
    figure = go.Figure()
    not_clear = pale_words(result, "arrows" if result.chance_first else "lines")
    _add_pairs(figure, table, 9, (not_clear.removeprefix("not "), not_clear), ends=True)
    has_p = "p" in table
    lay_out(figure, height, size=12, margin={"t": 30, "b": 40, "r": 52 if has_p else 8}, legend=ABOVE, showlegend=True)
    for row, text in enumerate(["p", *map(fraction, table["p"])] if has_p else (), -1):
        beside = {"x": 1.02, "xref": "paper", "xanchor": "left", "showarrow": False}
        figure.add_annotation(text=text, y=max(row, -0.6), **beside, font={"size": 12, "color": INK})
    names = list(dict.fromkeys([*table["a"], *table["b"]]))
    brief = apart({name: labels.get(name, name) for name in names}, _BRIEF)
    ends = zip(table["a"].map(brief), table["mark"], table["b"].map(brief), strict=True)
    rows = [f"{escape(a)} {mark}{'<br>' if len(a + b) > _BRIEF else ' '}{escape(b)}" for a, mark, b in ends]
    name_rows(figure, rows, showgrid=False, zeroline=False, tickfont={"size": 12, "color": INK})
    return _with_zero(figure)


def edge_accuracy_figure(table: pd.DataFrame) -> go.Figure:
    """Edge-weight accuracy: every pair's partial correlation within its 95 % interval, the largest on top.

    Parameters
    ----------
    table : `PartialNetwork.line_table`, `a` and `b` as they are shown
    """
    table = table.sort_values("partial", kind="stable", ascending=False, ignore_index=True)
    places = list(range(len(table)))
    figure = go.Figure()
    figure.add_scatter(
        x=[*table["low"], *table["high"][::-1]],
        y=[*places, *places[::-1]],
        fill="toself",
        fillcolor=LINE,
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
        name="95 % interval",
    )
    _add_pairs(figure, table, 7 if len(table) <= MOST_NAMED else 4, ("clear", "not clear"))
    lay_out(figure, max(260, min(420, 60 + 16 * len(table))), size=12, margin={"t": 30, "b": 40}, legend=ABOVE)
    names = [f"{escape(a, _LETTERS)} – {escape(b, _LETTERS)}" for a, b in zip(table["a"], table["b"], strict=True)]
    ticks = {"tickvals": places, "ticktext": names} if len(table) <= MOST_NAMED else {"showticklabels": False}
    figure.update_yaxes(range=[len(table) - 0.4, -0.6], showgrid=False, zeroline=False, **ticks)
    return _with_zero(figure)


def _add_pairs(
    figure: go.Figure, table: pd.DataFrame, size: int, called: tuple[str, str], *, ends: bool = False
) -> None:
    """A mark a pair, filled where it is clear, with or without a line for its interval."""
    for clear, name, symbol in zip((True, False), called, ("circle", "circle-open"), strict=True):
        own = table[table["clear"] == clear]
        interval = whiskers(own["partial"], own["low"], own["high"], INK, 2 if clear else 1) if ends else None
        figure.add_scatter(
            x=own["partial"],
            y=own.index,
            mode="markers",
            name=name,
            marker={"color": INK, "size": size, "symbol": symbol},
            error_x=interval,
            text=[
                f"{escape(row.a, 60)} – {escape(row.b, 60)}<br>{signed(row.partial)} (95 % interval "
                f"{signed(row.low)} to {signed(row.high)})"
                for row in own.itertuples()
            ],
            hoverinfo="text",
        )


def _with_zero(figure: go.Figure) -> go.Figure:
    """The axis of partial correlations, with a line at 0."""
    figure.update_xaxes(title_text="partial correlation", gridcolor=LINE, zeroline=False)
    figure.add_vline(x=0, line={"color": MUTED, "width": 1})
    return figure

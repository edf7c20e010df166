"""An explained gap told: its sentences, and the waterfall from the first group's share to the second's."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from engine import words
from engine.lazy import go, pd
from engine.methods.group_difference.evidence import GroupDifferenceEvidence
from engine.methods.group_difference.gap.evidence import GapEvidence
from engine.methods.group_difference.verdicts import IMPROBABLE
from engine.telling.charts.colours import DIFFERENT, GROUP_COLOURS, INK, LINE, MUTED, PAPER
from engine.telling.charts.frame import lay_out, name_rows, note
from engine.telling.charts.labels import distinct, escape
from engine.telling.sections import Section
from engine.text import Count, Level, Name, Number, Share, Text, first, listed, told

SHOWN = 3
"""Variables that a sentence names."""
MOST_BARS = 8
"""Variables with a bar of their own; the others are one."""
_IN_ROW = 18
"""Letters of a row's name."""
_BAR = {"orientation": "h", "width": 0.64}
_ROOM = 0.5
"""Part of the width in which bars stand, the numbers right of it."""


Rows = tuple[tuple[int, int], tuple[int, int]]
"""Of either group the rows with the level, and all that have one."""


def title(result: GapEvidence) -> Text:
    """The heading: a question."""
    says_more = result.of_levels and result.level.casefold() != "yes"
    level = told(" = {}", Level(result.level)) if says_more else ""
    return told("What explains the gap of {}{}?", Name(result.outcome), level)


def sentences(result: GapEvidence, rows: Rows | None = None) -> list[str]:
    """The gap, what comes with which variable, the outcome's own part, what is left, and what it rests on.

    Parameters
    ----------
    rows : of either group those with the level and all, without which no share is told where counts are hidden
    """
    outcome = Name(result.outcome)
    texts: list[str] = [_observed(result, rows), _of_others(result)]
    if result.names and result.names[-1] == result.outcome:
        texts.append(_own_part(result))
    if abs(result.unexplained[0]) >= result.smallest:
        left = "Not explained of {}: {}; it may be chance, or differences too weak to see."
        texts.append(told(left, outcome, amount(result, result.unexplained[0])))
    for (a, b), ends in zip(result.pairs, result.together, strict=True):
        size = _with_ends(result, ends)
        texts.append(
            told("{} and {}: together {} of {}; their arrow may point either way.", Name(a), Name(b), size, outcome)
        )
    if result.error:
        size = Number(f"{result.error * (100 if result.of_levels else 1):.2g}")
        texts.append(told("Orders of exchange were drawn for the gap of {}; Monte Carlo error {}.", outcome, size))
    names = [Name(name) for name in result.first]
    early = told(", {} first", listed(names) if len(names) <= SHOWN else first(names)) if names else ""
    last = "{} stands last{}: an assumption. A share is a cause only if the arrows are."
    return [*texts, told(last, outcome, early)]


def _observed(result: GapEvidence, rows: Rows | None) -> Text:
    values: list[str] = [written(result, value) for value in result.observed]
    if not result.of_levels:
        values = [Number(value) for value in values]
    elif rows is not None:
        values = [Share(*counts, written=value) for counts, value in zip(rows, values, strict=True)]
    (one, other), (first_group, second_group) = values, map(Level, result.labels)
    if result.of_levels:
        both = told("“{}” in {} of {}, {} of {}", Level(result.level), one, first_group, other, second_group)
    else:
        both = told("mean {} in {}, {} in {}", one, first_group, other, second_group)
    return told("{}: {}, a gap of {}.", Name(result.outcome), both, amount(result, result.size))


def _own_part(result: GapEvidence) -> Text:
    own, outcome = result.shares[-1], Name(result.outcome)
    if result.is_clear(own):
        return told("Among rows alike in what leads to {}, it carries {} itself.", outcome, _with_ends(result, own))
    if result.chances[-1] >= IMPROBABLE:
        unsure = "Among rows alike in what leads to {}, a gap is inconclusive: {}."
        return told(unsure, outcome, _with_ends(result, own))
    # an interval of 0 to 0 is the prior's, and would read as proof
    return told("Among rows alike in what leads to {}, no gap is seen.", outcome)


def _of_others(result: GapEvidence) -> Text:
    """'Of this gap of death, +6 points (4 to 8) come with severity.'"""
    others = [
        (name, ends)
        for name, ends in zip(result.names, result.shares, strict=True)
        if name != result.outcome and result.is_clear(ends) and abs(ends[0]) >= result.smallest / 5
    ]
    if not others:
        return told("No part of the gap of {} is seen to come with another variable.", Name(result.outcome))
    parts = [told("{} with {}", _with_ends(result, ends), Name(name)) for name, ends in others[:SHOWN]]
    parts += [told("more with {}", Count(len(others) - SHOWN, "other"))] if len(others) > SHOWN else []
    return told("Of the gap of {} come {}.", Name(result.outcome), listed(parts))


def _with_ends(gap: GapEvidence, ends: Sequence[float] | np.ndarray) -> Number:
    return Number(f"{amount(gap, ends[0])} ({ends_of(gap, ends)})")


def written(gap: GapEvidence, value: float) -> str:
    """A share in percent, or a mean."""
    return words.in_percent(value) if gap.of_levels else words.with_minus(f"{value:,.{_decimals(gap)}f}")


def amount(gap: GapEvidence, value: float) -> Number:
    """'+6 points', '+1.2 mmol/L'."""
    return Number(f"{signed(gap, value)} {'points' if gap.of_levels else gap.unit}".strip())


def signed(gap: GapEvidence, value: float) -> str:
    """A part of the gap with its sign, in points or in the unit."""
    return words.with_sign(100 * value if gap.of_levels else value, _decimals(gap))


def ends_of(gap: GapEvidence, ends: Sequence[float] | np.ndarray) -> str:
    """'4.1 to 7.6'."""
    scale = 100 if gap.of_levels else 1
    low, high = (words.with_minus(f"{scale * end:z,.{_decimals(gap)}f}") for end in ends[1:])
    return f"{low} to {high}"


def _decimals(gap: GapEvidence) -> int:
    """As many as the gap has meaning for."""
    if gap.of_levels:
        return 1
    size = max(abs(gap.size), float(np.ptp(gap.shares)) if gap.shares.size else 0.0, 1e-12)
    return min(max(1 - math.floor(math.log10(size)), 0), 6)


def sections_of(results: Sequence[GroupDifferenceEvidence]) -> list[Section]:
    """The part of a report that tells of the gaps of some comparisons; none where nothing was asked."""
    gaps = [(result, gap) for result in results for gap in result.gaps.values()]
    if not gaps:
        return []
    head = title(gaps[0][1]) if len(gaps) == 1 else "What explains the gaps?"
    texts = dict.fromkeys(text for result, gap in gaps for text in sentences(gap, rows_of(result, gap)))
    return [Section("gap", head, tuple(texts), ("Gap",), tuple(figure_makers(results)))]


def rows_of(result: GroupDifferenceEvidence, gap: GapEvidence) -> Rows | None:
    """Of either group the rows with the level that the gap is of, and all; None for a number."""
    if not gap.of_levels:
        return None
    i = result.names.index(gap.outcome)
    first, second = result.marginal[i].counts[0]
    k = result.levels[gap.outcome].index(gap.level)
    return (int(first[k]), int(first.sum())), (int(second[k]), int(second.sum()))


def figure_makers(results: Sequence[GroupDifferenceEvidence]) -> dict[str, Callable[[], go.Figure]]:
    """Name -> what draws it, of the gaps of some comparisons."""
    gaps = [gap for result in results for gap in result.gaps.values()]
    return {"gap" if k == 1 else f"gap {k}": partial(waterfall, gap) for k, gap in enumerate(gaps, start=1)}


def table_of(results: Sequence[GroupDifferenceEvidence]) -> pd.DataFrame:
    """The gaps of some comparisons, one below the other."""
    tables = [gap.table() for result in results for gap in result.gaps.values()]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def document(result: GapEvidence) -> dict[str, Any]:
    """Its numbers for other programs."""
    table = result.table()
    return {
        "outcome": result.outcome,
        "level": result.level or None,
        "unit": result.unit or None,
        "groups": list(result.labels),
        "observed": list(result.observed),
        "shares": table.astype(object).where(table.notna(), None).to_dict("records"),
        "first": list(result.first),
        "draws": result.draws,
        "error": result.error,
    }


def waterfall(gap: GapEvidence) -> go.Figure:
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
        interval = f" ({ends_of(gap, ends)})" if len(ends) > 1 else ""
        hover = {"hovertext": [f"{escape(name, 60)}: {amount(gap, ends[0])}{interval}"], "hoverinfo": "text"}
        edge = {"color": line, "width": 1.2}
        figure.add_bar(x=[high - low], base=[low], y=[y], marker={"color": colour, "line": edge}, **hover, **_BAR)
        shapes.append(_joint(at, y - 1))
        text = signed(gap, ends[0]) + interval if max(map(abs, ends)) >= gap.smallest / 10 else "none seen"
        notes.append(note(1.0, y, text, 11, xref="paper", xanchor="right"))
        at += scale * ends[0]
        reached.append(at)
    shapes.append(_joint(at, len(rows)))
    for g, (y, value) in enumerate(((0, first), (len(rows) + 1, second))):
        marker = {"color": GROUP_COLOURS[g], "line": {"width": 0}}
        figure.add_bar(x=[value], y=[y], marker=marker, hoverinfo="skip", **_BAR)
        text = f"<b>{escape(written(gap, gap.observed[g]), 20)}</b>"
        notes.append(note(max(value, 0), y, text, 11, xanchor="left", xshift=6))
    head = "pp (95 %)" if gap.of_levels else f"{escape(gap.unit, 12)} (95 %)".strip()
    notes.append(note(1.0, 0, head, 11, MUTED, xref="paper", xanchor="right"))
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


def _rows(gap: GapEvidence) -> list[tuple[str, Any, str, str]]:
    """Name, share with its interval, colour and outline of each bar between the groups; they add up to the gap."""
    parts = list(zip(gap.names, gap.shares.tolist(), strict=True))
    own = parts.pop() if parts and parts[-1][0] == gap.outcome else None
    shown = [bar for bar in parts if abs(bar[1][0]) >= gap.smallest / 5 or gap.is_clear(bar[1])][:MOST_BARS]
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

"""The pictures of the start page as SVG: the diptych of the worked example, and a small one for each question."""

from __future__ import annotations

import html
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dashboard.theme import BORDER, COLOUR, DIFFERENT, INK, LINE, MUTED, PAPER, dark
from engine.graphs.dag import each_edge

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.methods.group_difference.result import GroupDifferenceResult

FONT = "Source Sans Pro, Helvetica Neue, Arial, Liberation Sans, sans-serif"
DIFFERING = "lactate"
"""The number of the worked example that differs."""
_PLACES = {
    "age": (58, 22),
    "admission": (182, 22),
    "shock": (58, 116),
    DIFFERING: (182, 116),
    "creatinine": (58, 204),
    "died": (182, 204),
}
"""Where the middle of each box stands in a panel."""
_PICTURES = Path(__file__).parents[1] / "assets" / "pictures"
"""A file for each question's picture, in the colours of the light theme."""
LIKELY = 0.5
"""P(link) from which it is drawn."""
_WIDTH, _HEIGHT, _GAP = 250, 224, 18
_BOX, _BAR = 26, 38
LONGEST = 1.15
"""Of a bar's full length, in larger medians."""


@dataclass(frozen=True)
class Side:
    """One of the two networks: its name, how many patients the median that differs is of, which ones, how many there
    are in all, the median in words, and as a share of the longest bar."""

    label: str
    n: int
    where: str
    of: int
    words: str
    share: float


def sides(result: GroupDifferenceResult) -> tuple[Side, Side]:
    """Both sides of the worked example."""
    summary, contexts = result.number(DIFFERING), result.contexts_in_units(DIFFERING)
    if summary is None or contexts.empty:
        raise ValueError(f"the worked example has no number {DIFFERING}")
    medians, rows = ([contexts[f"{of}_{which}"].iloc[0] for which in ("first", "second")] for of in ("median", "n"))
    levels = (part.split(" = ") for part in str(contexts["context"].iloc[0]).split(", "))
    where = ", ".join(name if level == "yes" else level for name, level in levels)
    first, second = (
        Side(label, int(n), where, of, f"{median:g} {summary.unit}", float(median / (LONGEST * max(medians))))
        for label, n, of, median in zip(result.labels, rows, result.n, medians, strict=True)
    )
    return first, second


def diptych(result: GroupDifferenceResult, is_dark: bool) -> str:
    """Two networks on one layout, side by side, with the one box that differs."""
    shade = dark if is_dark else str
    panels = []
    for place, (side, graph) in enumerate(zip(sides(result), list(result.graphs().values())[:2], strict=True)):
        body = "".join(
            _line(source, target, shade)
            for source, target, _, about in each_edge(graph)
            if about["probability"] >= LIKELY and source in _PLACES and target in _PLACES
        )
        body += "".join(_box(name, side, shade) for name in _PLACES)
        panels.append(f'<g transform="translate({place * (_WIDTH + _GAP)} 34)">{_head(side, shade)}{body}</g>')
    middle = _WIDTH + _GAP / 2
    divider = f'<line x1="{middle}" x2="{middle}" y1="4" y2="{_HEIGHT + 44}" stroke="{shade(LINE)}"/>'
    size = f"0 0 {2 * _WIDTH + _GAP} {_HEIGHT + 48}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" '
        f'font-family="{FONT}" font-size="13">{divider}{"".join(panels)}</svg>'
    )


def example_words(result: GroupDifferenceResult) -> str:
    """The diptych for someone who does not see it."""
    return f"Two networks of patients with sepsis, {' and '.join(result.labels)}: {result.headline()}"


def _head(side: Side, shade: Callable[[str], str]) -> str:
    return (
        f'<text x="4" y="-14" fill="{shade(INK)}"><tspan font-weight="600">{html.escape(side.label)}</tspan>'
        f'<tspan dx="6" fill="{shade(MUTED)}">{side.of:,} patients</tspan></text>'
    )


def _box(name: str, side: Side, shade: Callable[[str], str]) -> str:
    x, y = _PLACES[name]
    text = html.escape(name.replace("_", " ").capitalize())
    if name != DIFFERING:
        half = 3.7 * len(name) + 11
        return (
            f'<rect x="{x - half}" y="{y - _BOX / 2}" width="{2 * half}" height="{_BOX}" rx="4" fill="{shade(PAPER)}" '
            f'stroke="{shade(BORDER)}"/>'
            f'<text x="{x}" y="{y + 5}" text-anchor="middle" fill="{shade(INK)}">{text}</text>'
        )
    bar = _BAR * side.share
    return (
        f'<rect x="{x - 65}" y="{y - 25}" width="130" height="50" rx="4" fill="{DIFFERENT}" stroke="{INK}" '
        f'stroke-width="1.6"/>'
        f'<text x="{x}" y="{y - 7}" text-anchor="middle" font-weight="600" fill="{INK}">{text}</text>'
        f'<rect x="{x - 55}" y="{y + 4}" width="{_BAR}" height="12" rx="2" fill="{PAPER}" stroke="{INK}"/>'
        f'<rect x="{x - 55}" y="{y + 4}" width="{bar:.1f}" height="12" rx="2" fill="{INK}"/>'
        f'<text x="{x + 57}" y="{y + 15}" text-anchor="end" font-weight="600" fill="{INK}">'
        f"{html.escape(side.words)}</text>"
        f'<text x="{x + 65}" y="{y + 38}" text-anchor="end" font-size="11" fill="{shade(MUTED)}">'
        f"{html.escape(side.where)}: n = {side.n:,}</text>"
    )


def _line(source: str, target: str, shade: Callable[[str], str]) -> str:
    """A link; boxes are drawn over its ends."""
    (x1, y1), (x2, y2) = _PLACES[source], _PLACES[target]
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{shade(MUTED)}" stroke-width="1.8"/>'


def question_picture(name: str, is_dark: bool) -> str:
    """The small picture of this name, as `MethodPage.picture` has it; empty where there is none.

    What differs has the same colour on every screen.
    """
    file = _PICTURES / f"{name.replace(' ', '-')}.svg"
    if not file.is_file():
        return ""
    svg = file.read_text(encoding="utf-8")
    return COLOUR.sub(lambda colour: colour[0] if colour[0] == DIFFERENT else dark(colour[0]), svg) if is_dark else svg

"""Every colour of the dashboard, named once by what it means, as it is on white; and turned round for a dark screen.

The hues are those of Okabe and Ito's palette, darkened where text or thin lines need contrast on white.
No meaning rests on colour alone: arcs also differ by dash, nodes also carry their number in words, and of two sides
one is darker than the other, so that a copy in black and white still tells them apart.

On a dark screen every colour keeps its hue and every pair its contrast, (Y + 0.05) / (y + 0.05) with their relative
luminances, the larger first (WCAG 2): a colour of luminance Y becomes one of luminance c / (Y + 0.05) - 0.05.
"""

from __future__ import annotations

import colorsys
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import streamlit as st

from engine.graphs.drawing import svg
from engine.telling.charts.colours import (
    ALIKE,
    BORDER,
    CATEGORICAL,
    DIFFERENT,
    DIVERGING,
    GROUP_A,
    GROUP_B,
    INK,
    LINE,
    MUTED,
    PANEL,
    PAPER,
    PRIMARY,
    SEQUENTIAL,
)

if TYPE_CHECKING:
    import plotly.graph_objects as go

__all__ = ["ALIKE", "BORDER", "CATEGORICAL", "DIFFERENT", "DIVERGING", "GROUP_A", "GROUP_B", "INK", "LINE", "MUTED",
           "PANEL", "PAPER", "PRIMARY", "SEQUENTIAL"]  # fmt: skip
"""The colours that charts of the engine have too, beside those below."""

WHITE, DARK_PAPER = "#FFFFFF", "#12181F"
_SPARE = 0.05
COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_ATTRIBUTE = re.compile(r"(?<=')#(?:[0-9A-Fa-f]{6}|fff)(?=')")
"""A colour of a picture in SVG; a name in it is no attribute."""
_VEIL = re.compile(r"rgba\((\d+),(\d+),(\d+),([\d.]+)\)")
_IN_MARKUP = re.compile(r"(?<=[;']color:)#[0-9A-Fa-f]{6}(?='>)")
"""A colour in a label's own markup; a name cannot hold it, since its signs are escaped."""


def is_dark() -> bool:
    """True where this visitor's screen is dark; not, as long as it is not known."""
    return bool(st.context.theme.type == "dark")


def luminance(colour: str) -> float:
    """Relative luminance of "#RRGGBB", 0 to 1."""
    return _luminance(_channels(colour))


def contrast(name: str, other: str) -> float:
    """Ratio of the lighter to the darker of two colours, 1 to 21."""
    low, high = sorted((luminance(name), luminance(other)))
    return (high + _SPARE) / (low + _SPARE)


@cache
def dark(colour: str) -> str:
    """A colour of the light theme, "#RRGGBB", as it is on a dark screen."""
    if colour.upper() == WHITE:
        return DARK_PAPER
    turned = (1 + _SPARE) * (luminance(DARK_PAPER) + _SPARE)
    wanted = max(0.0, turned / (luminance(colour) + _SPARE) - _SPARE)
    hue, _, saturation = colorsys.rgb_to_hls(*_channels(colour))
    low, high = 0.0, 1.0
    for _ in range(20):  # luminance grows with lightness
        middle = (low + high) / 2
        if _luminance(colorsys.hls_to_rgb(hue, middle, saturation)) < wanted:
            low = middle
        else:
            high = middle
    return "#" + "".join(f"{round(255 * item):02X}" for item in colorsys.hls_to_rgb(hue, high, saturation))


def dark_figure(figure: go.Figure) -> go.Figure:
    """The figure in the colours of a dark screen; its texts and numbers are left alone."""
    import plotly.graph_objects as go

    plotly_json = figure.to_plotly_json()
    return go.Figure({"data": _turned(plotly_json["data"], ""), "layout": _turned(plotly_json["layout"], "")})


def dark_svg(svg: str) -> str:
    """A picture of the engine's own in the colours of a dark screen."""
    return _ATTRIBUTE.sub(lambda colour: dark(WHITE if colour.group() == "#fff" else colour.group()), svg)


def _turned(value: Any, key: str) -> Any:
    if isinstance(value, Mapping):
        return {name: item if name == "template" else _turned(item, name) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_turned(entry, key) for entry in value]
    if not isinstance(value, str):
        return value
    if "color" in key:
        return _turned_colour(value)
    return _IN_MARKUP.sub(lambda result: dark(result.group()), value)


def _turned_colour(colour: str) -> str:
    """Of the ways in which our charts write a colour, each; what is none of them stays."""
    if colour == "white" or COLOUR.fullmatch(colour):
        return dark(WHITE if colour == "white" else colour)
    if veil := _VEIL.fullmatch(colour):
        *solid, opacity = veil.groups()
        red, green, blue = (
            round(255 * channel) for channel in _channels(dark("#" + "".join(f"{int(c):02X}" for c in solid)))
        )
        return f"rgba({red},{green},{blue},{opacity})"
    return colour


def _channels(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def _luminance(channels: tuple[float, float, float]) -> float:
    linear = [channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@dataclass(frozen=True)
class ArcStyle:
    """Style of one kind of arc: colour and dash say the same thing twice, `words` is for the legend.

    `width` is in pixels, 0 where each arc has its own; `edged` arcs have an edge of ink.
    """

    colour: str
    dash: tuple[int, ...]
    words: str
    width: float = 0.0
    edged: bool = False


def _arc(status: str, words: str, width: float = 0.0, *, edged: bool = False) -> ArcStyle:
    """Colour and dash as in the engine's pictures."""
    return ArcStyle(svg.STYLES[status].colour, svg.STYLES[status].dash, words, width, edged)


ARCS: dict[str, ArcStyle] = {
    "same": _arc("same", "in both"),
    "only_a": _arc("only_a", "only in A"),
    "only_b": _arc("only_b", "only in B"),
    "reversed": _arc("reversed", "reversed"),
    "neither": _arc("neither", "in neither group"),
    "unclear": _arc("unclear", "not clear whether in both"),
    "kept": _arc("kept", "also in this patient's network"),
    "dropped": _arc("dropped", "does not apply to this patient"),
    "added": _arc("added", "only for this patient"),
    "turned": _arc("turned", "turned round for this patient"),
    "link": _arc("linked", "a link"),
    "cut": _arc("may come from the cut", "may come from the cut of numbers"),
    "held": ArcStyle(svg.STYLES["linked"].colour, (10, 5), "a link in several groups"),
    "alike": _arc("only with others held fixed", "only with others held fixed"),
    "new": ArcStyle(PRIMARY, (2, 3), "the newest link"),
    "positive": _arc("positive", "one rises with the other"),
    "negative": _arc("negative", "one falls as the other rises"),
    "unsure": _arc("unsure", "sign not clear", 1.4),
    "differs": _arc("differs", "differs", 6.0, edged=True),
    "differs_undrawn": _arc("differs_undrawn", "differs, in neither network", 6.0, edged=True),
    "step_changed": ArcStyle(PRIMARY, (), "changed by this step", 4.5),
    "step_removed": ArcStyle("#A3195B", (9, 5), "removed by this step", 4.0),
    "step_tested": ArcStyle(PRIMARY, (3, 4), "tested, and left", 4.0),
    "unseen": _arc("unseen", "not seen to differ", 1.4),
    "plain": _arc("plain", "arc"),
}
"""Status of an arc -> its style."""

CHANGED = "#EFE6F4"
"""Fill of a variable whose parents are others for the patient; its border is heavier too."""


def evidence_colour(log10_odds: float) -> str:
    """Fill of a node: blue where the groups look the same, white at even odds, orange where they differ.

    `log10_odds` is the base-10 logarithm of the odds of "different" to "same"; at 2 the colour
    is at its strongest, so that one extreme value does not wash out all others.
    """
    if log10_odds != log10_odds:
        return PAPER
    share = max(-1.0, min(1.0, log10_odds / 2))
    return _mix(PAPER, DIFFERENT if share > 0 else ALIKE, abs(share))


def faded(colour: str, share: float) -> str:
    """A colour on its way to the paper: of a line that is less sure; 1 is as it is, 0 can just be seen."""
    return colour if share >= 1 else _mix(colour, PAPER, 0.5 * (1 - max(0.0, share)))


def _mix(start: str, end: str, share: float) -> str:
    channels = ((int(start[i : i + 2], 16), int(end[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in channels)


def streamlit_theme() -> dict[str, object]:
    """The theme as Streamlit configuration: light or dark as the system is; only fonts that travel with Streamlit."""
    colours = {
        "primaryColor": PRIMARY,
        "backgroundColor": PAPER,
        "secondaryBackgroundColor": PANEL,
        "textColor": INK,
        "linkColor": PRIMARY,
        "borderColor": LINE,
    }
    scales = {
        "chartCategoricalColors": CATEGORICAL,
        "chartSequentialColors": SEQUENTIAL,
        "chartDivergingColors": DIVERGING,
    }
    themes: dict[str, object] = {}
    for name, shade in (("light", str), ("dark", dark)):
        themes |= {f"theme.{name}.{option}": shade(colour) for option, colour in colours.items()}
        themes |= {f"theme.{name}.{option}": [shade(item) for item in scale] for option, scale in scales.items()}
    return themes | {
        "theme.font": "sans-serif",
        "theme.headingFont": "sans-serif",
        "theme.baseFontSize": 16,
        "theme.headingFontSizes": ["2rem", "1.5rem", "1.2rem"],
        "theme.paddingTop": "1.5rem",
        "theme.baseRadius": "small",
        "theme.showWidgetBorder": True,
        "theme.showSidebarBorder": True,
    }

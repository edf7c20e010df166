"""Colours for a dark screen: every colour turned round so that each keeps its hue and every pair its contrast.

The contrast of two colours is (Y + 0.05) / (y + 0.05) with their relative luminances, the larger first (WCAG 2).
A colour of luminance Y becomes one of luminance c / (Y + 0.05) - 0.05, so all ratios stay as they are.
"""

from __future__ import annotations

import colorsys
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import streamlit as st

if TYPE_CHECKING:
    import plotly.graph_objects as go

WHITE, DARK_PAPER = "#FFFFFF", "#12181F"
_SPARE = 0.05
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_VEIL = re.compile(r"rgba\((\d+),(\d+),(\d+),([\d.]+)\)")
_IN_MARKUP = re.compile(r"(?<=[;']color:)#[0-9A-Fa-f]{6}(?='>)")
"""A colour in a label's own markup; a name cannot hold it, since its signs are escaped."""


def is_dark() -> bool:
    """Whether this visitor's screen is dark; not, as long as it is not known."""
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
    if colour == "white" or _COLOUR.fullmatch(colour):
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

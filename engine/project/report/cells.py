"""A value of a table as a reader sees it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from engine import words
from engine.methods.columns import Kind
from engine.project.report.markup import name_of

NOTHING = "–"
"""Not asked, or not estimated."""
MOST_LETTERS = 160
"""Of a text in a cell."""


def written(value: Any, kind: Kind) -> str:
    """A value as its kind is written.

    Parameters
    ----------
    value : as a table holds it
    kind : what the column is

    Returns
    -------
    the text; a dash for nothing

    Examples
    --------
    >>> written(0.1 + 0.2, "number"), written(-0.0834, "points"), written(3.7, "log_odds")
    ('0.3', '−8.3', '40 to 1 for')
    """
    import pandas as pd

    value = value.item() if hasattr(value, "item") else value
    if value is None or value is pd.NA or value == "" or (isinstance(value, float) and math.isnan(value)):
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float):
        return _text(value)
    if kind in ("text", "flag"):
        return _text(value)
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return _minus(_number(float(value), kind))


def interval(value: str, low: str, high: str) -> str:
    """'0.52 (0.44 to 0.59)', as the parts are written.

    Parameters
    ----------
    value, low, high : texts

    Returns
    -------
    the text
    """
    if NOTHING in (value, low, high):
        return value  # ends without a middle tell nothing
    return f"{value} ({low} to {high})"


def _text(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)
    shown = name_of(text)
    return shown if len(shown) <= MOST_LETTERS else f"{shown[: MOST_LETTERS - 1]}…"


def _number(value: float, kind: Kind) -> str:
    match kind:
        case "count" | "whole":
            return f"{value:,.0f}" if value == round(value) else _short(value)
        case "share" | "part":
            return words.percent(value) if 0 < value < 1 else f"{value:.0%}"
        case "points":
            return f"{100 * value:+.1f}" if round(100 * value, 1) else "0.0"
        case "probability":
            return words.probability(value) if 0 < value < 1 else f"{value:g}"
        case "log_odds":
            return _odds(value)
        case "log10_odds":
            return _odds(value * math.log(10))
        case "p":
            return _p(value)
        case "log10_p":
            return _p(10**value) if value > -3 else f"10^{value:.0f}"
        case "signed":
            return f"{value:+.2f}" if round(value, 2) else "0.00"
        case _:
            return _short(value)


def _p(p: float) -> str:
    """As in a sentence, without its "p", which stands above the column."""
    return words.p_value(p).removeprefix("p ").removeprefix("= ")


def _odds(log_odds: float) -> str:
    ratio = words.ratio(abs(log_odds))
    return "1 to 1" if ratio == "1.0" else f"{ratio} to 1 {'for' if log_odds > 0 else 'against'}"


def _short(value: float) -> str:
    """Three figures that count, and no more."""
    if value and abs(value) < 1e-4:
        return f"{value:.1e}"
    digits = 0 if abs(value) >= 1000 else max(0, 2 - math.floor(math.log10(abs(value)))) if value else 0
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _minus(text: str) -> str:
    return text.replace("-", "−")

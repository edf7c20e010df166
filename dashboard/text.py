"""User text on its way to the screen. Column names and levels are data; they must never act as markup."""

from __future__ import annotations

import re
import string

from engine.telling.charts.labels import distinct, short, shorten, visible
from engine.telling.charts.labels import escape as chart
from engine.words import NO_BREAK, capital

__all__ = ["capital", "chart", "distinct", "place_of_rows", "plain", "short", "shorten", "unbroken", "visible"]

_COUNTED = re.compile(r"(?<=\d)(\xa0\\%)? \\\([^()]{1,24}\\\)")
_ESCAPED = {ord(mark): "\\" + mark for mark in string.punctuation}


def plain(text: object) -> str:
    """Text for a Markdown-rendering element (labels, tabs, metrics, buttons, help), shown to the letter.

    Every ASCII punctuation mark gets a backslash, so no image, link, directive or formula comes out of
    a column name. Streamlit still turns bare addresses into links and `->` into an arrow; a
    zero-width word joiner keeps those as they were typed. No line ends before a percent sign.
    """
    line = visible(text).replace(" %", f"{NO_BREAK}%")
    for run in ("://", "www.", "->", "<-", "--"):
        line = line.replace(run, run[0] + "\u2060" + run[1:])
    return line.replace("@", "@\u2060").translate(_ESCAPED)


def unbroken(text: str) -> str:
    """`plain` text in which no line ends between a number and a short bracket after it, nor within that."""
    return _COUNTED.sub(lambda found: found[0].replace(" ", NO_BREAK), text)


def place_of_rows(where: str) -> str:
    """Where rows are that memory does not hold, as the page calls it."""
    return "in the work folder" if where == "on disk" else where

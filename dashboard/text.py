"""User text on its way to the screen. Column names and levels are data; they must never act as markup."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Sequence

from engine.words import NO_BREAK

_ESCAPED = {ord(mark): "\\" + mark for mark in string.punctuation}


def plain(text: object) -> str:
    """Text for a Markdown-rendering element (labels, tabs, metrics, buttons, help), shown to the letter.

    Every ASCII punctuation mark gets a backslash, so no image, link, directive or formula comes out of
    a column name. Streamlit still turns bare addresses into links and `->` into an arrow; a
    zero-width word joiner keeps those as they were typed.
    """
    line = visible(text)
    for run in ("://", "www.", "->", "<-", "--"):
        line = line.replace(run, run[0] + "\u2060" + run[1:])
    return line.replace("@", "@\u2060").translate(_ESCAPED)


def short(text: object, n: int = 24) -> str:
    """At most `n` characters of the text that can be seen, an ellipsis in the place of the rest."""
    line = visible(text)
    return line if len(line) <= n else line[: max(n - 1, 1)].rstrip() + "…"


def distinct(texts: Sequence[object], n: int = 24) -> list[str]:
    """Each as `short` has it; those that would read alike keep their end and lose their middle."""
    lines = [visible(text) for text in texts]
    cut = [short(item, n) for item in lines]
    first: dict[str, str] = {}
    alike = {brief for brief, entry in zip(cut, lines, strict=True) if first.setdefault(brief, entry) != entry}
    end = n - n // 2 - 1
    return [
        f"{line[: n // 2].rstrip()}…{line[-end:].lstrip()}" if brief in alike and brief != line else brief
        for brief, line in zip(cut, lines, strict=True)
    ]


def capital(text: str) -> str:
    """The text with its first letter large, as it begins a line."""
    return text[:1].upper() + text[1:]


def chart(text: object, n: int = 40) -> str:
    """Text for a Plotly label, tick or legend, which would read `<b>` or `<a href>` as markup."""
    return short(text, n).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def visible(text: object) -> str:
    """The text on one line without control, direction-override and other invisible characters.

    A no-break space stays, since it holds a number to its percent sign.
    """
    line = str(text)
    if line.isprintable():  # nearly every text: nothing to leave out, and looking at each mark costs
        return " ".join(line.split())
    marks = (
        " " if mark.isspace() and mark != NO_BREAK else mark
        for mark in line
        if mark.isspace() or unicodedata.category(mark) not in ("Cc", "Cf", "Cs", "Co", "Cn")
    )
    return " ".join(filter(None, "".join(marks).split(" "))).strip()


def place_of_rows(where: str) -> str:
    """Where rows are that memory does not hold, as the page calls it."""
    return "in the work folder" if where == "on disk" else where

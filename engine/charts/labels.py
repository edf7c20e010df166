"""Names and levels out of a file as a chart may show them: on one line, short, and nothing that acts as markup."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Sequence

from engine.words import NO_BREAK


def visible(text: object) -> str:
    """The text on one line without control, direction-override and other invisible characters.

    A no-break space stays, since it holds a number to its percent sign.

    Examples
    --------
    >>> visible("a\u202eb c")
    'ab c'
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


def name_of(text: object) -> str:
    """A name from a table on one line, never empty."""
    return visible(text) or "(no name)"


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


def escape(text: object, n: int = 40) -> str:
    """Text for a Plotly label, tick or legend, which would read `<b>` as markup and `$x$` as a formula.

    Examples
    --------
    >>> escape("<b>age</b>"), escape("a very long name", 8)
    ('&lt;b&gt;age&lt;/b&gt;', 'a very…')
    """
    return html.escape(short(text, n), quote=False).replace("$", "&#36;")


def difference_name(first: str, second: str) -> str:
    """What a difference is called: which is subtracted from which, never parted at the end of a line.

    Examples
    --------
    >>> difference_name("South", "North") == "South\\u00a0−\\u00a0North"
    True
    """
    return f"{first}{NO_BREAK}−{NO_BREAK}{second}"

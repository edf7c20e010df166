"""Tables in the style of the American Psychological Association (7th edition), as HTML that a word processor takes."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

from engine.lazy import pd

_RULE = "1px solid #000"


def apa_number(value: float, decimals: int = 2, *, bounded: bool = True) -> str:
    """A number as APA has it: no zero before the point where it cannot pass 1; a true minus.

    Parameters
    ----------
    value : any
    decimals : how many
    bounded : whether its size is at most 1, as of a correlation

    Examples
    --------
    >>> apa_number(-0.456), apa_number(1.2, bounded=False)
    ('−.46', '1.20')
    """
    if math.isnan(value):
        return "–"
    text = f"{abs(value):.{decimals}f}"
    text = text.removeprefix("0") if bounded else text
    return f"−{text}" if value < 0 and float(f"{value:.{decimals}f}") != 0 else text


def apa_interval(low: float, high: float, *, bounded: bool = True) -> str:
    """Ends of an interval in brackets.

    Parameters
    ----------
    low, high : its ends
    bounded : as of `apa_number`

    Examples
    --------
    >>> apa_interval(0.37, 0.54)
    '[.37, .54]'
    """
    return f"[{apa_number(low, bounded=bounded)}, {apa_number(high, bounded=bounded)}]"


def apa_table(table: pd.DataFrame, number: int, title: str, note: str, *, italic: Sequence[str] = ()) -> str:
    """A table of texts as HTML: its number, its title, three rules, a note.

    Parameters
    ----------
    table : of texts, the first column at the left
    number : of the table
    title, note : in words
    italic : headers that are symbols

    Returns
    -------
    HTML, every text escaped, its style inside so that it can be pasted

    Examples
    --------
    >>> apa_table(pd.DataFrame({"Item": ["sleep"], "r": [".46"]}), 1, "Links", "n = 10", italic=["r"]).count("<td")
    2
    """

    def cell(kind: str, text: object, column: int, style: str = "") -> str:
        side = "left" if column == 0 else "center"
        return f'<{kind} style="padding:2pt 8pt;text-align:{side};font-weight:normal;{style}">{text}</{kind}>'

    heads = [
        cell(
            "th",
            f"<i>{html.escape(str(name))}</i>" if name in italic else html.escape(str(name)),
            place,
            f"border-top:{_RULE};border-bottom:{_RULE};",
        )
        for place, name in enumerate(table.columns)
    ]
    rows = []
    for number_of_row, row in enumerate(table.itertuples(index=False), 1):
        style = f"border-bottom:{_RULE};" if number_of_row == len(table) else ""
        cells = (cell("td", html.escape(str(value)), place, style) for place, value in enumerate(row))
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return (
        "<div style=\"font-family:'Times New Roman',serif;font-size:12pt\">"
        f"<p><b>Table {number}</b></p><p><i>{html.escape(title)}</i></p>"
        f'<table style="border-collapse:collapse"><thead><tr>{"".join(heads)}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
        f"<p><i>Note.</i> {html.escape(note)}</p></div>"
    )

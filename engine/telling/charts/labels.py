"""Names and levels out of a file as a chart may show them: on one line, short, and nothing that acts as markup."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

from engine import words
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
    return words.short(visible(text), n)


def distinct(texts: Sequence[object], n: int = 24) -> list[str]:
    """Each as `short` has it; those that would read alike keep their end and lose their middle."""
    return words.distinct([visible(text) for text in texts], n)


def without_beginnings(texts: Sequence[str], n: int) -> list[str]:
    """Each cut to so many letters; one that is too long loses first the words that another also begins with.

    Parameters
    ----------
    texts : levels of one variable, or names, that stand together
    n : letters of each

    Returns
    -------
    list, one a text

    Examples
    --------
    >>> without_beginnings(["Did not apply", "Applied to me at times", "Applied to me very much"], 15)
    ['Did not apply', '…at times', '…very much']
    """
    whole = [visible(text) or "(empty)" for text in texts]
    result = []
    for text in whole:
        begins = [text[: gap.end()] for gap in re.finditer(r"\s", text)]
        shared = [begin for begin in begins if any(other.startswith(begin) for other in whole if other != text)]
        result.append(short(f"…{text.removeprefix(shared[-1])}" if len(text) > n and shared else text, n))
    return result


def escape(text: object, n: int = 40) -> str:
    """Text for a Plotly label, tick or legend, which would read `<b>` as markup and `$x$` as a formula.

    Examples
    --------
    >>> escape("<b>age</b>"), escape("a very long name", 8)
    ('&lt;b&gt;age&lt;/b&gt;', 'a very…')
    """
    return html.escape(short(text, n), quote=False).replace("$", "&#36;")


def lines(text: object, across: int, most: int = 2) -> str:
    """`escape` over several lines, broken between words, so that a long name is whole where there is room.

    Parameters
    ----------
    text : a name or a level
    across : letters of a line
    most : lines; an ellipsis stands where the rest had no room

    Returns
    -------
    text for a Plotly label, lines parted by `<br>`

    Examples
    --------
    >>> lines("stopped over a year ago", 14), lines("immunocompromised", 8)
    ('stopped over a<br>year ago', 'immunoc…')
    """
    return "<br>".join(escape(line, max(across, 2)) for line in wrap_lines(text, across, most))


def wrap_lines(text: object, across: int, most: int = 2) -> list[str]:
    """Break a text into the lines that `lines` joins, as they are."""
    rest = visible(text)
    result: list[str] = []
    while rest and len(result) < most - 1 and len(rest) > across and (end := rest.rfind(" ", 0, across + 1)) > 0:
        result.append(rest[:end])
        rest = rest[end + 1 :]
    return [short(line, max(across, 2)) for line in [*result, rest]]


WHOLE = 120
"""Letters of a name where it is read whole: in the words at the pointer."""
_PAIR, _END = 40, 32
"""Letters of two names on one line, and of each on a line of its own."""


def pair_label(name: object, other: object, mark: str = "–") -> str:
    """Two names beside a row of a chart: on one line, or one below the other where they are long.

    Examples
    --------
    >>> pair_label("age", "sex"), pair_label("Smoking status at first visit", "Cough on most mornings")
    ('age – sex', 'Smoking status at first visit –<br>Cough on most mornings')
    """
    long = len(visible(name)) + len(visible(other)) > _PAIR
    return f"{escape(name, _END)} {mark}{'<br>' if long else ' '}{escape(other, _END)}"


def row_height(labels: Sequence[str], one: int, two: int) -> int:
    """Pixels of a chart's row, by whether any label has two lines."""
    return two if any("<br>" in label for label in labels) else one


def narrowest(text: object) -> int:
    """Letters across that a text needs where it may stand in two lines."""
    line = visible(text)
    breaks = (place for place, mark in enumerate(line) if mark == " ")
    return min([len(line), *(max(place, len(line) - place - 1) for place in breaks)])


def difference_name(first: str, second: str) -> str:
    """What a difference is called: which is subtracted from which, never parted at the end of a line.

    Examples
    --------
    >>> difference_name("South", "North") == "South\\u00a0−\\u00a0North"
    True
    """
    return f"{first}{NO_BREAK}−{NO_BREAK}{second}"


def apart(labels: Mapping[str, str], most: int) -> dict[str, str]:
    """What variables are called where their labels have so much room: no two read alike.

    A label that is too long loses its last words; its middle where it would then read like another one; and where both
    its ends are those of another, the variable's own name stands in its place.

    Parameters
    ----------
    labels : name of a variable -> its label
    most : letters, from 12 up

    Returns
    -------
    name -> label, cut

    Examples
    --------
    >>> apart({"q1": "Worrying thoughts at night", "q2": "Worrying thoughts at work", "q3": "Age"}, 20)
    {'q1': 'Worrying…night', 'q2': 'Worrying…work', 'q3': 'Age'}
    >>> apart({"q1": "Worrying thoughts most at work", "q2": "Worrying thoughts also at work"}, 20)
    {'q1': 'q1', 'q2': 'q2'}
    """
    whole = {name: visible(label) for name, label in labels.items()}
    cut = {name: _head(text, most) for name, text in whole.items()}
    for longer in (lambda name: _ends(whole[name], most), str):
        many = Counter(cut.values())
        cut = {name: text if many[text] == 1 else longer(name) for name, text in cut.items()}
    return cut


def _head(text: str, most: int) -> str:
    """The text up to the last word that has room; a word longer than eight letters is parted."""
    if len(text) <= most:
        return text
    begin = text[: most - 1] if text[most - 1].isspace() else re.sub(r"\s\S{1,8}$", "", text[: most - 1])
    return f"{begin.rstrip(' ,;:')}…"


def _ends(text: str, most: int) -> str:
    """The text without its middle; more of it is left out of one that lacks its middle already."""
    begin, cut, end = text.partition("…")
    if cut and 0 < len(end) < most // 2 and len(text) > most:
        return _head(f"{begin} ", most - len(end)) + end
    return re.sub(r"[,;:]…", "…", shorten(text, most))


def shorten(text: str, most: int) -> str:
    """At most so many letters; the middle is left out, by whole words where they allow it, since ends often differ.

    Parameters
    ----------
    text : a name on one line
    most : letters, from 12 up

    Returns
    -------
    the text, with an ellipsis where letters were left out

    Examples
    --------
    >>> shorten("Worrying thoughts go through my mind", 24), shorten("x" * 30, 12)
    ('Worrying…my mind', 'xxxxxx…xxxxx')
    """
    if len(text) <= most:
        return text
    end = most * 3 // 10
    head = re.match(rf".{{{most // 3},{most - 1 - end}}}(?=[\s_-])", text)
    tail = re.search(rf"(?<=[\s_-])\S.{{,{end - 1}}}$", text)
    if head is None or tail is None:
        return f"{text[: most // 2].rstrip()}…{text[most // 2 + 1 - most :].lstrip()}"
    begin = head[0].rstrip()
    if not text[len(begin) : -len(tail[0])].strip():  # an ellipsis stands for a word at least
        begin = begin.rpartition(" ")[0] or begin
    return f"{begin}…{tail[0]}"

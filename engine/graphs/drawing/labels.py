"""What stands in the boxes of a drawn network, and how large a box it needs."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

LINE, LINES = 16, 2
"""Characters a line of a label may have, and its lines, where nothing else is said."""
WORD = 24
"""Characters of a single word that no line is too short for: a wider box is better than a cut word."""
LETTER = 15.0
"""Pixels a letter is high in a picture at its own size."""
PADDING, LEAST = 20.0, 48.0
"""Pixels a box adds to its text on both sides together, and the narrowest box."""
LINE_HEIGHT, FRAME = 1.15 * LETTER, 12.0
"""Pixels of a line, and what a box adds above and below."""
MANY = (25, 40)
"""Names from which on a box has three lines, and two: all boxes are as high as the highest, and the page is finite."""

_SEAMS = re.compile(r"(?<=[\s_\-.:,;…])(?=[^\s_\-./:,;…])|(?<=/)(?=\w{3})|(?<=[^\W\d_A-Z])(?=[A-Z])(?![^()]*\))")
"""Where a name may be parted: behind a mark between words, in no unit as mg/l or (mmHg), before a capital in one."""
_DENIAL = re.compile(r"n['’]t\b|\b(?:no|not|never|without|cannot|nicht|kein\w*|nie|ohne|pas|jamais|sans|niet)\b", re.I)
"""A word without which an item of a questionnaire says the opposite."""
_EMS = {0.22: " ", 0.3: "ijlIf|.,:;'!()[]`", 0.36: "tr-", 0.76: "w", 0.86: "mMW@%…"}
_WIDTH = {letter: em for em, letters in _EMS.items() for letter in letters}
_CAPITAL, _OTHER, _SIGN = 0.63, 0.55, 1.0
_SPARE = 1.04
"""Other fonts than the one measured are wider; a box that is a little too wide does no harm."""


def wrapped(text: str, width: int = LINE, lines: int = LINES) -> str:
    """A text in a few lines of at most `width` characters, parted between words only.

    A longer word has a line of its own, up to `WORD` characters. Of a text that needs more lines the middle is
    left out, by whole words.

    Examples
    --------
    >>> wrapped("mean_pressure_left_ventricle_day_2").split(chr(10))
    ['mean_pressure_', '…ventricle_day_2']
    """
    if len(text) <= width:
        return text
    pieces = [part for part in _SEAMS.split(text) if part.strip()]
    rows = _rows(pieces, width)
    if len(rows) > lines:
        tail = pieces.pop()
        while pieces and len(pieces[-1] + tail) < width:
            tail = pieces.pop() + tail
        rows = [*rows[: lines - 1], f"…{tail}"]
    return "\n".join(_word(row.strip()) for row in rows)


def wrapped_apart(texts: Iterable[str], width: int = LINE, lines: int = LINES) -> dict[str, str]:
    """Each text as `wrapped` has it; those that would read alike, or lack the word that parts them from the text that
    begins most like them, or one that denies, get wider lines, and more of them.

    Examples
    --------
    >>> names = ["pressure at admission, first reading", "pressure at admission, second reading"]
    >>> [text.split(chr(10))[1] for text in wrapped_apart(names, 12).values()]
    ['…first reading', '…second reading']
    """
    labels = {text: wrapped(text, width, lines) for text in texts}
    parting = _parting_words(labels)
    for wider, more in ((width + 4, lines), (WORD, lines), (WORD, 2 * lines)):
        often = Counter(labels.values())
        unclear = [
            text
            for text, own in labels.items()
            if often[own] > 1 or parting[text] not in own or (_DENIAL.search(text) and not _DENIAL.search(own))
        ]
        labels |= {text: wrapped(text, wider, more) for text in unclear}
    return labels


def _parting_words(texts: Iterable[str]) -> dict[str, str]:
    """Text -> the first of its words that it does not share with the text that begins most like it; "" for none."""
    pieces = {text: [piece.strip() for piece in _SEAMS.split(text)] for text in texts}
    order = sorted(pieces, key=lambda text: pieces[text])
    result = dict.fromkeys(pieces, "")
    for text, before, after in zip(order, [None, *order], [*order[1:], None], strict=False):
        same = max(_shared(pieces[text], pieces[other]) for other in (before, after) if other) if len(order) > 1 else 0
        result[text] = pieces[text][same] if 0 < same < len(pieces[text]) else ""
    return result


def _shared(some: list[str], others: list[str]) -> int:
    """Count the pieces that two texts have in common at their beginning."""
    return next((k for k, (a, b) in enumerate(zip(some, others, strict=False)) if a != b), min(len(some), len(others)))


def _rows(pieces: list[str], width: int) -> list[str]:
    rows: list[str] = []
    for piece in pieces:
        if rows and len((rows[-1] + piece).strip()) <= width:
            rows[-1] += piece
        else:
            rows.append(piece)
    return rows


def _word(row: str) -> str:
    return row if len(row) <= WORD else row[: WORD - 1].rstrip() + "…"


def label(name: str) -> str:
    """A name as a box shows it: one or two lines, never empty."""
    return wrapped(" ".join(str(name).split()) or "(no name)")


def text_width(text: str) -> float:
    """Pixels a line of text is wide, in letters `LETTER` high."""
    return LETTER * _SPARE * sum(map(_em, text))


def _em(letter: str) -> float:
    if letter in _WIDTH:
        return _WIDTH[letter]
    if letter > "ʯ":  # beyond Latin: signs and scripts of other fonts, some as wide as high
        return _SIGN if unicodedata.east_asian_width(letter) in "WF" or letter > "ₐ" else 0.7
    return _CAPITAL if letter.isupper() else _OTHER


def box_width(text: str) -> float:
    """Pixels a box needs for a text: those of its widest line."""
    return max(LEAST, round(max(map(text_width, text.split("\n"))) + PADDING))


def box_sizes(names: Iterable[str]) -> dict[str, float]:
    """Name -> width of the box that shows its `label`, for `layout`."""
    return {name: box_width(label(name)) for name in names}


@dataclass(frozen=True)
class Box:
    """The lines of one box, and how large it is."""

    lines: tuple[str, ...]
    width: float
    height: float


def boxes(names: Iterable[str], labels: Mapping[str, str] | None = None) -> dict[str, Box]:
    """Name -> its box, the name never cut where it can be helped; all are equally high, since rows of boxes are.

    Where there are `labels` (name -> label), a box shows the label in place of the name.

    Examples
    --------
    >>> boxes(["systolic_pressure_morning"])["systolic_pressure_morning"].lines
    ('systolic_', 'pressure_morning')
    """
    every = list(names)
    most = 4 - sum(len(every) > many for many in MANY)
    shown = {name: " ".join((labels or {}).get(name, name).split()) or "(no name)" for name in every}
    lines = {name: tuple(wrapped(shown[name], LINE, most).split("\n")) for name in every}
    height = max(map(len, lines.values()), default=1) * LINE_HEIGHT + FRAME
    return {name: Box(line, box_width("\n".join(line)), height) for name, line in lines.items()}

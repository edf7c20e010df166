"""Rows at the end of a table that are none of it: a legend, totals, a footnote, with or without a blank line before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from engine.data.reading.headers import Row
from engine.data.reading.numbers import GROUPED, MISSING_TOKENS, PERCENT, is_date, is_number

LOOKED_AT = 60
"""Rows at the end that may be none of the table."""
_FEWEST_BODY = 8
_MOST_OF = 0.9
TOTALS = re.compile(
    r"(?:sub|grand[ -]?)?totals?|sums?|means?|averages?|avg|medians?|counts?|n|sd|std\.?|st\.? ?dev\.?|min\.?|max\.?|"
    r"minimum|maximum|percent|%|summe|gesamt|insgesamt|mittelwert|durchschnitt|anzahl|somme|moyenne|médiane|"
    r"total général|suma|media|mediana|promedio|totale|totaal|gemiddelde|som|всего|итого",
    re.IGNORECASE,
)
"""What stands before totals, means and the like."""
_LIMIT = re.compile(r"[<>≤≥]")


@dataclass(frozen=True)
class _CellKind:
    """The pattern of a column's cells: numbers, dates, one pattern of letters and digits, or a few words."""

    kind: str
    known: frozenset[str] = frozenset()
    longest: int = 0

    @classmethod
    def of(cls, texts: Sequence[str], decimal: str) -> _CellKind:
        """From its filled cells."""
        longest = max(map(len, texts), default=0)
        if len(texts) < _FEWEST_BODY:
            return cls("", longest=longest)
        if _share(texts, lambda text: _numeric(text, decimal)) >= _MOST_OF:
            return cls("number", longest=longest)
        if _share(texts, is_date) >= _MOST_OF:
            return cls("date", longest=longest)
        if 3 * len(set(texts)) <= len(texts):
            return cls("words", frozenset(texts), longest)
        patterns = frozenset(map(_pattern, texts))
        return cls("pattern", patterns, longest) if len(patterns) <= 2 else cls("", longest=longest)

    def is_unlike(self, text: str, decimal: str) -> bool:
        """True where a cell is none of this column."""
        if self.kind == "number":
            return not (_numeric(text, decimal) or _LIMIT.match(text))
        if self.kind == "date":
            return not is_date(text)
        if self.kind == "pattern":
            return _pattern(text) not in self.known
        if self.kind == "words":
            return text not in self.known
        return " " in text and len(text) > 1.5 * self.longest


def rows_below(body: Sequence[Sequence[str]], last: Sequence[Row], width: int, decimal: str) -> int:
    """Count the last rows, blank ones too, that are none of the table.

    Parameters
    ----------
    body : rows of the table from its first one on
    last : the last rows of the file, of which some may be among `body` too
    width : of the table
    decimal : mark of its numbers

    Returns
    -------
    0 where each may be a row of the kind above it
    """
    body = [cells for cells in body if any(map(str.strip, cells))]
    inner = body[: max(len(body) - len(last), len(body) // 2)]
    if width < 2 or len(inner) < _FEWEST_BODY:
        return 0
    columns = [
        _CellKind.of([row[j].strip() for row in inner if j < len(row) and _known(row[j])], decimal)
        for j in range(width)
    ]
    usual = sorted(sum(bool(cell.strip()) for cell in row) for row in inner)[len(inner) // 2]
    judged = [_judge(cells, columns, usual, decimal) for _, cells in last]
    return max(_run_of_odd(judged), _block_behind_blank(judged, width))


@dataclass(frozen=True)
class _Judged:
    """A row: how many cells it has, how many are of no kind of their columns, and whether it alone is none of them."""

    filled: int
    unlike: int
    odd: bool


def _judge(cells: Sequence[str], columns: Sequence[_CellKind], usual: int, decimal: str) -> _Judged:
    texts = [(j, cell.strip()) for j, cell in enumerate(cells) if cell.strip()]
    unlike = [j for j, text in texts if j >= len(columns) or (_known(text) and columns[j].is_unlike(text, decimal))]
    sparse = 2 * len(texts) <= usual or (usual <= 3 and len(texts) < usual)
    total = bool(texts) and TOTALS.fullmatch(texts[0][1].rstrip(": ").lstrip("(").rstrip(")=")) is not None
    return _Judged(len(texts), len(unlike), bool(unlike) and (sparse or (total and texts[0][0] in unlike)))


def _run_of_odd(judged: Sequence[_Judged]) -> int:
    """Rows at the end that are odd each by itself, blank ones between them."""
    result = 0
    for place, row in enumerate(reversed(judged), 1):
        if row.odd:
            result = place
        elif row.filled:
            break
    return _with_blanks(judged, result)


def _block_behind_blank(judged: Sequence[_Judged], width: int) -> int:
    """Rows behind a blank line of which none fits and most are unlike in much of what they hold, as a second table."""
    for place in range(1, len(judged)):
        block = judged[place:]
        if judged[place - 1].filled or not judged[place].filled:
            continue
        filled = [row for row in block if row.filled]
        odd = sum(row.odd or 2 * row.unlike >= max(row.filled, 2) for row in filled)
        if all(row.unlike or 2 * row.filled <= width for row in filled) and 2 * odd > len(filled):
            return _with_blanks(judged, len(block))
    return 0


def _with_blanks(judged: Sequence[_Judged], count: int) -> int:
    """The count with the blank rows above these."""
    while 0 < count < len(judged) and not judged[-count - 1].filled:
        count += 1
    return count


def _known(text: str) -> bool:
    return bool(text.strip()) and text.strip() not in MISSING_TOKENS


def _numeric(text: str, decimal: str) -> bool:
    return is_number(text, decimal) or any(style[decimal].fullmatch(text) for style in (GROUPED, PERCENT))


def _pattern(text: str) -> str:
    """Letters and digits of a text as one sign each run: 'P-01' and 'P-117' have one pattern."""
    return re.sub(r"\d+", "9", re.sub(r"[^\W\d_]+", "a", text))


def _share(texts: Sequence[str], fits: Callable[[str], bool]) -> float:
    return sum(map(fits, texts)) / len(texts)


class TableEnd:
    """Holds back the last rows of a table that are none of it, and says which these were.

    Attributes
    ----------
    found : rows at the end that look like none of the table -> the text of their first cells
    skipped : how many were left out, blank ones counted
    looked_at : rows at the end that are looked at
    """

    def __init__(self, body: Sequence[Row], width: int, decimal: str, skip_last: int | str) -> None:
        self._body, self._width, self._decimal, self._wanted = body, width, decimal, skip_last
        self.found: tuple[str, ...] = ()
        self.skipped = 0
        self.looked_at = max(LOOKED_AT, skip_last if isinstance(skip_last, int) else 0)

    def held_back(self, last: Sequence[Row]) -> int:
        """Number of the last rows to be left out."""
        odd = rows_below([cells for _, cells in self._body], last[-LOOKED_AT:], self._width, self._decimal)
        wanted = self._wanted if isinstance(self._wanted, int) else odd
        self.skipped = min(wanted, len(last))
        shown = last[len(last) - max(odd, self.skipped) :] if odd or self.skipped else ()
        texts = (next((cell.strip() for cell in cells if cell.strip()), "") for _, cells in shown)
        self.found = tuple(text[:60] for text in texts if text)
        return self.skipped

    def without(self, rows: Iterator[Row]) -> Iterator[Row]:
        """The rows but these."""
        waiting: list[Row] = []
        for row in rows:
            waiting.append(row)
            if len(waiting) >= 2 * self.looked_at:
                yield from waiting[: self.looked_at]
                del waiting[: self.looked_at]
        yield from waiting[: len(waiting) - self.held_back(waiting[-self.looked_at :])]

"""Where the table starts in a file, which row is its header, and what its columns are called."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from engine.data.reading.name_rows import AUTO, END, JOIN, LABEL, LOWER, UPPER, read_name_rows, without_prefixes
from engine.data.reading.naming import shown_name
from engine.data.reading.numbers import is_date, is_number
from engine.errors import DataError, InputError
from engine.text import joined, told

LONGEST_NAME = 200
LONGEST_LABEL = 500
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_SPACE = re.compile(r"\s+")
_SAFE = re.compile("^'(?=[=+\\-@\uff1d\uff0b\uff0d\uff20])")

Row = tuple[int, list[str]]
"""A line number and its cells."""


class MergedRow(list[str]):
    """The cells of a row of a workbook, some of them merged: only the first of these holds the text.

    Attributes
    ----------
    spans : first -> last position of each merged cell of this row
    above : position -> line and text of a merged cell that began in a row above
    """

    spans: Mapping[int, int]
    above: Mapping[int, tuple[int, str]]

    def __init__(
        self, cells: Sequence[str], spans: Mapping[int, int], above: Mapping[int, tuple[int, str]] | None = None
    ) -> None:
        super().__init__(cells)
        self.spans, self.above = spans, above or {}

    def filled(self, line: int) -> list[str]:
        """The cells with the values of those above that they are merged with, but for what began above `line`."""
        cells = list(self)
        for place, (began, text) in self.above.items():
            if began >= line and place < len(cells):
                cells[place] = text
        return cells

    def written_out(self) -> list[str]:
        """The text of each merged cell in all its positions."""
        cells = list(self)
        for first, last in self.spans.items():
            cells[first : last + 1] = [self[first]] * len(cells[first : last + 1])
        return cells


@dataclass(frozen=True)
class Layout:
    """The meaning of the first rows.

    `header` is the header's cells, `header_line` its line; None where it has none and its columns are numbered;
    `first` is the index of the first row of data among the rows looked at; `skipped` are lines above the header;
    `notes` are sentences; `labels` are those of the columns, where a second row of names holds them; `name_rows` says
    what can become of two rows of names (see `engine.data.reading.name_rows`), and is empty where there is one.
    """

    header: list[str]
    header_line: int | None
    first: int
    skipped: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    labels: list[str] = field(default_factory=list)
    name_rows: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Renamed:
    """One header that was changed, and why."""

    position: int
    was: str
    now: str
    why: str


def clean_text(text: str) -> str:
    """Trimmed, NFC, without invisible marks: what two look-alike texts have in common."""
    return _INVISIBLE.sub("", unicodedata.normalize("NFC", text)).strip()


def without_guard(text: str) -> str:
    """`text` without the apostrophe that a CSV safe to open in a spreadsheet puts before a formula sign."""
    return _SAFE.sub("", text)


_JOINED: dict[str, str] = {
    JOIN: "the names of both are joined",
    END: "the names of both are joined, and a group ends where the answers change",
    LOWER: "those of the second are used",
    UPPER: "those of the first are used",
    LABEL: "the first has the names, the second their labels",
}


def find_layout(
    rows: Sequence[Row],
    *,
    header: int | str | None,
    skip_rows: int,
    decimal: str,
    name_rows: str = AUTO,
    delimiter: str | None = None,
) -> Layout:
    """Find preamble, header and width among the first rows of a file (blank rows included as empty lists)."""
    layout = _one_row(rows, header=header, skip_rows=skip_rows, decimal=decimal, delimiter=delimiter)
    layout = replace(layout, header=_like(layout.header, without_prefixes(layout.header)))
    if layout.header_line is None or (isinstance(header, int) and name_rows == AUTO):
        return layout
    return _with_second_row(rows, layout, decimal, name_rows)


def _like(cells: list[str], names: list[str]) -> list[str]:
    """The cells as they are where the names are the same: merged cells stay merged."""
    return cells if cells == names else names


def _with_second_row(rows: Sequence[Row], layout: Layout, decimal: str, way: str) -> Layout:
    """The layout with the row below its header among the names, where that is one of names too."""
    places = [i for i in range(layout.first, len(rows)) if _filled(rows[i][1])]
    upper = next((cells for line, cells in rows if line == layout.header_line), layout.header)
    upper = upper.written_out() if isinstance(upper, MergedRow) else layout.header
    result = read_name_rows(upper, [rows[i][1] for i in places], way, decimal)
    if not result.below:
        return replace(layout, name_rows=result.ways)
    if result.note:
        notes: tuple[str, ...] = (*layout.notes, result.note)
    else:
        way = next(iter(result.ways)) if way == AUTO else way
        lines = f"lines {layout.header_line} and {rows[places[0]][0]}"
        notes = (*layout.notes, f"The names stand in two rows ({lines}): {_JOINED[way]}.")
    first = places[result.below - 1] + 1
    return replace(layout, header=result.names, first=first, notes=notes, labels=result.labels, name_rows=result.ways)


def _one_row(
    rows: Sequence[Row], *, header: int | str | None, skip_rows: int, decimal: str, delimiter: str | None
) -> Layout:
    """The layout of a file whose names stand in one row."""
    index = next((i for i, (line, _) in enumerate(rows) if line > skip_rows), len(rows))
    skipped = [line for line, cells in rows[:index] if cells]
    if isinstance(header, int):
        return _layout_with_header_at(rows, header)
    width = _usual_width(rows[index:])
    if width == 0:
        raise InputError("The file holds no table: no line of it has a value. Choose another file or sheet.")
    if header is None:
        return Layout(_numbered(width), None, index, tuple(skipped))
    notes: list[str] = []
    if _has_row_names(rows[index:], width, delimiter):
        line, cells = next(row for row in rows[index:] if _filled(row[1]))
        notes.append(f"Each row begins with a name for which line {line} has none; the column is called 'row name'.")
        place = next(i for i, row in enumerate(rows) if row[0] == line)
        return Layout(["row name", *cells], line, place + 1, tuple(skipped), tuple(notes))
    begin = index + lines_above(rows[index:], decimal)
    skipped += [line for line, cells in rows[index:begin] if cells]
    index = begin
    while index < len(rows) and _preamble(rows, index, width):
        if rows[index][1]:
            skipped.append(rows[index][0])
        index += 1
    if index >= len(rows):
        raise InputError("The file holds only comment lines. Choose a file with a header and rows.")
    line, cells = rows[index]
    below = [row for _, row in rows[index + 1 :] if _filled(row)]
    if _looks_like_data(cells, below, decimal):
        _refuse_short_header(rows[:index], width, line)
        notes.append(
            f"Line {line} looks like data, not like column names, so the columns are called 'column 1', "
            "'column 2', ...; if it is the header after all, choose it."
        )
        return Layout(_numbered(width), None, index, tuple(skipped), tuple(notes))
    cells = [cells[0].lstrip("# "), *cells[1:]] if cells[0].startswith("#") else cells
    if any(is_number(cell.strip(), decimal) for cell in cells):
        notes.append(f"Some column names in line {line} are numbers; if this line is data, choose 'no header'.")
    return Layout(cells, line, index + 1, tuple(skipped), tuple(notes))


def clean_names(header: Sequence[str]) -> tuple[list[str], list[Renamed]]:
    """Column names that are trimmed, visible and all different, and what had to be changed."""
    names: list[str] = []
    renamed: list[Renamed] = []
    taken = Counter[str]()
    for position, was in enumerate(header):
        name = _SPACE.sub(" ", "".join(c if c.isprintable() or c == "\u200d" else " " for c in clean_text(was)))
        name = name.strip()
        why = "" if name == was else "spaces or invisible characters removed"
        if len(name) > LONGEST_NAME:
            name, why = name[: LONGEST_NAME - 1] + "…", f"longer than {LONGEST_NAME} characters"
        if not name:
            name, why = f"column {position + 1}", "empty"
        base, number = name, 1
        while name in taken:
            number += 1
            name, why = f"{base} ({number})", "the same name stands twice"
        taken[name] += 1
        names.append(name)
        if why:
            renamed.append(Renamed(position, was[:LONGEST_NAME], name, why))
    return names, renamed


def header_problems(names: Sequence[str]) -> Iterator[str]:
    """Sentences on column names that are easily mixed up, since they differ only in capitals."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(name.casefold(), []).append(name)
    for twins in groups.values():
        if len(twins) > 1:
            names = joined((told("'{}'", shown_name(name)) for name in twins), " and ")
            yield told("The columns {} differ only in capitals; check that both are meant.", names)


def _numbered(width: int) -> list[str]:
    return [f"column {j + 1}" for j in range(width)]


def _layout_with_header_at(rows: Sequence[Row], header: int) -> Layout:
    for index, (line, cells) in enumerate(rows):
        if line == header and cells:
            above = tuple(line for line, item in rows[:index] if item)
            return Layout(cells, line, index + 1, above)
    raise InputError(f"Line {header} was chosen as the header, but there is no such line with values in it.")


def _filled(cells: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in cells)


def _usual_width(rows: Sequence[Row]) -> int:
    widths = Counter(len(cells) for _, cells in rows if _filled(cells))
    return max(widths, key=lambda width: (widths[width], width)) if widths else 0


def _preamble(rows: Sequence[Row], index: int, width: int) -> bool:
    """True where the row is blank, a comment or a title above the table."""
    cells = rows[index][1]
    filled = _filled(cells)
    if not filled:
        return True
    rest = [row for _, row in rows[index + 1 :] if _filled(row)]
    if not rest:
        return False
    if cells[0].lstrip().startswith(("#", "//", "%%")):
        return len(cells) != width or width == 1 or rest[0][0].lstrip().startswith("#")
    if len(cells) < width:
        # one field fewer than the rows is a header without its first name, unless a real header follows
        return len(cells) < width - 1 or width == 2 or not _looks_like_data(rest[0], rest[1:], ".")
    return filled == 1 and width >= 3 and _filled(rest[0]) >= width - 1


def lines_above(rows: Sequence[Row], decimal: str) -> int:
    """Count the first rows, blank ones too, that are titles and notes above the names of a table.

    Names are the first row that has about as many cells as the rows below it; a blank line, and below it words over
    columns of numbers, is proof that they begin there.
    """
    filled = [_filled(cells) for _, cells in rows]
    counts = sorted(filter(None, filled))
    usual = counts[len(counts) // 2] if counts else 0
    if usual < 2:
        return 0
    first = next((i for i, many in enumerate(filled) if _is_dense(rows[i][1], many, usual)), 0)
    below = [cells for _, cells in rows[first + 1 :] if _filled(cells)]
    if first and _looks_like_data(rows[first][1], below, decimal):
        return 0
    blank = [i for i in range(first, min(first + _MOST_NOTES, len(rows) - 1)) if not filled[i] and filled[i + 1]]
    behind = next((i + 1 for i in blank if _words_over_numbers(rows[i + 1 :], decimal)), 0)
    if behind and _is_dense(rows[behind][1], filled[behind], usual):
        return behind
    return first - 1 if first and _are_groups(rows[first - 1][1], rows[first][1], decimal) else first


_MOST_NOTES = 15
"""Rows of notes above a table, behind which a blank line is looked for."""


def _is_dense(cells: Sequence[str], filled: int, usual: int) -> bool:
    """True where a row has about as many cells as usual; a first name may be left out."""
    return 2 * filled > usual and (filled > 1 or (len(cells) > 1 and not cells[0].strip()))


def _words_over_numbers(rows: Sequence[Row], decimal: str) -> bool:
    """True where a row has words over all columns of numbers below it, of which there are some."""
    names, below = rows[0][1], [cells for _, cells in rows[1:] if _filled(cells)]
    numeric = [j for j in range(len(names)) if _share(below, j, lambda text: is_number(text, decimal)) > 0.9]
    return (
        len(below) > 2 and bool(numeric) and all(names[j].strip() and not is_number(names[j], decimal) for j in numeric)
    )


def _are_groups(upper: Sequence[str], names: Sequence[str], decimal: str) -> bool:
    """True where a row with few cells right above names has groups of these, and is no title or note."""
    spans = upper.spans if isinstance(upper, MergedRow) else {}
    places = [j for j, cell in enumerate(upper) if cell.strip()]
    texts = [upper[j].strip() for j in places]
    odd = (text.endswith(":") or is_number(text, decimal) or is_date(text, months=False) for text in texts)
    if len(places) < 2 or any(odd):
        return len(places) == 1 and places[0] in spans and not (places[0] == 0 and spans[0] >= len(names) - 1)
    pairs = places == [0, 1] and not spans and len(names) > 1 and all(names[j].strip() for j in places)
    return not (pairs and len(set(names)) == len(names))


def _has_row_names(rows: Sequence[Row], width: int, delimiter: str | None) -> bool:
    """True where each row but the first begins with a name of its own that the first has none for, as R writes them.

    Not of commas: a decimal comma parts fields too.
    """
    head, *body = [cells for _, cells in rows if _filled(cells)]
    return (
        delimiter not in (",", None)
        and len(head) == width - 1 == _filled(head)
        and len(body) > 2
        and all(len(cells) == width for cells in body)
        and len({cells[0] for cells in body}) == len(body)
    )


def _looks_like_data(cells: Sequence[str], below: Sequence[Sequence[str]], decimal: str) -> bool:
    """True where a first row is one more row of data.

    It is when it has a number wherever the column below has only numbers (and some column has), or, in a
    table of words, when each of its words comes again below. A row of consecutive whole numbers, such as
    years, counts as names.
    """
    if len(below) < 1:
        return False
    texts = [cell.strip() for cell in cells]
    numeric = [j for j in range(len(texts)) if _share(below, j, lambda text: is_number(text, decimal)) > 0.9]
    if numeric:
        if _consecutive([texts[j] for j in numeric]) and not _consecutive(
            [below[0][j].strip() for j in numeric if j < len(below[0])]
        ):
            return False
        return all(not texts[j] or is_number(texts[j], decimal) for j in numeric) and any(texts[j] for j in numeric)
    if any(is_date(text, months=False) for text in texts):
        return True
    seen = [{row[j].strip() for row in below if j < len(row)} for j in range(len(texts))]
    return len(below) >= 5 and all(text in values for text, values in zip(texts, seen, strict=True) if text)


def _share(rows: Sequence[Sequence[str]], column: int, fits: Callable[[str], bool]) -> float:
    values = [row[column].strip() for row in rows if column < len(row) and row[column].strip()]
    return sum(map(fits, values)) / len(values) if values else 0.0


def _consecutive(texts: Sequence[str]) -> bool:
    if len(texts) < 3 or not all(re.fullmatch(r"\d{1,4}", text) for text in texts):
        return False
    values = [int(text) for text in texts]
    return all(after - before == 1 for before, after in pairwise(values))


def _refuse_short_header(above: Sequence[Row], width: int, line: int) -> None:
    for _, cells in reversed(above):
        if not _filled(cells) or cells[0].lstrip().startswith("#"):
            continue
        if len(cells) == width - 1:
            raise too_long(line, width, len(cells), every=True)
        return


def too_long(line: int, fields: int, names: int, *, every: bool) -> DataError:
    """The error for rows with more fields than the header has names."""
    start = "A row has more fields than the header"
    remedy = "Look for a separator inside a value and put that value in double quotes."
    if every:
        start = "Every row has one field more than the header"
        remedy = "If the rows start with a row name, give that column a name; else look for an unquoted separator."
    return InputError(f"{start}: line {line} has {fields}, the header has {names}. {remedy}", row=line)

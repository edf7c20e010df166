"""Text tables (CSV and its kin) and other grids of text: from lines to typed columns."""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count, islice
from math import log2
from typing import Any

from engine.data.reading.columns import (
    MISSING_TOKENS,
    ColumnStore,
    TableBuilder,
    Typed,
    naming,
    typed,
    with_one_spelling,
)
from engine.data.reading.decoding import find_encoding
from engine.data.reading.headers import LONGEST_LABEL, Layout, MergedRow, Row, find_layout, too_long
from engine.data.reading.last_rows import TableEnd
from engine.data.reading.limits import Choices, Limits, Progress, silent
from engine.data.reading.numbers import find_decimal, is_number
from engine.data.reading.odd_rows import odd_rows
from engine.data.reading.regular_text import read_regular
from engine.data.reading.report import ReadingReport
from engine.errors import DataError, InputError
from engine.lazy import pd

SAMPLE_ROWS = 500
SAMPLE_CHARACTERS = 1 << 18
_ROWS_PER_NOTICE = 10_000
_KINDS = ("short_lines", "long_lines", "blank_lines", "name_lines")
"""Lines that are told by their numbers."""
_ODD_ROWS = 1_000
"""How many odd rows of a large text are looked at before it is read."""


@dataclass
class Lines:
    """Line numbers met on the way: the first twenty of a sort, and how many there were."""

    count: int = 0
    first: list[int] = field(default_factory=list)

    def note(self, line: int) -> None:
        """Count one more line."""
        self.count += 1
        if len(self.first) < 20:
            self.first.append(line)


def read_text(
    data: bytes, choices: Choices, limits: Limits, report: ReadingReport, progress: Progress = silent
) -> pd.DataFrame:
    """A text table as a frame; see `engine.data.reading.read.read_table`."""
    rows, report = text_rows(data, choices, report, progress)
    start = table_start(rows, choices, limits, report)
    code, mark, decimal = start.report.encoding or "utf-8", start.report.delimiter, start.report.decimal or "."
    end = TableEnd(start.body, start.width, decimal, choices.skip_last)
    fast = None
    if not _repeats_names(data, start):
        fast = read_regular(data, code, mark, start.body, start.width, decimal, _tokens(choices), limits, end, progress)
    if fast is None:
        if start.body:
            _refuse_odd_rows(data, code, mark, start)
        return _filled_frame(start, rows, choices, limits)
    (rows_read, columns), first = fast, start.body[0][0]
    return _typed_frame(columns, start, range(first, first + rows_read), {}, end)


def _repeats_names(data: bytes, start: TableStart) -> bool:
    """True where the line of the names stands again further down, as in files put one below the other."""
    if not start.names or start.layout.header_line is None:
        return False
    place = 0
    for _ in range(start.layout.header_line - 1):
        place = data.find(b"\n", place) + 1
    end = data.find(b"\n", place)
    return end > 0 and data.find(b"\n" + data[place:end].rstrip(b"\r"), end) >= 0


def _refuse_odd_rows(data: bytes, encoding: str, delimiter: str | None, start: TableStart) -> None:
    """Refuse a large text for what its careful reader would find in one of the last rows, before that begins."""
    seen = {kind: Lines() for kind in _KINDS}
    usual: Row = (0, ["x"] * start.width)
    for line, text in islice(odd_rows(data, encoding, delimiter, start.width, start.body[0][0]), _ODD_ROWS):
        rows = _parse_rows(io.StringIO(text, newline=""), delimiter, line - 1, lambda: None)
        for _ in _fitted(chain([usual], rows), start.width, seen):
            pass


def text_rows(
    data: bytes, choices: Choices, report: ReadingReport, progress: Progress = silent
) -> tuple[Iterator[Row], ReadingReport]:
    """The rows of a text table, blank lines as empty lists, each with its line number."""
    encoding = find_encoding(data, choices.encoding)
    notes = list(report.notes)
    if not encoding.certain:
        notes.append(
            f"The file does not say which encoding it is in; it was read as {encoding.name}. "
            "If letters look wrong, choose another."
        )
    stream = io.TextIOWrapper(io.BytesIO(data), encoding.name, newline="")
    sample = stream.read(SAMPLE_CHARACTERS)
    whole = not stream.read(1)
    lines = io.StringIO(sample, newline="").readlines()
    lines = lines if whole or len(lines) < 2 else lines[:-1]
    declared = _SEP_LINE.match(lines[0]) if lines else None  # a spreadsheet's own first line
    delimiter = choices.delimiter or (declared[1] if declared else find_delimiter(lines[:SAMPLE_ROWS]))
    content = io.BytesIO(data)
    stream = io.TextIOWrapper(content, encoding.name, newline="")
    report = replace(report, encoding=encoding.name, delimiter=delimiter, notes=tuple(notes))
    if declared:
        next(stream, None)
    rows = _parse_rows(stream, delimiter, 1 if declared else 0, lambda: progress(content.tell() / len(data)))
    return rows, report


def _parse_rows(source: Iterator[str], delimiter: str | None, skip: int, notify: Callable[[], None]) -> Iterator[Row]:
    """Rows of a text stream, numbered after lines that were passed over; a damaged quote is an error with its line."""
    # without a separator any character that no text holds will do, so that quotes keep their meaning
    reader = csv.reader(
        source, delimiter=delimiter or "\x1f", strict=True, skipinitialspace=delimiter in (" ", ",", ";", "|")
    )
    start = skip + 1
    for row in count():
        if row % _ROWS_PER_NOTICE == 0:
            notify()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise _quote_error(str(error), start) from None
        if delimiter == " " and cells and cells[-1] == "":
            cells.pop()
        yield start, cells
        start = skip + reader.line_num + 1


def _quote_error(message: str, line: int) -> DataError:
    if "field larger" in message:
        words = (
            f"Line {line} has a cell of more than {csv.field_size_limit():,} characters, which is no value of a table. "
            "If a double quote is opened there and not closed, close or remove it; else shorten the cell."
        )
    elif "end of data" in message:
        words = f"Line {line} opens a double quote that is never closed. Close or remove it."
    else:
        words = (
            f"Line {line}: a value in double quotes is followed by more text. "
            "Double the quotes inside the value, or remove them."
        )
    return InputError(words, row=line)


@dataclass(frozen=True)
class TableStart:
    """The start of a table: where it begins, how wide it is, the report so far, and its names if these are one row."""

    layout: Layout
    width: int
    body: list[Row]
    report: ReadingReport
    names: Sequence[str] = ()


def grid_table(rows: Iterable[Row], choices: Choices, limits: Limits, report: ReadingReport) -> pd.DataFrame:
    """Rows of text cells as a frame with typed columns and its report attached."""
    rows = iter(rows)
    return _filled_frame(table_start(rows, choices, limits, report), rows, choices, limits)


def table_start(rows: Iterator[Row], choices: Choices, limits: Limits, report: ReadingReport) -> TableStart:
    """Take the first rows and decide by them."""
    head = list(islice(rows, SAMPLE_ROWS))
    limits.check_shape(0, max((len(cells) for _, cells in head), default=0))
    decimal, certain = choices.decimal, True
    if decimal is None:
        decimal, certain = find_decimal((cell.strip() for _, cells in head for cell in cells), report.delimiter)
    layout = find_layout(
        head,
        header=choices.header,
        skip_rows=choices.skip_rows,
        decimal=decimal,
        name_rows=choices.name_rows,
        delimiter=report.delimiter,
    )
    notes = [*report.notes, *layout.notes]
    if not certain:
        notes.append(f"{open_mark(decimal, report.delimiter)}; choose the decimal mark if that is wrong.")
    report = replace(
        report,
        decimal=decimal,
        header_line=layout.header_line,
        skipped_lines=layout.skipped,
        notes=tuple(notes),
        name_rows=layout.name_rows,
        decimal_open=not certain,
    )
    width = _width_without_trailing(layout, head)
    limits.check_shape(0, width)
    names = next((cells for line, cells in head if line == layout.header_line), [])
    alone = len(_trimmed(names)) > 1 and _trimmed(names) == _trimmed(layout.header)
    return TableStart(layout, width, head[layout.first :], report, _trimmed(names) if alone else ())


def _trimmed(cells: Sequence[str]) -> list[str]:
    """The cells without blanks around them, and without empty ones at the end."""
    result = [cell.strip() for cell in cells]
    while result and not result[-1]:
        result.pop()
    return result


def open_mark(decimal: str, delimiter: str | None) -> str:
    """Say how numbers were read that only the user knows to have thousands or decimals."""
    if decimal == "." and delimiter == ";":
        return "Numbers such as 1.234 were read with a decimal point"
    meaning = "decimal comma" if decimal == "," else "comma that parts thousands"
    return f"Numbers such as 1,234 were read with a {meaning}"


def _width_without_trailing(layout: Layout, head: Sequence[Row]) -> int:
    """The number of columns; empty ones at the right end that come from trailing separators do not count."""
    width = len(layout.header)
    body = [cells for _, cells in head[layout.first :]]
    while width > 1 and (layout.header_line is None or not layout.header[width - 1].strip()):
        if any(len(cells) >= width and cells[width - 1].strip() for cells in body):
            break
        width -= 1
    return width


def _filled_frame(start: TableStart, rows: Iterator[Row], choices: Choices, limits: Limits) -> pd.DataFrame:
    """Read all rows, give each column its type, and write down what was met."""
    seen = {kind: Lines() for kind in _KINDS}
    body = _unmerged(chain(start.body, rows), start.body[0][0] if start.body else 1)
    end = TableEnd(start.body, start.width, start.report.decimal or ".", choices.skip_last)
    store, lines = _stored(_fitted(end.without(body), start.width, seen, start.names), start.width, limits)
    if not lines:
        raise InputError(
            f"The file has a header (line {start.layout.header_line}) but no rows below it. "
            "Choose a file with data, or another header line."
        )
    decimal, tokens = start.report.decimal or ".", _tokens(choices)
    return _typed_frame(
        (typed(column, decimal, tokens, asked=True) for column in store.finish()), start, lines, seen, end
    )


def _tokens(choices: Choices) -> tuple[str, ...]:
    return MISSING_TOKENS if choices.missing is None else choices.missing


def _stored(rows: Iterable[Row], width: int, limits: Limits) -> tuple[ColumnStore, Sequence[int]]:
    """The rows column by column, and the line of each."""
    store, lines = ColumnStore(width), array("q")
    most = min(limits.rows, limits.cells // width)
    for line, cells in rows:
        lines.append(line)
        if len(lines) > most:
            limits.check_shape(len(lines), width)
        store.add(cells)
    return store, lines


def _unmerged(body: Iterable[Row], first: int) -> Iterator[Row]:
    """Rows of data in which each cell of those that are merged downwards has their value; names do not run on."""
    for line, cells in body:
        yield line, cells.filled(first) if isinstance(cells, MergedRow) else cells


def _fitted(body: Iterable[Row], width: int, seen: dict[str, Lines], names: Sequence[str] = ()) -> Iterator[Row]:
    """Rows of exactly `width` cells; blank lines are left out, or missing values in a table of one column.

    A line that has the names once more is left out too.
    """
    every = True  # whether all rows so far are one too long
    for line, cells in body:
        if names and cells and cells[0].strip() == names[0] and _trimmed(cells) == names:
            seen["name_lines"].note(line)
            continue
        if len(cells) == width and (width == 1 or any(cells)):
            every = False
            yield line, cells
        elif not any(map(str.strip, cells)):
            seen["blank_lines"].note(line)
            if width == 1:
                yield line, [""]
        elif len(cells) < width:
            every = False
            seen["short_lines"].note(line)
            yield line, cells + [""] * (width - len(cells))
        elif not any(map(str.strip, cells[width:])):
            seen["long_lines"].note(line)
            yield line, cells[:width]
        else:
            raise too_long(line, len(cells), width, every=every and len(cells) == width + 1)


def _trailing_problems(layout: Layout, width: int) -> Iterator[str]:
    if len(layout.header) > width:
        yield f"{len(layout.header) - width} empty column(s) at the right end, from trailing separators, were left out."


def _typed_frame(
    columns: Iterable[Typed], start: TableStart, lines: Sequence[int], seen: Mapping[str, Lines], end: TableEnd
) -> pd.DataFrame:
    """The columns as a frame; `lines` has the line of each row, `seen` the irregular ones."""
    layout, width = start.layout, start.width
    builder = TableBuilder(layout.header[:width], lines)
    columns = iter(columns)
    for name in builder.names:
        with naming(name):
            builder.add(name, with_one_spelling(next(columns)))
    first: dict[str, Any] = {kind: tuple(entry.first) for kind, entry in seen.items()}
    labels = {name: label[:LONGEST_LABEL] for name, label in zip(builder.names, layout.labels, strict=False) if label}
    counts = {kind: entry.count for kind, entry in seen.items() if entry.count}
    report = replace(
        start.report, labels=labels, counts=counts, rows_below=end.found, skipped_last=end.skipped, **first
    )
    return builder.finish(report, len(lines), _trailing_problems(layout, width))


CANDIDATES = (",", ";", "\t", "|")
_SEP_LINE = re.compile(r"^\ufeff?sep=(.)\s*$", re.IGNORECASE)
_DECIMAL_ONLY = re.compile(r"^\s*[+-]?\d+,\d+\s*$")


def find_delimiter(lines: Sequence[str]) -> str | None:
    """The separator of these first lines of a file, or None for a table of one column.

    Each candidate is scored by how many lines it cuts into the same number of fields, how many fields
    that is, and how few of the fields still hold another candidate. A space counts only when nothing
    else does and most of what it parts are numbers.
    """
    lines = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        return None
    if len(lines) > 1 and "," not in lines[0] and all(_DECIMAL_ONLY.match(line) for line in lines[1:]):
        return None  # one column of numbers with a decimal comma
    scores = {mark: _score(lines, mark) for mark in CANDIDATES}
    best = max(CANDIDATES, key=lambda mark: scores[mark])
    if scores[best] > 0:
        return best
    return " " if _parted_by_spaces(lines) else None


def _score(lines: Sequence[str], mark: str) -> float:
    try:
        rows = [row for row in csv.reader(lines, delimiter=mark) if row]
    except csv.Error:
        return 0.0
    widths = Counter(len(row) for row in rows if len(row) > 1)
    if not widths:
        return 0.0
    width = max(widths, key=lambda w: (widths[w], w))
    consistent = widths[width] / len(rows)
    cells = [cell for row in rows if len(row) == width for cell in row]
    unclean = sum(_unclean(cell, mark) for cell in cells) / len(cells)
    return consistent**2 * (1 - unclean) ** 2 * log2(width + 1)


def _unclean(cell: str, mark: str) -> float:
    """How much a field looks as if another separator should have cut it."""
    if any(other in cell for other in (";", "\t", "|") if other != mark):
        return 1.0
    if mark != "," and "," in cell and not is_number(cell.strip(), ","):
        return 0.5
    return 0.0


def _parted_by_spaces(lines: Sequence[str]) -> bool:
    """True where spaces part every line into as many fields, the first perhaps into one fewer (R's row names).

    Sentences do so by chance, so that numbers are asked of most fields of two, or of one column of more, or quotes.
    """
    try:
        rows = list(csv.reader(lines, delimiter=" ", skipinitialspace=True, strict=True))
    except csv.Error:
        return False
    rows = [row[:-1] if row and row[-1] == "" else row for row in rows]
    width = len(rows[-1])
    if width < 2 or any(len(row) != width for row in rows[1:]) or len(rows[0]) not in (width, width - 1):
        return False
    body = rows[1:] or rows
    if len(rows[0]) < width and (len(body) < 3 or len({row[0] for row in body}) < len(body)):
        return False
    if all(line.lstrip().startswith('"') or '" ' in line for line in lines):
        return True
    numeric = [all(is_number(row[j], ".") or is_number(row[j], ",") for row in body) for j in range(width)]
    return 2 * sum(numeric) > width or (width > 2 and any(numeric) and not all(numeric))

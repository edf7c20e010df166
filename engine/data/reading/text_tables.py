"""Text tables (CSV and its kin) and other grids of text: from lines to typed columns."""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from math import log2
from typing import TYPE_CHECKING, Literal

from engine.data.reading.columnar.regular import read_regular
from engine.data.reading.columns import MISSING_TOKENS, ColumnStore, Typed, naming, typed
from engine.data.reading.decoding import find_encoding
from engine.data.reading.headers import Layout, Row, case_twins, clean_names, find_layout, too_long
from engine.data.reading.limits import Limits
from engine.data.reading.numbers import find_decimal, is_number
from engine.data.reading.report import Cell, ReadingReport
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

SAMPLE_ROWS = 500
SAMPLE_CHARACTERS = 1 << 18
_TOLD_EVERY = 10_000
Progress = Callable[[float], None]
"""Told the fraction that is read."""


@dataclass(frozen=True)
class Choices:
    """What a user may decide instead of the reader; None or "auto" leaves it to the reader.

    Attributes
    ----------
    delimiter : one character;  decimal : "." or ",";  encoding : a codec name
    header : "auto", the 1-based line of the header, or None for a table without one
    skip_rows : lines at the top to pass over
    sheet : name or 0-based position of the worksheet
    missing : texts that count as missing; an empty cell always does
    """

    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    header: int | Literal["auto"] | None = "auto"
    skip_rows: int = 0
    sheet: str | int | None = None
    missing: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '\r\n"'):
            raise DataError("The separator must be one character, such as ',' or ';'; for a tab give '\\t'.")
        if self.decimal not in (None, ".", ","):
            raise DataError("The decimal mark must be '.' or ','.")
        if self.decimal is not None and self.decimal == self.delimiter:
            raise DataError("The separator and the decimal mark cannot be the same character.")
        if isinstance(self.missing, str):
            raise DataError("Give the missing tokens as a list of texts, not as one text.")
        if not (self.header in ("auto", None) or (isinstance(self.header, int) and self.header >= 1)):
            raise DataError("The header must be a line number from 1 on, None for no header, or 'auto'.")


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
    data: bytes, choices: Choices, limits: Limits, report: ReadingReport, progress: Progress | None = None
) -> pd.DataFrame:
    """A text table as a frame; see `engine.data.reading.read.read_table`."""
    rows, report = text_rows(data, choices, report, progress)
    start = _start(rows, choices, limits, report)
    code, mark, decimal = start.report.encoding or "utf-8", start.report.delimiter, start.report.decimal or "."
    fast = read_regular(data, code, mark, start.body, start.width, decimal, _tokens(choices), limits, progress)
    if fast is None:
        return _filled_frame(start, rows, choices, limits)
    first = start.body[0][0]
    return _typed_frame(fast.columns, start, range(first, first + fast.rows), {})


def text_rows(
    data: bytes, choices: Choices, report: ReadingReport, progress: Progress | None = None
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
    declared = sep_line(lines[0]) if lines else None
    delimiter = choices.delimiter or declared or find_delimiter(lines[:SAMPLE_ROWS])
    content = io.BytesIO(data)
    stream = io.TextIOWrapper(content, encoding.name, newline="")
    report = replace(report, encoding=encoding.name, delimiter=delimiter, notes=tuple(notes))
    rows = _parsed(stream, delimiter, skip=1 if declared else 0)
    return (rows if progress is None else _telling(rows, content, len(data), progress)), report


def _telling(rows: Iterable[Row], content: io.BytesIO, size: int, progress: Progress) -> Iterator[Row]:
    """The rows; what part of the bytes they have taken is told now and then."""
    for count, row in enumerate(rows):
        if count % _TOLD_EVERY == 0:
            progress(content.tell() / size)
        yield row


def _parsed(stream: Iterable[str], delimiter: str | None, skip: int) -> Iterator[Row]:
    """Rows of a text stream; a damaged quote is an error with its line."""
    source = iter(stream)
    for _ in range(skip):
        next(source, None)
    # without a separator any character that no text holds will do, so that quotes keep their meaning
    reader = csv.reader(
        source, delimiter=delimiter or "\x1f", strict=True, skipinitialspace=delimiter in (" ", ",", ";", "|")
    )
    start = skip + 1
    while True:
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
    return DataError(words, row=line)


@dataclass(frozen=True)
class _Start:
    """What the first rows of a table tell: where it begins, how wide it is, and the report so far."""

    layout: Layout
    width: int
    body: list[Row]
    report: ReadingReport


def grid_table(rows: Iterable[Row], choices: Choices, limits: Limits, report: ReadingReport) -> pd.DataFrame:
    """Rows of text cells as a frame with typed columns and its report attached."""
    rows = iter(rows)
    return _filled_frame(_start(rows, choices, limits, report), rows, choices, limits)


def _start(rows: Iterator[Row], choices: Choices, limits: Limits, report: ReadingReport) -> _Start:
    """Take the first rows and decide by them."""
    head = list(islice(rows, SAMPLE_ROWS))
    limits.check_shape(0, max((len(cells) for _, cells in head), default=0))
    decimal, certain = _decimal(head, choices, report.delimiter)
    layout = find_layout(head, header=choices.header, skip_rows=choices.skip_rows, decimal=decimal)
    notes = [*report.notes, *layout.notes]
    if not certain:
        meaning = "decimal comma" if decimal == "," else "comma that parts thousands"
        notes.append(f"Numbers such as 1,234 were read with a {meaning}; choose the decimal mark if that is wrong.")
    report = replace(
        report, decimal=decimal, header_line=layout.header_line, skipped_lines=layout.skipped, notes=tuple(notes)
    )
    width = _width_without_trailing(layout, head)
    limits.check_shape(0, width)
    return _Start(layout, width, head[layout.first :], report)


def _decimal(head: Sequence[Row], choices: Choices, delimiter: str | None) -> tuple[str, bool]:
    if choices.decimal is not None:
        return choices.decimal, True
    return find_decimal((cell.strip() for _, cells in head for cell in cells), delimiter)


def _width_without_trailing(layout: Layout, head: Sequence[Row]) -> int:
    """The number of columns; empty ones at the right end that come from trailing separators do not count."""
    width = len(layout.header) if layout.header is not None else layout.width
    body = [cells for _, cells in head[layout.first :]]
    while width > 1 and (layout.header is None or not layout.header[width - 1].strip()):
        if any(len(cells) >= width and cells[width - 1].strip() for cells in body):
            break
        width -= 1
    return width


def _filled_frame(start: _Start, rows: Iterator[Row], choices: Choices, limits: Limits) -> pd.DataFrame:
    """Read all rows, give each column its type, and write down what was met."""
    seen = {kind: Lines() for kind in ("short_lines", "long_lines", "blank_lines")}
    store, lines = _stored(_fitted(chain(start.body, rows), start.width, seen), start.width, limits)
    if not lines:
        raise DataError(
            f"The file has a header (line {start.layout.header_line}) but no rows below it. "
            "Choose a file with data, or another header line."
        )
    decimal, tokens = start.report.decimal or ".", _tokens(choices)
    return _typed_frame((typed(column, decimal, tokens) for column in store.finish()), start, lines, seen)


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


def _fitted(body: Iterable[Row], width: int, seen: dict[str, Lines]) -> Iterator[Row]:
    """Rows of exactly `width` cells; blank lines are left out, or missing values in a table of one column."""
    every = True  # whether all rows so far are one too long
    for line, cells in body:
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


def header_problems(names: Sequence[str]) -> Iterator[str]:
    """Sentences on column names that are easily mixed up."""
    for twins in case_twins(names):
        listed = " and ".join(f"'{name[:60]}'" for name in twins)
        yield f"The columns {listed} differ only in capitals; check that both are meant."


def _trailing_problems(layout: Layout, width: int) -> Iterator[str]:
    given = len(layout.header) if layout.header is not None else layout.width
    if given > width:
        yield f"{given - width} empty column(s) at the right end, from trailing separators, were left out."


def _typed_frame(
    columns: Iterable[Typed], start: _Start, lines: Sequence[int], seen: Mapping[str, Lines]
) -> pd.DataFrame:
    """The columns as a frame; `lines` has the line of each row, `seen` the irregular ones."""
    import pandas as pd

    layout, width, report = start.layout, start.width, start.report
    names, renamed = clean_names(layout.header[:width] if layout.header is not None else _numbered(width))
    series, missing, conversions = {}, {}, {}
    invalid: list[Cell] = []
    odd: list[Cell] = []
    odd_counts: dict[str, int] = {}
    columns = iter(columns)
    for name in names:
        with naming(name):
            item = next(columns)
        series[name] = item.series
        if item.missing:
            missing[name] = dict(item.missing)
        if item.conversion or item.note:
            conversions[name] = item.conversion or item.note
        invalid += [Cell(name, row + 1, lines[row], text[:100]) for row, text in item.invalid]
        odd += [Cell(name, row + 1, lines[row], text[:100]) for row, text in item.not_numeric]
        if item.n_not_numeric:
            odd_counts[name] = item.n_not_numeric
    report = replace(
        report,
        rows=len(lines),
        columns=width,
        renamed=tuple(renamed),
        problems=(*report.problems, *header_problems(names), *_trailing_problems(layout, width)),
        counts={kind: entry.count for kind, entry in seen.items() if entry.count},
        missing_tokens=missing,
        conversions=conversions,
        invalid=tuple(invalid),
        not_numeric=tuple(odd),
        not_numeric_counts=odd_counts,
        short_lines=_first_lines(seen, "short_lines"),
        long_lines=_first_lines(seen, "long_lines"),
        blank_lines=_first_lines(seen, "blank_lines"),
    )
    return report.attach(pd.DataFrame(series, copy=False))


def _numbered(width: int) -> list[str]:
    return [f"column {j + 1}" for j in range(width)]


def _first_lines(seen: Mapping[str, Lines], kind: str) -> tuple[int, ...]:
    return tuple(seen[kind].first) if kind in seen else ()


CANDIDATES = (",", ";", "\t", "|")
_SEP_LINE = re.compile(r"^\ufeff?sep=(.)\s*$", re.IGNORECASE)
_DECIMAL_ONLY = re.compile(r"^\s*[+-]?\d+,\d+\s*$")


def sep_line(first: str) -> str | None:
    """The separator that a spreadsheet's own first line `sep=;` declares, or None."""
    result = _SEP_LINE.match(first)
    return result.group(1) if result else None


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
    rows = [line.split() for line in lines]
    width = len(rows[-1])
    if width < 2 or any(len(row) != width for row in rows):
        return False
    cells = [cell for row in rows[1:] or rows for cell in row]
    return sum(is_number(cell, ".") or is_number(cell, ",") for cell in cells) > len(cells) / 2

"""A table of a result as HTML that fits an A4 page: in smaller type, or cut by columns, and no longer than is read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from engine import words
from engine.lazy import pd
from engine.project.report.markup import render
from engine.telling import terms
from engine.telling.charts.labels import name_of
from engine.telling.masking import Hidden
from engine.telling.spoken import with_interval
from engine.telling.tables import Kind, TableDescription

MOST_ROWS, MOST_PERSONS, FEW_LEFT = 30, 8, 3
"""Of a table in the document, and of one with a person a row; the whole is asked of the result, but for so few."""
ROOM = 655.0
"""Pixels a table may be wide on paper."""
LETTER, SMALL = 5.75, 5.05
"""Pixels that a letter of a table takes, and of one in smaller type."""
BETWEEN = 9.5
MOST_ACROSS, NARROW, MOST_WORD = 30, 14, 24
"""Letters of a text before it may be broken into lines, where room is short too, and of a word before it may be."""
_LEFT: tuple[Kind, ...] = ("text", "verdict", "flag")


@dataclass(frozen=True)
class Cell:
    """A cell of a table in the document: its text or markup, its classes, and whether it heads its row."""

    text: str
    classes: str = ""
    heads: bool = False


@dataclass(frozen=True)
class PrintedColumn:
    """One column as it is shown: its header, its cells, which of them are hidden, and how wide it is in letters."""

    header: str
    cells: tuple[str, ...]
    hidden: frozenset[int]
    left: bool
    key: bool

    def width(self, across: int = MOST_ACROSS) -> int:
        """Letters it needs where texts may be broken after so many: of its longest cell, of any word, above it too."""
        longest, words_of = self.header.split(), [word for cell in self.cells for word in cell.split()]
        longest += words_of if self.left else []
        cells = [min(len(cell), across) if self.left else len(cell) for cell in self.cells]
        return max([*(min(len(word), MOST_WORD) for word in longest), len(self.header) // 3, *cells], default=1)


def table_markup(
    table: pd.DataFrame,
    about: TableDescription,
    *,
    label: str,
    title: str,
    where: str,
    hidden: Hidden | None = None,
    brief: str | None = None,
    ident: str = "",
    most: int = 0,
) -> Markup:
    """One table with its caption, which says where the whole is, "" for nowhere; a brief one has its own words."""
    printed_rows = table.head(most or rows_printed(about, len(table)))
    columns = printed_columns(printed_rows, about, hidden or Hidden(0))
    parts, letter = _parts(columns)
    notes = [about.about] if about.about else []
    left = [words.count(len(table) - len(printed_rows), "more row")] if len(table) > len(printed_rows) else []
    if where and (omitted := sum(str(name) in about.left_out for name in table.columns)):
        left.append(words.count(omitted, "more column"))
    if left:
        notes.append(f"{words.listed(left)} not printed here{f'; the whole table: {where}' if where else ''}.")
    if hidden is not None and (number := printed(hidden, about, len(printed_rows))):
        notes.append(f"{words.count(number, 'cell')} hidden.")
    if brief is not None:
        notes = [f"{brief}."] if brief else []
    ident = ident or label.replace(" ", "-").replace(".", "-").lower()
    shown = [
        {"header": _header(part), "rows": _rows(part, len(printed_rows)), "ident": f"{ident}-{number}"}
        for number, part in enumerate(parts)
    ]
    return render("tables.html", parts=shown, label=label, title=title, notes=" ".join(notes), small=letter == SMALL)


def printed(hidden: Hidden, about: TableDescription, rows: int) -> int:
    """Count the hidden cells in the document, of so many rows; an interval is one with its middle."""
    omitted = {*about.left_out, *(end for pair in about.ends.values() for end in pair)}
    cells = hidden.small | hidden.others | hidden.derived
    return sum(row < rows and name not in omitted for row, name in cells)


def rows_printed(about: TableDescription, rows: int, most: int = 0) -> int:
    """How many rows of a table are printed: so many, all where few would be left."""
    most = most or (MOST_PERSONS if about.persons and len(about.columns) > 2 else MOST_ROWS)
    return rows if rows <= most + FEW_LEFT else most


def text_cell(text: str, number: bool = False) -> Cell:
    """A cell of a table of texts that are ready."""
    return Cell(text, _classes("n" if number else "", text))


def printed_columns(table: pd.DataFrame, about: TableDescription, hidden: Hidden) -> list[PrintedColumn]:
    """The columns of a table as they are shown, without those in which there is nothing to read."""
    columns = [column for column in _columns(table, about, hidden) if column.key or not _empty(column)]
    return sorted(columns, key=lambda column: not column.key)  # what a row is about stands first


def _columns(table: pd.DataFrame, about: TableDescription, hidden: Hidden) -> list[PrintedColumn]:
    ends = {end for pair in about.ends.values() for end in pair}
    columns = []
    names = [str(name) for name in table.columns]
    keys = list(map(str, table[about.keys[0]])) if about.instead else []
    for place, name in enumerate(names):
        if name in about.left_out or (name in ends and name in about.columns):
            continue
        column = about.column(name, table.iloc[:, place].dtype.kind in "iu")
        cells = _cells(table, place, about)
        shown = [name] * len(cells)
        if (other := about.instead.get(name)) in about.left_out:
            gaps = [cell == NOTHING or key in about.unsaid for cell, key in zip(cells, keys, strict=True)]
            shown = [other if gap else name for gap in gaps]
            points = [text.replace(" (", f"{words.NO_BREAK}pp (") for text in _cells(table, names.index(other), about)]
            cells = [more if gap else cell for gap, cell, more in zip(gaps, cells, points, strict=True)]
        hidden_rows = frozenset(i for i, of in enumerate(shown) if hidden.words((i, of)) is not None)
        cells = [hidden.words((i, of)) or cell for i, (of, cell) in enumerate(zip(shown, cells, strict=True))]
        header = name_of(column.header) if name not in about.columns else column.header
        repeated = name in about.keys or (name == about.level and not hidden_rows)  # what is hidden is counted once
        columns.append(PrintedColumn(header, tuple(cells), hidden_rows, column.kind in _LEFT, repeated))
    return columns


def _cells(table: pd.DataFrame, place: int, about: TableDescription) -> list[str]:
    """The texts of a column, nothing hidden; an estimate has its interval beside it."""
    name, values = str(table.columns[place]), table.iloc[:, place]
    kind = about.column(name, values.dtype.kind in "iu").kind
    if name in about.ends and all(end in table for end in about.ends[name]):
        return [_estimate(item, kind) for item in table[[name, *about.ends[name]]].itertuples(index=False)]
    cells = ["" if about.blanks and (value == "" or value != value) else format_value(value, kind) for value in values]
    if name != about.level or not {*about.instead.values()} & {*about.left_out}:
        return cells
    numbers = table[[one for one in about.ends if about.columns[one].kind == "number"]].notna().any(axis=1)
    numbers &= ~table[about.keys[0]].astype(str).isin(about.unsaid)
    return ["" if number else cell for cell, number in zip(cells, numbers, strict=True)]


def _empty(column: PrintedColumn) -> bool:
    """True where there is nothing to read in a column."""
    return bool(column.cells) and all(cell == NOTHING for cell in column.cells)


def _parts(columns: Sequence[PrintedColumn]) -> tuple[list[list[PrintedColumn]], float]:
    """The columns in parts that fit a page, keys in each; and the pixels a letter takes."""
    for letter, across in ((LETTER, MOST_ACROSS), (SMALL, MOST_ACROSS), (SMALL, NARROW)):
        if _wide(columns, letter, across) <= ROOM:
            return [list(columns)], letter
    parts = _cut(columns, ROOM)
    for share in (0.9, 0.8, 0.7, 0.6):  # as many parts, but about equally wide
        tried = _cut(columns, share * ROOM)
        parts = tried if len(tried) == len(parts) else parts
    letter = LETTER if all(_wide(part, LETTER) <= ROOM for part in parts) else SMALL
    return parts, letter


def _cut(columns: Sequence[PrintedColumn], room: float) -> list[list[PrintedColumn]]:
    keys = [column for column in columns if column.key]
    parts, part = [], list(keys)
    for column in columns:
        if column.key:
            continue
        if _wide([*part, column], LETTER) > room and len(part) > len(keys):
            parts.append(part)
            part = list(keys)
        part.append(column)
    return [*parts, part]


def _wide(columns: Sequence[PrintedColumn], letter: float, across: int = MOST_ACROSS) -> float:
    return sum(column.width(across) * letter + BETWEEN for column in columns)


def _header(columns: Sequence[PrintedColumn]) -> list[Cell]:
    return [Cell(column.header, _classes("" if column.left else "n head", column.header)) for column in columns]


def _rows(columns: Sequence[PrintedColumn], number: int) -> list[list[Cell]]:
    first = next((column for column in columns if column.key), None)
    return [[_cell(column, row, column is first) for column in columns] for row in range(number)]


def _cell(column: PrintedColumn, row: int, heads: bool) -> Cell:
    text, aligned = column.cells[row], "" if column.left else "n"
    if row in column.hidden:
        return Cell(text, "hid" if column.left else "n hid")
    return Cell(text, _classes(aligned, text), heads)


def _classes(given: str, text: str) -> str:
    """The classes of a cell; a word that no line is long enough for may be broken anywhere."""
    return f"{given} any".strip() if max(map(len, text.split()), default=0) > MOST_WORD else given


NOTHING = "–"
"""Not asked, or not estimated."""
MARKS = {"->": "→", "--": "—"}
"""Marks of links as they are stored -> as they are printed."""
MOST_LETTERS = 160
"""Of a text in a cell."""


def format_value(value: Any, kind: Kind) -> str:
    """A value as its kind is written.

    Examples
    --------
    >>> format_value(0.1 + 0.2, "number"), format_value(-0.0834, "points"), format_value(3.7, "log_odds")
    ('0.3', '−8', '40 to 1 for')
    """
    value = value.item() if hasattr(value, "item") else value
    if value is None or value is pd.NA or value == "" or (isinstance(value, float) and math.isnan(value)):
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if kind == "verdict":
        return terms.SHOWN.get(str(value), str(value))
    if not isinstance(value, int | float):
        return _text(value)
    if kind in ("text", "flag"):
        return _text(value)
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return _number(float(value), kind).replace("-", "−")


def _estimate(parts: Sequence[Any], kind: Kind) -> str:
    """An estimate with its interval; a number has as many decimals as the interval is wide."""
    known = kind == "number" and all(isinstance(part, int | float) and math.isfinite(part) for part in parts)
    if known and parts[1] < parts[2]:
        return format_interval(*with_interval(*map(float, parts)))
    return format_interval(*(format_value(part, kind) for part in parts))


def format_interval(value: str, low: str, high: str) -> str:
    """'0.52 (0.44 to 0.59)', as the parts are written."""
    if NOTHING in (value, low, high):
        return value  # ends without a middle tell nothing
    return f"{value} ({low} to {high})"


def _text(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)
    name = MARKS.get(text) or name_of(text)
    return name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…"


def _number(value: float, kind: Kind) -> str:
    match kind:
        case "count" | "whole":
            return f"{value:,.0f}" if value == round(value) else _short(value)
        case "share" | "part":
            return words.chance_in_percent(value)
        case "points":
            return words.with_sign(100 * value) if round(100 * value) else "0"
        case "probability":
            return words.probability(value)
        case "log_odds":
            return _odds(value)
        case "log10_odds":
            return _odds(value * math.log(10))
        case "p":
            return words.fraction(value)
        case "log10_p":
            return words.fraction(10**value) if value > -3 else f"10^{value:.0f}"
        case "size":
            return words.with_minus(f"{value:z.2f}")
        case "signed":
            return words.with_sign(value, 2) if round(value, 2) else "0.00"
        case _:
            return _short(value)


def _odds(log_odds: float) -> str:
    ratio = words.ratio(abs(log_odds))
    return "1 to 1" if ratio == "1.0" else f"{ratio} to 1 {'for' if log_odds > 0 else 'against'}"


def _short(value: float) -> str:
    """Three figures that count, and no more."""
    if value and abs(value) < 1e-4:
        return f"{value:.1e}"
    digits = 0 if abs(value) >= 1000 else max(0, 2 - math.floor(math.log10(abs(value)))) if value else 0
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text

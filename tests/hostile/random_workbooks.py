"""Workbooks as people make them at random: merges of any place and size, error codes, hidden parts, several sheets."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass
from typing import Any

from tests.hostile.containers import rezipped_of

CODES = ("#N/A", "#DIV/0!", "#REF!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!", "#ERROR!", "#SPILL!", "#CALC!")


@dataclass(frozen=True)
class RandomWorkbook:
    """A workbook, and what its table holds where nothing but errors and hidden parts is odd (`plain`).

    Attributes
    ----------
    content : of the file
    rows, names : of the table in it
    errors : cells that hold an error code
    hidden_rows, hidden_columns : how many of each
    plain : whether nothing was merged and nothing stands above or below the table
    """

    content: bytes
    rows: int
    names: tuple[str, ...]
    errors: int
    hidden_rows: int
    hidden_columns: int
    plain: bool


def random_workbook(seed: int) -> RandomWorkbook:
    """The workbook of this seed."""
    from openpyxl import Workbook

    rng = random.Random(seed)
    book: Any = Workbook()
    sheet = book.active
    sheet.title = "Data"
    rows, width = rng.randint(8, 60), rng.randint(2, 9)
    makers = (
        lambda i: i + 1,
        lambda i: rng.randint(18, 90),
        lambda i: round(rng.gauss(120, 15), 1),
        lambda i: rng.choice(("yes", "no")),
        lambda i: rng.choice((1, 2, 3, 4, 5)),
        lambda i: rng.choice(("low", "middle", "high")),
    )
    columns = [rng.choice(makers) for _ in range(width)]
    names = tuple(f"item {j + 1}" for j in range(width))
    above = rng.choice((0, 0, 0, 1, 3))
    for j in range(above):
        sheet.append([f"Title {j}", *([None] * (width - 1))] if j % 2 == 0 else [])
    sheet.append(list(names))
    for i in range(rows):
        sheet.append([maker(i) for maker in columns])
    first = above + 2
    errors = _errors(sheet, rng, first, rows, width) if rng.random() < 0.7 else 0
    below = rng.random() < 0.2
    if below:
        sheet.append([])
        sheet.append(["Legend: 1 = yes, 2 = no"])
    merges = rng.choice((0, 0, 1, 3, 12))
    for _ in range(merges):
        top, left = rng.randint(1, first + rows + 3), rng.randint(1, width + 3)
        sheet.merge_cells(
            start_row=top, start_column=left, end_row=top + rng.randint(0, 5), end_column=left + rng.randint(0, 4)
        )
    hidden_rows = rng.sample(range(first, first + rows), rng.choice((0, 0, 2)))
    hidden_columns = rng.sample(range(width), rng.choice((0, 0, 1)))
    for row in hidden_rows:
        sheet.row_dimensions[row].hidden = True
    for column in hidden_columns:
        sheet.column_dimensions[chr(ord("A") + column)].hidden = True
    if rng.random() < 0.4:
        _explanation(book, rng, names)
    plain = not (merges or above or below)
    out = io.BytesIO()
    book.save(out)
    content = out.getvalue()
    if rng.random() < 0.3:  # codes that the library which writes takes for words
        content = rezipped_of(content, lambda name, part: part.replace(b't="e"', b"t = 'e'"))
    return RandomWorkbook(content, rows, names, errors, len(hidden_rows), len(hidden_columns), plain)


def _errors(sheet: Any, rng: random.Random, first: int, rows: int, width: int) -> int:
    """Put error codes into cells; how many."""
    cells = rng.sample([(i, j) for i in range(rows) for j in range(width)], rng.randint(1, 6))
    for i, j in cells:
        cell = sheet.cell(first + i, j + 1)
        cell.value = rng.choice(CODES)
        cell.data_type = "e"
    return len(cells)


def _explanation(book: Any, rng: random.Random, names: tuple[str, ...]) -> None:
    """A sheet of words, before or behind the data, seen or hidden."""
    sheet = book.create_sheet("Read me", rng.choice((0, 1)))
    sheet.append(["This workbook holds the data of our study"])
    for name in names:
        sheet.append([name, f"what was asked as {name}, in the words of the questionnaire"])
    sheet.sheet_state = rng.choice(("visible", "hidden"))

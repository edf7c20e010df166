"""The report for other programs: a Word document to go on writing in, an Excel workbook with every table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING, Any

from engine import words
from engine.errors import SettingsError
from engine.lazy import pd
from engine.project.report.markup import clean
from engine.project.report.tables import printed_columns

if TYPE_CHECKING:
    from engine.project.report.page import Part

PACKAGES = {"word": "docx", "excel": "openpyxl"}
"""Form -> the module that writes it."""
_NAMES = {"docx": "python-docx", "openpyxl": "openpyxl"}
MOST_WORD_ROWS = 30
_FORBIDDEN = re.compile(r"[\[\]:*?/\\']")
_MOST_SHEET = 31
_MOST_CELL = 32_000


def word_document(title: str, facts: Mapping[str, str], parts: Sequence[Part]) -> bytes:
    """Question, sentences, limits and the short tables of each result, in Word's own styles.

    Parameters
    ----------
    title, facts : of the document
    parts : one a result
    """
    document = _module("word").Document()
    document.add_heading(clean(title), 0)
    for name, value in facts.items():
        document.add_paragraph(clean(f"{name}: {value}"))
    for part in parts:
        first = part.first_page(2)
        document.add_heading(clean(part.title), 1)
        if first["question"] != part.title:
            document.add_paragraph(clean(first["question"]))
        document.add_paragraph().add_run(clean(first["headline"])).bold = True
        for sentence in first["sentences"]:
            document.add_paragraph(clean(sentence))
        for name in part.short_tables():
            _add_table(document, part, name)
        document.add_heading("What limits this", 2)
        for sentence in part.limits():
            document.add_paragraph(clean(words.with_labels(sentence, part.labels)), style="List Bullet")
    return _saved(document)


def _add_table(document: Any, part: Part, title: str) -> None:
    """One table of a result below its name."""
    frame, about = part.masked.frame(title).head(MOST_WORD_ROWS), part.result.table_description(title).in_chapter()
    columns = printed_columns(frame, about, part.masked.cells[title])
    document.add_heading(title, 2)
    if about.about:
        document.add_paragraph(clean(about.about))
    table = document.add_table(rows=1, cols=len(columns), style="Light List")
    for cell, column in zip(table.rows[0].cells, columns, strict=True):
        cell.text = clean(column.header)
    for row in range(len(frame)):
        for cell, column in zip(table.add_row().cells, columns, strict=True):
            cell.text = clean(words.with_labels(column.cells[row], part.labels))
    if rest := len(part.masked.frame(title)) - len(frame):
        document.add_paragraph(f"{words.count(rest, 'more row')}: see the workbook or the CSV file.")


def workbook(title: str, facts: Mapping[str, str], parts: Sequence[Part]) -> bytes:
    """What is said on the first sheet, and a sheet for each table of each result, numbers as numbers.

    Parameters
    ----------
    title, facts : of the workbook
    parts : one a result
    """
    book = _module("excel").Workbook()
    sheet = book.active
    sheet.title = "Summary"
    _add_row(sheet, [title])
    for item in facts.items():
        _add_row(sheet, item)
    for part in parts:
        first = part.first_page(2)
        _add_row(sheet, [])
        for line in (
            *dict.fromkeys((part.title, first["question"])),
            first["headline"],
            *first["sentences"],
            *part.limits(),
        ):
            _add_row(sheet, [words.with_labels(line, part.labels)])
        for name in part.masked.result.table_titles():
            if part.masked.shows(name):
                _add_sheet(book, part, name)
    return _saved(book)


def _add_sheet(book: Any, part: Part, title: str) -> None:
    """A table with its own column names, small counts hidden as everywhere."""
    frame, cells = part.masked.frame(title), part.masked.cells[title]
    name = _FORBIDDEN.sub(" ", clean(f"{part.number} {title}"))[:_MOST_SHEET]
    sheet = book.create_sheet(name)
    _add_row(sheet, frame.columns)
    for number, row in enumerate(frame.itertuples(index=False)):
        named = zip(frame.columns, row, strict=True)
        _add_row(sheet, [cells.words((number, column)) or value for column, value in named])
    sheet.freeze_panes = "A2"


def _add_row(sheet: Any, values: Any) -> None:
    """A row whose texts are texts, even where they begin as a formula does."""
    sheet.append([])
    at = sheet._current_row
    for place, value in enumerate(values, 1):
        plain = value.item() if hasattr(value, "item") else value
        if plain is None or (pd.api.types.is_scalar(plain) and pd.isna(plain)):
            continue
        cell = sheet.cell(at, place)
        if isinstance(plain, bool | int | float) and abs(plain) != float("inf"):
            cell.value = plain
        else:
            text = ", ".join(map(str, plain)) if isinstance(plain, list | tuple) else str(plain)
            cell.value, cell.data_type = clean(text)[:_MOST_CELL], "s"


def _module(form: str) -> Any:
    try:
        return import_module(PACKAGES[form])
    except ImportError:
        name = _NAMES[PACKAGES[form]]
        raise SettingsError(
            f"A report in the form '{form}' needs the package {name}: pip install {name}.", setting="form"
        ) from None


def _saved(document: Any) -> bytes:
    content = BytesIO()
    document.save(content)
    return content.getvalue()

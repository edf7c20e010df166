"""Workbooks as people make them in Excel, and as forms on the web give them."""

from __future__ import annotations

import datetime
import io
from collections.abc import Callable, Iterator
from typing import Any

from tests.exports.reading import OUT, Export, Right

_N = 40
_AGREE = ("Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree")


def exports() -> Iterator[Export]:
    """A table, and one thing a switch that people do to it."""
    plain = _columns()
    yield _export("plain", lambda book: None, plain)
    yield _export("a title", lambda book: (book.active.insert_rows(1, 2), _put(book, 1, "Blood pressure study")), plain)
    yield _export("two titles and a blank line", _two_titles, plain)
    yield _export("a merged title", _merged_title, plain)
    yield _export("groups above the names", _groups, {_group_name(name): right for name, right in plain.items()})
    yield _export("an empty merge right of the names", lambda book: book.active.merge_cells("J1:K1"), plain)
    yield _export("merges anywhere", lambda book: (book.active.merge_cells("J7:M19"), _put(book, 60, "")), plain)
    yield _export("wards merged downwards", _merged_wards, {"ward": Right("nominal", ("A", "B"), 0), **plain})
    yield _export("an explanation as the first sheet", _explanation, plain)
    yield _export("three sheets", lambda book: (book.create_sheet("Sheet2"), book.create_sheet("Sheet3")), plain)
    yield _export("errors in cells", _errors, {**plain, "age": Right("continuous", None, 3)})
    yield _export("an error that is new", _new_errors, {**plain, "sbp": Right("continuous", None, 2)})
    yield _export("hidden rows and columns", _hidden, plain)
    yield _export("a blank row in the middle", lambda book: book.active.insert_rows(12), plain)
    yield _export("a legend below", _legend, plain)
    yield _export("a total below", lambda book: book.active.append(["Total", None, "=SUM(C2:C41)", None, None]), plain)
    yield _export("whole numbers as decimals", _decimals, plain)
    yield from _forms()


def _columns() -> dict[str, Right]:
    return {
        "pat_id": Right(OUT),
        "sex": Right("nominal", ("f", "m"), 0),
        "age": Right("continuous", None, 0),
        "sbp": Right("continuous", None, 0),
        "smoker": Right("nominal", ("no", "yes"), 0),
    }


def _book() -> Any:
    from openpyxl import Workbook

    book = Workbook()
    book.active.append(list(_columns()))
    for i in range(_N):
        smoker = ("no", "yes")[i * 5 % 3 % 2]
        book.active.append([1 + i, "fm"[i * 3 % 7 % 2], 20 + i * 7 % 41, 118.5 + i * 13 % 37, smoker])
    return book


def _export(switch: str, change: Callable[[Any], Any], columns: dict[str, Right]) -> Export:
    book = _book()
    change(book)
    return Export("Excel by hand", switch, "study.xlsx", _saved(book), _N, columns)


def _saved(book: Any) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _put(book: Any, row: int, text: str) -> None:
    book.active.cell(row, 1, text or None)


def _two_titles(book: Any) -> None:
    book.active.insert_rows(1, 3)
    _put(book, 1, "Blood pressure study")
    _put(book, 2, "Dr N. N., 2024")


def _merged_title(book: Any) -> None:
    book.active.insert_rows(1)
    _put(book, 1, "Blood pressure study, all patients of both wards")
    book.active.merge_cells("A1:E1")


def _groups(book: Any) -> None:
    book.active.insert_rows(1)
    for column, text in ((1, "Person"), (4, "Visit")):
        book.active.cell(1, column, text)
    book.active.merge_cells("A1:C1")
    book.active.merge_cells("D1:E1")


def _group_name(name: str) -> str:
    return {"pat_id": "Person pat_id", "sbp": "Visit sbp", "smoker": "Visit smoker"}.get(name, name)


def _merged_wards(book: Any) -> None:
    book.active.insert_cols(1)
    book.active.cell(1, 1, "ward")
    for first, last, ward in ((2, 15, "A"), (16, 41, "B")):
        book.active.cell(first, 1, ward)
        book.active.merge_cells(start_row=first, end_row=last, start_column=1, end_column=1)


def _explanation(book: Any) -> None:
    book.active.title = "Data"
    sheet = book.create_sheet("Codebook", 0)
    sheet.append(["variable", "meaning"])
    for name in _columns():
        sheet.append([name, f"what was measured as {name} at the first visit of each patient"])


def _errors(book: Any) -> None:
    for place, code in (("C3", "#N/A"), ("C9", "#DIV/0!"), ("C20", "#REF!")):
        book.active[place] = code
        book.active[place].data_type = "e"


def _new_errors(book: Any) -> None:
    for place, code in (("D3", "#ERROR!"), ("D9", "#SPILL!")):
        book.active[place] = code
        book.active[place].data_type = "e"


def _hidden(book: Any) -> None:
    book.active.row_dimensions[5].hidden = True
    book.active.column_dimensions["C"].hidden = True


def _legend(book: Any) -> None:
    book.active.append([])
    for text in ("Legend", "f = female", "m = male"):
        book.active.append([None, text])


def _decimals(book: Any) -> None:
    for row in book.active.iter_rows(min_row=2, min_col=3, max_col=3):
        row[0].value = float(row[0].value)


def _forms() -> Iterator[Export]:
    """Google Forms: a time, questions as names, answers in words, several answers in a cell."""
    from openpyxl import Workbook

    questions = {
        "Timestamp": Right(OUT),
        "How old are you?": Right("continuous", None, 0),
        "I sleep well.": Right("ordinal", _AGREE, 0),
        "I wake up rested.": Right("ordinal", _AGREE, 0),
        "What is your gender?": Right("nominal", ("Female", "Male", "Other"), 0),
        "Anything else?": Right(OUT),
    }
    for optional in (False, True):
        book = Workbook()
        book.active.title = "Form Responses 1"
        book.active.append(list(questions))
        for i in range(_N):
            when = datetime.datetime(2024, 3, 1, 9, 30) + datetime.timedelta(hours=7 * i)
            answers = [_AGREE[i * 3 % 5], _AGREE[i * 7 % 11 % 5]]
            gender = ("Female", "Male", "Other")[i * 5 % 7 % 3]
            answers[1] = None if optional and i in (4, 17) else answers[1]  # type: ignore[call-overload]
            book.active.append([when, 19 + i * 11 % 37, *answers, gender, f"comment {i}" if i % 9 == 0 else None])
        rest = {"I wake up rested.": Right("ordinal", _AGREE, 2)} if optional else {}
        switch = "questions may be skipped" if optional else "all must be answered"
        yield Export("Google Forms", switch, "Responses.xlsx", _saved(book), _N, {**questions, **rest})

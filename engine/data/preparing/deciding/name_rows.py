"""Cards on how a file is written: names in two rows, rows below its table, the decimal mark."""

from __future__ import annotations

from collections.abc import Iterator

from engine.data.preparing.deciding.decision import Change, Finding
from engine.data.preparing.deciding.table_view import TableView
from engine.data.reading.name_rows import LABEL
from engine.data.reading.naming import shown_value
from engine.data.reading.report import reading_facts
from engine.text import Count, Level, Number, first, told

NAME_ROWS, ROWS_BELOW, DECIMAL_MARK = "name-rows", "rows-below", "decimal-mark"


def rows_below(view: TableView) -> Iterator[Finding]:
    """One card for rows at the end of a file that look like none of its table."""
    found = reading_facts(view.table).get("rows_below")
    if not found:
        return
    cells = first((told("'{}'", shown_value(text, 30)) for text in found), most=2)
    changes: dict[str, Change] = {"leave": {}, "keep": {"reading": {"skip_last": 0}}}
    words = {"rows": Count(len(found), "row"), "cells": cells}
    yield Finding(ROWS_BELOW, (), words, changes, view.n * len(view.now), number=len(found), effects=_EFFECTS)


_EFFECTS = {
    "leave": "the table ends above",
    "keep": "read like every other row",
}


def decimal_mark(view: TableView) -> Iterator[Finding]:
    """One card for numbers such as 1,234, which may have thousands or decimals."""
    reading = reading_facts(view.table)
    if not reading.get("decimal_open"):
        return
    now = reading["decimal"]
    sign = "." if now == "." and reading.get("delimiter") == ";" else ","
    as_decimals: Change = {} if now == sign else {"reading": {"decimal": sign}}
    as_thousands: Change = {} if now != sign else {"reading": {"decimal": "," if sign == "." else "."}}
    words = {"number": Number(f"1{sign}234"), "mark": "point" if sign == "." else "comma"}
    changes = {"decimals": as_decimals, "thousands": as_thousands}
    effects = {
        way: told("{} is read as {}", words["number"], Number(number))
        for way, number in (("decimals", "1.234"), ("thousands", "1234"))
    }
    yield Finding(DECIMAL_MARK, (), words, changes, view.n * len(view.now), effects=effects)


def name_rows(view: TableView) -> Iterator[Finding]:
    """One card for the whole table; what reading makes of the two rows by itself needs no change."""
    ways = reading_facts(view.table).get("name_rows")
    if not ways:
        return
    usual, *others = ways
    changes: dict[str, Change] = {usual: {}, **{way: {"reading": {"name_rows": way}} for way in others}}
    yield Finding(
        NAME_ROWS,
        (),
        {"joined": Level(ways[usual].split(", ")[0])},
        changes,
        view.n * len(view.now),
        effects=ways,
        rule="names over labels" if usual == LABEL else NAME_ROWS,
    )

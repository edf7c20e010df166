"""Which character separates the fields of a text table."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from math import log2

from engine.data.reading.numbers import is_number

CANDIDATES = (",", ";", "\t", "|")
_SEP_LINE = re.compile(r"^\ufeff?sep=(.)\s*$", re.IGNORECASE)
_DECIMAL_ONLY = re.compile(r"^\s*[+-]?\d+,\d+\s*$")


def sep_line(first: str) -> str | None:
    """The separator that a spreadsheet's own first line `sep=;` declares, or None."""
    found = _SEP_LINE.match(first)
    return found.group(1) if found else None


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

"""Few whole numbers that may be steps or stand for names, of which neither the name of a column nor the values tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from engine.data.preparing.deciding.decision import Change, Finding
from engine.data.preparing.deciding.table_view import TableView
from engine.data.preparing.variables import Variable
from engine.data.reading.name_words import name_words
from engine.data.reading.naming import shown_value
from engine.data.reading.scales import NUMBERED
from engine.text import first

BARE_CODES = "bare-codes"
_FEWEST, _MOST, _LARGEST = 3, 10, 20
_FEWEST_ROWS = 20
_BLOCK = 3
"""Columns of one stem, or with the same numbers, that are items of one questionnaire."""
_ITEM = re.compile(r"(?:^|[\W_])[^\W\d_]{1,12}(?:[\W_]*\d+)+[a-z]?$", re.IGNORECASE)
_ORDERED = {
    "answer", "answers", "item", "items", "response", "wait", "score", "scale", "rating", "rate", "rated", "grade",
    "stage", "level", "severity", "pain", "count", "counts", "number", "num", "n", "nr", "no", "times", "frequency",
    "freq", "children", "kids", "siblings", "parity", "gravida", "visits", "episodes", "days", "weeks", "months",
    "years", "hours", "drinks", "cigarettes", "points", "index", "rank", "order", "step", "size", "age", "complete",
    "intensity", "satisfaction", "mood", "stress", "sleep", "health", "quality", "degree", "class", "nyha", "asa",
    "ecog", "education", "educ", "income", "quartile", "tertile", "quintile", "visit", "wave", "time", "day",
    "week", "month", "year", "beep", "session", "round", "trial", "anzahl", "schwere", "stufe", "grad", "punkte",
    "wert", "note", "rang", "kinder", "tage", "wochen", "jahre", "stadium", "nombre", "sévérité", "niveau", "stade",
    "douleur", "número", "nivel", "grado", "dolor",
}  # fmt: skip
"""Words of names that say that more is more."""
_CLEAR_R, _CLEAR_LINE = 4.0, 0.6
"""z of a rank correlation, and its share of what levels differ in, with which neighbours behave alike."""
_MOST_OTHERS, _MOST_ROWS = 30, 4_000


def bare_codes(view: TableView) -> Iterator[Finding]:
    """One card for all such columns; what is the case without an answer are steps."""
    settled = [columns for columns in view.settled_columns(BARE_CODES) if columns]
    decided = {name for columns in settled for name in columns}
    for columns in settled:
        yield _finding(view, columns)
    open_now = [name for name in view.now if name not in decided and _may_be_codes(view, name)]
    blocks = _blocks(view)
    columns = [name for name in open_now if name not in blocks and not _are_steps(view, name)]
    if columns:
        yield _finding(view, columns)


def _finding(view: TableView, columns: list[str]) -> Finding:
    names: Change = {"kinds": dict.fromkeys(columns, "nominal")}
    levels = first((shown_value(text, 12) for text in view.now[columns[0]].level_names()), most=4)
    return Finding(
        BARE_CODES,
        columns,
        {"levels": levels},
        {"steps": {}, "names": names},
        view.n * len(columns) / 6,
        effects={"steps": "a higher number is more", "names": "the numbers have no order"},
        chosen=any(name in view.choices.kinds for name in columns),
    )


def _may_be_codes(view: TableView, name: str) -> bool:
    """True where a column is ordered by its numbers alone."""
    variable, proposal = view.now[name], view.proposals[name]
    if proposal.kind != "ordinal" or view.n < _FEWEST_ROWS or name in view.choices.roles or name in view.choices.derive:
        return False
    if name in view.labelled or name in view.declared or not _ORDERED.isdisjoint(name_words(name)):
        return False
    if variable.sort == "words":
        return proposal.reason == NUMBERED
    numbers = variable.known_numbers
    if variable.sort != "number" or not variable.whole or not _FEWEST <= len(numbers) <= _MOST:
        return False
    whole_scale = numbers[0] == 0 and numbers[-1] == len(numbers) - 1 == 9  # names are numbered from 1
    return numbers[0] >= 0 and numbers[-1] <= _LARGEST and not whole_scale


def _blocks(view: TableView) -> set[str]:
    """Columns that are items of a questionnaire: numbered ones of one stem, or several beside each other alike."""
    result: set[str] = set()
    stems: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    neighbours: list[str] = []
    before: tuple[str, ...] = ()
    for name in view.now:
        if _ITEM.search(name) and view.now[name].sort == "number":
            stems.setdefault((re.sub(r"\d+", "", name).casefold(), ()), []).append(name)
        if view.kinds[name] != "ordinal":
            neighbours, before = [], ()
            continue
        levels = view.now[name].level_names()
        neighbours = [*neighbours, name] if levels == before else [name]
        before = levels
        if len(neighbours) > _BLOCK:
            result.update(neighbours)
    for columns in stems.values():
        if len(columns) >= _BLOCK:
            result.update(columns)
    return result


def _are_steps(view: TableView, name: str) -> bool:
    """True where another column rises or falls with it, level by level."""
    rows = np.linspace(0, view.n - 1, min(view.n, _MOST_ROWS)).astype(np.int64)
    item = _ranks(view.now[name], rows)
    others = [other for other in view.used if other != name and _is_ordered(view, other)][:_MOST_OTHERS]
    return any(_rises(item, _ranks(view.now[other], rows)) for other in others)


def _is_ordered(view: TableView, name: str) -> bool:
    return view.kinds[name] in ("ordinal", "continuous") or view.now[name].n_distinct == 2


def _ranks(variable: Variable, rows: np.ndarray) -> np.ndarray:
    """Codes of some rows as they stand in order, NaN for none."""
    codes = variable.codes[rows].astype(float)
    return np.where(codes < 0, np.nan, codes)


def _rises(item: np.ndarray, other: np.ndarray) -> bool:
    known = ~(np.isnan(item) | np.isnan(other))
    a, b = item[known].astype(np.int64), other[known]
    if len(a) < _FEWEST_ROWS or not a.std() or not b.std():
        return False
    r = float(np.corrcoef(a, b)[0, 1])
    size = np.bincount(a)
    means = np.bincount(a, b)[size > 0] / size[size > 0]
    between = float((size[size > 0] * (means - b.mean()) ** 2).sum() / ((b - b.mean()) ** 2).sum())
    return abs(r) * np.sqrt(len(a)) >= _CLEAR_R and r * r >= _CLEAR_LINE * between

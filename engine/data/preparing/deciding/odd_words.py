"""Columns of numbers in which some cells are words, or only say that a detection limit was passed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

import numpy as np

from engine.data.preparing.deciding.decision import Change, Finding, columns_in, holds, key_of
from engine.data.preparing.deciding.table_view import TableView
from engine.data.preparing.deciding.ticks import answers_in
from engine.data.preparing.detection import limit_of, odd_cells, shares_beside_percents, unit_in_cells
from engine.data.preparing.proposals import FEW_NUMBERS, numeric_but_for, suspicious
from engine.data.preparing.variables import Variable, decimal_of
from engine.data.reading.naming import shown_name, shown_value
from engine.data.reading.numbers import is_date, is_number
from engine.text import Level, Name, Number, People, Text, first, listed, told

_MOST_WORDS, _MOST_CELLS = 5, 0.05
"""Different words, and share of the cells, beyond which a column is no column of numbers; usual marks may be many."""
_FREQUENT = 0.2
"""Share of the cells that a lone word may have, as 'hemolysed' does."""
_KIND = "odd-words"
_PLAIN = r"[(+-]?\d[\d']*(?:[.,]\d+)?\)?"
_UNIT = r"\s?[A-Za-zµ€%][A-Za-zµ%/]{0,7}"
_MEASURED = re.compile(
    r"\d{1,3}\s?/\s?\d{1,3}|\d{1,2}:\d{2}(?::\d{2})?|"
    rf"(?:(?:~|≈|ca\.)\s?)?{_PLAIN}(?:{_UNIT}(?:\s?{_PLAIN}(?:{_UNIT})?)?)?(?:\s?[(\[].{{1,20}}[)\]])?"
)
"""How a measurement is written that is no plain number: 135/82, 8:45, (1.2), 5.4 mmol/L, 1 h 20, ~5, 118 [70-110]."""


def odd_words(view: TableView) -> Iterator[Finding]:
    """A card for each column that is left out because of a few cells that are neither numbers nor limits."""
    for name in view.raw:
        if name in view.choices.derive or name in view.choices.roles or name in view.choices.kinds:
            continue
        variable = _without_missing_words(view, name, _KIND)
        odd = few_odd(variable, _labels(view, name))
        words = variable.words or ()
        # limits have a card that counts these words too, and usual marks alone have one of their own
        if not odd or set(odd) <= set(suspicious(variable)) or any(limit_of(w, decimal_of(words)) for w in words):
            continue
        if unit_in_cells(variable):
            continue  # which has a card of its own
        change: Change = {"missing_tokens": {name: list(odd)}}
        number = sum(odd.values())
        yield Finding(
            _KIND,
            [name],
            {"cells": People(number, "cell"), "name": Name(name), "such": first_odd(variable, odd)},
            {"missing": change, "value": {}},
            view.n / 2,
            number=number,
            effects={"missing": People(number, "cell becomes a gap", "cells become gaps")},
            chosen=holds(view.choices, change) or name not in view.after(change)[1],
        )


def left_out_numbers(view: TableView) -> Iterator[Text]:
    """A sentence on each column of numbers that is left out for its words where no card asks about these."""
    for name in (name for name in view.raw if name not in view.used):
        variable, words = view.raw[name], view.raw[name].words or ()
        if variable.sort != "words" or len(words) <= FEW_NUMBERS or name not in view.proposals:
            continue
        if name in view.choices.kinds or name in view.choices.roles:
            continue
        why, decimal = view.proposals[name].reason, decimal_of(words)
        if shares_beside_percents(words):
            yield told("'{}' is left out: {}; write all in one way to use it.", shown_name(name), why)
            continue
        odd = next((word for word in words if not is_number(word, decimal)), "")
        if unit_in_cells(variable) or answers_in(variable)[0]:
            continue  # a card asks
        if odd and all(map(_MEASURED.fullmatch, words)) and not any(map(is_date, words)):
            plain = "'{}' is left out: a cell such as '{}' is no plain number; write one number a cell to use it."
            yield told(plain, shown_name(name), shown_value(odd))
        elif variable.n_distinct < variable.n_rows - variable.n_missing and why == numeric_but_for(variable):
            asked = few_odd(variable, _labels(view, name))
            if not asked and not _limits(variable, asked):  # else a card asks
                yield told("'{}' is left out: {}; count these as missing to use it.", shown_name(name), why)


def _without_missing_words(view: TableView, name: str, kind: str) -> Variable:
    """A column without its missing tokens, but for odd words that the answer to this very card made missing."""
    raw, tokens = view.raw[name], view.choices.chosen_for("missing_tokens", name)
    own = (
        set(few_odd(raw, _labels(view, name))) - _answered_elsewhere(view, name)
        if name in view.answered(kind)
        else set()
    )
    others = [token for token in tokens if token not in own]
    return raw.without(others) if others else raw


def few_odd(variable: Variable, labels: Collection[str] = ()) -> dict[str, int]:
    """Words among numbers and limits -> rows; nothing where there is none, or so many that they are the rule.

    Labels that a file gives to values beside its measurements are none, however many rows have them.
    """
    if variable.sort != "words" or not variable.words:
        return {}
    odd, counts = odd_cells(variable), variable.counts()
    marks = set(suspicious(variable))
    rare = {word: rows for word, rows in odd.items() if word not in marks}
    numbers = sum(bool(rows) for rows in counts) - len(odd)
    few = len(rare) <= _MOST_WORDS and sum(rare.values()) <= _MOST_CELLS * counts.sum()
    few = few or (len(rare) == 1 and sum(rare.values()) <= _FREQUENT * counts.sum()) or set(rare) <= set(labels)
    return odd if few and numbers > FEW_NUMBERS and 2 * sum(odd.values()) < counts.sum() else {}


def _labels(view: TableView, name: str) -> set[str]:
    return {label for _, label in view.labelled.get(name, ())}


def first_odd(variable: Variable, odd: dict[str, int]) -> str:
    """The first of these cells, for a sentence."""
    row, text = variable.where(np.array([word in odd for word in variable.level_names()]), 1)[0]
    return told("such as '{}' in row {}", shown_value(text, 20), Number(f"{row:,}"))


def _answered_elsewhere(view: TableView, name: str) -> set[str]:
    """The texts that a settled card about missing codes has asked of a column."""
    result: set[str] = set()
    for key in view.choices.settled:
        start = f"{key_of('missing-code', columns_in(key, view.now))}:"
        if key.startswith(start) and name in columns_in(key, view.now):
            result |= set(key[len(start) :].split("|"))
    return result


def units_in_cells(view: TableView) -> Iterator[Finding]:
    """A card for each column of numbers in which one unit stands behind some."""
    for name, raw in view.raw.items():
        if name in view.choices.roles or name in view.choices.derive:
            continue
        variable = raw.without(view.choices.chosen_for("missing_tokens", name))
        unit = unit_in_cells(variable)
        if not unit:
            continue
        cells = {word: rows for word, rows in odd_cells(variable).items() if rows}
        number = sum(cells.values())
        yield Finding(
            "unit",
            [name],
            {
                "cells": People(number, "cell"),
                "name": Name(name),
                "cell": Level(next(iter(cells))),
                "unit": Level(unit),
            },
            {"unit": {"units": {name: unit}}, "words": {}},
            view.n / 2,
            number=number,
            chosen=name in view.choices.units or name in view.choices.kinds,
        )


_FEWEST_NUMBERS = 4
_NAMED = 3


def detection_limits(view: TableView) -> Iterator[Finding]:
    """A card for each column that is numbers but for cells such as `<0.5`."""
    for name in view.raw:
        if name in view.choices.roles or name in view.choices.derive:
            continue
        variable = _without_missing_words(view, name, "detection-limit")
        odd = few_odd(variable, _labels(view, name))
        cells = _limits(variable, odd)
        if not cells:
            continue
        why = "All its other cells are numbers, so the column can be read as numbers once this is decided."
        lost = ""
        if odd:
            some = People(sum(odd.values()), "cell")
            such = first_odd(variable, odd)
            lost = told("; {} {} {}", some, such, "becomes a gap" if sum(odd.values()) == 1 else "become gaps")
            why = told(
                "Its other cells are numbers but for {}, {}; once this is decided, they count as missing.", some, such
            )
        number = sum(cells.values())
        named = listed(told("'{}'", shown_value(text, 20)) for text in list(cells)[:_NAMED])
        effects = {
            "level": told("cells such as {} are an interval of their own", named),
            "bound": told("cells such as {} are read as the number in them", named),
            "missing": People(number, "cell becomes a gap", "cells become gaps"),
        }
        also = {"missing_tokens": {name: list(odd)}} if odd else {}
        yield Finding(
            "detection-limit",
            [name],
            {"cells": People(number, "cell"), "name": Name(name), "cell": Level(next(iter(cells))), "why": why},
            {way: {"limits": {name: way}, **also} for way in effects},
            number,
            number=number,
            effects={way: told("{}{}", effect, lost) for way, effect in effects.items()},
            chosen=name in view.choices.limits or name in view.choices.kinds,
        )


def _limits(variable: Variable, odd: Mapping[str, int]) -> dict[str, int]:
    """Cell beyond a limit -> rows, the most frequent first; nothing where cells but the odd ones are no numbers."""
    words = variable.words
    if variable.sort != "words" or words is None:
        return {}
    decimal = decimal_of(words)
    limit = np.fromiter((limit_of(word, decimal) is not None for word in words), bool, len(words))
    if not limit.any():
        return {}
    rest = [word for word, item in zip(words, limit, strict=True) if not item and word not in odd]
    grades = all(words[i].endswith("+") for i in np.flatnonzero(limit)) and len(rest) <= FEW_NUMBERS  # as 3 and 4+
    if grades or len(rest) < _FEWEST_NUMBERS or not all(is_number(word, decimal) for word in rest):
        return {}
    counts = variable.counts()
    return {words[i]: int(counts[i]) for i in sorted(np.flatnonzero(limit), key=lambda i: -counts[i])}


_TYPED = "They differ only in capitals, blanks or dashes, as happens when words are typed by hand."
_INITIAL = "A letter that begins one word only may stand for it, as happens when words are typed by hand."
_SHOWN_PAIRS = 8


def _is_letter(word: str) -> bool:
    """True where a word has one letter only, as "F." has."""
    return sum(map(str.isalnum, word)) == 1


def _is_initial(one: str, other: str) -> bool:
    return _is_letter(one) and not _is_letter(other)


def same_words(view: TableView) -> Iterator[Finding]:
    """One card for all columns with levels that differ only in capitals, blanks or dashes, or are a word's initial."""
    into: dict[str, dict[str, str]] = {}
    for name in view.used:
        variable = view.now[name]
        if variable.sort != "words" or name in view.choices.roles or name in view.choices.derive:
            continue
        rows = dict(zip(variable.level_names(), variable.counts().tolist(), strict=True))
        for group in view.proposals[name].twins:
            present = [word for word in group if rows.get(word)]
            best = max(present, key=lambda word: (not _is_letter(word), rows[word]), default="")
            pairs = {word: best for word in present if word != best}
            if pairs:
                into.setdefault(name, {}).update(pairs)
    if not into:
        return
    change: Change = {"merge": into}
    every = [(name, *pair) for name, pairs in into.items() for pair in pairs.items()]
    name, one, other = next((found for found in every if _is_initial(*found[1:])), every[0])
    become = (told("'{}' counts as '{}'", shown_value(old), shown_value(new)) for _, old, new in every)
    yield Finding(
        "same-words",
        list(into),
        {"one": Level(one), "other": Level(other), "why": _INITIAL if _is_initial(one, other) else _TYPED},
        {"one": change, "apart": {}},
        sum(int(view.now[name].counts().sum()) for name in into) / 4,
        effects={"one": first(become, _SHOWN_PAIRS)},
        also=[column for column in into if column != name],
        chosen=any(name in view.choices.merge for name in into),
    )

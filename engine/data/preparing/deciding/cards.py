"""Questions about columns that only the user of a table can decide: one rule for each question, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from string import Formatter
from typing import NamedTuple

import numpy as np

from engine.data.preparing.deciding.answer_words import answer_words
from engine.data.preparing.deciding.bare_codes import BARE_CODES, bare_codes
from engine.data.preparing.deciding.carried import CARRIED, FILLED_DOWN, carried, filled_down
from engine.data.preparing.deciding.copies import copies
from engine.data.preparing.deciding.decision import Decision, Finding, Option, holds
from engine.data.preparing.deciding.extremes import EXTREMES, extremes
from engine.data.preparing.deciding.gaps import gaps
from engine.data.preparing.deciding.joined import as_few_cards
from engine.data.preparing.deciding.many_levels import labelled_codes, many_levels
from engine.data.preparing.deciding.meaningful_names import identifiers, survival
from engine.data.preparing.deciding.missing_codes import missing_codes
from engine.data.preparing.deciding.name_rows import (
    DECIMAL_MARK,
    NAME_ROWS,
    ROWS_BELOW,
    decimal_mark,
    name_rows,
    rows_below,
)
from engine.data.preparing.deciding.odd_words import detection_limits, odd_words, same_words, units_in_cells
from engine.data.preparing.deciding.reversed_items import REVERSED_ITEMS, reversed_items
from engine.data.preparing.deciding.table_view import TableView, spelled
from engine.data.preparing.deciding.ticks import CHOICES, TICKS, several_answers, ticks
from engine.data.reading.naming import quoted
from engine.data.rows.relations import CLUSTERS, COPIES, ORDER, SERIES
from engine.text import Count, People, Text, joined, told
from engine.words import distinct

_WRITTEN = 3
"""Columns that the Python of an answer names."""


class _Rule(NamedTuple):
    """Templates of the question, of what in the table asks it, and of the button of each option."""

    sentence: str
    why: str
    options: Mapping[str, str]


_GRAMMAR = {
    "it": ("it", "them"),
    "Its": ("Its", "Their"),
    "its": ("its", "their"),
    "has": ("has", "have"),
    "tells": ("tells", "tell"),
    "says": ("says", "say"),
    "stands": ("stands", "stand"),
    "looks": ("looks like an identifier", "look like identifiers"),
    "is_measure": ("it is a measure", "they are measures"),
    "is_number": ("is no number", "are no numbers"),
    "is_value": ("It is a value", "They are values"),
    "is_real": ("is it real, or an error", "are they real, or errors"),
    "is_error": ("An error", "Errors"),
    "does_it": ("does it", "do they"),
    "runs": ("runs", "run"),
    "is_row": ("is no patient or case", "are no patients or cases"),
    "is_row_too": ("It is a row", "They are rows"),
    "it_is": ("it is", "they are"),
    "it_with": ("it with another", "them"),
}
"""Word of a template -> as it is of one thing, and of several."""

_RULES = {
    "missing-code": _Rule(
        "{values} {stands} {where}: {does_it} mean missing?",
        "{why}",
        {"missing": "{missing}", "value": "{is_value}"},
    ),
    "detection-limit": _Rule(
        "{cells} of '{name:.40}' only {says} that a limit was passed, such as '{cell:.20}': how do they count?",
        "{why}",
        {"level": "An end of the scale", "bound": "The limit itself", "missing": "Missing"},
    ),
    "unit": _Rule(
        "{cells} of '{name:.40}' {says} {unit:.20}, such as '{cell:.20}': are all its numbers in {unit:.20}?",
        "Its other cells are plain numbers, and it is no column of numbers as long as these are words.",
        {"unit": "All in {unit:.20}", "words": "Leave as words"},
    ),
    "odd-words": _Rule(
        "{cells} of '{name:.40}' {is_number}, {such}: {does_it} mean missing?",
        "All its other cells are numbers, and the column is left out as long as these are words.",
        {"missing": "Missing", "value": "{is_value}"},
    ),
    EXTREMES: _Rule(
        "{shown}: {is_real}?",
        "{far}. Until this is answered, every result counts {it} as real.",
        {"missing": "{is_error}: missing", "value": "{is_value}"},
    ),
    "same-words": _Rule(
        "'{one:.30}' and '{other:.30}' of {named} may be one word: count them as one?",
        "{why}",
        {"one": "One word", "apart": "Different words"},
    ),
    CARRIED: _Rule(
        "{named} {stands} in one row of each '{whose:.40}': carry {it} to the other rows?",
        "Rows of one person lack what was asked once; counted as gaps, they are left out.",
        {"carry": "Carry {it}", "leave": "Leave as {it_is}"},
    ),
    TICKS: _Rule(
        "{named} hold one value or nothing: does nothing mean not ticked?",
        "Where several answers may be ticked, programs write a column each; a row without any may be one not asked.",
        {"ticked": "Not ticked: yes and no", "leave": "Missing"},
    ),
    CHOICES: _Rule(
        "'{name:.40}' has several answers in one cell, such as '{cell:.40}': make a column of each answer?",
        "{answers} stand in many combinations, and each combination counts as a word of its own.",
        {"split": "A column each", "empty": "A column each, empty: no", "leave": "Leave as one word"},
    ),
    FILLED_DOWN: _Rule(
        "{named} {stands} only in the first row of each block: {does_it} hold for the rows below?",
        "Empty cells under a value are often meant like it; as gaps they are left out.",
        {"fill": "Fill down", "leave": "Leave empty"},
    ),
    "gaps": _Rule(
        "Gaps cost {lost}: what becomes of {named}?",
        "Without {these}, {more} would be complete.",
        {
            "rows": "Drop the rows",
            "columns": "Leave out {these}",
            "level": "A level of its own",
            "open": "Leave {open} open",
        },
    ),
    "gaps of ratings": _Rule(
        "Gaps cost {lost}: what becomes of {named}?",
        "A few answers are missing in each. Left open, ordinal networks use {more}.",
        {"rows": "Drop the rows", "level": "A level of its own", "open": "Leave {open} open"},
    ),
    "copy": _Rule(
        "{named} {tells} the same as '{kept}': leave {it} out?",
        "Each value of the one goes with one value of the other, so a network would only show that they are copies.",
        {"drop": "Leave out {first}", "keep": "Keep {both}"},
    ),
    "determined": _Rule(
        "'{coarse:.40}' {follows} '{fine:.40}': leave one of them out?",
        "Each value of '{fine:.40}' goes with one of the {levels} levels of '{coarse:.40}', so a network would only "
        "show that one is made of the other.",
        {"coarse": "Leave out {coarse:.20}", "fine": "Leave out {fine:.20}", "keep": "Keep both"},
    ),
    "survival": _Rule(
        "{both} look like survival data (time until an event): use both?",
        "Rows that were followed for a shorter time had less time for the event: no method here allows for that.",
        {"drop": "Leave out both", "status": "Only the event", "keep": "Keep all"},
    ),
    "many-levels": _Rule(
        "{sizes} {has} very many levels: merge the rare ones?",
        "With many levels there are few rows for each, and whatever depends on them is learned badly.",
        {"merge": "Merge rare levels", "drop": "Leave {it} out", "keep": "Keep all levels"},
    ),
    "rare-levels": _Rule(
        "{levels} of {named} {has} fewer than {least} rows: merge {it_with}?",
        "From so few rows nothing is learned about a level.",
        {"merge": "Merge rare levels", "keep": "Keep all levels"},
    ),
    "identifier left out": _Rule(
        "{named} {looks}: use {its} values as levels?",
        "{Its} name says so, but many rows share each value.",
        {"use": "Use as levels", "leave": "Leave out"},
    ),
    "identifier used": _Rule(
        "{named} {looks}: leave {it} out?",
        "{Its} whole numbers tell nearly every row from every other.",
        {"drop": "Leave out", "keep": "Keep, {is_measure}"},
    ),
    "labelled-codes": _Rule(
        "{named} {has} {codes} labelled codes, {low} '{least:.30}' to {high} '{most:.30}': is that an order?",
        "The file has labels for the codes but does not say whether a higher code means more.",
        {"grades": "Grades in this order", "names": "Names without order"},
    ),
    "answer-words": _Rule(
        "{columns} answer with the same {words} words: are they steps?",
        "No known scale has these words. {order}",
        {"steps": "Steps in this order", "names": "Names without order"},
    ),
    BARE_CODES: _Rule(
        "{named} {has} a few numbers ({levels}): steps, or codes of names?",
        "Neither a name nor the other columns say that a higher number is more.",
        {"steps": "Steps", "names": "Codes of names"},
    ),
    REVERSED_ITEMS: _Rule(
        "{named} {runs} against the others of {its} scale: flip {it}?",
        "Rank correlation with the sum of the others: {rest}.",
        {"flip": "Flip {it}", "leave": "Leave as {it_is}"},
    ),
    NAME_ROWS: _Rule(
        "The names stand in two rows: join them ({joined})?",
        "The first row names groups of columns, the second the columns of each.",
        {
            "join": "Join both",
            "end": "Join, groups end where answers change",
            "lower": "Only the second row",
            "upper": "Only the first row",
            "one": "Second row is data",
        },
    ),
    "names over labels": _Rule(
        "The names stand in the first row and their texts in the second: use these as labels?",
        "A label is shown in place of the name, with the name beside it.",
        {"label": "Use as labels", "lower": "Use as names", "one": "Second row is data"},
    ),
    ROWS_BELOW: _Rule(
        "The last {rows} {is_row}, {cells}: leave {it} out?",
        "What stands there is of no kind that its columns are above; a legend or totals are no rows of a table.",
        {"leave": "Leave {it} out", "keep": "{is_row_too}"},
    ),
    DECIMAL_MARK: _Rule(
        "Numbers such as {number}: does the {mark} part decimals or thousands?",
        "No number of the file says so, and the two readings differ by a factor of 1,000.",
        {"decimals": "Decimals", "thousands": "Thousands"},
    ),
    CLUSTERS: _Rule(
        "{values} values of '{name:.40}' have {size} each and rows with one value are alike: do they belong together?",
        "Rows that belong together tell less than as many rows that do not; counted one by one, chance looks like a "
        "difference.",
        {"together": "They belong together", "apart": "They do not"},
    ),
    COPIES: _Rule(
        "{different} stand {times} times each: are they copies?",
        "{equal} equal another one, more than the variables give by chance.",
        {"once": "Copies: count once", "apart": "Each is a case"},
    ),
    ORDER: _Rule(
        "Rows that stand side by side are alike: is the table sorted, or was it measured one after the other?",
        "Sorting does no harm; rows of one recording tell less than as many rows that have nothing to do.",
        {"sorted": "Sorted", SERIES: "One after the other"},
    ),
}
"""Kind of a finding (of an identifier, with what becomes of it) -> how it is asked about."""

_DETECTORS = (
    name_rows,
    rows_below,
    decimal_mark,
    missing_codes,
    extremes,
    detection_limits,
    odd_words,
    units_in_cells,
    same_words,
    carried,
    filled_down,
    ticks,
    several_answers,
    gaps,
    copies,
    survival,
    many_levels,
    identifiers,
    labelled_codes,
    bare_codes,
    answer_words,
    reversed_items,
)
"""The rules that ask about columns; of rows asks `decide`."""


def cards(seen: TableView, more: Iterable[Finding] = ()) -> tuple[Decision, ...]:
    """Decisions about columns that are left to the user, and more that was found, most costly first."""
    findings = chain((finding for detect in _DETECTORS for finding in detect(seen)), more)
    every = [_decision(seen, finding) for finding in as_few_cards(findings, seen.choices.settled, seen.now)]
    return tuple(sorted((card for card in every if card is not None), key=lambda card: -card.cost))


def questions(seen: TableView) -> tuple[str, ...]:
    """Open questions about the columns, for who has no page: the question, and the argument of each answer."""
    return tuple(
        f"{card.sentence} {'; '.join(filter(None, map(_as_code, card.options)))}."
        for card in cards(seen)
        if card.key not in seen.choices.settled
    )


def _as_code(option: Option) -> str:
    """An option as it is written in Python, "" where it is what happens without a word."""
    if not option.change:
        return ""
    said = []
    for argument, about in option.change.items():
        short = dict(list(about.items())[:_WRITTEN])
        text = ", ".join(f"{name!r}: {value!r}" for name, value in short.items())
        whole = f"{argument}={{{text}{', ...' if len(about) > _WRITTEN else ''}}}"
        said.append(", ".join(f"{name}={value!r}" for name, value in about.items()) if argument == "reading" else whole)
    function = "read_table" if "reading" in option.change else "Recipe"
    return f"{option.label}: {function}({', '.join(said)})"


def _decision(seen: TableView, finding: Finding) -> Decision | None:
    """A finding in words, its options with what they keep and which is the case; None where only one is possible.

    Now is the case what holds, else what needs no change. What would keep nothing would be refused.
    """
    columns, choices, changes = finding.columns, seen.choices, finding.changes
    rule, key = _RULES[finding.rule or finding.kind], finding.key
    chosen = choices.settled.get(key)
    if finding.chosen and chosen is None:
        return None
    rows_by_option = {option: seen.after(change, list(changes.values())) for option, change in changes.items()}
    possible = [
        o for o, (rows, names) in rows_by_option.items() if o == chosen or (rows.any() and (names or not changes[o]))
    ]
    if len(possible) < 2 and chosen is None:
        return None
    standing = [option for option, change in changes.items() if change and holds(choices, change)][:1]
    now = [chosen] if finding.open else standing or [option for option, change in changes.items() if not change]
    many = (len(columns) if finding.number is None else finding.number) != 1
    named = [name for name in columns if name not in finding.also]
    words = {"named": quoted(named), **{word: forms[many] for word, forms in _GRAMMAR.items()}, **finding.words}
    every = [name for name in seen.now if name not in choices.derive]
    # what is kept is known once it is read anew, or there are new columns
    read = any("reading" in change or "derive" in change for change in changes.values())
    keeps = {option: "" if read else _keeps(seen.n, *rows) for option, rows in rows_by_option.items()}
    options = [
        Option(
            option,
            _filled(rule.options[option], words),
            joined(filter(None, (finding.effects.get(option, ""), keeps[option])), "; "),
            spelled(changes[option], choices, every),
            option in now,
        )
        for option in possible
    ]
    sentence, why = _filled(rule.sentence, words), _filled(rule.why, words)
    sentence += told(" (So for {}.)", quoted(finding.also)) if finding.also else ""
    return Decision(key, finding.kind, tuple(columns), sentence, why, tuple(options), float(finding.cost))


def _filled(template: str, words: Mapping[str, str]) -> Text:
    """A template with its words, those cut that it gives a length."""
    literals, fields, specs, _ = zip(*Formatter().parse(template), strict=True)
    parts = [
        type(words[name])(distinct([words[name]], int(spec[1:]))[0]) if spec else words[name]
        for name, spec in zip(fields, specs, strict=True)
        if name is not None
    ]
    places = ("" if name is None else "{}" for name in fields)
    return told("".join(chain.from_iterable(zip(literals, places, strict=True))), *parts)


def _keeps(n: int, rows: np.ndarray, columns: list[str]) -> Text:
    n_kept = int(rows.sum())
    part = People(n_kept, "row", of=n) if n_kept < n else told("all {}", People(n, "row"))
    return told("keeps {} and {}", part, Count(len(columns), "column"))

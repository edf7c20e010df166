"""What is asked about each finding, in words: one rule for each question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.data.rows.relations import CLUSTERS, COPIES, ORDER, SERIES


class Rule(NamedTuple):
    """Templates of the question, of what in the table asks it, and of the button of each option."""

    sentence: str
    why: str
    options: Mapping[str, str]


GRAMMAR = {
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
    "does_it": ("does it", "do they"),
    "it_with": ("it with another", "them"),
}
"""Word of a template -> as it is of one thing, and of several."""

RULES = {
    "missing-code": Rule(
        "{values} {stands} {where}: {does_it} mean missing?",
        "{why}",
        {"missing": "{missing}", "value": "{is_value}"},
    ),
    "detection-limit": Rule(
        "{cells} of '{name:.40}' only {says} that a limit was passed, such as '{cell:.20}': how do they count?",
        "{why}",
        {"level": "An end of the scale", "bound": "The limit itself", "missing": "Missing"},
    ),
    "odd-words": Rule(
        "{cells} of '{name:.40}' {is_number}, {such}: {does_it} mean missing?",
        "All its other cells are numbers, and the column is left out as long as these are words.",
        {"missing": "Missing", "value": "{is_value}"},
    ),
    "gaps": Rule(
        "Gaps cost {lost}: what becomes of {named}?",
        "Without {it}, {more} would be complete.",
        {"rows": "Drop the rows", "columns": "Leave out {these}", "level": "A level of its own"},
    ),
    "copy": Rule(
        "{named} {tells} the same as '{kept}': leave {it} out?",
        "Each value of the one goes with one value of the other, so a network would only show that they are copies.",
        {"drop": "Leave out {first}", "keep": "Keep {both}"},
    ),
    "determined": Rule(
        "'{coarse:.40}' {follows} '{fine:.40}': leave one of them out?",
        "Each value of '{fine:.40}' goes with one of the {levels} levels of '{coarse:.40}', so a network would only "
        "show that one is made of the other.",
        {"coarse": "Leave out {coarse:.20}", "fine": "Leave out {fine:.20}", "keep": "Keep both"},
    ),
    "survival": Rule(
        "{both} look like survival data, with rows that were followed for different lengths: are they to be used?",
        "Who was followed for a short time has had less time for an event, which no method here allows for.",
        {"drop": "Leave out both", "status": "Only the event", "keep": "Keep all"},
    ),
    "many-levels": Rule(
        "{sizes} {has} very many levels: merge the rare ones?",
        "With many levels there are few rows for each, and whatever depends on them is learned badly.",
        {"merge": "Merge rare levels", "drop": "Leave {it} out", "keep": "Keep all levels"},
    ),
    "rare-levels": Rule(
        "{levels} of {named} {has} fewer than {least:,} rows: merge {it_with}?",
        "From so few rows nothing is learned about a level.",
        {"merge": "Merge rare levels", "keep": "Keep all levels"},
    ),
    "identifier left out": Rule(
        "{named} {looks}: use {its} values as levels?",
        "{Its} name says so, but many rows share each value.",
        {"use": "Use as levels", "leave": "Leave out"},
    ),
    "identifier used": Rule(
        "{named} {looks}: leave {it} out?",
        "{Its} whole numbers tell nearly every row from every other.",
        {"drop": "Leave out", "keep": "Keep, {is_measure}"},
    ),
    "labelled-codes": Rule(
        "{named} {has} {codes} labelled codes, {low} '{least:.30}' to {high} '{most:.30}': is that an order?",
        "The file has labels for the codes but does not say whether a higher code means more.",
        {"grades": "Grades in this order", "names": "Names without order"},
    ),
    CLUSTERS: Rule(
        "{values:,} values of '{name:.40}' have {size} each and rows with one value are alike: do they belong "
        "together?",
        "Rows that belong together tell less than as many rows that do not; counted one by one, chance looks like a "
        "difference.",
        {"together": "They belong together", "apart": "They do not"},
    ),
    COPIES: Rule(
        "{different} stand {times} times each: are they copies?",
        "{equal} equal another one, more than the variables give by chance.",
        {"once": "Copies: count once", "apart": "Each is a case"},
    ),
    ORDER: Rule(
        "Rows that stand side by side are alike: is the table sorted, or was it measured one after the other?",
        "Sorting does no harm; rows of one recording tell less than as many rows that have nothing to do.",
        {"sorted": "Sorted", SERIES: "One after the other"},
    ),
}
"""Kind of a finding (of an identifier, with what becomes of it) -> how it is asked about."""

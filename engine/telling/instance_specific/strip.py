"""A patient's values in short: their order, where each stands among all rows and given the rest."""

from __future__ import annotations

import math

from engine import words
from engine.methods.instance_specific.evidence import InstanceEvidence
from engine.methods.instance_specific.unusual import UNUSUAL
from engine.telling.instance_specific.numbers import beyond
from engine.telling.instance_specific.wording import NAMED, outer_side, outer_words, who
from engine.text import Number, Share, Text, joined, told

COMMON = 0.5
"""Share of rows from which on a level of two does not stand out."""
ODD_SIGN, OUTER_SIGN = "▲", "△"
"""Of a value that is extreme or unexpected, and of one among the highest or lowest of a patient with many of them."""


def odd_values(result: InstanceEvidence) -> set[str]:
    """The values that are unexpected given the others, or extreme."""
    return {*unexpected_values(result), *(number.name for number in result.extremes)}


def unexpected_values(result: InstanceEvidence) -> set[str]:
    """The values that are unexpected given the others."""
    table = result.unusual_values()
    return set(table.index[table["p"] < UNUSUAL])


def outer_ones(result: InstanceEvidence) -> tuple[str, ...]:
    """The values among the highest or lowest, of a patient of whom that is said."""
    return result.outermost if outer_words(result) else ()


def in_order(result: InstanceEvidence) -> list[str]:
    """The known values: odd ones, outer ones, then the farthest out among all rows; common levels of two last."""
    odd, outer = odd_values(result), outer_ones(result)
    places = {name: place for place, name in enumerate(result.unusual_values().index)}

    def rank(name: str) -> tuple[bool, bool, bool, float, int]:
        share, is_number = _share_as_far(result, name)
        common = not is_number and share >= COMMON and len(result.levels[name]) == 2
        return name not in odd, name not in outer, common, share, places.get(name, len(places))

    return sorted(result.patient, key=rank)


def order_words(result: InstanceEvidence) -> Text:
    """In which order the values stand, and what p is."""
    begins = [told("{} extreme or unexpected", ODD_SIGN)] if odd_values(result) else []
    begins += [told("{} {}", OUTER_SIGN, outer_side(result))] if outer_ones(result) else []
    rest = told("the farthest out among all {}", who(result))
    order = joined([*begins, told("then {}", rest)], ", ") if begins else told("The farthest out among all first")
    return told("{}; p uncorrected", order)


def headings(result: InstanceEvidence) -> tuple[Text, Text]:
    """What the two figures below a value are among: all rows, and those with the patient's other values."""
    return told("among {}", who(result)), told("given the rest")


def stands_among(result: InstanceEvidence, name: str) -> Text:
    """'lower than in 88 %', '12 %', under the first of `headings`."""
    number = next((number for number in result.numbers if number.name == name), None)
    if number is not None:
        return beyond(number)
    counts = result.counted[result.network_of_all.names.index(name)].counts.sum(axis=0)
    share = Share(counts[result.levels[name].index(result.patient[name])], counts.sum())
    return told("{}", share)


def stands_given(result: InstanceEvidence, name: str) -> Text:
    """'expected', or p where it is small, under the second; that nothing is linked to it; "" of what is not known."""
    table = result.unusual_values()
    if name not in table.index or math.isnan(table.at[name, "surprise"]):
        return told("")
    by_itself = not result.population_dag.degree(name)
    if by_itself and not any(number.name == name and not math.isnan(number.given) for number in result.numbers):
        return told("no link: its share alone")
    surprise, corrected = float(table.at[name, "surprise"]), float(table.at[name, "p"])
    if surprise >= NAMED and corrected >= UNUSUAL:
        return told("expected")
    return told("{}{}", "unexpected, " if corrected < UNUSUAL else "", Number(words.p_value(surprise)))


def _share_as_far(result: InstanceEvidence, name: str) -> tuple[float, bool]:
    """The share of rows as far out on its side, of a level that of rows with it; and whether it is a number."""
    number = next((number for number in result.numbers if number.name == name), None)
    if number is not None:
        return 1 - number.beyond, True
    counts = result.counted[result.network_of_all.names.index(name)].counts.sum(axis=0)
    return float(counts[result.levels[name].index(result.patient[name])] / max(counts.sum(), 1)), False

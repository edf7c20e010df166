"""Cells of a column of numbers with more than a number: limits such as `<0.5` and `>90`, and units as in `60 kg`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.data.preparing.variables import Variable, decimal_of, replace_words
from engine.data.reading.naming import in_row, shown_name, shown_value
from engine.data.reading.numbers import MOST_DOSES, PERCENT, PLAIN, bare_of, is_number, to_float
from engine.data.units import unit_in
from engine.errors import DataError

LIMIT_CHOICES = ("level", "bound", "missing")
"""An end of the scale of its own; the number of the limit itself; not known."""
_LIMIT = re.compile(r"(?P<side><=?|≤|>=?|≥)\s*(?P<number>[+-]?[\d.,]+(?:[eE][+-]?\d+)?)|(?P<and_over>\d[\d.,]*)\s?\+")


def limit_of(text: str, decimal: str) -> tuple[str, float] | None:
    """ "<" or ">" and the number of a cell such as `< 0,5` and `90+`; None where it is no limit."""
    result = _LIMIT.fullmatch(text)
    number = (result["number"] or result["and_over"]) if result else ""
    if result is None or not PLAIN[decimal].fullmatch(number):
        return None
    return ("<" if (result["side"] or ">")[0] in "<≤" else ">"), to_float(number, decimal)


_WITH_UNIT = re.compile(r"[+-]?[\d.,]*\d\s?(?P<unit>[^\W\d_].{0,19}|°[CF]|[%$€£])")


def unit_in_cells(variable: Variable) -> str:
    """The one known unit behind all cells that are no plain numbers, where some are; "" where the name has another."""
    words = variable.words or ()
    if variable.sort != "words":
        return ""
    decimal = decimal_of(words)
    found = _WITH_UNIT.fullmatch(next((word for word in words if not is_number(word, decimal)), ""))
    unit = found["unit"] if found else ""
    most = MOST_DOSES if unit[:1].isalpha() else 2
    named = unit_in(variable.name)
    if not unit or not unit_in(f"{variable.name} ({unit})") or (named and named.casefold() != unit.casefold()):
        return ""
    numbers = with_unit(variable, unit).numbers
    some = numbers is not None and len(numbers) > most and any(is_number(word, decimal) for word in words)
    return unit if some else ""


def shares_beside_percents(words: Sequence[str]) -> tuple[str, str] | None:
    """A share such as 0.5 and a percentage such as 40 %, where all numbers of a column are either; None where not."""
    decimal = decimal_of(words)
    shares = [word for word in words if is_number(word, decimal)]
    percents = [word for word in words if PERCENT[decimal].fullmatch(word)]
    if not shares or not percents or len(shares) + len(percents) < len(words):
        return None
    values = [to_float(word, decimal) for word in shares]
    whole = max(values) > 1 or min(values) < 0 or all(value in (0, 1) for value in values)
    return None if whole or max(to_float(word, decimal) for word in percents) <= 1 else (shares[-1], percents[0])


def with_unit(variable: Variable, unit: str) -> Variable:
    """A column of numbers, some with this unit behind them, as numbers; any other as it is."""
    words = variable.words
    if variable.sort != "words" or not words or not unit or shares_beside_percents(words):
        return variable
    decimal, bare = decimal_of(words), [bare_of(word, unit) for word in words]
    if bare == list(words) or not all(is_number(text, decimal) for text in bare):
        return variable
    values = np.array([to_float(text, decimal) for text in bare])
    return replace(replace_words(variable, values), written=decimal)


def odd_cells(variable: Variable) -> dict[str, int]:
    """Texts that are neither numbers nor limits -> how many cells."""
    words, counts = variable.words or (), variable.counts()
    decimal = decimal_of(words)
    odd = [not (limit_of(word, decimal) or is_number(word, decimal)) for word in words]
    return {word: int(count) for word, count, bad in zip(words, counts, odd, strict=True) if bad and count}


def with_limits(variable: Variable, how: str, *, strict: bool = True) -> Variable:
    """A column of numbers and limits as numbers.

    As a "level", a cell `<x` lies just below a cut at x and a cell `>x` on a cut at x, so each end of the scale has an
    interval of its own (values that were measured there stand in it too); `ends` holds these cuts.
    """
    words = variable.words
    if variable.numbers is not None or words is None or variable.sort != "words":
        return variable  # another table of the same kind may have no cell beyond a limit
    decimal = decimal_of(words)
    odd = odd_cells(variable) if strict else {}
    if odd:
        row, text = variable.where(np.fromiter((word in odd for word in words), bool, len(words)), 1)[0]
        raise DataError(
            "'{}' has the cell '{}' in {}, which is neither a number nor a limit such as <0.5. Correct "
            "it, or list it as a missing token.",
            shown_name(variable.name),
            shown_value(text),
            in_row(row),
            column=variable.name,
            row=row,
        )
    limits = {word: limit for word in words if (limit := limit_of(word, decimal))}
    values = np.array([to_float(word, decimal) if is_number(word, decimal) else np.nan for word in words])
    for i, word in enumerate(words):
        if word in limits:
            values[i] = _stands_for(*limits[word], how)
    result = replace(replace_words(variable, values), written=decimal)
    if how != "level":
        return result
    low = max((limit for side, limit in limits.values() if side == "<"), default=None)
    high = min((limit for side, limit in limits.values() if side == ">"), default=None)
    if low is not None and high is not None and low >= high:
        high = None
    stand_ins = {value: word for value, word in zip(values.tolist(), words, strict=True) if word in limits}
    return replace(result, ends=(low, high), stand_ins=stand_ins)


def _stands_for(side: str, limit: float, how: str) -> float:
    """The number a cell beyond a limit is read as: where the limit is a cut, the next one beyond it."""
    if how == "missing":
        return np.nan
    return limit if how == "bound" else float(np.nextafter(limit, -np.inf if side == "<" else np.inf))

"""Detection limits: cells such as `<0.5` and `>90` in a column of numbers, and what may become of them."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from engine.data.preparing.variables import Variable, decimal_of
from engine.data.reading.numbers import PLAIN, is_number, to_float
from engine.errors import DataError

LIMIT_CHOICES = ("level", "bound", "missing")
"""An end of the scale of its own; the number of the limit itself; not known."""
_LIMIT = re.compile(r"(?P<side><=?|≤|>=?|≥)\s*(?P<number>[+-]?[\d.,]+(?:[eE][+-]?\d+)?)")


def limit_of(text: str, decimal: str) -> tuple[str, float] | None:
    """ "<" or ">" and the number of a cell such as `< 0,5`; None where it is no limit."""
    found = _LIMIT.fullmatch(text)
    if found is None or not PLAIN[decimal].fullmatch(found["number"]):
        return None
    return ("<" if found["side"][0] in "<≤" else ">"), to_float(found["number"], decimal)


def limits_decimal(words: tuple[str, ...]) -> str:
    """The decimal mark of numbers and limits that stand together."""
    return decimal_of(words)


def with_limits(variable: Variable, how: str, *, strict: bool = True) -> Variable:
    """A column of numbers and limits as numbers.

    As a "level", a cell `<x` lies just below a cut at x and a cell `>x` on a cut at x, so each end of the scale has an
    interval of its own (values that were measured there stand in it too); `ends` holds these cuts.

    Parameters
    ----------
    how : one of `LIMIT_CHOICES`
    strict : refuse a cell that is neither; else it is left as it is and the column keeps its words

    Raises
    ------
    DataError : a cell is neither a number nor a limit
    """
    words = variable.words
    if variable.numbers is not None or words is None:
        return variable  # another table of the same kind may have no cell beyond a limit
    decimal = limits_decimal(words)
    limits = [limit_of(word, decimal) for word in words]
    odd = np.fromiter(
        (one is None and not is_number(word, decimal) for one, word in zip(limits, words, strict=True)),
        bool,
        len(words),
    )
    odd &= variable.counts() > 0
    if odd.any() and not strict:
        return variable
    if odd.any():
        row, text = variable.where(odd, 1)[0]
        raise DataError(
            f"'{variable.name[:60]}' has the cell '{text[:40]}' in row {row}, which is neither a number nor a limit "
            "such as <0.5. Correct it, or list it as a missing token.",
            column=variable.name,
            row=row,
        )
    measured = [to_float(word, decimal) for word, one, bad in zip(words, limits, odd, strict=True) if not (one or bad)]
    whole = all(value == int(value) for value in [*measured, *(one[1] for one in limits if one)])
    values = [
        np.nan if bad else to_float(word, decimal) if one is None else _stands_for(*one, how, whole)
        for word, one, bad in zip(words, limits, odd, strict=True)
    ]
    low = [one[1] for one in limits if one is not None and one[0] == "<"]
    high = [one[1] for one in limits if one is not None and one[0] == ">"]
    ends = (max(low, default=None), min(high, default=None)) if how == "level" else (None, None)
    if ends[0] is not None and ends[1] is not None and ends[0] >= ends[1]:
        ends = (ends[0], None)
    numbers = np.array(values, float) + 0.0  # + 0.0: no negative zero
    distinct = np.unique(numbers[~np.isnan(numbers)])
    place = np.where(np.isnan(numbers), -1, np.searchsorted(distinct, numbers))
    return replace(
        variable,
        sort="number",
        codes=np.append(place, -1)[variable.codes],
        numbers=distinct,
        words=None,
        ends=ends,
        written=decimal,
    )


def _stands_for(side: str, limit: float, how: str, whole: bool) -> float:
    """The number a cell beyond a limit is read as; only its interval counts where the limit is a cut."""
    if how == "missing":
        return np.nan
    if how == "bound" or side == ">":
        return limit
    return limit - 1 if whole else float(np.nextafter(limit, -np.inf))

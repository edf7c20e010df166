"""A level in words, how many decimals numbers have, and a headline that says on how few rows it rests."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from engine import words
from engine.text import Level, Name, People, Text, decapitalized, told

_END = r"\S*\d\S*"
_LOWEST = re.compile(rf"below ({_END})")
_RANGE = re.compile(rf"below {_END}|{_END} to {_END}|{_END} and above")


def is_long(text: str) -> bool:
    """True where a sentence has more than the 25 words that a headline may have."""
    return len(text.split()) > 25


def from_lowest_cut(levels: Sequence[str]) -> str:
    """All ranges of a number but the lowest, as one: '2.3 and above'; "" where the lowest is one value.

    Parameters
    ----------
    levels : the ranges, in their order
    """
    lowest = _LOWEST.fullmatch(levels[0])
    return f"{lowest[1]} and above" if lowest else ""


def level_words(name: str, level: str) -> Text:
    """A variable at one of its levels: a level of several words quoted, a range without "=" (no formula is meant).

    Parameters
    ----------
    name : of the variable
    level : of it

    Returns
    -------
    a part of a sentence

    Examples
    --------
    >>> str(level_words("sex", "male")), str(level_words("CRP (mg/L)", "39.4 and above"))
    ('sex = male', 'CRP (mg/L) 39.4 and above')
    >>> str(level_words("mood", "sad most of the time"))
    'mood = “sad most of the time”'
    """
    if _RANGE.fullmatch(level):
        return told("{} {}", Name(name), Level(level))
    return told("{} = “{}”" if level.count(" ") > 2 else "{} = {}", Name(name), Level(level))


def decimal(numbers: Sequence[float], spread: float, fewest: bool = True) -> list[str]:
    """Numbers with as many decimals as a range of this width has meaning for.

    Parameters
    ----------
    numbers : that stand beside each other
    spread : the range
    fewest : whether zeros that all of them end with are left out

    Returns
    -------
    their texts

    Examples
    --------
    >>> decimal([63.21, 61.9], 12.4), decimal([1.849, 2.0], 0.6)
    (['63', '62'], ['1.85', '2.00'])
    """
    most = 1 - math.floor(math.log10(spread)) if spread > 0 and math.isfinite(spread) else 2
    decimals = min(max(most, 0), 12)
    # as Python rounds, and what is equal but for the last bits alike; no minus before 0
    rounded = [round(round(float(number), decimals + 6), decimals) + 0.0 for number in numbers]
    if any(abs(number) >= 1e7 or 0 < abs(number) < 1e-4 for number in rounded) or most > 12:
        return [words.with_minus(f"{number:.3g}") for number in numbers]
    needed = (d for d in range(13) if d == 12 or all(round(number, d) == number for number in rounded))
    decimals = next(needed) if fewest else decimals
    return [words.with_minus(f"{number:,.{decimals}f}") for number in rounded]


def with_interval(value: float, low: float, high: float) -> list[str]:
    """An estimate and the ends of its interval, with one decimal more where an end beside 0 would look like 0.

    Parameters
    ----------
    value, low, high : finite, the second below the third

    Returns
    -------
    their texts

    Examples
    --------
    >>> with_interval(5.2, -0.2, 10.8), with_interval(7.1, 2.8, 11.6)
    (['5.2', '−0.2', '10.8'], ['7.1', '2.8', '11.6'])
    """
    texts = decimal([value, low, high], high - low)
    at_nothing = any(end and not text.strip("−0.") for end, text in zip((low, high), texts[1:], strict=True))
    return decimal([value, low, high], (high - low) / 10) if at_nothing else texts


FEW_ROWS = 30
"""Rows below which a headline says that they are few."""


def of_rows(headline: str, rows: int) -> str:
    """A headline that says so where it rests on few rows.

    Parameters
    ----------
    headline : one sentence
    rows : how many it rests on

    Returns
    -------
    the sentence

    Examples
    --------
    >>> of_rows("No variable is seen to differ.", 12)
    'With only 12 rows, no variable is seen to differ.'
    """
    if rows >= FEW_ROWS:
        return headline
    begins = headline.startswith(("No ", "All ", "Every ", "The "))
    return told("With only {}, {}", People(rows, "row"), decapitalized(headline) if begins else headline)

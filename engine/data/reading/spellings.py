"""Words that are one but for how they were typed: capitals, blanks of any width, dashes of any length."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from engine.data.reading.columns import Typed
from engine.data.reading.scales import LONGEST_WORD
from engine.lazy import pd
from engine.words import first

_MOST = 1_000
"""Words of a column beyond which they are no levels."""
_BLANKS = re.compile(r"\s+")
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_LETTERS = re.compile(r"[\W\d_]+")


def tidy(word: str) -> str:
    """A word with single blanks and plain dashes."""
    return _DASHES.sub("-", _BLANKS.sub(" ", word))


def spellings(rows: Mapping[str, int]) -> dict[str, str]:
    """Word -> the spelling that takes its place, of those that have another one in the same column.

    The most frequent spelling stays. Capitals count where they may mean something, as in a genotype (AaBb, aa) or a
    single letter.

    Parameters
    ----------
    rows : word -> how many rows have it
    """
    if len(rows) > _MOST:
        return {}
    plain = all(map(_is_ordinary, rows))
    groups: dict[str, list[str]] = {}
    for word in rows:
        same = tidy(word)
        groups.setdefault(same.casefold() if plain and _capitals_tell_nothing(same) else same, []).append(word)
    best = {
        word: max(group, key=lambda item: (rows[item], tidy(item) == item))
        for group in groups.values()
        for word in group
    }
    return {word: into for word, into in best.items() if word != into}


def with_one_spelling(column: Typed) -> Typed:
    """A column of words in which each has one spelling, and a note of those that were another one."""
    series = column.series
    if not isinstance(series.dtype, pd.CategoricalDtype) or not 2 <= len(series.cat.categories) <= _MOST:
        return column
    words = list(series.cat.categories)
    if len({tidy(word).casefold() for word in words}) == len(words):
        return column
    codes = series.cat.codes.to_numpy()
    counts = np.bincount(codes[codes >= 0], minlength=len(words)).tolist()
    into = spellings(dict(zip(words, counts, strict=True)))
    if not into:
        return column
    left = [word for word in words if word not in into]
    place = {word: code for code, word in enumerate(left)}
    recode = np.array([*(place[into.get(word, word)] for word in words), -1])
    series = pd.Series(pd.Categorical.from_codes(recode[codes], categories=pd.Index(left, dtype="str")))
    told = first((f"'{old[:30]}' as '{new[:30]}'" for old, new in into.items()), most=3)
    note = f"words that differ in capitals, blanks or dashes are one: {told}"
    return replace(column, series=series, note="; ".join(filter(None, (column.note, note))))


def _is_ordinary(word: str) -> bool:
    """Whether capitals stand only where a word or a whole text begins, or everywhere."""
    return all(part in (part.lower(), part.upper(), part.capitalize()) for part in _LETTERS.split(word[:LONGEST_WORD]))


def _capitals_tell_nothing(word: str) -> bool:
    """Whether it is written with letters enough to be a word, not a sign such as 'Aa' or 'f'."""
    letters = _LETTERS.sub("", word.casefold())
    return len(set(letters)) >= min(max(len(letters), 2), 3)

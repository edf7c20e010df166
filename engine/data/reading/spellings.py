"""Words that are one but for blanks of any width and dashes of any length; whether capitals count is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from engine.data.reading.columns import Typed
from engine.lazy import pd
from engine.words import first

_MOST = 1_000
"""Words of a column beyond which they are no levels."""
_BLANKS = re.compile(r"\s+")
_DASHES = re.compile("[\u2010-\u2015\u2212]")


def tidy(word: str) -> str:
    """A word with single blanks and plain dashes."""
    return _DASHES.sub("-", _BLANKS.sub(" ", word))


def spellings(rows: Mapping[str, int]) -> dict[str, str]:
    """Word -> the spelling that takes its place, of those that have another one in the same column.

    The plain one where there is one, else the most frequent.

    Parameters
    ----------
    rows : word -> how many rows have it
    """
    groups: dict[str, list[str]] = {}
    for word in rows:
        groups.setdefault(tidy(word), []).append(word)
    best = {same: max(group, key=lambda word: (word == same, rows[word])) for same, group in groups.items()}
    return {word: best[tidy(word)] for word in rows if best[tidy(word)] != word}


def with_one_spelling(column: Typed) -> Typed:
    """A column of words in which each has one spelling, and a note of those that were another one."""
    series = column.series
    if not isinstance(series.dtype, pd.CategoricalDtype) or not 2 <= len(series.cat.categories) <= _MOST:
        return column
    words = list(series.cat.categories)
    if len(set(map(tidy, words))) == len(words):
        return column
    codes = series.cat.codes.to_numpy()
    counts = np.bincount(codes[codes >= 0], minlength=len(words)).tolist()
    into = spellings(dict(zip(words, counts, strict=True)))
    left = [word for word in words if word not in into]
    place = {word: code for code, word in enumerate(left)}
    recode = np.array([*(place[into.get(word, word)] for word in words), -1])
    series = pd.Series(pd.Categorical.from_codes(recode[codes], categories=pd.Index(left, dtype="str")))
    told = first((f"'{old[:30]}' as '{new[:30]}'" for old, new in into.items()), most=3)
    note = "; ".join(filter(None, (column.note, f"words that differ only in blanks or dashes are one: {told}")))
    return replace(column, series=series, note=note)

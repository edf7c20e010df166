"""The order of answers by what in them says how much, for scales that no list has."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.data.reading.scales import anchor, folded, known_order

_STRENGTHS = (
    r"not at all|never|none|no|nothing|cannot|gar nicht|überhaupt nicht|nie|niemals|kein\w*|nichts",
    r"not|\w+n't|nicht|hardly|barely|rarely|seldom|kaum|selten",
    r"slight\w*|little|bit|few|some|somewhat|sometimes|partly|mild\w*|wenig|etwas|manchmal|teilweise|leicht",
    r"moderate\w*|fairly|rather|half|medium|mittel\w*|mäßig|eher|ziemlich",
    r"mostly|often|considerabl\w*|well|much|many|lots?|strong\w*|largely|meist\w*|oft|häufig|stark|viel",
    r"very|severe\w*|nearly always|almost always|sehr|fast immer",
    r"completely|totally|perfectly|extremely|exactly|fully|entirely|always|all|every|völlig|voll|immer|ganz|genau|äußerst",
)
"""Words that say how much, from least to most; a denial places an answer, else the last of these in it."""
_DENIALS = 2
"""The first of these are denials."""
_SILENT = -1
"""Strength of an answer that has none of these words."""
_PATTERNS = tuple(re.compile(rf"\b(?:{folded(words)})\b") for words in _STRENGTHS)


def likely_order(words: Sequence[str]) -> list[str]:
    """The words from least to most by what in them says how much; as they stand in the alphabet where that is open."""
    return sorted(words, key=_strength) if are_ranked(words) else known_order(words)[0]


def are_ranked(words: Sequence[str]) -> bool:
    """True where each says how much, and no two the same."""
    strengths = set(map(_strength, words))
    return len(strengths) == len(words) and _SILENT not in strengths


def _strength(word: str) -> int:
    """Place among the words that say how much."""
    text = anchor(word)
    ranks = [rank for rank, pattern in enumerate(_PATTERNS) if pattern.search(text)]
    return min(ranks) if ranks and min(ranks) < _DENIALS else max(ranks, default=_SILENT)

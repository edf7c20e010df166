"""The natural order of level names: numbers, known scales, grades, ranges, weekdays, months, else the alphabet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from engine.data.reading.scale_words import CYCLES, SCALES, folded

_ROMAN = {
    roman: number
    for number, roman in enumerate(
        ["0", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"],
    )
}
_GRADED = re.compile(
    r"(stage|grade|class|level|phase|step|nyha|asa|ecog|figo|child|score|degree|quartile|tertile|quintile|tier|"
    r"q|g|t|n|m|nyha class|asa class|killip|killip class|ccs|gold)[ _-]*([ivx]+|\d+)([a-d]?)",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"(?P<under><=?|≤|under |below |less than |up to )?\s*(?P<low>-?\d+(?:[.,]\d+)?)"
    r"(?:\s*(?:-|–|—|to|\.\.)\s*(?P<high>-?\d+(?:[.,]\d+)?))?\s*"
    r"(?P<over>\+|and (?:above|over|more|older)|or more)?"
)
_OVER = re.compile(r"(?:>=?|≥|over |above |more than )\s*(-?\d+(?:[.,]\d+)?)")
_NUMBERED = re.compile(r"\(?(?P<number>\d+(?:[.,]\d+)?)(?P<words>\s*[-–—.:=)]\s*[^\s\d].*)?")
_DIGITS = re.compile(r"(\d+)")
NUMBERED = "its levels begin with numbers; choose nominal if they are mere codes"
"""Why levels such as "1 - mild" are taken as ordered; the name of the column may say otherwise."""


def natural_order(levels: Iterable[str]) -> list[str]:
    """The levels in the order a person would put them."""
    return known_order(levels)[0]


def known_order(levels: Iterable[str]) -> tuple[list[str], str]:
    """The levels in natural order, and why they are ordered: a sentence part, or "" when they are not."""
    levels = list(levels)
    numbers = _numbers(levels)
    if numbers is not None:
        return _sorted(levels, numbers), ""
    if len(levels) > 60:
        return sorted(levels, key=natural_key), ""
    words = [folded(level) for level in levels]
    for scale in SCALES:
        if len(set(words)) >= 2 and set(words) <= set(scale) and not set(words) <= {"no", "absent"}:
            found = _sorted(levels, [scale.index(word) for word in words])
            return found, f"its words form a known scale, from '{found[0][:40]}' to '{found[-1][:40]}'"
    for cycle in CYCLES:
        if set(words) <= set(cycle):
            return _sorted(levels, [cycle.index(word) for word in words]), ""
    grades = _grades(words)
    if grades is not None:
        return _sorted(levels, grades), "its levels are numbered grades"
    ranges = _ranges(words)
    if ranges is not None:
        return _sorted(levels, ranges), "its levels are ranges of numbers"
    leading = _leading(levels)
    if leading is not None:
        return _sorted(levels, leading), NUMBERED
    return sorted(levels, key=natural_key), ""


def scale_with_none(levels: Sequence[str]) -> bool:
    """Whether "None" next to these levels means a grade (none, mild, severe) and not a missing value."""
    words = {folded(level) for level in levels}
    return bool(words) and any("none" in scale and words <= set(scale) for scale in SCALES)


def natural_key(level: str) -> tuple[list[tuple[int, int, str]], str]:
    """A sort key for which item 9 comes before item 10 and capitals do not count."""
    parts = [
        (0, int(part), "") if part.isdecimal() and part.isascii() else (1, 0, part.casefold())
        for part in _DIGITS.split(level)
        if part
    ]
    return parts, level


def _sorted(levels: list[str], keys: Sequence[object]) -> list[str]:
    order = sorted(range(len(levels)), key=lambda i: (keys[i], levels[i]))
    return [levels[i] for i in order]


def _numbers(levels: Sequence[str]) -> list[float] | None:
    try:
        return [float(level) for level in levels]
    except ValueError:
        return None


def _leading(levels: Sequence[str]) -> list[float] | None:
    """Numbers that levels such as `1 - mild` begin with, where all have one, no two the same, and some have words."""
    matches = [_NUMBERED.fullmatch(level) for level in levels]
    numbers = [float(found["number"].replace(",", ".")) for found in matches if found]
    worded = any(found["words"] for found in matches if found)
    return numbers if worded and len(levels) > 1 and len(set(numbers)) == len(levels) else None


def _grades(words: Sequence[str]) -> list[tuple[int, str]] | None:
    """Numbered or Roman grades, with or without a common word before them."""
    if len(words) < 2:
        return None
    plain = [re.fullmatch(r"([ivx]+|0)([a-d]?)", level) for level in words]
    if all(plain) and len(words) > 1 and any(level in ("ii", "iii") for level in words):
        pairs = [(found.group(1), found.group(2)) for found in plain if found]
    else:
        matches = [_GRADED.fullmatch(level) for level in words]
        if not all(matches) or len({found.group(1) for found in matches if found}) != 1:
            return None
        pairs = [(found.group(2), found.group(3)) for found in matches if found]
    keys = [(_ROMAN.get(number, int(number) if number.isdigit() else -1), letter) for number, letter in pairs]
    return None if any(number < 0 for number, _ in keys) else keys


def _ranges(words: Sequence[str]) -> list[tuple[float, int]] | None:
    """Ranges such as `18-30`, `under 18`, `65+` and `>= 65`, at least one of them with a mark."""
    keys, marked = [], False
    for level in words:
        over, found = _OVER.fullmatch(level), _RANGE.fullmatch(level)
        if over:
            keys.append((float(over.group(1).replace(",", ".")), 2))
            marked = True
        elif found:
            marked |= any(found.group(part) for part in ("under", "high", "over"))
            keys.append((float(found.group("low").replace(",", ".")), 0 if found.group("under") else 1))
        else:
            return None
    return keys if marked and len(keys) > 1 else None

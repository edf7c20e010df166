"""The natural order of level names: numbers, known scales, ranges, weekdays, months, else the alphabet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

SCALES = (
    ("very low", "low", "lower", "below average", "normal", "medium", "moderate", "intermediate", "mid",
     "average", "above average", "high", "higher", "very high", "extreme"),
    ("none", "absent", "no", "minimal", "trace", "very mild", "mild", "mild to moderate", "moderate",
     "moderate to severe", "marked", "severe", "very severe", "critical", "extreme", "life-threatening",
     "fatal", "death"),
    ("never", "almost never", "very rarely", "rarely", "seldom", "occasionally", "sometimes", "often",
     "frequently", "usually", "very often", "mostly", "almost always", "always"),
    ("strongly disagree", "disagree", "somewhat disagree", "slightly disagree", "neither agree nor disagree",
     "neutral", "undecided", "slightly agree", "somewhat agree", "agree", "strongly agree"),
    ("not at all", "a little", "a little bit", "slightly", "somewhat", "moderately", "quite a bit",
     "very much", "very", "a lot", "extremely"),
    ("very poor", "poor", "bad", "fair", "satisfactory", "average", "good", "very good", "excellent"),
    ("very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"),
    ("tiny", "extra small", "small", "med", "medium", "big", "large", "extra large", "huge"),
    ("xxs", "xs", "s", "m", "l", "xl", "xxl", "xxxl"),
    ("infant", "baby", "toddler", "child", "adolescent", "teenager", "young", "young adult", "adult",
     "middle-aged", "middle aged", "old", "elderly", "senior"),
    ("underweight", "normal", "normal weight", "healthy weight", "overweight", "obese", "severely obese",
     "morbidly obese"),
    ("worse", "much worse", "same", "unchanged", "stable", "better", "improved", "much better", "recovered"),
    ("primary", "secondary", "tertiary"),
    ("first", "second", "third", "fourth", "fifth", "sixth"),
    ("unlikely", "possible", "probable", "likely", "definite", "certain"),
    ("not important", "slightly important", "important", "very important"),
    ("-", "+", "++", "+++", "++++"),
    ("negative", "trace", "1+", "2+", "3+", "4+"),
    ("decreased", "unchanged", "normal", "increased"),
    ("vlow", "low", "med", "middle", "high", "vhigh"),
)  # fmt: skip
"""Word scales, each from least to most; a set of levels counts as ordered when one of them holds it all."""

CYCLES = (
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    ("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
     "november", "december"),
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    ("spring", "summer", "autumn", "winter"),
    ("spring", "summer", "fall", "winter"),
    ("morning", "noon", "afternoon", "evening", "night"),
)  # fmt: skip
"""Words with a natural sequence that starts over: sorted that way, but not ordinal."""

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
_DIGITS = re.compile(r"(\d+)")


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
    folded = [level.casefold().replace("_", " ") for level in levels]
    for scale in SCALES:
        if len(set(folded)) >= 2 and set(folded) <= set(scale) and not set(folded) <= {"no", "absent"}:
            return _sorted(levels, [scale.index(word) for word in folded]), "its words form a known scale"
    for cycle in CYCLES:
        if set(folded) <= set(cycle):
            return _sorted(levels, [cycle.index(word) for word in folded]), ""
    grades = _grades(folded)
    if grades is not None:
        return _sorted(levels, grades), "its levels are numbered grades"
    ranges = _ranges(folded)
    if ranges is not None:
        return _sorted(levels, ranges), "its levels are ranges of numbers"
    return sorted(levels, key=natural_key), ""


def scale_with_none(levels: Sequence[str]) -> bool:
    """Whether "None" next to these levels means a grade (none, mild, severe) and not a missing value."""
    folded = {level.casefold() for level in levels}
    return bool(folded) and any("none" in scale and folded <= set(scale) for scale in SCALES)


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


def _grades(folded: Sequence[str]) -> list[tuple[int, str]] | None:
    """Numbered or Roman grades, with or without a common word before them."""
    if len(folded) < 2:
        return None
    plain = [re.fullmatch(r"([ivx]+|0)([a-d]?)", level) for level in folded]
    if all(plain) and len(folded) > 1 and any(level in ("ii", "iii") for level in folded):
        pairs = [(found.group(1), found.group(2)) for found in plain if found]
    else:
        matches = [_GRADED.fullmatch(level) for level in folded]
        if not all(matches) or len({found.group(1) for found in matches if found}) != 1:
            return None
        pairs = [(found.group(2), found.group(3)) for found in matches if found]
    keys = [(_ROMAN.get(number, int(number) if number.isdigit() else -1), letter) for number, letter in pairs]
    return None if any(number < 0 for number, _ in keys) else keys


def _ranges(folded: Sequence[str]) -> list[tuple[float, int]] | None:
    """Ranges such as `18-30`, `under 18`, `65+` and `>= 65`, at least one of them with a mark."""
    keys, marked = [], False
    for level in folded:
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

"""The natural order of level names: numbers, known scales, grades, ranges, weekdays, months, else the alphabet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from engine.data.reading.scale_words import BARE, CYCLES, SCALES, folded

_ROMAN = {
    roman: number
    for number, roman in enumerate(
        ["0", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"],
    )
}
_GRADED = re.compile(
    r"(stage|stadium|stade|estadio|grade|grad|grado|class|klasse|classe|clase|level|stufe|niveau|nivel|phase|"
    r"step|nyha|asa|ecog|figo|child|score|degree|quartile|tertile|quintile|tier|"
    r"q|g|t|n|m|nyha class|asa class|killip|killip class|ccs|gold)[ _-]*([ivx]+|\d+)([a-d]?)",
    re.IGNORECASE,
)
_NUMBER = r"-?(?:[1-9]\d{0,2}(?:[,.' ]\d{3})+(?![\d.,])|\d+(?:[.,]\d+)?)"
_UNIT = r"(?:\s?(?P<%s>[a-zµ%%°€$£][a-zµ%%°/²³. ]{0,24}?))??"
_UNDER = (
    r"<=?|≤|(?:under|below|less than|fewer than|younger than|up to|until|unter|weniger als|junger als|hochstens|"
    r"bis zu|bis|moins de|jusqu'a|au plus|menos de|menor de|hasta|como maximo)\b"
)
_OVER = (
    r">=?|≥|(?:over|above|more than|older than|at least|from|uber|mehr als|alter als|mindestens|ab|von|"
    r"plus de|au moins|a partir de|mas de|mayor de|al menos|desde|de)\b"
)
_AND_OVER = (
    r"\+|(?:and|or) (?:above|over|more|older|up)|plus|(?:und|oder) (?:mehr|alter|daruber)|(?:et|ou) (?:plus|au-dessus)|"
    r"[yo] (?:mas|mayores|mayor)"
)
_AND_UNDER = (
    r"(?:and|or) (?:less|fewer|under|below|younger)|(?:und|oder) (?:weniger|junger|darunter)|(?:et|ou) moins|[yo] menos"
)
_RANGE = re.compile(
    rf"(?:aged? |ages |between |zwischen |entre )?(?:(?P<under>{_UNDER})|(?P<over>{_OVER}))?\s*[€$£]?\s?"
    rf"(?P<low>{_NUMBER})(?P<low_k>k(?![a-z]))?{_UNIT % 'low_unit'}"
    rf"(?:\s*(?:-|–|—|\.\.|(?<=\s)(?:to|bis|a|and|und|et|y)(?=\s))\s*[€$£]?\s?"
    rf"(?P<high>{_NUMBER})(?P<high_k>k(?![a-z]))?{_UNIT % 'high_unit'})?"
    rf"(?:\s*(?:(?P<and_over>{_AND_OVER})|(?P<and_under>{_AND_UNDER}))\s?"
    rf"(?P<last_unit>[a-zµ%°€$£][a-zµ%°/²³. ]{{0,24}})?)?"
)
_DAYS = {
    "minute": 1 / 1440, "min": 1 / 1440, "hour": 1 / 24, "hr": 1 / 24, "h": 1 / 24, "stunde": 1 / 24,
    "heure": 1 / 24, "hora": 1 / 24, "day": 1, "d": 1, "tag": 1, "jour": 1, "dia": 1, "week": 7, "wk": 7, "w": 7,
    "woche": 7, "semaine": 7, "semana": 7, "month": 30.4, "mo": 30.4, "mth": 30.4, "monat": 30.4, "moi": 30.4,
    "mese": 30.4, "me": 30.4, "year": 365.25, "yr": 365.25, "y": 365.25, "jahr": 365.25, "j": 365.25, "an": 365.25,
    "annee": 365.25, "ano": 365.25,
}  # fmt: skip
"""Length of a unit of time, by its name without an ending, accents or what follows it (as in "years old")."""
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
        if len(set(words)) >= 2 and set(words) <= set(scale) and not BARE.issuperset(words):
            result = _sorted(levels, [scale.index(word) for word in words])
            return result, f"its words form a known scale, from '{result[0][:40]}' to '{result[-1][:40]}'"
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
    numbers = [float(match["number"].replace(",", ".")) for match in matches if match]
    worded = any(match_value["words"] for match_value in matches if match_value)
    return numbers if worded and len(levels) > 1 and len(set(numbers)) == len(levels) else None


def _grades(words: Sequence[str]) -> list[tuple[int, str]] | None:
    """Numbered or Roman grades, with or without a common word before them."""
    if len(words) < 2:
        return None
    plain = [re.fullmatch(r"([ivx]+|0)([a-d]?)", level) for level in words]
    if all(plain) and len(words) > 1 and any(level in ("ii", "iii") for level in words):
        pairs = [(result.group(1), result.group(2)) for result in plain if result]
    else:
        matches = [_GRADED.fullmatch(level) for level in words]
        if not all(matches) or len({match.group(1) for match in matches if match}) != 1:
            return None
        pairs = [(match_value.group(2), match_value.group(3)) for match_value in matches if match_value]
    keys = [(_ROMAN.get(number, int(number) if number.isdigit() else -1), letter) for number, letter in pairs]
    return None if any(number < 0 for number, _ in keys) else keys


def _ranges(words: Sequence[str]) -> list[tuple[float, int]] | None:
    """Ranges such as `18-30`, `under 18 years`, `65+` and `1 to 4 weeks`, at least one of them with a mark."""
    result = [_RANGE.fullmatch(level) for level in words]
    if len(words) < 2 or not all(result):
        return None
    keys, units, marked = [], list[str](), False
    for item in filter(None, result):
        low, high = _number(item["low"]), item["high"]
        thousands = 1000 if item["low_k"] or (item["high_k"] and low < 1000) else 1
        if high is not None and _number(high) * (1000 if item["high_k"] else 1) <= low * thousands:
            return None
        marked |= any(item[part] for part in ("under", "over", "high", "and_over", "and_under"))
        unit = _unit(item["high_unit"] or item["low_unit"] or item["last_unit"] or "")
        units.append(unit)
        under, over = item["under"] or item["and_under"], (item["over"] or item["and_over"]) and high is None
        keys.append((low * thousands, 0 if under else 2 if over and item["over"] else 1))
    named = set(filter(None, units))
    if not marked or (len(named) > 1 and not named.issubset(_DAYS)):
        return None
    if len(named) > 1 and len(set(map(_DAYS.get, named))) > 1:
        if "" in units:
            return None
        keys = [(low * _DAYS[unit], rank) for (low, rank), unit in zip(keys, units, strict=True)]
    return keys


def _number(text: str) -> float:
    """A number of which a mark before each three digits tells thousands, and any other mark the decimals."""
    if re.fullmatch(r"-?[1-9]\d{0,2}(?:[,.' ]\d{3})+", text):
        return float(re.sub(r"[,.' ]", "", text))
    return float(text.replace(",", "."))


def _unit(text: str) -> str:
    """A unit without ending and without what is said after it: 'year' of 'years old'."""
    word = re.sub(r" (?:old|of age|alt|d'age|de edad)$", "", text.strip()).rstrip(".")
    for ending in ("", "s", "es", "e", "n", "en"):
        if word.endswith(ending) and word.removesuffix(ending) in _DAYS:
            return word.removesuffix(ending)
    return word.removesuffix("s")

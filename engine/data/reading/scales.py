"""The natural order of level names: numbers, known scales, grades, ranges, weekdays, months, else the alphabet.

Scales of words (frequencies, severities, agreement and the like) stand in `scales.toml`, in four languages.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path

from engine.words import short

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


LONGEST_WORD = 200
"""Letters of a level that can be a word of a scale, a grade or a range; a longer one is a text."""


def are_words(levels: Iterable[str]) -> bool:
    """True where all levels are short enough to be looked up."""
    return all(len(level) <= LONGEST_WORD for level in levels)


def folded(level: str) -> str:
    """A level as it is looked up: capitals, accents, underscores and the sort of apostrophe do not count."""
    apart = unicodedata.normalize("NFKD", level.casefold().replace("_", " ").replace("’", "'"))
    return "".join(mark for mark in apart if not unicodedata.combining(mark))


def anchor(level: str) -> str:
    """A level as it is looked up among the scales: stops, commas, dashes between words and brackets do not count."""
    return " ".join(_STOPS.sub(" ", folded(level)).split())


_STOPS = re.compile(r"[,.;:()]|(?<=\s)[-–—](?=\s)")


def _with_neutral(scale: tuple[str, ...]) -> tuple[str, ...]:
    """A scale with all words for its middle, where it has one."""
    middle = next((scale.index(word) for word in ("neutral", "neutre") if word in scale), None)
    if middle is None:
        return scale
    more = [word for word in map(anchor, _WORDS["neutral"]["words"]) if word not in scale]
    return (*scale[: middle + 1], *more, *scale[middle + 1 :])


SCALES = tuple(_with_neutral(tuple(map(anchor, scale))) for scale in chain.from_iterable(_WORDS["scales"].values()))
"""Word scales, each from least to most; a set of levels counts as ordered when one of them holds it all. Words that
mean the same stand side by side."""

CYCLES = tuple(tuple(map(folded, cycle)) for cycle in chain.from_iterable(_WORDS["cycles"].values()))
"""Words with a natural sequence that starts over: sorted that way, but not ordinal."""

BARE = frozenset({"no", "absent", "yes", "nein", "ja", "non", "oui", "si"})
"""Words that alone are answers and no grades."""

_ROMAN = ("0", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
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
_NUMBERED = re.compile(
    r"[(\[]?(?P<number>\d+(?:[.,]\d+)?)(?P<words>\s*[-–—.:=)\]]+\s*[^\s\d].*|\s*[(\[][^\d].*|(?P<apart>\s+[^\W\d_]{2,}.*))?[)\]]?"
)
_NUMBER_BEHIND = re.compile(
    r"(?P<words>[^\s\d].*[^\s(\[=:–—-])\s*(?:[(\[]\s*(?P<number>\d+)\s*[)\]]|[-–—:=]\s*(?P<last>\d+))"
)
_DIGITS = re.compile(r"(\d+)")
NUMBERED = "its levels begin with numbers; choose nominal if they are mere codes"
"""Why levels such as "1 - mild" are taken as ordered; the name of the column may say otherwise."""


def natural_order(levels: Iterable[str]) -> list[str]:
    """The levels in the order a person would put them."""
    return known_order(levels)[0]


def known_order(levels: Iterable[str]) -> tuple[list[str], str]:
    """The levels in natural order, and why they are ordered: a sentence part, or "" when they are not."""
    levels = list(levels)
    if not are_words(levels):
        return sorted(levels, key=natural_key), ""
    numbers = _numbers(levels)
    if numbers is not None:
        return _sorted(levels, numbers), ""
    if len(levels) > 60:
        return sorted(levels, key=natural_key), ""
    words, anchors = [folded(level) for level in levels], [anchor(level) for level in levels]
    for scale in SCALES:
        if len(set(anchors)) >= 2 and set(anchors) <= set(scale) and not BARE.issuperset(anchors):
            result = _sorted(levels, [scale.index(word) for word in anchors])
            return result, f"its words form a known scale, from '{short(result[0], 40)}' to '{short(result[-1], 40)}'"
    for cycle in CYCLES:
        if set(words) <= set(cycle):
            return _sorted(levels, [cycle.index(word) for word in words]), ""
    grades = _grades(words)
    if grades is not None:
        return _sorted(levels, grades), "its levels are numbered grades"
    ranges = _ranges(words)
    if ranges is not None:
        return _sorted(levels, ranges), "its levels are ranges of numbers"
    coded = _coded(levels)
    if coded is not None:
        numbers, bare = coded
        worded = len(set(bare)) == len(levels) and known_order(bare)[1]
        return _sorted(levels, numbers), worded or NUMBERED
    return sorted(levels, key=natural_key), ""


def scale_with_none(levels: Sequence[str]) -> bool:
    """True where "None" next to these levels means a grade (none, mild, severe) and not a missing value."""
    words = {anchor(level) for level in levels} if are_words(levels) else set()
    return bool(words) and any("none" in scale and words <= set(scale) for scale in SCALES)


def natural_key(level: str) -> tuple[list[tuple[int, int, str]], str]:
    """A sort key for which item 9 comes before item 10 and capitals do not count."""
    if len(level) > LONGEST_WORD:
        return [(1, 0, level[:LONGEST_WORD].casefold())], level
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


def _coded(levels: Sequence[str]) -> tuple[list[float], list[str]] | None:
    """Numbers that stand before or behind the words of levels, or in place of some, and these words; None where not.

    All have one, no two the same, and some have words, which differ: 'Ward 1' and 'Ward 2' are names.
    """
    numbers, words, apart = list[float](), list[str](), False
    for level in levels:
        found = _NUMBERED.fullmatch(level)
        behind = None if found else _NUMBER_BEHIND.fullmatch(level)
        if found:
            numbers.append(float(found["number"].replace(",", ".")))
            words.append((found["words"] or "").strip(" -–—.:=()[]"))
            apart = apart or found["apart"] is not None
        elif behind:
            numbers.append(float(behind["number"] or behind["last"]))
            words.append(behind["words"].strip(" -–—.:=()[]"))
        else:
            return _ends_in_words(levels)
    said = [word for word in words if word]
    if len(levels) < 2 or not said or len(set(numbers)) < len(levels):
        return None
    if apart and not known_order(said)[1]:
        return None  # '10 days' and '2 weeks' have units, no codes
    if len(set(map(folded, said))) < len(said) and not all(_NUMBERED.fullmatch(level) for level in levels):
        return None
    return numbers, words


def _ends_in_words(levels: Sequence[str]) -> tuple[list[float], list[str]] | None:
    """The same where two words of a known scale stand for the ends of a row of numbers: 'never', 2, 3, 4, 'always'."""
    inner = sorted(int(level) for level in levels if level.isdecimal() and level.isascii() and len(level) < 3)
    ends = [level for level in levels if not (level.isdecimal() and level.isascii())]
    if len(ends) != 2 or len(inner) != len(levels) - 2 or not inner or inner[-1] - inner[0] != len(inner) - 1:
        return None
    words = list(map(anchor, ends))
    scale = next((scale for scale in SCALES if set(words) <= set(scale) and not BARE.issuperset(words)), None)
    if scale is None or words[0] == words[1]:
        return None
    low = min(ends, key=lambda end: scale.index(anchor(end)))
    numbers = [
        float(level) if level not in ends else inner[0] - 1.0 if level == low else inner[-1] + 1.0 for level in levels
    ]
    return numbers, ["" for _ in levels]


def _grades(words: Sequence[str]) -> list[tuple[int, str]] | None:
    """Numbered or Roman grades, with or without a common word before them."""
    if len(words) < 2:
        return None
    matches = [re.fullmatch(r"()([ivx]+|0)([a-d]?)", level) for level in words]
    if not all(matches) or {"ii", "iii"}.isdisjoint(words):
        matches = [_GRADED.fullmatch(level) for level in words]
    grades = [match.groups() for match in matches if match]
    if len(grades) < len(words) or len({word for word, _, _ in grades}) != 1:
        return None
    keys = [
        (_ROMAN.index(number) if number in _ROMAN else int(number) if number.isdigit() else -1, letter)
        for _, number, letter in grades
    ]
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

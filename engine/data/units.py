"""Units of numbers, found where a table names them: in a header, in a label. Rather none than a guess.

What stands in brackets, after a comma or after "in" has to be a unit by its grammar; what an underscore parts from the
name, one of a short list. Words that also mean something else (min: minimum; a single letter: an item) are units
only of what is named like a quantity that has them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator

_TIME = r"time|duration|delay|latency|interval|length|wait|stay|onset|follow|survival|exposure|walk|exercise|sleep"
_AGE = rf"(?:\bage\b|(?:^|_)age(?:_|$)|alter|{_TIME})"
_LASTING = rf"(?:{_TIME}|surgery|operati|an(?:a)?esth|isch(?:a)?emi|clamp|bypass|door|\blos\b)"
_REACTION = rf"(?:{_TIME}|react|respon|sdnn|(?:^|[\W_])(?:rt|qtc?|qrs|pr|rr|pt|aptt|rmssd)$)"
_AMONG_OTHERS = {
    "min": _LASTING,
    "sec": _REACTION,
    "ms": _REACTION,
    "s": _REACTION,
    "h": _LASTING,
    "hr": _LASTING,
    "d": _LASTING,
    "y": _AGE,
    "yr": _AGE,
    "year": _AGE,
    "mo": _AGE,
    "month": _AGE,
    "week": _AGE,
    "day": _LASTING,
    "hour": _LASTING,
    "m": r"height|length|distance|depth|altitude|stature|walk",
    "g": r"weight|mass|protein|fib(?:re|er)|alcohol|fat|sugar|sodium",
    "l": r"volume|fev|fvc|capacity|intake",
    "c": r"temp",
    "f": r"temp",
}
"""Units that are words for something else too -> what a quantity that has them is called."""
_LASTS = "years yrs months weeks wks days hours hrs minutes seconds"
_WORDS = set(
    f"{_LASTS} year yr month mo week wk day hour hr min mins minute sec secs percent mmhg bpm rpm ppm ppb cc lb lbs "
    "inches feet ft miles pack-years person-years met mets torr cmh2o".split()
)
_SIGNS = (
    "kg g mg ug mcg ng pg fg km m cm mm um nm L l dL dl cL mL ml uL ul nL fL fl mol mmol umol nmol pmol fmol mM uM nM "
    "pM U IU mU mIU uIU kU kIU mEq meq Eq mOsm mosmol mOsmol s ms us h d y kPa hPa Pa Hz kHz dB mV uV kcal kJ MJ Gy "
    "cGy mGy Sv mSv °C °F C F degC degF m2 cm2 mm2 m3 cm3 mm3 dm3 % ‰ mol% vol% € $ £ EUR USD GBP CHF dpt"
)
_SYMBOLS = set(_SIGNS.split())
_COUNTED = {"beats", "breaths", "cells", "copies", "drinks", "cigarettes", "units", "cups", "steps", "events", "1"}
_TIMES = {"k", "g", "t", "m", "x"}
"""What may stand before a stroke, as a unit by itself it is none; thousands and the like only of a volume."""
_PART = {token.casefold() for token in _WORDS | _SYMBOLS} - {"%", "‰", "c", "f"}
_BELOW = _PART | {"field", "hpf", "person", "visit"}
_TEN = r"(?:[x×*]\s?)?10\s?(?:\*\*?|e)?\s?\d{1,2}"
_END = {word: word for word in f"{_LASTS} yr year mo min mins sec ms kg mg mcg cm mm km kcal bpm lbs".split()} | {
    "ug": "µg",
    "ml": "mL",
    "dl": "dL",
    "mmhg": "mmHg",
    "kpa": "kPa",
    "celsius": "°C",
    "degc": "°C",
    "degf": "°F",
    "percent": "%",
    "pct": "%",
    "perc": "%",
    "c": "°C",
    "f": "°F",
    "usd": "USD",
    "eur": "EUR",
}
"""What may end a name after an underscore, a point or a space -> the unit."""
_OVER = {"dl": "dL", "l": "L", "ml": "mL", "min": "min", "kg": "kg", "m2": "m²", "mol": "mol", "g": "g"}
_FRACTIONS = {
    f"{top}{sign}{below}": f"{top.replace('ug', 'µg').replace('umol', 'µmol').replace('ml', 'mL')}/{_OVER[below]}"
    for tops, belows in (
        ("mg g ug ng pg mmol umol nmol pmol meq kcal", "dl l ml"),
        ("ml", "min kg"),
        ("mg ug", "kg g"),
        ("kg", "m2"),
        ("mmol", "mol"),
    )
    for top in tops.split()
    for below in belows.split()
    for sign in ("_", "")
    if (top, below, sign) != ("g", "ml", "")
} | {"iu_l": "IU/L", "iu_ml": "IU/mL", "miu_l": "mIU/L", "miu_ml": "mIU/mL"}
_DEGREES = {"C": "°C", "F": "°F"}
_BRACKET = re.compile(r"\s*[(\[]([^()\[\]]{1,40})[)\]]")
_LAST = re.compile(r"(?:,\s*|\s+in\s+|\s+(?=\S+/)|\s*(?=[%‰]$))([^\s,()\[\]][^,()\[\]]{0,40})$", re.IGNORECASE)
_TAIL = re.compile(r"[_. ]([A-Za-z0-9]+)$")
_TWO = re.compile(r"[_.]([A-Za-z0-9]+)[_.]([A-Za-z0-9]+)$")


def unit_in(text: str, others: Collection[str] = ()) -> str:
    """The unit that a header or a label names.

    Parameters
    ----------
    text : such as "Lactate (mmol/L)", "Lactate, mmol/L", "Lactate in mmol/L" or "age_years"
    others : names beside it: where one is "time_max", "time_min" is a minimum

    Returns
    -------
    the unit, "" where none is named for certain

    Examples
    --------
    >>> from engine.data.units import unit_in
    >>> unit_in("Lactate (mmol/L)"), unit_in("weight_kg"), unit_in("score (total)"), unit_in("sbp_min")
    ('mmol/L', 'kg', '', '')
    """
    found = {unit for _, unit in _places(text)}
    if len(found) != 1:
        return ""
    unit = found.pop()
    if unit == "min" and re.sub(r"min(?=\W*$)", "max", text) in others:
        return ""
    return unit


def name_without_unit(name: str, unit: str) -> str:
    """A name without the unit in it, to be shown where the unit stands beside the number; names stay the names.

    Parameters
    ----------
    name : of a variable
    unit : of it; where the name holds another one, or none, it is left as it is

    Returns
    -------
    such as "Lactate" of "Lactate (mmol/L)"

    Examples
    --------
    >>> from engine.data.units import name_without_unit
    >>> name_without_unit("Lactate (mmol/L)", "mmol/L"), name_without_unit("age_years", "years")
    ('Lactate', 'age')
    """
    return next((rest for rest, found in _places(name) if found == unit), name)


def _places(text: str) -> Iterator[tuple[str, str]]:
    """What is left of a text without a unit that stands in it, and the unit."""
    text = " ".join(text.split())
    for match in _BRACKET.finditer(text):
        rest = (text[: match.start()] + text[match.end() :]).strip()
        if rest and _is_unit(match[1], rest):
            yield rest, _DEGREES.get(match[1].strip(), match[1].strip())
    for match in (m for m in (_LAST.search(text),) if m):
        if match.start() and _is_unit(match[1], text[: match.start()]):
            unit = match[1].strip()
            yield text[: match.start()], _DEGREES.get(unit, unit)
            return
    for match in (m for m in (_TWO.search(text),) if m):
        if match.start() and (unit := _FRACTIONS.get(f"{match[1]}_{match[2]}".casefold(), "")):
            yield text[: match.start()], unit
            return
    for match in (m for m in (_TAIL.search(text),) if m):
        word, rest = match[1].casefold(), text[: match.start()]
        told = re.search(r"(?:^|[_. ])\d+$", rest) or (match[0][0] == " " and word in _LASTS)  # "in the first 30 days"
        if rest and not told and (unit := _END.get(word) or _FRACTIONS.get(word, "")) and _is_meant(word, rest):
            yield rest, unit


def _is_meant(word: str, rest: str) -> bool:
    """True where a word that is not only a unit stands beside the name of a quantity that has it."""
    return word not in _AMONG_OTHERS or re.search(_AMONG_OTHERS[word], rest.casefold()) is not None


def _is_unit(text: str, rest: str) -> bool:
    """True where a text is a unit; `rest` is the name that it stands beside."""
    plain = unicodedata.normalize("NFKC", text.strip().replace("º", "°"))
    plain = plain.replace("\u03bc", "u").replace("\u2212", "-").replace("^", "").replace("mm Hg", "mmHg")
    if re.fullmatch(r"deg(?:rees?)?\.? ?[CF]|degrees? (?:Celsius|Fahrenheit)", plain, re.IGNORECASE):
        return True
    folded = plain.casefold()
    if (per := re.fullmatch(r"per (\w+)", folded)) is not None:
        return per[1] in ("minute", "hour", "day", "week", "month", "year")
    numerator, *below = (part.strip() for part in folded.split("/"))
    if below:
        top = not numerator or numerator in _PART or numerator in _COUNTED | _TIMES or re.fullmatch(_TEN, numerator)
        dense = numerator not in _TIMES - _PART or below[0] in ("ul", "l", "mm3", "ml", "nl")
        return bool(top) and dense and all(re.sub(r"^\d+(?:[.,]\d+)? ?", "", part) in _BELOW for part in below)
    powers = re.split(r"[ ·*]+", folded)
    if len(powers) > 1 or re.search(r"[a-z]-[12]$", folded):
        stems = [re.sub(r"-[123]$", "", part) for part in powers]
        down = [part != stem for part, stem in zip(powers, stems, strict=True)]
        return any(down) and all(down[1:]) and all(stem in _PART for stem in stems)
    known = plain in _SYMBOLS or folded in _WORDS
    known |= len(plain) > 1 and (rest + plain).isupper() and folded in _PART  # a table that knows capitals only
    return known and _is_meant(folded, rest)

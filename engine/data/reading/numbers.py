"""When a text is a number: decimal marks, thousands, percent, leading zeros, dates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

import numpy as np

MISSING_TOKENS = (
    "", "NA", "N/A", "n/a", "NaN", "nan", "NAN", "null", "NULL", "None", "none", "<NA>", "#N/A", "#NA",
    "#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#ERROR!", "#SPILL!", "#CALC!",
)  # fmt: skip
"""Texts that count as missing unless the user says otherwise."""

LONGEST_NUMBER = 400
"""Characters of a text that can be a number; a longer one is looked at no further."""
_EXACT_DIGITS = 15
"""Digits up to which different numbers stay different."""
_POWER_OF_TEN = re.compile(r"\d+[eE]\d+", re.ASCII)
_SHORT = rf"(?s:(?!.{{{LONGEST_NUMBER + 1}}}))"
# no two runs of digits stand side by side: a long text would be divided between them in every way before it is refused
_PLAIN = {
    ".": r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?",
    ",": r"[+-]?(?:\d+(?:,\d*)?|,\d+)(?:[eE][+-]?\d+)?",
}
_BLANK = " '’\u00a0\u2007\u2009\u202f"
"""What parts thousands beside a comma and a point: apostrophes and blanks of every width."""
_GROUPED = {
    ".": rf"[+-]?\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|[+-]?\d{{1,3}}(?:[{_BLANK}]\d{{3}})+(?:\.\d+)?",
    ",": rf"[+-]?\d{{1,3}}(?:\.\d{{3}})+(?:,\d+)?|[+-]?\d{{1,3}}(?:[{_BLANK}]\d{{3}})+(?:,\d+)?",
}
PLAIN = {mark: re.compile(_SHORT + pattern, re.ASCII) for mark, pattern in _PLAIN.items()}
GROUPED = {mark: re.compile(rf"{_SHORT}(?:{pattern})", re.ASCII) for mark, pattern in _GROUPED.items()}
PERCENT = {
    mark: re.compile(rf"{_SHORT}(?:{p}|{_GROUPED[mark]})[ \u00a0\u202f]?%", re.ASCII) for mark, p in _PLAIN.items()
}
_CURRENCY = r"[$€£¥₹]|(?:CHF|EUR|USD|GBP|Fr\.|kr\.?)"
_UNIT = re.compile(
    rf"(?P<before>(?:{_CURRENCY})?)\s?(?P<number>[+-]?\d(?:.*\d)?)\s?(?P<behind>%?|{_CURRENCY}|[^\W\d_][^\s\d,;()]{{0,9}})",
    re.DOTALL,
)
"""A number with a currency before it, or with that or a unit behind it."""
MOST_DOSES = 10
"""Different numbers with one unit up to which they may be names, as '5 mg' and '10 mg' are."""
_FLAG = re.compile(r"(?<=\d)\s?(?:[*†‡!]{1,3}|HH?|LL?|\((?:HH?|LL?|\*)\))$")
_MOST_WORDS = 5
"""Words beside numbers, some with a flag, beyond which these may be codes."""
_LIMIT_SIGN = re.compile(r"(?:[<>]=?|[≤≥])\s*(?=\d)")
INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)
LEADING_ZERO = re.compile(r"[+-]?0\d", re.ASCII)
_SURE_COMMA = re.compile(
    r"(?:[+-]?\d+,(?:\d{1,2}|\d{4,})|[+-]?0,\d+|[+-]?\d{4,},\d+|[+-]?\d{1,3}(?:\.\d{3})+,\d+)(?:[eE][+-]?\d+)?"
)
SURE_DECIMAL = {mark: re.compile(rf"[+-]?\d{{1,4}}{re.escape(mark)}\d{{1,2}}", re.ASCII) for mark in ".,"}
"""Numbers with so few decimals behind a mark that it cannot part thousands."""
_MAYBE_COMMA = re.compile(r"[+-]?\d{1,3},\d{3}")
_POINT = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")
_PARTED = re.compile(rf"(?<=\d)[{_BLANK}](?=\d{{3}}(?!\d))")
_THOUSANDS = {mark: re.compile(rf"[+-]?[1-9]\d{{0,2}}(?:{re.escape(mark)}\d{{3}})+") for mark in ".,"}
_FEWEST_OPEN = 3
"""Numbers such as 1.100 from which on a file that parts fields by semicolons may part thousands by points."""
_DATES = (
    re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"),
    re.compile(r"\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})(?: \d{1,2}:\d{2}(?::\d{2})?)?"),
)
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar jän jänner janv janvier ene enero gen gennaio januari janeiro",
            "feb february februar feber févr fév février fevrier febrero febbraio februari fev fevereiro",
            "mar march mär märz mrz mars marzo maart mrt março marco", "apr april avr avril abr abril aprile",
            "may mai mayo mag maggio mei maio", "jun june juni juin junio giu giugno junho",
            "jul july juli juil juillet julio lug luglio julho", "aug august août aout ago agosto augustus",
            "sep sept september septembre septiembre setiembre set sett settembre setembro",
            "oct october okt oktober octobre octubre ott ottobre out outubro",
            "nov november novembre noviembre novembro",
            "dec december dez dezember déc décembre decembre dic diciembre dicembre dezembro",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
"""Names of months in English, German, French, Spanish, Italian, Dutch and Portuguese."""
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})\.?"
_CLOCK = r"(?:[ T:][0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?)?"
_YEAR = r"(?P<year>[0-9]{4}|[0-9]{2})"
_NAMED_DATES = tuple(
    re.compile(pattern + _CLOCK, re.IGNORECASE)
    for pattern in (
        rf"(?P<day>[0-9]{{1,2}})(?:[-/ ]|(?:\.|st|nd|rd|th|er) ?| de ){_MONTH}(?:[-/. ]|, | de ){_YEAR}",
        rf"(?P<day>[0-9]{{2}}){_MONTH}{_YEAR}",
        rf"{_MONTH}[- ](?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?(?:[- ]|, ?)(?P<year>[0-9]{{4}})",
        rf"(?P<year>[0-9]{{4}})[- ]{_MONTH}[- ](?P<day>[0-9]{{1,2}})",
    )
)
_MONTHS_ALONE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_MONTH}(?:[-/ ]|, | de )(?P<year>(?:19|20)[0-9]{{2}})",
        r"(?P<year>(?:19|20)[0-9]{2})[-/](?P<month>0[1-9]|1[0-2])",
        r"(?P<month>0?[1-9]|1[0-2])[-/.](?P<year>(?:19|20)[0-9]{2})",
    )
)
"""Months without a day."""


def is_number(text: str, decimal: str) -> bool:
    """True where `text` is a plain number with this decimal mark."""
    return PLAIN[decimal].fullmatch(text) is not None


_NO_BLANKS = str.maketrans("", "", _BLANK)


def to_float(text: str, decimal: str) -> float:
    """The value of a plain, grouped or percent number; infinite when it is too large."""
    return float(_as_python_writes(text, decimal))


def merge_as_numbers(texts: Sequence[str], values: np.ndarray, decimal: str) -> bool:
    """True where two of these different texts, numbers of these values, would wrongly become one.

    That is where they differ beyond the digits that a number holds, and where one is an identifier that happens to look
    like a power of ten (`1E2` and `10E1`), which programs do not write for numbers without a sign or a point.
    """
    joined = "".join(texts)
    if max(map(len, texts), default=0) <= _EXACT_DIGITS and "e" not in joined and "E" not in joined:
        return False
    order = np.argsort(values, kind="stable")
    same = np.flatnonzero((values[order][1:] == values[order][:-1]) & np.isfinite(values[order][1:]))
    for place in same:
        pair = [texts[order[place]], texts[order[place + 1]]]
        if any(map(_POWER_OF_TEN.fullmatch, pair)):
            return True
        if len({Decimal(_as_python_writes(text, decimal)) for text in pair}) == 2:
            return True
    return False


def without_unit(texts: Sequence[str]) -> tuple[list[str], str]:
    """Texts without the one unit or currency that stands at each of them, and that; nothing is taken off otherwise."""
    found = _UNIT.fullmatch(texts[0]) if texts and len(texts[0]) <= LONGEST_NUMBER else None
    before, behind = (found["before"], found["behind"]) if found else ("", "")
    if bool(before) == bool(behind):
        return list(texts), ""
    if not re.fullmatch(_CURRENCY, before or behind) and len(texts) <= MOST_DOSES:
        return list(texts), ""
    if not all(text.startswith(before) and text.endswith(behind) for text in texts):
        return list(texts), ""
    return [text[len(before) : len(text) - len(behind)].strip() for text in texts], before or behind


def bare_of(text: str, unit: str) -> str:
    """A text without this unit behind it."""
    return text.removesuffix(unit).rstrip() if unit else text


def without_flags(texts: Sequence[str], decimal: str) -> tuple[list[str], str]:
    """Texts without the signs that laboratories put behind numbers out of range, and the first such text.

    Nothing is taken off unless most are numbers or limits without, and few are neither with or without.
    """
    bare = [_FLAG.sub("", text) if text[-1:] in ("*", "†", "‡", "!", "H", "L", ")") else text for text in texts]
    number = [is_number(_LIMIT_SIGN.sub("", text, count=1), decimal) for text in bare]
    flagged = [text for text, item, is_one in zip(texts, bare, number, strict=True) if is_one and item != text]
    words = len(texts) - sum(number)
    if not flagged or words > _MOST_WORDS or 2 * (len(flagged) + words) > len(texts):
        return list(texts), ""
    return [item if is_one else text for text, item, is_one in zip(texts, bare, number, strict=True)], flagged[0]


def _as_python_writes(text: str, decimal: str) -> str:
    text = text.rstrip("%").translate(_NO_BLANKS)
    if decimal == ",":
        return text.replace(".", "").replace(",", ".")
    return text.replace(",", "")


def find_decimal(texts: Iterable[str], delimiter: str | None) -> tuple[str, bool]:
    """The decimal mark of a file (`texts` are some of its cells) and whether that is certain.

    `1,5` can only be a decimal comma; `1,234` can be both and is taken for one only in a file that
    is separated by something else and shows no decimal point. `1.234` is open where semicolons part fields.
    """
    certain = maybe = point = thousands = 0
    for raw in texts:
        beside = not (raw[:1] + raw[-1:]).isdigit() and len(raw) <= LONGEST_NUMBER
        unit = _UNIT.fullmatch(raw) if beside else None
        text = raw if raw.isalnum() else _PARTED.sub("", unit["number"] if unit else raw)
        certain += _SURE_COMMA.fullmatch(text) is not None
        maybe += _MAYBE_COMMA.fullmatch(text) is not None
        point += _POINT.fullmatch(text) is not None
        thousands += _THOUSANDS["."].fullmatch(text) is not None
    if certain:
        return ("," if certain >= point else "."), not (point and maybe + thousands)
    if maybe and not point and delimiter not in (",", None):
        return ",", False
    if delimiter == ";" and not maybe and point == thousands >= _FEWEST_OPEN:
        return ".", False
    return ".", point > 0 or not maybe


def parts_thousands(texts: Iterable[str], mark: str) -> bool:
    """True where the mark in a column of plain numbers parts thousands, as in 1.100 beside 732.

    A program that writes 1.1 with three decimals writes 732.000 beside it.
    """
    pointed = whole = 0
    for text in texts:
        if mark not in text:
            whole += len(text.lstrip("+-")) == 3
            if len(text.lstrip("+-")) > 3 or not text.lstrip("+-").isdigit():
                return False
        elif _THOUSANDS[mark].fullmatch(text):
            pointed += 1
        else:
            return False
    return pointed > 0 and whole > 0


def is_date(text: str, *, months: bool = True) -> bool:
    """True where `text` is written like a calendar date, a month without a day too unless these count as names."""
    return any(pattern.fullmatch(text) for pattern in _DATES) or named_date(text, months=months) is not None


def named_date(text: str, *, months: bool = True) -> tuple[str, int, str] | None:
    """Day, month and year of a date that names its month, as 3 Jan 2020 or 03JAN2020; None for what is none.

    A month without a day, as Jan 2020, 2020-01 or 01/2020, begins on its first.
    """
    patterns = (*_NAMED_DATES, *(_MONTHS_ALONE if months else ()))
    found = next(filter(None, (pattern.fullmatch(text) for pattern in patterns)), None)
    if found is None:
        return None
    month = found["month"].casefold()
    return found.groupdict().get("day", "1"), _MONTHS.get(month) or int(month), found["year"]


def level_text(value: float) -> str:
    """A number as a level name: the shortest exact text, `1` and not `1.0`, no negative zero."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return repr(float(value))

"""The kind that each column of a table probably is, with the reason: a proposal, never more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np

from engine.data.preparing.detection import shares_beside_percents
from engine.data.preparing.strengths import are_ranked, likely_order
from engine.data.preparing.variables import Variable, look_at, make_variable
from engine.data.reading.naming import shown_value
from engine.data.reading.numbers import PLAIN, is_date, level_text
from engine.data.reading.report import reading_facts
from engine.data.reading.scales import NUMBERED, are_words, known_order, scale_with_none
from engine.lazy import pd
from engine.text import Count, Number, People, Share, Text, told

MOST_LEVELS = 50
FEW_NUMBERS = 10
_PERSON = re.compile(
    r"(?:^|[_\W])(?:id|ids|uid|uuid|guid|pid|mrn|ssn|vp[ _-]?(?:n|nr|nummer|code)|(?:patient|subject|participant|"
    r"proband|teilnehmer|versuchsperson)(?:s|en)?(?:[ _-]?(?:nr|no|num|number|nummer|code|key))?)$|"
    r"(?-i:(?<=[a-z])I[Dd])$",
    re.IGNORECASE,
)
_ID = re.compile(
    r"(?:^|[_\W])(?:identifier|record|rownames?|row|index|lfdnr|(?:case|sample|record|study|visit)[ _-]?"
    r"(?:nr|no|num|number|code|key)|nr|no|name|surname|first ?name|last ?name|e-?mail|phone|address|barcode)"
    r"(?:$|[_\W])",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"(?:^|[_\W])(?:code|type|group|arm|site|cent(?:er|re)|ward|clinic|region|race|ethnicity|sex|gender|"
    r"diagnosis|class|category|cluster|batch|treatment)(?:$|[_\W\d])",
    re.IGNORECASE,
)
_AGE = re.compile(
    r"(?:^|[_\W])(?:age|alter|lebensalter|edad|âge|età|leeftijd)"
    r"(?:[_\W]*(?:in|y|yrs?|years?|jahren?|años|ans|jaar|baseline|t?\d+))*[_\W]*$",
    re.IGNORECASE,
)
_FEWEST_AGES, _GROUPS_OF_AGES = 5, 9
"""Different ages that are no groups, and the largest code of such a group."""
_SYMBOLS = frozenset({"-", "--", "?", "??", ".", "..", "...", "*", "/", "\\", "#", "_", "–", "—"}) | {
    f".{letter}"
    for letter in ascii_lowercase  # as Stata writes them
}
_WORDS = frozenset(
    {"unknown", "missing", "not available", "not known", "unk", "n.a.", "na.", "not recorded", "not done"}
    | {"n/k", "nk", "n.d.", "nd", "no data", "undefined", "(blank)", "blank"}
    | {"don't know", "don’t know", "dont know", "do not know", "dk", "dk/na", "dk/ref", "iap", "inapplicable", "nap"}
    | {"not applicable", "not ascertained", "not asked", "not reported", "not stated", "no answer", "no response"}
    | {"refused", "refused to answer", "refusal", "prefer not to say", "prefer not to answer", "declined to answer"}
    | {"unbekannt", "weiss nicht", "keine angabe", "keine antwort", "k.a.", "k. a.", "verweigert", "fehlt"}
    | {"inconnu", "inconnue", "ne sait pas", "nsp", "non renseigné", "non réponse", "sans réponse", "refus", "manquant"}
    | {"desconocido", "desconocida", "no sabe", "no contesta", "ns/nc", "no sabe/no contesta", "sin dato", "sin datos"}
)
_ERROR = re.compile(r"#[¡¿]?[^\W\d_a-z]{2,}(?:/[0A-Z])?[!?]|#N(?:/?[A-Z])")
"""Errors that a spreadsheet of any language shows in a cell, as #WERT! and #N/D."""
_YES_NO = frozenset({"yes", "no", "y", "n", "true", "false", "ja", "nein", "oui", "non", "sí", "si", "sì"})
_NONE = {"None", "none", "NONE"}
"""An answer, or what programs write where there is none."""
_CODES = (-1.0, -8.0, -9.0, -88.0, -99.0, -888.0, -999.0, -9999.0, 88.0, 99.0, 888.0, 999.0, 9999.0, 99999.0)
_ALONE = re.compile(r"-?(?:[789]|7{2,4}|8{2,4}|9{2,5}|9[678])(?:\.0+)?")
"""Codes for no answer that are told by standing alone among words; among numbers 7 and 97 may be answers."""


@dataclass(frozen=True)
class Proposal:
    """The kind proposed for one column.

    Attributes
    ----------
    column, kind, reason : kind is "nominal", "ordinal", "continuous" or "ignore"
    distinct, missing : different values, and cells without one
    levels : in the proposed order, when there are at most fifty
    suspicious : texts that probably mean missing, not taken for it unasked
    twins : groups of levels that differ only in capitals, spaces or points, or are a word and its first letter
    """

    column: str
    kind: str
    reason: str
    distinct: int
    missing: int
    levels: tuple[str, ...] = ()
    suspicious: tuple[str, ...] = ()
    twins: tuple[tuple[str, ...], ...] = ()


def propose(
    table: pd.DataFrame, *, missing_tokens: Iterable[str] | Mapping[str, Iterable[str]] | None = None
) -> list[Proposal]:
    """A kind for every column of a pandas table, with the reason, in column order.

    `missing_tokens` (for all columns, or by column) are taken for missing first, as in `prepare`.
    """
    declared = measures(table)
    return [propose_one(variable, declared.get(variable.name)) for variable in look_at(table, missing_tokens)]


def measures(table: pd.DataFrame) -> Mapping[str, str]:
    """Column -> "nominal", "ordinal" or "scale", where the file declared it."""
    result: Mapping[str, str] = reading_facts(table).get("measures", {})
    return result


def propose_column(column: pd.Series, name: str) -> Proposal:
    """The proposal for one column alone."""
    return propose_one(make_variable(column, name))


def propose_one(variable: Variable, measure: str | None = None) -> Proposal:
    """The proposal for a column that has been looked at; `measure` is what the file declares."""
    known: dict[str | None, Proposal] = variable.proposed
    if measure not in known:
        known[measure] = _propose(variable, measure)
    return known[measure]


def _propose(variable: Variable, measure: str | None) -> Proposal:
    kind, reason = _propose_kind(variable, measure)
    few = variable.sort != "unusable" and variable.n_distinct <= MOST_LEVELS
    levels, _ = level_order(variable) if few else ((), "")
    return Proposal(
        variable.name,
        kind,
        reason,
        variable.n_distinct,
        variable.n_missing,
        levels,
        suspicious(variable),
        _twins(levels),
    )


def level_order(variable: Variable) -> tuple[tuple[str, ...], str]:
    """The levels in natural order, and why they are ordered ("" when they are not).

    An order that the table declares is kept.
    """
    names = variable.level_names()
    if variable.numbers is not None or variable.sort == "flag":
        return names, ""
    if variable.ordered:
        return names, "the table declares an order"
    ordered, why = known_order(names)
    if variable.labelled:  # in the order of the codes; a known scale may run either way
        if not why and len(names) > 2 and are_ranked(names):
            ordered, why = likely_order(names), "their words and their codes say how much, in one order"
        return names, why if names in (tuple(ordered), tuple(reversed(ordered))) else ""
    return tuple(ordered), why


def names_codes(name: str) -> bool:
    """True where the name of a column says that its numbers are codes, as of a region or a treatment."""
    return _CODE.search(name) is not None


def suspicious(variable: Variable) -> tuple[str, ...]:
    """Values that often stand for a missing one."""
    names = variable.level_names() if variable.n_distinct <= 5_000 else ()
    if variable.sort == "words":
        result = [n for n in names if n in _SYMBOLS or n.casefold() in _WORDS or _ERROR.fullmatch(n)]
        none = [name for name in names if name in _NONE]
        if none and not any(map(PLAIN["."].fullmatch, names)) and not scale_with_none([*set(names) - _NONE]):
            result += none
        rest = [name for name in names if name not in result]
        if alone := _numbers_among_words(rest):
            return (*result, *alone)
        if result and not (set(names) & {"+", "++"}):
            numeric = sum(PLAIN["."].fullmatch(name) is not None for name in rest)
            codes = [n for n in rest if n in ("-9", "-99", "-999", "999", "9999")] if numeric > len(rest) / 2 else []
            return (*result, *codes)
        return ()
    if variable.sort != "number" or variable.numbers is None or variable.n_distinct < 3:
        return ()
    return tuple(name for name, value in zip(names, variable.numbers, strict=False) if _odd_code(value, variable))


def _numbers_among_words(names: Sequence[str]) -> list[str]:
    """The usual codes for no answer beside words that are no numbers, as "999" beside "never" and "often"."""
    if not are_words(names):
        return []
    numbers = [name for name in names if PLAIN["."].fullmatch(name)]
    words = [name for name in names if name not in numbers]
    alone = len(words) >= 2 and not any(map(str.isdigit, "".join(words)))
    return numbers if alone and all(_ALONE.fullmatch(name) for name in numbers) else []


def _odd_code(value: float, variable: Variable) -> bool:
    """A usual missing code that lies far from all other values."""
    if value not in _CODES or variable.numbers is None:
        return False
    others = variable.numbers[~np.isin(variable.numbers, _CODES)]
    if not len(others):
        return False
    low, high = float(others.min()), float(others.max())
    if value < 0:
        return low >= 0 and (value <= -7 or high >= 2)  # -1, 0 and 1 are less, same and more
    return value > high + max(high - low, 1) and value >= 2 * high


def _propose_kind(variable: Variable, measure: str | None) -> tuple[str, str]:
    rows, missing = variable.n_rows, variable.n_missing
    if variable.sort == "unusable":
        return "ignore", variable.trouble
    if missing == rows:
        return "ignore", "it has no values"
    if missing > rows / 2:
        return "ignore", told("{} of its values are missing; keeping it would drop those rows", Share(missing, rows))
    if variable.n_distinct == 1:
        return "ignore", told("it is constant: every value is '{}'", shown_value(variable.level_names()[0]))
    if variable.sort == "date":
        return "ignore", "it holds dates; choose continuous to cut them into periods"
    return _number_kind(variable, measure) if variable.sort == "number" else _word_kind(variable, measure)


def _word_kind(variable: Variable, measure: str | None) -> tuple[str, str]:
    words, distinct = variable.words or (), variable.n_distinct
    present = variable.n_rows - variable.n_missing
    if distinct > 2 and all(map(is_date, words)):
        return "ignore", "it holds dates; choose continuous to cut them into periods"
    if mixed := shares_beside_percents(words):
        return "ignore", told("it has shares such as {} beside percentages such as {}", *map(shown_value, mixed))
    length = sum(map(len, words)) / distinct
    if distinct > FEW_NUMBERS and distinct > present / 2 and length > 25:
        return "ignore", "it looks like free text"
    if _is_id(variable, present):
        return "ignore", told(
            "it looks like an identifier: {} different values in {} rows", Count(distinct), People(present)
        )
    blocked = nearly_numeric(variable)
    if distinct > FEW_NUMBERS and blocked:
        return "ignore", numeric_but_for(variable)
    if distinct > MOST_LEVELS:
        return "ignore", told("{} different words are too many levels; merge them to use it", Count(distinct))
    if distinct > FEW_NUMBERS and distinct > present / 2:
        return "ignore", told(
            "nearly every row differs: {} different words in {} rows", Count(distinct), People(present)
        )
    if distinct == 2 and not variable.ordered:
        return "nominal", "it has two levels"
    _, ordered = level_order(variable)
    if ordered == NUMBERED and names_codes(variable.name) and measure != "ordinal":
        return "nominal", told("it has {} numbered words, and its name says the numbers are codes", Count(distinct))
    if ordered:
        return "ordinal", ordered
    if measure == "ordinal":
        return "ordinal", "the file declares it ordinal"
    hint = told(", though {} kept it from being numeric", blocked) if blocked else ""
    return "nominal", told("it has {} different words{}", Count(distinct), hint)


def _number_kind(variable: Variable, measure: str | None) -> tuple[str, str]:
    distinct, present = variable.n_distinct, variable.n_rows - variable.n_missing
    many = told("{}{}", "more than " if variable.rounded else "", Count(distinct))
    if _is_id(variable, present):
        return "ignore", told("it looks like an identifier: {} different numbers in {} rows", many, People(present))
    if distinct == 2:
        return "nominal", "it has two levels"
    if _are_days(variable):
        first = level_text(float(variable.known_numbers[0]))
        return "ignore", told("its numbers are dates, such as {}; write them as 2024-05-31 to use them", Number(first))
    if measure == "nominal" and distinct <= MOST_LEVELS:
        return "nominal", "the file declares it nominal"
    if measure != "ordinal" and _are_ages(variable):
        return "continuous", "its name and numbers say that it is an age"
    if distinct <= FEW_NUMBERS and distinct <= max(3, present / 3):
        if variable.whole and names_codes(variable.name) and measure != "ordinal":
            return "nominal", told("it has {} different numbers, and its name says they are codes", Count(distinct))
        return "ordinal", told(
            "it has only {} different numbers; choose nominal if they are mere codes", Count(distinct)
        )
    if measure == "ordinal" and distinct <= MOST_LEVELS:
        return "ordinal", "the file declares it ordinal"
    return "continuous", told("it has {} different numbers", many)


def _are_days(variable: Variable) -> bool:
    """True where all numbers are dates of this or the last century without marks, as 20240531."""
    years, days = np.divmod(variable.known_numbers, 10_000)
    if not variable.whole or variable.n_distinct <= FEW_NUMBERS or years.min() < 1900 or years.max() > 2099:
        return False
    months, days = np.divmod(days, 100)
    return bool(months.min() >= 1 and months.max() <= 12 and days.min() >= 1 and days.max() <= 31)


def _are_ages(variable: Variable) -> bool:
    """True where few whole numbers are ages, not groups of these."""
    some = variable.whole and _FEWEST_AGES <= variable.n_distinct <= FEW_NUMBERS
    return some and _AGE.search(variable.name) is not None and variable.known_numbers[-1] > _GROUPS_OF_AGES


def _is_id(variable: Variable, present: int) -> bool:
    """All different with a pattern of an identifier, or an identifier's name and very many values."""
    distinct = variable.n_distinct
    if variable.sort == "number" and not variable.whole and distinct > FEW_NUMBERS and distinct == present:
        return (
            _PERSON.search(variable.name) is not None
            or _ID.search(variable.name) is not None
            or _counts_inside(variable)
        )
    if distinct > FEW_NUMBERS and (variable.sort != "number" or variable.whole):
        if _PERSON.search(variable.name):
            return True
        if _ID.search(variable.name) and (distinct == present or (variable.sort == "words" and distinct > MOST_LEVELS)):
            return True
    if present < 10:
        return False
    if variable.sort == "words":
        return distinct >= present and nearly_numeric(variable) == ""
    return variable.counts_up


_FIRST = 100
"""Numbers that are looked at first: most show by them already that they are no such numbers."""


def _counts_inside(variable: Variable) -> bool:
    """True where numbers such as 101.01, 101.02, 102.01 count on from 1 behind each whole number."""
    numbers = variable.known_numbers
    for digits in (1, 2, 3):
        if not _decimals(numbers[:_FIRST], digits)[1]:
            continue
        behind, exact = _decimals(numbers, digits)
        if exact:
            break
    else:
        return False
    whole = np.floor(numbers)
    starts = np.r_[True, whole[1:] != whole[:-1]]
    place = np.arange(len(numbers)) - np.maximum.accumulate(np.where(starts, np.arange(len(numbers)), 0))
    return bool(starts.sum() > 1 and 2 * starts.sum() < len(numbers) and (behind == place + 1).all())


def _decimals(numbers: np.ndarray, digits: int) -> tuple[np.ndarray, bool]:
    """The digits behind the point as a whole number, and whether so many digits say all of it."""
    rest = numbers - np.floor(numbers)
    behind = np.round(rest * 10**digits)
    return behind, bool(np.abs(rest - behind / 10**digits).max() < 1e-6)


def numeric_but_for(variable: Variable) -> Text:
    """'it would be numeric but for 3 cells, the first in row 2: 'neg''; empty where most cells are no numbers."""
    blocked = nearly_numeric(variable)
    return told("it would be numeric but for {}", blocked) if blocked else told("")


def nearly_numeric(variable: Variable) -> str:
    """Which cells keep words from being numbers, in words; "" when most are no numbers anyway."""
    words = variable.words or ()
    number = np.fromiter((bool(PLAIN["."].fullmatch(w) or PLAIN[","].fullmatch(w)) for w in words), bool, len(words))
    counts = variable.counts()
    others = int(counts[~number].sum())
    if not number.any() or not others or counts[number].sum() <= others:
        return ""
    row, text = variable.where(~number, 1)[0]
    return told("{}, the first in row {}: '{}'", People(others, "cell"), Number(row), shown_value(text))


def _spelling(level: str) -> str:
    """A level without what is typed now this way and now that: capitals, blanks, points, dashes; signs stay."""
    sign = level[:1] if level[:1] in "-+" and level[1:2].isdigit() else ""
    return sign + re.sub(r"[\s._‐-―-]+", " ", level.casefold()).strip() or level


def _twins(levels: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Groups of levels that may be one word, each with its words before its letters."""
    if not are_words(levels):
        return ()
    groups: dict[str, list[str]] = {}
    for level in levels:
        groups.setdefault(_spelling(level), []).append(level)
    initials = _initials(groups)
    if not initials and _are_yes_and_no(levels):
        return ()  # one by one they count as one without a question
    for letter, word in initials.items():
        groups[word] += groups.pop(letter)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


_ROMAN = re.compile(r"[IVXLCM]+")


def _initials(groups: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Letter -> the one word that begins with it, as "m" and "male"; nothing unless each letter alone has its own.

    Short words and short capitals may be codes themselves, as AB beside A, Na beside N, III beside I and INS beside I.
    """
    result: dict[str, str] = {}
    for letter in (item for item in groups if len(item) == 1 and item.isalpha()):
        words = [item for item in groups if len(item) > 1 and item.startswith(letter)]
        if len(words) != 1 or not words[0].isalpha():
            return {}
        code = any(level.isupper() and (len(level) < 4 or _ROMAN.fullmatch(level)) for level in groups[words[0]])
        if words[0] not in _YES_NO and (len(words[0]) < 3 or code):
            return {}
        result[letter] = words[0]
    return result


def _are_yes_and_no(levels: Iterable[str]) -> bool:
    return _YES_NO.issuperset(map(str.casefold, levels))


def same_answers(rows: Mapping[str, int]) -> dict[str, str]:
    """Word -> the one that it counts as, where all words of a column are yes and no in several spellings.

    Parameters
    ----------
    rows : word -> how many rows have it
    """
    if len(rows) < 3 or not _are_yes_and_no(rows):
        return {}
    best: dict[str, str] = {}
    for word in sorted(rows, key=lambda word: -rows[word]):
        best.setdefault(word.casefold(), word)
    return {word: best[word.casefold()] for word in rows if best[word.casefold()] != word}

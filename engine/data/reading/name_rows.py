"""Names that stand in two rows: groups above (merged cells) over names, or codes over the text of each item."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, get_args

from engine.data.reading.demographic_words import is_demographic
from engine.data.reading.numbers import MISSING_TOKENS, is_date, is_number
from engine.data.units import unit_in
from engine.words import short

Way = Literal["auto", "join", "end", "lower", "upper", "label", "one"]
WAYS: tuple[Way, ...] = get_args(Way)
AUTO, JOIN, END, LOWER, UPPER, LABEL, ONE = WAYS
"""What becomes of two rows of names: found out, joined, joined where a group ends by its answers, only one of them, the
lower as labels, the lower as data."""
_IMPORT_CODE = re.compile(r"\{\s*[\"']ImportId[\"']\s*:")
_FEWEST_ROWS, _FEWEST_WORDED_ROWS = 3, 8
"""Rows below that a second row of names is judged by: where they hold numbers, where only words."""
_MOST_OF = 0.9
_SHOWN = 3
_MOST_ANSWERS = 12
"""Different answers of a group whose columns all have the same few."""


@dataclass(frozen=True)
class NameRows:
    """The names that two rows of names come to.

    Attributes
    ----------
    names : of the columns
    labels : of the columns, where the lower row holds these
    below : rows of names below the upper one, which are no data
    ways : what can become of the two rows -> what comes of it; the usual first, none where there is one row only
    note : a sentence about rows below the names that a program wrote for itself
    """

    names: list[str]
    labels: list[str] = field(default_factory=list)
    below: int = 0
    ways: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


def read_name_rows(upper: Sequence[str], below: Sequence[Sequence[str]], way: str, decimal: str) -> NameRows:
    """The names of columns by the row of their header and the filled rows below it; a `way` other than auto is taken as
    given.
    """
    if not below or (way == AUTO and len(below) < 2):
        return NameRows(list(upper))
    width = max(len(upper), len(below[0]))
    if way == AUTO and len(below) > 2 and _typed_rows(below[0], below[1]):
        note = "The two rows below the names say what Orange takes the columns for; they were passed over."
        return NameRows(without_prefixes(upper), below=2, note=note)
    if way == AUTO and _import_codes(below[0]):
        note = "The row below the names holds codes by which a survey program knows its questions; it was passed over."
        return NameRows(list(upper), below=1, note=note)
    above, lower = (_stripped(cells, width) for cells in (upper, below[0]))
    codes = 1 if len(below) > 1 and _import_codes(below[1]) else 0
    body = below[1 + codes :]
    usual = _second_row(above, lower, body, decimal, codes=bool(codes))
    if way == AUTO:
        way = usual
    if way in ("", ONE):
        return NameRows(list(upper), ways=_ways(usual, above, lower, body))
    names = names_by(way, above, lower, body)
    if usual == LABEL and way == usual and _say_units(names, lower):
        return NameRows(names, _with_units(names, lower), 1, note="The row below the names holds their units.")
    labels, more = lower if way == LABEL else [], codes
    if way != LABEL and len(body) > 2:  # below groups and names may stand units
        units = _stripped(body[0], len(names))[: len(names)]
        every = [[row[j].strip() for row in body[1:] if j < len(row) and row[j].strip()] for j in range(len(names))]
        filled = [j for j, name in enumerate(names) if name or every[j]]
        if not any(is_number(unit, decimal) for unit in units) and _are_units(names, units, every, filled, decimal):
            labels, more = _with_units(names, units) if _say_units(names, units) else units, 1
    return NameRows(names, labels, 1 + more, _ways(usual or way, above, lower, body))


_LONGEST_UNIT = 12


def _say_units(names: Sequence[str], cells: Sequence[str]) -> bool:
    """True where cells below names are short, and half of them are units by their grammar."""
    written = [(name, cell) for name, cell in zip(names, cells, strict=False) if cell]
    known = sum(bool(unit_in(f"{name} ({cell})")) for name, cell in written)
    return bool(written) and 2 * known >= len(written) and max(len(cell) for _, cell in written) <= _LONGEST_UNIT


def _with_units(names: Sequence[str], units: Sequence[str]) -> list[str]:
    """Labels such as 'FEV1 (L)' of columns with a unit, '' of others."""
    return [f"{name} ({unit})" if unit else "" for name, unit in zip(names, units, strict=False)]


def names_by(way: str, upper: Sequence[str], lower: Sequence[str], body: Sequence[Sequence[str]] = ()) -> list[str]:
    """The name of each column; a merged cell stands for all columns below it, but for a lone 'sex' or 'age' there.

    Where groups are written above each of their columns, none stands for one without; `body` are rows of data.
    """
    if way in (LABEL, ONE):
        return list(upper)
    names, group = [], ""
    alone = {name for name, many in Counter(lower).items() if many == 1 and is_demographic(name)}
    ended = _after_written_out(upper) | (_changed(upper, lower, alone, body) if way == END else set())
    for place, (above, below) in enumerate(zip(upper, lower, strict=True)):
        runs_on, group = above in ("", group), above or group
        if way == LOWER:
            names.append(below or above)
        elif way in (JOIN, END) and runs_on and below and (below in alone or place in ended):
            names.append(below)
        elif way == UPPER:
            names.append(group if below or above else "")
        else:
            names.append(f"{group} {below}".strip() if below and below != group else above)
    return names


def _after_written_out(upper: Sequence[str]) -> set[int]:
    """Columns without a group behind one that is written above each of its columns, as a merged cell is."""
    result: set[int] = set()
    ended = False
    for place, (before, above) in enumerate(pairwise(("", *upper))):
        ended = (ended or (place > 1 and before != "" and before == upper[place - 2])) and not above
        if ended:
            result.add(place)
    return result


def _changed(
    upper: Sequence[str], lower: Sequence[str], alone: Collection[str], body: Sequence[Sequence[str]]
) -> set[int]:
    """Columns that are of no group, since this ends before them: at a demographic, or at other answers than before."""
    result: set[int] = set()
    known: set[str] = set()
    ended = False
    for place, above in enumerate(upper):
        answers = [row[place].strip() for row in body if place < len(row) and row[place].strip()]
        if above and (place == 0 or above != upper[place - 1]):
            known, ended = set(answers), False
            continue
        few = len(answers) >= _FEWEST_WORDED_ROWS and 0 < len(known) <= _MOST_ANSWERS
        ended |= lower[place] in alone or (few and sum(text not in known for text in answers) > len(answers) / 2)
        if ended and not above:
            result.add(place)
        known.update(answers)
    return result


def _ways(usual: str, upper: Sequence[str], lower: Sequence[str], body: Sequence[Sequence[str]]) -> dict[str, str]:
    """What can become of two rows -> the first names that come of it."""
    if not usual:
        return {}
    joined, ended = (names_by(way, upper, lower, body) for way in (JOIN, END))
    lone = [name for name, other in zip(ended, joined, strict=True) if name != other]
    groups = (JOIN, END) if lone else (JOIN,)
    possible: tuple[str, ...] = (LABEL, LOWER, ONE) if usual == LABEL else (*groups, LOWER, UPPER, ONE)
    place = next((j for j, (a, b) in enumerate(zip(upper, lower, strict=True)) if a and b), 0)
    result = {}
    for way in dict.fromkeys((usual, *possible)):
        names = [name for name in names_by(way, upper, lower, body)[place:] if name]
        names = lone if way == END else names
        result[way] = ", ".join(f"'{short(name, 40)}'" for name in names[: 1 if way in (LABEL, ONE) else _SHOWN])
    result[ONE] = f"'{short(lower[place], 40)}' is a value of {result[ONE]}"
    if END in result:
        result[END] += " without a group"
    if LABEL in result:
        result[LABEL] += f" with the label '{short(lower[place], 60)}'"
    return result


def _stripped(cells: Sequence[str], width: int) -> list[str]:
    return [" ".join(cell.split()) for cell in cells] + [""] * (width - len(cells))


_ORANGE_TYPES = {"c", "continuous", "n", "numeric", "d", "discrete", "categorical", "s", "string", "text", "t", "time"}
_ORANGE_FLAGS = {"", "class", "c", "meta", "m", "ignore", "i", "weight", "w", "multiclass"}
_PREFIX = re.compile(r"(?:[mciw]?[CDSTN]|[mciw])#(?=.)")
"""What Orange writes before a name in place of the two rows."""


def without_prefixes(names: Sequence[str]) -> list[str]:
    """Names without the signs by which Orange tells what columns are, where nearly all have such signs."""
    told = sum(_PREFIX.match(name) is not None for name in names)
    return [_PREFIX.sub("", name, count=1) for name in names] if 2 * told > max(len(names), 2) else list(names)


def _typed_rows(types: Sequence[str], flags: Sequence[str]) -> bool:
    """True where two rows hold types (or lists of values) and flags of columns, as Orange writes them."""
    kinds = [cell.strip().casefold() for cell in types]
    told = [kind for kind in kinds if kind in _ORANGE_TYPES]
    marks = {cell.partition("=")[0].strip().casefold() for cell in flags}
    return (
        all(kinds)
        and 2 * len(told) > len(kinds)
        and all(kind in _ORANGE_TYPES or " " in kind for kind in kinds)
        and marks <= _ORANGE_FLAGS
    )


def _import_codes(cells: Sequence[str]) -> bool:
    """True where a row holds the codes by which a survey program knows its questions."""
    filled = [cell for cell in cells if cell.strip()]
    return bool(filled) and sum(_IMPORT_CODE.search(cell) is not None for cell in filled) > len(filled) / 2


def _second_row(
    upper: Sequence[str], lower: Sequence[str], body: Sequence[Sequence[str]], decimal: str, *, codes: bool
) -> str:
    """Decide how a second row of names is used, "" where it is a row of data or may be one."""
    every = [[row[j].strip() for row in body if j < len(row) and row[j].strip()] for j in range(len(upper))]
    filled = [j for j in range(len(upper)) if upper[j] or lower[j] or every[j]]
    written = [lower[j] for j in filled if lower[j]]
    if codes:  # the row below it is proof: both are the program's
        return JOIN if _groups_over_names(upper, lower, filled) and not all(upper[j] for j in filled) else LABEL
    odd = (is_number(text, decimal) or is_date(text, months=False) for text in written)
    if len(filled) < 2 or not written or any(odd):
        return ""
    if _codes_over_texts(upper, lower, filled):
        longer = sum(map(len, written)) / max(sum(len(upper[j]) for j in filled if lower[j]), 1)
        spaced = sum(" " in text for text in written) > len(written) / 2
        if longer > 1 and len(filled) > 2 and _unlike_numbers(lower, every, filled, decimal):
            return LABEL
        if longer >= 2 and spaced and _unlike_words(lower, every, filled):
            return LABEL
    if _groups_over_names(upper, lower, filled) and (
        _unlike_numbers(lower, every, filled, decimal, upper)
        or _unlike_words(lower, every, filled)
        or _completes_names(upper, lower, every, filled, len(body))
    ):
        return JOIN
    return LABEL if _are_units(upper, lower, every, filled, decimal) else ""


def _are_units(
    upper: Sequence[str],
    lower: Sequence[str],
    every: Sequence[Sequence[str]],
    filled: Sequence[int],
    decimal: str,
) -> bool:
    """True where a row has words over most columns of numbers and a number over none, as units below names."""
    names = [upper[j] for j in filled]
    words = [lower[j] for j in filled if lower[j] and lower[j] not in MISSING_TOKENS]
    if not all(names) or len(set(names)) < len(names) or len(words) < 2 or any(lower[j] in every[j] for j in filled):
        return False
    return _unlike_numbers(lower, every, filled, decimal, upper)


def _codes_over_texts(upper: Sequence[str], lower: Sequence[str], filled: Sequence[int]) -> bool:
    """True where each column has a name of its own above and nearly each a text of its own below."""
    names, texts = [upper[j] for j in filled], [lower[j] for j in filled if lower[j]]
    return (
        all(names)
        and len(set(names)) == len(names)
        and len(texts) >= 0.8 * len(filled)
        and len(set(texts)) >= _MOST_OF * len(texts)
    )


def _groups_over_names(upper: Sequence[str], lower: Sequence[str], filled: Sequence[int]) -> bool:
    """True where a name above stands for several below, and the two together name each column differently."""
    joined = [name for name in names_by(JOIN, upper, lower) if name]
    spans = any(
        lower[j] and (not upper[j] or upper[j] == upper[j - 1]) and any(upper[:j]) for j in filled if j and lower[j - 1]
    )
    return len(filled) > 2 and spans and len(set(joined)) == len(joined) >= len(filled)


def _completes_names(
    upper: Sequence[str], lower: Sequence[str], every: Sequence[Sequence[str]], filled: Sequence[int], rows: int
) -> bool:
    """True where a row has a text wherever a name lacks, and none below two names where every other row has a value.

    A survey program writes so; what is ticked is written as the name of its column, so that this comes below too.
    """
    lacking = [j for j in filled if not upper[j]]
    known = [j for j in filled if upper[j] and not lower[j] and len(every[j]) == rows]
    ticked = {j for j in filled if set(every[j]) == {lower[j]}}
    if rows < _FEWEST_ROWS or not lacking or not all(lower[j] for j in lacking):
        return False
    answered = any(lower[j] in every[j] for j in filled if lower[j] and j not in ticked)
    return len(known) >= 2 or (len(known) == 1 and ticked.issuperset(lacking) and not answered)


def _unlike_numbers(
    lower: Sequence[str],
    every: Sequence[Sequence[str]],
    filled: Sequence[int],
    decimal: str,
    upper: Sequence[str] | None = None,
) -> bool:
    """True where it has words over all columns of numbers (or, with `upper`, is empty below a name of one row)."""
    numeric = [j for j in filled if sum(is_number(text, decimal) for text in every[j]) > _MOST_OF * len(every[j])]
    numeric = [j for j in numeric if len(every[j]) >= _FEWEST_ROWS]
    worded = [j for j in numeric if lower[j] and lower[j] not in every[j]]
    rest = [j for j in numeric if j not in worded]
    return len(worded) >= 2 and all(upper is not None and upper[j] and not lower[j] for j in rest)


def _unlike_words(lower: Sequence[str], every: Sequence[Sequence[str]], filled: Sequence[int]) -> bool:
    """True where none of its words comes below, where most columns have the same few words again and again."""
    asked = [j for j in filled if lower[j] and every[j]]
    if not asked or any(lower[j] in every[j] for j in asked):
        return False
    again = [j for j in asked if 2 * len(set(every[j])) <= len(every[j]) and len(every[j]) >= _FEWEST_WORDED_ROWS]
    return len(again) >= 3 and 2 * len(again) > len(asked)

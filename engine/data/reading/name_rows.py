"""Names that stand in two rows: groups above (merged cells) over names, or codes over the text of each item."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from engine.data.reading.demographic_words import is_demographic
from engine.data.reading.numbers import is_date, is_number

Way = Literal["auto", "join", "lower", "upper", "label", "one"]
WAYS: tuple[Way, ...] = get_args(Way)
AUTO, JOIN, LOWER, UPPER, LABEL, ONE = WAYS
"""What becomes of two rows of names: found out, joined, only one of them, the lower as labels, the lower as data."""
_IMPORT_CODE = re.compile(r"\{\s*[\"']ImportId[\"']\s*:")
_FEWEST_ROWS, _FEWEST_WORDED_ROWS = 3, 8
"""Rows below that a second row of names is judged by: where they hold numbers, where only words."""
_MOST_OF = 0.9
_SHOWN = 3


@dataclass(frozen=True)
class NameRows:
    """What two rows of names come to.

    Attributes
    ----------
    names : of the columns
    labels : of the columns, where the lower row holds these
    below : rows of names below the upper one, which are no data
    ways : what can become of the two rows -> what comes of it; the usual first, none where there is one row only
    """

    names: list[str]
    labels: list[str] = field(default_factory=list)
    below: int = 0
    ways: Mapping[str, str] = field(default_factory=dict)


def read_name_rows(upper: Sequence[str], below: Sequence[Sequence[str]], way: str, decimal: str) -> NameRows:
    """The names of columns by the row of their header and the filled rows below it; a `way` other than auto is taken as
    given.
    """
    if not below or (way == AUTO and len(below) < 2):
        return NameRows(list(upper))
    width = max(len(upper), len(below[0]))
    above, lower = (_stripped(cells, width) for cells in (upper, below[0]))
    codes = 1 if len(below) > 1 and _import_codes(below[1]) else 0
    usual = _second_row(above, lower, below[1 + codes :], decimal, codes=bool(codes))
    if way == AUTO:
        way = usual
    if way in ("", ONE):
        return NameRows(list(upper), ways=_ways(usual, above, lower))
    names = names_by(way, above, lower)
    return NameRows(names, lower if way == LABEL else [], 1 + codes, _ways(usual or way, above, lower))


def names_by(way: str, upper: Sequence[str], lower: Sequence[str]) -> list[str]:
    """The name of each column; a merged cell stands for all columns below it, but for a lone 'sex' or 'age' there."""
    if way in (LABEL, ONE):
        return list(upper)
    names, group = [], ""
    alone = {name for name, many in Counter(lower).items() if many == 1 and is_demographic(name)}
    for above, below in zip(upper, lower, strict=True):
        runs_on, group = above in ("", group), above or group
        if way == LOWER:
            names.append(below or above)
        elif way == JOIN and runs_on and below in alone:
            names.append(below)
        elif way == UPPER:
            names.append(group if below or above else "")
        else:
            names.append(f"{group} {below}".strip() if below and below != group else above)
    return names


def _ways(usual: str, upper: Sequence[str], lower: Sequence[str]) -> dict[str, str]:
    """What can become of two rows -> the first names that come of it."""
    if not usual:
        return {}
    possible = (LABEL, LOWER, ONE) if usual == LABEL else (JOIN, LOWER, UPPER, ONE)
    place = next((j for j, (a, b) in enumerate(zip(upper, lower, strict=True)) if a and b), 0)
    result = {}
    for way in dict.fromkeys((usual, *possible)):
        names = [name for name in names_by(way, upper, lower)[place:] if name]
        result[way] = ", ".join(f"'{name[:40]}'" for name in names[: 1 if way in (LABEL, ONE) else _SHOWN])
    result[ONE] = f"'{lower[place][:40]}' is a value of {result[ONE]}"
    if LABEL in result:
        result[LABEL] += f" with the label '{lower[place][:60]}'"
    return result


def _stripped(cells: Sequence[str], width: int) -> list[str]:
    return [" ".join(cell.split()) for cell in cells] + [""] * (width - len(cells))


def _import_codes(cells: Sequence[str]) -> bool:
    """Whether a row holds the codes by which a survey program knows its questions."""
    filled = [cell for cell in cells if cell.strip()]
    return bool(filled) and sum(_IMPORT_CODE.search(cell) is not None for cell in filled) > len(filled) / 2


def _second_row(
    upper: Sequence[str], lower: Sequence[str], body: Sequence[Sequence[str]], decimal: str, *, codes: bool
) -> str:
    """How a second row of names is used, "" where it is a row of data or may be one."""
    every = [[row[j].strip() for row in body if j < len(row) and row[j].strip()] for j in range(len(upper))]
    filled = [j for j in range(len(upper)) if upper[j] or lower[j] or every[j]]
    written = [lower[j] for j in filled if lower[j]]
    if len(filled) < 2 or not written or any(is_number(text, decimal) or is_date(text) for text in written):
        return ""
    if _codes_over_texts(upper, lower, filled):
        longer = sum(map(len, written)) / max(sum(len(upper[j]) for j in filled if lower[j]), 1)
        spaced = sum(" " in text for text in written) > len(written) / 2
        if codes or (longer > 1 and len(filled) > 2 and _unlike_numbers(lower, every, filled, decimal)):
            return LABEL
        if longer >= 2 and spaced and _unlike_words(lower, every, filled):
            return LABEL
    if _groups_over_names(upper, lower, filled) and (
        codes or _unlike_numbers(lower, every, filled, decimal, upper) or _unlike_words(lower, every, filled)
    ):
        return JOIN
    return ""


def _codes_over_texts(upper: Sequence[str], lower: Sequence[str], filled: Sequence[int]) -> bool:
    """Whether each column has a name of its own above and nearly each a text of its own below."""
    names, texts = [upper[j] for j in filled], [lower[j] for j in filled if lower[j]]
    return (
        all(names)
        and len(set(names)) == len(names)
        and len(texts) >= 0.8 * len(filled)
        and len(set(texts)) >= _MOST_OF * len(texts)
    )


def _groups_over_names(upper: Sequence[str], lower: Sequence[str], filled: Sequence[int]) -> bool:
    """Whether a name above stands for several below, and the two together name each column differently."""
    joined = [name for name in names_by(JOIN, upper, lower) if name]
    spans = any(
        lower[j] and (not upper[j] or upper[j] == upper[j - 1]) and any(upper[:j]) for j in filled if j and lower[j - 1]
    )
    return len(filled) > 2 and spans and len(set(joined)) == len(joined) >= len(filled)


def _unlike_numbers(
    lower: Sequence[str],
    every: Sequence[Sequence[str]],
    filled: Sequence[int],
    decimal: str,
    upper: Sequence[str] | None = None,
) -> bool:
    """Whether it has words over all columns of numbers (or, with `upper`, is empty below a name of one row)."""
    numeric = [j for j in filled if sum(is_number(text, decimal) for text in every[j]) > _MOST_OF * len(every[j])]
    numeric = [j for j in numeric if len(every[j]) >= _FEWEST_ROWS]
    worded = [j for j in numeric if lower[j] and lower[j] not in every[j]]
    rest = [j for j in numeric if j not in worded]
    return len(worded) >= 2 and all(upper is not None and upper[j] and not lower[j] for j in rest)


def _unlike_words(lower: Sequence[str], every: Sequence[Sequence[str]], filled: Sequence[int]) -> bool:
    """Whether none of its words comes below, where most columns have the same few words again and again."""
    asked = [j for j in filled if lower[j] and every[j]]
    if not asked or any(lower[j] in every[j] for j in asked):
        return False
    again = [j for j in asked if 2 * len(set(every[j])) <= len(every[j]) and len(every[j]) >= _FEWEST_WORDED_ROWS]
    return len(again) >= 3 and 2 * len(again) > len(asked)

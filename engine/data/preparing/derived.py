"""New columns made of those of the table: a ratio, a difference, a cut, merged levels, two combined, a yes or no,
or what stands once to a person in all rows of that person.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine.data.preparing.binning import cut_text, interval_codes, interval_labels
from engine.data.preparing.conditions import OF_NUMBERS, OF_VALUES, checked, columns_of, conditions_sentence, weigh
from engine.data.preparing.variables import Variable, check_known, day_text, numbers_of, of_numbers
from engine.data.reading.headers import clean_text
from engine.data.reading.numbers import level_text
from engine.data.reading.scales import natural_order
from engine.errors import InputError
from engine.words import short

Way = tuple[Any, ...]
"""The way a column is made: its sort, then its sources."""

_OF_TWO = {"ratio": "{} divided by {}", "difference": "{} minus {}", "combine": "every combination of {} and {}"}
_OF_TWO |= {"carry": "{}, and where it has no value the one of the same {} in other rows"}
_CALCULATED = ("ratio", "difference", "cut")
WAYS = (*_OF_TWO, "cut", "merge", "if")


def checked_ways(given: Mapping[str, Sequence[Any]]) -> dict[str, Way]:
    """New column -> how it is made, as plain tuples; `DataError` for what is no way to make one."""
    return {str(name): _checked(str(name), way) for name, way in given.items()}


def _checked(name: str, way: Any) -> Way:
    if clean_text(name) != name or not name:
        raise InputError("A new column needs a name, without spaces around it.")
    if isinstance(way, str) or not isinstance(way, Sequence) or not way or way[0] not in WAYS:
        raise InputError(
            f"The new column '{short(name, 60)}' can be one of {', '.join(WAYS)}; for example ('ratio', 'weight', "
            f"'height').",
            column=name,
        )
    sort = str(way[0])
    if sort == "if" and len(way) == 2:
        return sort, _some(name, checked(way[1]))
    if sort in _OF_TWO and len(way) == 3:
        return sort, str(way[1]), str(way[2])
    if sort == "cut" and len(way) in (3, 4):  # the last says that its levels are named as of whole numbers
        return sort, str(way[1]), _cuts(name, way[2]), *(bool(item) for item in way[3:])
    pairs = _pairs(way[2]) if sort == "merge" and len(way) == 3 else None
    if pairs is not None:
        return sort, str(way[1]), tuple((clean_text(str(old)), clean_text(str(new))) for old, new in pairs)
    needs = {"if": "conditions", "cut": "a column and its cut points", "merge": "a column and what its levels become"}
    raise InputError(
        f"The new column '{short(name, 60)}' ({sort}) needs {needs.get(sort, 'two columns')}.", column=name
    )


def _pairs(given: Any) -> list[tuple[Any, Any]] | None:
    """Old and new levels; None where it is no list of pairs."""
    pairs = list(given.items()) if isinstance(given, Mapping) else given
    fits = (
        isinstance(pairs, Sequence)
        and not isinstance(pairs, str)
        and all(isinstance(pair, Sequence) and not isinstance(pair, str) and len(pair) == 2 for pair in pairs)
    )
    return [(old, new) for old, new in pairs] if fits else None


def _some(name: str, conditions: tuple[Any, ...]) -> tuple[Any, ...]:
    if not conditions:
        raise InputError(f"The new column '{short(name, 60)}' needs a condition.", column=name)
    return conditions


def _cuts(name: str, given: Any) -> tuple[float, ...]:
    try:
        cuts = tuple(float(cut) for cut in given)
    except (TypeError, ValueError):
        cuts = ()
    if not cuts or list(cuts) != sorted(set(cuts)) or not np.isfinite(cuts).all():
        raise InputError(f"The cut points of '{short(name, 60)}' must be rising numbers.", column=name)
    return cuts


def sources(way: Way) -> tuple[str, ...]:
    """The columns that a new one is made of."""
    return columns_of(way[1]) if way[0] == "if" else way[1:] if way[0] in _OF_TWO else way[1:2]


def used_sources(way: Way, *, calculated: bool) -> set[str]:
    """The sources that are calculated with, or whose values count as they are written."""
    if way[0] == "if":
        return set(columns_of(way[1], OF_NUMBERS if calculated else OF_VALUES))
    return set(sources(way)) if (way[0] in _CALCULATED) == calculated else set()


def named_whole(ways: Mapping[str, Way], variables: Mapping[str, Variable]) -> dict[str, Way]:
    """The ways, with cuts that remember whether their levels were named as of whole numbers."""
    return {
        name: (*way[:3], _numeric(variables[way[1]], name).whole) if way[0] == "cut" and len(way) == 3 else way
        for name, way in ways.items()
    }


def with_derived(
    variables: Iterable[Variable], ways: Mapping[str, Way], n: int, *, strict: bool = True
) -> list[Variable]:
    """The columns and the new ones behind them, each made of any before it."""
    result = {variable.name: variable for variable in variables}
    for name, way in ways.items():
        if name in result:
            raise InputError(
                f"The table has a column '{short(name, 60)}' already; give the new one another name.", column=name
            )
        check_known(sources(way), list(result), f"derive['{short(name, 60)}']")
        result[name] = _make(name, way, result, n, strict)
    return list(result.values())


def _make(name: str, way: Way, known: Mapping[str, Variable], n: int, strict: bool) -> Variable:
    sort, parts = way[0], [known[source] for source in sources(way)]
    if sort == "if":
        yes, can_tell = weigh(way[1], known, n)
        return Variable(name, "words", np.where(can_tell, yes.astype(np.int64), -1), words=("no", "yes"))
    if sort in ("ratio", "difference"):
        left, right = (numbers_of(_numeric(part, name)).column for part in parts)
        if sort == "difference":
            return of_numbers(name, left - right)
        with np.errstate(divide="ignore", invalid="ignore"):
            return of_numbers(name, np.where(right == 0, np.nan, left / right))
    if sort == "combine":
        return _combined(name, parts[0], parts[1])
    if sort == "carry":
        return _carried(name, parts[0], parts[1])
    return _cut(name, parts[0], *way[2:]) if sort == "cut" else _regrouped(name, parts[0], way[2], strict)


def _numeric(variable: Variable, new: str) -> Variable:
    result = variable.as_measured()
    if result is None:
        raise InputError(
            f"'{short(variable.name, 60)}' holds words, so '{short(new, 60)}' cannot be calculated from it; choose a "
            "column of numbers.",
            column=new,
        )
    return result


def _cut(name: str, variable: Variable, cuts: tuple[float, ...], whole: bool | None = None) -> Variable:
    seen = _numeric(variable, name)
    text = day_text if seen.sort == "date" else cut_text
    labels = interval_labels(cuts, whole=seen.whole if whole is None else whole, text=text)
    codes = np.append(interval_codes(seen.known_numbers, cuts), -1)[seen.codes]
    return Variable(name, "words", codes, words=labels, ordered=True)


def _regrouped(name: str, variable: Variable, pairs: tuple[tuple[str, str], ...], strict: bool) -> Variable:
    names, becomes = variable.level_names(), dict(pairs)
    if strict and becomes and not set(becomes).intersection(names):
        raise InputError(
            f"'{short(variable.name, 60)}' has none of the levels that '{short(name, 60)}' merges, such as "
            f"'{short(next(iter(becomes)), 40)}'.",
            column=name,
        )
    return _of_words(name, variable.codes, [becomes.get(level, level) for level in names], ordered=variable.ordered)


def _combined(name: str, left: Variable, right: Variable) -> Variable:
    both = (left.codes >= 0) & (right.codes >= 0)
    codes = np.where(both, left.codes.astype(np.int64) * right.n_distinct + right.codes, -1)
    distinct, inverse = np.unique(codes[both], return_inverse=True)
    ours, theirs = left.level_names(), right.level_names()
    words = [
        f"{_part(ours[pair // right.n_distinct])}, {_part(theirs[pair % right.n_distinct])}"
        for pair in distinct.tolist()
    ]
    result = np.full(len(codes), -1)
    result[both] = inverse
    return _of_words(name, result, words)


def _carried(name: str, variable: Variable, whose: Variable) -> Variable:
    """A column whose gaps are filled with the only value that the same person has in other rows."""
    lacking = (variable.codes < 0) & (whose.codes >= 0)
    codes = variable.codes.astype(np.int64)
    codes[lacking] = np.maximum(only_values(variable, whose), -1)[whose.codes[lacking]]
    return replace(variable, name=name, codes=codes)


def only_values(variable: Variable, whose: Variable) -> np.ndarray:
    """(m,) of each of the m values of a column the code of another in all its rows; -1 for none, -2 for several.

    Parameters
    ----------
    variable, whose : columns with the same rows
    """
    known = (variable.codes >= 0) & (whose.codes >= 0)
    first = np.full(whose.n_distinct, -1, np.int64)
    codes, owners = variable.codes[known].astype(np.int64), whose.codes[known]
    first[owners] = codes
    first[owners[first[owners] != codes]] = -2
    return first


def _part(level: str) -> str:
    """A level as a part of another; in quotes where its own comma would be taken for the one between."""
    return f"'{level}'" if ", " in level else level


def _of_words(name: str, codes: np.ndarray, words: Sequence[str], *, ordered: bool = False) -> Variable:
    """A column of words, equal ones made one; in natural order unless their own counts."""
    order = list(dict.fromkeys(words)) if ordered else natural_order(dict.fromkeys(words))
    place = {word: code for code, word in enumerate(order)}
    recode = np.array([*(place[word] for word in words), -1], dtype=np.int64)
    return Variable(name, "words", recode[codes], words=tuple(order), ordered=ordered)


def derived_sentence(name: str, way: Way) -> str:
    """The way a new column is made, as one sentence."""
    sort, new = way[0], f"New column '{short(name, 60)}'"
    if sort == "if":
        return f"{new}: yes where {conditions_sentence(way[1])}, else no."
    of = [f"'{short(source, 60)}'" for source in sources(way)]
    if sort in _OF_TWO:
        return f"{new}: {_OF_TWO[sort].format(*of)}."
    if sort == "cut":
        return f"{new}: {of[0]} cut at {', '.join(level_text(cut) for cut in way[2])}."
    pairs = ", ".join(f"'{short(old, 40)}' becomes '{short(becomes, 40)}'" for old, becomes in way[2][:6])
    return f"{new}: {of[0]} with merged levels ({pairs})."

"""Which rows are used: conditions on raw values, as plain tuples; nothing of them is ever evaluated as code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engine.data.preparing.variables import Variable, check_known, days_in, layout_of
from engine.data.reading.headers import clean_text
from engine.data.reading.naming import shown_name, shown_value
from engine.data.reading.numbers import PLAIN, is_date, level_text, to_float
from engine.errors import InputError
from engine.text import Level, Text, joined, told
from engine.words import short

_EITHER = re.compile(r"[+-]?\d{1,3},\d{3}")
"""A thousand with its comma, or three decimals."""
_SAME = {"True": "1", "False": "0"}

Condition = tuple[Any, ...]
"""`(column, what, value)`, or `("any", condition, ...)`, which holds where one of them does."""

ANY = "any"
OF_VALUES = ("is", "is not")
OF_NUMBERS = ("over", "at least", "under", "at most", "between")
OF_GAPS = ("is known", "is missing")
OF_CHOICES = "includes"
"""That one of several answers in a cell is this: an answer and the mark between them, as in "fever;cough"."""
WHAT = (*OF_VALUES, *OF_NUMBERS, *OF_GAPS, OF_CHOICES)
_COMPARE = {
    "over": (np.greater,),
    "at least": (np.greater_equal,),
    "under": (np.less,),
    "at most": (np.less_equal,),
    "between": (np.greater_equal, np.less_equal),
}


def checked(given: Iterable[Sequence[Any]], *, nested: bool = False) -> tuple[Condition, ...]:
    """Conditions as plain tuples; `DataError` for what is none."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError("Give conditions as a list such as [('sex', 'is', 'f'), ('age', 'over', 40)].")
    if isinstance(given, tuple) and len(given) == 3 and isinstance(given[0], str) and given[1] in WHAT:
        given = (given,)  # one condition alone
    return tuple(_checked_one(item, nested) for item in given)


def _checked_one(item: Any, nested: bool) -> Condition:
    if isinstance(item, str) or not isinstance(item, Sequence) or not item:
        raise InputError(f"{short(str(item), 60)!r} is no condition; write it like ('age', 'over', 40).")
    if item[0] == ANY and len(item) > 1 and not isinstance(item[1], str):
        if nested:
            raise InputError("A condition of the sort 'any' cannot stand inside another.")
        return (ANY, *checked(list(item[1:]), nested=True))
    column, test = str(item[0]), item[1] if len(item) > 1 else None
    if test not in WHAT:
        raise InputError(
            f"The condition on '{short(column, 60)}' says {short(str(test), 40)!r}; it can say {', '.join(WHAT)}.",
            column=column,
        )
    if test in OF_GAPS:
        return (column, test)
    if len(item) != 3:
        raise InputError(f"The condition on '{short(column, 60)}' needs one value after '{test}'.", column=column)
    return (column, test, _value(column, test, item[2]))


def _value(column: str, test: str, value: Any) -> Any:
    if test == OF_CHOICES:
        if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != 2 or not str(value[1]):
            raise InputError(f"'{short(column, 60)}' includes needs an answer and the mark between, as ('fever', ';').")
        return _text(value[0]), str(value[1])
    if test in OF_VALUES:
        values = [value] if isinstance(value, str) or not isinstance(value, Iterable) else list(value)
        if not values:
            raise InputError(f"The condition on '{short(column, 60)}' names no value; choose one.", column=column)
        return tuple(_text(entry) for entry in values)
    if test == "between":
        if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != 2:
            raise InputError(f"'{short(column, 60)}' between needs two ends, such as (18, 65).", column=column)
        return tuple(_bound(column, item) for item in value)
    return _bound(column, value)


def _text(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, int | float | np.number):
        number = _finite(value)
        if number is None:
            raise InputError(f"A condition cannot ask for {short(str(value), 40)}; give a number that is finite.")
        return level_text(number)
    return clean_text(str(value))


def _finite(value: Any) -> float | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if np.isfinite(number) else None


def _bound(column: str, value: Any) -> float | str:
    """A number, or a date as it is written."""
    if isinstance(value, int | float | np.number) and not isinstance(value, bool):
        number = _finite(value)
        if number is not None:
            return int(number) if number == int(number) else number
    text = clean_text(str(value))
    if _EITHER.fullmatch(text):
        raise InputError(
            f"'{short(column, 60)}' cannot be compared with {text!r}, which can be read in two ways; write "
            f"{text.replace(',', '')} or {text.replace(',', '.')}.",
            column=column,
        )
    for mark in (".", ","):
        if PLAIN[mark].fullmatch(text):
            return _bound(column, to_float(text, mark))
    if is_date(text):
        return text
    raise InputError(
        f"'{short(column, 60)}' cannot be compared with {short(text, 40)!r}; give a number or a date.", column=column
    )


def columns_of(conditions: Iterable[Condition], tests: Sequence[str] = WHAT) -> tuple[str, ...]:
    """The columns of which one of some things is asked, each once."""
    return tuple(dict.fromkeys(str(item[0]) for item in _each(conditions) if item[1] in tests))


def _each(conditions: Iterable[Condition]) -> Iterator[Condition]:
    for condition in conditions:
        if condition[0] == ANY and not isinstance(condition[1], str):
            yield from _each(condition[1:])
        else:
            yield condition


def weigh(conditions: Iterable[Condition], variables: Mapping[str, Variable], n: int) -> tuple[np.ndarray, np.ndarray]:
    """(n,) flags of the rows where all conditions hold, and of those where that can be told.

    A cell that is not known fulfils only "is missing". A row counts as told where one known cell settles it.
    """
    holds, can_tell, refuted = np.ones(n, bool), np.ones(n, bool), np.zeros(n, bool)
    for condition in conditions:
        if condition[0] == ANY and not isinstance(condition[1], str):
            each = [weigh((inner,), variables, n) for inner in condition[1:]]
            true = np.logical_or.reduce([yes for yes, _ in each])
            known = true | np.logical_and.reduce([can for _, can in each])
        else:
            true = _holds(condition, variables)
            known = np.ones(n, bool) if condition[1] in OF_GAPS else variables[condition[0]].codes >= 0
        holds &= true
        can_tell &= known
        refuted |= known & ~true
    return holds, can_tell | refuted


def _holds(condition: Condition, variables: Mapping[str, Variable]) -> np.ndarray:
    column, test = condition[0], condition[1]
    check_known([column], list(variables), "where")
    variable = variables[column]
    if test in OF_GAPS:
        return (variable.codes >= 0) == (test == "is known")
    if test in OF_VALUES:
        names = variable.level_names()
        wanted = {*condition[2], *(_SAME.get(value) for value in condition[2] if variable.sort == "number")}
        among = np.fromiter((name in wanted for name in names), bool, len(names))
        return np.append(among == (test == "is"), False)[variable.codes]
    if test == OF_CHOICES:
        answer, mark = condition[2]
        among = np.fromiter((answer in map(clean_text, name.split(mark)) for name in variable.level_names()), bool)
        return np.append(among, False)[variable.codes]
    seen = _ordered(variable, test)
    ends = condition[2] if test == "between" else (condition[2],)
    compared = [
        compare(seen.known_numbers, _number(end, seen)) for compare, end in zip(_COMPARE[test], ends, strict=True)
    ]
    return np.append(np.logical_and.reduce(compared), False)[seen.codes]


def _ordered(variable: Variable, test: str) -> Variable:
    result = variable.as_measured()
    if result is None:
        raise InputError(
            f"'{short(variable.name, 60)}' holds words, so '{test}' says nothing of it; choose some of its values "
            f"with 'is'.",
            column=variable.name,
        )
    return result


def _number(end: float | str, variable: Variable) -> float:
    if not isinstance(end, str):
        if variable.sort == "date":
            raise InputError(f"'{short(variable.name, 60)}' holds dates; compare it with a date.", column=variable.name)
        return float(end)
    # 01.03.2024 alone is no one day, and a table whose dates begin with the year does not tell which
    layout = layout_of([end]) or (variable.written if variable.written in ("day", "month") else "")
    day = float(days_in([end], layout)[0]) if layout else np.nan
    if variable.sort != "date" or np.isnan(day):
        raise InputError(
            f"'{short(variable.name, 60)}' cannot be compared with {short(end, 40)!r}; give a number, or a date "
            f"like 2024-05-31.",
            column=variable.name,
        )
    return day


def conditions_sentence(conditions: Iterable[Condition]) -> Text:
    """The conditions in words, without a full stop: "sex is f and age over 40"."""
    return joined(map(_said, conditions), " and ")


def _said(condition: Condition) -> Text:
    if condition[0] == ANY and not isinstance(condition[1], str):
        return told("({})", joined(map(_said, condition[1:]), " or "))
    column, test = shown_name(condition[0]), condition[1]
    if test in OF_GAPS:
        return told("{} {}", column, test)
    if test in OF_VALUES:
        return told("{} {} {}", column, test, joined(map(shown_value, condition[2]), " or "))
    ends = condition[2] if test == "between" else condition[2][:1] if test == OF_CHOICES else (condition[2],)
    values = (Level(end if isinstance(end, str) else level_text(float(end))) for end in ends)
    return told("{} {} {}", column, test, joined(values, " and "))

"""Every choice about a table checked once, and made plain: each in a sentence where it cannot be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from engine.data.preparing.variables import token_list
from engine.data.reading.headers import clean_text
from engine.data.reading.numbers import level_text
from engine.errors import DataError

KIND_CHOICES = ("nominal", "ordinal", "continuous", "ignore")
MOST_BINS = 50
ROLES = ("group", "outcome", "subject", "time", "weight", "identifier")
READING = ("delimiter", "decimal", "encoding", "header", "skip_rows", "sheet", "missing")


def mapping(given: Any, choice: str) -> Mapping[Any, Any]:
    """A choice by column; `DataError` for anything else."""
    if not isinstance(given, Mapping):
        raise DataError(f"Give '{choice}' by column, as {{'column': choice}}.")
    return given


def once(columns: tuple[Any, ...]) -> tuple[Any, ...]:
    """Columns that are fixed; `DataError` where two have one name."""
    seen: set[str] = set()
    for column in columns:
        if column.name in seen:
            raise DataError(f"A recipe codes '{column.name[:60]}' twice; each column once.", column=column.name)
        seen.add(column.name)
    return columns


def each(given: Any, choice: str, check: Any) -> Any:
    """A choice for all columns, or by column."""
    if isinstance(given, Mapping):
        return {str(name): check(value, f" of '{str(name)[:60]}'") for name, value in given.items()}
    value = check(given, "")
    if isinstance(value, tuple):
        raise DataError(f"Cut points belong to one column: give {choice}={{'column': [...]}}.")
    return value


def all_tokens(given: Any) -> tuple[str, ...] | dict[str, tuple[str, ...]]:
    """Texts that count as missing, for all columns or by column."""
    if isinstance(given, Mapping):
        return {str(name): tuple(token_list(tokens)) for name, tokens in given.items()}
    return tuple(token_list(given))


def roles(given: dict[str, Any]) -> dict[str, str]:
    """Column -> role; but for identifiers a role belongs to one column."""
    for name, role in given.items():
        if role not in ROLES:
            raise DataError(f"The role of '{name[:60]}' is '{role}'; it can be {', '.join(ROLES)}.", column=name)
        others = [other for other in given if other != name and given[other] == role and role != "identifier"]
        if others:
            raise DataError(
                f"'{name[:60]}' and '{others[0][:60]}' both have the role '{role}'; give it to one column.", column=name
            )
    return given


def rows(given: Any) -> dict[str, str]:
    """What becomes of rows as such: so far only of copies."""
    result = {str(about): str(way) for about, way in mapping(given, "rows").items()}
    for kind, way in result.items():
        if (kind, way) not in (("copies", "keep"), ("copies", "once")):
            raise DataError(f"'rows' has '{kind[:40]}': '{way[:40]}'; it can be {{'copies': 'keep'}} or 'once'.")
    return result


def tiers(given: Any) -> tuple[tuple[str, ...], ...]:
    """Columns in the order of time, none of them twice."""
    lists = isinstance(given, Iterable) and not isinstance(given, str | Mapping)
    given = list(given) if lists else [""]
    if any(isinstance(tier, str) or not isinstance(tier, Iterable) for tier in given):
        raise DataError("Give tiers as lists of columns, the earliest first, such as [['age', 'sex'], ['smoking']].")
    result = tuple(tuple(str(name) for name in tier) for tier in given)
    names = [name for tier in result for name in tier]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise DataError(f"'{twice[:60]}' stands in two tiers; put it into one.", column=twice)
    return tuple(tier for tier in result if tier)


def positive(tick: Any) -> float | None:
    """A distance in time, or None."""
    if tick is None:
        return None
    if isinstance(tick, bool) or not isinstance(tick, int | float | np.number) or not 0 <= tick < np.inf:
        raise DataError(f"'tick' is {str(tick)[:40]!r}; it can be a distance in time, 0 for none, or None to find out.")
    return float(tick)


def reading(given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of `engine.read_table`."""
    strange = [name for name in given if name not in READING]
    if strange:
        raise DataError(f"There is no way of reading called '{str(strange[0])[:40]}'; there are {', '.join(READING)}.")
    result = {name: tuple(entry) if isinstance(entry, list) else entry for name, entry in given.items()}
    for name, item in result.items():
        if not all(isinstance(cell, str | int | None) for cell in (item if isinstance(item, tuple) else (item,))):
            raise DataError(f"'{name}' of the way of reading is {str(item)[:40]!r}; it can be a text or a number.")
    return result


def kind(name: str, kind: object) -> str:
    """What a column is used as."""
    if kind == "identifier":
        return "ignore"
    if kind not in KIND_CHOICES:
        raise DataError(f"The kind of '{name[:60]}' is '{kind}'; it can be {', '.join(KIND_CHOICES)}.", column=name)
    return str(kind)


def levels(name: str, given: object) -> tuple[str, ...]:
    """Levels in order, as texts."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise DataError(f"Give the levels of '{name[:60]}' as a list in order.", column=name)
    levels = tuple(
        level_text(float(level)) if isinstance(level, float | np.floating) else clean_text(str(level))
        for level in given
    )
    if len(set(levels)) != len(levels):
        twice = next(level for level in levels if levels.count(level) > 1)
        raise DataError(f"The levels of '{name[:60]}' list '{twice[:40]}' twice; list each once.", column=name)
    if not levels or "" in levels:
        raise DataError(f"The levels of '{name[:60]}' must be one or more texts that are not empty.", column=name)
    return levels


def one_of(value: object, possible: Sequence[str], choice: str, where: str) -> str:
    """One of the possible words."""
    if value not in possible:
        raise DataError(f"'{choice}'{where} is '{value}'; it can be {', '.join(possible)}.")
    return str(value)


def bins(value: object, where: str) -> int | tuple[float, ...]:
    """A number of intervals, or rising cut points."""
    if isinstance(value, bool | str):
        raise DataError(f"'bins'{where} must be a number of intervals or a list of cut points.")
    if isinstance(value, int | np.integer):
        if not 2 <= value <= MOST_BINS:
            raise DataError(f"'bins'{where} is {value}; it can be 2 to {MOST_BINS} intervals.")
        return int(value)
    try:
        cuts = tuple(float(cut) for cut in value)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise DataError(f"'bins'{where} must be a number of intervals or a list of cut points.") from None
    rising = all(low < high for low, high in pairwise(cuts))
    if not cuts or len(cuts) >= MOST_BINS or not rising or not all(map(np.isfinite, cuts)):
        raise DataError(f"The cut points{where} must be 1 to {MOST_BINS - 1} numbers, each larger than the one before.")
    return cuts


def rare(value: object, where: str) -> int:
    """A number of rows."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise DataError(f"'rare'{where} must be a number of rows, 0 or more.")
    return int(value)

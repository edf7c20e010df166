"""The choices a user makes about a table's columns, checked once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from engine.data.preparing.variables import check_known
from engine.data.reading.headers import clean_text
from engine.data.reading.numbers import level_text
from engine.errors import DataError

KIND_CHOICES = ("nominal", "ordinal", "continuous", "ignore")
MISSING_CHOICES = ("drop", "level", "drop_columns")
BINNING_CHOICES = ("quantile", "width")
MOST_BINS = 50


@dataclass(frozen=True)
class FrameChoices:
    """What `prepare` was asked for; see there for the meaning of each field."""

    kinds: Mapping[str, str]
    levels: Mapping[str, tuple[str, ...]]
    missing: str | Mapping[str, str]
    bins: int | Mapping[str, int | tuple[float, ...]]
    binning: str | Mapping[str, str]
    rare: int | Mapping[str, int]
    merge: Mapping[str, Mapping[str, str]]

    @classmethod
    def of(
        cls,
        *,
        kinds: Mapping[str, str] | None = None,
        levels: Mapping[str, Sequence[object]] | None = None,
        missing: str | Mapping[str, str] = "drop",
        bins: int | Mapping[str, int | Sequence[float]] = 3,
        binning: str | Mapping[str, str] = "quantile",
        rare: int | Mapping[str, int] = 0,
        merge: Mapping[str, Mapping[object, object]] | None = None,
    ) -> FrameChoices:
        """The choices with every value checked; `DataError` names the column and what is possible."""
        return cls(
            {str(name): _kind(str(name), kind) for name, kind in (kinds or {}).items()},
            {str(name): _levels(str(name), given) for name, given in (levels or {}).items()},
            _each(missing, "missing", lambda way, where: _one_of(way, MISSING_CHOICES, "missing", where)),
            _each(bins, "bins", _bins),
            _each(binning, "binning", lambda way, where: _one_of(way, BINNING_CHOICES, "binning", where)),
            _each(rare, "rare", _rare),
            {str(name): {str(old): str(new) for old, new in pairs.items()} for name, pairs in (merge or {}).items()},
        )

    def check_names(self, names: Sequence[str]) -> None:
        """`DataError` when a choice is about a column the table does not have."""
        for what in ("kinds", "levels", "missing", "bins", "binning", "rare", "merge"):
            given = getattr(self, what)
            if isinstance(given, Mapping):
                check_known(given, names, what)

    def missing_for(self, name: str) -> str:
        """How missing values of a column are treated."""
        return self.missing if isinstance(self.missing, str) else self.missing.get(name, "drop")

    def bins_for(self, name: str) -> int | tuple[float, ...]:
        """Number of intervals of a column, or its cut points."""
        return self.bins.get(name, 3) if isinstance(self.bins, Mapping) else self.bins

    def binning_for(self, name: str) -> str:
        """How the cut points of a column are found."""
        return self.binning if isinstance(self.binning, str) else self.binning.get(name, "quantile")

    def rare_for(self, name: str) -> int:
        """How many rows a level of a column needs to stand alone."""
        return self.rare.get(name, 0) if isinstance(self.rare, Mapping) else self.rare

    def cuts_given(self, name: str) -> bool:
        """Whether the user gave cut points for a column."""
        return isinstance(self.bins, Mapping) and isinstance(self.bins.get(name), tuple)


def _each(given: Any, what: str, check: Any) -> Any:
    if isinstance(given, Mapping):
        return {str(name): check(value, f" of '{str(name)[:60]}'") for name, value in given.items()}
    value = check(given, "")
    if isinstance(value, tuple):
        raise DataError(f"Cut points belong to one column: give {what}={{'column': [...]}}.")
    return value


def _kind(name: str, kind: object) -> str:
    if kind == "identifier":
        return "ignore"
    if kind not in KIND_CHOICES:
        raise DataError(f"The kind of '{name[:60]}' is '{kind}'; it can be {', '.join(KIND_CHOICES)}.", column=name)
    return str(kind)


def _levels(name: str, given: object) -> tuple[str, ...]:
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


def _one_of(value: object, possible: Sequence[str], what: str, where: str) -> str:
    if value not in possible:
        raise DataError(f"'{what}'{where} is '{value}'; it can be {', '.join(possible)}.")
    return str(value)


def _bins(value: object, where: str) -> int | tuple[float, ...]:
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


def _rare(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise DataError(f"'rare'{where} must be a number of rows, 0 or more.")
    return int(value)

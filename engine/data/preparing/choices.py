"""The choices a user makes about a table's columns, checked once: each in a sentence where it cannot be."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from engine.data.preparing.column_coding import FixedColumn
from engine.data.preparing.conditions import Condition, columns_of
from engine.data.preparing.conditions import checked as checked_conditions
from engine.data.preparing.derived import Way, checked_ways, sources
from engine.data.preparing.detection import LIMIT_CHOICES
from engine.data.preparing.variables import check_known, token_list
from engine.data.reading.headers import clean_text
from engine.data.reading.numbers import level_text
from engine.data.reading.report import plain
from engine.errors import InputError
from engine.words import short

if TYPE_CHECKING:
    from engine.data.preparing.proposals import Proposal

KIND_CHOICES = ("nominal", "ordinal", "continuous", "ignore")
MOST_BINS = 50
LONGEST_UNIT = 40
ROLES = ("group", "outcome", "subject", "time", "weight", "identifier")
READING = (
    *("delimiter", "decimal", "encoding", "header", "skip_rows", "sheet", "missing", "name_rows", "skip_last"),
    "fill_down",
)
MISSING_CHOICES = ("drop", "level", "drop_columns")
BINNING_CHOICES = ("quantile", "width")
BESIDE = {
    "subject": "it says whose row each is",
    "time": "it says when each row was taken",
    "weight": "it says how much each row counts",
    "identifier": "it is an identifier",
}
"""Roles of columns that are stored beside the variables, and why; they are variables only where a kind is chosen."""

_LATER = ("limits", "derive", "where", "tiers", "settled", "written", "rows", "units")
"""Fields that are not written where they are empty, so that what was written before there were any is still equal."""

_LATER_OF_COLUMNS = ("unit", "fine", "fine_means")
"""Fields of a fixed column that are not written where they are empty, for the same reason."""

_NOT_OF_COLUMNS = ("derive", "settled", "rows", "written", "reading")
"""Fields that are mappings of something else than columns of the table."""


def roles_with(roles: Mapping[str, str], names: Collection[str]) -> dict[str, str]:
    """The roles that a data set of these variables has."""
    return {name: role for name, role in roles.items() if name in names or role in BESIDE}


@dataclass(frozen=True)
class FrameChoices:
    """All choices by which a table is prepared; see `engine.Recipe` for the meaning of each field."""

    kinds: Mapping[str, str] = field(default_factory=dict)
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    missing: str | Mapping[str, str] = "drop"
    bins: int | Mapping[str, int | tuple[float, ...]] = 3
    binning: str | Mapping[str, str] = "quantile"
    rare: int | Mapping[str, int] = 0
    merge: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    missing_tokens: tuple[str, ...] | Mapping[str, tuple[str, ...]] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    tick: float | None = None
    limits: Mapping[str, str] = field(default_factory=dict)
    derive: Mapping[str, Way] = field(default_factory=dict)
    where: tuple[Condition, ...] = ()
    tiers: tuple[tuple[str, ...], ...] = ()
    settled: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[str, str] = field(default_factory=dict)
    written: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    reading: Mapping[str, Any] = field(default_factory=dict)
    columns: tuple[FixedColumn, ...] = ()
    units: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Every value checked and made plain; `DataError` names the column and what is possible."""
        checked = {
            "kinds": _by_column(self.kinds, "kinds", _check_kind),
            "levels": _by_column(self.levels, "levels", _levels),
            "missing": _each(self.missing, "missing", _one_of(MISSING_CHOICES, "missing")),
            "bins": _each(self.bins, "bins", _bins),
            "binning": _each(self.binning, "binning", _one_of(BINNING_CHOICES, "binning")),
            "rare": _each(self.rare, "rare", _rare),
            "merge": _by_column(self.merge, "merge", lambda _, pairs: _by_column(pairs, "merge", _text)),
            "missing_tokens": _tokens(self.missing_tokens),
            "roles": _roles(self.roles),
            "tick": _tick(self.tick),
            "limits": _by_column(self.limits, "limits", _limit),
            "derive": checked_ways(_by_column(self.derive, "derive", lambda _, way: way)),
            "where": checked_conditions(self.where or ()),
            "tiers": _tiers(self.tiers or ()),
            "settled": _by_column(self.settled, "settled", _text),
            "rows": _rows(self.rows),
            "written": _by_column(self.written, "written", lambda _, pair: (str(pair[0]), str(pair[1]))),
            "reading": _reading(self.reading or {}),
            "columns": _each_once(tuple(self.columns)),
            "units": _by_column(self.units, "units", _unit),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        whole = self.to_dict()
        whole["columns"] = [{**column, "fine": (), "fine_means": ()} for column in whole["columns"]]  # as they compare
        return hash(json.dumps(whole, sort_keys=True))

    def to_dict(self) -> dict[str, Any]:
        """Every choice as plain dictionaries, lists, texts and numbers, ready for JSON."""
        whole: dict[str, Any] = plain(asdict(self))
        whole["columns"] = [
            {field: value for field, value in column.items() if value or field not in _LATER_OF_COLUMNS}
            for column in whole["columns"]
        ]
        return {argument: value for argument, value in whole.items() if value or argument not in _LATER}

    def given(self) -> dict[str, Any]:
        """The choices that differ from the default, as plain arguments of `Dataset.from_frame`."""
        usual = FrameChoices().to_dict()
        return {
            argument: value
            for argument, value in self.to_dict().items()
            if value != usual.get(argument) and argument not in ("reading", "columns", "written")
        }

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> Self:
        """The choices that `to_dict` wrote.

        Parameters
        ----------
        written : what `to_dict` gave

        Returns
        -------
        equal choices

        Raises
        ------
        DataError : it was not written by `to_dict`
        """
        strange = [name for name in written if name not in cls.__dataclass_fields__]
        if strange:
            raise InputError(
                f"A recipe has no '{short(str(strange[0]), 40)}'; it has {', '.join(cls.__dataclass_fields__)}."
            )
        listed = written.get("columns", ())
        if not isinstance(listed, list | tuple):
            raise InputError("The recipe in this file is damaged: its columns are no list. Save it again.")
        columns = [FixedColumn.from_dict(item) for item in listed]
        return cls(**{**written, "columns": columns})

    @classmethod
    def fitting(cls, proposals: Iterable[Proposal], **chosen: Mapping[str, Any]) -> Self:
        """The choices made column by column, without those that do not fit the kind the column has now.

        Such a choice rests: it counts again when the column gets the kind it fits.

        Parameters
        ----------
        proposals : of the table, made with the same missing tokens
        chosen : argument of this class -> column -> choice
        """
        about = {proposal.column: proposal for proposal in proposals}
        kinds = {name: str(chosen.get("kinds", {}).get(name, item.kind)) for name, item in about.items()}
        worded = {name for name, kind in kinds.items() if kind in ("nominal", "ordinal")}
        tokens = chosen.get("missing_tokens", {})
        fitting: dict[str, Any] = dict(chosen)
        for argument in ("bins", "binning"):
            given = fitting.get(argument, {})
            fitting[argument] = {name: entry for name, entry in given.items() if kinds.get(name) == "continuous"}
        fitting["merge"] = {
            name: {old: new for old, new in pairs.items() if old in about[name].levels}
            for name, pairs in fitting.get("merge", {}).items()
            if name in worded
        }
        fitting["levels"] = {
            name: [level for level in levels if level not in tokens.get(name, ())]
            for name, levels in fitting.get("levels", {}).items()
            if name in worded
        }
        return cls(**{argument: given for argument, given in fitting.items() if given})

    def check_names(self, names: Sequence[str]) -> None:
        """Nothing where every choice is about a column of the table.

        Parameters
        ----------
        names : of the table's columns

        Raises
        ------
        DataError : a choice is about a column that the table does not have
        """
        check_known((name for tier in self.tiers for name in tier), names, "tiers")
        check_known(columns_of(self.where), names, "where")
        for argument in self.__dataclass_fields__:
            given = getattr(self, argument)
            if isinstance(given, Mapping) and argument not in _NOT_OF_COLUMNS:
                check_known(given, names, argument)

    def chosen_for(self, argument: str, name: str) -> Any:
        """A choice, which may be made by column, for one of them.

        Parameters
        ----------
        argument : "missing", "bins", "binning", "rare" or "missing_tokens"
        name : of the column

        Returns
        -------
        what was given for it, or for all; the usual where nothing was
        """
        given = getattr(self, argument)
        return given.get(name, getattr(FrameChoices, argument)) if isinstance(given, Mapping) else given

    def needed_columns(self) -> tuple[str, ...]:
        """Columns that a table needs: those of the levels, those beside the variables, and what others are made of."""
        beside = [name for name, role in self.roles.items() if role in BESIDE]
        made_of = [source for way in self.derive.values() for source in sources(way)]
        wanted = [*(column.name for column in self.columns), *beside, *made_of, *columns_of(self.where)]
        return tuple(name for name in dict.fromkeys(wanted) if name not in self.derive)

    @property
    def copies_once(self) -> bool:
        """True where rows that are copies of another one do not count."""
        return self.rows.get("copies") == "once"

    def with_role(self, role: str) -> str | None:
        """The column that has a role only one can have.

        Parameters
        ----------
        role : such as "group" or "outcome"

        Returns
        -------
        its name, None where none has
        """
        return next((name for name, own in self.roles.items() if own == role), None)

    @property
    def units_known(self) -> dict[str, str]:
        """Unit of each fixed column that has one: what was chosen, else what was found."""
        numbers = (column for column in self.columns if column.unit or column.sort == "number")
        units = {column.name: self.units.get(column.name, column.unit) for column in numbers}
        return {name: unit for name, unit in units.items() if unit}

    def cuts_given(self, name: str) -> bool:
        """True where the user gave cut points for a column.

        Parameters
        ----------
        name : of the column
        """
        return isinstance(self.bins, Mapping) and isinstance(self.bins.get(name), tuple)


def _by_column(given: Any, choice: str, check: Callable[[str, Any], Any]) -> dict[str, Any]:
    """A choice by column, each checked; `DataError` for anything else."""
    if not isinstance(given or {}, Mapping):
        raise InputError(f"Give '{choice}' by column, as {{'column': choice}}.")
    return {str(name): check(str(name), value) for name, value in (given or {}).items()}


def _text(_: str, value: Any) -> str:
    return str(value)


def _unit(name: str, unit: Any) -> str:
    """A unit, "" where the column has none."""
    text = clean_text(str(unit))
    if len(text) > LONGEST_UNIT:
        raise InputError(
            f"The unit of '{short(name, 60)}' has more than {LONGEST_UNIT} letters; shorten it.", column=name
        )
    return text


def _one_of(possible: Sequence[str], choice: str) -> Callable[[Any, str], str]:
    """A check that a value, of some column or of all, is one of the possible words."""

    def check(value: Any, where: str) -> str:
        if value not in possible:
            raise InputError(f"'{choice}'{where} is '{short(str(value), 40)}'; it can be {', '.join(possible)}.")
        return str(value)

    return check


def _each_once(columns: tuple[Any, ...]) -> tuple[Any, ...]:
    """Columns that are fixed; `DataError` where two have one name."""
    seen: set[str] = set()
    for column in columns:
        if column.name in seen:
            raise InputError(f"A recipe codes '{short(column.name, 60)}' twice; each column once.", column=column.name)
        seen.add(column.name)
    return columns


def _each(given: Any, choice: str, check: Callable[[Any, str], Any]) -> Any:
    """A choice for all columns, or by column."""
    if isinstance(given, Mapping):
        return _by_column(given, choice, lambda name, value: check(value, f" of '{short(name, 60)}'"))
    value = check(given, "")
    if isinstance(value, tuple):
        raise InputError(f"Cut points belong to one column: give {choice}={{'column': [...]}}.")
    return value


def _tokens(given: Any) -> tuple[str, ...] | dict[str, tuple[str, ...]]:
    """Texts that count as missing, for all columns or by column."""
    if isinstance(given, Mapping):
        return _by_column(given, "missing_tokens", lambda _, tokens: tuple(token_list(tokens)))
    return tuple(token_list(given))


def _roles(given: Any) -> dict[str, str]:
    """Column -> role; but for identifiers a role belongs to one column."""
    given = _by_column(given, "roles", lambda _, role: role)
    for name, role in given.items():
        if role not in ROLES:
            raise InputError(f"The role of '{short(name, 60)}' is '{role}'; it can be {', '.join(ROLES)}.", column=name)
        others = [other for other in given if other != name and given[other] == role and role != "identifier"]
        if others:
            raise InputError(
                f"'{short(name, 60)}' and '{short(others[0], 60)}' both have the role '{role}'; give it to one column.",
                column=name,
            )
    result: dict[str, str] = given
    return result


def _rows(given: Any) -> dict[str, str]:
    """Choices about rows as such: so far only of copies."""
    result = _by_column(given, "rows", _text)
    for kind, way in result.items():
        if (kind, way) not in (("copies", "keep"), ("copies", "once")):
            raise InputError(
                f"'rows' has '{short(kind, 40)}': '{short(way, 40)}'; it can be {{'copies': 'keep'}} or 'once'."
            )
    return result


def _tiers(given: Any) -> tuple[tuple[str, ...], ...]:
    """Columns in the order of time, none of them twice."""
    lists = isinstance(given, Iterable) and not isinstance(given, str | Mapping)
    given = list(given) if lists else [""]
    if any(isinstance(tier, str) or not isinstance(tier, Iterable) for tier in given):
        raise InputError("Give tiers as lists of columns, the earliest first, such as [['age', 'sex'], ['smoking']].")
    result = tuple(tuple(str(name) for name in tier) for tier in given)
    names = [name for tier in result for name in tier]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"'{short(twice, 60)}' stands in two tiers; put it into one.", column=twice)
    return tuple(tier for tier in result if tier)


def _limit(name: str, way: Any) -> str:
    return _one_of(LIMIT_CHOICES, "limits")(way, f" of '{short(name, 60)}'")


def _tick(tick: Any) -> float | None:
    """A distance in time, or None."""
    if tick is None:
        return None
    if isinstance(tick, bool) or not isinstance(tick, int | float | np.number) or not 0 <= tick < np.inf:
        raise InputError(
            f"'tick' is {short(str(tick), 40)!r}; it can be a distance in time, 0 for none, or None to find out."
        )
    return float(tick)


def _reading(given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of `engine.read_table`."""
    strange = [name for name in given if name not in READING]
    if strange:
        raise InputError(
            f"There is no way of reading called '{short(str(strange[0]), 40)}'; there are {', '.join(READING)}."
        )
    result = {name: tuple(entry) if isinstance(entry, list) else entry for name, entry in given.items()}
    for name, item in result.items():
        if not all(isinstance(cell, str | int | None) for cell in (item if isinstance(item, tuple) else (item,))):
            raise InputError(
                f"'{name}' of the way of reading is {short(str(item), 40)!r}; it can be a text or a number."
            )
    return result


def _check_kind(name: str, kind: object) -> str:
    """The kind that a column is used as."""
    if kind == "identifier":
        return "ignore"
    if kind not in KIND_CHOICES:
        possible = ", ".join(KIND_CHOICES)
        raise InputError(
            f"The kind of '{short(name, 60)}' is '{short(str(kind), 40)}'; it can be {possible}.", column=name
        )
    return str(kind)


def _levels(name: str, given: object) -> tuple[str, ...]:
    """Levels in order, as texts."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f"Give the levels of '{short(name, 60)}' as a list in order.", column=name)
    levels = tuple(
        level_text(float(level)) if isinstance(level, float | np.floating) else clean_text(str(level))
        for level in given
    )
    if len(set(levels)) != len(levels):
        twice = next(level for level in levels if levels.count(level) > 1)
        raise InputError(
            f"The levels of '{short(name, 60)}' list '{short(twice, 40)}' twice; list each once.", column=name
        )
    if not levels or "" in levels:
        raise InputError(
            f"The levels of '{short(name, 60)}' must be one or more texts that are not empty.", column=name
        )
    return levels


def _bins(value: object, where: str) -> int | tuple[float, ...]:
    """A number of intervals, or rising cut points."""
    if isinstance(value, bool | str):
        raise InputError(f"'bins'{where} must be a number of intervals or a list of cut points.")
    if isinstance(value, int | np.integer):
        if not 2 <= value <= MOST_BINS:
            raise InputError(f"'bins'{where} is {short(str(value), 40)}; it can be 2 to {MOST_BINS} intervals.")
        return int(value)
    try:
        cuts = tuple(float(cut) for cut in value)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise InputError(f"'bins'{where} must be a number of intervals or a list of cut points.") from None
    rising = all(low < high for low, high in pairwise(cuts))
    if not cuts or len(cuts) >= MOST_BINS or not rising or not all(map(np.isfinite, cuts)):
        raise InputError(
            f"The cut points{where} must be 1 to {MOST_BINS - 1} numbers, each larger than the one before."
        )
    return cuts


def _rare(value: object, where: str) -> int:
    """A number of rows."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise InputError(f"'rare'{where} must be a number of rows, 0 or more.")
    return int(value)

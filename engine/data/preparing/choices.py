"""The choices a user makes about a table's columns, checked once."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Self

from engine.data.preparing import choice_checks as checks
from engine.data.preparing.column_coding import FixedColumn
from engine.data.preparing.conditions import Condition, columns_of
from engine.data.preparing.conditions import checked as checked_conditions
from engine.data.preparing.derived import Way, checked_ways
from engine.data.preparing.detection import LIMIT_CHOICES
from engine.data.preparing.variables import check_known
from engine.data.reading.report import plain
from engine.errors import DataError

if TYPE_CHECKING:
    from engine.data.preparing.proposals import Proposal

MISSING_CHOICES = ("drop", "level", "drop_columns")
BINNING_CHOICES = ("quantile", "width")
BESIDE = {
    "subject": "it says whose row each is",
    "time": "it says when each row was taken",
    "weight": "it says how much each row counts",
    "identifier": "it is an identifier",
}
"""Roles of columns that are kept beside the variables, and why; they are variables only where a kind is chosen."""

_LATER = ("limits", "derive", "where", "tiers", "settled", "written", "rows")
"""Fields that are not written where they are empty, so that what was written before there were any is still equal."""


def roles_with(roles: Mapping[str, str], names: Collection[str]) -> dict[str, str]:
    """The roles that a data set of these variables has."""
    return {name: role for name, role in roles.items() if name in names or role in BESIDE}


@dataclass(frozen=True)
class FrameChoices:
    """What a table is to be prepared with; see `engine.Recipe` for the meaning of each field."""

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

    def __post_init__(self) -> None:
        """Every value checked and made plain; `DataError` names the column and what is possible."""
        checked = {
            "kinds": {str(name): checks.kind(str(name), kind) for name, kind in (self.kinds or {}).items()},
            "levels": {str(name): checks.levels(str(name), given) for name, given in (self.levels or {}).items()},
            "missing": checks.each(
                self.missing, "missing", lambda way, at: checks.one_of(way, MISSING_CHOICES, "missing", at)
            ),
            "bins": checks.each(self.bins, "bins", checks.bins),
            "binning": checks.each(
                self.binning, "binning", lambda way, at: checks.one_of(way, BINNING_CHOICES, "binning", at)
            ),
            "rare": checks.each(self.rare, "rare", checks.rare),
            "merge": {
                str(name): {str(old): str(new) for old, new in pairs.items()}
                for name, pairs in (self.merge or {}).items()
            },
            "missing_tokens": checks.all_tokens(self.missing_tokens),
            "roles": checks.roles({str(name): role for name, role in (self.roles or {}).items()}),
            "tick": checks.positive(self.tick),
            "limits": {
                str(name): checks.one_of(way, LIMIT_CHOICES, "limits", f" of '{str(name)[:60]}'")
                for name, way in checks.mapping(self.limits or {}, "limits").items()
            },
            "derive": checked_ways(checks.mapping(self.derive or {}, "derive")),
            "where": checked_conditions(self.where or ()),
            "tiers": checks.tiers(self.tiers or ()),
            "settled": {str(key): str(item) for key, item in checks.mapping(self.settled or {}, "settled").items()},
            "rows": checks.rows(self.rows or {}),
            "written": {
                str(name): (str(entry[0]), str(entry[1]))
                for name, entry in checks.mapping(self.written or {}, "written").items()
            },
            "reading": checks.reading(self.reading or {}),
            "columns": checks.once(tuple(self.columns)),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        return hash(json.dumps(self.to_dict(), sort_keys=True))

    def to_dict(self) -> dict[str, Any]:
        """Every choice as plain dictionaries, lists, texts and numbers, ready for JSON."""
        whole: dict[str, Any] = plain(asdict(self))
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
            raise DataError(f"A recipe has no '{str(strange[0])[:40]}'; it has {', '.join(cls.__dataclass_fields__)}.")
        listed = written.get("columns", ())
        if not isinstance(listed, list | tuple):
            raise DataError("The recipe in this file is damaged: its columns are no list. Save it again.")
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
        fitting: dict[str, Any] = {
            argument: dict(given) if isinstance(given, Mapping) else given for argument, given in chosen.items()
        }
        for argument in ("bins", "binning"):
            fitting[argument] = {
                name: entry for name, entry in fitting.get(argument, {}).items() if kinds.get(name) == "continuous"
            }
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
        return cls(**{what: given for what, given in fitting.items() if given})

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
        of_columns = (
            "kinds",
            "levels",
            "missing",
            "bins",
            "binning",
            "rare",
            "merge",
            "missing_tokens",
            "roles",
            "limits",
        )
        for argument in of_columns:
            given = getattr(self, argument)
            if isinstance(given, Mapping):
                check_known(given, names, argument)

    def missing_for(self, name: str) -> str:
        """How missing values of a column are treated.

        Parameters
        ----------
        name : of the column

        Returns
        -------
        the treatment given for it, or for all
        """
        return self.missing if isinstance(self.missing, str) else self.missing.get(name, "drop")

    def bins_for(self, name: str) -> int | tuple[float, ...]:
        """Number of intervals of a column, or its cut points.

        Parameters
        ----------
        name : of the column

        Returns
        -------
        what was given for it, or for all
        """
        return self.bins.get(name, 3) if isinstance(self.bins, Mapping) else self.bins

    def binning_for(self, name: str) -> str:
        """How the cut points of a column are found.

        Parameters
        ----------
        name : of the column

        Returns
        -------
        the rule given for it, or for all
        """
        return self.binning if isinstance(self.binning, str) else self.binning.get(name, "quantile")

    def rare_for(self, name: str) -> int:
        """How many rows a level of a column needs to stand alone.

        Parameters
        ----------
        name : of the column

        Returns
        -------
        the number given for it, or for all
        """
        return self.rare.get(name, 0) if isinstance(self.rare, Mapping) else self.rare

    def tokens_for(self, name: str) -> tuple[str, ...]:
        """Texts of a column that count as missing.

        Parameters
        ----------
        name : of the column

        Returns
        -------
        those given for it, or for all
        """
        tokens = self.missing_tokens
        return tuple(tokens.get(name, ())) if isinstance(tokens, Mapping) else tokens

    @property
    def copies_once(self) -> bool:
        """Whether rows that are copies of another one do not count."""
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
        return next((name for name, role_value in self.roles.items() if role_value == role), None)

    def cuts_given(self, name: str) -> bool:
        """Whether the user gave cut points for a column.

        Parameters
        ----------
        name : of the column
        """
        return isinstance(self.bins, Mapping) and isinstance(self.bins.get(name), tuple)

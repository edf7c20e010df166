"""What every answer rests on, in numbers: where it comes from, and the claims that it makes.

The evidence of a method is a frozen value below `Evidence`; `engine.telling` says it in words, a `Result` joins both.
"""

from __future__ import annotations

import math
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from engine.counting.requests import level_counts
from engine.data.dataset import Dataset, Schema, recipe_of
from engine.data.notes import row_notes
from engine.methods.fitting import check_counts, check_levels, check_names
from engine.methods.storing import storable_as


@dataclass(frozen=True, eq=False)
class RunRecord:
    """Record of what an answer was computed from and with; nothing of it changes a figure.

    Attributes
    ----------
    rows_used, rows_given : rows of the data set, and of the table it was made of
    versions : of what computed it
    schema : what the recipe is worked out of when somebody asks, since most answers are only looked at
    written : the recipe of an answer that was read from a file
    rows : sentences on rows that may belong together and on rows that were left out, for every answer's notes
    margins : variable -> level -> rows, which a reader may know of the table; empty of rows that are not in memory
    """

    rows_used: int
    rows_given: int
    versions: Mapping[str, str]
    schema: Schema | None = None
    written: Mapping[str, Any] = field(default_factory=dict)
    rows: tuple[str, ...] = ()
    margins: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Dataset, group: str | None = None, labels: tuple[str, ...] = ()) -> RunRecord:
        """The facts of a run on these data, here and now; of `group` the levels `labels` are compared."""
        given = data.report.rows_read if data.report is not None else data.n_rows
        schema = data.schema if data.made_by is not None else None
        counts = level_counts(data) if data.in_memory else ()
        margins = {
            name: dict(zip(data.levels[name], own.tolist(), strict=True))
            for name, own in zip(data.names, counts, strict=False)
        }
        return cls(data.n_rows, given, _versions(), schema, rows=row_notes(data, group, labels), margins=margins)

    @cached_property
    def recipe(self) -> Mapping[str, Any]:
        """Every choice from the table to the codes; empty where the codes came ready."""
        return self.written if self.schema is None else recipe_of(self.schema).to_dict()


storable_as(
    RunRecord,
    lambda record: {
        name: getattr(record, name) for name in ("rows_used", "rows_given", "versions", "recipe", "rows", "margins")
    },
    lambda rows_used, rows_given, versions, recipe, rows=(), margins=MappingProxyType({}): RunRecord(
        rows_used, rows_given, versions, written=recipe, rows=tuple(rows), margins=margins
    ),
)


@dataclass(frozen=True)
class Provenance:
    """Everything needed to get an answer again.

    Attributes
    ----------
    fingerprint : of the data set
    rows_used, rows_given : rows of the data set, and of the table it was made of
    recipe : every choice from the table to the codes
    settings : of the method;  seed : of what is random in it
    versions : of what computed it
    """

    fingerprint: str
    rows_used: int
    rows_given: int
    recipe: Mapping[str, Any]
    settings: Mapping[str, Any]
    seed: int
    versions: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)


@cache
def _versions() -> Mapping[str, str]:
    result = {}
    for name in ("diptych", "numpy", "scipy", "numba"):
        try:
            result[name] = version(name)
        except PackageNotFoundError:  # run from a source tree that nobody installed
            result[name] = "unknown"
    return {**result, "python": platform.python_version()}


EDGES = ("network", "source", "target", "mark", "status", "strength", "probability", "sign")
"""Columns of `Result.edges`."""


class Verdict(StrEnum):
    """The three states of a claim: carried, its opposite carried, neither."""

    YES = "yes"
    NO = "no"
    CANNOT_TELL = "cannot tell"


YES, NO, CANNOT_TELL = Verdict


class Claim(NamedTuple):
    """One row of `Result.claims`; not a number where a method does not give it."""

    about: str
    kind: str
    verdict: Verdict
    log_bayes_factor: float = math.nan
    probability: float = math.nan
    chance: float = math.nan
    effect: float = math.nan
    low: float = math.nan
    high: float = math.nan
    n: int = 0


CLAIMS = Claim._fields
"""Columns of `Result.claims`."""


@dataclass(frozen=True, eq=False, repr=False)
class Evidence:
    """Base of what the methods find, in numbers only; a subclass is a frozen dataclass with fields of its own.

    Attributes
    ----------
    method : the settings
    names : the variables, in column order
    fingerprint : of the data set
    made : what it was computed from and with
    """

    method: Any
    names: tuple[str, ...]
    fingerprint: str
    made: RunRecord

    @classmethod
    def from_evidence(cls, evidence: Evidence) -> Self:
        """The same evidence as this kind of it; what a result is made of.

        Parameters
        ----------
        evidence : with all the fields of this class
        """
        return cls(**{declared.name: getattr(evidence, declared.name) for declared in fields(cls)})

    def _check_read(self) -> None:
        """Nothing where what a file holds fits together, `DataError` elsewhere; a subclass looks at its own parts."""
        check_names(self.names)
        check_counts(self.made.rows_used, self.made.rows_given, getattr(self, "n_rows", 0))
        levels = getattr(self, "levels", None)
        if isinstance(levels, Mapping):
            check_levels(self.names, levels)

"""Where an answer comes from: rows, recipe, settings, seed and versions."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from engine.data.dataset import Schema, recipe_of
from engine.data.rows.notes import row_notes
from engine.methods.storing import storable_as

if TYPE_CHECKING:
    from engine.data.dataset import Dataset


@dataclass(frozen=True, eq=False)
class RunRecord:
    """What an answer was computed from and with; nothing of it changes a figure.

    Attributes
    ----------
    rows_used, rows_given : rows of the data set, and of the table it was made of
    versions : of what computed it
    schema : what the recipe is worked out of when somebody asks, since most answers are only looked at
    written : the recipe of an answer that was read from a file
    rows : sentences on rows that may belong together and on rows that were left out, for every answer's notes
    """

    rows_used: int
    rows_given: int
    versions: Mapping[str, str]
    schema: Schema | None = None
    written: Mapping[str, Any] = field(default_factory=dict)
    rows: tuple[str, ...] = ()

    @classmethod
    def of(cls, data: Dataset, group: str | None = None, labels: tuple[str, ...] = ()) -> RunRecord:
        """The facts of a run on these data, here and now; of `group` the levels `labels` are compared."""
        given = data.report.rows_read if data.report is not None else data.n_rows
        schema = data.schema if data.made_by is not None else None
        return cls(data.n_rows, given, _versions(), schema, rows=row_notes(data, group, labels))

    @cached_property
    def recipe(self) -> Mapping[str, Any]:
        """Every choice from the table to the codes; empty where the codes came ready."""
        return self.written if self.schema is None else recipe_of(self.schema).to_dict()


storable_as(
    RunRecord,
    lambda record: {name: getattr(record, name) for name in ("rows_used", "rows_given", "versions", "recipe", "rows")},
    lambda rows_used, rows_given, versions, recipe, rows=(): RunRecord(
        rows_used, rows_given, versions, written=recipe, rows=tuple(rows)
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

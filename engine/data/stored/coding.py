"""A table coded part by part, by a recipe with nothing left to find out; what is to be told of it adds up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.data.preparing.choices import BESIDE, FrameChoices
from engine.data.preparing.column_coding import UNKNOWN, Coding
from engine.data.preparing.conditions import columns_of, conditions_sentence, weigh
from engine.data.preparing.derived import sources
from engine.data.preparing.prepare import fixed_codes
from engine.data.preparing.report import ColumnReport, ImportReport
from engine.data.preparing.shaping import shape_columns
from engine.data.preparing.variables import column_names
from engine.data.store import code_type
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

_STRANGE = 10_000
"""Different values without a level that are remembered of a column."""

_ROW_BY_ROW = ("subject", "time")


@dataclass
class Tally:
    """What is to be told of some rows; two add up with `+`.

    Attributes
    ----------
    names : the columns that the table has
    read, kept, outside, untold : rows; `outside` are those that the filter leaves out, `untold` among them those of
        which it cannot be told
    counts : per column of the recipe (levels,) rows that are kept
    unknown, lacking : per column of the recipe: rows without a code, cells without a value
    strange : per column of the recipe value without a level -> cells
    """

    names: tuple[str, ...] = ()
    read: int = 0
    kept: int = 0
    outside: int = 0
    untold: int = 0
    counts: list[np.ndarray] = field(default_factory=list)
    unknown: list[int] = field(default_factory=list)
    lacking: list[int] = field(default_factory=list)
    strange: list[dict[str, int]] = field(default_factory=list)

    def __add__(self, other: Tally) -> Tally:
        if not self.counts or not other.counts:
            return other if other.counts else self
        return Tally(
            tuple(dict.fromkeys((*self.names, *other.names))),
            self.read + other.read,
            self.kept + other.kept,
            self.outside + other.outside,
            self.untold + other.untold,
            [count + two for count, two in zip(self.counts, other.counts, strict=True)],
            [item + two for item, two in zip(self.unknown, other.unknown, strict=True)],
            [entry + two for entry, two in zip(self.lacking, other.lacking, strict=True)],
            [_joined(element, two) for element, two in zip(self.strange, other.strange, strict=True)],
        )


def _joined(item: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    whole = dict(item)
    for text, cells in other.items():
        if text in whole or len(whole) < _STRANGE:
            whole[text] = whole.get(text, 0) + cells
    return whole


def frozen(recipe: Any) -> None:
    """Refuse what cannot code a part of a table without having seen the whole."""
    if not isinstance(recipe, FrameChoices):
        raise DataError(f"recipe is a {type(recipe).__name__}; give an engine.Recipe whose levels are fixed.")
    if not recipe.columns:
        raise DataError(
            "This recipe has no levels yet, and a part of a table does not tell them: apply it to a sample of the "
            "rows, and give the `recipe` of what comes out."
        )
    late = [name for name, role in recipe.roles.items() if role in _ROW_BY_ROW]
    if late:
        raise DataError(
            f"'{late[0][:60]}' says which rows follow each other ({recipe.roles[late[0]]}), but here rows are only "
            "counted; read the table into memory, or make the recipe without this role.",
            column=late[0],
        )
    beside_rows = recipe.with_role("weight")
    if beside_rows is not None:
        raise DataError(
            f"'{beside_rows[:60]}' says how often each row counts (weight), but here each counts once; read the table "
            "into memory, or make the recipe without this role.",
            column=beside_rows,
        )
    if recipe.copies_once:
        raise DataError(
            "The recipe counts copies of a row once, which takes all rows at once; read the table into memory, or make "
            "the recipe without that."
        )


def no_row_left(report: ImportReport, what: str) -> DataError:
    """The refusal of a table of which no row is left."""
    if not report.rows_read:
        return DataError(f"The {what} has no rows, so there is nothing to count.")
    if report.rows_outside == report.rows_read:
        return DataError(f"No row of the {what} is one of those where {report.where}, so none is left.")
    words = " ".join(report.problems[:3]) or "Every row lacks a value."
    return DataError(f"No row of the {what} is known whole, so none is left. {words}")


class Coder:
    """Codes parts of a table, one after the other.

    Parameters
    ----------
    recipe : see `frozen`

    Attributes
    ----------
    arity : (p,) number of levels of each column of the recipe
    tally : what is to be told of the parts so far
    """

    def __init__(self, recipe: FrameChoices) -> None:
        frozen(recipe)
        self.recipe = recipe
        self.arity = np.array([len(column.levels) for column in recipe.columns], dtype=np.int64)
        self.tally = Tally()

    def columns(self) -> tuple[str, ...]:
        """The columns that a table must have."""
        recipe = self.recipe
        beside = [name for name, role in recipe.roles.items() if role in BESIDE]
        made_of = [source for way in recipe.derive.values() for source in sources(way)]
        wanted = [*(column.name for column in recipe.columns), *beside, *made_of, *columns_of(recipe.where)]
        return tuple(name for name in dict.fromkeys(wanted) if name not in recipe.derive)

    def check(self, names: Iterable[str]) -> None:
        """Refuse a table that lacks a column."""
        absent = [name for name in self.columns() if name not in set(names)]
        if absent:
            raise DataError(
                f"The table has no column '{absent[0][:60]}', which the recipe needs. Add it, or leave it out of it.",
                column=absent[0],
            )

    def code(self, frame: pd.DataFrame) -> np.ndarray:
        """The rows of a part that are known whole."""
        nothing = [Coding(np.zeros(0, dtype=np.int64))] * len(self.recipe.columns)
        if hasattr(frame, "columns") and not len(frame):
            return self.take([str(name) for name in frame.columns], nothing, np.ones(0, bool), np.ones(0, bool))
        names, recipe = column_names(frame), self.recipe
        self.check(names)
        inside = told = np.ones(len(frame), bool)
        if recipe.where:
            inside, told = weigh(recipe.where, shape_columns(frame, recipe, columns_of(recipe.where)), len(frame))
        if not inside.any():
            return self.take(names, nothing, inside, told)
        part = frame[inside] if recipe.where else frame
        return self.take(names, [code for code in fixed_codes(part, recipe)[0] if code is not None], inside, told)

    def take(self, names: Iterable[str], codings: list[Coding], inside: np.ndarray, told: np.ndarray) -> np.ndarray:
        """The rows of a part that are known whole, whose columns have been coded."""
        rows = np.ones(int(inside.sum()), bool)
        for coding in codings:
            rows &= coding.codes != UNKNOWN
        whole = bool(rows.all())
        codes = np.empty((len(codings), int(rows.sum())), dtype=code_type(self.arity))
        for line, coding in zip(codes, codings, strict=True):
            line[:] = coding.codes if whole else coding.codes[rows]
        self.tally += self._tallied(names, codings, codes, inside, told)
        return codes

    def _tallied(
        self, names: Iterable[str], codings: list[Coding], codes: np.ndarray, inside: np.ndarray, told: np.ndarray
    ) -> Tally:
        return Tally(
            tuple(names),
            len(inside),
            codes.shape[1],
            int((~inside).sum()),
            int((~told).sum()),
            [np.bincount(line, minlength=int(r)) for line, r in zip(codes, self.arity, strict=True)],
            [int((coding.codes == UNKNOWN).sum()) for coding in codings],
            [coding.lacking for coding in codings],
            [dict(list(coding.strange.items())[:_STRANGE]) for coding in codings],
        )

    def report(self, tallies: Iterable[Tally] | None = None, reading: Mapping[str, Any] | None = None) -> ImportReport:
        """The import report of all parts."""
        tally = self.tally if tallies is None else sum(tallies, Tally())
        columns = self.recipe.columns
        places = {column.name: i for i, column in enumerate(columns)}
        reports, words = [], []
        for name in dict.fromkeys((*tally.names, *places)):
            if name not in places:
                reports.append(ColumnReport(name, "ignore", "the recipe does not use it", True))
                continue
            i = places[name]
            item = columns[i]
            seen = tuple(int(n) for n in tally.counts[i]) if tally.counts else (0,) * len(item.levels)
            lacking = tally.lacking[i] if tally.lacking else 0
            reports.append(
                ColumnReport(name, item.kind, "coded by a recipe", True, item.levels, seen, item.cuts, lacking)
            )
        for item, strange in zip(columns, tally.strange, strict=False):
            if strange:
                words.append(Coding(np.zeros(0, np.int64), strange).sentence(item))
        return ImportReport(
            tally.read,
            tally.kept,
            {column_value.name: many for column_value, many in zip(columns, tally.unknown, strict=False) if many},
            tuple(reports),
            tuple(words),
            (),
            reading,
            tally.outside,
            tally.untold,
            conditions_sentence(self.recipe.where),
        )

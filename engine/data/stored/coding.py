"""A table coded part by part, by a recipe with nothing left to find out; what is to be told of it adds up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.data.fine_codes import fine_bits
from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.column_coding import FINE_BITS, UNKNOWN, Coding
from engine.data.preparing.conditions import columns_of, conditions_sentence, weigh
from engine.data.preparing.prepare import fixed_codes, fixed_reports
from engine.data.preparing.report import ImportReport
from engine.data.preparing.shaping import shape_columns
from engine.data.preparing.variables import column_names
from engine.data.store import code_type
from engine.errors import DataError, InputError
from engine.lazy import pd
from engine.words import short

_STRANGE = 10_000
"""Different values without a level that are remembered of a column."""


@dataclass
class ColumnTally:
    """Counts of some cells of a column of the recipe, to be told; two add up with `+`.

    Attributes
    ----------
    counts : (levels,) rows that are kept
    unknown, lacking : rows without a code, cells without a value
    strange : value without a level -> cells
    """

    counts: np.ndarray
    unknown: int = 0
    lacking: int = 0
    strange: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: ColumnTally) -> ColumnTally:
        strange = dict(self.strange)
        for text, cells in other.strange.items():
            if text in strange or len(strange) < _STRANGE:
                strange[text] = strange.get(text, 0) + cells
        unknown, lacking = self.unknown + other.unknown, self.lacking + other.lacking
        return ColumnTally(self.counts + other.counts, unknown, lacking, strange)


@dataclass
class Tally:
    """Counts of some rows, to be told; two add up with `+`.

    Attributes
    ----------
    names : the columns that the table has
    columns : those of the recipe
    read, kept, outside, untold : rows; `outside` are those that the filter leaves out, `untold` among them those of
        which it cannot be told
    """

    names: tuple[str, ...]
    columns: list[ColumnTally]
    read: int = 0
    kept: int = 0
    outside: int = 0
    untold: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            tuple(dict.fromkeys((*self.names, *other.names))),
            [column + more for column, more in zip(self.columns, other.columns, strict=True)],
            self.read + other.read,
            self.kept + other.kept,
            self.outside + other.outside,
            self.untold + other.untold,
        )


def frozen(recipe: Any) -> None:
    """Refuse what cannot code a part of a table without having seen the whole."""
    if not isinstance(recipe, FrameChoices):
        raise InputError(f"recipe is a {type(recipe).__name__}; give an engine.Recipe whose levels are fixed.")
    if not recipe.columns:
        raise InputError(
            "This recipe has no levels yet, and a part of a table does not tell them: apply it to a sample of the "
            "rows, and give the `recipe` of what comes out."
        )
    check_streamed(recipe)


_IN_MEMORY = "read the table into memory, or make the recipe without this role."


def check_streamed(recipe: FrameChoices) -> None:
    """Refuse choices that take all rows at once."""
    _refuse_role(recipe, "time", "says which rows follow each other (time), but here rows are only counted", _IN_MEMORY)
    _refuse_role(recipe, "weight", "says how often each row counts (weight), but here each counts once", _IN_MEMORY)
    if recipe.copies_once:
        raise InputError(
            "The recipe counts copies of a row once, which takes all rows at once; read the table into memory, or make "
            "the recipe without that."
        )


def check_no_subject(recipe: FrameChoices, remedy: str) -> None:
    """Refuse a recipe that says which rows belong together, where nobody keeps that beside the rows."""
    why = "says which rows belong together (subject), but here rows are only counted"
    _refuse_role(recipe, "subject", why, remedy)


def _refuse_role(recipe: FrameChoices, role: str, why: str, remedy: str) -> None:
    """Refuse a recipe in which a column has this role."""
    column = recipe.with_role(role)
    if column is not None:
        raise InputError(f"'{short(column, 60)}' {why}; {remedy}", column=column)


def no_row_left(report: ImportReport, what: str) -> DataError:
    """The refusal of a table of which no row is left."""
    if not report.rows_read:
        return InputError(f"The {what} has no rows, so there is nothing to count.")
    if report.rows_outside == report.rows_read:
        return InputError(f"No row of the {what} is one of those where {report.where}, so none is left.")
    words = " ".join(report.problems[:3]) or "Every row lacks a value."
    return InputError(f"No row of the {what} is known whole, so none is left. {words}")


class Coder:
    """Codes parts of a table, one after the other.

    Parameters
    ----------
    recipe : see `frozen`

    Attributes
    ----------
    arity : (p,) number of levels of each column of the recipe
    stored : (p + b,) the same, and of the bits of the numbers' fine codes after them
    tally : what is to be told of the parts so far
    used : (n,) which rows of the last part are known whole
    """

    def __init__(self, recipe: FrameChoices) -> None:
        frozen(recipe)
        self.recipe = recipe
        self.arity = np.array([len(column.levels) for column in recipe.columns], dtype=np.int64)
        self._fine = [place for place, column in enumerate(recipe.columns) if column.fine_means]
        self.stored = np.append(self.arity, np.full(FINE_BITS * len(self._fine), 2))
        self.used = np.zeros(0, dtype=bool)
        self.tally = Tally((), [ColumnTally(np.zeros(levels, dtype=np.int64)) for levels in self.arity.tolist()])

    def check(self, names: Iterable[str]) -> None:
        """Refuse a table that lacks a column."""
        absent = [name for name in self.recipe.needed_columns() if name not in set(names)]
        if absent:
            raise InputError(
                f"The table has no column '{short(absent[0], 60)}', which the recipe needs. Add it, or leave it out "
                f"of it.",
                column=absent[0],
            )

    def code(self, frame: pd.DataFrame) -> np.ndarray:
        """The rows of a part that are known whole, (p + b, m), after their codes the bits of their fine codes."""
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
        self.used = inside.copy()
        self.used[inside] = rows
        whole = bool(rows.all())
        codes = np.empty((len(self.stored), int(rows.sum())), dtype=code_type(self.arity))
        for line, coding in zip(codes, codings, strict=False):
            line[:] = coding.codes if whole else coding.codes[rows]
        for lines, place in zip(np.split(codes[len(codings) :], len(self._fine) or 1), self._fine, strict=False):
            if rows.any() and (numbers := codings[place].numbers) is not None:
                places = numbers.places if whole else numbers.places[rows]
                lines[:] = fine_bits(self.recipe.columns[place], numbers.values, places)
        columns = [
            ColumnTally(
                np.bincount(line, minlength=levels),
                int((coding.codes == UNKNOWN).sum()),
                coding.lacking,
                coding.strange,
            )
            for line, levels, coding in zip(codes, self.arity.tolist(), codings, strict=False)
        ]
        outside, untold = int((~inside).sum()), int((~told).sum())
        self.tally += Tally(tuple(names), columns, len(inside), codes.shape[1], outside, untold)
        return codes

    def report(self, tallies: Iterable[Tally] = (), reading: Mapping[str, Any] | None = None) -> ImportReport:
        """The import report of all parts, those of other coders with their tallies."""
        tally = sum(tallies, self.tally)
        by_name = {item.name: (item, seen) for item, seen in zip(self.recipe.columns, tally.columns, strict=True)}
        columns = [(item, seen.counts.tolist(), seen.lacking) for item, seen in by_name.values()]
        strange = [(item, seen.strange) for item, seen in by_name.values() if seen.strange]
        return ImportReport(
            tally.read,
            tally.kept,
            {name: seen.unknown for name, (_, seen) in by_name.items() if seen.unknown},
            fixed_reports(tally.names, columns),
            tuple(Coding(np.zeros(0, np.int64), cells).sentence(item) for item, cells in strange),
            (),
            reading,
            tally.outside,
            tally.untold,
            conditions_sentence(self.recipe.where),
        )

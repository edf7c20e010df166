"""The table every method works on, and the recipe that makes it: each names the other, so they share a file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from engine.data.preparing.choices import FrameChoices, roles_with
from engine.data.preparing.column_coding import UNKNOWN, FixedColumn
from engine.data.preparing.deciding.cards import questions
from engine.data.preparing.deciding.odd_words import left_out_numbers
from engine.data.preparing.deciding.table_view import view_table
from engine.data.preparing.prepare import Prepared, fixed_codes, prepared, reapply
from engine.data.preparing.wording import choice_steps
from engine.data.reading.limits import Limits
from engine.data.reading.read import Source, read_table, source_bytes
from engine.data.rows.table_shape import odd_shape
from engine.data.stored.csv_file import CsvFile
from engine.data.stored.parquet import ParquetFiles
from engine.data.stored.sources import RowSource
from engine.data.stored.streaming import fix, missing_tokens
from engine.data.streamed_table import StreamedTable
from engine.errors import InputError, Retold
from engine.execution import Progress, as_progress, silent
from engine.lazy import pd
from engine.words import short

RECIPE_FORMAT = "diptych recipe 1"
_MOST_RECIPE = 20_000_000
"""Bytes of a file that holds a recipe: a thousand columns of a thousand levels need less."""


@dataclass(frozen=True, eq=False, repr=False)
class Dataset(StreamedTable):
    """A complete table of discrete variables.

    Make one with `Dataset.from_frame` (a pandas table), `Recipe.apply` (the same, with choices that are kept) or
    `Dataset.from_codes` (codes that are ready); the fields are as those leave them and are never changed afterwards.
    It has a pandas table's manners: `len(data)`, `data["age"]`, `data.shape`, `data.head()`.

    Attributes
    ----------
    names : p variable names, in column order
    levels : name -> its level names, in order; also levels that no row has
    kinds : name -> "nominal", "ordinal" or "continuous" (cut into intervals)
    store : where the rows are; ask `codes`, (p, n) unsigned and read-only: `codes[i, row]` indexes `levels[names[i]]`
    cuts : name -> the cut points of a continuous variable
    report : how a file became this, or None
    origin : (n,) number from 0 of the row of the table that each row came from, sliced with the codes; none while the
        rows are not in memory, and of those that `rows` takes then their place among the rows that are kept
    roles : name -> "group", "outcome", "subject", "time", "weight" or "identifier"; the last four need be no variables
    steps : subject and step of each row where the roles name a subject, else None (see `engine.data.series`)
    made_by : the choices it was made with, None for codes that were ready; ask `recipe`
    numbers : name -> the numbers behind the intervals of a continuous variable, for a method that cuts them again
    part_of : fingerprint of the data set that this is rows or variables of, "" where it is whole; ask `whole`
    split_by : column, level, and fingerprint of the whole, where `split` took the rows; else None
    context : what the table tells of its rows beside the codes, None for codes that were ready; ask `relations`
    subjects : which rows belong together where they are only counted, else None; in memory `steps` says so
    units : name -> the unit of its numbers, where it is known
    fine : the numbers of rows that are only counted, as fine codes (see `engine.data.fine_codes`), None elsewhere

    Examples
    --------
    >>> import engine, pandas
    >>> table = pandas.DataFrame({"smoker": ["yes", "no", "no"] * 4, "cough": ["often", "never", "often"] * 4})
    >>> engine.Dataset.from_frame(table)
    Dataset(12 rows, 2 variables: smoker, cough)
    """

    @classmethod
    def from_frame(cls, table: pd.DataFrame, **choices: Any) -> Dataset:
        """Turn a pandas table into codes; `Dataset.report` says what was decided and why.

        Parameters
        ----------
        table : any pandas table; one from `engine.read_table` brings its reading report along
        choices : those of `engine.Recipe`: kinds, levels, missing, bins, binning, rare, merge, missing_tokens, roles

        Returns
        -------
        Dataset

        Raises
        ------
        DataError : a choice that does not fit the table; no column or no row left; each with the remedy

        Examples
        --------
        >>> import engine, pandas
        >>> table = pandas.DataFrame({"age": [31, 45, 52, 38, 60, 71, 29, 44], "ill": [0, 1] * 4})
        >>> data = engine.Dataset.from_frame(table, kinds={"age": "continuous"}, bins={"age": [40, 60]})
        >>> data.levels["age"]
        ('below 40', '40 to 59', '60 and above')
        """
        return Recipe(**choices).apply(table)

    def values(self, name: str) -> np.ndarray:
        """The numbers of a variable that is one, as they stood in the table; of dates days since 1970.

        Parameters
        ----------
        name : of a continuous variable

        Returns
        -------
        (n,) float, NaN where a row has none

        Raises
        ------
        DataError : no variable has that name, it has levels only, or the rows are only counted

        Examples
        --------
        >>> import engine, pandas
        >>> table = pandas.DataFrame({"age": [31, 45, 52, 38], "ill": [0, 1] * 2})
        >>> engine.Dataset.from_frame(table, kinds={"age": "continuous"}).values("age").tolist()
        [31.0, 45.0, 52.0, 38.0]
        """
        self.index(name)
        if name in self.numbers:
            return self.numbers[name].column
        if self.kinds[name] != "continuous":
            raise InputError(
                f"'{short(name, 60)}' is {self.kinds[name]}, so it has levels and no numbers; ask `column` for "
                f"their codes, "
                "or prepare the table with kinds={...: 'continuous'}.",
                column=name,
            )
        raise InputError(
            f"The numbers of '{short(name, 60)}' are not kept, since its rows are only counted, or its codes came "
            "ready. Read some rows of the table into memory: data.recipe.apply(rows of the table).",
            column=name,
        )

    @cached_property
    def recipe(self) -> Recipe:
        """The choices that made this, with cut points, levels and merges fixed: it codes new rows like the old ones."""
        recipe, fine = recipe_of(self.schema), []
        known = {column.name: column for column in (self.made_by.columns if self.made_by is not None else ())}
        for column in recipe.columns:
            numbers, was = self.numbers.get(column.name), known.get(column.name)
            if was is not None and was.fine_means:
                column = replace(column, fine=was.fine, fine_means=was.fine_means)
            elif numbers is not None:
                counts = np.bincount(numbers.places, minlength=len(numbers.values))
                column = column.with_fine(numbers.values[:-1], counts[:-1])
            fine.append(column)
        return replace(recipe, columns=tuple(fine))

    @property
    def tiers(self) -> tuple[tuple[str, ...], ...]:
        """Groups of its variables in the order of time, the earliest first, as the recipe has them."""
        given = self.made_by.tiers if self.made_by is not None else ()
        tiers = (tuple(name for name in tier if name in self.names) for tier in given)
        return tuple(tier for tier in tiers if tier)

    @property
    def schema(self) -> Schema:
        """All but the codes; it costs nothing, and the recipe can be worked out of it later."""
        return Schema(self.names, self.levels, self.kinds, self.cuts, self.roles, self.made_by, self.units)


class Schema(NamedTuple):
    """Description of a data set's variables, as its own fields."""

    names: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, str]
    cuts: Mapping[str, tuple[float, ...]]
    roles: Mapping[str, str]
    made_by: FrameChoices | None
    units: Mapping[str, str] = {}


def recipe_of(schema: Schema) -> Recipe:
    """The choices that made a data set of this schema, fixed; see `Dataset.recipe`."""
    choices = schema.made_by if schema.made_by is not None else FrameChoices(kinds=schema.kinds, roles=schema.roles)
    known = {column.name: column for column in choices.columns}
    columns = tuple(_fixed(schema, name, known.get(name)) for name in schema.names)
    fields = {name: getattr(choices, name) for name in FrameChoices.__dataclass_fields__}
    return Recipe(**{**fields, "columns": columns, "roles": schema.roles})


def _fixed(schema: Schema, name: str, was: FixedColumn | None) -> FixedColumn:
    """The rule of one column as this part of the table has it: it may have fewer levels than the whole."""
    levels, kind, cuts = schema.levels[name], schema.kinds[name], schema.cuts.get(name, ())
    if was is not None:
        # fine cells are of no use in an answer, and tell of few rows each
        return replace(was, levels=levels, kind=kind, unit=schema.units.get(name, ""), fine=(), fine_means=())
    intervals = levels if cuts and len(levels) == len(cuts) + 1 else ()
    sort = "number" if intervals else "words"
    return FixedColumn(name, kind, levels, cuts, intervals, sort=sort, unit=schema.units.get(name, ""))


@dataclass(frozen=True)
class Recipe(FrameChoices):
    """Every choice from a file to codes, as a value that can be compared, saved and applied again.

    Parameters
    ----------
    kinds : column -> "nominal", "ordinal", "continuous", "ignore" (or "identifier"); proposed where left out
    levels : column -> its levels in order; may list levels that no row has, must list all that rows have
    missing : "drop" (rows that lack a value of a kept column), "level" (missing is a level of its own) or
        "drop_columns" (columns that lack a value are left out); or column -> one of these
    bins : number of intervals of continuous columns; or column -> a number or the cut points themselves. By
        quantiles a value that a quarter of the rows have is a level of its own, and so is each of five values or fewer
    binning : "quantile" (equally many rows) or "width" (equally wide); or column -> one of these
    rare : levels with fewer rows are merged, nominal ones into "other", ordinal ones into a neighbour;
        0 merges none; or column -> number
    merge : column -> {level: level it becomes}
    missing_tokens : texts (also of numbers, such as "-9") that count as missing; for all, or by column
    roles : column -> "group", "outcome", "subject", "time", "weight" or "identifier"; a column with one of the last
        four is a variable only where `kinds` says so. The subject is whatever several rows are of (a patient, a
        clinic, a school, a family); a weight is how often a row counts: 0, 1, 2, ...
    limits : column of numbers with detection limits (`<0.5`, `>90`) -> "level": each end of the scale is an interval of
        its own, "bound": the limit is the number, "missing": such a cell is not known
    derive : new column -> how it is made of others: ("ratio", a, b), ("difference", a, b), ("combine", a, b),
        ("cut", a, cut points), ("merge", a, {level: level it becomes}), ("if", conditions) for a yes or no
    where : conditions on the rows that are used, all to hold: (column, what, value) with "is", "is not", "over",
        "at least", "under", "at most", "between", "is known", "is missing" or "includes" (of several answers in a cell:
        one and the mark between, as ("fever", ";")); ("any", condition, ...) where one will do
    tiers : columns in the order of time, the earliest first; no arc goes back
    settled : decision -> what was chosen (see `engine.decisions`); it says why other choices stand as they do
    rows : {"copies": "once"} where rows that are copies of another one do not count, else {}
    tick : with a time, the distance of two steps that follow each other (a larger one is a gap), 0 where time has no
        rhythm and each row follows the one before it; found where left out
    reading : arguments of `engine.read_table`, for `read`
    written : how the columns that `where` and `derive` calculate with were read, fixed like `columns`
    columns : how each column is coded, fixed; made by `apply`, found in `Dataset.recipe`
    units : column of numbers -> its unit, "" for none; found in names and labels where left out

    Levels are those of the whole table, dropped rows included; cut points come from the rows that are kept.

    Raises
    ------
    DataError : a choice that no table could have

    Examples
    --------
    >>> import engine, pandas
    >>> table = pandas.DataFrame({"age": range(20, 80), "sex": ["f", "m"] * 30})
    >>> data = engine.Recipe(kinds={"age": "continuous"}, bins=2).apply(table)
    >>> data.recipe.apply(table[:3])["age"].tolist(), data.recipe == engine.Recipe.from_dict(data.recipe.to_dict())
    (['below 50', 'below 50', 'below 50'], True)
    """

    __hash__ = FrameChoices.__hash__

    @classmethod
    def from_parquet(cls, path: str | os.PathLike[str], *, progress: Progress = silent, **choices: Any) -> Self:
        """Kinds, levels and cut points of Parquet files from all their rows, in one pass, memory bounded.

        What is decided is what `Dataset.from_frame` decides of the same rows where that rests on counts. Three things
        differ: cut points come from all rows that have a value, complete or not; numbers of which more than 65,536
        differ (fewer in tables of more than 32 columns) are rounded to their first bits, cut points with them; texts of
        which as many differ are left out.

        Parameters
        ----------
        path : as `Dataset.from_parquet` takes it
        progress : told how many rows are read
        choices : those of `engine.Recipe`, but for `where`, `derive`, and the roles of subject, time and weight

        Returns
        -------
        a recipe with all columns fixed

        Raises
        ------
        DataError : files that cannot be used, or of different columns; a choice that does not fit

        Examples
        --------
        >>> import engine, sample_data
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> table = sample_data.load("two_hospitals")
        >>> with TemporaryDirectory() as place:
        ...     table.to_parquet(Path(place, "everybody.parquet"))
        ...     recipe = engine.Recipe.from_parquet(Path(place, "everybody.parquet"))
        >>> recipe == engine.Dataset.from_frame(table).recipe
        True
        """
        given = cls(**choices)
        return cls._fixed_by(ParquetFiles(path, missing_tokens(given)), given, progress)

    @classmethod
    def from_csv(cls, path: str | os.PathLike[str], *, progress: Progress = silent, **choices: Any) -> Self:
        """Kinds, levels and cut points of a text table of any size from all its rows, in one pass.

        Parameters
        ----------
        path : as `Dataset.from_csv` takes it
        progress, choices : as for `from_parquet`

        Returns
        -------
        a recipe with all columns fixed

        Raises
        ------
        DataError : a file that cannot be used, lines that are not regular; a choice that does not fit
        """
        given = cls(**choices)
        return cls._fixed_by(CsvFile(path, given), given, progress)

    @classmethod
    def _fixed_by(cls, source: RowSource, choices: FrameChoices, progress: Progress) -> Self:
        counted = fix(source, choices, as_progress(progress))
        return cls(**{name: getattr(counted.choices, name) for name in FrameChoices.__dataclass_fields__})

    def read(self, source: Source, *, name: str | None = None) -> pd.DataFrame:
        """Read a file as `reading` says; see `engine.read_table`.

        Parameters
        ----------
        source, name : as `engine.read_table` takes them

        Returns
        -------
        the table

        Raises
        ------
        DataError : the file cannot be read as a table
        """
        return read_table(source, name=name, **self.reading)

    def apply(self, table: pd.DataFrame) -> Dataset:
        """The data set that these choices make of a table.

        Where `columns` are fixed, the table is coded by them: a value without a level counts as not known, and
        rows that are not known whole are left out (`Dataset.report` says which values those are).

        Parameters
        ----------
        table : as `engine.read_table` or pandas gives it

        Returns
        -------
        `Dataset`, with this recipe and all cut points and levels fixed

        Raises
        ------
        DataError : a choice that does not fit the table; no column or no row left; each with the remedy
        """
        if self.columns:
            return data_set(self, reapply(table, self))
        result = prepared(table, self)
        view = view_table(table, self, result.shape)
        problems = (*result.report.problems, *left_out_numbers(view), *odd_shape(view))
        report = replace(result.report, problems=problems, questions=questions(view))
        return data_set(self, replace(result, report=report))

    def steps(self) -> list[str]:
        """Every choice that is not the usual one, each in one sentence, in the order in which they act.

        Returns
        -------
        sentences

        Examples
        --------
        >>> engine.Recipe(where=[("sex", "is", "f")], missing_tokens={"chol": ["999"]}).steps()
        ["'chol': '999' counts as missing.", 'Rows: only those where sex is f.']
        """
        return [step.sentence for step in choice_steps(self)]

    def to_json(self) -> str:
        """The recipe as a text to keep in a file, so that next month's table can be prepared in the same way."""
        return json.dumps({"format": RECIPE_FORMAT} | self.to_dict(), indent=1, ensure_ascii=False, allow_nan=False)

    @classmethod
    def load(cls, source: str | os.PathLike[str] | bytes) -> Recipe:
        """The recipe that `to_json` wrote, or the data page.

        Parameters
        ----------
        source : path of the file, or what is in it (bytes)

        Returns
        -------
        an equal recipe

        Raises
        ------
        DataError : no such file; it holds no recipe

        Examples
        --------
        >>> data = sample_data.dataset("two_hospitals")
        >>> recipe = engine.Recipe.load(data.recipe.to_json().encode())
        >>> recipe.apply(sample_data.load("two_hospitals")).fingerprint == data.fingerprint
        True
        """
        content, _ = source_bytes(source, Limits(file_bytes=_MOST_RECIPE))
        try:
            written = json.loads(content.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            written = None
        if not isinstance(written, dict) or written.pop("format", None) != RECIPE_FORMAT:
            raise InputError(
                "This file holds no recipe; give one that was made with Recipe.to_json or on the data page."
            )
        damaged = InputError("This recipe is damaged. Save it again where it was made.")
        with Retold(damaged, TypeError, ValueError, AttributeError, KeyError):
            return cls.from_dict(written)

    def codes(self, table: pd.DataFrame) -> tuple[np.ndarray, tuple[str, ...]]:
        """The codes of every row of a table, by the columns that are fixed.

        Parameters
        ----------
        table : as `engine.read_table` or pandas gives it

        Returns
        -------
        codes : (p, n) int64, one row a variable, -1 where the value is not known
        words : sentences on what did not fit: columns that are not there, values without a level

        Raises
        ------
        DataError : nothing is fixed yet; no table
        """
        if not self.columns:
            raise InputError(
                "This recipe has no levels yet: apply it to a table, and ask the `recipe` of what comes out."
            )
        result, words = fixed_codes(table, self)
        nothing = np.full(len(table), UNKNOWN, dtype=np.int64)
        return np.array([nothing if item is None else item.codes for item in result]), words


def as_dataset(data: Any, call: str) -> Dataset:
    """`data`, where it is a data set; else `DataError` says what to write before `call`, as one writes it."""
    if isinstance(data, Dataset):
        return data
    kind = "a pandas table" if type(data).__name__ == "DataFrame" else f"a {type(data).__name__}"
    raise InputError(f"{call} needs a Dataset, not {kind}; write data = engine.Dataset.from_frame(table) before it.")


def same_data(data: Dataset, fingerprint: str) -> None:
    """Nothing where an answer was made from these data, whose fingerprint it has; `DataError` where from others."""
    if not data.is_of(fingerprint):
        raise InputError("These are not the data of this result; ask with the data it was made from.")


def data_set(choices: FrameChoices, result: Prepared) -> Dataset:
    """The data set of a table that was prepared.

    Parameters
    ----------
    choices : that it was prepared by
    result : what became of it

    Returns
    -------
    `Dataset`
    """
    data = Dataset.from_codes(result.codes, result.levels, result.names, result.kinds)
    return replace(
        data,
        cuts=result.cuts,
        report=result.report,
        origin=result.origin.astype(np.int32),
        roles=roles_with(choices.roles, result.names),
        steps=result.steps,
        made_by=result.made_by,
        numbers=result.numbers,
        context=result.context,
        units=result.made_by.units_known,
    )

"""A session that lasts: choices, results, layouts and notes, and if wanted the table; see `engine.project.file`."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any

from engine.comparison.compare import compare
from engine.comparison.result import ComparisonResult
from engine.data.dataset import Dataset, Recipe, as_dataset
from engine.data.preparing.choices import BESIDE
from engine.data.preparing.shaping import shape_columns
from engine.data.preparing.variables import column_names
from engine.data.reading.report import plain, reading_facts
from engine.errors import DataError, Retold, SettingsError
from engine.execution import Progress, part, silent
from engine.lazy import pd
from engine.methods.result import Result
from engine.project.archive import MOST_TEXT, check_plain
from engine.project.table_parts import packed
from engine.words import count, first, short

Layout = Mapping[str, tuple[float, float]]
_LEAST_SECONDS = 0.05
"""That a question takes to be asked again, where it took less before or nobody knows."""
_FARTHEST = 1e9
"""How far from the middle a variable can be placed."""


@dataclass(frozen=True, eq=False, repr=False)
class Project:
    """Everything of a session that can be kept in one file.

    Parameters
    ----------
    recipe : of the data set, with its cut points and levels fixed (`data.recipe`); None before there is one
    analyses : the results, each a `SavedResult` (a result alone is made one)
    layouts : where variables stand, name -> (x, y), one mapping a set of variables
    notes : what somebody wrote
    table : as it was read; only where it is to be in the file
    source : name of the table, as it is shown
    screen : plain values that the dashboard keeps for its pages; nothing here reads them
    choices : arguments of `engine.Recipe`, not fixed, that make the data set of the table

    Raises
    ------
    DataError : a part of another kind, two results with one key, choices that no table could have

    Examples
    --------
    >>> import io
    >>> data, file = sample_data.dataset("two_hospitals"), io.BytesIO()
    >>> project = engine.Project(recipe=data.recipe, analyses=[engine.LogLinear().run(data)], notes="first look")
    >>> engine.save(project, file)
    >>> engine.load(file) == project
    True
    """

    recipe: Recipe | None = None
    analyses: Sequence[SavedResult] = ()
    layouts: Sequence[Layout] = ()
    notes: str = ""
    table: pd.DataFrame | None = None
    source: str = ""
    screen: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.recipe is not None and not isinstance(self.recipe, Recipe):
            raise DataError(f"The recipe of a project is an engine.Recipe, not a {type(self.recipe).__name__}.")
        if self.table is not None and not hasattr(self.table, "iloc"):
            raise DataError(f"The table of a project is a pandas table, not a {type(self.table).__name__}.")
        _check_texts("project", notes=self.notes, source=self.source)
        checked = {
            "analyses": _with_keys(
                [analysis if isinstance(analysis, SavedResult) else SavedResult(analysis) for analysis in self.analyses]
            ),
            "layouts": tuple(_layout(layout) for layout in self.layouts),
            "screen": _json(self.screen, "screen"),
            "choices": _choices(_json(self.choices, "choices")),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    # -- the table ----------------------------------------------------------------------------------------------------

    def data(self) -> Dataset | None:
        """The data set that the choices make of the table; None without a table.

        Returns
        -------
        Dataset, equal to the one the project was made with

        Raises
        ------
        DataError : the choices do not fit the table
        """
        return None if self.table is None else Recipe.from_dict(self.choices).apply(self.table)

    def without_table(self) -> Project:
        """The same project with no row of the table, but for patients that a result is about (see `described_rows`)."""
        return replace(self, table=None)

    def described_rows(self) -> tuple[str, ...]:
        """Describe what the results themselves hold of single rows, one text a kind of result that holds any."""
        result = ((analysis.result.method.title, analysis.result.described_rows()) for analysis in self.analyses)
        return tuple(dict.fromkeys(f"{title}: {text}" for title, text in result if text))

    # -- rerun --------------------------------------------------------------------------------------------------------

    def fit(self, table: pd.DataFrame) -> Fit:
        """Another table coded by the recipe: what fits, and what does not.

        Parameters
        ----------
        table : as `engine.read_table` or pandas gives it

        Returns
        -------
        `Fit`: data, words, missing columns, and new levels by column

        Raises
        ------
        DataError : the project has no recipe, the table none of its columns, or no row is known whole
        """
        if self.recipe is None:
            raise DataError("This project has no recipe, so nothing says how a table is coded; save it again.")
        return fit(self.recipe, table)

    def rerun(self, table: pd.DataFrame, *, progress: Progress = silent) -> Rerun:
        """Every question of the project asked of another table, coded with the same cut points and levels.

        Parameters
        ----------
        table : as `engine.read_table` or pandas gives it
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

        Returns
        -------
        `Rerun`: a new project, what did not fit, what could not be asked, and old beside new

        Raises
        ------
        DataError : as `fit`
        """
        fitted = self.fit(table)
        source = _source_of(table)
        result: list[SavedResult] = []
        refused: dict[str, str] = {}
        earlier = [item.seconds if item.seconds > _LEAST_SECONDS else _LEAST_SECONDS for item in self.analyses]
        ends = [0.0, *(seconds / sum(earlier) for seconds in accumulate(earlier))]
        for analysis, *span in zip(self.analyses, ends, ends[1:], strict=False):
            try:
                result.append(analysis.rerun(fitted.data, source, part(progress, *span)))
            except (DataError, SettingsError) as error:
                refused[analysis.key] = str(error)
        new = replace(
            self,
            recipe=fitted.data.recipe,
            choices=fitted.recipe.to_dict(),
            analyses=tuple(result),
            table=table,
            source=source,
        )
        old = {analysis.key: analysis.result for analysis in self.analyses}
        compared = {
            item.key: compare(old[item.key], item.result)
            for item in result
            if not isinstance(item.result, ComparisonResult)
        }
        return Rerun(new, fitted.data, fitted.words, refused, compared)

    # -- as a value ---------------------------------------------------------------------------------------------------

    def plain(self) -> dict[str, Any]:
        """Everything but results and table as plain values."""
        return {
            "recipe": None if self.recipe is None else self.recipe.to_dict(),
            "analyses": [analysis.facts() for analysis in self.analyses],
            "layouts": [{name: list(place) for name, place in layout.items()} for layout in self.layouts],
            "notes": self.notes,
            "source": self.source,
            "screen": dict(self.screen),
            "choices": dict(self.choices),
        }

    def __eq__(self, other: object) -> bool:
        """Equal content: choices, results, words, and the cells of the table."""
        if not isinstance(other, Project):
            return NotImplemented
        same = self.plain() == other.plain() and self.analyses == other.analyses
        if not same or (self.table is None) != (other.table is None):
            return False
        return self.table is None or other.table is None or packed(self.table) == packed(other.table)

    def __hash__(self) -> int:
        return hash((self.notes, self.source, tuple(analysis.key for analysis in self.analyses)))

    def __repr__(self) -> str:
        table = "no table" if self.table is None else f"table of {count(len(self.table), 'row')}"
        source = f" of '{short(self.source, 60)}'" if self.source else ""
        return f"<Project{source}: {count(len(self.analyses), 'result')}, {table}>"


@dataclass(frozen=True, eq=False)
class Rerun:
    """The questions of a project asked of another table.

    Attributes
    ----------
    project : the new one, with that table
    data : the data set that the recipe made of it
    words : a sentence for everything that did not fit
    refused : key of a result -> why its question could not be asked
    comparisons : key of a result -> old and new side by side; of a comparison none
    """

    project: Project
    data: Dataset
    words: tuple[str, ...]
    refused: Mapping[str, str]
    comparisons: Mapping[str, ComparisonResult]


def _check_texts(owner: str, **texts: Any) -> None:
    """Raise `DataError` unless each is a text that a file can hold."""
    for name, text in texts.items():
        if not isinstance(text, str) or len(text) > MOST_TEXT:
            raise DataError(f"The {name} of a {owner} must be a text of at most a million characters.")


def _with_keys(given: list[SavedResult]) -> tuple[SavedResult, ...]:
    """Each with a key of its own; `DataError` where two have the same."""
    taken = [item.key for item in given if item.key]
    twice = next((key for key in taken if taken.count(key) > 1), None)
    if twice is not None:
        raise DataError(f"Two results of the project have the key '{short(twice, 60)}'; give each its own.")
    free = (str(number) for number in range(1, 2 * len(given) + 1) if str(number) not in taken)
    return tuple(entry if entry.key else replace(entry, key=next(free)) for entry in given)


def _layout(given: Any) -> dict[str, tuple[float, float]]:
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise DataError("A layout says where each variable stands: {'age': (0.0, 1.5), ...}.")
    for name, place in given.items():
        parts = place if isinstance(place, list | tuple) else ()
        numbers = [item for item in parts if isinstance(item, int | float) and not isinstance(item, bool)]
        if len(parts) != 2 or len(numbers) != 2 or not all(abs(number) <= _FARTHEST for number in numbers):
            raise DataError(f"The place of '{short(name, 60)}' in a layout must be two finite numbers.")
    return {name: (float(x), float(y)) for name, (x, y) in given.items()}


def _json(given: Any, part: str) -> dict[str, Any]:
    """A copy as JSON would give it back."""
    try:
        result = json.loads(json.dumps(plain(dict(given)), allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        raise DataError(f"The {part} of a project must be plain texts, finite numbers, lists and mappings.") from None
    check_plain(result)
    return dict(result)


def _choices(given: dict[str, Any]) -> dict[str, Any]:
    """Choices that `engine.Recipe` takes; columns that are fixed may be among them."""
    read_recipe(given, "The choices of a project must be arguments of engine.Recipe, as its to_dict gives.")
    return given


def read_recipe(document: Mapping[str, Any], sentence: str) -> Recipe:
    """The recipe that `Recipe.to_dict` wrote; `DataError`, with its own words or these, where it is none."""
    with Retold(DataError(sentence), TypeError, ValueError, AttributeError, LookupError, ArithmeticError):
        return Recipe.from_dict(document)


def _source_of(table: pd.DataFrame) -> str:
    return str(reading_facts(table).get("file", ""))


@dataclass(frozen=True)
class SavedResult:
    """A result in a project.

    Attributes
    ----------
    result : the answer
    title, note : what somebody called it, and wrote to it
    starred : whether it goes into the report
    made : when it was computed, as ISO text in UTC; "" where nobody knows
    source : name of the table
    seconds : that the run took; NaN where nobody knows
    key : what it is called inside the project, each once; a project gives one where there is none

    Examples
    --------
    >>> result = engine.LogLinear().run(sample_data.dataset("two_hospitals"))
    >>> kept = engine.SavedResult(result, title="what hangs together", starred=True)
    >>> engine.Project(analyses=[kept]).analyses[0].key
    '1'
    """

    result: Result
    title: str = ""
    note: str = ""
    starred: bool = False
    made: str = ""
    source: str = ""
    seconds: float = math.nan
    key: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.result, Result):
            raise DataError(f"A project keeps the results of runs, not a {type(self.result).__name__}.")
        _check_texts("kept result", title=self.title, note=self.note, made=self.made, source=self.source, key=self.key)
        if type(self.starred) is not bool:
            raise DataError("Whether a kept result is starred must be True or False.")
        if isinstance(self.seconds, bool) or not isinstance(self.seconds, int | float):
            raise DataError("The seconds of a kept result must be a number.")
        object.__setattr__(self, "seconds", float(self.seconds))

    def __eq__(self, other: object) -> bool:
        """Equal answers with equal words; seconds that nobody knows are equal."""
        if not isinstance(other, SavedResult):
            return NotImplemented
        return self.facts() == other.facts() and self.result == other.result

    def __hash__(self) -> int:
        return hash((self.key, self.title, self.result))

    def facts(self) -> dict[str, str | bool | float | None]:
        """Everything but the result, as plain values."""
        names = ("title", "note", "starred", "made", "source", "key")
        plain: dict[str, str | bool | float | None] = {name: getattr(self, name) for name in names}
        return plain | {"seconds": self.seconds if math.isfinite(self.seconds) else None}

    def missing_of(self, data: Dataset) -> tuple[str, ...]:
        """The variables that its question is about and the data have not.

        Parameters
        ----------
        data : other rows

        Returns
        -------
        names; empty where all are there
        """
        return tuple(name for name in self.result.asks_of() if name not in data)

    def check(self, data: Dataset) -> None:
        """Raise `DataError` unless its question can be put to the data.

        Parameters
        ----------
        data : other rows

        Raises
        ------
        DataError : a variable that it is about is not there
        """
        if missing := self.missing_of(data):
            names = first(f"'{short(name, 60)}'" for name in missing)
            raise DataError(f"It is about {names}, which the table does not have.")

    def rerun(self, data: Dataset, source: str = "", progress: Progress = silent) -> SavedResult:
        """The same question asked of other data, over the variables that it was about.

        Parameters
        ----------
        data : other rows
        source : name of their table
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

        Returns
        -------
        the new answer under the old title, note, star and key

        Raises
        ------
        DataError : a variable is not there; or as the method's run
        SettingsError : as the method's run
        """
        self.check(data)
        wanted = set(self.result.asks_of())
        begun = time.perf_counter()
        result = self.result.rerun(data.select(name for name in data.names if name in wanted), progress=progress)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return replace(self, result=result, made=now, source=source, seconds=time.perf_counter() - begun)


@dataclass(frozen=True, eq=False)
class Fit:
    """What became of another table.

    Attributes
    ----------
    data : the data set, coded as the old one was
    words : a sentence for everything that did not fit
    missing : columns that the recipe has and the table has not
    recipe : of the columns that are there
    """

    data: Dataset
    words: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    recipe: Recipe = field(default_factory=Recipe)


def fit(recipe: Recipe, table: pd.DataFrame) -> Fit:
    """Code another table by a recipe whose cut points and levels are fixed; columns that it lacks are left out.

    Examples
    --------
    >>> import pandas
    >>> from engine.project.project import fit
    >>> data = sample_data.dataset("two_hospitals")
    >>> fit(data.recipe, data.to_frame().drop(columns="age")).words[0]
    "The table has no column 'age', so it is left out, with every analysis that needs it."
    """
    if not recipe.columns:
        raise DataError("These choices have no levels yet: save a project with the recipe of its data set.")
    shaped = shape_columns(table, recipe, tuple(recipe.derive))
    derive = {name: way for name, way in recipe.derive.items() if name in shaped}
    names = {*column_names(table), *derive}
    present = tuple(column for column in recipe.columns if column.name in names)
    role_columns = [name for name, role in recipe.roles.items() if role in BESIDE]
    missing = tuple(
        name for name in dict.fromkeys([*(one.name for one in recipe.columns), *role_columns]) if name not in names
    )
    if not present:
        wanted = first(f"'{short(one.name, 60)}'" for one in recipe.columns)
        raise DataError(f"The table has none of the columns that the analyses are about, such as {wanted}.")
    roles = {name: role for name, role in recipe.roles.items() if name in names}
    if "subject" not in roles.values():  # a time without a subject orders nothing
        roles = {name: role for name, role in roles.items() if role != "time"}
    partial = replace(recipe, columns=present, roles=roles, derive=derive)
    data = partial.apply(table)
    return Fit(data, _words(data, missing, len(table)), missing, partial)


def _words(data: Dataset, missing: tuple[str, ...], rows: int) -> tuple[str, ...]:
    result = [
        f"The table has no column '{short(name, 60)}', so it is left out, with every analysis that needs it."
        for name in missing
    ]
    result += data.report.problems if data.report is not None else ()
    if data.report is not None and data.report.where:
        result.append(f"Only rows where {data.report.where}: {rows - data.report.rows_outside:,} of {rows:,}.")
    left = data.report.rows_dropped if data.report is not None else rows - data.n_rows
    if left:
        result.append(
            f"{count(left, 'row')} of {rows:,} {'is' if left == 1 else 'are'} left out: a value is not known."
        )
    return tuple(result)


def by_group(data: Dataset, group: str) -> dict[str, Dataset]:
    """The rows of each level of a variable, without that variable itself.

    All parts have the levels of the whole table, also those that no row of a part has, so their answers can be
    compared; `origin` says which rows of the table they are.

    Parameters
    ----------
    data : the table
    group : name of the variable that parts the rows

    Returns
    -------
    level -> Dataset, of levels that have rows, in their order

    Raises
    ------
    DataError : no data set, or no variable has that name

    Examples
    --------
    >>> parts = engine.by_group(sample_data.dataset("two_hospitals"), "hospital")
    >>> {level: len(part) for level, part in parts.items()}
    {'North': 613, 'South': 587}
    """
    return as_dataset(data, "engine.by_group(data, group)").split(group)

"""A session that lasts: choices, results, layouts and notes, and if wanted the table; see `engine.project.file`."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from engine.comparison.compare import compare
from engine.comparison.result import ComparisonResult
from engine.data.dataset import Dataset, Recipe
from engine.data.reading.report import KEY, plain
from engine.errors import DataError, SettingsError
from engine.execution import Progress, part, silent
from engine.project.archive import MOST_TEXT, check_plain
from engine.project.fit import Fit, fit
from engine.project.saved_result import SavedResult
from engine.project.table_parts import packed
from engine.words import count

if TYPE_CHECKING:
    import pandas as pd

Layout = Mapping[str, tuple[float, float]]
_FAR = 1e9
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
        for name in ("notes", "source"):
            text = getattr(self, name)
            if not isinstance(text, str) or len(text) > MOST_TEXT:
                raise DataError(f"The {name} of a project must be a text of at most a million characters.")
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
        """What of single rows the results themselves hold, one text a kind of result that holds any."""
        result = ((analysis.result.method.title, analysis.result.described_rows()) for analysis in self.analyses)
        return tuple(dict.fromkeys(f"{title}: {told}" for title, told in result if told))

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
        for number, analysis in enumerate(self.analyses):
            share = part(progress, number / len(self.analyses), (number + 1) / len(self.analyses))
            try:
                result.append(analysis.rerun(fitted.data, source, share))
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
        old = {analysis_value.key: analysis_value.result for analysis_value in self.analyses}
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
        source = f" of '{self.source[:60]}'" if self.source else ""
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


def _with_keys(given: list[SavedResult]) -> tuple[SavedResult, ...]:
    """Each with a key of its own; `DataError` where two have the same."""
    taken = [item.key for item in given if item.key]
    twice = next((key for key in taken if taken.count(key) > 1), None)
    if twice is not None:
        raise DataError(f"Two results of the project have the key '{twice[:60]}'; give each its own.")
    free = (str(number) for number in range(1, 2 * len(given) + 1) if str(number) not in taken)
    return tuple(entry if entry.key else replace(entry, key=next(free)) for entry in given)


def _layout(given: Any) -> dict[str, tuple[float, float]]:
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise DataError("A layout says where each variable stands: {'age': (0.0, 1.5), ...}.")
    for name, place in given.items():
        numbers = isinstance(place, list | tuple) and [
            item for item in place if isinstance(item, int | float) and not isinstance(item, bool)
        ]
        if not numbers or len(place) != 2 or len(numbers) != 2 or not all(abs(number) <= _FAR for number in numbers):
            raise DataError(f"The place of '{name[:60]}' in a layout must be two finite numbers.")
    return {name: (float(x), float(y)) for name, (x, y) in given.items()}


def _json(given: Any, what: str) -> dict[str, Any]:
    """A copy as JSON would give it back."""
    try:
        result = json.loads(json.dumps(plain(dict(given)), allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        raise DataError(f"The {what} of a project must be plain texts, finite numbers, lists and mappings.") from None
    check_plain(result)
    return dict(result)


def _choices(given: dict[str, Any]) -> dict[str, Any]:
    """Choices that `engine.Recipe` takes; columns that are fixed may be among them."""
    try:
        Recipe.from_dict(given)
    except DataError:
        raise
    except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError):
        raise DataError("The choices of a project must be arguments of engine.Recipe, as its to_dict gives.") from None
    return given


def _source_of(table: pd.DataFrame) -> str:
    reading = table.attrs.get(KEY)
    return str(reading.get("file", "")) if isinstance(reading, Mapping) else ""


def seconds_read(written: Any) -> float:
    """Seconds out of a file.

    Parameters
    ----------
    written : a number, or None where nobody knew

    Returns
    -------
    the number, NaN for None
    """
    return math.nan if written is None else written

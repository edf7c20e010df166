"""A frozen recipe on another table: what of it fits, what does not, and the data set that it makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from engine.data.dataset import Dataset, Recipe
from engine.data.preparing.choices import BESIDE
from engine.data.preparing.reapply import fixed_codes, select_rows
from engine.data.preparing.shaping import shape_columns
from engine.data.preparing.variables import column_names
from engine.errors import DataError
from engine.words import count, first

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Fit:
    """What became of another table.

    Attributes
    ----------
    data : the data set, coded as the old one was
    words : a sentence for everything that did not fit
    missing : columns that the recipe has and the table has not
    new_levels : column -> value without a level -> rows that have it; they count as not known
    recipe : of the columns that are there
    """

    data: Dataset
    words: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    new_levels: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    recipe: Recipe = field(default_factory=Recipe)


def fit(recipe: Recipe, table: pd.DataFrame) -> Fit:
    """Code another table by a recipe whose cut points and levels are fixed; columns that it lacks are left out.

    Parameters
    ----------
    recipe : `Dataset.recipe` of the old table
    table : as `engine.read_table` or pandas gives it

    Returns
    -------
    `Fit`

    Raises
    ------
    DataError : nothing is fixed, no table, no column of the recipe is there, or no row is known whole

    Examples
    --------
    >>> import pandas
    >>> from engine.project.fit import fit
    >>> data = sample_data.dataset("two_hospitals")
    >>> fit(data.recipe, data.to_frame().drop(columns="age")).words[0]
    "The table has no column 'age', so it is left out, with every analysis that needs it."
    """
    if not recipe.columns:
        raise DataError("These choices have no levels yet: save a project with the recipe of its data set.")
    made = shape_columns(table, recipe, tuple(recipe.derive))
    derive = {name: way for name, way in recipe.derive.items() if name in made}
    names = {*column_names(table), *derive}
    present = tuple(column_value for column_value in recipe.columns if column_value.name in names)
    beside = [name for name, role in recipe.roles.items() if role in BESIDE]
    missing = tuple(
        name for name in dict.fromkeys([*(one.name for one in recipe.columns), *beside]) if name not in names
    )
    if not present:
        wanted = first(f"'{one.name[:60]}'" for one in recipe.columns)
        raise DataError(f"The table has none of the columns that the analyses are about, such as {wanted}.")
    roles = {name: role for name, role in recipe.roles.items() if name in names}
    if "subject" not in roles.values():  # a time without a subject orders nothing
        roles = {name: role for name, role in roles.items() if role != "time"}
    partial = replace(recipe, columns=present, roles=roles, derive=derive)
    codings, _ = fixed_codes(table[select_rows(table, partial)[0]] if partial.where else table, partial)
    strange = {
        column.name: coding.strange
        for column, coding in zip(present, codings, strict=True)
        if coding is not None and coding.strange
    }
    data = partial.apply(table)
    return Fit(data, _words(data, missing, len(table)), missing, strange, partial)


def _words(data: Dataset, missing: tuple[str, ...], rows: int) -> tuple[str, ...]:
    result = [
        f"The table has no column '{name[:60]}', so it is left out, with every analysis that needs it."
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

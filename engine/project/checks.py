"""Recipes and reading reports out of a file, held to what a table could have given them."""

from __future__ import annotations

from typing import Any

from engine.data.dataset import Recipe
from engine.data.reading.report import ReadingReport
from engine.errors import DataError
from engine.methods.fitting import misfit
from engine.project.archive import refuse

_NO_RECIPE = "The recipe in this file is damaged, or was not written by Diptych; save the file again."
_NO_READING = "What this file says of how its table was read is damaged; save the file again."


def checked_recipe(document: Any) -> Recipe:
    """The recipe, with its columns fixed, that `Recipe.to_dict` wrote; `DataError` where it is none."""
    recipe = _recipe(document)
    return recipe if recipe.columns else refuse(_NO_RECIPE)


def checked_choices(document: Any) -> dict[str, Any]:
    """Arguments of `Recipe`, fixed or not, as plain values; `DataError` where no table could have them."""
    _recipe(document)
    return dict(document)


def _recipe(document: Any) -> Recipe:
    if not isinstance(document, dict):
        refuse(_NO_RECIPE)
    try:
        recipe = Recipe.from_dict(document)
    except DataError:
        raise
    except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError):
        raise DataError(_NO_RECIPE) from None
    names = [column.name for column in recipe.columns]
    return recipe if len(set(names)) == len(names) and not misfit(Recipe, vars(recipe)) else refuse(_NO_RECIPE)


def checked_reading(document: Any) -> ReadingReport:
    """The report that `ReadingReport.to_dict` wrote; `DataError` where it is none."""
    if not isinstance(document, dict) or set(document) - set(ReadingReport.__dataclass_fields__):
        refuse(_NO_READING)
    try:
        report = ReadingReport.from_dict(document)
    except (TypeError, ValueError, LookupError, AttributeError):
        refuse(_NO_READING)
    cells = (*report.invalid, *report.not_numeric, *report.renamed)
    if misfit(ReadingReport, vars(report)) or any(misfit(type(cell), vars(cell)) for cell in cells):
        refuse(_NO_READING)
    return report

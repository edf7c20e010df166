"""Choices and recipes out of a file, held to what a table could have given them."""

from __future__ import annotations

from typing import Any

from engine.data.dataset import Recipe
from engine.errors import DataError
from engine.methods.fitting import misfit
from engine.project.archive import refuse

_DAMAGED = "The recipe in this file is damaged, or was not written by Diptych; save the file again."


def checked_recipe(document: Any) -> Recipe:
    """A recipe whose columns are fixed.

    Parameters
    ----------
    document : what `Recipe.to_dict` gave

    Returns
    -------
    an equal recipe

    Raises
    ------
    DataError : it is none, or its columns are not fixed
    """
    found = _recipe(document)
    return found if found.columns else refuse(_DAMAGED)


def checked_choices(document: Any) -> dict[str, Any]:
    """Choices, fixed or not, as plain values.

    Parameters
    ----------
    document : arguments of `Recipe`

    Returns
    -------
    the same

    Raises
    ------
    DataError : no table could have them
    """
    _recipe(document)
    return dict(document)


def _recipe(document: Any) -> Recipe:
    if not isinstance(document, dict):
        refuse(_DAMAGED)
    try:
        found = Recipe.from_dict(document)
    except DataError:
        raise
    except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError):
        raise DataError(_DAMAGED) from None
    names = [column.name for column in found.columns]
    return found if len(set(names)) == len(names) and not misfit(Recipe, vars(found)) else refuse(_DAMAGED)

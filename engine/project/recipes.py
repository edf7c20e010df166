"""Choices and recipes out of a file, held to what a table could have given them."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from engine.data.dataset import Recipe
from engine.data.preparing.choice_checks import READING
from engine.data.preparing.fixed import FixedColumn
from engine.errors import DataError
from engine.methods.fitting import misfit
from engine.project.archive import refuse

_DAMAGED = "The recipe in this file is damaged, or was not written by Diptych; save the file again."
_KINDS, _SORTS = ("nominal", "ordinal", "continuous"), ("number", "date", "flag", "words")
_WRITTEN = ("", ".", ",", "year", "month", "day", "named")
_PLAIN = (str, int, float, bool, type(None))


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
        _check_reading(found.reading)
        for column in found.columns:
            _check_column(column)
    except DataError:
        raise
    except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError):
        raise DataError(_DAMAGED) from None
    names = [column.name for column in found.columns]
    return found if len(set(names)) == len(names) and not misfit(Recipe, vars(found)) else refuse(_DAMAGED)


def _check_reading(reading: Any) -> None:
    for name, value in reading.items():
        cells = value if isinstance(value, tuple) else (value,)
        if name not in READING or not all(isinstance(one, _PLAIN) for one in cells):
            refuse(_DAMAGED)


def _check_column(one: FixedColumn) -> None:
    """A column as a table can have given it; cut points rise, and every level that is named is there."""
    fits = not misfit(FixedColumn, vars(one)) and one.kind in _KINDS and one.sort in _SORTS and one.written in _WRITTEN
    if not fits or not one.levels or len(set(one.levels)) != len(one.levels):
        refuse(_DAMAGED)
    if not all(map(math.isfinite, one.cuts)) or not all(low < high for low, high in pairwise(one.cuts)):
        refuse(_DAMAGED)
    if one.intervals and len(one.intervals) != len(one.cuts) + 1:
        refuse(_DAMAGED)

"""How long a comparison will take, and what memory, told before it is begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.methods.cost import Cost, Size
from engine.scores.dirichlet import K2

if TYPE_CHECKING:
    from engine.methods.group_difference.settings import GroupDifferenceSettings

_VARIABLE = 1.3e-3  # seconds for what is said of a variable
_PAIR, _CELL = 4e-7, 5e-13  # of a pair of variables in three searches, and of one row and cell of its table
_THIN = 1.5e-2  # of a pair and row, where rows so few let K2 take parents by chance
_BYTES = 30.0  # of a pair


def cost(method: GroupDifferenceSettings, size: Size) -> Cost:
    """About what `GroupDifference.run` takes; a table with few rows costs K2 more than one with many.

    Parameters
    ----------
    method : score, search and most parents
    size : of the table

    Returns
    -------
    `Cost`
    """
    pairs = size.variables**2
    seconds = _VARIABLE * size.variables + pairs * (_PAIR + _CELL * size.rows * size.levels**2)
    quicker = ""
    if isinstance(method.score, K2) and method.known().max_parents is None:
        seconds += _THIN * pairs / max(size.rows, 100)
        quicker = "a limit on the parents of a variable"
    return Cost(seconds, _BYTES * pairs, quicker=quicker)

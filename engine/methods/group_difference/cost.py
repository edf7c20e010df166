"""How long a comparison will take, and what memory, told before it is begun."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.methods.cost import Cost, Size
from engine.methods.group_difference.averaging import MOST_WALKED
from engine.methods.group_difference.families import USUAL_PARENTS
from engine.scores.dirichlet import K2
from engine.search.orders.average import MOST_VARIABLES, memory_needed

if TYPE_CHECKING:
    from engine.methods.group_difference.settings import GroupDifferenceSettings

_VARIABLE = 1.3e-3  # seconds for what is said of a variable
_PAIR, _CELL = 4e-7, 5e-13  # of a pair of variables in three searches, and of one row and cell of its table
_THIN = 1.5e-2  # of a pair and row, where rows so few let K2 take parents by chance
_BYTES = 30.0  # of a pair
_FAMILY_ROW, _SUM = 1.5e-9, 1e-7  # of a row of a family in both groups; of a set and variable, three networks together
_WALKED, _WALKED_PAIR = 0.13, 2.6e-3  # of a variable and of a pair in walks over orders
_FAMILY, _WALKED_FAMILY = 120.0, 400.0  # bytes of a family, without the blocks it has rows in
_CANDIDATES = 10


def cost(method: GroupDifferenceSettings, size: Size) -> Cost:
    """About what `GroupDifference.run` takes; a table with few rows costs K2 more than one with many."""
    pairs = size.variables**2
    seconds = _VARIABLE * size.variables + pairs * (_PAIR + _CELL * size.rows * size.levels**2)
    memory, quicker = _BYTES * pairs, ""
    if isinstance(method.score, K2) and method.known().max_parents is None:
        seconds += _THIN * pairs / max(size.rows, 100)
        quicker = "a limit on the parents of a variable"
    if method.average == "orders" and size.variables - 1 <= MOST_WALKED:
        more, bytes_ = _average(method, size)
        seconds, memory, quicker = seconds + more, memory + bytes_, "fewer parents of a variable"
    return Cost(seconds, memory, quicker=quicker)


def _average(method: GroupDifferenceSettings, size: Size) -> tuple[float, float]:
    """Seconds and bytes of the average over orders; the group column is no variable of it."""
    n = max(size.variables - 1, 1)
    most = method.known().max_parents
    most = min(USUAL_PARENTS if most is None else most, n - 1)
    if n <= MOST_VARIABLES:
        by_size = [n * math.comb(n - 1, k) for k in range(most + 1)]
        blocks = sum(many * min(size.levels**k, size.rows / 2) for k, many in enumerate(by_size))
        seconds = _FAMILY_ROW * size.rows * sum(by_size) + _SUM * n * 2.0**n
        return seconds, memory_needed(n) + _FAMILY * sum(by_size) + 8 * blocks
    candidates = min(_CANDIDATES, n - 1)
    outside = n - 1 - candidates
    families = n * sum(
        math.comb(candidates, k) + outside * (math.comb(candidates, k - 1) if k else 0) for k in range(min(most, 3) + 1)
    )
    return _FAMILY_ROW * size.rows * families + _WALKED * n + _WALKED_PAIR * n * n, _WALKED_FAMILY * families

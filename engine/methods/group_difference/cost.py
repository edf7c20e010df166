"""About what the steps of a comparison take: what a user reads beforehand, and how far each step brings the bar."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.methods.cost import Size
from engine.methods.group_difference.average.families import USUAL_PARENTS
from engine.methods.group_difference.numbers.scales import MANY_ROWS
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.scores.dirichlet import K2
from engine.search.orders.average import MOST_VARIABLES, memory_needed

_VARIABLE = 1.3e-3  # seconds for what is said of a variable
_PAIR, _CELL = 4e-7, 5e-13  # of a pair of variables in three searches, and of one row and cell of its table
_THIN = 1.5e-2  # of a pair and row, where rows so few let K2 take parents by chance
_FAMILY_ROW, _SUM = 1.5e-9, 1e-7  # of a row of a family in both groups; of a set and variable, three networks together
_TOLD = 0.02  # of what is averaged and told of a variable: contexts, intervals, permuted labels
_VALUE_ROW = 6e-8  # of a row of a family with a number in it, which is compared by values and lines
_SEGMENTS, _ODDS = 8e-6, 1e-6  # of a block of a number; of a block and level of another child
_WALKED, _WALKED_PAIR = 0.13, 2.6e-3  # of a variable and of a pair in walks over orders
_FAMILY, _WALKED_FAMILY = 120.0, 400.0  # bytes of a family, without the blocks it has rows in
_CANDIDATES = 10
_TABLE_ROW, _TABLE_FAMILY = 2.4e-12, 1.7e-5  # where rows are counted: of a row and combination of levels; of a family
_PASS_ROW, _LINKS = 7e-11, 1.5  # of a row and plane in a pass that adds a link; links of a network for each variable


@dataclass(frozen=True)
class AverageCost:
    """Of the average over orders.

    Attributes
    ----------
    scoring, ordering : seconds of all families' scores, and of the orders
    memory : bytes
    """

    scoring: float
    ordering: float
    memory: float

    @property
    def seconds(self) -> float:
        """Of both steps."""
        return self.scoring + self.ordering


def describing_seconds(variables: int) -> float:
    """Of what is said of the variables."""
    return _VARIABLE * variables


def searching_seconds(method: GroupDifferenceSettings, size: Size) -> float:
    """Of the paper's three networks; a table with few rows costs K2 more than one with many."""
    pairs = size.variables**2
    if size.counted:
        return 3 * _LINKS * size.variables * _PASS_ROW * size.rows * _planes(size) + pairs * _PAIR
    thin = _THIN * pairs / max(size.rows, 100) if chance_parents(method) else 0.0
    return pairs * (_PAIR + _CELL * size.rows * size.levels**2) + thin


def _planes(size: Size) -> float:
    """Bit planes of all variables."""
    return size.variables * max(size.levels - 1.0, 1.0)


def _scoring_seconds(size: Size, families: float, parents: int) -> float:
    """Of so many families of so many parents at most, whose tables stand in for rows where these are counted."""
    if not size.counted and size.rows < MANY_ROWS:
        return _FAMILY_ROW * size.rows * families
    tables = families / (parents + 1) * max(size.levels - 1.0, 1.0) ** (parents + 1)  # each serves all its variables
    return _TABLE_ROW * size.rows * tables + _TABLE_FAMILY * families


def _comparing_seconds(method: GroupDifferenceSettings, size: Size, by_size: Sequence[int]) -> float:
    """Of the evidence beyond levels, of so many families of 0, 1, ... parents."""
    if isinstance(method.score, K2) or size.counted or size.rows >= MANY_ROWS:
        return 0.0
    share, seconds = size.numbers / size.variables, _TOLD * size.variables
    for k, families in enumerate(by_size):
        blocks, none = min(size.levels**k, size.rows / 2), (1 - share) ** (k + 1)  # no number in the family
        of_blocks = blocks * (_SEGMENTS * share + _ODDS * size.levels * (1 - share))
        seconds += families * (_VALUE_ROW * size.rows * (1 - none) + of_blocks)
    return seconds


def chance_parents(method: GroupDifferenceSettings) -> bool:
    """True where few rows let a search take many parents by chance."""
    return isinstance(method.score, K2) and method.known().max_parents is None


def average_cost(method: GroupDifferenceSettings, size: Size) -> AverageCost:
    """Of the average over orders of so many variables, the group column not counted."""
    n, most = size.variables, method.known().max_parents
    most = min(USUAL_PARENTS if most is None else most, n - 1)
    if n <= MOST_VARIABLES:
        by_size = [n * math.comb(n - 1, k) for k in range(most + 1)]
        blocks = sum(many * min(size.levels**k, size.rows / 2) for k, many in enumerate(by_size))
        memory = memory_needed(n) + _FAMILY * sum(by_size) + 8 * blocks
        seconds = _scoring_seconds(size, sum(by_size), most) + _comparing_seconds(method, size, by_size)
        return AverageCost(seconds, _SUM * n * 2.0**n, memory)
    candidates = min(_CANDIDATES, n - 1)
    outside = n - 1 - candidates
    by_size = [
        n * (math.comb(candidates, k) + outside * (math.comb(candidates, k - 1) if k else 0))
        for k in range(min(most, 3) + 1)
    ]
    families = sum(by_size)
    walked = _WALKED * n + _WALKED_PAIR * n * n
    seconds = _scoring_seconds(size, families, min(most, 3)) + _comparing_seconds(method, size, by_size)
    return AverageCost(seconds, walked, _WALKED_FAMILY * families)

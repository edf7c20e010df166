"""Rows that are not independent of each other, found without being told: what a card asks and every result notes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.data.reading.name_words import names_person
from engine.data.rows.context import RowContext
from engine.data.rows.determined import undetermined
from engine.data.rows.likeness import copied_rows, side_by_side, within_values
from engine.execution import one_blas_thread

CLUSTERS, COPIES, ORDER = "rows-together", "copied-rows", "row-order"
"""Kinds of relations, and of the decisions about them."""
SERIES = "series"
"""The answer that rows were measured one after the other; stretches of them then belong together."""
_LEVEL = 0.01
"""Of one check; several columns share it."""
_ORDER_LEVEL, _LEAST_EXTENT = 0.002, 0.1
"""Of neighbours, and their least correlation: below it, rows tell as much as rows that have nothing to do."""
FEWEST_ROWS = 40
_MOST_ROWS = 8_000
"""Rows that are looked at; of more, whole clusters, or a stretch of neighbours."""
_FEWEST_CLUSTERS = 30
"""So many are looked at where there are as many; of larger ones then some rows each."""
_MOST_VARIABLES = 40
_MOST_LEVELS = 20
_STRETCHES = 8
_MOST_COMPARED, _CLASSES = 120, 10
"""Variables in which copies are compared, and classes of the values of one."""


@dataclass(frozen=True)
class Relation:
    """Why rows may not be independent of each other.

    Attributes
    ----------
    kind : "rows-together", "copied-rows" or "row-order"
    column : whose values the rows share, "" where it is no column
    values : different values that rows have, or different rows
    fewest, most : rows of each
    rows : rows that have company: they share the value, or are equal to another one
    p : of the test; nan where there is none
    """

    kind: str
    column: str = ""
    values: int = 0
    fewest: int = 0
    most: int = 0
    rows: int = 0
    p: float = float("nan")

    @property
    def key(self) -> str:
        """The key of the decision about it, as `engine.decisions` has it."""
        return f"{self.kind}:{self.column}"


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows to be looked at.

    Attributes
    ----------
    names : of the p variables
    codes : (p, n);  arity : (p,) number of levels
    finer : (n,) of each variable the values before they were cut into intervals, None where these are the codes
    group : (n,) codes of the column with the role of the group, None where there is none
    worth : the number that each code (the finer one where there is one) stands for, None where it stands for none
    """

    names: Sequence[str]
    codes: np.ndarray
    arity: np.ndarray
    finer: Sequence[np.ndarray | None]
    group: np.ndarray | None
    worth: Sequence[np.ndarray | None] = ()


def find_relations(rows: Rows, context: RowContext, settled: Collection[str]) -> tuple[Relation, ...]:
    """Relations between rows, those that are settled left out."""
    result: list[Relation] = []
    with one_blas_thread():
        copies = _copies(rows) if f"{COPIES}:" not in settled and not context.counted else []
        for name, values in context.columns.items():  # in copies everything is alike
            if f"{CLUSTERS}:{name}" not in settled and not (copies and name in context.owners):
                result += _clusters(rows, name, values, context)
        result += copies
        if f"{ORDER}:" not in settled and not context.counted and context.ordered:
            result += _order(rows, [context.columns[item.column] for item in result if item.column])
    return tuple(result)


def _clusters(rows: Rows, name: str, values: np.ndarray, context: RowContext) -> list[Relation]:
    """Relations of rows that are alike as they have one value of a column; of an owner that is known."""
    columns = context.columns
    number = np.where(values < 0, -1, values)
    have = number[number >= 0]
    each = np.bincount(have)
    each = each[each > 0]
    if len(each) < 2 or int(each.max()) < 2:
        return []
    company = int(each[each > 1].sum())
    if name in context.owners:
        return [Relation(CLUSTERS, name, len(each), int(each.min()), int(each.max()), company)]
    at = _whole_clusters(number)
    number = number[at]
    some = [i for i in _few(rows) if rows.names[i] not in columns and rows.names[i] != name]
    if not names_person(name):  # a region is one in a ward, and says nothing of whether the rest is alike there
        some = [i for i in some if not _constant(rows.codes[i][at], number)]
    if not some:
        return []
    codes, arity = _compact(rows.codes[some][:, at])
    group = None if rows.group is None else rows.group[at]
    result = within_values(codes, arity, number, group)
    if result.p > _LEVEL / max(len(columns), 1):
        return []
    return [Relation(CLUSTERS, name, len(each), int(each.min()), int(each.max()), company, result.p)]


def _copies(rows: Rows) -> list[Relation]:
    some = [i for i, levels in enumerate(rows.arity.tolist()) if levels > 1]
    some = [some[k] for k in np.unique(np.linspace(0, len(some) - 1, _MOST_COMPARED).astype(np.int64))] if some else []
    if not some:
        return []
    finer = [rows.finer[i] for i in some]
    exact = [rows.codes[i] if values is None else values for i, values in zip(some, finer, strict=True)]
    result = copied_rows(np.array([_coarse(_dense(item)) for item in exact]), exact)
    if result.beyond_chance and not result.all_alike:  # what others determine makes rows equal for nothing
        worth = [rows.worth[i] for i in some] if rows.worth else [None] * len(some)
        exact = [exact[i] for i in undetermined(exact, worth)]
        result = copied_rows(np.array([_coarse(_dense(item)) for item in exact]), exact)
    if not result.beyond_chance:
        return []
    return [Relation(COPIES, "", result.different, result.fewest, result.most, result.doubled)]


def _coarse(values: np.ndarray) -> np.ndarray:
    """Values in at most ten classes."""
    many = int(values.max(initial=0)) + 1
    return values * _CLASSES // many if many > _CLASSES else values


def _order(rows: Rows, clusters: Sequence[np.ndarray]) -> list[Relation]:
    """The relation of rows that are like the next one, beyond clusters; of many rows stretches are looked at."""
    n = rows.codes.shape[1]
    at, stretch = np.arange(n), np.zeros(n, dtype=np.int64)
    if n > _MOST_ROWS:
        size = _MOST_ROWS // _STRETCHES
        starts = np.linspace(0, n - size, _STRETCHES).astype(np.int64)
        at = (starts[:, None] + np.arange(size)).ravel()
        stretch = np.repeat(np.arange(_STRETCHES), size)
    strata = stretch if rows.group is None else stretch * (int(rows.group.max()) + 1) + rows.group[at]
    # what is sorted by a variable is alike for that, and may not be inside its levels; so with clusters
    for values in (*_sorted_by(rows), *(_dense(cluster + 1) for cluster in clusters)):
        strata = np.unique(strata * (int(values.max()) + 1) + values[at], return_inverse=True)[1]
    codes, arity = _compact(rows.codes[_few(rows)][:, at])
    result = side_by_side(codes, arity, strata) if len(codes) else None
    if result is None or result.p > _ORDER_LEVEL or result.extent < _LEAST_EXTENT:
        return []
    return [Relation(ORDER, rows=n, p=result.p)]


def _sorted_by(rows: Rows) -> list[np.ndarray]:
    """Variables by which the table is sorted, in ten classes at most: they only rise, or only fall."""
    result = []
    for codes, values in zip(rows.codes, rows.finer, strict=True):
        line = codes if values is None else values
        step = line[1:].astype(np.int64) - line[:-1]
        if step.any() and ((step >= 0).all() or (step <= 0).all()):
            result.append(_coarse(_dense(line)))
    return result


def _few(rows: Rows) -> list[int]:
    """Positions of the variables that are looked at: of many, some evenly spread ones."""
    some = [i for i, levels in enumerate(rows.arity.tolist()) if 2 <= levels <= _MOST_LEVELS]
    if len(some) > _MOST_VARIABLES:
        some = [some[k] for k in np.linspace(0, len(some) - 1, _MOST_VARIABLES).astype(np.int64)]
    return some


def _whole_clusters(number: np.ndarray) -> np.ndarray:
    """The rows that are looked at: of whole clusters, drawn with a fixed seed, until they are enough."""
    n = len(number)
    if n <= _MOST_ROWS:
        return np.arange(n)
    generator = np.random.default_rng(0)
    each = np.bincount(number[number >= 0])
    order = generator.permutation(len(each))
    many = int(np.searchsorted(np.cumsum(each[order]), _MOST_ROWS)) + 1
    chosen = np.zeros(len(each) + 1, dtype=bool)
    chosen[order[: max(many, _FEWEST_CLUSTERS)]] = True
    at = np.flatnonzero(chosen[number])  # -1 is the last, which is never chosen
    return at if len(at) <= 2 * _MOST_ROWS else np.sort(generator.permutation(at)[:_MOST_ROWS])


def _constant(codes: np.ndarray, number: np.ndarray) -> bool:
    """True where a variable has one level in every cluster."""
    have = number >= 0
    pairs = np.unique(number[have].astype(np.int64) * (int(codes.max(initial=0)) + 1) + codes[have])
    return len(pairs) == len(np.unique(number[have]))


def _compact(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Codes without levels that no row has, of the variables that have two or more, and their numbers of levels."""
    dense = [_dense(code) for code in codes]
    dense = [item for item in dense if item.max(initial=0) > 0]
    if not dense:
        return np.zeros((0, codes.shape[1]), dtype=np.int64), np.zeros(0, dtype=np.int64)
    result = np.array(dense)
    return result, result.max(axis=1).astype(np.int64) + 1


def _dense(values: np.ndarray) -> np.ndarray:
    """Numbers from 0 without a hole."""
    present = np.bincount(values) > 0
    return (np.cumsum(present) - 1)[values]


FEWEST = 6
"""Subjects below which nothing is said, unless most rows are of none."""
LEAST_WORTH = 3.0
"""Subjects of one size that unlike ones have to be worth: else a few of them have nearly all rows."""


class SubjectCount(NamedTuple):
    """Subjects of some rows.

    Attributes
    ----------
    subjects : how many there are
    alone, rows : rows without a subject, each its own; all rows
    worth : (sum of m)^2 / sum of m^2 over subjects of m rows: subjects of one size that would be as many
    """

    subjects: int
    alone: int
    rows: int
    worth: float

    @property
    def too_few(self) -> bool:
        """True where so few subjects have the rows that their own differences cannot be separated from others."""
        return self.worth < LEAST_WORTH or (self.subjects < FEWEST and 2 * self.alone < self.rows)

    @property
    def uneven(self) -> bool:
        """True where there are subjects enough, and a few of them have nearly all rows."""
        return self.subjects >= FEWEST and self.worth < LEAST_WORTH

    @classmethod
    def of(cls, sizes: np.ndarray, named: np.ndarray) -> SubjectCount:
        """From the rows of each cluster, and whether it is a subject; else each of its rows is one by itself."""
        squares = float((sizes.astype(float) ** 2).sum())
        subjects, alone = int(((sizes > 0) & named).sum()), int(sizes[~named].sum())
        return cls(subjects, alone, int(sizes.sum()), float(sizes.sum()) ** 2 / max(squares, 1.0))


def count_subjects(clusters: np.ndarray, named: np.ndarray) -> SubjectCount:
    """Count the subjects of some rows."""
    sizes = np.bincount(clusters)
    return SubjectCount.of(sizes, np.bincount(clusters, named, len(sizes)) > 0)

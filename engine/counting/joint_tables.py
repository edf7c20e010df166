"""Joint tables of many sets of variables in one pass: what every family of a comparison is scored from.

Rows are counted that have a combination of levels none of which is its variable's last. The cells with a last level
follow by subtraction from the sets that lack its variable, so each set costs a half or less of the cells it has.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

import numpy as np

from engine.counting.blocks import VariableSets, rows_of_sets
from engine.counting.requests import WORD
from engine.counting.subset_store import SubsetStore, totals_together
from engine.data.dataset import Dataset

Variables = tuple[int, ...]


def joint_tables(parts: Sequence[Dataset], sets: Iterable[Variables]) -> list[dict[Variables, np.ndarray]]:
    """Count the rows with each combination of levels of some variables.

    Parameters
    ----------
    parts : data sets of the same variables; where they are parts of one store, all in one pass over it
    sets : positions of variables, rising

    Returns
    -------
    for each data set: variables -> (r, s, ...) int64 counts
    """
    wanted = sorted({tuple(item) for item in sets})
    closed = sorted(
        {some for item in wanted for k in range(1, len(item) + 1) for some in itertools.combinations(item, k)}
    )
    arity = parts[0].arity
    variable_sets = _variable_sets(closed, arity)
    work = WORD * float(variable_sets.cells)
    stores = [part.store for part in parts]
    if all(isinstance(store, SubsetStore) for store in stores):
        counted = totals_together(stores, rows_of_sets, [variable_sets], work)  # type: ignore[arg-type]
    else:
        counted = [store.totals(rows_of_sets, [variable_sets], work) for store in stores]
    begins = dict(zip(closed, variable_sets.begins.tolist(), strict=True))
    return [_tables(wanted, begins, arity, own[0], part.n_rows) for own, part in zip(counted, parts, strict=True)]


def _variable_sets(closed: Sequence[Variables], arity: np.ndarray) -> VariableSets:
    sizes = np.array([len(item) for item in closed], dtype=np.int64)
    members = np.zeros((len(closed), int(sizes.max(initial=1))), dtype=np.int64)
    for line, item in zip(members, closed, strict=True):
        line[: len(item)] = item
    lengths = np.array([math.prod(int(arity[x]) - 1 for x in item) for item in closed], dtype=np.int64)
    return VariableSets(members, sizes, np.cumsum(lengths) - lengths, int(lengths.sum()))


def _tables(
    sets: Sequence[Variables], begins: dict[Variables, int], arity: np.ndarray, counts: np.ndarray, n_rows: int
) -> dict[Variables, np.ndarray]:
    """All cells of each set; sets of the same shape together."""
    by_shape: dict[Variables, list[Variables]] = {}
    for item in sets:
        by_shape.setdefault(tuple(int(arity[x]) for x in item), []).append(item)
    result: dict[Variables, np.ndarray] = {}
    for shape, alike in by_shape.items():
        tables = np.empty((len(alike), *shape), dtype=np.int64)
        for chosen in itertools.product((False, True), repeat=len(shape)):  # a last level stands for all levels first
            inner = tuple(r - 1 for r, own in zip(shape, chosen, strict=True) if own)
            cells = (slice(None), *(slice(0, r - 1) if own else r - 1 for r, own in zip(shape, chosen, strict=True)))
            if not inner:
                tables[cells] = n_rows
                continue
            first = np.array([begins[tuple(itertools.compress(item, chosen))] for item in alike], dtype=np.int64)
            tables[cells] = counts[first[:, None] + np.arange(math.prod(inner))].reshape(len(alike), *inner)
        for axis in range(1, len(shape) + 1):
            levels = np.moveaxis(tables, axis, 0)
            levels[-1] -= levels[:-1].sum(axis=0)
        result.update(zip(alike, tables, strict=True))
    return result

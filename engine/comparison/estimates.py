"""The rows of the groups that are compared, and one signed number a pair of variables with what each row adds to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.data.dataset import Dataset
from engine.data.preparing.variables import Numbers

LEAST_VARIANCE = 1e-8


@dataclass(frozen=True, eq=False)
class GroupRows:
    """The rows of one group, ordered so that neither the order of rows nor that of columns changes a draw.

    Attributes
    ----------
    codes : (p, n) unsigned codes of the variables, which are in the order of their names
    levels : (p,) how many each can have
    unit : (n,) which unit a row is of, numbered over all groups: itself, or its subject
    units : (u,) the numbers of the units that have rows here
    """

    codes: np.ndarray
    levels: np.ndarray
    unit: np.ndarray
    units: np.ndarray

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return int(self.codes.shape[1])

    def by_unit(self, influence: np.ndarray) -> np.ndarray:
        """(q, n) influences of rows, added up to (q, u) of units."""
        place = np.searchsorted(self.units, self.unit)
        order = np.argsort(place, kind="stable")
        starts = np.concatenate([[0], np.flatnonzero(np.diff(place[order])) + 1])
        result: np.ndarray = np.add.reduceat(influence[:, order], starts, axis=1)
        return result


@dataclass(frozen=True, eq=False)
class Estimates:
    """The numbers of one group.

    Attributes
    ----------
    value : (q,) the estimates
    influence : (q, u) what each unit adds, times units / (units - used) in squares: a draw of the error is its product
        with u standard normals
    units : (u,) the units, numbered over all groups
    freedom : units that are left once the estimates have used theirs
    """

    value: np.ndarray
    influence: np.ndarray
    units: np.ndarray
    freedom: int

    @classmethod
    def of(cls, value: np.ndarray, influence: np.ndarray, rows: GroupRows, used: int) -> Estimates:
        """From the influences of units."""
        units = len(rows.units)
        freedom = max(units - used, 1)
        return cls(value, influence * np.sqrt(units / freedom), rows.units, freedom)

    @property
    def variance(self) -> np.ndarray:
        """(q,) of the estimates."""
        result: np.ndarray = np.maximum(np.einsum("qu,qu->q", self.influence, self.influence), LEAST_VARIANCE)
        return result


def group_rows(parts: Sequence[Dataset], names: Sequence[str]) -> list[GroupRows]:
    """The rows of every group over the same variables."""
    whole = pooled(parts)
    label = np.repeat(np.arange(len(parts)), [part.n_rows for part in parts])
    codes = np.concatenate([part.codes_of([part.index(name) for name in names]) for part in parts], axis=1)
    levels = np.array([len(whole.levels[name]) for name in names], dtype=np.int64)
    order = np.lexsort([*codes[::-1], label]) if len(names) else np.argsort(label, kind="stable")
    clusters = whole.clusters
    unit = np.arange(len(label)) if clusters is None else _numbered(clusters[order], codes[:, order], label[order])
    result = []
    for group in range(len(parts)):
        rows = np.flatnonzero(label[order] == group)
        own = unit[rows]
        result.append(GroupRows(np.ascontiguousarray(codes[:, order[rows]]), levels, own, np.unique(own)))
    return result


def _numbered(clusters: np.ndarray, codes: np.ndarray, label: np.ndarray) -> np.ndarray:
    """Clusters numbered by what their rows hold, which stand in order, not by where they are in the table."""
    rows = np.vstack([label, codes]).astype(np.uint32)
    order = np.argsort(clusters, kind="stable")
    ends = np.flatnonzero(np.diff(clusters[order])) + 1
    contents = [rows[:, own].T.tobytes() for own in np.split(order, ends)]
    number = np.empty(len(contents), dtype=np.int64)
    number[sorted(range(len(contents)), key=contents.__getitem__)] = np.arange(len(contents))
    result: np.ndarray = number[np.unique(clusters, return_inverse=True)[1]]
    return result


def pooled(parts: Sequence[Dataset]) -> Dataset:
    """All rows of the groups as one data set, group by group."""
    names = [name for name in parts[0].names if all(name in part for part in parts)]
    parts = [part.select(names) for part in parts]
    first = parts[0]
    steps = first.steps
    if steps is not None and all(part.steps is not None for part in parts):
        own = [part.steps for part in parts if part.steps is not None]
        subject, owner, step = (
            np.concatenate([getattr(item, name) for item in own]) for name in ("subject", "owner", "step")
        )
        steps = replace(steps, subject=subject, owner=owner, step=step)
    numbers = {
        name: _joined([part.numbers[name] for part in parts])
        for name in first.numbers
        if all(name in part.numbers for part in parts)
    }
    codes = np.concatenate([part.codes for part in parts], axis=1)
    origin = np.concatenate([part.origin for part in parts])
    return first.with_codes(codes, origin=origin, numbers=numbers, steps=steps)


def _joined(parts: Sequence[Numbers]) -> Numbers:
    first = parts[0]
    if all(part.values is first.values or np.array_equal(part.values, first.values, equal_nan=True) for part in parts):
        return Numbers(first.values, np.concatenate([part_value.places for part_value in parts]))
    column = np.concatenate([numbers.column for numbers in parts])
    known = np.unique(column[~np.isnan(column)])
    positions = np.where(np.isnan(column), len(known), np.searchsorted(known, column))
    return Numbers(np.append(known, np.nan), positions.astype(np.uint32))

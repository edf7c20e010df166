"""Rows that belong together in a comparison of two groups.

A unit is the rows of one cluster (patient, clinic, school) in one group. Where the group is one and the same in most
clusters, rows of a unit weigh less the more alike they are, family by family; where it varies inside most, counts are
divided by the family's design effect. Whether rows are in memory or only counted, the same is added up in the same
order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from engine.counting.backend import kernels
from engine.counting.blocks import SubjectCells, cell_codes, cells_of_subjects
from engine.counting.subset_store import SubsetStore, totals_together
from engine.data.rows.relations import SubjectCount
from engine.data.store import Cells
from engine.methods.fitting import check_that
from engine.methods.storing import storable
from engine.resampling import units_of, vary_inside

MOST_BYTES = 256 << 20
"""Bytes that counts by unit may take at a time."""
_BYTES = 48
"""Of one cell of one unit while it is counted."""

Family = tuple[int, tuple[int, ...]]


class UnitRows(NamedTuple):
    """Rows by unit, as kernels take them.

    Attributes
    ----------
    codes, arity : (n, N) codes of some variables; (n,) levels
    times : (N,) how many rows each stands for
    begins : (m + 1,) where each unit begins
    child, parents : which of the variables
    """

    codes: np.ndarray
    arity: np.ndarray
    times: np.ndarray
    begins: np.ndarray
    child: int
    parents: tuple[int, ...]


class UnitCells(NamedTuple):
    """The rows of every unit in the cells of one family, those that have some.

    Attributes
    ----------
    unit, values : (E,) unit, and level of the child
    configurations : (k, E) codes of the parents
    times : (E,) rows
    """

    unit: np.ndarray
    values: np.ndarray
    configurations: np.ndarray
    times: np.ndarray


@dataclass(frozen=True, eq=False)
class Clusters(ABC):
    """The clusters of the rows of two groups.

    Attributes
    ----------
    arity : (n,) levels
    sizes, second, cluster, named : (m,) of each unit, the first group's before the second's and each group's by
        cluster: its rows, 1 where it is of the second group and else 0, its cluster (numbers from 0), and whether that
        is known
    crossing : whether the group varies inside most clusters
    """

    arity: np.ndarray
    sizes: np.ndarray
    second: np.ndarray
    cluster: np.ndarray
    named: np.ndarray
    crossing: bool

    @abstractmethod
    def rows(self, child: int, parents: tuple[int, ...]) -> UnitRows:
        """The rows by unit, with at least the variables of a family."""

    @abstractmethod
    def score(
        self, child: int, members: np.ndarray, sizes: np.ndarray, alphas: np.ndarray, out: tuple[np.ndarray, ...]
    ) -> int:
        """Score the families of one child as `cluster_families` does, which fills `out`."""

    def ask(self, families: Iterable[Family]) -> None:  # noqa: B027  # rows in memory need not be counted beforehand
        """Say which families are looked at next."""

    def spread(self, child: int, parents: tuple[int, ...]) -> tuple[float, float]:
        """The intraclass correlation of a variable given its parents, and the design effect of its difference."""
        rows = self.rows(child, parents)
        given = np.array(rows.parents, dtype=np.int64)
        about = rows.begins, self.sizes, self.second, self.cluster
        result: tuple[float, float] = kernels().cluster_spread(
            rows.codes, rows.times, rows.arity, rows.child, given, *about
        )
        return result

    @cached_property
    def effect(self) -> float:
        """The mean design effect of the variables without parents: one for all, or it would choose between arcs."""
        self.ask((i, ()) for i in range(len(self.arity)))
        return float(np.mean([self.spread(i, ())[1] for i in range(len(self.arity))]))

    def weights(self, child: int, parents: tuple[int, ...]) -> np.ndarray:
        """(m,) what each row of a unit counts in a family."""
        icc, effect = self.spread(child, parents)
        return np.full(len(self.sizes), 1 / effect) if self.crossing else 1 / (1 + (self.sizes - 1) * icc)

    def cells(self, child: int, parents: tuple[int, ...]) -> UnitCells:
        """The rows of every unit in the cells of a family, by unit, configuration and level."""
        rows = self.rows(child, parents)
        unit = np.repeat(np.arange(len(self.sizes)), np.diff(rows.begins))
        columns = [unit, *(rows.codes[x].astype(np.int64) for x in (*rows.parents, rows.child))]
        order = np.lexsort(columns[::-1])
        table = np.stack(columns)[:, order]
        new = np.append(True, (table[:, 1:] != table[:, :-1]).any(axis=0))[: len(order)]
        begins = np.flatnonzero(new)
        times = np.add.reduceat(rows.times[order], begins)
        return UnitCells(table[0, begins], table[-1, begins], table[1:-1, begins], times)

    def _fill(
        self, rows: UnitRows, members: np.ndarray, sizes: np.ndarray, alphas: np.ndarray, out: tuple[np.ndarray, ...]
    ) -> int:
        units = rows.begins, self.sizes, self.second, self.cluster
        asked = rows.codes, rows.times, rows.arity, rows.child, members, sizes, alphas
        return int(kernels().cluster_families(*asked, units, self.effect, self.crossing, *out))


@dataclass(frozen=True, eq=False)
class MemoryClusters(Clusters):
    """Clusters of rows in memory.

    Attributes
    ----------
    codes : (n, N) codes with the first group's rows first, in each group by cluster
    """

    codes: np.ndarray

    @classmethod
    def of(
        cls, codes: np.ndarray, arity: np.ndarray, inside: np.ndarray, clusters: np.ndarray, named: np.ndarray
    ) -> MemoryClusters:
        """Sort the rows by group and cluster."""
        number = np.unique(clusters, return_inverse=True)[1]
        order = np.lexsort((number, ~inside))
        of, group = number[order], inside[order]
        begins = np.flatnonzero(np.append(True, (of[1:] != of[:-1]) | (group[1:] != group[:-1])))
        sizes, second = np.diff(np.append(begins, len(of))), (~group[begins]).astype(np.int64)
        about = arity.astype(np.int64), sizes, second, of[begins], named[order][begins]
        return cls(*about, units_of(inside, number).inside, np.ascontiguousarray(codes[:, order]))

    @cached_property
    def _times(self) -> np.ndarray:
        return np.ones(self.codes.shape[1], dtype=np.int64)

    @cached_property
    def _begins(self) -> np.ndarray:
        return np.concatenate([[0], np.cumsum(self.sizes)])

    def rows(self, child: int, parents: tuple[int, ...]) -> UnitRows:
        """See `Clusters.rows`: all of them, one by one."""
        return UnitRows(self.codes, self.arity, self._times, self._begins, child, parents)

    def score(
        self, child: int, members: np.ndarray, sizes: np.ndarray, alphas: np.ndarray, out: tuple[np.ndarray, ...]
    ) -> int:
        """See `Clusters.score`."""
        return self._fill(self.rows(child, ()), members, sizes, alphas, out)


@dataclass(frozen=True, eq=False)
class CountedClusters(Clusters):
    """Clusters of rows that are only counted: tables of the rows of each unit, some at a time.

    Attributes
    ----------
    parts : the rows of the two groups, with the bits of each row's number after the variables
    bits, number : see `engine.data.subjects.CountedSubjects`, numbers of clusters that neither group has at the end
    """

    parts: tuple[SubsetStore, SubsetStore]
    bits: tuple[int, ...]
    number: np.ndarray

    @classmethod
    def of(
        cls, parts: tuple[SubsetStore, SubsetStore], variables: int, number: np.ndarray, named: np.ndarray
    ) -> CountedClusters | None:
        """Count the rows of every unit in one pass; None where no two rows of the groups belong together."""
        bits = tuple(range(variables, len(parts[0].arity)))
        asked = [SubjectCells((), bits, number)]
        counted: list[Cells] = [own[0] for own in totals_together(list(parts), cells_of_subjects, asked)]
        rows = np.zeros((len(named), 2), dtype=np.int64)
        for g, cells in enumerate(counted):
            rows[cells.keys[:, 0], g] = cells.counts
        there = rows.sum(axis=1) > 0
        if rows.sum(axis=1).max() < 2:
            return None
        dense = np.where(there, np.cumsum(there) - 1, int(there.sum()))
        of = [np.flatnonzero(rows[there, g]) for g in (0, 1)]
        second = np.repeat(np.arange(2), [len(own) for own in of])
        cluster = np.concatenate(of)
        about = parts[0].arity[:variables], rows[there][cluster, second], second, cluster, named[there][cluster]
        return cls(*about, vary_inside(rows[there]), parts, bits, dense[number])

    @cached_property
    def _known(self) -> dict[tuple[int, ...], UnitCells]:
        return {}

    @cached_property
    def _unit(self) -> np.ndarray:
        """(2, clusters) the unit of each cluster in either group."""
        result = np.zeros((2, int(self.cluster.max()) + 1), dtype=np.int64)
        result[self.second, self.cluster] = np.arange(len(self.cluster))
        return result

    def _room(self, variables: Iterable[int]) -> int:
        """Bytes that the table of some variables takes at the most."""
        cells = float(np.prod(self.arity[list(variables)], dtype=float))
        return int(_BYTES * min(len(self.sizes) * cells, float(self.sizes.sum())))

    def ask(self, families: Iterable[Family]) -> None:
        """Count the families that are not known, as many as there is room for; what was known before goes first."""
        sets = dict.fromkeys(tuple(sorted((child, *parents))) for child, parents in families)
        new = [subset for subset in sets if subset not in self._known]
        if not new:
            return
        for least, but in ((sum(map(self._room, new)), sets), (self._room(new[0]), ())):
            if least + sum(map(self._room, self._known)) > MOST_BYTES:
                for subset in [subset for subset in self._known if subset not in but]:
                    del self._known[subset]
        left = MOST_BYTES - sum(map(self._room, self._known))
        taken: list[tuple[int, ...]] = []
        for subset in new:
            left -= self._room(subset)
            if left < 0 and taken:
                break
            taken.append(subset)
        asked = [SubjectCells(subset, self.bits, self.number) for subset in taken]
        first, second = totals_together(list(self.parts), cells_of_subjects, asked)
        for subset, *counted in zip(taken, first, second, strict=True):
            self._known[subset] = self._joined(subset, counted)

    def _joined(self, variables: tuple[int, ...], counted: Sequence[Cells]) -> UnitCells:
        arity = [int(self.number.max(initial=0)) + 1, *(int(self.arity[x]) for x in variables)]
        codes = [cell_codes(cells.keys, arity) for cells in counted]
        unit = np.concatenate([self._unit[g, own[0]] for g, own in enumerate(codes)])
        table = np.concatenate([own[1:] for own in codes], axis=1)
        times = np.concatenate([cells.counts for cells in counted])
        return UnitCells(unit, table[-1], table, times)

    def _batches(self, families: Sequence[Family]) -> Iterator[Sequence[Family]]:
        """Families in parts that there is room for at the same time."""
        begin, room = 0, 0
        for place, (child, parents) in enumerate(families):
            own = self._room((child, *parents))
            if room + own > MOST_BYTES and place > begin:
                yield families[begin:place]
                begin, room = place, 0
            room += own
        yield families[begin:]

    def rows(self, child: int, parents: tuple[int, ...]) -> UnitRows:
        """See `Clusters.rows`: equal ones of a unit once."""
        subset = tuple(sorted((child, *parents)))
        self.ask([(child, parents)])
        known = self._known[subset]
        axes = [subset.index(x) for x in (child, *parents)]
        begins = np.searchsorted(known.unit, np.arange(len(self.sizes) + 1))
        codes = np.ascontiguousarray(known.configurations[axes])
        return UnitRows(codes, self.arity[[child, *parents]], known.times, begins, 0, tuple(range(1, len(axes))))

    def score(
        self, child: int, members: np.ndarray, sizes: np.ndarray, alphas: np.ndarray, out: tuple[np.ndarray, ...]
    ) -> int:
        """See `Clusters.score`."""
        scores, starts, factors = out
        starts[0] = used = k = 0
        own_starts = np.empty(2, dtype=np.int64)
        families = [(child, tuple(own[:size])) for own, size in zip(members.tolist(), sizes.tolist(), strict=True)]
        for batch in self._batches(families):
            self.ask(batch)
            for _, parents in batch:
                rows = self.rows(child, parents)
                some = scores[k : k + 1], own_starts, factors[used:]
                given = np.array([rows.parents], dtype=np.int64)
                used += self._fill(rows, given, sizes[k : k + 1], alphas[k : k + 1], some)
                k += 1
                starts[k] = used
        return used


@storable
@dataclass(frozen=True)
class ClusterFacts:
    """Facts of rows that belong together.

    Attributes
    ----------
    name : the column that says which do
    counts : named clusters in the first group and in the second
    alone : rows of both groups that nothing says the cluster of, each its own
    too_few : whether a group has so few clusters, or nearly all its rows in so few, that nothing can be said
    both : clusters in both groups
    effect : the design effect that scores are divided by
    crossing : whether the group varies inside most clusters
    """

    name: str
    counts: tuple[int, int]
    alone: int
    too_few: bool
    both: int
    effect: float
    crossing: bool

    @classmethod
    def of(cls, name: str, clusters: Clusters) -> ClusterFacts:
        """Count them."""
        parts = clusters.second == 0, clusters.second == 1
        counted = [SubjectCount.of(clusters.sizes[part], clusters.named[part]) for part in parts]
        subjects = counted[0].subjects, counted[1].subjects
        alone, too_few = sum(part.alone for part in counted), any(part.too_few for part in counted)
        both = len(np.intersect1d(*(clusters.cluster[part] for part in parts)))
        return cls(name, subjects, alone, too_few, both, clusters.effect, clusters.crossing)

    def _check_read(self) -> None:
        check_that(min(self.counts) >= 0 and self.effect >= 1, "clusters do not fit")

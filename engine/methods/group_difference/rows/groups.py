"""The two groups over the same variables and levels, and their rows that belong together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from engine import words
from engine.counting.requests import family_table, level_counts
from engine.counting.subset_store import RowSubset, SubsetStore
from engine.data.dataset import Dataset
from engine.data.subjects import BITS
from engine.errors import DataError
from engine.methods.group_difference.numbers.recorded import Recorded, record_alike
from engine.methods.group_difference.numbers.scales import MANY_ROWS, Scales
from engine.methods.group_difference.rows.clusters import Clusters, CountedClusters, MemoryClusters
from engine.methods.group_difference.rows.counted_groups import CountedGroups
from engine.methods.group_difference.rows.fine_groups import FineGroups
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.group_pair import REST
from engine.resampling import bootstrap, deal
from engine.scores.dirichlet import K2
from engine.text import Level, first, told


@dataclass(frozen=True, eq=False)
class SubjectRows:
    """The rows of two groups that are only counted, with whose they are.

    Attributes
    ----------
    parts : rows of either group, with the bits of each row's number after the variables
    number, named : see `engine.data.subjects.CountedSubjects`
    """

    parts: tuple[SubsetStore, SubsetStore]
    number: np.ndarray
    named: np.ndarray

    def selected(self, positions: list[int]) -> SubjectRows:
        """The same rows of some variables."""
        every = [*positions, *range(len(self.parts[0].arity) - BITS, len(self.parts[0].arity))]
        first, second = (part.select(every) for part in self.parts)
        return SubjectRows((first, second), self.number, self.named)


@dataclass(frozen=True, eq=False)
class Groups:
    """The two groups over the same variables and levels.

    Attributes
    ----------
    labels : what the two groups are called
    first, second, pooled : their data; levels that neither group has are gone
    dropped : name -> levels that were declared, or belong to other groups, but neither of the two has
    inside : (n,) which of the pooled rows are the first group's; none where rows are only counted
    cluster : (n,) numbers that pooled rows which belong together share; None where each row is by itself
    named : (n,) whether what a pooled row belongs to is known
    subjects : the same where rows are only counted
    tables : families of the pooled rows that were counted; shuffled labels leave them as they are
    recording, set_aside : see `engine.methods.group_difference.numbers.recorded.Recorded`
    fine : their numbers, where families are only counted
    """

    labels: tuple[str, str]
    first: Dataset
    second: Dataset
    pooled: Dataset
    dropped: dict[str, tuple[str, ...]]
    inside: np.ndarray
    cluster: np.ndarray | None = None
    named: np.ndarray | None = None
    subjects: SubjectRows | None = None
    tables: dict[tuple[int, tuple[int, ...]], tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    recording: tuple[str, ...] = ()
    set_aside: Mapping[str, str] = field(default_factory=dict)
    fine: FineGroups | None = None
    _scales: dict[bool, Scales] = field(default_factory=dict)

    @cached_property
    def counted(self) -> CountedGroups | None:
        """Tables of both groups, where rows are only counted."""
        return None if self.pooled.in_memory else CountedGroups(self.first, self.second)

    def scales(self, method: GroupDifferenceSettings) -> Scales:
        """The scales by which variables are compared: by levels only in the paper's way, under K2 too."""
        by_levels = isinstance(method.score, K2)
        if by_levels not in self._scales:
            counted = self.cluster is None and self.pooled.n_rows >= MANY_ROWS
            rows = self._rows[:0] if counted else self._rows
            self._scales[by_levels] = Scales(self.pooled, rows, by_levels)
        return self._scales[by_levels]

    @cached_property
    def _rows(self) -> np.ndarray:
        """(N,) pooled rows, those of the first group first; none where rows are only counted."""
        return np.concatenate([np.flatnonzero(self.inside), np.flatnonzero(~self.inside)])

    @cached_property
    def unit(self) -> np.ndarray:
        """(N,) the unit of each of `_rows`, as `Clusters` numbers them."""
        if self.cluster is None:
            raise RuntimeError("no rows belong together")
        cluster = self.cluster[self._rows]
        second = np.arange(len(cluster)) >= self.first.n_rows
        return np.unique(second * (cluster.max() + 1) + cluster, return_inverse=True)[1]

    def ask(self, families: Iterable[tuple[int, tuple[int, ...]]]) -> None:
        """Say which families are looked at next, so that those of rows that are far away are counted together."""
        if self.counted is not None:
            self.counted.ask(families)

    def table(self, group: int | None, child: int, parents: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """`family_table` of the first group (0), of the second (1), or of both together (None)."""
        if self.counted is not None:
            return self.counted.table(group, child, parents)
        if group is not None:
            return family_table((self.first, self.second)[group], child, parents)
        if (child, parents) not in self.tables:  # counted once, however often the labels are shuffled
            self.tables[child, parents] = family_table(self.pooled, child, parents)
        return self.tables[child, parents]

    @cached_property
    def clusters(self) -> Clusters | None:
        """Rows that belong together, as kernels take them; None where each row is by itself."""
        if self.subjects is not None:
            return CountedClusters.of(
                self.subjects.parts, self.pooled.n_variables, self.subjects.number, self.subjects.named
            )
        if self.cluster is None:
            return None
        named = np.ones(len(self.inside), dtype=bool) if self.named is None else self.named
        return MemoryClusters.of(self.pooled.codes, self.pooled.arity, self.inside, self.cluster, named)

    def relabelled(self, generator: np.random.Generator) -> Groups:
        """The same rows with the group labels shuffled; whole clusters are dealt, or rows inside them (`deal`)."""
        return self._labelled(self.pooled, deal(self.inside, generator, self.cluster), self.cluster)

    def resampled(self, generator: np.random.Generator) -> Groups:
        """As many rows of either group, drawn from it with replacement; whole clusters where rows belong together."""
        if self.clusters is not None and self.clusters.crossing:
            rows = bootstrap(len(self.inside), generator, self.cluster)
        else:
            parts = [np.flatnonzero(self.inside == first) for first in (True, False)]
            of = [None if self.cluster is None else self.cluster[part] for part in parts]
            drawn = [part[bootstrap(len(part), generator, own)] for part, own in zip(parts, of, strict=True)]
            rows = np.concatenate(drawn)
        cluster = None if self.cluster is None else _drawn_clusters(self.cluster[rows], rows)
        return self._labelled(self.pooled.rows(rows), self.inside[rows], cluster)

    def selected(self, names: Iterable[str]) -> Groups:
        """The same rows of these variables, in this order."""
        wanted = list(names)
        first, second, pooled = (part.select(wanted) for part in (self.first, self.second, self.pooled))
        positions = [self.pooled.index(name) for name in wanted]
        subjects = None if self.subjects is None else self.subjects.selected(positions)
        return Groups(self.labels, first, second, pooled, self.dropped, self.inside, self.cluster, self.named, subjects)

    def _labelled(self, pooled: Dataset, inside: np.ndarray, cluster: np.ndarray | None) -> Groups:
        tables = self.tables if pooled is self.pooled else {}
        first, second = pooled.rows(inside), pooled.rows(~inside)
        return Groups(self.labels, first, second, pooled, self.dropped, inside, cluster, tables=tables)


def _drawn_clusters(cluster: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Clusters of rows drawn with replacement: one that was drawn twice is two."""
    order = np.argsort(rows, kind="stable")
    repetition = np.zeros(len(rows), dtype=np.int64)
    line = rows[order]
    begins = np.maximum.accumulate(np.where(np.append(True, line[1:] != line[:-1]), np.arange(len(line)), 0))
    repetition[order] = np.arange(len(line)) - begins
    return np.asarray(np.unique(np.stack([cluster, repetition]), axis=1, return_inverse=True)[1]).ravel()


def split_groups(method: GroupDifferenceSettings, data: Dataset) -> Groups:
    """The rows of the two groups, without the group column and without levels that neither has."""
    if data.n_variables < 2:
        raise DataError("There is nothing to compare: the table has no variable beside the group column.")
    rows = level_counts(data.select([method.group]))[0]
    levels = data.levels[method.group]
    present = [level for level, many in zip(levels, rows.tolist(), strict=True) if many]
    lost = lost_groups(data, method.group)
    chosen = method.groups
    if chosen is None:
        if len(present) != 2:
            remedy = lost or "Choose two of them, or one to compare with the rest."
            raise DataError(
                f"'{method.group}' has {words.count(len(present), 'level')} with rows ({_quoted(present)}); a "
                f"comparison needs two. {remedy}",
                column=method.group,
            )
        chosen = (present[0], present[1])
    if len(chosen) > 2:
        raise DataError(f"{words.count(len(chosen), 'group')} are named; this is asked of two of them at a time.")
    for level in chosen:
        if level not in levels:
            raise DataError(f"'{method.group}' has no level {level!r}; it has {_quoted(levels)}.", column=method.group)
        if level not in present:
            remedy = lost or "Choose another level."
            raise DataError(f"No row has {method.group} = {level!r}. {remedy}", column=method.group)
    codes = [levels.index(level) for level in chosen]
    if len(codes) == 1 and rows[codes[0]] == data.n_rows:
        raise DataError(f"All rows have {method.group} = {chosen[0]!r}; there is no other group.")
    rest = REST if chosen[0] != REST else f"{REST} (not that level)"
    labels = (chosen[0], chosen[1] if len(chosen) == 2 else rest)
    if not data.in_memory:
        other_codes = codes[1:] or [code for code in range(len(levels)) if code != codes[0]]
        return _split_counted(data, method.group, labels, (codes[:1], other_codes), rows)
    column = data.column(method.group)
    first = column == codes[0]
    second = column == codes[1] if len(codes) == 2 else ~first
    others = data.select(name for name in data.names if name != method.group)
    both, inside = others.rows(first | second), first[first | second]
    recorded = Recorded(both, (), {})
    if method.average == "orders" and not isinstance(method.score, K2):  # the paper's numbers stay as they are
        recorded = record_alike(both, inside, labels)
    both, dropped = recorded.data.without_empty_levels()
    cluster = None if data.clusters is None else data.clusters[first | second]
    if cluster is not None and len(np.unique(cluster)) == len(cluster):
        cluster = None  # no two rows of these groups belong together
    named = None if cluster is None else data.named[first | second]
    parts = labels, both.rows(inside), both.rows(~inside), both, dropped, inside, cluster, named
    fine = None
    if cluster is None and (both.n_rows >= MANY_ROWS or data.fine is not None):
        whole = tuple(data.levels[name] for name in both.names)
        left = tuple(tuple(map(own.index, both.levels[name])) for name, own in zip(both.names, whole, strict=True))
        sides = codes[:1], codes[1:] or [code for code in range(len(levels)) if code != codes[0]]
        fine = FineGroups.of(data, method.group, sides, both.names, left)
    return Groups(*parts, recording=recorded.notes, set_aside=recorded.set_aside, fine=fine)


def _split_counted(
    data: Dataset, group: str, labels: tuple[str, str], codes: tuple[list[int], list[int]], rows: np.ndarray
) -> Groups:
    """The two groups where rows stay where they are, and each of their blocks is asked for its part."""
    names = tuple(name for name in data.names if name != group)
    position, variables = data.index(group), tuple(data.index(name) for name in names)
    every = tuple(tuple(range(int(data.arity[x]))) for x in variables)

    def part(wanted: list[int], left: tuple[tuple[int, ...], ...]) -> Dataset:
        levels = {name: tuple(data.levels[name][k] for k in own) for name, own in zip(names, left, strict=True)}
        subset = RowSubset(position, tuple(wanted), variables, left)
        return data._with(names=names, levels=levels, store=SubsetStore(data.store, subset, int(rows[wanted].sum())))

    seen = [
        first + second
        for first, second in zip(level_counts(part(codes[0], every)), level_counts(part(codes[1], every)), strict=True)
    ]
    left = tuple(tuple(np.flatnonzero(own).tolist()) for own in seen)
    dropped = {
        name: tuple(data.levels[name][k] for k in whole if k not in own)
        for name, whole, own in zip(names, every, left, strict=True)
        if own != whole
    }
    both = [*codes[0], *codes[1]]
    all_rows = not dropped and int(rows[both].sum()) == data.n_rows
    pooled = data.select(names) if all_rows else part(both, left)
    parts, nothing = (part(codes[0], left), part(codes[1], left)), np.zeros(0, dtype=bool)
    fine, subjects = FineGroups.of(data, group, codes, names, left), _subjects_of(data, group, parts)
    return Groups(labels, *parts, pooled, dropped, nothing, subjects=subjects, fine=fine)


def _subjects_of(data: Dataset, group: str, parts: tuple[Dataset, Dataset]) -> SubjectRows | None:
    """The rows of the parts with whose they are; None where nothing says so."""
    of = data.subjects
    if of is None:
        return None
    variables = (*(of.names.index(name) for name in parts[0].names), *of.bits)
    stores = []
    for part in parts:
        own: RowSubset = part.store.subset  # type: ignore[attr-defined]
        levels = (*own.levels, *((0, 1) for _ in of.bits))
        subset = RowSubset(of.names.index(group), own.codes, variables, levels)
        stores.append(SubsetStore(of.store, subset, part.n_rows))
    return SubjectRows((stores[0], stores[1]), of.number, of.named)


def lost_groups(data: Dataset, group: str) -> str:
    """Levels of the group all of whose rows were left out for gaps, as a sentence; "" where there are none."""
    if data.context is None or not data.context.left_out.size:
        return ""
    place, levels = data.index(group), data.levels[group]
    left_out = data.context.left_out[place]
    there = set(np.unique(data.column(group)).tolist())
    lost = [level for code, level in enumerate(levels) if code not in there and (left_out == code).any()]
    if not lost:
        return ""
    named = first(map(Level, map(repr, lost)), 6)
    return told("All rows of {} were left out for gaps; make missing a level, or drop columns.", named)


def _quoted(levels: Iterable[str]) -> str:
    return words.first(map(repr, levels), most=6) or "none"

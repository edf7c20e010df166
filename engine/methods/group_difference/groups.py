"""The two groups over the same variables and levels, and their rows that belong together.

A unit is the rows of one cluster (patient, clinic, school) in one group. Where the group is one and the same in most
clusters, rows of a unit weigh less the more alike they are, family by family; where it varies inside most, counts are
divided by the family's design effect.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from engine import words
from engine.counting.backend import kernels
from engine.counting.requests import family_table, level_counts
from engine.counting.subset_store import RowSubset, SubsetStore
from engine.data.dataset import Dataset
from engine.data.preparing.roles import MOST_CLASSES, propose_group
from engine.data.rows.relations import FEWEST, count_subjects
from engine.errors import DataError
from engine.methods.fitting import check_that
from engine.methods.group_difference.counted_groups import CountedGroups
from engine.methods.group_difference.settings import REST, GroupDifferenceSettings
from engine.methods.storing import storable
from engine.resampling import bootstrap, deal, units_of

_NONE = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Clusters:
    """The clusters of the rows of two groups, in the form in which kernels take them.

    Attributes
    ----------
    codes, arity : (n, N) codes with the first group's rows first, in each group by cluster; (n,) levels
    order : (N,) the pooled row that stands at each place
    split : how many rows are the first group's
    units : (m + 1,) where each unit begins
    cluster : (m,) cluster of each unit, numbers from 0
    crossing : whether the group varies inside most clusters
    """

    codes: np.ndarray
    arity: np.ndarray
    order: np.ndarray
    split: int
    units: np.ndarray
    cluster: np.ndarray
    crossing: bool

    @classmethod
    def of(cls, codes: np.ndarray, arity: np.ndarray, inside: np.ndarray, clusters: np.ndarray) -> Clusters:
        """Sort the rows by group and cluster."""
        number = np.unique(clusters, return_inverse=True)[1]
        order = np.lexsort((number, ~inside))
        of, group = number[order], inside[order]
        begins = np.flatnonzero(np.append(True, (of[1:] != of[:-1]) | (group[1:] != group[:-1])))
        rows = np.ascontiguousarray(codes[:, order]), arity.astype(np.int64), order, int(inside.sum())
        return cls(*rows, np.append(begins, len(of)), of[begins], units_of(inside, number).inside)

    @property
    def sizes(self) -> np.ndarray:
        """(m,) rows of each unit."""
        return np.diff(self.units)

    @cached_property
    def second(self) -> np.ndarray:
        """(m,) 1 where a unit is of the second group, else 0."""
        return (self.units[:-1] >= self.split).astype(np.int64)

    def spread(self, child: int, parents: tuple[int, ...]) -> tuple[float, float]:
        """The intraclass correlation of a variable given its parents, and the design effect of its difference."""
        given = np.array(parents, dtype=np.int64) if parents else _NONE
        about = self.units, self.second, self.cluster
        result: tuple[float, float] = kernels().cluster_spread(self.codes, self.arity, child, given, *about)
        return result

    @cached_property
    def effect(self) -> float:
        """The mean design effect of the variables without parents: one for all, or it would choose between arcs."""
        return float(np.mean([self.spread(i, ())[1] for i in range(len(self.arity))]))

    def weights(self, child: int, parents: tuple[int, ...]) -> np.ndarray:
        """(N,) what each row counts in a family, in the order of the rows here."""
        icc, effect = self.spread(child, parents)
        each = np.full(len(self.sizes), 1 / effect) if self.crossing else 1 / (1 + (self.sizes - 1) * icc)
        return np.repeat(each, self.sizes)


@storable
@dataclass(frozen=True)
class ClusterFacts:
    """What an answer says of rows that belong together.

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
    def of(cls, name: str, clusters: Clusters, named: np.ndarray) -> ClusterFacts:
        """Count them."""
        of, known = np.repeat(clusters.cluster, clusters.sizes), named[clusters.order]
        parts = slice(0, clusters.split), slice(clusters.split, None)
        counted = [count_subjects(of[part], known[part]) for part in parts]
        first, second = (set(of[part].tolist()) for part in parts)
        subjects = counted[0].subjects, counted[1].subjects
        alone, too_few = sum(part.alone for part in counted), any(part.too_few for part in counted)
        return cls(name, subjects, alone, too_few, len(first & second), clusters.effect, clusters.crossing)

    def sentences(self, labels: tuple[str, str]) -> list[str]:
        """How many there are, and how they are counted."""
        name, together = self.name[:40], self.name != words.NEIGHBOURS
        whose = f"Rows with one value of '{name}'" if together else "Neighbouring rows"
        item, other = (words.count(n, "value" if together else "block") for n in self.counts)
        sentences = [f"{whose} count together, not one by one: {item} in {labels[0]}, {other} in {labels[1]}."]
        if self.alone:
            have = "has" if self.alone == 1 else "have"
            sentences.append(f"{words.count(self.alone, 'row')} {have} no '{name}', each counted by itself.")
        if self.crossing:
            sentences.append(
                f"Groups are compared inside '{name}': most of its values ({self.both:,}) have rows in both."
            )
        elif self.both:
            stand = "stands" if self.both == 1 else "stand"
            sentences.append(
                f"{words.count(self.both, 'value')} of '{name}' {stand} in both groups, counted once in each."
            )
        return sentences

    def refusal(self, labels: tuple[str, str]) -> str:
        """Why there is no verdict, as a part of a sentence."""
        n, label = min(zip(self.counts, labels, strict=True), key=lambda pair: pair[0])
        if n >= FEWEST:
            return f"a few of '{self.name[:40]}' have nearly all rows of a group"
        noun = "value" if self.name != words.NEIGHBOURS else "block"
        return f"{label} has {words.count(n, noun)} of '{self.name[:40]}', and {FEWEST} are needed"

    def _check_read(self) -> None:
        check_that(min(self.counts) >= 0 and self.effect >= 1, "clusters do not fit")


def likely_group(data: Dataset) -> str | None:
    """The variable a user most probably wants to compare: the one that has the role, else by its name if it tells."""
    return likely_group_why(data)[0]


def likely_group_why(data: Dataset) -> tuple[str | None, str]:
    """The same with the reason as a sentence: its role first, then what its name is like."""
    chosen = next((name for name, role in data.roles.items() if role == "group" and name in data.names), None)
    if chosen is not None and 2 <= len(data.levels[chosen]) <= MOST_CLASSES:
        return chosen, f"'{chosen[:60]}' has the role of the group on the data page."
    result = propose_group({name: data.levels[name] for name in data.names})
    return result if result is not None else (None, "")


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
    tables : families of the pooled rows that were counted; shuffled labels leave them as they are
    """

    labels: tuple[str, str]
    first: Dataset
    second: Dataset
    pooled: Dataset
    dropped: dict[str, tuple[str, ...]]
    inside: np.ndarray
    cluster: np.ndarray | None = None
    named: np.ndarray | None = None
    tables: dict[tuple[int, tuple[int, ...]], tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)

    @cached_property
    def counted(self) -> CountedGroups | None:
        """Tables of both groups, where rows are only counted."""
        return None if self.pooled.in_memory else CountedGroups(self.first, self.second)

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
        if self.cluster is None:
            return None
        return Clusters.of(self.pooled.codes, self.pooled.arity, self.inside, self.cluster)

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
        return Groups(self.labels, first, second, pooled, self.dropped, self.inside, self.cluster)

    def _labelled(self, pooled: Dataset, inside: np.ndarray, cluster: np.ndarray | None) -> Groups:
        tables = self.tables if pooled is self.pooled else {}
        item, other = pooled.rows(inside), pooled.rows(~inside)
        return Groups(self.labels, item, other, pooled, self.dropped, inside, cluster, tables=tables)


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
    both, dropped = others.rows(first | second).without_empty_levels()
    inside = first[first | second]
    cluster = None if data.clusters is None else data.clusters[first | second]
    if cluster is not None and len(np.unique(cluster)) == len(cluster):
        cluster = None  # no two rows of these groups belong together
    named = None if cluster is None else data.named[first | second]
    return Groups(labels, both.rows(inside), both.rows(~inside), both, dropped, inside, cluster, named)


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
    return Groups(labels, part(codes[0], left), part(codes[1], left), pooled, dropped, np.zeros(0, dtype=bool))


def lost_groups(data: Dataset, group: str) -> str:
    """Levels of the group all of whose rows were left out for gaps, as a sentence; "" where there are none."""
    if data.context is None or not data.context.left_out.size:
        return ""
    place, levels = data.index(group), data.levels[group]
    left_out = data.context.left_out[place]
    there = set(np.unique(data.column(group)).tolist())
    lost = [level for code, level in enumerate(levels) if code not in there and (left_out == code).any()]
    return f"All rows of {_quoted(lost)} were left out for gaps; make missing a level, or drop columns." if lost else ""


def _quoted(levels: Iterable[str]) -> str:
    return words.first(map(repr, levels), most=6) or "none"

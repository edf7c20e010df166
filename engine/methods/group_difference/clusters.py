"""Rows that belong together in a comparison: their units, what they count, and whether there are enough of them.

A unit is the rows of one cluster (patient, clinic, school) in one group. Where the group is one and the same in most
clusters, rows of a unit weigh less the more alike they are, family by family; where it varies inside most, counts are
divided by the family's design effect.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine import words
from engine.counting import kernels
from engine.data.rows.subjects import FEWEST, count_subjects
from engine.methods.fitting import check_that
from engine.methods.storing import storable
from engine.resampling import units_of

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
        return cls(
            np.ascontiguousarray(codes[:, order]),
            arity.astype(np.int64),
            order,
            int(inside.sum()),
            np.append(begins, len(of)),
            of[begins],
            units_of(inside, number).inside,
        )

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
        found: tuple[float, float] = kernels().cluster_spread(self.codes, self.arity, child, given, *about)
        return found

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
        return cls(
            name,
            (counted[0].subjects, counted[1].subjects),
            sum(part.alone for part in counted),
            any(part.too_few for part in counted),
            len(first & second),
            clusters.effect,
            clusters.crossing,
        )

    def sentences(self, labels: tuple[str, str]) -> list[str]:
        """How many there are, and how they are counted."""
        name, together = self.name[:40], self.name != words.NEIGHBOURS
        whose = f"Rows with one value of '{name}'" if together else "Neighbouring rows"
        one, other = (words.count(n, "value" if together else "block") for n in self.counts)
        said = [f"{whose} count together, not one by one: {one} in {labels[0]}, {other} in {labels[1]}."]
        if self.alone:
            have = "has" if self.alone == 1 else "have"
            said.append(f"{words.count(self.alone, 'row')} {have} no '{name}', each counted by itself.")
        if self.crossing:
            said.append(f"Groups are compared inside '{name}': most of its values ({self.both:,}) have rows in both.")
        elif self.both:
            stand = "stands" if self.both == 1 else "stand"
            said.append(f"{words.count(self.both, 'value')} of '{name}' {stand} in both groups, counted once in each.")
        return said

    def refusal(self, labels: tuple[str, str]) -> str:
        """Why there is no verdict, as a part of a sentence."""
        n, label = min(zip(self.counts, labels, strict=True), key=lambda pair: pair[0])
        if n >= FEWEST:
            return f"a few of '{self.name[:40]}' have nearly all rows of a group"
        noun = "value" if self.name != words.NEIGHBOURS else "block"
        return f"{label} has {words.count(n, noun)} of '{self.name[:40]}', and {FEWEST} are needed"

    def _check_read(self) -> None:
        check_that(min(self.counts) >= 0 and self.effect >= 1, "clusters do not fit")

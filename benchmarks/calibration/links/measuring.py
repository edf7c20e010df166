"""From a table to a comparison by the methods' defaults, what is counted of it, and the bars.

Bars stood here before any table was drawn. A cell misses its bar only if the 95 % Clopper-Pearson interval of its share
excludes it; the cells of a quantity pooled must meet it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import networkx as nx
import numpy as np
import pandas as pd

import engine
from benchmarks.calibration.cell import Bar
from benchmarks.calibration.links.generators import Random, Table
from benchmarks.calibration.shares import MISSED, Share
from engine.comparison.result import ComparisonResult
from engine.data.dataset import Dataset
from engine.methods.result import Result

TURNED = "told that it turns its sign"
TURNED_FIRST = "told that it turns its sign, the first 20 tables"
FOUND_THREE, FOUND_SIX = "odds ratio 3 against 1: found", "odds ratio 6 against 1: found"
ANY, ANY_EQUAL = "any link called", "equal odds ratios, unlike margins: any link called"
PARENTS = "only a child's table differs: u - v called"
MOVED = "margins moved under one copula: any link called"
NODES, NODE_FOUND = "any node called", "a node whose links all differ found"
COVERED = "differences inside their interval"
HEADLINE, SUMS = "headline does not say that no link is seen to differ", "a sum has p < .05"
BY_P = "a link has p < .05"
OWN = "estimates of one group inside their interval"
FOUND, NAMED, ANOTHER = "found", "found, and the word is right", "another pair called"
BARS = {
    TURNED: Bar(low=0.99),
    TURNED_FIRST: Bar(low=1.0),
    FOUND_THREE: Bar(low=0.8),
    FOUND_SIX: Bar(low=0.7),
    ANY: Bar(high=0.08),
    ANY_EQUAL: Bar(high=0.07),
    PARENTS: Bar(high=0.08),
    MOVED: Bar(high=0.08),
    NODES: Bar(high=0.07),
    NODE_FOUND: Bar(low=0.8),
    COVERED: Bar(low=0.92, high=0.98),
}
"""By quantity; what is not here is only told, and so is every quantity whose name begins with `TOLD`."""
TOLD = "told: "
FIRST = 20

Counted = dict[str, tuple[int, int]]
Answers = Callable[[Dataset], Result | nx.Graph]


@dataclass(frozen=True)
class LinkShare(Share):
    """A share that is held to the bars of this file."""

    @property
    def bar(self) -> Bar | None:
        """What it is held to; None for nothing."""
        return BARS.get(self.quantity)


@dataclass(frozen=True)
class Cell:
    """Tables of one kind: their name, and a generator and the table's number -> what one table gives."""

    name: str
    measure: Callable[[Random, int], Counted]


@dataclass(frozen=True, eq=False)
class Compared:
    """A comparison of the groups of a table, and what the table's variables are called there."""

    found: ComparisonResult
    names: tuple[str, ...]
    parts: tuple[Dataset, ...]

    @property
    def links(self) -> pd.DataFrame:
        """Its rows."""
        return self.found.links()

    def pair(self, u: int, v: int) -> frozenset[str]:
        """Two variables by their names."""
        return frozenset((self.names[u], self.names[v]))

    def called(self) -> set[frozenset[str]]:
        """The pairs that are called between any two groups."""
        rows = self.found.called()
        return {frozenset(ends) for ends in zip(rows["source"], rows["target"], strict=True)}

    def words(self, u: int, v: int) -> list[str]:
        """What is said of a pair, by every two groups."""
        ends = self.pair(u, v)
        return [str(row.what) for row in self.links.itertuples() if frozenset((row.source, row.target)) == ends]


# -- answers ----------------------------------------------------------------------------------------------------------


def associations(data: Dataset) -> Result:
    """By the method's defaults."""
    return engine.LogLinear().run(data)


def ordinal(data: Dataset) -> Result:
    """By the method's defaults up to ten ratings; above, a quicker search.

    The test of ratings estimates every pair given all others and takes nothing from the network.
    """
    if len(data.names) <= 10:
        return engine.Ordinal().run(data)
    return engine.Ordinal(search="hill_climbing", draws=30).run(data)


def climbed(data: Dataset) -> nx.Graph:
    """BDeu, hill climbing."""
    return engine.learn(data, engine.BDeu(), search="hill_climbing")


def thickened(data: Dataset) -> nx.Graph:
    """K2, thickening and thinning."""
    return engine.learn(data, engine.K2(), search="thick_thinning")


def equivalence(data: Dataset) -> nx.Graph:
    """BDeu, GES: a class of networks."""
    return engine.learn(data, engine.BDeu(), search="ges")


# -- comparing --------------------------------------------------------------------------------------------------------


def named(table: Table, generator: Random, role: bool = True) -> tuple[Dataset, tuple[str, ...]]:
    """A data set whose variables have names in a random order; the column that parts it is "group"."""
    p = len(table.codes)
    names = tuple(f"v{k:02d}" for k in generator.permutation(p))
    label = table.label
    columns, levels = [*table.codes, label], [*table.levels, int(label.max()) + 1]
    every, roles = [*names, "group"], {}
    if table.subject is not None and role:
        columns.append(table.subject)
        levels.append(int(table.subject.max()) + 1)
        every.append("id")
        roles = {"id": "subject"}
    kinds = dict.fromkeys(names, "ordinal" if table.ordered else "nominal")
    order = generator.permutation(len(label))
    return Dataset.from_codes(np.vstack(columns)[:, order], levels, every, kinds=kinds, roles=roles), names


def compared(table: Table, answers: Answers, generator: Random, role: bool = True) -> Compared:
    """Learn every group by itself and compare."""
    data, names = named(table, generator, role)
    return of_parts(data, names, answers)


def of_parts(data: Dataset, names: tuple[str, ...], answers: Answers) -> Compared:
    """Learn every group of a data set by itself and compare."""
    parts = tuple(engine.by_group(data, "group").values())
    found = engine.compare(*(answers(part) for part in parts), data=parts)
    if found.test is None:
        raise SystemExit(f"Nothing was tested: {found.no_test}")
    return Compared(found, names, parts)


# -- counting ---------------------------------------------------------------------------------------------------------


def null(one: Compared, quantity: str = ANY) -> Counted:
    """Of a table without a difference."""
    return {
        quantity: (int(bool(one.called())), 1),
        HEADLINE: (int(not one.found.headline().startswith("No link is seen to differ")), 1),
        SUMS: (int(_sums(one).min() < 0.05), 1),
        NODES: (int(_nodes(one).min() < 0.05), 1),
        BY_P: (int(one.links["p"].min() < 0.05), 1),
    }


def _nodes(one: Compared) -> np.ndarray:
    """p of every node's two sums."""
    nodes = one.found.nodes()
    return np.append(nodes["p"][nodes["measure"] != "global strength"].to_numpy(), 1.0)


def _sums(one: Compared) -> np.ndarray:
    test = one.found.test
    return np.ones(1) if test is None else np.atleast_1d(test.differences.corrected)


def changed(one: Compared, u: int, v: int, quantity: str, right: Iterable[str] = ()) -> Counted:
    """Of a table in which one pair differs; `right` are the words that name what it does."""
    called, ends, right = one.called(), one.pair(u, v), tuple(right)
    found = {quantity: (int(ends in called), 1), ANOTHER: (int(bool(called - {ends})), 1)}
    if right:
        found[NAMED] = (int(ends in called and any(word in right for word in one.words(u, v))), 1)
    return found


def turned(one: Compared, u: int, v: int, number: int) -> Counted:
    """Of a table in which one pair turns its sign."""
    hit = int("turns its sign" in one.words(u, v))
    found = {TURNED: (hit, 1), ANOTHER: (int(bool(one.called() - {one.pair(u, v)})), 1)}
    return found | ({TURNED_FIRST: (hit, 1)} if number < FIRST else {})


def coverage(one: Compared, truth: tuple[np.ndarray, np.ndarray], prefix: str = "") -> Counted:
    """How many differences, and estimates of one group, lie inside their interval.

    Parameters
    ----------
    one : two groups;  truth : (p, p) of the first and of the second
    prefix : `TOLD` where nothing is held to a bar
    """
    place = {name: i for i, name in enumerate(one.names)}
    inside = own = 0
    rows = list(one.links.itertuples())
    for row in rows:
        first, second = (float(of[place[row.source], place[row.target]]) for of in truth)
        inside += row.low <= first - second <= row.high
        own += (row.a_low <= first <= row.a_high) + (row.b_low <= second <= row.b_high)
    return {f"{prefix}{COVERED}": (inside, len(rows)), f"{prefix}{OWN}": (own, 2 * len(rows))}


def told(counted: Mapping[str, tuple[int, int]]) -> Counted:
    """The same, held to nothing."""
    return {f"{TOLD}{name}" if name in BARS else name: value for name, value in counted.items()}


def pooled(shares: list[LinkShare]) -> list[LinkShare]:
    """Every quantity that is held to a bar, and what is told of the null cells beside it, over all its cells."""
    found: list[LinkShare] = []
    barred = {one.cell for one in shares if one.quantity in (ANY, ANY_EQUAL)}
    for quantity in [*BARS, HEADLINE, SUMS, BY_P, OWN]:
        rows = [one for one in shares if one.quantity == quantity]
        if quantity in (HEADLINE, SUMS, BY_P):
            rows = [one for one in rows if one.cell in barred]
        if len(rows) > 1:
            hits, of = sum(one.hits for one in rows), sum(one.of for one in rows)
            seconds = sum(one.seconds for one in rows)
            found.append(LinkShare(f"all {len(rows)} cells", quantity, hits, of, seconds=seconds))
    return found


def missed(shares: list[LinkShare]) -> int:
    """How many miss their bar, cells and all of them pooled."""
    return sum(one.verdict() == MISSED for one in shares) + sum(
        one.verdict(pooled=True) == MISSED for one in pooled(shares)
    )

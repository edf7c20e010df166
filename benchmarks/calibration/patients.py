"""One patient and many on held-out generators: links that matter otherwise, nulls without interaction, coverage.

    python -m benchmarks.calibration.patients                     100 tables a cell, every cell
    python -m benchmarks.calibration.patients --cell 'points' --tables 25

Bars stand below, and stood there before any table was drawn. A cell misses its bar only if the 95 % Clopper-Pearson
interval of its share excludes it; the cells of a quantity pooled must meet it.

Two readings of "nulls without interaction": effects that add up on the log odds, and effects that add up in points.
Two of "any claim": of the one patient who is looked at, and of any of sixty patients of a table.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from zlib import crc32

import numpy as np

import engine
from benchmarks.calibration.cell import Bar
from benchmarks.calibration.shares import MISSED, Page, Share, pooled, row
from engine.data.dataset import Dataset
from engine.methods.instance_specific.links import Link, LinkWord
from engine.methods.instance_specific.result import InstanceSpecificResult

PATIENTS = 60
TOLD_20 = "patients with 20 points here and 70 elsewhere told"
TOLD_70 = "patients with 70 points here and 20 elsewhere told"
RIGHT_WORD = "of those told, the word is right"
ONE_CLAIM = "null tables with any claim for the patient looked at"
ANY_CLAIM = "null tables with any claim for any of 60 patients"
STRIKING = "the most striking difference of 60 patients is covered"
NO_EXCESS = "null cohorts whose headline says no excess"
EXCESS = "cohorts with an interaction whose headline says an excess"
BARS = {
    TOLD_20: Bar(low=0.9),
    TOLD_70: Bar(low=0.9),
    RIGHT_WORD: Bar(low=0.95),
    ONE_CLAIM: Bar(high=0.07),
    ANY_CLAIM: Bar(high=0.07),
    STRIKING: Bar(low=0.93),
    NO_EXCESS: Bar(low=0.93),
}
"""By quantity; power of the cohort's headline is only told."""

Counted = dict[str, tuple[int, int]]
Z, W, X = 0, 1, 2
"""Of the tables with an interaction: what shifts, what changes that, and what is shifted."""


@dataclass(frozen=True)
class PatientShare(Share):
    """A share that is held to the bars of this file."""

    @property
    def bar(self) -> Bar | None:
        """What it is held to; None for nothing."""
        return BARS.get(self.quantity)


@dataclass(frozen=True)
class Cell:
    """Tables of one kind: their name, and a generator -> what one table gives."""

    name: str
    measure: Callable[[np.random.Generator], Counted]


@dataclass(frozen=True, eq=False)
class Truth:
    """A directed network: levels, parents (each before its child), shares with an axis a parent and the child last."""

    arities: tuple[int, ...]
    parents: tuple[tuple[int, ...], ...]
    shares: tuple[np.ndarray, ...]

    def sample(self, rows: int, generator: np.random.Generator) -> np.ndarray:
        """(variables, rows) codes."""
        codes = np.zeros((len(self.arities), rows), dtype=np.int64)
        for child, table in enumerate(self.shares):
            each = table[tuple(codes[list(self.parents[child])])] if self.parents[child] else np.tile(table, (rows, 1))
            codes[child] = (generator.random((rows, 1)) > each.cumsum(axis=1)[:, :-1]).sum(axis=1)
        return codes

    def joint(self) -> np.ndarray:
        """The share of every cell."""
        whole = np.ones(self.arities)
        for child, table in enumerate(self.shares):
            axes = (*self.parents[child], child)
            order = np.argsort(axes)
            shape = [self.arities[x] if x in axes else 1 for x in range(len(self.arities))]
            whole = whole * table.transpose(order).reshape(shape)
        return whole


# -- generators -------------------------------------------------------------------------------------------------------


def moderated(levels: int, here: float, elsewhere: float, tied: bool, generator: np.random.Generator) -> Truth:
    """Z shifts X by `here` where W is at its first level, by `elsewhere` at the others; five more variables around.

    X is two-valued; its share stands about the middle, moved by up to 8 points a level of W. With `tied` W moves Z too.
    """
    middle = 0.5 + generator.uniform(-0.08, 0.08, levels)
    size = np.where(np.arange(levels) == 0, here, elsewhere)
    yes = np.clip(middle + np.array([[-0.5], [0.5]]) * size, 0.02, 0.98)  # (Z, W)
    w = generator.dirichlet(np.full(levels, 8.0))
    z = generator.uniform(0.35, 0.65, levels) if tied else np.full(levels, generator.uniform(0.35, 0.65))
    arities, parents = [2, levels, 2], [(1,), (), (0, 1)]
    shares = [np.stack([1 - z, z], axis=-1), w, np.stack([1 - yes, yes], axis=-1)]
    for _ in range(5):
        child = len(arities)
        family = tuple(sorted(generator.choice(child, int(generator.integers(0, 3)), replace=False).tolist()))
        arities.append(int(generator.integers(2, 4)))
        parents.append(family)
        shares.append(_on_log_odds([arities[x] for x in family], arities[-1], generator))
    return _topological(arities, parents, shares)


def _topological(arities: list[int], parents: list[tuple[int, ...]], shares: list[np.ndarray]) -> Truth:
    """W is drawn before Z: the two change places, so that every parent stands before its child."""
    back = [1, 0, *range(2, len(arities))]
    new_parents, new_shares = [], []
    for child in back:
        family = [back[x] for x in parents[child]]
        order = np.argsort(family, kind="stable")
        new_parents.append(tuple(sorted(family)))
        new_shares.append(shares[child].transpose([*order, len(family)]))
    return Truth(tuple(arities[x] for x in back), tuple(new_parents), tuple(new_shares))


def without_interaction(scale: str, variables: int, generator: np.random.Generator) -> Truth:
    """Up to three parents a variable, whose effects add up on the log odds or in points."""
    arities = tuple(int(generator.integers(2, 4)) for _ in range(variables))
    parents, shares = [], []
    draw = _on_log_odds if scale == "log odds" else _in_points
    for child in range(variables):
        many = min(child, int(generator.choice(4, p=[0.15, 0.3, 0.35, 0.2])))
        family = tuple(sorted(generator.choice(child, many, replace=False).tolist())) if many else ()
        parents.append(family)
        shares.append(draw([arities[x] for x in family], arities[child], generator))
    return Truth(arities, tuple(parents), tuple(shares))


def _on_log_odds(family: list[int], levels: int, generator: np.random.Generator) -> np.ndarray:
    """Multinomial logistic main effects."""
    logs = generator.normal(0, 0.5, [1] * len(family) + [levels])
    for axis, many in enumerate(family):
        shape = [1] * len(family) + [levels]
        shape[axis] = many
        logs = logs + generator.normal(0, 0.9, shape)
    table = np.exp(np.broadcast_to(logs, (*family, levels)))
    return table / table.sum(axis=-1, keepdims=True)


def _in_points(family: list[int], levels: int, generator: np.random.Generator) -> np.ndarray:
    """A mean of one distribution a parent: what a parent moves is the same whatever the others are."""
    parts = generator.dirichlet(np.full(len(family) + 1, 3.0))
    table = np.zeros((*family, levels)) + parts[-1] * generator.dirichlet(np.ones(levels))
    for axis, many in enumerate(family):
        shape = [1] * len(family) + [levels]
        shape[axis] = many
        table = table + parts[axis] * generator.dirichlet(np.full(levels, 0.4), many).reshape(shape)
    return table


# -- one table --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Table:
    """Rows of a truth under shuffled names, and sixty of them as patients."""

    truth: Truth
    data: Dataset
    codes: np.ndarray
    patients: np.ndarray
    results: list[InstanceSpecificResult]

    def variable(self, name: str) -> int:
        """Which of the truth's variables a name stands for."""
        return int(name[1:3])


def looked_at(truth: Truth, rows: int, generator: np.random.Generator) -> Table:
    """A table, its population network, and the results of sixty patients."""
    codes = truth.sample(rows, generator)
    data = _data(truth, codes, generator)
    method = engine.InstanceSpecific()
    population = method.learn_population(data)
    patients = generator.choice(rows, PATIENTS, replace=False)
    results = [method.run(data, int(row), population=population) for row in patients]
    return Table(truth, data, codes, patients, results)


def _data(truth: Truth, codes: np.ndarray, generator: np.random.Generator) -> Dataset:
    """Columns and, by their names, the alphabetical order are random."""
    letters = generator.permutation(list("abcdefghijklmnopqrstuvwxyz"))
    order = generator.permutation(len(codes))
    return Dataset.from_codes(codes[order], [truth.arities[x] for x in order], [f"{letters[x]}{x:02d}" for x in order])


def _moderated(levels: int, rows: int, tied: bool, turned: bool, generator: np.random.Generator) -> Counted:
    here, elsewhere = (0.7, 0.2) if turned else (0.2, 0.7)
    table = looked_at(moderated(levels, here, elsewhere, tied, generator), rows, generator)
    told = [0, 0]
    right = [0, 0]
    w, z = 0, 1  # after they changed places
    for patient, result in zip(table.patients.tolist(), table.results, strict=True):
        if table.codes[w, patient] != 0:
            continue
        ends = {z, X}
        links = [
            one
            for one in result.links
            if {table.variable(result.name(one.source)), table.variable(result.name(one.child))} == ends
        ]
        said = [one for one in links if one.told]
        told[0] += bool(said)
        told[1] += 1
        if said:
            right[0] += said[0].word == (LinkWord.MORE if turned else LinkWord.LESS)
            right[1] += 1
    return {TOLD_70 if turned else TOLD_20: tuple(told), RIGHT_WORD: tuple(right), STRIKING: _striking(table)}  # type: ignore[dict-item]


def _null(scale: str, variables: int, rows: int, generator: np.random.Generator) -> Counted:
    table = looked_at(without_interaction(scale, variables, generator), rows, generator)
    told = [any(link.told for link in result.links) for result in table.results]
    return {ONE_CLAIM: (int(told[0]), 1), ANY_CLAIM: (int(any(told)), 1), STRIKING: _striking(table)}


def _striking(table: Table) -> tuple[int, int]:
    """Whether the interval of the smallest p of all links of all patients holds the true difference."""
    asked: list[tuple[float, InstanceSpecificResult, Link]] = [
        (one.compared.p, result, one) for result in table.results for one in result.links if one.compared is not None
    ]
    if not asked:
        return 0, 0
    _, result, link = min(asked, key=lambda item: (item[0], -abs(item[2].compared.difference)))  # type: ignore[union-attr]
    low, high = link.compared.difference_low, link.compared.difference_high  # type: ignore[union-attr]
    return int(low <= true_difference(table, result, link) <= high), 1


def true_difference(table: Table, result: InstanceSpecificResult, link: Link) -> float:
    """What the truth says of the contrast that is shown: among rows like the patient, less among the others."""
    found = link.compared
    if found is None:
        raise ValueError("nothing was asked")
    child, source = (table.variable(result.name(x)) for x in (link.child, link.source))
    others = [table.variable(result.name(x)) for x in link.beside]
    axes = (*others, source, child)
    joint = table.truth.joint()
    joint = joint.sum(axis=tuple(x for x in range(joint.ndim) if x not in axes))
    joint = joint.transpose(np.argsort(np.argsort(axes)).tolist())
    shares = joint / joint.sum(axis=-1, keepdims=True)
    own = tuple(int(table.codes[x, result.row]) for x in others)
    means, weights = {True: 0.0, False: 0.0}, {True: 0.0, False: 0.0}
    for values in itertools.product(*(range(table.truth.arities[x]) for x in others)):
        inside = (table.codes[others] == np.array(values)[:, None]).all(axis=0)
        n, m = ((inside & (table.codes[source] == level)).sum() for level in (found.low_level, found.high_level))
        if n and m:
            here = values == own
            weight = n * m / (n + m)
            shift = shares[(*values, found.high_level, found.level)] - shares[(*values, found.low_level, found.level)]
            means[here] += weight * shift
            weights[here] += weight
    return means[True] / weights[True] - means[False] / weights[False]


def _cohort(
    draw: Callable[[np.random.Generator], Truth], null: bool, rows: int, generator: np.random.Generator
) -> Counted:
    truth = draw(generator)
    data = _data(truth, truth.sample(rows, generator), generator)
    method = engine.InstanceSpecific(seed=int(generator.integers(1 << 30)))
    population = method.learn_population(data)
    cohort = method.run_cohort(data, range(200), population=population)
    headline = cohort.with_chance(method.without_context(data, population)).headline()
    none = headline.startswith("No more patients")
    return {NO_EXCESS if null else EXCESS: (int(none == null), 1)}


def cells() -> list[Cell]:
    """Every cell."""
    found: list[Cell] = []
    for levels, rows, tied in ((2, 2000, False), (2, 2000, True), (3, 3000, False), (3, 5000, True)):
        words = f"W of {levels} levels{' that moves Z' if tied else ''}, {rows:,} rows"
        found += [
            Cell(f"20 points here, 70 elsewhere, {words}", partial(_moderated, levels, rows, tied, False)),
            Cell(f"70 points here, 20 elsewhere, {words}", partial(_moderated, levels, rows, tied, True)),
        ]
    for scale, variables, rows in itertools.product(("log odds", "points"), (6, 10), (500, 2000, 5000)):
        name = f"no interaction, effects add up in {scale}, {variables} variables, {rows:,} rows"
        found.append(Cell(name.replace("in log", "on the log"), partial(_null, scale, variables, rows)))
    for scale in ("log odds", "points"):
        draw = partial(without_interaction, scale, 6)
        found.append(Cell(f"cohort without interaction, {scale}, 1,000 rows", partial(_cohort, draw, True, 1000)))
    some = partial(moderated, 2, 0.2, 0.7, False)
    found.append(Cell("cohort of 20 against 70 points, 2,000 rows", partial(_cohort, some, False, 2000)))
    return found


def run(cell: Cell, number: int, seed: int) -> list[Share]:
    """All tables of a cell; table t of a seed is the same whatever the number."""
    total: dict[str, list[int]] = {}
    start = time.process_time()
    for table in range(number):
        generator = np.random.default_rng([seed, crc32(cell.name.encode()), table])
        for quantity, (hits, of) in cell.measure(generator).items():
            place = total.setdefault(quantity, [0, 0])
            place[0] += hits
            place[1] += of
    seconds = time.process_time() - start
    return [PatientShare(cell.name, name, hits, of, seconds=seconds) for name, (hits, of) in total.items() if of]


def main(arguments: list[str]) -> int:
    """Draw, print and write; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100, help="tables of a cell")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cell", default="", help="only cells whose name contains this")
    parser.add_argument("--markdown", type=Path, help="file for the page")
    chosen = parser.parse_args(arguments)
    command = f"python -m benchmarks.calibration.patients --tables {chosen.tables} --seed {chosen.seed}"
    page = Page("One patient and many on held-out generators", command)
    print("\n".join(page.lines()), flush=True)
    for cell in cells():
        if chosen.cell in cell.name:
            found = run(cell, chosen.tables, chosen.seed)
            page.shares += found
            print("\n".join(map(row, found)), flush=True)
            if chosen.markdown is not None:
                chosen.markdown.write_text(page.markdown(), encoding="utf-8")
    together = [PatientShare(**vars(one)) for one in pooled(page.shares)] or _pooled(page.shares)
    print("\n".join(row(one, pooled=True) for one in together))
    verdicts = [one.verdict() for one in page.shares] + [one.verdict(pooled=True) for one in together]
    return int(MISSED in verdicts)


def _pooled(shares: list[Share]) -> list[Share]:
    """Every quantity over all its cells."""
    found: list[Share] = []
    for quantity in dict.fromkeys(one.quantity for one in shares):
        rows = [one for one in shares if one.quantity == quantity]
        found.append(
            PatientShare(f"all {len(rows)} cells", quantity, sum(one.hits for one in rows), sum(one.of for one in rows))
        )
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Class networks of series whose length depends on the class: false calls, and whether a real difference is found.

    python -m benchmarks.calibration.unlike_lengths                       100 tables a cell, every cell
    python -m benchmarks.calibration.unlike_lengths --cell '60 v 240' --tables 25

Bars were set before any table was drawn: where classes do not differ any link is called in at most 7 % of tables, and
they are said to differ in at most 7 %, whatever the lengths. A cell misses its bar only if the 95 %
Clopper-Pearson interval of its share excludes it; the cells pooled must meet it. Power is only told.

Generators are of this file: chains of levels by multinomial logits on two variables of the step before, and numbers of
a linear recursion, either with subjects who are all alike or who have tendencies of their own.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

import engine
from benchmarks.calibration.cell import Bar
from benchmarks.calibration.group_differences import Cell, Counted, run
from benchmarks.calibration.shares import MISSED, Share, row
from engine.data.dataset import Dataset
from engine.methods.discriminative.families import SIGNIFICANCE, beyond_chance

ANY, TOLD = "nulls: any link called", "nulls: classes said to differ"
FOUND, ANOTHER, APART = "the changed link called", "a link to another variable called", "classes said to differ"
BARS = {ANY: Bar(high=0.07), TOLD: Bar(high=0.07)}
SHUFFLES = 39
"""Of every table: .05 is then two of forty."""
BURN_IN = 30

Lengths = Callable[[np.ndarray, np.random.Generator], np.ndarray]
"""(S,) classes of subjects -> (S,) steps of each."""


@dataclass(frozen=True)
class Sharing(Share):
    """A share held to the bars of this file."""

    @property
    def bar(self) -> Bar | None:
        """What it is held to; None for nothing."""
        return BARS.get(self.quantity)


@dataclass(frozen=True, eq=False)
class Chain:
    """Levels, each by a multinomial logit on two variables of the step before.

    Attributes
    ----------
    parents : (p, 2);  base : (p, r) log odds;  effects : (p, 2, r, r), by the level of the parent
    """

    parents: np.ndarray
    base: np.ndarray
    effects: np.ndarray

    def sample(self, steps: int, own: float, generator: np.random.Generator) -> np.ndarray:
        """(p, steps) codes of a subject whose log odds are off by `own` standard deviations."""
        p, r = self.base.shape
        base = self.base + own * generator.normal(size=(p, r))
        now = generator.integers(0, r, size=(p,))
        found = np.empty((p, steps), dtype=np.int64)
        for step in range(-BURN_IN, steps):
            before, each = now[self.parents], np.arange(p)
            logits = base + self.effects[each, 0, before[:, 0]] + self.effects[each, 1, before[:, 1]]
            weight = np.exp(logits - logits.max(axis=1, keepdims=True))
            passed = generator.random((p, 1)) * weight.sum(axis=1, keepdims=True) > weight.cumsum(axis=1)[:, :-1]
            now = passed.sum(axis=1)
            if step >= 0:
                found[:, step] = now
        return found


def chain(variables: int, levels: int, generator: np.random.Generator) -> Chain:
    """A chain with random parents, tendencies and effects."""
    parents = np.array([generator.choice(variables, 2, replace=False) for _ in range(variables)])
    base = generator.normal(0, 0.5, (variables, levels))
    return Chain(parents, base, generator.normal(0, 0.7, (variables, 2, levels, levels)))


def without_link(one: Chain, generator: np.random.Generator) -> tuple[Chain, Chain, int, int]:
    """Two chains that differ in a single link, there in the first only and strong; which child and which parent."""
    child, many = int(generator.integers(len(one.parents))), one.base.shape[1]
    strong, weak = one.effects.copy(), one.effects.copy()
    strong[child, 0] = 1.2 * (np.eye(many)[generator.permutation(many)] - 1 / many)
    weak[child, 0] = 0.0
    both = (Chain(one.parents, one.base, effects) for effects in (strong, weak))
    return next(both), next(both), child, int(one.parents[child, 0])


def numbers(steps: int, weights: np.ndarray, own: float, generator: np.random.Generator) -> np.ndarray:
    """(p, steps) numbers, each a weighted sum of those before and noise, about a mean of the subject's own."""
    p = len(weights)
    mean, now = own * generator.normal(size=p), generator.normal(size=p)
    found = np.empty((p, steps))
    for step in range(-BURN_IN, steps):
        now = weights @ now + generator.normal(size=p)
        if step >= 0:
            found[:, step] = mean + now
    return found


# -- lengths ----------------------------------------------------------------------------------------------------------


def fixed(first: int, second: int, labels: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """One length for each class."""
    return np.where(labels == 0, first, second)


def ranging(
    first: tuple[int, int], second: tuple[int, int], labels: np.ndarray, generator: np.random.Generator
) -> np.ndarray:
    """Lengths anywhere in the range of the class, evenly on a log scale."""
    low, high = (np.where(labels == 0, first[k], second[k]) for k in (0, 1))
    return np.exp(generator.uniform(np.log(low), np.log(high + 0.99))).astype(np.int64)


# -- cells ------------------------------------------------------------------------------------------------------------


def cells() -> list[Cell]:
    """Lengths unlike, overlapping and equal, of levels and of numbers, without a difference and with one link."""
    unlike = partial(fixed, 60, 240)
    overlap = partial(ranging, (60, 200), (90, 300))
    return [
        Cell("null, levels, 60 v 240 steps", partial(_null, 12, 12, 0.0, unlike)),
        Cell("null, levels, 60 v 240 steps, subjects of their own", partial(_null, 12, 12, 0.4, unlike)),
        Cell("null, levels, 60 v 240 steps, 8 and 16 subjects", partial(_null, 8, 16, 0.2, unlike)),
        Cell("null, numbers, 60 v 240 steps", partial(_null_numbers, 0.3, unlike)),
        Cell("null, levels, 60-200 v 90-300 steps", partial(_null, 20, 20, 0.2, overlap)),
        Cell("null, numbers, 60-200 v 90-300 steps", partial(_null_numbers, 0.3, overlap)),
        Cell("null, levels, 100 v 124 steps", partial(_null, 12, 12, 0.2, partial(fixed, 100, 124))),
        Cell("null, levels, 60-240 steps in both", partial(_null, 12, 12, 0.2, partial(ranging, (60, 240), (60, 240)))),
        Cell("null, levels, 120 steps in both", partial(_null, 12, 12, 0.2, partial(fixed, 120, 120))),
        Cell("one link, 60 v 240 steps", partial(_changed, 12, unlike)),
        Cell("one link, 240 v 60 steps", partial(_changed, 12, partial(fixed, 240, 60))),
        Cell("one link, 60-200 v 90-300 steps", partial(_changed, 20, overlap)),
        Cell("one link, 60 steps in both", partial(_changed, 12, partial(fixed, 60, 60))),
        Cell("one link, 120 steps in both", partial(_changed, 12, partial(fixed, 120, 120))),
    ]


def _null(first: int, second: int, own: float, lengths: Lengths, generator: np.random.Generator) -> Counted:
    labels = np.repeat([0, 1], [first, second])
    one = chain(8, 3, generator)
    series = [one.sample(int(steps), own, generator) for steps in lengths(labels, generator)]
    return _nothing(series_data(series, labels), generator)


def _null_numbers(own: float, lengths: Lengths, generator: np.random.Generator) -> Counted:
    labels = np.repeat([0, 1], [16, 16])
    weights = np.where(generator.random((8, 8)) < 0.25, generator.uniform(-0.4, 0.4, (8, 8)), 0.0)
    weights += 0.3 * np.eye(8)
    weights /= max(1.0, float(np.abs(np.linalg.eigvals(weights)).max()) / 0.9)
    series = [numbers(int(steps), weights, own, generator) for steps in lengths(labels, generator)]
    return _nothing(series_data(series, labels), generator)


def _nothing(data: Dataset, generator: np.random.Generator) -> Counted:
    called, told = _called(data, generator)
    return {ANY: (int(len(called) > 0), 1, 0.0), TOLD: (int(told), 1, 0.0)}


def _changed(subjects: int, lengths: Lengths, generator: np.random.Generator) -> Counted:
    labels = np.repeat([0, 1], subjects)
    one, other, child, parent = without_link(chain(8, 3, generator), generator)
    series = [
        (one, other)[code].sample(int(steps), 0.2, generator)
        for code, steps in zip(labels, lengths(labels, generator), strict=True)
    ]
    called, told = _called(series_data(series, labels), generator)
    to = called["child"] == f"v{child}"
    found = to & called["parents"].map(lambda family: f"v{parent}" in family)
    return {FOUND: (int(found.any()), 1, 0.0), ANOTHER: (int((~to).any()), 1, 0.0), APART: (int(told), 1, 0.0)}


def series_data(series: list[np.ndarray], labels: np.ndarray) -> Dataset:
    """Series (p, steps) of subjects and (S,) classes as a data set; whole numbers are levels."""
    steps = np.array([one.shape[1] for one in series])
    table = pd.DataFrame(np.hstack(series).T, columns=[f"v{i}" for i in range(len(series[0]))])
    kind = "nominal" if np.issubdtype(series[0].dtype, np.integer) else "continuous"
    kinds = dict.fromkeys(table.columns, kind)
    table["class"] = np.repeat(np.where(labels == 0, "a", "b"), steps)
    table["who"] = np.repeat([f"s{s:03d}" for s in range(len(series))], steps)
    table["time"] = np.concatenate([np.arange(many) for many in steps])
    return Dataset.from_frame(table, kinds=kinds, roles={"who": "subject", "time": "time"})


def _called(data: Dataset, generator: np.random.Generator) -> tuple[pd.DataFrame, bool]:
    """The links said to be beyond chance, and whether the classes are said to differ."""
    result = engine.Discriminative("class", shuffles=SHUFFLES, seed=int(generator.integers(1 << 31))).run(data)
    ranked = result.families()
    return ranked[beyond_chance(ranked) & (ranked["parents"].map(len) > 0)], result.held_out.p <= SIGNIFICANCE


def main(arguments: list[str]) -> int:
    """Draw and print; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100, help="tables of a cell")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--cell", default="", help="only cells whose name contains this")
    chosen = parser.parse_args(arguments)
    print("| cell | quantity | hits | of | share | 95 % interval | bar | verdict | seconds |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    shares: list[Sharing] = []
    for cell in cells():
        if chosen.cell in cell.name:
            found = [Sharing(**vars(one)) for one in run(cell, chosen.tables, chosen.seed, chosen.jobs)]
            shares += found
            print("\n".join(map(row, found)), flush=True)
    together = []
    for quantity in BARS:
        here = [one for one in shares if one.quantity == quantity]
        hits, of = sum(one.hits for one in here), sum(one.of for one in here)
        if of:
            together.append(Sharing(f"all {len(here)} cells", quantity, hits, of))
    print("\n".join(row(one, pooled=True) for one in together))
    return int(MISSED in [*(one.verdict() for one in shares), *(one.verdict(pooled=True) for one in together)])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What explains a gap: whether shares are right on tables whose truth is known.

    python -m benchmarks.calibration.gaps                          100 tables a shape, every shape
    python -m benchmarks.calibration.gaps --shape mediator --tables 25

Bars were set before any table was drawn. The true order is given by tiers, and mechanisms differ so much that
P(differs) is .95 and more in 95 % of tables: then the mean of each share over the tables is within half a point of the
truth (in hundredths of the standard deviation of a number), 95 % intervals hold it in .90 to .98, and mechanisms
that do not differ get more than 1 point in at most 5 % of tables. A shape misses a bar only if chance does not excuse
it (95 % Clopper-Pearson interval; two standard errors of a mean).

True shares come from plain loops over all combinations of values and all orders of exchange; nothing of the program is
used for them.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from dataclasses import dataclass
from functools import partial
from zlib import crc32

import numpy as np
import pandas as pd

import engine
from benchmarks.calibration.cell import Bar
from benchmarks.calibration.shares import MISSED, Share, row
from engine import execution
from engine.data.dataset import Dataset

COVERED, ELSEWHERE = "95 % intervals hold the share", "a mechanism that does not differ gets more than 1 point"
SURE = "P(differs) of .95 and more, all that differ"
BARS = {COVERED: Bar(0.9, 0.98), ELSEWHERE: Bar(high=0.05)}
OFF = 0.005
"""How far the mean of a share may be off."""


@dataclass(frozen=True)
class Counting(Share):
    """A share held to the bars of this file."""

    @property
    def bar(self) -> Bar | None:
        """What it is held to; None for nothing."""
        return BARS.get(self.quantity)


@dataclass(frozen=True)
class Shape:
    """A truth: variables in their order, the outcome last.

    Attributes
    ----------
    name : what it is
    parents : name -> its parents
    levels : name -> how many; 2 where it is not named
    moved : name -> by how much its log odds are higher in the second group, and where: a parent's level, or ""
    rows : of each group
    number : whether the outcome is a number, whose mean moves by so many standard deviations
    """

    name: str
    parents: dict[str, tuple[str, ...]]
    moved: dict[str, tuple[float, str]]
    levels: dict[str, int]
    rows: int = 2000
    number: bool = False

    def arity(self, name: str) -> int:
        """Levels of a variable."""
        return self.levels.get(name, 2)


def shapes() -> list[Shape]:
    """Twelve shapes, and one whose outcome is a number."""
    chain = {"x": (), "f": (), "m": ("x",), "g": ("x",), "y": ("m",)}
    fork = {"c": (), "f": (), "a": ("c",), "y": ("c", "a")}
    between = {"x": (), "f": (), "m": ("x",), "y": ("x", "m")}
    two = {"a": (), "b": (), "f": ("a",), "y": ("a", "b")}
    wide = {"s": (), "n": (), "t": ("s", "n"), "y": ("s", "t")}
    outcomes = {"a": (), "b": ("a",), "z": ("a", "b"), "y": ("a", "b")}
    three = {"m": 3, "s": 3, "c": 3}
    return [
        Shape("chain, its head", chain, {"x": (0.8, "")}, three),
        Shape("chain, its middle", chain, {"m": (0.8, "")}, three),
        Shape("chain, head and middle", chain, {"x": (0.8, ""), "m": (-0.8, "")}, {}),
        Shape("fork, its root", fork, {"c": (0.8, "")}, three),
        Shape("fork, one branch", fork, {"a": (0.9, "")}, {}),
        Shape("mediator, cause and outcome", between, {"x": (0.9, ""), "y": (0.6, "")}, {}),
        Shape("mediator, itself and outcome", between, {"m": (0.9, ""), "y": (-0.7, "")}, three),
        Shape("interaction, a treatment in one context", wide, {"s": (0.7, ""), "t": (-1.6, "last")}, three),
        Shape("interaction, the outcome in one context", wide, {"n": (0.8, ""), "y": (1.7, "last")}, {}),
        Shape("two causes, the same way", two, {"a": (0.8, ""), "b": (0.8, "")}, {}),
        Shape("two causes, against each other", two, {"a": (0.8, ""), "b": (-0.8, "")}, {}),
        Shape("two outcomes of two causes", outcomes, {"a": (0.8, ""), "b": (0.9, ""), "z": (0.8, "")}, {}),
        Shape("a number of two causes", two, {"a": (0.8, ""), "b": (0.8, ""), "y": (0.4, "")}, {}, number=True),
    ]


Tables = dict[str, np.ndarray]
"""Name -> (levels of each parent ..., levels of it) probabilities; of a number its means."""


def truth(shape: Shape, generator: np.random.Generator) -> tuple[Tables, Tables]:
    """Tables of both groups: log odds of main effects of the parents, and what is moved."""
    one: Tables = {}
    other: Tables = {}
    for name, parents in shape.parents.items():
        given, r = [shape.arity(p) for p in parents], shape.arity(name)
        scores = np.linspace(-0.5, 0.5, r)  # of the levels: what is higher is likelier where the sum is larger
        slopes = [generator.uniform(1.2, 1.8) * generator.choice([-1, 1] if name != "y" else [1]) for _ in parents]
        base = np.full(given, generator.uniform(-0.6, 0.2))
        for k, p in enumerate(parents):
            line = slopes[k] * np.linspace(-0.5, 0.5, shape.arity(p))
            base = base + line.reshape([-1 if i == k else 1 for i in range(len(parents))])
        size, where = shape.moved.get(name, (0.0, ""))
        there = np.full(given, size)
        if where == "last":
            there = np.zeros(given)
            there[-1, ...] = size
        if shape.number and name == "y":
            one[name], other[name] = base, base + there
            continue
        for tables, middle in ((one, base), (other, base + there)):
            weight = np.exp(2.0 * middle[..., None] * scores)
            tables[name] = weight / weight.sum(axis=-1, keepdims=True)
    return one, other


def worth(shape: Shape, tables: Tables) -> float:
    """P(y = 1), or the mean of y: a sum over all combinations of values."""
    names = list(shape.parents)[:-1]
    total = 0.0
    for values in itertools.product(*(range(shape.arity(name)) for name in names)):
        at = dict(zip(names, values, strict=True))
        chance = math.prod(float(tables[n][(*(at[p] for p in shape.parents[n]), at[n])]) for n in names)
        own = tables["y"][tuple(at[p] for p in shape.parents["y"])]
        total += chance * float(own if shape.number else own[1])
    return total


def true_shares(shape: Shape, one: Tables, other: Tables) -> dict[str, float]:
    """Shares of what is moved, over all orders of exchange."""
    orders = list(itertools.permutations(shape.moved))
    shares = dict.fromkeys(shape.moved, 0.0)
    for order in orders:
        now = dict(one)
        for name in order:
            before = worth(shape, now)
            now[name] = other[name]
            shares[name] += (worth(shape, now) - before) / len(orders)
    return shares


def drawn(shape: Shape, tables: Tables, generator: np.random.Generator) -> pd.DataFrame:
    """Rows of one group."""
    rows: dict[str, np.ndarray] = {}
    for name, parents in shape.parents.items():
        own = tables[name][tuple(rows[p] for p in parents)]
        if shape.number and name == "y":
            rows[name] = np.round(own + generator.normal(size=shape.rows), 2)
            continue
        own = np.broadcast_to(own, (shape.rows, shape.arity(name)))
        rows[name] = (generator.random((shape.rows, 1)) > own.cumsum(axis=1)[:, :-1]).sum(axis=1)
    return pd.DataFrame(rows)


def measure(shape: Shape, seed: int, number: int) -> tuple[dict[str, float], dict[str, bool], float, bool]:
    """Of one table: how far each share is off, whether intervals hold it, the largest share of what does not differ
    in size, and whether all that differ are seen to."""
    generator = np.random.default_rng([seed, crc32(shape.name.encode()), number])
    one, other = truth(shape, generator)
    shares = {name: share for name, share in true_shares(shape, one, other).items() if abs(share) > 1e-9}
    parts = [drawn(shape, tables, generator) for tables in (one, other)]
    frame = pd.concat(parts, ignore_index=True)
    frame["group"] = np.repeat(["A", "B"], shape.rows)
    kinds = dict.fromkeys(frame.columns, "nominal") | ({"y": "continuous"} if shape.number else {})
    data = Dataset.from_frame(frame, kinds=kinds)
    known = engine.Knowledge(tiers=[[name] for name in shape.parents])
    result = engine.GroupDifference(group="group", groups=("A", "B"), knowledge=known).run(data)
    gap = result.explain_gap("y", None if shape.number else "1", draws=1000)
    found = dict(zip(gap.names, gap.shares, strict=True))
    nothing = np.zeros(3)
    off = {name: float(found.get(name, nothing)[0]) - share for name, share in shares.items()}
    ends = {name: found.get(name, nothing)[1:] for name in shares}
    held = {name: bool(low <= shares[name] <= high) for name, (low, high) in ends.items()}
    rest = max((abs(float(values[0])) for name, values in found.items() if name not in shares), default=0.0)
    average = dict(zip(result.names, result.posterior.probabilities, strict=True))  # before verdicts ask for movers
    seen = min(average[name] for name in shares) >= 0.95
    summed = float(gap.shares[:, 0].sum()) + gap.unexplained[0]
    if abs(summed - gap.size) > 1e-9:
        raise AssertionError(f"shares sum to {summed}, the gap is {gap.size}")
    return off, held, rest, bool(seen)


def main(arguments: list[str]) -> int:
    """Draw and print; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100, help="tables of a shape")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--shape", default="", help="only shapes whose name contains this")
    chosen = parser.parse_args(arguments)
    print("| cell | quantity | hits | of | share | 95 % interval | bar | verdict | seconds |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    counted: list[Counting] = []
    missed = False
    for shape in shapes():
        if chosen.shape not in shape.name:
            continue
        task = partial(measure, shape, chosen.seed)
        tables = execution.map(task, list(range(chosen.tables)), jobs=chosen.jobs)
        held = [item for _, inside, _, _ in tables for item in inside.values()]
        rest, sure = [size > 0.01 for _, _, size, _ in tables], [seen for *_, seen in tables]
        here = [
            Counting(shape.name, quantity, sum(values), len(values))
            for quantity, values in ((SURE, sure), (COVERED, held), (ELSEWHERE, rest))
        ]
        counted += here
        print("\n".join(map(row, here)), flush=True)
        for name in tables[0][0]:
            errors = np.array([off[name] for off, *_ in tables])
            mean, spread = errors.mean(), 2 * errors.std(ddof=1) / math.sqrt(len(errors))
            bad = abs(mean) - spread > OFF
            missed |= bad
            verdict = MISSED if bad else "met" if abs(mean) <= OFF else "met within chance"
            about = f"mean of {name}'s share off by {100 * mean:+.2f} points (±{100 * spread:.2f})"
            print(f"| {shape.name} | {about} | | {len(errors)} | | | at most {100 * OFF:g} | {verdict} | |", flush=True)
    for quantity in BARS:
        own = [item for item in counted if item.quantity == quantity]
        both = Counting(f"all {len(own)} cells", quantity, sum(o.hits for o in own), sum(o.of for o in own))
        print(row(both, pooled=True))
        counted.append(both)
    return int(missed or MISSED in [item.verdict() for item in counted])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

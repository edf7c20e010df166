"""Group comparisons: how often a difference is called where there is none, and found where there is one.

And whether P(differs) and P(link) are as often true as they say. Bars are those of the averages over orders, which took
the place of one order; power is held at 1,000 rows a group, and told at 500.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from benchmarks.calibration.cell import Bar, Cell, Counted
from benchmarks.calibration.methods.changes import (
    chain,
    collider,
    differences,
    drawn,
    joint,
    of_the_prior,
    perturbed,
    shift,
    shifted,
    shifted_in_one_context,
)
from benchmarks.papers.group_difference.data import balance_scale
from engine.data.dataset import Dataset
from engine.measures.risk_difference import risk_difference, weights
from engine.methods.group_difference.blocks import Blocks
from engine.methods.group_difference.method import GroupDifference
from engine.methods.group_difference.result import GroupDifferenceResult
from engine.methods.group_difference.verdicts import Verdict
from engine.models.network import Network

GROUP = "group"
HELD = 1000
"""Rows a group at which power is held to a bar."""
PARENTS = 3
"""Most parents of a variable in what the method averages over, unless it is told another number."""
FALSE, CALLED_FALSELY = "null tables with any 'differs'", "null tables with any 'differs' or 'probably differs'"
STRONG = "null tables with a Bayes factor above 20 for a difference anywhere"
FOUND = "the changed variable 'differs', {:,} rows a group"
OTHERS = "another 'differs' or 'probably differs', {:,} rows a group"
NEIGHBOURS = "a neighbour of it 'differs' or 'probably differs', {:,} rows a group"
HEAD, FOLLOWERS = "the chain's head 'differs'", "another of the chain 'differs' or 'probably differs'"
ALIKE_WRONGLY = "'alike' although a difference exceeds the margin"
COVERED, COVERED_ALONE = "interval of the effect holds it", "interval on its own holds it"
DIFFERS_IN = "P(differs) of {:.1f} to {:.1f}: differs"
LINKED_IN = "P(link) of {:.1f} to {:.1f}: linked"
OTHERWISE = "{}; tables not of the prior"
BINS = tuple((k / 10, (k + 1) / 10) for k in range(10))
NEAR, ENOUGH = 0.1, 100
"""A probability is as good as its bin's middle, give or take so much; a bin with fewer items is not judged."""
BARS = {
    FALSE: Bar(high=0.02),
    CALLED_FALSELY: Bar(high=0.07),
    FOUND.format(HELD): Bar(low=0.9),
    OTHERS.format(HELD): Bar(high=0.1),
    FOLLOWERS: Bar(high=0.04),
    ALIKE_WRONGLY: Bar(high=0.07),
    COVERED: Bar(0.92, 0.98),
    COVERED_ALONE: Bar(0.92, 0.98),
} | {
    words.format(low, high): Bar(max(0.0, (low + high) / 2 - NEAR), min(1.0, (low + high) / 2 + NEAR), ENOUGH)
    for words in (DIFFERS_IN, LINKED_IN)
    for low, high in BINS
}
"""What the averages over orders are held to, by quantity; others are only told."""
_CALLED = (Verdict.DIFFERS, Verdict.PROBABLY)
_NOTHING = 1e-9
SIZES = (0.0, 0.02, 0.05, 0.08, 0.11, 0.15, 0.2)
"""Changes of which *alike* is tried, on both sides of the margin of ten points."""
_LARGE = 0.2
"""Share of the tables where one of 20 variables takes two seconds."""

Pair = tuple[Network, Network, int]


def cells() -> list[Cell]:
    """Null tables of all sizes, tables with a change of known size, about the margin, and tables of the prior."""
    found = [
        Cell(
            f"{rows:,} rows, {variables} variables",
            partial(_null, rows, variables),
            _LARGE if variables == 20 else 1.0,
        )
        for rows in (200, 1000, 5000)
        for variables in (5, 10, 20)
    ]
    found += [
        Cell(f"{rows:,} rows, {variables} variables of 5 levels", partial(_null, rows, variables, levels=(5, 5)))
        for rows, variables in ((200, 5), (1000, 10))
    ]
    found += [
        Cell(
            f"{rows:,} rows, {variables} variables, one row in ten of one group",
            partial(_null, rows, variables, smaller=0.1),
        )
        for rows, variables in ((1000, 10), (5000, 5))
    ]
    found.append(Cell("1,000 rows of balance-scale, labels dealt at random", partial(_dealt, 1000)))
    for rows in (HELD, 500):
        found += [
            Cell(f"{rows:,} rows a group, {words}", partial(_changed, rows, change), 1.0 if rows == HELD else 0.5)
            for words, change in _changes()
        ]
        found.append(Cell(f"{rows:,} rows a group, chain whose head differs by 30 points", partial(_chain, rows)))
    found += [
        Cell(f"{rows:,} rows, 10 variables, changes about the margin", partial(_near, rows)) for rows in (2000, 8000)
    ]
    found += [
        Cell(f"8 variables of the prior, nothing differs with probability {p_none:g}", partial(_of_prior, p_none))
        for p_none in (0.5, 0.05)
    ]
    return found


def _changes() -> Iterator[tuple[str, Callable[[np.random.Generator], Pair]]]:
    """In words, and how a pair of networks is drawn of which one variable differs."""
    yield "10 variables, 15 points between the same two levels", partial(shifted, 10, 0.15)
    yield "10 variables, 15 points between other levels in every context", _between_others
    yield (
        "10 variables, 25 points in one context of a fifth of the rows",
        partial(shifted_in_one_context, 10, 0.25, 0.2),
    )
    yield "collider, its effect moved by 15 points", partial(_collider, 2, 0.15)
    yield "collider, one of its causes moved by 30 points", partial(_collider, 0, 0.3)


def _between_others(generator: np.random.Generator) -> Pair:
    one = drawn(10, generator)
    return one, *perturbed(one, 0.15, generator)


def _collider(child: int, size: float, generator: np.random.Generator) -> Pair:
    """The level is one that has so much everywhere; of the effect drawn again until there is one."""
    while True:
        one = collider(generator)
        able = np.flatnonzero((one.tables[child] >= size).all(axis=0))
        if len(able):
            return one, shift(one, child, int(generator.choice(able)), size, generator), child


# -- one table --------------------------------------------------------------------------------------------------------


def _null(
    rows: int,
    variables: int,
    generator: np.random.Generator,
    levels: tuple[int, int] = (2, 3),
    smaller: float = 0.5,
) -> Counted:
    """No difference: all rows of one network, labels dealt at random."""
    return _of_null(drawn(variables, generator, levels).sample_codes(rows, generator), generator, smaller)


def _dealt(rows: int, generator: np.random.Generator) -> Counted:
    data = balance_scale()
    return _of_null(data.codes[:, generator.integers(0, data.n_rows, rows)], generator)


def _of_null(codes: np.ndarray, generator: np.random.Generator, smaller: float = 0.5) -> Counted:
    rows = codes.shape[1]
    labels = generator.permutation((np.arange(rows) >= round(smaller * rows)).astype(np.int64))
    result = _compared(codes, labels)
    verdicts = result.variables()["verdict"]
    return {
        FALSE: (int((verdicts == Verdict.DIFFERS).any()), 1),
        CALLED_FALSELY: (int(verdicts.isin(_CALLED).any()), 1),
        STRONG: (int(result.overall_bayes_factor > np.log(20)), 1),
    }


def _changed(rows: int, change: Callable[[np.random.Generator], Pair], generator: np.random.Generator) -> Counted:
    """One variable is changed."""
    one, other, child = change(generator)
    result = _compared(*_rows(one, other, rows, generator))
    verdicts = result.variables().loc[list(result.names), "verdict"]
    near = {x for i, family in enumerate(one.parents) for x in (i, *family) if child in (i, *family)} - {child}
    called = set(np.flatnonzero(verdicts.isin(_CALLED)).tolist()) - {child}
    return {
        FOUND.format(rows): (int(verdicts.iloc[child] == Verdict.DIFFERS), 1),
        OTHERS.format(rows): (int(bool(called)), 1),
        NEIGHBOURS.format(rows): (int(bool(called & near)), 1),
        **_judged(result, one, other),
    }


def _chain(rows: int, generator: np.random.Generator) -> Counted:
    """Of c - x - y - w only c differs, by 30 points."""
    one = chain(generator)
    verdicts = _compared(*_rows(one, shift(one, 0, 0, 0.3, generator), rows, generator)).variables()["verdict"]
    return {
        HEAD: (int(verdicts[one.names[0]] == Verdict.DIFFERS), 1),
        FOLLOWERS: (int(verdicts[list(one.names[1:])].isin(_CALLED).any()), 1),
    }


def _near(rows: int, generator: np.random.Generator) -> Counted:
    """Three variables of ten are changed, by sizes on both sides of the margin."""
    one = drawn(10, generator)
    other = one
    for size in generator.choice(SIZES, 3, replace=False):
        other, _ = perturbed(other, float(size), generator)
    return _judged(_compared(*_rows(one, other, rows // 2, generator)), one, other)


def _of_prior(p_none: float, generator: np.random.Generator) -> Counted:
    """Networks of the prior itself, of which every probability should be as often true as it says.

    Drawn again where some level has no row: such a level is left out, which is another model. A choice by the data
    alone moves no posterior.
    """
    rows = int(generator.choice([50, 100, 200, 500, 1000]))
    while True:
        one, other, differs = of_the_prior(8, p_none, PARENTS, generator)
        codes, labels = _rows(one, other, rows, generator)
        if all(len(np.unique(row)) == many for row, many in zip(codes, one.arities, strict=True)):
            break
    result = _compared(codes, labels, p_none)
    counted = _by_bins(DIFFERS_IN, result.variables().loc[list(result.names), "probability"].to_numpy(), differs)
    links = result.links()
    there = {(one.names[x], one.names[i]) for i, family in enumerate(one.parents) for x in family}
    linked = np.array([ends in there or ends[::-1] in there for ends in zip(links.source, links.target, strict=True)])
    both = links[["probability_first", "probability_second"]].to_numpy()
    return counted | _by_bins(LINKED_IN, both.ravel(), np.repeat(linked, 2))


# -- against the truth ------------------------------------------------------------------------------------------------


def _by_bins(words: str, probabilities: np.ndarray, true: np.ndarray) -> dict[str, tuple[int, int]]:
    """How many of the items in every bin of a probability are true; without those of which none is told (one level)."""
    given = ~np.isnan(probabilities)
    place = np.minimum((probabilities[given] * len(BINS)).astype(int), len(BINS) - 1)
    of = np.bincount(place, minlength=len(BINS)).tolist()
    hits = np.bincount(place[true[given].astype(bool)], minlength=len(BINS)).tolist()
    return {words.format(*ends): pair for ends, pair in zip(BINS, zip(hits, of, strict=True), strict=True)}


def _judged(result: GroupDifferenceResult, one: Network, other: Network) -> dict[str, tuple[int, int]]:
    """Verdicts, probabilities and intervals against the truth of two networks."""
    found, joints = result.variables(), (joint(one), joint(other))
    counted = {ALIKE_WRONGLY: [0, 0], COVERED: [0, 0], COVERED_ALONE: [0, 0]}

    def count(what: str, hit: bool) -> None:
        counted[what][0] += int(hit)
        counted[what][1] += 1

    for i, name in enumerate(result.names):
        row, within, alone = found.loc[name], result.best_blocks[i], result.marginal[i]
        if row["verdict"] == Verdict.ONE_LEVEL:
            continue
        change = _true(result, joints, i, within)
        if row["verdict"] == Verdict.ALIKE:
            count(ALIKE_WRONGLY, float(np.abs(change).max()) > result.method.margin)
        if not np.isnan(row["effect"]):
            count(COVERED, _holds(within, change, row["effect"], row["low"], row["high"]))
        ends = row[["effect_alone", "low_alone", "high_alone"]]
        count(COVERED_ALONE, _holds(alone, _true(result, joints, i, alone), *ends))
    differs = np.array([np.abs(a - b).max() > _NOTHING for a, b in zip(one.tables, other.tables, strict=True)])
    probabilities = found.loc[list(result.names), "probability"].to_numpy()
    return {what: (hits, of) for what, (hits, of) in counted.items()} | _by_bins(
        OTHERWISE.format(DIFFERS_IN), probabilities, differs
    )


def _true(
    result: GroupDifferenceResult, joints: tuple[np.ndarray, np.ndarray], child: int, blocks: Blocks
) -> np.ndarray:
    """(m, r) true differences in the blocks of a variable; levels that no row has are left out, as in the result."""
    codes = [np.array(result.levels[name], dtype=np.int64) for name in result.names]
    places = [codes[x][column] for x, column in zip(blocks.parents, blocks.configurations.T, strict=True)]
    return differences(joints, child, blocks.parents, places, len(blocks.configurations))[:, codes[child]]


def _holds(blocks: Blocks, change: np.ndarray, effect: float, low: float, high: float) -> bool:
    """Whether the interval holds the true difference of the level it is told of."""
    weight = weights(blocks.counts)
    level = int(np.abs(risk_difference(blocks.counts)[0] - effect).argmin())
    true = float((weight * change[:, level]).sum() / weight.sum())
    return bool(low <= true <= high)


def _rows(one: Network, other: Network, rows: int, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """So many rows of either network, and which each is of."""
    return np.hstack([network.sample_codes(rows, generator) for network in (one, other)]), np.repeat([0, 1], rows)


def _compared(codes: np.ndarray, labels: np.ndarray, p_none: float = 0.5) -> GroupDifferenceResult:
    names = [f"X{i:02d}" for i in range(1, len(codes) + 1)]  # in the order of the network's
    levels = [int(row.max()) + 1 for row in codes]
    data = Dataset.from_codes(np.vstack([codes, labels.astype(codes.dtype)]), [*levels, 2], [*names, GROUP])
    return GroupDifference(group=GROUP, p_none=p_none).run(data)

"""Group comparisons: how often a difference is called where there is none, and found where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from engine.data.dataset import Dataset
from engine.evaluation.studies.calibration.cell import Bar, Cell, Counted
from engine.evaluation.studies.group_difference.data import balance_scale
from engine.measures.risk_difference import risk_difference, weights
from engine.methods.group_difference.blocks import Blocks
from engine.methods.group_difference.method import GroupDifference
from engine.methods.group_difference.result import GroupDifferenceResult
from engine.methods.group_difference.verdicts import ALIKE, DIFFERS, NOTHING
from engine.models.network import Network, random_network
from engine.simulation.networks import expected_neighbours_dag, random_arities

GROUP = "group"
FALSE, ANYTHING = "null tables with any 'differs'", "null tables with any difference, on its own too"
FOUND = "a difference of {} points called"
OTHERS = "called, of the variables that do not differ given their parents"
ALIKE_WRONGLY = "'alike' although a difference exceeds the margin"
COVERED, COVERED_ALONE = "interval of the effect holds it", "interval on its own holds it"
STRONG = "null tables with a Bayes factor above 20 for a difference anywhere"
BARS = {
    FALSE: Bar(high=0.07),
    FOUND.format(20): Bar(low=0.95),
    FOUND.format(10): Bar(low=0.5),
    ALIKE_WRONGLY: Bar(high=0.07),
    COVERED: Bar(0.92, 0.98),
    COVERED_ALONE: Bar(0.92, 0.98),
}
"""CLAIMS of the design, by quantity; others are only told."""
NEIGHBOURS = 2.0
_NOTHING = 1e-9
SIZES = (0.0, 0.02, 0.05, 0.08, 0.11, 0.15, 0.2)
"""Changes of which *alike* is tried, on both sides of the margin of ten points."""


def cells() -> list[Cell]:
    """Null tables of all sizes, tables with a change of known size, tables with changes about the margin."""
    found = [
        Cell(f"{rows:,} rows, {variables} variables", partial(_null, rows, variables))
        for rows in (200, 1000, 5000)
        for variables in (5, 10, 20)
    ]
    found.append(Cell("1,000 rows of balance-scale, labels dealt at random", partial(_dealt, 1000)))
    found += [
        Cell(f"1,000 rows, 10 variables, {points} points {way}", partial(_changed, 1000, points, shift))
        for points in (10, 20)
        for way, shift in (("between the same two levels", True), ("between other levels in every context", False))
    ]
    found += [
        Cell(f"{rows:,} rows, 10 variables, changes about the margin", partial(_near, rows)) for rows in (2000, 8000)
    ]
    return found


def _null(rows: int, variables: int, generator: np.random.Generator) -> Counted:
    """No difference: all rows of one network, labels dealt at random."""
    return _of_null(_drawn(variables, generator).sample_codes(rows, generator), generator)


def _dealt(rows: int, generator: np.random.Generator) -> Counted:
    data = balance_scale()
    return _of_null(data.codes[:, generator.integers(0, data.n_rows, rows)], generator)


def _of_null(codes: np.ndarray, generator: np.random.Generator) -> Counted:
    labels = generator.permutation(np.arange(codes.shape[1]) % 2)
    result = _compared(codes, labels)
    found = result.variables()
    return {
        FALSE: (int((found["verdict"] == DIFFERS).any()), 1),
        ANYTHING: (int((found["class"] != NOTHING).any()), 1),
        STRONG: (int(result.overall_bayes_factor > np.log(20)), 1),
    }


def _changed(rows: int, points: int, shift: bool, generator: np.random.Generator) -> Counted:
    """One variable of ten is changed by so many points in every context of its parents."""
    if shift:
        one, other, child = _shifted(10, points / 100, generator)
    else:
        one = _drawn(10, generator)
        other, child = _perturbed(one, points / 100, generator)
    result = _compared(*_rows(one, other, rows, generator))
    called = result.variables().at[result.names[child], "verdict"] == DIFFERS
    return {FOUND.format(points): (int(called), 1), **_judged(result, one, other)}


def _near(rows: int, generator: np.random.Generator) -> Counted:
    """Three variables of ten are changed, by sizes on both sides of the margin."""
    one = _drawn(10, generator)
    other = one
    for size in generator.choice(SIZES, 3, replace=False):
        other, _ = _perturbed(other, float(size), generator)
    return _judged(_compared(*_rows(one, other, rows, generator)), one, other)


def _judged(result: GroupDifferenceResult, one: Network, other: Network) -> dict[str, tuple[int, int]]:
    """Verdicts and intervals against the truth of two networks."""
    found, joints = result.variables(), (joint(one), joint(other))
    counted = {OTHERS: [0, 0], ALIKE_WRONGLY: [0, 0], COVERED: [0, 0], COVERED_ALONE: [0, 0]}

    def count(what: str, hit: bool) -> None:
        counted[what][0] += int(hit)
        counted[what][1] += 1

    for i, name in enumerate(result.names):
        row = found.loc[name]
        change = _true(result, joints, i, result.common[i])
        largest = float(np.abs(change).max())
        if row["verdict"] == ALIKE:
            count(ALIKE_WRONGLY, largest > result.method.margin)
        if largest < _NOTHING:
            count(OTHERS, row["verdict"] == DIFFERS)
        count(COVERED, _holds(result.common[i], change, row["effect"], row["low"], row["high"]))
        alone = _true(result, joints, i, result.marginal[i])
        ends = row[["effect_alone", "low_alone", "high_alone"]]
        count(COVERED_ALONE, _holds(result.marginal[i], alone, *ends))
    return {what: (hits, of) for what, (hits, of) in counted.items()}


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


def joint(network: Network) -> np.ndarray:
    """The joint distribution, one axis a variable."""
    arities = network.arities
    found: np.ndarray = np.ones(tuple(arities))
    for child, (family, table) in enumerate(zip(network.parents, network.tables, strict=True)):
        axes = [*family, child]
        factor = table.reshape([int(arities[x]) for x in axes])
        factor = factor.transpose(np.argsort(axes))
        shape = [int(arities[x]) if x in axes else 1 for x in range(len(arities))]
        found = found * factor.reshape(shape)
    return found


def differences(
    joints: tuple[np.ndarray, np.ndarray],
    child: int,
    given: Sequence[int],
    places: Sequence[np.ndarray],
    many: int,
) -> np.ndarray:
    """(many, r) true differences of the shares of a child, second distribution minus first.

    Parameters
    ----------
    joints : the two distributions, one axis a variable
    child, given : positions of a variable and of its parents
    places : for each parent (many,) its codes;  many : how many contexts
    """
    shares = []
    for distribution in joints:
        family = distribution.sum(axis=tuple(x for x in range(distribution.ndim) if x != child and x not in given))
        kept = sorted([*given, child])
        family = family.transpose([kept.index(x) for x in (*given, child)])
        rows = family[tuple(places)] if given else np.repeat(family[None], many, axis=0)
        shares.append(rows / np.maximum(rows.sum(axis=1, keepdims=True), 1e-300))
    return np.asarray(shares[1] - shares[0])


def _drawn(variables: int, generator: np.random.Generator) -> Network:
    """A random network of two or three levels a variable, two neighbours each on average."""
    parents = expected_neighbours_dag(variables, NEIGHBOURS, generator)
    return random_network(parents, random_arities(variables, (2, 3), generator), generator)


def _perturbed(network: Network, size: float, generator: np.random.Generator) -> tuple[Network, int]:
    """`size` of probability moved from the commonest level to another, in every context of one variable's parents.

    Which level is the commonest, and where its share goes, is another matter in every context; so over all rows the
    moves may cancel.
    """
    wide = [i for i, table in enumerate(network.tables) if (table.max(axis=1) >= size).all()]
    child = int(generator.choice(wide)) if wide else int(generator.integers(len(network.names)))
    table = network.tables[child]
    top = table.argmax(axis=1)
    to = (top + 1 + generator.integers(table.shape[1] - 1, size=len(table))) % table.shape[1]
    return _moved(network, child, top, to, size), child


def _shifted(variables: int, size: float, generator: np.random.Generator) -> tuple[Network, Network, int]:
    """A network, the same with `size` of probability moved from one level to another in every context, and where.

    Networks are drawn until one has a variable with so much to move everywhere.
    """
    while True:
        network = _drawn(variables, generator)
        able = [
            (child, level)
            for child, table in enumerate(network.tables)
            for level in np.flatnonzero((table >= size).all(axis=0))
        ]
        if able:
            child, level = able[generator.integers(len(able))]
            table = network.tables[child]
            to = (level + 1 + int(generator.integers(table.shape[1] - 1))) % table.shape[1]
            rows = np.ones(len(table), dtype=np.int64)
            return network, _moved(network, child, level * rows, to * rows, size), child


def _moved(network: Network, child: int, start: np.ndarray, end: np.ndarray, size: float) -> Network:
    """The network with `size` of probability, or all there is, moved from one level to another in each context."""
    table = network.tables[child].copy()
    rows = np.arange(len(table))
    moved = np.minimum(size, table[rows, start])
    table[rows, start] -= moved
    table[rows, end] += moved
    tables = [*network.tables]
    tables[child] = table
    return Network(network.names, network.levels, network.parents, tuple(tables))


def _rows(one: Network, other: Network, rows: int, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Half of the rows of either network, and which each is of."""
    parts = [network.sample_codes(rows // 2, generator) for network in (one, other)]
    return np.hstack(parts), np.repeat([0, 1], rows // 2)


def _compared(codes: np.ndarray, labels: np.ndarray) -> GroupDifferenceResult:
    names = [f"X{i:02d}" for i in range(1, len(codes) + 1)]  # in the order of the network's
    levels = [int(row.max()) + 1 for row in codes]
    data = Dataset.from_codes(np.vstack([codes, labels.astype(codes.dtype)]), [*levels, 2], [*names, GROUP])
    return GroupDifference(group=GROUP).run(data)

"""Coverage: whether intervals of differences hold the difference that is true, by closed form."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.calibration.links import generators as draw
from benchmarks.calibration.links.cells import (
    LINKED,
    MIDDLE,
    PARTIAL,
    STEPS,
    paired_table,
    subject_table,
)
from benchmarks.calibration.links.generators import Random, stacked
from benchmarks.calibration.links.measuring import (
    COVERED,
    TOLD,
    Cell,
    Compared,
    Counted,
    associations,
    climbed,
    compared,
    coverage,
    ordinal,
)
from engine.comparison.links import graph_of, separators, shared_network

BLOCKS = [(0, 1), (2, 3), (4, 5), (6, 7)]


def cells() -> list[Cell]:
    """Every cell of coverage."""
    found = [
        Cell(f"coverage, 8 binary variables in pairs, prevalence {words}, {a} + {b}", partial(_blocks, one, (a, b), ""))
        for words, one, a, b in (
            (".5", (0.5, 0.5), 500, 500),
            (".3", (0.3, 0.3), 500, 500),
            (".15", (0.15, 0.15), 500, 500),
            (".5 and .15", (0.5, 0.15), 500, 500),
            (".5 and .3", (0.5, 0.3), 900, 100),
        )
    ]
    found += [
        Cell("coverage, 8 binary variables of a network, 500 + 500, associations", partial(_network, False)),
        Cell("coverage, 8 binary variables of a network, 500 + 500, BDeu hill climbing", partial(_network, True)),
        Cell("coverage, 8 ratings, 400 + 400", partial(_ratings, 8, 400, None, "")),
        Cell("coverage, 8 ratings with floors, 400 + 400", partial(_ratings, 8, 400, (0.7, 0.9), "")),
        Cell("coverage, 8 ratings, 600 + 150", partial(_ratings, 8, (600, 150), None, "")),
        Cell("coverage, paired, 300 subjects, 8 binary variables", partial(_paired, 2)),
        Cell("coverage, paired, 300 subjects, 8 ratings", partial(_paired, STEPS)),
        Cell("coverage, 60 subjects x 10, 8 binary variables", _subjects),
    ]
    for rows in (50, 30):
        found += [
            Cell(f"coverage, 8 binary variables in pairs, prevalence .5, {rows} + {rows}",
                 partial(_blocks, (0.5, 0.5), (rows, rows), TOLD)),
            Cell(f"coverage, 6 ratings, {rows} + {rows}", partial(_ratings, 6, rows, None, TOLD)),
        ]  # fmt: skip
    return found


def _blocks(
    prevalence: tuple[float, float], rows: tuple[int, int], prefix: str, generator: Random, number: int
) -> Counted:
    """Independent pairs: whatever is held, a pair's odds ratio is its own and all others' are 1."""
    groups, truth = [], []
    for share, size in zip(prevalence, rows, strict=True):
        log_odds = generator.normal(0, 0.8, len(BLOCKS))
        groups.append(draw.blocks(np.full(8, share), log_odds, size, generator))
        truth.append(draw.coefficients(8, BLOCKS, log_odds))
    one = compared(stacked(groups, [2] * 8), associations, generator)
    return coverage(one, (truth[0], truth[1]), prefix)


def _network(directed: bool, generator: Random, number: int) -> Counted:
    """Of the whole population given what the comparison held for each pair."""
    pairs = draw.random_pairs(8, 8, generator)
    groups, shares = [], []
    for _ in range(2):
        theta = draw.coefficients(8, pairs, draw.signs(len(pairs), generator) * generator.uniform(*LINKED, len(pairs)))
        prevalence = generator.uniform(*MIDDLE, 8)
        groups.append(draw.binary(theta, prevalence, 500, generator))
        shares.append(draw.joint(theta, prevalence))
    one = compared(stacked(groups, [2] * 8), climbed if directed else associations, generator)
    truth = [np.zeros((8, 8)) for _ in shares]
    place = {name: i for i, name in enumerate(one.names)}
    for (u, v), given in _held(one):
        i, j = place[u], place[v]
        flags = np.isin(np.arange(8), [place[name] for name in given])
        for whole, share in zip(truth, shares, strict=True):
            whole[i, j] = whole[j, i] = draw.common_log_odds(share, i, j, flags)
    return coverage(one, (truth[0], truth[1]))


def _held(one: Compared) -> list[tuple[tuple[str, str], list[str]]]:
    """Every pair with the variables that its contexts are made of."""
    names = sorted(one.names)
    pairs = np.array(np.triu_indices(len(names), 1)).T
    graphs = [graph_of(answer) for answer in one.found.answers]
    shared = shared_network(one.parts, names) if all(graph.is_directed() for graph in graphs) else None
    flags = separators(graphs, names, pairs, shared)
    return [
        ((names[i], names[j]), [names[k] for k in np.flatnonzero(row)])
        for (i, j), row in zip(pairs, flags, strict=True)
    ]


def _ratings(
    variables: int,
    rows: int | tuple[int, int],
    floor: tuple[float, float] | None,
    prefix: str,
    generator: Random,
    number: int,
) -> Counted:
    """Each group has partial correlations and thresholds of its own."""
    groups, truth = [], []
    for size in (rows, rows) if isinstance(rows, int) else rows:
        pairs = draw.random_pairs(variables, variables, generator)
        values = draw.signs(len(pairs), generator) * generator.uniform(*PARTIAL, len(pairs))
        correlation = draw.from_partial(variables, pairs, values)
        cuts = draw.some_cuts(variables, STEPS, generator, floor)
        groups.append(draw.ratings(correlation, cuts, size, generator))
        truth.append(draw.partial_correlations(correlation))
    one = compared(stacked(groups, [STEPS] * variables, ordered=True), ordinal, generator)
    return coverage(one, (truth[0], truth[1]), prefix)


def _paired(levels: int, generator: Random, number: int) -> Counted:
    r = generator.uniform(0.1, 0.5, (2, 4)) * draw.signs(4, generator)
    table, cuts = paired_table(levels, 300, r, generator)
    one = compared(table, associations if levels == 2 else ordinal, generator)
    truth = []
    for values in r:
        pairs = list(zip(values, BLOCKS, strict=True))
        if levels == 2:
            values = np.array([draw.cut_log_odds(x, cuts[a, 0], cuts[b, 0]) for x, (a, b) in pairs])
        truth.append(draw.coefficients(8, BLOCKS, values))
    return coverage(one, (truth[0], truth[1]))


def _subjects(generator: Random, number: int) -> Counted:
    """The same in both groups, so every difference is 0; the estimates of one group are not looked at."""
    table, _, _ = subject_table(2, 8, True, 60, 10, generator)
    one = compared(table, associations, generator)
    nothing = np.zeros((8, 8))
    return {COVERED: coverage(one, (nothing, nothing))[COVERED]}

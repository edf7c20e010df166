"""Every cell: what is drawn, how it is compared, and what is counted."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from benchmarks.calibration.links import generators as draw
from benchmarks.calibration.links.generators import Random, Table, stacked
from benchmarks.calibration.links.measuring import (
    ANOTHER,
    ANY_EQUAL,
    FOUND,
    FOUND_SIX,
    FOUND_THREE,
    PARENTS,
    Answers,
    Cell,
    Counted,
    associations,
    changed,
    climbed,
    compared,
    equivalence,
    null,
    of_parts,
    ordinal,
    thickened,
    told,
    turned,
)
from engine.data.dataset import Dataset

MIDDLE = (0.35, 0.65)
"""Prevalences of binary variables, where a cell says nothing of them."""
LINKED = (np.log(1.5), np.log(4))
"""Sizes of log odds ratios of links that are there."""
PARTIAL = (0.15, 0.4)
"""Sizes of partial correlations of links that are there."""
STEPS = 5


def cells() -> list[Cell]:
    """Every cell but those of coverage."""
    return [*_found(), *_nulls(), *_together(), *_directed(), *_told()]


def _found() -> list[Cell]:
    return [
        Cell("turned sign, ratings r = .5 and -.5, 300 + 300, 8 variables", _turned_ratings),
        Cell("turned sign, binary odds ratio 4.5 and 1/4.5, 300 + 300, 8 variables", _turned_binary),
        Cell("odds ratio 3 against 1, 500 + 500, 10 variables", partial(_odds, 10, (500, 500), (3, 1), FOUND_THREE)),
        Cell("odds ratio 6 against 1, 900 + 100, 8 variables", partial(_odds, 8, (900, 100), (6, 1), FOUND_SIX)),
        Cell("odds ratio 6 against 1, 900 + 100, 10 variables", partial(_odds, 10, (900, 100), (6, 1), FOUND_SIX)),
        Cell("odds ratio 1 against 6, 900 + 100, 8 variables", partial(_odds, 8, (900, 100), (1, 6), FOUND)),
        Cell("odds ratio 1 against 6, 900 + 100, 10 variables", partial(_odds, 10, (900, 100), (1, 6), FOUND)),
        Cell("three groups of 500, odds ratios 3, 3 and 1, 8 variables", _three),
    ]


def _nulls() -> list[Cell]:
    half, some = (0.5, 0.5), 0.15
    return [
        Cell("odds ratio 3, prevalence .5 and .15, 500 + 500", partial(_equal, (500, 500), (half[0], some))),
        Cell("odds ratio 3, prevalence .5 and .15, 900 + 100", partial(_equal, (900, 100), (half[0], some))),
        Cell("odds ratio 3, prevalence .15 and .5, 900 + 100", partial(_equal, (900, 100), (some, half[0]))),
        Cell("halves of 10 ratings, 400 + 400", partial(_rating_halves, 10, 12, 400, None, PARTIAL, ordinal)),
        Cell("halves of 24 ratings, 400 + 400", partial(_rating_halves, 24, 36, 400, None, PARTIAL, ordinal)),
        Cell("halves of 10 ratings in associations, 400 + 400",
             partial(_rating_halves, 10, 12, 400, None, PARTIAL, associations)),
        Cell("halves of 6 nominal variables of 3 levels, 400 + 400", partial(_network_halves, (3,) * 6, 400)),
        Cell("halves of 8 nominal variables of 2 to 4 levels, 750 + 750",
             partial(_network_halves, (2, 2, 3, 3, 3, 4, 4, 4), 750)),
        Cell("halves of 12 variables of 2 or 3 levels, 500 + 500", partial(_network_halves, (2, 3) * 6, 500)),
        Cell("halves of 5 nominal variables of 4 levels, 1,000 + 1,000", partial(_network_halves, (4,) * 5, 1000)),
        Cell("strong chain, 10 binary variables, odds ratios 8 to 20, 300 + 300", _strong_binary),
        Cell("strong ring and chords, 10 binary variables, odds ratios 4 to 8, 400 + 400", _strong_ring),
        Cell("strong chain, 8 ratings, r = .8, 300 + 300", _strong_ratings),
        Cell("floors, 10 ratings, 70 to 90 % in the lowest step, 300 + 300",
             partial(_rating_halves, 10, 12, 300, (0.7, 0.9), PARTIAL, ordinal)),
        Cell("floors in associations, 8 ratings, 300 + 300",
             partial(_rating_halves, 8, 9, 300, (0.7, 0.9), PARTIAL, associations)),
        Cell("weak links, 10 binary variables, odds ratios 1.2 to 1.5, 300 + 300", _weak_binary),
        Cell("weak links, 10 ratings, partial correlations .05 to .12, 300 + 300",
             partial(_rating_halves, 10, 15, 300, None, (0.05, 0.12), ordinal)),
    ]  # fmt: skip


def _together() -> list[Cell]:
    return [
        Cell("60 subjects x 10, 8 binary variables, ICC .25, subjects alike in links too",
             partial(_by_subject, True)),
        Cell("60 subjects x 10, 8 binary variables, ICC .25, subjects' parts independent",
             partial(_by_subject, False)),
        Cell("60 subjects x 10, 6 ratings (53 degrees of freedom)", _subject_ratings),
        Cell("paired, 300 subjects before and after, 8 binary variables",
             partial(_paired, 2, 300, associations, False)),
        Cell("paired, 300 subjects before and after, 8 ratings", partial(_paired, STEPS, 300, ordinal, False)),
        Cell("paired, odds ratio 3 before and 1 after, 500 subjects, 8 binary variables",
             partial(_paired, 2, 500, associations, True)),
        Cell("paired, r = .41 before and 0 after, 300 subjects, 8 ratings",
             partial(_paired, STEPS, 300, ordinal, True)),
    ]  # fmt: skip


def _directed() -> list[Cell]:
    ways = {
        "independent": "u and v independent",
        "common parent": "u and v of one parent",
        "direct": "u -> v, each with a parent of its own",
        "bare": "u -> v alone (no direction can be known)",
    }
    searches = {"BDeu, hill climbing": climbed, "K2, thick thinning": thickened, "BDeu, GES": equivalence}
    return [
        Cell(f"only a child's table differs, {words}, 500 + 500: {search}", partial(_child, kind, -1.0, answers))
        for kind, words in ways.items()
        for search, answers in searches.items()
    ] + [
        Cell(f"a child's table differs in strength, {words}, 500 + 500: {search}", partial(_child, kind, 0.3, answers))
        for kind, words in ways.items()
        for search, answers in searches.items()
    ]


def _told() -> list[Cell]:
    return [
        Cell("null, 8 binary variables, 50 + 50", partial(_plain_null, 8, 50)),
        Cell("null, 8 binary variables, 30 + 30", partial(_plain_null, 8, 30)),
        Cell("null, 6 ratings, 50 + 50", partial(_few_ratings, 50)),
        Cell("null, 6 ratings, 30 + 30", partial(_few_ratings, 30)),
        Cell("null, 8 binary variables, 10 % of cells missing at random, 500 + 500", _gaps),
        Cell("null, 30 binary variables, 500 + 500", partial(_many, 30)),
        Cell("null, 60 binary variables, 500 + 500", partial(_many, 60)),
        Cell("null, 6 nominal variables of 3 levels, 300 + 300", partial(_nominal, False)),
        Cell("one link of 3 levels in A only, 6 nominal variables, 300 + 300", partial(_nominal, True)),
    ]


# -- found ------------------------------------------------------------------------------------------------------------


def _sized(pairs: list[tuple[int, int]], size: tuple[float, float], generator: Random) -> np.ndarray:
    """A value of either sign for every pair."""
    found: np.ndarray = draw.signs(len(pairs), generator) * generator.uniform(*size, len(pairs))
    return found


def _turned_ratings(generator: Random, number: int) -> Counted:
    """A leaf of seven others turns its sign; all other partial correlations are the same."""
    pairs = draw.random_pairs(7, 7, generator)
    others = draw.from_partial(7, pairs, _sized(pairs, PARTIAL, generator))
    on = int(generator.integers(7))
    cuts = draw.some_cuts(8, STEPS, generator)
    groups = [draw.ratings(draw.with_leaf(others, on, r), cuts, 300, generator) for r in (0.5, -0.5)]
    return turned(compared(stacked(groups, [STEPS] * 8, ordered=True), ordinal, generator), on, 7, number)


def _binary_groups(
    variables: int, rows: tuple[int, ...], odds: tuple[float, ...], generator: Random
) -> tuple[Table, tuple[int, int]]:
    """Groups that differ in one pair's odds ratio only; its prevalences are the same in all."""
    pairs = draw.random_pairs(variables, variables, generator)
    values = _sized(pairs, LINKED, generator)
    chosen = int(generator.integers(len(pairs)))
    prevalence = generator.uniform(*MIDDLE, variables)
    groups = []
    for size, ratio in zip(rows, odds, strict=True):
        values[chosen] = np.log(ratio)
        groups.append(draw.binary(draw.coefficients(variables, pairs, values), prevalence, size, generator))
    return stacked(groups, [2] * variables), pairs[chosen]


def _turned_binary(generator: Random, number: int) -> Counted:
    table, (u, v) = _binary_groups(8, (300, 300), (4.5, 1 / 4.5), generator)
    return turned(compared(table, associations, generator), u, v, number)


def _odds(
    variables: int, rows: tuple[int, int], odds: tuple[float, float], quantity: str, generator: Random, number: int
) -> Counted:
    table, (u, v) = _binary_groups(variables, rows, odds, generator)
    one = compared(table, associations, generator)
    label = one.found.labels[int(odds[0] < odds[1])]
    return changed(one, u, v, quantity, (f"stronger in {label}", f"only in {label}"))


def _three(generator: Random, number: int) -> Counted:
    """Groups 0 and 1 are alike; the pair differs between 0 and 2, and between 1 and 2."""
    table, (u, v) = _binary_groups(8, (500, 500, 500), (3, 3, 1), generator)
    one = compared(table, associations, generator)
    ends, labels = one.pair(u, v), one.found.labels
    rows = list(one.found.called().itertuples())
    of_pair = {(row.group_a, row.group_b) for row in rows if frozenset((row.source, row.target)) == ends}
    true = {(labels[0], labels[2]), (labels[1], labels[2])}
    return {
        "both pairs of groups that differ found": (int(true <= of_pair), 1),
        "the pair of groups that are alike called": (int(bool(of_pair - true)), 1),
        ANOTHER: (int(bool(one.called() - {ends})), 1),
    }


# -- nulls ------------------------------------------------------------------------------------------------------------


def _halved(codes: np.ndarray, generator: Random) -> np.ndarray:
    """Labels of two random halves."""
    return generator.permutation(np.arange(codes.shape[1]) % 2)


def _equal(rows: tuple[int, int], prevalence: tuple[float, float], generator: Random, number: int) -> Counted:
    pairs = draw.random_pairs(10, 8, generator)
    theta = draw.coefficients(10, pairs, np.full(len(pairs), np.log(3)))
    groups = [draw.binary(theta, np.full(10, one), size, generator) for size, one in zip(rows, prevalence, strict=True)]
    return null(compared(stacked(groups, [2] * 10), associations, generator), ANY_EQUAL)


def _rating_halves(
    variables: int,
    links: int,
    rows: int,
    floor: tuple[float, float] | None,
    size: tuple[float, float],
    answers: Answers,
    generator: Random,
    number: int,
) -> Counted:
    pairs = draw.random_pairs(variables, links, generator, most=4)
    correlation = draw.from_partial(variables, pairs, _sized(pairs, size, generator))
    codes = draw.ratings(correlation, draw.some_cuts(variables, STEPS, generator, floor), 2 * rows, generator)
    table = Table(codes, (STEPS,) * variables, _halved(codes, generator), ordered=True)
    return null(compared(table, answers, generator))


def _network_halves(levels: tuple[int, ...], rows: int, generator: Random, number: int) -> Counted:
    codes = draw.random_network(levels, 2 * rows, generator)
    return null(compared(Table(codes, levels, _halved(codes, generator)), associations, generator))


def _chain_halves(variables: int, log_odds: np.ndarray, rows: int, generator: Random) -> Counted:
    codes = draw.chain(variables, log_odds, 2 * rows, generator)
    return null(compared(Table(codes, (2,) * variables, _halved(codes, generator)), associations, generator))


def _strong_binary(generator: Random, number: int) -> Counted:
    return _chain_halves(10, draw.signs(9, generator) * np.log(generator.uniform(8, 20, 9)), 300, generator)


def _strong_ring(generator: Random, number: int) -> Counted:
    pairs = sorted({*[(i, i + 1) for i in range(9)], (0, 9), (0, 5), (2, 7), (4, 9)})
    values = np.log(generator.uniform(4, 8, len(pairs)))
    theta = draw.coefficients(10, pairs, values)
    codes = draw.binary(theta, generator.uniform(*MIDDLE, 10), 800, generator)
    return null(compared(Table(codes, (2,) * 10, _halved(codes, generator)), associations, generator))


def _strong_ratings(generator: Random, number: int) -> Counted:
    codes = draw.ratings(draw.neighbours(8, 0.8), draw.some_cuts(8, STEPS, generator), 600, generator)
    return null(compared(Table(codes, (STEPS,) * 8, _halved(codes, generator), ordered=True), ordinal, generator))


def _weak_binary(generator: Random, number: int) -> Counted:
    pairs = draw.random_pairs(10, 15, generator, most=4)
    theta = draw.coefficients(10, pairs, _sized(pairs, (np.log(1.2), np.log(1.5)), generator))
    codes = draw.binary(theta, generator.uniform(*MIDDLE, 10), 600, generator)
    return null(compared(Table(codes, (2,) * 10, _halved(codes, generator)), associations, generator))


# -- rows that belong together ----------------------------------------------------------------------------------------

LATENT_ICC = 0.38
"""Of hidden values; of a variable cut in the middle it is .25."""


def _cuts(variables: int, levels: int, generator: Random) -> np.ndarray:
    """About the middle where there are two levels."""
    if levels == 2:
        return generator.uniform(-0.4, 0.4, (variables, 1))
    return draw.some_cuts(variables, levels, generator)


def subject_table(
    levels: int, variables: int, alike: bool, people: int, rows: int, generator: Random
) -> tuple[Table, np.ndarray, np.ndarray]:
    """A null table of subjects who stand in one group each, the correlations of hidden values, and the cuts."""
    pairs = draw.random_pairs(variables, variables, generator)
    own = draw.from_partial(variables, pairs, _sized(pairs, PARTIAL, generator))
    shared = own if alike else np.eye(variables)
    subject = np.repeat(np.arange(people), rows)
    cuts = _cuts(variables, levels, generator)
    codes = draw.cut(draw.of_subjects(shared, own, LATENT_ICC, subject, generator), cuts)
    label = generator.permutation(np.arange(people) % 2)[subject]
    whole = LATENT_ICC * shared + (1 - LATENT_ICC) * own
    return Table(codes, (levels,) * variables, label, levels > 2, subject), whole, cuts


def _by_subject(alike: bool, generator: Random, number: int) -> Counted:
    table, _, _ = subject_table(2, 8, alike, 60, 10, generator)
    without = compared(table, associations, generator, role=False)
    return null(compared(table, associations, generator)) | {
        "no role: any link called": (int(bool(without.called())), 1)
    }


def _subject_ratings(generator: Random, number: int) -> Counted:
    table, _, _ = subject_table(STEPS, 6, True, 60, 10, generator)
    return told(null(compared(table, ordinal, generator)))


WITHIN = 0.5
"""Share of a hidden value that a subject keeps from before to after."""


def paired_table(levels: int, people: int, r: np.ndarray, generator: Random) -> tuple[Table, np.ndarray]:
    """Subjects before and after: the correlation of variables 0 and 1, 2 and 3, ... at each of the two times.

    Parameters
    ----------
    levels : of each of 8 variables;  people : subjects
    r : (2, 4) at each time

    Returns
    -------
    the table, and the cuts
    """

    def whole(values: np.ndarray) -> np.ndarray:
        return draw.coefficients(8, [(0, 1), (2, 3), (4, 5), (6, 7)], values) + np.eye(8)

    shared = r.mean(axis=0)
    own = (r - WITHIN * shared) / (1 - WITHIN)
    person = draw.hidden(whole(shared), people, generator)
    cuts = _cuts(8, levels, generator)
    times = [
        draw.cut(np.sqrt(WITHIN) * person + np.sqrt(1 - WITHIN) * draw.hidden(whole(one), people, generator), cuts)
        for one in own
    ]
    label = np.repeat([0, 1], people)
    return Table(np.hstack(times), (levels,) * 8, label, levels > 2, np.tile(np.arange(people), 2)), cuts


def _paired(levels: int, people: int, answers: Answers, differs: bool, generator: Random, number: int) -> Counted:
    """Log odds ratio log 3 is a correlation of .41 where both are cut in the middle."""
    r = np.tile(generator.uniform(0.2, 0.6, 4) * draw.signs(4, generator), (2, 1))
    if differs:
        r[:, 0] = 0.41, 0.0
    one = compared(paired_table(levels, people, r, generator)[0], answers, generator)
    if not differs:
        return null(one)
    label = one.found.labels[0]
    return changed(one, 0, 1, FOUND, (f"stronger in {label}", f"only in {label}"))


# -- directed ---------------------------------------------------------------------------------------------------------


def child_table(kind: str, turn: float, generator: Random) -> Table:
    """500 + 500 rows in which only the table of a child differs."""
    return stacked(draw.one_table_differs(kind, turn, 500, generator), [2] * 7)


def _child(kind: str, turn: float, answers: Answers, generator: Random, number: int) -> Counted:
    one = compared(child_table(kind, turn, generator), answers, generator)
    called = one.called()
    changed_ones, parents = {one.pair(0, 2), one.pair(1, 2)}, one.pair(0, 1)
    found = {
        PARENTS: (int(parents in called), 1),
        "a link of the child called": (int(bool(called & changed_ones)), 1),
        "a pair beside these three called": (int(bool(called - changed_ones - {parents})), 1),
    }
    return told(found) if kind == "bare" else found


# -- told -------------------------------------------------------------------------------------------------------------


def _plain_null(variables: int, rows: int, generator: Random, number: int) -> Counted:
    pairs = draw.random_pairs(variables, variables, generator)
    theta = draw.coefficients(variables, pairs, _sized(pairs, LINKED, generator))
    codes = draw.binary(theta, generator.uniform(*MIDDLE, variables), 2 * rows, generator)
    table = Table(codes, (2,) * variables, _halved(codes, generator))
    return told(null(compared(table, associations, generator)))


def _few_ratings(rows: int, generator: Random, number: int) -> Counted:
    return told(_rating_halves(6, 6, rows, None, PARTIAL, ordinal, generator, number))


def _gaps(generator: Random, number: int) -> Counted:
    """As a person gives the table; the recipe does what it does by itself."""
    pairs = draw.random_pairs(8, 8, generator)
    theta = draw.coefficients(8, pairs, _sized(pairs, LINKED, generator))
    codes = draw.binary(theta, generator.uniform(*MIDDLE, 8), 1000, generator)
    names = tuple(f"v{k:02d}" for k in generator.permutation(8))
    frame = pd.DataFrame(np.where(codes.T == 1, "yes", "no"), columns=list(names)).astype(object)
    frame = frame.mask(generator.random(frame.shape) < 0.1, None)
    frame["group"] = np.where(_halved(codes, generator) == 1, "B", "A")
    one = of_parts(Dataset.from_frame(frame), names, associations)
    return told(null(one)) | {"rows that are used": (sum(one.found.rows), len(frame))}


def _many(variables: int, generator: Random, number: int) -> Counted:
    """Blocks of six variables with six links each."""
    parts = []
    for _ in range(variables // 6):
        pairs = draw.random_pairs(6, 6, generator)
        theta = draw.coefficients(6, pairs, _sized(pairs, LINKED, generator))
        parts.append(draw.binary(theta, generator.uniform(*MIDDLE, 6), 1000, generator))
    codes = np.vstack(parts)
    return told(null(compared(Table(codes, (2,) * variables, _halved(codes, generator)), associations, generator)))


def _nominal(differs: bool, generator: Random, number: int) -> Counted:
    """Variables 0 and 1, 2 and 3, 4 and 5 repeat each other in 30 % of rows; where it differs, 0 and 1 in A only."""
    groups, shares = [], generator.dirichlet([8.0] * 3, 6)
    for group in range(2):
        codes = np.array([generator.choice(3, 300, p=one) for one in shares])
        for first in (0, 2, 4):
            linked = not (differs and first == 0 and group == 1)
            same = generator.random(300) < (0.3 if linked else 0)
            codes[first + 1] = np.where(same, codes[first], codes[first + 1])
        groups.append(codes)
    one = compared(stacked(groups, [3] * 6), associations, generator)
    return changed(one, 0, 1, FOUND) if differs else told(null(one))

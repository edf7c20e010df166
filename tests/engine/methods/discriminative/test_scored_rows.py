"""Boundaries from sums over blocks, and scores that are counted, against the same row by row."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.data.store import combined
from engine.methods.discriminative.pipeline import fit_boundary, scores_of
from engine.methods.discriminative.scored_rows import (
    Moments,
    Scored,
    ScoredPair,
    Scoring,
    cells_of_scores,
    moments_of,
    score_cells,
    step_of,
    units_of,
)
from tests.engine.data.blocks import block_of

ROWS = 20_000


def codes() -> np.ndarray:
    """Three variables of three levels and a class of three, the last of which is nobody's."""
    rng = np.random.default_rng(0)
    result = rng.integers(0, 3, (4, ROWS))
    result[1] = np.where(rng.random(ROWS) < 0.4, result[3], result[1])
    return result


def families() -> tuple[list, list]:
    """Both networks' log-probabilities."""
    rng = np.random.default_rng(1)
    return tuple(  # type: ignore[return-value]
        [(child, parents, np.log(rng.dirichlet(np.ones(3), 3 ** len(parents)))) for child, parents in net]
        for net in ([(0, ()), (1, (0,)), (2, ())], [(0, ()), (1, ()), (2, (0, 1))])
    )


def likelihoods(table: np.ndarray) -> np.ndarray:
    """(n, 2) of every row, the others' network first."""
    result = np.zeros((table.shape[1], 2))
    for net, side in enumerate(families()):
        for child, parents, values in side:
            place = np.zeros(table.shape[1], dtype=np.int64)
            for x in parents:
                place = place * 3 + table[x]
            result[:, net] += values[place, table[child]]
    return result


def scoring(pairs: list[ScoredPair], folds: int = 1) -> Scoring:
    """Of the rows above."""
    return Scoring(tuple(pairs), folds, 0, (3, 3, 3, 3), (0, 1, -1))


def summed(table: np.ndarray, how: Scoring, parts: int = 1) -> np.ndarray:
    """The sums of all rows, in some parts."""
    return np.asarray(combined([moments_of(part, how) for part in block_of(table, np.full(4, 3)).parts(parts, 1)]))


@pytest.mark.parametrize("balance", [False, True])
@pytest.mark.parametrize("way", ["least_squares", "midpoint", "ratio"])
def test_boundaries_are_those_of_the_rows(way: str, balance: bool) -> None:
    """To the precision of the units, in one part and in seven."""
    table = codes()
    pairs, unit = units_of([families()])
    sums = summed(table, scoring(pairs * 2))
    assert np.array_equal(summed(table, scoring(pairs * 2), 7), sums)
    assert not sums[0].any()  # without the only fold there are no rows
    side = np.array([0, 1, -1])[table[3]]
    expected = fit_boundary(likelihoods(table), side, way, balance=balance)
    found = Moments(sums[1], balance).boundary(way, unit)
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-7)
    score = scores_of(likelihoods(table), expected)[side >= 0]
    weight = np.where(side == 1, 0.5 / (side == 1).sum(), 0.5 / (side == 0).sum())[side >= 0] if balance else None
    spread = math.sqrt(np.cov(score, ddof=0, aweights=weight))
    assert Moments(sums[1], balance).deviation(found * [1, unit, unit]) == pytest.approx(spread, rel=1e-6)


def test_networks_that_say_the_same_have_the_boundary_of_one_number() -> None:
    """Their log-likelihoods are one number, which alone decides; where it never varies the shares of classes do."""
    table = codes()
    side = np.array([0, 1, -1])[table[3]]
    net = families()[0]
    pairs, unit = units_of([(net, net)])
    found = Moments(summed(table, scoring(pairs * 2))[1], balance=False).boundary("least_squares", unit)
    both = likelihoods(table)[:, [0, 0]]
    assert found == pytest.approx(fit_boundary(both, side, "least_squares", balance=False), rel=1e-6)
    flat = [(0, (), np.full((1, 3), math.log(1 / 3)))]
    pairs, unit = units_of([(flat, flat)])
    found = Moments(summed(table, scoring(pairs * 2))[1], balance=False).boundary("least_squares", unit)
    assert found == pytest.approx([1 - 2 * (side == 0).sum() / (side >= 0).sum(), 0, 0])


def test_every_row_is_counted_with_its_score_and_verdict() -> None:
    """In steps so small that the scores are those of the rows; the verdict never falls on the other side of 0."""
    table = codes()
    pairs, unit = units_of([families()])
    boundary = np.array([0.1, 0.5, -0.4])
    scored = Scored(scoring(pairs), (boundary * [1, unit, unit])[None], 2.0**-10)
    parts = block_of(table, np.full(4, 3)).parts(5, 1)
    cells = score_cells(combined([cells_of_scores(part, scored) for part in parts]), scored.step)
    side = np.array([0, 1, -1])[table[3]]
    score = scores_of(likelihoods(table), boundary)
    assert cells.rows.sum() == (side >= 0).sum()
    for label in (0, 1):
        own, here = np.sort(score[side == label]), cells.label == label
        order = np.argsort(cells.score[here], kind="stable")
        counted = np.repeat(cells.score[here][order], cells.rows[here][order])
        assert np.abs(counted - own).max() <= 2.0**-10
        assert (counted > 0).sum() == (own > 0).sum()


def test_scores_that_are_all_0_are_verdicts_for_the_first_class() -> None:
    """And scores far beyond the steps are counted with the last one."""
    table = codes()
    pairs, _ = units_of([families()])
    for first, sign in ((0.0, 0), (1e12, 1), (-1e12, -1)):
        cells = score_cells(
            cells_of_scores(block_of(table, np.full(4, 3)), Scored(scoring(pairs), np.array([[first, 0, 0]]), 1.0)), 1.0
        )
        assert np.sign(cells.score).tolist() == [sign, sign]


def test_steps_are_fine_beside_the_narrowest_scores() -> None:
    """A power of 2, whatever their size; 1 where no score varies."""
    assert step_of([0.0, 3.0, 1.0]) == 2.0**-10 and step_of([3.9]) == 2.0**-9 and step_of([0.0]) == 1.0

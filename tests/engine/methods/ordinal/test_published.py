"""The authors' rounds: draws against a loop a row and against rejection, regressions against every subset."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from engine.execution import silent
from engine.graphs.dag import Parents
from engine.methods.ordinal import published, structural_em
from engine.methods.ordinal.answers import read
from engine.methods.ordinal.settings import OrdinalSettings
from engine.models.latent_normal import UNKNOWN, Boxes, fitted
from tests.engine.methods.ordinal.make import chain, random_case

UNDER = np.array([[1.0, 0.8, -0.3], [0.8, 1.0, 0.0], [-0.3, 0.0, 1.0]])


class Uniforms:
    """A generator whose numbers were drawn beforehand, so that two programs can use the same ones."""

    def __init__(self, numbers: np.ndarray) -> None:
        self._numbers, self._used = numbers, 0

    def random(self, size: tuple[int, ...]) -> np.ndarray:
        """The next numbers; the rows are the last axis."""
        many = math.prod(size[:-1])
        chosen = self._numbers[self._used : self._used + many]
        self._used += many
        return chosen.reshape(size)


def draw_row(low: np.ndarray, high: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """The draws of a single row, number by number; (p, DRAWS)."""
    root, uniform, kept = np.linalg.cholesky(UNDER), iter(numbers), []
    x = np.array([published.draw_between(low[i], high[i], One(next(uniform))) for i in range(3)])
    z = np.linalg.solve(root, x)
    for sweep in range(1, published.LEFT_OUT + published.EVERY * published.DRAWS + 1):
        for j in range(3):
            below, above = -math.inf, math.inf
            for i in range(j, 3):
                if root[i, j]:
                    rest = sum(root[i, k] * z[k] for k in range(i + 1) if k != j)
                    ends = sorted(((low[i] - rest) / root[i, j], (high[i] - rest) / root[i, j]))
                    below, above = max(below, ends[0]), min(above, ends[1])
            z[j] = published.draw_between(np.float64(below), np.float64(above), One(next(uniform)))
        if sweep > published.LEFT_OUT and (sweep - published.LEFT_OUT) % published.EVERY == 0:
            kept.append(root @ z)
    return np.array(kept).T


class One:
    """A generator of one number."""

    def __init__(self, number: float) -> None:
        self._number = number

    def random(self, size: object) -> float:
        """The number."""
        return self._number


def boxes_of(rows: int, seed: int) -> Boxes:
    """Levels of latent values under `UNDER`, some answers missing."""
    generator = np.random.default_rng(seed)
    latent = np.linalg.cholesky(UNDER) @ generator.normal(size=(3, rows))
    codes = np.stack([np.digitize(value, cut) for value, cut in zip(latent, ([0.0], [-1.0, 0.5], [0.7]), strict=True)])
    codes[generator.random(codes.shape) < 0.1] = UNKNOWN
    return Boxes.of(codes, [2, 3, 2])


def test_draws_are_those_of_one_row_after_the_other() -> None:
    """In plain loops, with the same uniform numbers; 10 sweeps left out, then every second of ten kept."""
    boxes = boxes_of(20, 1)
    sweeps = published.LEFT_OUT + published.EVERY * published.DRAWS
    assert (sweeps, published.DRAWS) == (20, 5)
    numbers = np.random.default_rng(2).random((3 + 3 * sweeps, 20))
    found = published.draw_afresh(boxes, UNDER, Uniforms(numbers))  # type: ignore[arg-type]
    low, high = boxes.bounds()
    for row in range(20):
        assert np.allclose(found[:, row::20], draw_row(low[:, row], high[:, row], numbers[:, row]), atol=1e-9)


def test_draws_have_the_moments_of_a_normal_within_the_box() -> None:
    """Against rejection, in a corner and where an answer is missing."""
    boxes = Boxes(np.repeat([[1], [0], [UNKNOWN]], 4_000, axis=1), (np.array([-np.inf, 0.5, np.inf]),) * 3)
    found = published.draw_afresh(boxes, UNDER, np.random.default_rng(3))
    free = np.linalg.cholesky(UNDER) @ np.random.default_rng(4).normal(size=(3, 400_000))
    inside = free[:, (free[0] > 0.5) & (free[1] < 0.5)]
    assert np.allclose(found.mean(axis=1), inside.mean(axis=1), atol=0.02)
    assert np.allclose(np.cov(found), np.cov(inside), atol=0.03)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_far_tails_keep_their_digits(side: float) -> None:
    """Between 9 and 9.1 standard deviations on either side."""
    ends = np.sort([side * 9.0, side * 9.1])
    found = published.draw_between(np.full(500, ends[0]), np.full(500, ends[1]), np.random.default_rng(5))
    assert (found >= ends[0]).all() and (found <= ends[1]).all() and len(np.unique(found)) == 500


def test_regressions_take_the_best_subset() -> None:
    """Every subset by least squares on the draws; a superfluous parent goes, a needed one stays; none only of one."""
    generator = np.random.default_rng(6)
    draws = generator.normal(size=(5, 4_000))
    draws[3] += 0.8 * draws[0] - 0.5 * draws[1]
    draws[4] += 0.6 * draws[3]
    parents: Parents = ((), (0,), (), (0, 1, 2), (2, 3))
    kept = []
    for child, family in enumerate(parents):
        found: list[tuple[float, tuple[int, ...]]] = []
        for size in range(len(family) + 1):
            for subset in itertools.combinations(family, size):
                if subset or len(family) < 2:
                    slopes = np.linalg.lstsq(draws[list(subset)].T, draws[child], rcond=None)[0] if subset else []
                    rest = draws[child] - (slopes @ draws[list(subset)] if subset else 0.0)
                    found.append((4_000 * math.log(rest @ rest) + 3 * math.log(4_000) * size, subset))
        kept.append(min(found)[1])
    assert kept == [(), (), (), (0, 1), (3,)]
    moments = draws @ draws.T / 4_000
    assert np.allclose(
        published.fit_best_subsets(draws, parents, 3.0), fitted(moments, kept, [0, 1, 2, 3, 4]), atol=1e-12
    )


def test_many_parents_leave_one_by_one() -> None:
    """From ten on: the one that explains least goes first."""
    generator = np.random.default_rng(7)
    draws = generator.normal(size=(12, 3_000))
    weights = np.array([0.9, 0.0, 0.7, 0.0, 0.5, 0.0, 0.4, 0.0, 0.3, 0.0, 0.6])
    draws[11] += weights @ draws[:11]
    family = tuple(range(11))
    tried = list(published._subsets(draws @ draws.T / 3_000, 11, family))
    assert [len(subset) for subset in tried] == list(range(11, 0, -1))
    assert tried[5] == (0, 2, 4, 6, 8, 10) and tried[-1] == (0,)
    found = published.fit_best_subsets(draws, (*((),) * 11, family), 3.0)
    expected = fitted(draws @ draws.T / 3_000, (*((),) * 11, (0, 2, 4, 6, 8, 10)), range(12))
    assert np.allclose(found, expected, atol=1e-12)


def test_the_last_network_is_the_result_and_rounds_are_at_most_ten() -> None:
    """Five of 30 variables and of a penalty of 1; the same seed gives the same bits, another one other draws."""
    assert [published.most_rounds(*how) for how in ((29, 3.0), (30, 3.0), (12, 1.0))] == [10, 5, 5]
    method = OrdinalSettings(mode="published")
    _, data = random_case(8, 3)
    first, again, other = (
        structural_em.learn(how, read(data), silent)
        for how in (method, method, OrdinalSettings(mode="published", seed=1))
    )
    assert {(one.draws, one.step) for one in first.rounds} == {(5, 1.0)}
    assert first.rounds[-1].links == sum(map(len, first.parents)) and 2 <= len(first.rounds) <= 10
    assert first.statistic.tobytes() == again.statistic.tobytes() != other.statistic.tobytes()


@pytest.mark.parametrize(("apart", "refinements"), [(0.0, 1), (0.3, 5)])
def test_refinements_end_where_correlations_stand(
    monkeypatch: pytest.MonkeyPatch, apart: float, refinements: int
) -> None:
    """At a sum of squared changes under .01; else after five."""
    calls = []

    def draw(_boxes: Boxes, under: np.ndarray, _generator: np.random.Generator) -> np.ndarray:
        """Values with exactly the correlations asked for, or with 0 and `apart` in turn."""
        calls.append(under)
        wanted = np.where(np.eye(len(under)), 1.0, apart * (len(calls) % 2)) if apart else under
        white = np.random.default_rng(0).normal(size=(len(under), 400))
        white = np.linalg.solve(np.linalg.cholesky(np.cov(white)), white)
        return np.asarray(np.linalg.cholesky(wanted) @ white)

    monkeypatch.setattr(published, "draw_afresh", draw)
    result = structural_em.learn(OrdinalSettings(mode="published"), read(chain(200)), silent)
    assert len(calls) == refinements + len(result.rounds)

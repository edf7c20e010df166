"""Rows that are only counted, scored block by block: moments for the boundary, and how many rows have which score.

Log-likelihoods are whole numbers of a small unit, so that sums over rows are exact and the same however rows are cut.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.counting.subset_store import RowFold, fold_part
from engine.data.dataset import Dataset
from engine.data.store import Block, Cells, Store
from engine.methods.discriminative.pipeline import NOTHING, RATIO
from engine.methods.discriminative.structure import Learned, LearnedNetwork

if TYPE_CHECKING:
    from engine.methods.discriminative.settings import DiscriminativeSettings

_TOGETHER = 1 << 14
"""Rows that are scored at a time: they fit the second-level cache."""
_BITS, _HALF = 30, 15
"""Bits of a log-likelihood in units, and of its lower half, whose products sum exactly."""
_MOST_STEPS = 1 << 20
"""Steps of a score to either side of 0; what lies beyond is counted with the last one."""
_STEPS = 10
"""A standard deviation of the scores has between 2 ** 10 and 2 ** 11 steps."""
_COLLINEAR = 1e-14
"""Where the correlation of both log-likelihoods is as near to 1, they are one number."""

FamilyTable = tuple[int, tuple[int, ...], np.ndarray]
"""Child, parents, and (q * r) log-probabilities in units."""


class ScoredPair(NamedTuple):
    """The families of both networks of a contrast that are used."""

    others: tuple[FamilyTable, ...]
    own: tuple[FamilyTable, ...]


class Scoring(NamedTuple):
    """What rows are scored with.

    Attributes
    ----------
    pairs : the networks that were learned without each fold; with one more, that of all rows
    folds, seed : see `RowFold`
    arity : of the variables, the target last
    side : of each level of the target: 1 for the class, 0 for the other, -1 for rows that are left out
    """

    pairs: tuple[ScoredPair, ...]
    folds: int
    seed: int
    arity: tuple[int, ...]
    side: tuple[int, ...]


class Scored(NamedTuple):
    """Rows whose scores are counted: each by the networks that were learned without its fold.

    Attributes
    ----------
    scoring : the networks
    boundaries : (folds, 3) c1, c2, c3 of each, the latter two times the unit
    step : width of a score's interval
    """

    scoring: Scoring
    boundaries: np.ndarray
    step: float


def units_of(pairs: Sequence[tuple[Sequence[FamilyTable], Sequence[FamilyTable]]]) -> tuple[list[ScoredPair], float]:
    """Networks with log-probabilities in whole units of one size for all, and that size."""
    most = max(sum(float(np.abs(table).max()) for _, _, table in side) for pair in pairs for side in pair)
    unit = 2.0 ** (math.frexp(most)[1] - _BITS)
    result = [
        ScoredPair(
            *(
                tuple(
                    (child, parents, np.rint(table.ravel() / unit).astype(np.int64)) for child, parents, table in side
                )
                for side in pair
            )
        )
        for pair in pairs
    ]
    return result, unit


# -- one pass: sums and products ---------------------------------------------------------------------------------------


def moments_of(block: Block, scoring: Scoring) -> np.ndarray:
    """(pairs, 2, 5, 5) sums over the rows that each pair was learned from, of the other class and of the class.

    Of the products of 1 and the upper and lower halves of both log-likelihoods, by the others' network and by the
    class's.
    """
    result = np.zeros((len(scoring.pairs), 2, 5, 5), dtype=np.int64)
    for fold, codes, side in _pieces(block, scoring):
        cells: dict[tuple[int, tuple[int, ...]], np.ndarray] = {}
        members = [np.flatnonzero(side == of) for of in (0, 1)]
        for number, pair in enumerate(scoring.pairs):
            if number == fold:
                continue
            halves = np.empty((5, codes.shape[1]))
            halves[0] = 1.0
            for place, families in enumerate(pair):
                values = _likelihood(codes, scoring.arity, families, cells)
                halves[1 + 2 * place] = values >> _HALF
                halves[2 + 2 * place] = values & ((1 << _HALF) - 1)
            for of, rows in enumerate(members):
                own = halves.take(rows, axis=1)
                result[number, of] += (own @ own.T).astype(np.int64)  # whole numbers below 2 ** 53: exact
    return result


def _pieces(block: Block, scoring: Scoring) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Fold, (p + 1, m) codes, and (m,) side of some rows at a time; rows without a side are left out."""
    variables, sides = np.arange(len(scoring.arity)), np.array(scoring.side)
    for fold in range(scoring.folds):
        part = fold_part(block, RowFold(fold, scoring.folds, scoring.seed))
        for begin in range(0, part.n_rows, _TOGETHER):
            codes = part.codes(variables, begin, min(begin + _TOGETHER, part.n_rows))
            side = sides[codes[-1]]
            if (inside := side >= 0).all():
                yield fold, codes, side
            elif inside.any():
                yield fold, codes[:, inside], side[inside]


def _likelihood(
    codes: np.ndarray,
    arity: tuple[int, ...],
    families: Sequence[FamilyTable],
    cells: dict[tuple[int, tuple[int, ...]], np.ndarray],
) -> np.ndarray:
    """(m,) log-likelihood of every row, in units; `cells` remembers in which cell of a family each row lies."""
    result = np.zeros(codes.shape[1], dtype=np.int64)
    for child, parents, table in families:
        if (child, parents) not in cells:
            cell = np.zeros(codes.shape[1], dtype=np.int32)
            for x in (*parents, child):
                cell = cell * arity[x] + codes[x]
            cells[child, parents] = cell
        result += table.take(cells[child, parents])
    return result


class Moments:
    """Means and covariances of both log-likelihoods of the rows that a pair of networks was learned from.

    Parameters
    ----------
    sums : (2, 5, 5) as `moments_of` gives them
    balance : whether both classes weigh alike
    """

    def __init__(self, sums: np.ndarray, balance: bool) -> None:
        rows = [int(own[0, 0]) for own in sums]
        whole = sum(rows)
        weights = [Fraction(1, 2 * n) if balance and n else Fraction(1, whole) if n else Fraction(0) for n in rows]
        shift = 1 << _HALF
        lines = [[int(own[0, 1 + 2 * k]) * shift + int(own[0, 2 + 2 * k]) for k in (0, 1)] for own in sums]
        self.class_means = [[Fraction(value, n or 1) for value in line] for line, n in zip(lines, rows, strict=True)]
        self.both = all(rows)
        self.target = sum((w * n * y for w, n, y in zip(weights, rows, (-1, 1), strict=True)), Fraction(0))
        self.mean = [sum((w * line[k] for w, line in zip(weights, lines, strict=True)), Fraction(0)) for k in (0, 1)]
        self.covariance = [
            [self._product(sums, weights, k, j) - self.mean[k] * self.mean[j] for j in (0, 1)] for k in (0, 1)
        ]
        self.with_target = [
            sum((w * y * line[k] for w, y, line in zip(weights, (-1, 1), lines, strict=True)), Fraction(0))
            - self.target * self.mean[k]
            for k in (0, 1)
        ]

    @staticmethod
    def _product(sums: np.ndarray, weights: Sequence[Fraction], k: int, j: int) -> Fraction:
        total, size = Fraction(0), 1 << _HALF
        for own, weight in zip(sums, weights, strict=True):
            high, low, other_high, other_low = 1 + 2 * k, 2 + 2 * k, 1 + 2 * j, 2 + 2 * j
            value = int(own[high, other_high]) * size * size + int(own[low, other_low])
            value += (int(own[high, other_low]) + int(own[low, other_high])) * size
            total += weight * value
        return total

    def boundary(self, way: str, unit: float) -> np.ndarray:
        """c1, c2, c3: what `fit_boundary` says of the rows one by one; `unit` is that of the log-likelihoods."""
        if way == "ratio" or not self.both:
            return RATIO
        if way == "midpoint":
            gaps = [own - others for others, own in self.class_means]
            return np.array([-float(sum(gaps)) / 2 * unit, 1.0, -1.0])
        return self._least_squares() / np.array([1.0, unit, unit])

    def _least_squares(self) -> np.ndarray:
        spread = [math.sqrt(self.covariance[k][k]) for k in (0, 1)]
        varies = [size > 1e-12 * max(1.0, abs(float(mean))) for size, mean in zip(spread, self.mean, strict=True)]
        pull = [
            float(value) / size if there else 0.0
            for value, size, there in zip(self.with_target, spread, varies, strict=True)
        ]
        slopes = pull
        if all(varies):
            together = self.covariance[0][1]
            product = self.covariance[0][0] * self.covariance[1][1]
            root = spread[0] * spread[1]
            near = abs(float(together)) / root
            apart = float(product - together**2) / (root * (root + abs(float(together))))  # 1 - near, without its loss
            sign = 1.0 if together >= 0 else -1.0
            common, own = pull[0] + sign * pull[1], pull[0] - sign * pull[1]
            common /= 2 * (1 + near)
            own = own / (2 * apart) if apart > _COLLINEAR else 0.0
            slopes = [common + own, sign * (common - own)]
        others, own_slope = (
            slope / size if there else 0.0 for slope, size, there in zip(slopes, spread, varies, strict=True)
        )
        first = float(self.target) - others * float(self.mean[0]) - own_slope * float(self.mean[1])
        return np.array([first, own_slope, others])

    def deviation(self, boundary: np.ndarray) -> float:
        """Standard deviation of the scores by a boundary, c2 and c3 times the unit."""
        slopes = Fraction(boundary[2]), Fraction(boundary[1])
        value = sum((slopes[k] * slopes[j] * self.covariance[k][j] for k in (0, 1) for j in (0, 1)), Fraction(0))
        return math.sqrt(max(value, Fraction(0)))


def step_of(deviations: Sequence[float]) -> float:
    """Width of a score's interval: a power of 2, less than a thousandth of the least standard deviation."""
    there = [value for value in deviations if value > 0]
    return 2.0 ** (math.frexp(min(there))[1] - 1 - _STEPS) if there else 1.0


# -- a second pass: how many rows have which score ---------------------------------------------------------------------


def cells_of_scores(block: Block, scored: Scored) -> Cells:
    """How many rows have each (class, verdict, interval of the score); `score_cells` says what a key means."""
    keys, scoring = [], scored.scoring
    for fold, codes, side in _pieces(block, scoring):
        cells: dict[tuple[int, tuple[int, ...]], np.ndarray] = {}
        others, own = (_likelihood(codes, scoring.arity, families, cells) for families in scoring.pairs[fold])
        boundary = scored.boundaries[fold]
        score = boundary[0] + (boundary[1] * own + boundary[2] * others)
        interval = np.clip(np.floor(score / scored.step), -_MOST_STEPS, _MOST_STEPS - 1).astype(np.int64) + _MOST_STEPS
        keys.append((side * 2 + (score > NOTHING)) * (2 * _MOST_STEPS) + interval)
    values, counts = np.unique(np.concatenate(keys) if keys else np.zeros(0, dtype=np.int64), return_counts=True)
    return Cells(values[:, None], counts.astype(np.int64))


class ScoreCells(NamedTuple):
    """Rows of one class whose scores lie in one interval.

    Attributes
    ----------
    label, score, rows : (J,) of each cell; a score is the middle of its interval
    """

    label: np.ndarray
    score: np.ndarray
    rows: np.ndarray


def score_cells(cells: Cells, step: float) -> ScoreCells:
    """What `cells_of_scores` counted."""
    left, interval = np.divmod(cells.keys[:, 0], 2 * _MOST_STEPS)
    label, above = np.divmod(left, 2)
    score = (interval - _MOST_STEPS + 0.5) * step
    return ScoreCells(label, np.where(above == 1, np.maximum(score, step / 2), np.minimum(score, 0.0)), cells.counts)


def tables_of(network: LearnedNetwork, method: DiscriminativeSettings) -> list[FamilyTable]:
    """The families of a learned network that are used, with their log-probabilities."""
    parameters = method.parameters if method.score == "acl" else "ml"
    return [
        (child, network.parents[child], network.log_theta(child, parameters, method.eps))
        for child in np.flatnonzero(network.used).tolist()
    ]


def work_of(scoring: Scoring) -> float:
    """About how many nanoseconds 64 rows take."""
    return 64 * 3.0 * sum(len(pair.others) + len(pair.own) for pair in scoring.pairs)


def count_scores(store: Store, scored: Scored) -> ScoreCells:
    """How many rows have which score, each by the networks that were learned without its fold."""
    return score_cells(
        store.totals(cells_of_scores, [scored], work_of(scored.scoring) / scored.scoring.folds)[0], scored.step
    )


def score_rows(learned: Learned, method: DiscriminativeSettings, data: Dataset, label: np.ndarray) -> ScoreCells:
    """How many rows of other data have which score.

    Parameters
    ----------
    learned : the networks
    method : the settings
    data : the variables as the networks have them, then the target
    label : class of each level of the target, -1 for rows that are left out
    """
    others, own = (tables_of(network, method) for network in learned.networks)
    (pair,), unit = units_of([(others, own)])
    scoring = Scoring((pair, pair), 1, 0, tuple(data.arity.tolist()), tuple(label.tolist()))
    boundary = learned.boundary * np.array([1.0, unit, unit])
    sums = data.store.totals(moments_of, [scoring], work_of(scoring))[0]
    step = step_of([Moments(sums[1], balance=method.balance).deviation(boundary)])
    return count_scores(data.store, Scored(scoring, boundary[None], step))

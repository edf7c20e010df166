"""Rows that belong together: what they are worth, how far links are off by subject, and rivals on divided counts.

The number of rows is divided by the design effect wherever a network is judged by it. What a link's interval rests on
is its own design effect, from sums by subject (a sandwich) of the influence of every row on the partial correlation:
with u and v the normal scores of the two less what the others explain, in units of their standard deviations,

    e = u v - r (u^2 + v^2) / 2,        effect = C / (C - 1) sum over subjects of (sum of e)^2 / sum over rows of e^2
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.counting import addition_counts, family_counts, sparse_additions, strata_counts
from engine.models.latent_normal import UNKNOWN, Boxes
from engine.scores.dirichlet import BDe, BoundDirichlet
from engine.scores.gaussian import BGe, BoundGaussian
from engine.search.constraint import PC, directed, skeleton
from engine.search.independence import FisherZ, IndependenceTest, Jonckheere, bound_test
from engine.search.problem import Problem, Structure

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

Asked = tuple[int, int, tuple[int, ...]]
"""Two variables and what their link is given, by position in the answers."""


def link_effects(boxes: Boxes, clusters: np.ndarray, questions: Iterable[Asked]) -> list[float]:
    """The design effect of each link.

    Parameters
    ----------
    boxes : the rows
    clusters : (n,) numbers from 0 that rows of one subject share
    asked : the links

    Returns
    -------
    numbers from 1 up, in this order
    """
    many = int(clusters.max()) + 1
    scores = normal_scores(boxes)
    products = scores @ scores.T
    result = []
    for source, child, given in questions:
        left = []
        for x in (source, child):
            others = list(given)
            weights = np.linalg.lstsq(products[np.ix_(others, others)], products[others, x], rcond=None)[0]
            rest = scores[x] - weights @ scores[others]
            left.append(rest / math.sqrt(max(float(rest @ rest) / len(rest), 1e-12)))
        u, v = left
        e = u * v - float(u @ v) / len(u) * (u * u + v * v) / 2
        sums = np.bincount(clusters, e, minlength=many)
        whole = float(e @ e)
        effect = float(sums @ sums) / whole * many / max(many - 1, 1) if whole > 0 else 1.0
        result.append(max(1.0, effect))
    return result


def normal_scores(boxes: Boxes) -> np.ndarray:
    """(p, n) mean of the normal value behind every answer, less the variable's mean; 0 for a missing one.

    Parameters
    ----------
    boxes : the rows
    """
    from scipy.special import ndtr

    result = np.zeros(boxes.codes.shape)
    for i, (own, cuts) in enumerate(zip(boxes.codes, boxes.cuts, strict=True)):
        density = np.exp(-0.5 * np.asarray(cuts) ** 2) / math.sqrt(2 * math.pi)
        means = (density[:-1] - density[1:]) / np.maximum(np.diff(ndtr(cuts)), 1e-12)
        known = own != UNKNOWN
        values = means[own[known]]
        result[i, known] = values - values.mean()
    return result


# -- rivals on divided counts -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DividedBGe(BGe):
    """BGe of so many times fewer rows with the same means and correlations.

    Parameters
    ----------
    effect : what the rows are divided by
    """

    effect: float = 1.0

    def bind(self, data: Dataset) -> BoundGaussian:
        """This score with its data, as a search wants it; see `BGe.bind`."""
        n, rows, am = data.n_variables, data.n_rows / self.effect, float(self.am)
        whole = BGe(self.am).bind(data)
        t = am * am / (am + 1)  # aw = n + am + 1
        scatter = (whole._matrix - t * np.eye(n)) / self.effect
        degrees = am + 1 + np.arange(1, n + 2)
        constants = np.array([math.lgamma((d + rows) / 2) - math.lgamma(d / 2) for d in degrees])
        constants += -rows / 2 * math.log(math.pi) + math.log(am / (am + rows)) / 2
        constants += (degrees + np.arange(n + 1)) / 2 * math.log(t)
        return BoundGaussian(
            t * np.eye(n) + scatter, whole.correlation, round(rows), constants, (degrees + rows) / 2, 0.5
        )


@dataclass(frozen=True)
class DividedBDe(BDe):
    """BDe of divided counts.

    Parameters
    ----------
    effect : what counts are divided by
    """

    effect: float = 1.0

    def bind(self, data: Dataset) -> BoundDirichlet:
        """This score with its data, as a search wants it; see `BDe.bind`."""
        return _BoundDivided(self, data)


class _BoundDivided(BoundDirichlet):
    """The same sums with ln Gamma of divided counts, which are looked up."""

    score: DividedBDe

    def local(self, child: int, parents: tuple[int, ...]) -> float:
        """Natural-log score of one family; `parents` in ascending order."""
        key = (child, parents)
        if key not in self._memo:
            self._memo[key] = self._weighed(family_counts(self.data, child, parents), child, parents)
        return self._memo[key]

    def additions(self, child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        """(p,) scores of `parents + (x,)` for every x, counted in one pass; -inf where x is in the family."""
        scores = np.full(self.n_variables, -np.inf)
        wanted = np.ones(self.n_variables, dtype=bool) if among is None else among.copy()
        wanted[[child, *parents]] = False
        candidates = np.flatnonzero(wanted)
        if not len(candidates):
            return scores
        counts = addition_counts(self.data, child, parents, candidates)
        if counts is None:
            tables = list(sparse_additions(self.data, child, parents, candidates))
        else:
            q, r, levels = counts.configurations, int(self.data.arity[child]), self.data.arity[candidates].tolist()
            whole = [table[: q * r * s].reshape(q, r, s) for table, s in zip(counts.tables, levels, strict=False)]
            tables = [table.transpose(0, 2, 1).reshape(-1, r) for table in whole]
        for x, table in zip(candidates.tolist(), tables, strict=True):
            scores[x] = self._weighed(table, child, (*parents, x))
        return scores

    def _weighed(self, counts: np.ndarray, child: int, parents: tuple[int, ...]) -> float:
        """The score of a family from its (J, r) counts."""
        cells, rows = self._rises(
            self.score.cell_prior(self.configurations(parents), int(self.data.arity[child])), child
        )
        result = float(cells[counts].sum() - rows[counts.sum(axis=1)].sum())
        return result - self.score.parent_cost * len(parents)

    def _rises(self, alpha: float, child: int) -> tuple[np.ndarray, np.ndarray]:
        """ln Gamma(alpha + n / effect) - ln Gamma(alpha) for every count, of a cell and of a row."""
        from scipy.special import gammaln

        r = int(self.data.arity[child])
        if (alpha, r) not in self._gammas:
            counts = np.arange(self.data.n_rows + 1) / self.score.effect
            cells, rows = (gammaln(prior + counts) - gammaln(prior) for prior in (alpha, alpha * r))
            self._gammas[alpha, r] = (0, cells, rows)
        return self._gammas[alpha, r][1:]


@dataclass(frozen=True)
class DividedPC(PC):
    """PC by tests whose statistic is divided by the design effect (Rao & Scott 1981).

    Parameters
    ----------
    effect : what it is divided by
    """

    effect: float = 1.0

    def find(self, problem: Problem) -> Structure:
        """The graph that the tests leave; see `PC.find`."""
        data = problem.data.select(problem.data.names[i] for i in problem.order)
        test = divided_test(bound_test(self.test, data, problem.bound), data, self.effect)
        result = skeleton(test, problem.allowed, self.alpha, problem.progress)
        return problem.cpdag(directed(result, problem.allowed))


def divided_test(test: IndependenceTest, data: Dataset, effect: float) -> IndependenceTest:
    """A test that takes rows for so many times fewer.

    Parameters
    ----------
    test : Fisher's z, chi-squared, or one whose statistic is standard normal
    data : the rows
    effect : what they are divided by
    """
    if isinstance(test, FisherZ):
        return FisherZ(test._correlation, test.n_rows / effect)  # type: ignore[arg-type]
    return _Divided(test, data, effect)


class _Divided:
    """A test on tables with its statistic divided: of its p the statistic is known."""

    def __init__(self, test: IndependenceTest, data: Dataset, effect: float) -> None:
        self.n_variables = test.n_variables
        self._test, self._data, self._effect = test, data, effect

    def p_values(self, x: int, y: int, groups: np.ndarray) -> np.ndarray:
        """(m,) p-values given each row of (m, l) other variables."""
        from scipy.special import chdtrc, chdtri

        result = self._test.p_values(x, y, groups)
        degrees = np.ones(len(groups))
        if not isinstance(self._test, Jonckheere):
            for k, group in enumerate(groups.tolist()):
                (tables,) = strata_counts(self._data, [(*group, x, y)])
                lines = [np.maximum((tables.sum(axis=axis) > 0).sum(axis=1) - 1, 0) for axis in (2, 1)]
                degrees[k] = float(np.sum(lines[0] * lines[1]))
        tested = (result < 1) & (degrees > 0)
        result[tested] = chdtrc(degrees[tested], chdtri(degrees[tested], result[tested]) / self._effect)
        return result

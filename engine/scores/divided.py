"""Scores of rows that belong together: counts are divided by the design effect before anything is scored.

Shown counts stay whole, and where the divisor is 1 the plain scores serve, to the bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.counting.requests import Additions, sparse_additions
from engine.data.dataset import Dataset
from engine.scores.dirichlet import BDe, BDeu, BoundDirichlet
from engine.scores.gaussian import BGe, BoundGaussian, GaussianBIC, bound_bic, code_correlation


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
        return self._bound(data, self.effect)


@dataclass(frozen=True)
class DividedGaussianBIC(GaussianBIC):
    """The Gaussian BIC of so many times fewer rows with the same correlations.

    Parameters
    ----------
    effect : what the rows are divided by
    """

    effect: float = 1.0

    def bind(self, data: Dataset) -> BoundGaussian:
        """This score with its data, as a search wants it; see `GaussianBIC.bind`."""
        return bound_bic(code_correlation(data), data.n_rows / self.effect, self.penalty)


@dataclass(frozen=True)
class DividedBDeu(BDeu):
    """BDeu of divided counts.

    Parameters
    ----------
    effect : what counts are divided by
    """

    effect: float = 1.0

    def bind(self, data: Dataset) -> BoundDirichlet:
        """This score with its data, as a search wants it; see `BDeu.bind`."""
        return BoundDivided(self, data)


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
        return BoundDivided(self, data)


class BoundDivided(BoundDirichlet):
    """The same sums over divided counts."""

    score: DividedBDeu | DividedBDe

    def _addition_scores(
        self, child: int, parents: tuple[int, ...], candidates: np.ndarray, counts: Additions | None
    ) -> np.ndarray:
        if counts is None:
            tables = list(sparse_additions(self.data, child, parents, candidates))
        else:
            q, r, levels = counts.configurations, int(self.data.arity[child]), self.data.arity[candidates].tolist()
            whole = [table[: q * r * s].reshape(q, r, s) for table, s in zip(counts.tables, levels, strict=False)]
            tables = [table.transpose(0, 2, 1).reshape(-1, r) for table in whole]
        families = [(*parents, x) for x in candidates.tolist()]
        return np.array([self._score(child, own, table) for own, table in zip(families, tables, strict=True)])

    def _score(self, child: int, parents: tuple[int, ...], table: np.ndarray | None) -> float:
        return super()._score(child, parents, None if table is None else table / self.score.effect)

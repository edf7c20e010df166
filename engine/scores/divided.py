"""Scores of rows that belong together: counts are divided by the design effect before anything is scored.

Shown counts stay whole, and where the divisor is 1 the plain scores serve, to the bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.counting.requests import Additions, sparse_additions
from engine.data.dataset import Dataset
from engine.scores.dirichlet import BDeu, BoundDirichlet
from engine.scores.gaussian import BGe, GaussianBIC, bound_bic, code_correlation
from engine.scores.local import BoundScore, FamilyByName


@dataclass(frozen=True)
class Divided(FamilyByName):
    """A score of so many times fewer rows: of the same means and correlations, or of divided counts.

    Parameters
    ----------
    score : of rows that are each their own
    effect : what the rows are divided by
    """

    score: BGe | GaussianBIC | BDeu
    effect: float

    @property
    def equivalent(self) -> bool:
        """As of the score."""
        return self.score.equivalent

    def bind(self, data: Dataset) -> BoundScore:
        """This score with its data, as a search wants it; see `BDeu.bind`."""
        if isinstance(self.score, GaussianBIC):
            return bound_bic(code_correlation(data), data.n_rows / self.effect, self.score.penalty)
        if isinstance(self.score, BGe):
            return self.score.bound(data, self.effect)
        return BoundDivided(self.score, data, self.effect)


class BoundDivided(BoundDirichlet):
    """The same sums over divided counts."""

    def __init__(self, score: BDeu, data: Dataset, effect: float) -> None:
        super().__init__(score, data)
        self.effect = effect

    def climbing_rows(self, by_size: np.ndarray | None = None) -> None:
        """None: the climber counts whole rows."""

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
        return super()._score(child, parents, None if table is None else table / self.effect)

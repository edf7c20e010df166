"""The parts of a gap of an outcome between two groups, in numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.lazy import pd
from engine.methods import frames
from engine.methods.fitting import check_shape, check_that

UNEXPLAINED = "not explained"
"""The part that links and differences which the rows show do not carry."""
_SMALL = 0.005
"""Part of the groups' range below which a share is not spoken of: half a point."""


@dataclass(frozen=True, eq=False)
class GapEvidence:
    """Of a gap between two groups, the share of each variable whose mechanism differs and that leads to the outcome.

    Attributes
    ----------
    outcome, level : whose share of rows is compared; level "" for the mean of a number
    unit : of the number, "" where none is known
    labels : what the two groups are called in sentences
    observed : the share or the mean in either group
    names : the variables with a share, the largest first and the outcome last, whose share is its own part: that of
        rows which are alike in all that leads to it
    shares : (k, 3) mean and central 95 % interval of each, second group minus first
    chances : (k,) in which part of the draws each differs and leads to the outcome
    unexplained : the rest of the observed gap, with its interval
    pairs, together : two variables whose arrow may point either way, and (m, 3) the sum of their shares
    first : the variables that stand first in every order, by choice
    draws : networks that were drawn
    error : Monte Carlo standard error of the shares for orders of exchange that were drawn; 0 where all are used
    p_none : prior probability that nothing differs
    """

    outcome: str
    level: str
    unit: str
    labels: tuple[str, str]
    observed: tuple[float, float]
    names: tuple[str, ...]
    shares: np.ndarray
    chances: np.ndarray
    unexplained: tuple[float, float, float]
    pairs: tuple[tuple[str, str], ...]
    together: np.ndarray
    first: tuple[str, ...]
    draws: int
    error: float
    p_none: float

    @property
    def size(self) -> float:
        """The observed gap, second group minus first."""
        return self.observed[1] - self.observed[0]

    @property
    def of_levels(self) -> bool:
        """True of a gap of a share of rows rather than of a mean."""
        return bool(self.level)

    @property
    def smallest(self) -> float:
        """The least that is spoken of."""
        return _SMALL if self.of_levels else abs(self.size) / 20

    @staticmethod
    def is_clear(ends: Sequence[float] | np.ndarray) -> bool:
        """True of an interval that leaves 0 out."""
        return bool(ends[1] > 0 or ends[2] < 0)

    def table(self) -> pd.DataFrame:
        """One row a variable and one for what is not explained; the rows add up to the observed gap.

        Returns
        -------
        pandas.DataFrame: outcome, level, group (the second), variable; share, low and high, NaN of a mean; mean,
        mean_low and mean_high in the unit, NaN of a level; probability, that it differs and leads to the outcome
        """
        rows = [*zip(self.names, self.shares.tolist(), self.chances.tolist(), strict=True)]
        rows.append((UNEXPLAINED, list(self.unexplained), math.nan))
        unknown = [math.nan] * 3
        columns = ["outcome", "level", "group", "variable", "share", "low", "high", "mean", "mean_low", "mean_high"]
        return frames.data_frame(
            [
                (
                    *(self.outcome, self.level, self.labels[1], name),
                    *(ends + unknown if self.of_levels else unknown + ends),
                    chance,
                )
                for name, ends, chance in rows
            ],
            columns=[*columns, "probability"],
        )

    def _check_read(self) -> None:
        check_shape(self.shares, len(self.names), 3)
        check_shape(self.chances, len(self.names))
        check_shape(self.together, len(self.pairs), 3)
        check_that(len(self.unexplained) == 3 and len(self.observed) == 2, "a gap has no ends")
        check_that(self.draws > 0, "nothing was drawn")

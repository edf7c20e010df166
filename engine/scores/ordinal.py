"""Scores of variables that are seen only through levels: the Gaussian BIC and BGe on an expected correlation matrix.

Luo, Moffa & Kuipers 2021: given the expected statistic of the latent normal variables, a DAG is scored as if they had
been seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from engine.data.dataset import Dataset
from engine.errors import DataError
from engine.scores.gaussian import BoundGaussian, bound_bge, bound_bic, check_penalty
from engine.scores.local import FamilyByName


@dataclass(frozen=True, eq=False)
class ExpectedGaussian(FamilyByName):
    """The Gaussian BIC on a correlation matrix that is handed in. Natural log; score-equivalent.

    Of the data only the names are used, so any selection and order of its variables can be searched.

    Examples
    --------
    >>> from engine.scores.ordinal import ExpectedGaussian
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 2] * 9, [0, 1, 1, 2] * 9], [3, 3], ["pain", "sleep"])
    >>> score = ExpectedGaussian(np.array([[1.0, 0.6], [0.6, 1.0]]), data.names, n_rows=36, penalty=3.0)
    >>> round(score.family(data, "sleep", ["pain"]), 3)
    -48.424
    """

    correlation: np.ndarray = field(repr=False)
    names: tuple[str, ...]
    n_rows: int
    penalty: float = 3.0
    equivalent: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_penalty(self.penalty)
        object.__setattr__(self, "names", tuple(self.names))
        if np.shape(self.correlation) != (len(self.names), len(self.names)):
            raise DataError(
                f"correlation is {np.shape(self.correlation)} and there are {len(self.names)} names; "
                "it needs a row and a column for each."
            )

    def bind(self, data: Dataset) -> BoundGaussian:
        """This score for the variables of a table, as a search wants it."""
        return bound_bic(_chosen(self.correlation, self.names, data), self.n_rows, self.penalty)


@dataclass(frozen=True, eq=False)
class ExpectedBGe(FamilyByName):
    """BGe on a correlation matrix that is handed in, with prior odds of parents. Natural log; score-equivalent.

    Of the data only the names are used.

    Parameters
    ----------
    correlation : (p, p)
    names : the variables of its rows
    rows : of normal values that it is of
    log_prior_odds : natural logarithm of the prior odds of every parent
    """

    correlation: np.ndarray = field(repr=False)
    names: tuple[str, ...]
    rows: float
    log_prior_odds: float = 0.0
    equivalent: ClassVar[bool] = True

    def bind(self, data: Dataset) -> BoundGaussian:
        """This score for the variables of a table, as a search wants it."""
        chosen = _chosen(self.correlation, self.names, data)
        return bound_bge(self.rows * chosen, chosen, self.rows, log_prior_odds=self.log_prior_odds)


def _chosen(correlation: np.ndarray, names: tuple[str, ...], data: Dataset) -> np.ndarray:
    """The correlations of the variables of a table, in their order."""
    positions = {name: i for i, name in enumerate(names)}
    missing = [name for name in data.names if name not in positions]
    if missing:
        raise DataError(f"The correlation matrix has no row for {missing[0]!r}; give one over all variables.")
    chosen = [positions[name] for name in data.names]
    return np.asarray(correlation, dtype=float)[np.ix_(chosen, chosen)]

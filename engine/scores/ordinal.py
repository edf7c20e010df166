"""The score of variables that are seen only through levels: the Gaussian BIC on an expected correlation matrix.

Luo, Moffa & Kuipers 2021: given the expected statistic of the latent normal variables, a DAG is scored as if they had
been seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from engine.data.dataset import Dataset
from engine.errors import DataError
from engine.scores.gaussian import BoundGaussian, bound_bic, check_penalty
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
        positions = {name: i for i, name in enumerate(self.names)}
        missing = [name for name in data.names if name not in positions]
        if missing:
            raise DataError(f"The correlation matrix has no row for {missing[0]!r}; give one over all variables.")
        chosen = [positions[name] for name in data.names]
        return bound_bic(np.asarray(self.correlation, dtype=float)[np.ix_(chosen, chosen)], self.n_rows, self.penalty)

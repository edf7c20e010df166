"""Scores of normal families: the Gaussian BIC and BGe, on level codes taken as numbers.

Both have one form. With m parents, M a matrix over the variables and v(child | parents) the variance that the parents
leave in it,

    local = constants[m] - slopes[m] ln v(child | parents) - share ln det M[parents, parents]
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from engine.counting.backend import kernels
from engine.data.dataset import Dataset
from engine.errors import SettingsError
from engine.scores.local import FamilyByName


class BoundGaussian:
    """A Gaussian score with its matrix: what a search sees."""

    def __init__(
        self,
        matrix: np.ndarray,
        correlation: np.ndarray,
        n_rows: int,
        constants: np.ndarray,
        slopes: np.ndarray,
        share: float = 0.0,
    ) -> None:
        self.n_variables = len(matrix)
        self.correlation = correlation
        self.n_rows = n_rows
        self._matrix = np.ascontiguousarray(matrix, dtype=float)
        self._form = constants, slopes, share
        self._everyone = np.ones(self.n_variables, dtype=np.bool_)
        self._sizes = np.arange(self.n_variables + 1)
        self._kernels = kernels()

    def local(self, child: int, parents: tuple[int, ...]) -> float:
        """Natural-log score of one family."""
        group = np.array(parents, dtype=np.int64)
        return float(self._kernels.gaussian_local(self._matrix, child, group[None], *self._form))

    def additions(self, child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        """(p,) scores of `parents + (x,)` for every x, from one factorisation; -inf where x is in the family."""
        group, size, scores = np.array(parents, dtype=np.int64), len(parents), np.empty((1, self.n_variables))
        candidates, sizes = self._everyone if among is None else among, self._sizes[size : size + 1]
        self._kernels.gaussian_additions(self._matrix, child, group[None], sizes, candidates, *self._form, scores)
        return scores[0]

    def many_additions(self, child: int, families: np.ndarray, sizes: np.ndarray, among: np.ndarray) -> np.ndarray:
        """(g, p) `additions` of many parent sets in one call; see `engine.scores.local.BatchedScore`."""
        scores = np.empty((len(families), self.n_variables))
        self._kernels.gaussian_additions(self._matrix, child, families, sizes, among, *self._form, scores)
        return scores


@dataclass(frozen=True)
class GaussianBIC(FamilyByName):
    """Gaussian log-likelihood at its maximum, less penalty ln(N) / 2 for every parent. Natural log; score-equivalent.

    Level codes are taken as numbers and standardised, N rows of them: -N/2 [ln v + 1 + ln 2 pi] - penalty ln(N)/2 m,
    where v is the variance that m parents leave of 1 (Schwarz 1978; with a penalty as in Luo, Moffa & Kuipers 2021).
    A constant variable is unrelated to all others.

    Parameters
    ----------
    penalty : multiplier of the BIC's penalty, from 0 up; 1 is the BIC, 2 / log N of N rows the AIC

    Raises
    ------
    SettingsError : penalty is not a number from 0 up

    Examples
    --------
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 2] * 9, [0, 1, 1, 2] * 9], [3, 3], ["pain", "sleep"])
    >>> round(engine.GaussianBIC().family(data, "sleep", ["pain"]), 3)
    -29.486
    """

    penalty: float = field(
        default=1.0,
        metadata={"label": "Penalty", "help": "How much an edge must gain: 1 is the BIC, more gives fewer edges."},
    )
    equivalent: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_penalty(self.penalty)

    def bind(self, data: Dataset) -> BoundGaussian:
        """This score with its data, as a search wants it.

        Parameters
        ----------
        data : the rows that are explained

        Returns
        -------
        what answers `local(child, parents)` and `additions(child, parents)`, by position
        """
        return bound_bic(code_correlation(data), data.n_rows, self.penalty)


@dataclass(frozen=True)
class BGe(FamilyByName):
    """Marginal likelihood of normal variables under a normal-Wishart prior. Natural log; score-equivalent.

    Geiger & Heckerman 2002, with the determinants of Kuipers, Moffa & Heckerman 2014. Level codes 0, 1, ... are taken
    as numbers, as they are (not standardised). The prior mean is the mean of the rows, as bnlearn has it (BiDAG takes
    0), and the prior matrix t I with t = am (aw - n - 1) / (am + 1), n variables, as both have it.

    Parameters
    ----------
    am : how many rows the prior mean is worth, above 0
    aw : degrees of freedom of the Wishart prior, above n + 1; n + am + 1 where None

    Raises
    ------
    SettingsError : am is not above 0; on binding, aw is not above n + 1

    Examples
    --------
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 2] * 9, [0, 1, 1, 2] * 9], [3, 3], ["pain", "sleep"])
    >>> round(engine.BGe().family(data, "sleep", ["pain"]), 3)
    -21.116
    """

    am: float = field(
        default=1.0,
        metadata={"label": "Weight of the prior", "help": "Small values give fewer edges between loosely tied items."},
    )
    aw: float | None = None
    equivalent: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for name, value in (("am", self.am), ("aw", self.aw)):
            if value is not None and not (isinstance(value, int | float) and 0 < value < math.inf):
                raise SettingsError(f"{name} is {value!r}; it must be a number above 0.", setting=name)

    def bind(self, data: Dataset) -> BoundGaussian:
        """This score with its data, as a search wants it.

        Parameters
        ----------
        data : the rows that are explained

        Returns
        -------
        what answers `local(child, parents)` and `additions(child, parents)`, by position

        Raises
        ------
        SettingsError : aw is not above the number of variables plus 1
        """
        return self._bound(data, 1.0)

    def _bound(self, data: Dataset, effect: float) -> BoundGaussian:
        """The same of `effect` times fewer rows, with the same means and correlations."""
        return bound_bge(_scatter(data) / effect, code_correlation(data), data.n_rows / effect, self.am, self.aw)


def bound_bge(
    scatter: np.ndarray,
    correlation: np.ndarray,
    rows: float,
    am: float = 1.0,
    aw: float | None = None,
    log_prior_odds: float = 0.0,
) -> BoundGaussian:
    """BGe on sums of products.

    Parameters
    ----------
    scatter : (p, p) sums of products of the variables less their means
    correlation : (p, p) of them
    rows : how many they are of
    am, aw : as of `BGe`
    log_prior_odds : natural logarithm of the prior odds of every parent, added to a score for each

    Raises
    ------
    SettingsError : aw is not above the number of variables plus 1
    """
    n, am = len(scatter), float(am)
    degrees_of_freedom = n + am + 1 if aw is None else float(aw)
    if degrees_of_freedom <= n + 1:
        raise SettingsError(f"aw is {aw!r}; with {n} variables it must be above {n + 1}.", setting="aw")
    t = am * (degrees_of_freedom - n - 1) / (am + 1)
    members = np.arange(1, n + 2)  # of the family, the child counted
    degrees = degrees_of_freedom - n + members
    constants = np.array([math.lgamma((d + rows) / 2) - math.lgamma(d / 2) for d in degrees])
    constants += -rows / 2 * math.log(math.pi) + math.log(am / (am + rows)) / 2
    constants += (degrees + members - 1) / 2 * math.log(t)
    constants += log_prior_odds * (members - 1)
    return BoundGaussian(t * np.eye(n) + scatter, correlation, round(rows), constants, (degrees + rows) / 2, 0.5)


def check_penalty(penalty: object) -> None:
    """Refuse what is no multiplier of the BIC's penalty."""
    if isinstance(penalty, bool) or not (isinstance(penalty, int | float) and 0 <= penalty < math.inf):
        raise SettingsError(f"penalty is {penalty!r}; it must be a number from 0 up.", setting="penalty")


def bound_bic(correlation: np.ndarray, n_rows: int, penalty: float) -> BoundGaussian:
    """The Gaussian BIC on a correlation matrix."""
    parents = np.arange(len(correlation) + 1)
    constants = -n_rows / 2 * (1 + math.log(2 * math.pi)) - penalty * math.log(n_rows) / 2 * parents
    return BoundGaussian(correlation, correlation, n_rows, constants, np.full(len(parents), n_rows / 2))


def code_correlation(data: Dataset) -> np.ndarray:
    """Correlations of the level codes as numbers."""
    scatter = _scatter(data)
    sizes = np.sqrt(np.diag(scatter))
    sizes[sizes == 0] = 1.0
    result = scatter / sizes / sizes[:, None]
    np.fill_diagonal(result, 1.0)
    return result


def _scatter(data: Dataset) -> np.ndarray:
    """(p, p) sums of products of the codes less their means.

    The sums are of whole numbers, so they are exact, and do not depend on how a matrix product goes about them.
    """
    codes = data.codes.astype(np.float64)
    sums = codes.sum(axis=1)
    return np.asarray((codes @ codes.T * data.n_rows - np.outer(sums, sums)) / data.n_rows)

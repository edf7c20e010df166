"""Scores of normal families: the Gaussian BIC and BGe, on level codes taken as numbers.

Both have one form. With m parents, M a matrix over the variables and v(child | parents) the variance that the parents
leave in it,

    local = constants[m] - slopes[m] ln v(child | parents) - share ln det M[parents, parents]
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

import numpy as np

from engine.counting.backend import kernels
from engine.data.dataset import Dataset
from engine.errors import SettingsError, check_choice, check_number
from engine.scores.local import FamilyByName

PriorMean = Literal["rows", "zero"]
PRIOR_MEANS: tuple[PriorMean, ...] = get_args(PriorMean)
"""Where the normal-Wishart prior of BGe has its mean: at the mean of the rows, or at 0."""


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

    def form(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
        """The matrix M, and constants, slopes and share of the equation above."""
        return self._matrix, *self._form

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
    as numbers, as they are (not standardised). The prior matrix is t I with t = am (aw - n - 1) / (am + 1), n
    variables, as bnlearn and BiDAG have it.

    Parameters
    ----------
    am : how many rows the prior mean is worth, above 0
    aw : degrees of freedom of the Wishart prior, above n + 1; n + am + 1 where None
    prior_mean : "rows" for the mean of the rows, as bnlearn has it, "zero" for 0, as BiDAG has it

    Raises
    ------
    SettingsError : am is not above 0, another prior mean; on binding, aw is not above n + 1

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
    prior_mean: PriorMean = "rows"
    equivalent: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for name, value in (("am", self.am), ("aw", self.aw)):
            if value is not None:
                check_number(name, value, above=0)
        check_choice("prior_mean", self.prior_mean, PRIOR_MEANS)

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
        return self.bound(data, 1.0)

    def posterior_matrix(self, data: Dataset) -> np.ndarray:
        """The matrix of the posterior normal-Wishart distribution, from which estimates of covariances are made.

        Parameters
        ----------
        data : the rows that are explained

        Returns
        -------
        (p, p) in the order of the data; the covariances at the posterior mode up to a factor

        Raises
        ------
        SettingsError : aw is not above the number of variables plus 1

        Examples
        --------
        >>> data = engine.Dataset.from_codes([[0, 0, 1, 2] * 9, [0, 1, 1, 2] * 9], [3, 3], ["pain", "sleep"])
        >>> engine.BGe().posterior_matrix(data).round(2).tolist()
        [[25.25, 18.0], [18.0, 18.5]]
        """
        _, t = _prior_parameters(data.n_variables, float(self.am), self.aw)
        return np.asarray(t * np.eye(data.n_variables) + self._scatter(data, 1.0))

    def bound(self, data: Dataset, effect: float) -> BoundGaussian:
        """The same of `effect` times fewer rows, with the same means and correlations.

        Parameters
        ----------
        data : the rows that are explained
        effect : what the rows are divided by

        Returns
        -------
        as of `bind`
        """
        rows = data.n_rows / effect
        return bound_bge(self._scatter(data, effect), code_correlation(data), rows, self.am, self.aw)

    def _scatter(self, data: Dataset, effect: float) -> np.ndarray:
        """(p, p) sums of products about the means, with what these differ from the prior mean."""
        scatter = _scatter(data) / effect
        if self.prior_mean == "rows":
            return np.asarray(scatter)
        means, rows = data.codes.mean(axis=1, dtype=np.float64), data.n_rows / effect
        return np.asarray(scatter + self.am * rows / (self.am + rows) * np.outer(means, means))


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
    scatter : (p, p) sums of products of the variables less their means, with what these differ from the prior mean
    correlation : (p, p) of them
    rows : how many they are of
    am, aw : as of `BGe`
    log_prior_odds : natural logarithm of the prior odds of every parent, added to a score for each

    Raises
    ------
    SettingsError : aw is not above the number of variables plus 1
    """
    n, am = len(scatter), float(am)
    degrees_of_freedom, t = _prior_parameters(n, am, aw)
    members = np.arange(1, n + 2)  # of the family, the child counted
    degrees = degrees_of_freedom - n + members
    constants = np.array([math.lgamma((d + rows) / 2) - math.lgamma(d / 2) for d in degrees])
    constants += -rows / 2 * math.log(math.pi) + math.log(am / (am + rows)) / 2
    constants += (degrees + members - 1) / 2 * math.log(t)
    constants += log_prior_odds * (members - 1)
    return BoundGaussian(t * np.eye(n) + scatter, correlation, round(rows), constants, (degrees + rows) / 2, 0.5)


def _prior_parameters(n: int, am: float, aw: float | None) -> tuple[float, float]:
    """Degrees of freedom of the prior over n variables, and the t of its matrix t I."""
    degrees = n + am + 1 if aw is None else float(aw)
    if degrees <= n + 1:
        raise SettingsError(f"aw is {aw!r}; with {n} variables it must be above {n + 1}.", setting="aw")
    return degrees, am * (degrees - n - 1) / (am + 1)


def check_penalty(penalty: object) -> None:
    """Refuse what is no multiplier of the BIC's penalty."""
    check_number("penalty", penalty, least=0)


def bound_bic(correlation: np.ndarray, n_rows: float, penalty: float) -> BoundGaussian:
    """The Gaussian BIC on a correlation matrix."""
    parents = np.arange(len(correlation) + 1)
    constants = -n_rows / 2 * (1 + math.log(2 * math.pi)) - penalty * math.log(n_rows) / 2 * parents
    return BoundGaussian(correlation, correlation, round(n_rows), constants, np.full(len(parents), n_rows / 2))


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

"""A test of independence between ordered variables by two regressions (Tsagris et al. 2018).

y is regressed on the other variables with and without x, then x with and without y. Each regression is the generalised
ordinal one of the R package MXM: a logistic regression of "above level i" for every level i but the last, on indicators
of the levels; a level's probability is the difference of two neighbouring ones (where lines cross and it is negative,
the row's are taken without their signs and divided by their sum). Twice the gain in log-likelihood is chi-squared with
as many degrees of freedom as there are more coefficients. The two p-values become min(2 min, max).
"""

from __future__ import annotations

import numpy as np

from engine.counting.requests import family_table
from engine.data.dataset import Dataset
from engine.lazy import special

_STEPS, _CLOSE = 25, 1e-8
"""Steps of Fisher's scoring at most, and the relative change of the deviance that ends them, as in R's glm."""
_LEAST = 1e-10
"""Probability below which none is taken."""


class OrdinalRegression:
    """The test with its data.

    Parameters
    ----------
    data : the rows
    effect : what the statistics are divided by
    """

    def __init__(self, data: Dataset, effect: float = 1.0) -> None:
        self.n_variables = data.n_variables
        self.data = data
        self.effect = effect
        self._fits: dict[tuple[int, frozenset[int]], tuple[float, int]] = {}

    def p_values(self, x: int, y: int, groups: np.ndarray) -> np.ndarray:
        """(m,) p-values given each row of (m, l) other variables."""
        result = np.empty(len(groups))
        for k, group in enumerate(groups.tolist()):
            both = sorted((self._one_way(x, y, frozenset(group)), self._one_way(y, x, frozenset(group))))
            result[k] = min(2 * both[0], both[1])
        return result

    def _one_way(self, child: int, other: int, group: frozenset[int]) -> float:
        """The p-value of the regression of one on the other."""
        (without, few), (with_other, more) = self._fit(child, group), self._fit(child, group | {other})
        if more <= few:
            return 1.0
        return float(special.chdtrc(more - few, max(without - with_other, 0.0) / self.effect))

    def _fit(self, child: int, group: frozenset[int]) -> tuple[float, int]:
        """Deviance and number of coefficients of the regression on a group."""
        if (child, group) not in self._fits:
            configurations, counts = family_table(self.data, child, sorted(group))
            counts = counts[:, counts.any(axis=0)]
            self._fits[child, group] = ordinal_deviance(indicators(configurations), counts)
        return self._fits[child, group]


def indicators(configurations: np.ndarray) -> np.ndarray:
    """(J, q) a column of ones, and one for every level of every variable but its first; none that others add up to."""
    columns = [np.ones(len(configurations))]
    for codes in configurations.T:
        columns += [(codes == level).astype(float) for level in np.unique(codes)[1:]]
    design = np.stack(columns, axis=1)
    if np.linalg.matrix_rank(design) == design.shape[1]:
        return design
    independent = design[:, :1]
    for column in design.T[1:]:
        wider = np.column_stack([independent, column])
        independent = wider if np.linalg.matrix_rank(wider) == wider.shape[1] else independent
    return independent


def ordinal_deviance(design: np.ndarray, counts: np.ndarray) -> tuple[float, int]:
    """Minus twice the log-likelihood of a generalised ordinal regression, and how many coefficients it has.

    Parameters
    ----------
    design : (J, q) of the configurations, without columns that others add up to
    counts : (J, k) rows of every level in each
    """
    whole = counts.sum(axis=1)
    above = counts[:, ::-1].cumsum(axis=1)[:, -2::-1]  # (J, k - 1) rows above each level but the last
    chances = np.stack([_logistic(design, column, whole) for column in above.T], axis=1) if above.size else above
    ends = np.ones((len(counts), 1))
    shares = -np.diff(np.concatenate([ends, chances, 0 * ends], axis=1), axis=1)
    crossed = (shares < 0).any(axis=1)
    shares[crossed] = np.abs(shares[crossed]) / np.abs(shares[crossed]).sum(axis=1, keepdims=True)
    seen = counts > 0
    fit = float(np.sum(counts[seen] * np.log(np.maximum(shares[seen], _LEAST))))
    return -2 * fit, design.shape[1] * above.shape[1]


def _logistic(design: np.ndarray, above: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """(J,) fitted probabilities of a logistic regression, by Fisher's scoring."""
    chance = (above + 0.5) / (whole + 1)
    line, deviance = np.log(chance / (1 - chance)), np.inf
    for _ in range(_STEPS):
        weight = whole * chance * (1 - chance)
        weighted = design.T * weight
        slopes = np.linalg.solve(weighted @ design, weighted @ (line + (above - whole * chance) / weight))
        line = design @ slopes
        chance = np.clip(special.expit(line), _LEAST, 1 - _LEAST)
        before, deviance = deviance, -2 * float(above @ np.log(chance) + (whole - above) @ np.log(1 - chance))
        if abs(deviance - before) < _CLOSE * (abs(deviance) + 0.1):
            break
    return np.asarray(chance)

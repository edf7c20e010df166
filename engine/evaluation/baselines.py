"""What a comparison of groups has to beat: the lasso of Sverchkov & Cooper (2015), section 4.1, and chi-squared.

The lasso: each variable is predicted from all that come before it in a given order, the group, and the group times
each of them, by logistic regression (multinomial for more than two levels) with an L1 penalty. Its score is the largest
penalty at which the group or one of its interactions has a coefficient.

Read so, as the R package that the paper names (glmnet) does by default: the penalty is on the scale of the mean
log likelihood of a row, intercepts are free, inputs have standard deviation one, and a multinomial model has a
coefficient for each level. A variable of two levels is one input, one of more levels an input for each.

No path has to be followed to find that penalty. While the group is out, the model is the one without it, fitted to all
rows by SciPy's L-BFGS-B (a coefficient is the difference of two that are not negative), and the group stays out as long
as no gradient of its inputs passes the penalty. The scores are therefore exact up to the solver's tolerance, and no
threshold says which coefficient is zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from engine.data.dataset import Dataset
from engine.errors import DataError, SettingsError
from engine.execution import one_blas_thread
from engine.measures.tails import log_chi2_tail

STEPS = (0.75, 0.98)
"""How far the penalty falls from one look to the next, at most and at least."""
SMALLEST = 1e-4
"""The penalty, as a share of the one where the first input enters, below which nobody looks any more."""


def lasso_scores(data: Dataset, group: str, order: Sequence[str]) -> pd.Series:
    """The largest penalty at which the group enters the model of each variable, by variable in column order.

    0 where it has not entered at a ten-thousandth of the penalty at which the first input does, and for a variable
    with one level.

    Examples
    --------
    >>> from engine.data.dataset import Dataset
    >>> codes = np.random.default_rng(0).integers(0, 2, (2, 80))
    >>> data = Dataset.from_codes(np.vstack([codes, codes[0]]), [2, 2, 2], ["a", "b", "group"])
    >>> (lasso_scores(data, "group", ["a", "b"]) > 0.1).tolist()
    [True, False]
    """
    second = _second_group(data, group)
    names = [name for name in data.names if name != group]
    if sorted(order) != sorted(names):
        raise SettingsError("The order must name every variable beside the group column once; check its names.")
    with one_blas_thread():
        result = {name: _entry_penalty(data, name, order[:place], second) for place, name in enumerate(order)}
    return pd.Series([result[name] for name in names], index=names, name="lasso", dtype=float)


def chi_squared(data: Dataset, group: str) -> pd.DataFrame:
    """Pearson's test of every variable against the group, one at a time, in column order.

    Columns: statistic, degrees, and log_p, the natural logarithm of p, which never underflows. A variable with one
    level has no degrees of freedom and log_p 0.

    Examples
    --------
    >>> from engine.data.dataset import Dataset
    >>> codes = np.array([[0, 0, 1, 1] * 5, [0, 1, 0, 1] * 5, [0, 0, 1, 1] * 5])
    >>> data = Dataset.from_codes(codes, [2, 2, 2], ["a", "b", "group"])
    >>> chi_squared(data, "group")["statistic"].tolist()
    [20.0, 0.0]
    """
    second = _second_group(data, group)
    names = [name for name in data.names if name != group]
    result = [_pearson(data.column(name), int(data.arity[data.index(name)]), second) for name in names]
    statistic, degrees = np.array([item for item, _ in result]), np.array([entry for _, entry in result])
    columns = {"statistic": statistic, "degrees": degrees, "log_p": log_chi2_tail(statistic, degrees)}
    return pd.DataFrame(columns, index=names)


def _pearson(codes: np.ndarray, arity: int, second: np.ndarray) -> tuple[float, int]:
    """Pearson's statistic of a variable against the two groups, and its degrees of freedom."""
    counts = np.bincount(codes + arity * second, minlength=2 * arity).reshape(2, arity)
    counts = counts[:, counts.sum(axis=0) > 0]
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0, keepdims=True) / counts.sum()
    return float(((counts - expected) ** 2 / expected).sum()), counts.shape[1] - 1


def _second_group(data: Dataset, group: str) -> np.ndarray:
    """(n,) 1 for the rows of the second of the two levels that have rows, 0 for the first."""
    present, codes = np.unique(data.column(group), return_inverse=True)
    if len(present) != 2:
        raise DataError(
            f"'{group}' has {len(present)} levels with rows; a comparison needs two. Choose two groups.", column=group
        )
    return codes


def _entry_penalty(data: Dataset, target: str, entered: Sequence[str], second: np.ndarray) -> float:
    """The largest penalty at which the group enters the model of one variable."""
    from scipy.optimize import brentq

    problem = _problem(data, target, entered, second)
    if problem is None:
        return 0.0
    fit = problem.fit(np.inf)
    if fit.largest_outside >= fit.largest_inside:
        return fit.largest_outside
    penalty, floor = fit.largest_inside, SMALLEST * fit.largest_inside
    while True:
        below = float(np.clip(fit.largest_outside, STEPS[0] * penalty, STEPS[1] * penalty))
        if below < floor:
            return 0.0
        above, fit = fit, problem.fit(below, fit)
        if fit.largest_outside >= below:
            break
        penalty = below
    ends = {below: fit.largest_outside - below, penalty: above.largest_outside - penalty}
    warm = fit

    def excess(trial: float) -> float:
        return ends[trial] if trial in ends else problem.fit(trial, warm).largest_outside - trial

    return below if ends[below] == 0 else float(brentq(excess, below, penalty, xtol=1e-9, rtol=1e-5))


@dataclass(frozen=True, eq=False)
class _Fit:
    """Coefficients without the group, and the largest gradient of the inputs that are in and out of that model."""

    parameters: np.ndarray
    largest_inside: float
    largest_outside: float


@dataclass(frozen=True, eq=False)
class _Problem:
    """A regression on counted configurations of what comes before.

    Attributes
    ----------
    counts : (2, m, K) rows by group, configuration and level of the target
    inputs : (m, d) of every configuration, mean 0 and standard deviation 1 over the rows
    outside : (2, m, e) inputs with the group in them, likewise
    """

    counts: np.ndarray
    inputs: np.ndarray
    outside: np.ndarray
    pooled: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pooled", self.counts.sum(axis=0))

    def fit(self, penalty: float, start: _Fit | None = None) -> _Fit:
        """The model without the group at a penalty; at an infinite one the intercepts alone."""
        from scipy.optimize import minimize

        d, k = self.inputs.shape[1], self.counts.shape[2]
        shares = self.pooled.sum(axis=0) / self.pooled.sum()
        parameters = np.concatenate([np.log(shares), np.zeros(2 * d * k)]) if start is None else start.parameters
        if np.isfinite(penalty) and d:
            parameters = minimize(
                self._loss,
                parameters,
                args=(penalty,),
                jac=True,
                method="L-BFGS-B",
                bounds=[(None, None)] * k + [(0.0, None)] * (2 * d * k),
                options={"maxiter": 3000, "maxfun": 6000, "ftol": 1e-13, "gtol": 1e-7},
            ).x
        probabilities = self._probabilities(parameters)[0]
        residuals = self.counts - self.counts.sum(axis=2, keepdims=True) * probabilities
        rows = self.counts.sum()
        inside = np.abs(self.inputs.T @ residuals.sum(axis=0)).max(initial=0.0) / rows
        outside = np.abs(np.einsum("gme,gmk->ek", self.outside, residuals)).max(initial=0.0) / rows
        return _Fit(parameters, float(inside), float(outside))

    def _loss(self, parameters: np.ndarray, penalty: float) -> tuple[float, np.ndarray]:
        """Mean negative log likelihood and penalty, and their gradient."""
        probabilities, log_probabilities = self._probabilities(parameters)
        rows, k = self.pooled.sum(), self.pooled.shape[1]
        errors = self.pooled.sum(axis=1, keepdims=True) * probabilities - self.pooled
        slopes = (self.inputs.T @ errors).ravel() / rows
        gradient = np.concatenate([errors.sum(axis=0) / rows, slopes + penalty, penalty - slopes])
        return float(-(self.pooled * log_probabilities).sum() / rows + penalty * parameters[k:].sum()), gradient

    def _probabilities(self, parameters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(m, K) probabilities of the levels, and their logarithms."""
        d, k = self.inputs.shape[1], self.pooled.shape[1]
        up, down = parameters[k:].reshape(2, d, k)
        linear = parameters[:k] + self.inputs @ (up - down)
        linear = linear - linear.max(axis=1, keepdims=True)
        logs = linear - np.log(np.exp(linear).sum(axis=1, keepdims=True))
        return np.exp(logs), logs


def _problem(data: Dataset, target: str, entered: Sequence[str], second: np.ndarray) -> _Problem | None:
    """The counts and inputs of one regression; None where the target has one level."""
    levels, codes = np.unique(data.column(target), return_inverse=True)
    if len(levels) < 2:
        return None
    configurations, where = np.zeros((1, 0), dtype=np.intp), np.zeros(data.n_rows, dtype=np.intp)
    if entered:
        seen, where = np.unique(np.stack([data.column(name) for name in entered]), axis=1, return_inverse=True)
        configurations, where = seen.T, where.reshape(-1)
    m, k = len(configurations), len(levels)
    counts = np.bincount((second * m + where) * k + codes, minlength=2 * m * k).reshape(2, m, k)
    indicators = _indicators(configurations)
    both = np.stack([indicators, indicators])
    group = np.stack([np.zeros((m, 1)), np.ones((m, 1))])
    weights = counts.sum(axis=2)
    inputs = _standardised(both, weights)[0]
    return _Problem(counts, inputs, _standardised(np.concatenate([group, group * both], axis=2), weights))


def _indicators(configurations: np.ndarray) -> np.ndarray:
    """(m, d) zeros and ones: an input for a column of two values, one for each value of a column of more."""
    columns = []
    for column in configurations.T:
        values = np.unique(column)
        columns += [column == value for value in (values[1:] if len(values) == 2 else values)]
    return np.stack(columns, axis=1).astype(float) if columns else np.zeros((len(configurations), 0))


def _standardised(inputs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """(2, m, e) with mean 0 and standard deviation 1 over the (2, m) rows; inputs that never vary left out."""
    rows = weights.sum()
    mean = np.einsum("gme,gm->e", inputs, weights) / rows
    centred = inputs - mean
    variance = np.einsum("gme,gm->e", centred**2, weights) / rows
    varying = variance > 1e-12
    return np.asarray(centred[:, :, varying] / np.sqrt(variance[varying]))

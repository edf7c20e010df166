"""What one level of a variable does to an outcome by a table: standardised over the variables that are held.

Each level's mean outcome is taken within every combination of the held variables, and averaged over all rows: the
back-door formula (Pearl 2009, theorem 3.3.2). Where a held variable is a number, a regression within each level takes
the place of the combinations: logistic for shares, least squares for numbers. The interval is that of the estimate's
influence function (Tsiatis 2006), so that the held variables count as drawn with the rows.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from engine.data.dataset import Dataset
from engine.errors import DataError
from engine.lazy import special
from engine.words import short

_STEPS, _CLOSE = 50, 1e-10
"""Newton steps of a logistic regression, and how little moves at its end."""
_MOST_COMBINATIONS = 1_000


@dataclass(frozen=True)
class AdjustedEffect:
    """The mean outcome at one level of X less that at another, if everybody had the one or the other.

    Attributes
    ----------
    estimate, low, high : the difference and its interval; of shares between -1 and 1
    means : mean outcome at the first and at the second level
    rows, left_out : rows that count, and rows whose combination of held variables one of the levels has none of

    Examples
    --------
    >>> effect = engine.models.AdjustedEffect(0.1, 0.02, 0.18, (0.3, 0.4), 500, 0)
    >>> effect.low < effect.estimate
    True
    """

    estimate: float
    low: float
    high: float
    means: tuple[float, float]
    rows: int
    left_out: int


def adjusted_effect(
    data: Dataset,
    x: str,
    y: str,
    given: Collection[str] = (),
    *,
    levels: tuple[str, str] | None = None,
    outcome: str | None = None,
    coverage: float = 0.95,
) -> AdjustedEffect:
    """Standardise the difference that X makes to Y over some variables that are held.

    Parameters
    ----------
    data : the rows; a variable that is a number enters as one, else by its levels
    x, y : what acts, by its levels, and the outcome
    given : what is held, such as one of `engine.graphs.adjustment_sets`; nothing for the plain difference
    levels : the two levels of X that are compared, second minus first; its first and last where None
    outcome : the level of Y whose share is the outcome, its last where None; of a number its mean is
    coverage : of the interval

    Returns
    -------
    the difference with its interval

    Raises
    ------
    DataError : no such variable or level, X or Y is held, or too few rows to compare anything

    Examples
    --------
    >>> data = sample_data.dataset("cough_and_smoke")
    >>> effect = engine.models.adjusted_effect(data, "smoking", "cough")
    >>> effect.low < effect.estimate < effect.high
    True
    """
    if len({x, y, *given}) != len(given) + 2:
        raise DataError("X, Y and the variables that are held must all be different.")
    pair = levels or (data.levels[x][0], data.levels[x][-1]) if x in data.names else ("", "")
    arms = [_column(data, x) == _code(data, x, level) for level in pair]
    target = data.values(y) if y in data.numbers else _column(data, y) == _code(data, y, outcome or data.levels[y][-1])
    held = [data.values(name) if name in data.numbers else _column(data, name) for name in given]
    there = np.isfinite(np.array([target, *held], dtype=float)).all(axis=0)
    numeric = any(name in data.numbers for name in given)
    design = _regressors(data, given, held, there) if numeric else _combinations(held, len(there))
    if not numeric:
        there &= np.logical_and.reduce([(design[arm & there].sum(axis=0) > 0)[design.argmax(axis=1)] for arm in arms])
        design = design[:, design[there].any(axis=0)]
    design, target = design[there], target[there].astype(float)
    shares = numeric and y not in data.numbers
    parts = [_standardised(design, target, arm[there], shares) for arm in arms]
    n = len(target)
    (first, one), (second, other) = parts
    reach = float(special.ndtri((1 + coverage) / 2) * (other - one).std(ddof=1) / np.sqrt(n))
    estimate = second - first
    return AdjustedEffect(estimate, estimate - reach, estimate + reach, (first, second), n, len(there) - n)


def _column(data: Dataset, name: str) -> np.ndarray:
    return data.codes[data.index(name)]


def _code(data: Dataset, name: str, level: str) -> int:
    if level not in data.levels[name]:
        raise DataError(f"{short(name, 60)!r} has no level {short(level, 60)!r}.", column=name)
    return data.levels[name].index(level)


def _combinations(held: Sequence[np.ndarray], n: int) -> np.ndarray:
    """(n, combinations) which combination of levels each row has."""
    if not held:
        return np.ones((n, 1))
    _, place = np.unique(np.array(held), axis=1, return_inverse=True)
    if place.max() >= _MOST_COMBINATIONS:
        raise DataError(f"What is held has {place.max() + 1:,} combinations of levels; hold fewer variables.")
    return np.eye(place.max() + 1)[place.ravel()]


def _regressors(data: Dataset, given: Collection[str], held: Sequence[np.ndarray], there: np.ndarray) -> np.ndarray:
    """(n, terms) an intercept, numbers standardised, and all levels but the first of what has levels."""
    columns = [np.ones(len(there))]
    for name, values in zip(given, held, strict=True):
        if name in data.numbers:
            columns.append((values - values[there].mean()) / (values[there].std() or 1.0))
        else:
            columns += [(values == code).astype(float) for code in np.unique(values[there])[1:]]
    return np.array(columns).T


def _standardised(design: np.ndarray, target: np.ndarray, arm: np.ndarray, shares: bool) -> tuple[float, np.ndarray]:
    """The mean outcome if all rows were of one arm, and (n,) what each row adds to it beyond the mean."""
    few = f"{int(arm.sum())} rows of a level of X are too few to hold {design.shape[1] - 1:,} terms; hold less."
    if arm.sum() < design.shape[1] + 1:
        raise DataError(few)
    beta = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        mean = special.expit(design @ beta) if shares else design @ beta
        weight = mean * (1 - mean) if shares else np.ones(len(mean))
        inner = (design[arm] * weight[arm, None]).T @ design[arm]
        step = np.linalg.lstsq(inner, design[arm].T @ (target - mean)[arm], rcond=None)[0]
        beta += step
        if np.abs(step).max() < _CLOSE:
            break
    else:
        raise DataError("The outcome is the same in nearly all rows of a level of X; hold fewer variables.")
    slope = np.linalg.lstsq(inner, (design * weight[:, None]).mean(axis=0), rcond=None)[0]
    own = mean.mean()
    return float(own), mean - own + len(mean) * arm * (design @ slope) * (target - mean)

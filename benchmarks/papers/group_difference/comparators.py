"""The other approaches that section 2.1 of Sverchkov & Cooper (2015) names, each as a score of every variable.

The paper compares none of them; it says which kind each is. They are columns beside the lasso here, so that a reader
sees what each gains or loses over the same rows. A larger score says "more different"; all look at marginal
distributions, except contrast sets, which look at combinations of values.

- Contrast sets (Bay & Pazzani 2001, STUCCO): combinations of values whose support differs between the groups. A
  variable scores the largest difference of support among the contrast sets that it is part of, 0 where it is in none.
- Mutual information of a variable and the group, in nats.
- Kullback-Leibler divergence of a variable's two distributions, summed over both directions, with half a row added to
  each level so that it stays finite.
- Hotelling's T-squared of a variable's indicators (levels but one), as -ln p of its F statistic.
- Kolmogorov-Smirnov: the largest distance of the two distribution functions, over levels in their stored order. The
  paper names it for continuous variables; on nominal levels it depends on that order.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from engine.data.dataset import Dataset

MINIMUM_DEVIATION = 0.01
"""The difference of support from which a contrast set is large."""
LEVEL = 0.05
"""Probability of any false contrast set over the whole search."""
LEAST_EXPECTED = 5.0
"""Expected rows in a cell below which chi-squared is not trusted."""
COMPARATORS = ("contrast sets", "mutual information", "KL divergence", "Hotelling", "Kolmogorov-Smirnov")


def comparator_scores(data: Dataset, group: str) -> pd.DataFrame:
    """The score of every variable (rows) by every approach of `COMPARATORS` (columns).

    Examples
    --------
    >>> codes = np.array([[0, 0, 1, 1] * 25, [0, 1, 0, 1] * 25, [0, 0, 1, 1] * 25])
    >>> scores = comparator_scores(Dataset.from_codes(codes, [2, 2, 2], ["a", "b", "group"]), "group")
    >>> scores.loc["a", "contrast sets"], scores.loc["b", "contrast sets"], scores["Kolmogorov-Smirnov"].tolist()
    (1.0, 0.0, [1.0, 0.0])
    """
    second = np.unique(data.column(group), return_inverse=True)[1].astype(bool)
    names = [name for name in data.names if name != group]
    codes = np.stack([data.column(name) for name in names]).astype(np.intp)
    arity = [int(data.arity[data.index(name)]) for name in names]
    counts = [_counts(codes[i], arity[i], second) for i in range(len(names))]
    columns = {
        "contrast sets": _contrast_sets(codes, arity, second),
        "mutual information": [mutual_information(table) for table in counts],
        "KL divergence": [divergence(table) for table in counts],
        "Hotelling": [hotelling(table) for table in counts],
        "Kolmogorov-Smirnov": [kolmogorov_smirnov(table) for table in counts],
    }
    return pd.DataFrame(columns, index=names, dtype=float)


def mutual_information(counts: np.ndarray) -> float:
    """Nats that a variable and the group share, of their (2, levels) counts."""
    from scipy.stats import entropy

    shares = counts / counts.sum()
    independent = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    return float(entropy(shares.ravel(), independent.ravel()))


def divergence(counts: np.ndarray) -> float:
    """Kullback-Leibler divergence of the two groups, both directions summed, with half a row more in each cell."""
    from scipy.stats import entropy

    first, second = counts + 0.5
    return float(entropy(first, second) + entropy(second, first))


def hotelling(counts: np.ndarray) -> float:
    """-ln p of Hotelling's T-squared between the groups, of the indicators of all levels with rows but the last."""
    counts = counts[:, counts.sum(axis=0) > 0]
    rows, p = counts.sum(axis=1), counts.shape[1] - 1
    if p == 0:
        return 0.0
    shares = counts[:, :p] / rows[:, None]
    scatter = sum(n * (np.diag(share) - np.outer(share, share)) for n, share in zip(rows, shares, strict=True))
    free = rows.sum() - 2
    apart = shares[0] - shares[1]
    t_squared = rows.prod() / rows.sum() * free * float(apart @ np.linalg.pinv(scatter) @ apart)
    return -_log_f_tail(t_squared * (free - p + 1) / (free * p), p, int(free - p + 1))


def _log_f_tail(statistic: float, above: int, below: int) -> float:
    """ln P(F > statistic): SciPy's, and the series of the incomplete beta function where that underflows."""
    from scipy.special import betaln, hyp2f1
    from scipy.stats import f

    tail = float(f.logsf(statistic, above, below))
    if np.isfinite(tail):
        return tail
    x, a, b = below / (below + above * statistic), below / 2, above / 2
    return float(a * np.log(x) + b * np.log1p(-x) - np.log(a) - betaln(a, b) + np.log(hyp2f1(a + b, 1, a + 1, x)))


def kolmogorov_smirnov(counts: np.ndarray) -> float:
    """The statistic; all variables of a table have the same numbers of rows, so it orders them as its p does."""
    first, second = np.cumsum(counts / counts.sum(axis=1, keepdims=True), axis=1)
    return float(np.abs(first - second).max())


def _contrast_sets(codes: np.ndarray, arity: list[int], second: np.ndarray) -> list[float]:
    """The largest difference of support among the contrast sets that each variable is part of.

    Level by level, as STUCCO: a combination is a candidate where none of its parts was pruned. It is pruned where its
    support is below the minimum deviation in both groups, an expected count is below five, or no more special one can
    be significant. It is a contrast set where its supports differ by the minimum deviation and chi-squared is
    significant at the level's alpha: the last one's, or 0.05 / 2^level over its candidates if that is less.
    """
    from scipy.special import chdtri

    rows = np.array([(~second).sum(), second.sum()])
    best = [0.0] * len(arity)
    alpha = LEVEL
    alive: dict[tuple[int, ...], np.ndarray] = {(): np.ones((), dtype=bool)}
    for size in range(1, len(arity) + 1):
        candidates = _candidates(alive, arity, size)
        number = sum(int(mask.sum()) for mask in candidates.values())
        if number == 0:
            break
        alpha = min(alpha, LEVEL / 2**size / number)
        threshold = float(chdtri(1, alpha))
        alive = {}
        for which, mask in candidates.items():
            counts = _joint(codes[list(which)], [arity[i] for i in which], second)[:, mask]
            supports = counts / rows[:, None]
            apart = np.abs(supports[0] - supports[1])
            large = (apart >= MINIMUM_DEVIATION) & (_chi_squared(counts, rows) > threshold)
            strongest = float(apart[large].max(initial=0.0))
            for i in which:
                best[i] = max(best[i], strongest)
            keep = (supports.max(axis=0) >= MINIMUM_DEVIATION) & (_least_expected(counts, rows) >= LEAST_EXPECTED)
            alone = [_chi_squared(counts * side, rows) for side in (np.array([[1], [0]]), np.array([[0], [1]]))]
            keep &= np.maximum(*alone) > threshold
            if keep.any():
                alive[which] = np.zeros(mask.shape, dtype=bool)
                alive[which][mask] = keep
    return best


def _candidates(alive: dict[tuple[int, ...], np.ndarray], arity: list[int], size: int) -> dict:
    """{variables: mask over their joint levels} of the combinations of a size whose parts are all alive."""
    result = {}
    for which in combinations(range(len(arity)), size):
        mask = np.ones([arity[i] for i in which], dtype=bool)
        for place in range(size):
            part = alive.get(which[:place] + which[place + 1 :])
            if part is None:
                break
            mask &= np.expand_dims(part, place)
        else:
            if mask.any():
                result[which] = mask
    return result


def _joint(codes: np.ndarray, arity: list[int], second: np.ndarray) -> np.ndarray:
    """(2, *arity) rows of each group by the joint levels of some variables."""
    cell = np.ravel_multi_index((second.astype(np.intp), *codes), (2, *arity))
    return np.bincount(cell, minlength=2 * int(np.prod(arity))).reshape(2, *arity)


def _counts(codes: np.ndarray, arity: int, second: np.ndarray) -> np.ndarray:
    return _joint(codes[None], [arity], second)


def _chi_squared(counts: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Pearson's statistic of each combination (a column of two counts) against the groups."""
    with_it, total = counts.sum(axis=0), rows.sum()
    cross = counts[0] * (rows[1] - counts[1]) - counts[1] * (rows[0] - counts[0])
    spread = (rows.prod() * with_it * (total - with_it)).astype(float)
    return np.divide(total * cross.astype(float) ** 2, spread, out=np.zeros(len(with_it)), where=spread > 0)


def _least_expected(counts: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The smallest expected count of the two by two table of each combination."""
    with_it = counts.sum(axis=0)
    return np.minimum(with_it, rows.sum() - with_it) * rows.min() / rows.sum()

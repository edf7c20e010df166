"""Tests whether rows that were left out are others than those used: by group, or in a variable inside the groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

_LEVEL = 0.01
"""Of the test against the group, and of that against all variables together (Holm 1979)."""
_FEWEST = 5
"""Rows left out below which nothing is tested, and expected ones below which levels are put together."""
_MOST_CLUSTERS_F = 200
"""Clusters up to which the statistic is held against an F and not a chi-square distribution."""


@dataclass(frozen=True)
class LeftOut:
    """Rows that were left out for gaps.

    Attributes
    ----------
    counts : how many were left out and of how many, in each group whose rows are known; once without a group
    p_group : that leaving out has nothing to do with the group; nan where it cannot be tested
    variable : what tells best inside the groups whether a row was left out, "" where nothing does
    p_variable : its p, times the number of variables that were tested
    """

    counts: tuple[tuple[int, int], ...]
    p_group: float = float("nan")
    variable: str = ""
    p_variable: float = float("nan")

    @property
    def all(self) -> tuple[int, int]:
        """The number that was left out, and of how many."""
        lost, rows = zip(*self.counts, strict=True)
        return sum(lost), sum(rows)

    @property
    def by_group(self) -> bool:
        """True where it depends on the group."""
        return self.p_group <= _LEVEL

    @property
    def by_variable(self) -> bool:
        """True where it depends on a variable inside the groups."""
        return self.p_variable <= _LEVEL


def compare_left_out(
    used: np.ndarray,
    lost: np.ndarray,
    names: Sequence[str],
    strata: tuple[np.ndarray, np.ndarray] | None = None,
    owners: tuple[np.ndarray, np.ndarray] | None = None,
) -> LeftOut:
    """Test the rows left out against the group, and against every variable inside the groups.

    The statistic is the score test of Mantel and Haenszel for all levels of a variable at once, over the groups as
    strata; where rows belong together its variance is that of the clusters' sums.
    """
    out = np.repeat([False, True], [used.shape[1], lost.shape[1]])
    owner = None if owners is None else _alone(np.concatenate(owners).astype(np.int64))
    if strata is None:
        stratum = np.zeros(len(out), dtype=np.int64)
        rows = LeftOut(((lost.shape[1], len(out)),))
    else:
        stratum = np.concatenate(strata).astype(np.int64)
        known = stratum >= 0
        each = np.bincount(stratum[known]).tolist()
        gone = np.bincount(stratum[known & out], minlength=len(each)).tolist()
        p = dependence(out[known], stratum[known], None, None if owner is None else owner[known])
        rows = LeftOut(tuple(zip(gone, each, strict=True)), p)
    result = {}
    for name, used_codes, lost_codes in zip(names, used, lost, strict=True):
        level = np.concatenate([used_codes.astype(np.int32), lost_codes.astype(np.int32)])
        have = (level >= 0) & (stratum >= 0)
        p = dependence(out[have], level[have], stratum[have], None if owner is None else owner[have])
        if p == p:
            result[name] = p
    if not result:
        return rows
    best = min(result, key=lambda name: result[name])
    return replace(rows, variable=best, p_variable=min(1.0, result[best] * len(result)))


def dependence(out: np.ndarray, level: np.ndarray, strata: np.ndarray | None, owner: np.ndarray | None) -> float:
    """p that rows are left out whatever their level is, inside strata; nan where that cannot be tested."""
    from scipy import stats

    strata = np.zeros(len(out), dtype=np.int64) if strata is None else strata
    level, many = _together(out, level)
    if out.sum() < _FEWEST or out.all() or many < 2:
        return float("nan")
    total = np.bincount(strata).astype(float)
    lost = np.bincount(strata, out, minlength=len(total))
    table = np.bincount(strata * many + level, minlength=len(total) * many).reshape(len(total), many).astype(float)
    seen = np.bincount(level, out, minlength=many)
    share = lost / np.maximum(total, 1)
    score = (seen - share @ table)[1:]
    if owner is None:
        if many == 2 and len(total) == 1 and (share[0] * table[0]).min() < _FEWEST:
            return float(stats.fisher_exact([seen, table[0] - seen]).pvalue)
        p = table / np.maximum(total, 1)[:, None]
        scale = share * (1 - share) * total**2 / np.maximum(total - 1, 1)
        variance = np.diag(scale @ p) - (p * scale[:, None]).T @ p
        statistic, rank = _quadratic(score, variance[1:, 1:])
        return float(stats.chi2.sf(statistic, rank)) if rank else float("nan")
    mean = table / np.maximum(total, 1)[:, None]
    part = ((level[:, None] == np.arange(1, many)) - mean[strata, 1:]) * (out - share[strata])[:, None]
    clusters = int((np.bincount(owner) > 0).sum())
    sums = np.array([np.bincount(owner, column) for column in part.T]).T
    statistic, rank = _quadratic(score, sums.T @ sums)
    if not rank or clusters <= rank + 2:
        return float("nan")
    if clusters > _MOST_CLUSTERS_F:
        return float(stats.chi2.sf(statistic, rank))
    share = min(statistic / clusters, 1 - 1e-12)  # as R squared: of two groups of clusters alike, Student's t
    rest = clusters - 1 - rank
    return float(stats.f.sf(share / (1 - share) * rest / rank, rank, rest))


def _quadratic(score: np.ndarray, variance: np.ndarray) -> tuple[float, int]:
    """score' variance^-1 score over what varies, and in how many directions that is."""
    values, vectors = np.linalg.eigh(variance)
    some = values > 1e-9 * max(float(values.max(initial=0)), 1e-12)
    along = vectors[:, some].T @ score
    return float((along**2 / values[some]).sum()), int(some.sum())


def _together(out: np.ndarray, level: np.ndarray) -> tuple[np.ndarray, int]:
    """Levels of which few rows are expected to be left out, or used, put together; and how many are left."""
    each = np.bincount(level)
    least = each * min(out.mean(), 1 - out.mean()) if len(out) else each
    few = least < _FEWEST
    if not few.any() or (few.sum() == 1 and len(each) == 2):
        place = np.cumsum(each > 0) - 1
    else:
        place = np.where(few, 0, np.cumsum(~few))
        if not (few & (each > 0)).any():
            place = place - 1
    place = np.maximum(place, 0)
    return place[level], int(place.max(initial=0)) + 1


def _alone(owner: np.ndarray) -> np.ndarray:
    """Numbers of clusters from 0; a row below 0 has one of its own."""
    alone = owner < 0
    owner[alone] = owner.max(initial=0) + 1 + np.arange(int(alone.sum()))
    return np.asarray(np.unique(owner, return_inverse=True)[1])

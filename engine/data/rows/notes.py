"""Sentences that every result of a data set carries: rows that may belong together, rows that were left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from engine.data.dataset import Dataset
from engine.data.rows.relations import CLUSTERS, COPIES, ORDER, Relation
from engine.text import Level, Name, People, Share, listed, told
from engine.words import distinct, in_percent

_RELATIONS = {
    CLUSTERS: "Rows with one value of '{}' are alike, but each was counted by itself; the Data page asks whether "
    "they belong together.",
    COPIES: "{} equal another one, more than by chance, and each was counted; the Data page asks about it.",
    ORDER: "Rows that stand side by side are alike, but each was counted by itself; the Data page asks whether they "
    "are sorted.",
}
_MOST_ROWS = 100_000
"""Rows that are used, and rows left out, that are compared; of more, some drawn with a fixed seed."""
_FEWEST_LEFT_OUT = 5
_NAMED = 3
_KNOWN: WeakKeyDictionary[Dataset, dict[object, LeftOut]] = WeakKeyDictionary()


def row_notes(data: Dataset, group: str | None = None, labels: Sequence[str] = ()) -> tuple[str, ...]:
    """Sentences on the rows of a data set that stand beside every result of it.

    Relations between rows are told until they are settled on the data page (see `engine.decisions`); rows left out for
    gaps are told where they differ from the others by group, or in a variable inside the groups.
    """
    if data.report is None or data.context is None:
        return ()
    notes = [told(_RELATIONS[item.kind], *_filled_in(item)) for item in data.relations]
    gaps = left_out_note(data, group, labels) if group is not None and group in data.names else _without_group(data)
    return (*notes, gaps) if gaps else tuple(notes)


def _filled_in(relation: Relation) -> list[str]:
    """The parts of the sentence on a relation between rows."""
    if relation.kind == COPIES:
        return [People(relation.rows, "row")]
    return [_brief(relation.column)] if relation.kind == CLUSTERS else []


def left_out_note(data: Dataset, group: str, labels: Sequence[str] = ()) -> str:
    """A sentence where what differs between groups may come of rows that were left out for gaps; "" else."""
    names, codes = _sides(data, group, tuple(labels))
    result = left_out(data, group, tuple(labels))
    if result is None:
        return ""
    if result.by_group:
        order = sorted(range(len(codes)), key=lambda g: -result.shares[g])
        named = order if len(order) <= _NAMED else [order[0], order[-1]]
        shares = listed(told("{} of {}", _share(*result.groups[g]), Level(_brief(names[g]))) for g in named)
        return told("{} were left out for gaps; what differs may be that.", shares)
    if result.by_variable:
        goes_with = (
            "{} of the rows were left out for gaps, and inside the groups that goes with '{}'; what differs may be "
            "that."
        )
        return told(goes_with, _share(result.rows, result.of), _brief(result.variable))
    return ""


def left_out(data: Dataset, group: str | None = None, labels: tuple[str, ...] = ()) -> LeftOut | None:
    """The rows left out for gaps, tested against the group and the variables; made once for each data set."""
    context = data.context
    if context is None or not data.in_memory or context.left_out.shape[1] < _FEWEST_LEFT_OUT:
        return None
    known = _KNOWN.setdefault(data, {})
    if (group, labels) not in known:
        known[group, labels] = _compare(data, context.left_out, group, labels)
    return known[group, labels]


def _compare(data: Dataset, lost: np.ndarray, group: str | None, labels: tuple[str, ...]) -> LeftOut:
    generator = np.random.default_rng(0)
    n, m = data.n_rows, lost.shape[1]
    some = np.arange(n) if n <= _MOST_ROWS else np.sort(generator.choice(n, _MOST_ROWS, replace=False))
    gone = np.arange(m) if m <= _MOST_ROWS else np.sort(generator.choice(m, _MOST_ROWS, replace=False))
    used = data.codes if len(some) == n else data.store.some(some)
    owners = None
    owner = None if data.context is None else data.context.left_out_owner
    if data.clusters is not None and data.steps is not None and owner is not None:
        owners = (data.steps.owner[some], owner[gone])
    others = [i for i, name in enumerate(data.names) if name != group]
    strata, groups = None, None
    if group is not None:
        _, codes = _sides(data, group, labels)
        place = np.full(len(data.levels[group]) + 1, -1, dtype=np.int64)  # the last is that of a missing value
        for g, members in enumerate(codes):
            place[members] = g
        whole = place[data.column(group)], place[lost[data.index(group)]]
        strata = whole[0][some], whole[1][gone]
        used_each, lost_each = (np.bincount(own[own >= 0], minlength=len(codes)) for own in whole)
        groups = _groups_of(lost_each, used_each + lost_each)
    result = compare_left_out(used[others], lost[others][:, gone], [data.names[i] for i in others], strata, owners)
    return replace(result, rows=m, of=n + m) if groups is None else replace(result, **groups)


def _groups_of(lost: np.ndarray, whole: np.ndarray) -> dict[str, Any]:
    """The parts of a `LeftOut` that are counts, from those of each group."""
    pairs = tuple(zip(lost.tolist(), whole.tolist(), strict=True))
    return {"rows": int(lost.sum()), "of": int(whole.sum()), "groups": pairs}


def _sides(data: Dataset, group: str, labels: tuple[str, ...]) -> tuple[tuple[str, ...], list[list[int]]]:
    """Names of the groups, and the codes of each."""
    levels = data.levels[data.names[data.index(group)]]
    if not labels:
        return levels, [[code] for code in range(len(levels))]
    if len(labels) == 1:
        labels = (*labels, "the others")
    named = {code for code, level in enumerate(levels) if level in labels}
    rest = [code for code in range(len(levels)) if code not in named]
    return labels, [[levels.index(label)] if label in levels else rest for label in labels]


def _without_group(data: Dataset) -> str:
    """The same where nothing is compared: only that those left out are others than those used."""
    result = left_out(data)
    if result is None or not result.by_variable:
        return ""
    others = "{} of the rows were left out for gaps, and they differ from the others in '{}'."
    return told(others, _share(result.rows, result.of), _brief(result.variable))


def _share(lost: int, n: int) -> Share:
    few = 0 < lost / n < 0.005
    return Share(lost, n, written=f"under {in_percent(0.01)}" if few else in_percent(lost / n))


def _brief(name: str) -> Name:
    return Name(distinct([name], 40)[0])


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
    rows, of : how many were left out, and of how many
    groups : the same of each group whose rows are known; empty without a group
    p_group : that leaving out has nothing to do with the group; nan where it cannot be tested
    variable : what tells best inside the groups whether a row was left out, "" where nothing does
    p_variable : its p, times the number of variables that were tested
    """

    rows: int
    of: int
    groups: tuple[tuple[int, int], ...] = ()
    p_group: float = float("nan")
    variable: str = ""
    p_variable: float = float("nan")

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of each group that was left out."""
        return tuple(lost / max(whole, 1) for lost, whole in self.groups)

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
        rows = LeftOut(lost.shape[1], len(out))
    else:
        stratum = np.concatenate(strata).astype(np.int64)
        known = stratum >= 0
        whole = np.bincount(stratum[known])
        p = dependence(out[known], stratum[known], None, None if owner is None else owner[known])
        rows = LeftOut(**_groups_of(np.bincount(stratum[known & out], minlength=len(whole)), whole), p_group=p)
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

"""Rows drawn again, shuffled or left out, and the same work many times from one seed.

Rows are numbers from 0 to n - 1. A run has a generator of its own, spawned from the seed, so that run 7 is the same
whatever the number of runs and of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from engine import execution
from engine.errors import DataError, check_number
from engine.execution import Progress, silent

Outcome = TypeVar("Outcome")
Labels = Sequence[Hashable] | np.ndarray
"""(n,) a label for each row: which subject it is of, which stratum it lies in."""


def check_runs(runs: object) -> None:
    """Refuse what is no number of runs.

    Parameters
    ----------
    runs : what somebody gave

    Raises
    ------
    SettingsError : runs is not a whole number from 1 up

    Examples
    --------
    >>> check_runs(50)
    """
    check_number("runs", runs, least=1, whole=True)


def repeat(
    once: Callable[[np.random.SeedSequence], Outcome],
    runs: int,
    seed: int,
    *,
    jobs: int = 1,
    threaded: bool = False,
    progress: Progress = silent,
    words: str = "runs",
) -> list[Outcome]:
    """`once` for every one of `runs` seeds spawned from `seed`, on `jobs` workers; equal bits whatever their number.

    Parameters
    ----------
    once : seed of a run -> its outcome; with several workers it can be pickled
    runs : how many, from 1 up
    seed : all randomness comes from it
    jobs, threaded, progress : as `engine.execution.map` takes them
    words : what runs are called in the progress

    Returns
    -------
    the outcomes, in the order of the runs

    Raises
    ------
    SettingsError : runs is not a whole number from 1 up
    Cancelled : out of `progress`

    Examples
    --------
    >>> repeat(lambda seed: bootstrap(5, np.random.default_rng(seed)).tolist(), runs=2, seed=0)
    [[0, 1, 3, 4, 4], [0, 1, 1, 3, 3]]
    """
    check_runs(runs)
    seeds = np.random.SeedSequence(seed).spawn(runs)
    return execution.map(once, seeds, jobs=jobs, threaded=threaded, progress=progress, words=words)


def bootstrap(n: int, generator: np.random.Generator, clusters: np.ndarray | None = None) -> np.ndarray:
    """Rows drawn with replacement, in rising order; of clusters whole ones, as many as there are.

    Parameters
    ----------
    n : how many rows there are, and without clusters how many are drawn
    generator : all randomness comes from it
    clusters : (n,) whole numbers from 0 that rows which belong together share, as `Dataset.clusters` has them

    Returns
    -------
    row numbers; n of them without clusters

    Examples
    --------
    >>> bootstrap(6, np.random.default_rng(1)).tolist()
    [0, 0, 2, 3, 4, 5]
    >>> bootstrap(4, np.random.default_rng(1), np.array([0, 0, 1, 1])).tolist()
    [0, 1, 2, 3]
    """
    if clusters is None:
        return np.sort(generator.integers(0, n, n))
    number, many = _numbered(clusters)
    times = np.bincount(generator.integers(0, many, many), minlength=many)
    return np.repeat(np.arange(n), times[number])


def half(n: int, generator: np.random.Generator, clusters: np.ndarray | None = None) -> np.ndarray:
    """Half of the rows drawn without replacement, in rising order; of clusters half of them, whole.

    Parameters
    ----------
    n : how many rows there are
    generator : all randomness comes from it
    clusters : as `bootstrap` takes them

    Returns
    -------
    row numbers: n // 2 of them without clusters

    Examples
    --------
    >>> half(6, np.random.default_rng(0)).tolist()
    [2, 3, 5]
    >>> half(6, np.random.default_rng(3), np.array([0, 0, 0, 1, 1, 1])).tolist()
    [3, 4, 5]
    """
    if clusters is None:
        return np.sort(generator.permutation(n)[: n // 2])
    number, many = _numbered(clusters)
    chosen = np.zeros(many, dtype=bool)
    chosen[generator.permutation(many)[: max(many // 2, 1)]] = True
    return np.flatnonzero(chosen[number])


def deal(labels: np.ndarray, generator: np.random.Generator, clusters: np.ndarray | None = None) -> np.ndarray:
    """Labels in random order, as if they meant nothing.

    Parameters
    ----------
    labels : (n,) any
    generator : all randomness comes from it
    clusters : as `bootstrap` takes them. Where the label is one and the same in most clusters, whole clusters change
        it (a cluster's rows of each label count as one unit); where it varies in most, rows change it inside theirs

    Returns
    -------
    (n,) labels: without clusters, and inside them, each as often as before

    Examples
    --------
    >>> deal(np.array([0, 0, 0, 1]), np.random.default_rng(3), np.array([0, 0, 0, 1])).tolist()
    [1, 1, 1, 0]
    >>> deal(np.array([0, 1, 1, 0]), np.random.default_rng(3), np.array([0, 0, 1, 1])).tolist()
    [1, 0, 1, 0]
    """
    if clusters is None:
        return generator.permutation(labels)
    units = units_of(labels, clusters)
    if units.inside:
        return labels[permutation(len(labels), generator, clusters)]
    return generator.permutation(units.label)[units.unit]


class Units(NamedTuple):
    """The rows of one cluster with one label, each a unit.

    Attributes
    ----------
    unit : (n,) which unit a row is of
    label : (m,) the label of each unit
    cluster : (m,) which cluster it is of
    inside : whether the label varies in most clusters that have two rows or more
    """

    unit: np.ndarray
    label: np.ndarray
    cluster: np.ndarray
    inside: bool


def units_of(labels: np.ndarray, clusters: np.ndarray) -> Units:
    """Part every cluster by its rows' label.

    Parameters
    ----------
    labels : (n,) any;  clusters : (n,) whole numbers from 0 that rows which belong together share

    Returns
    -------
    `Units`, by cluster and label

    Examples
    --------
    >>> units_of(np.array(["a", "a", "b", "b"]), np.array([0, 0, 0, 1])).unit.tolist()
    [0, 0, 1, 2]
    """
    kinds, code = (np.array([False, True]), labels) if labels.dtype == bool else np.unique(labels, return_inverse=True)
    key = clusters * len(kinds) + code
    rows = np.bincount(key, minlength=len(kinds) * (int(clusters.max(initial=0)) + 1)).reshape(-1, len(kinds))
    there = np.flatnonzero(rows)
    place = np.empty(rows.size, dtype=np.int64)
    place[there] = np.arange(len(there))
    return Units(place[key], kinds[there % len(kinds)], there // len(kinds), vary_inside(rows))


def vary_inside(rows: np.ndarray) -> bool:
    """True where the label varies in most clusters that have two rows or more, and these have most of the rows.

    Parameters
    ----------
    rows : (clusters, labels) numbers of rows of each cluster with each label

    Returns
    -------
    False where no cluster has two rows

    Examples
    --------
    >>> engine.resampling.vary_inside(np.array([[1, 1], [2, 0], [1, 2]]))
    True
    """
    several, varies = rows.sum(axis=1) > 1, (rows > 0).sum(axis=1) > 1
    return bool(2 * varies.sum() > several.sum() and 2 * rows[varies].sum() > rows.sum())


def permutation(n: int, generator: np.random.Generator, strata: Labels | None = None) -> np.ndarray:
    """(n,) rows in random order; with strata a row changes place only with rows of its own stratum.

    A column that is read in this order keeps how often each value occurs, in every stratum.

    Parameters
    ----------
    n : how many rows there are
    generator : all randomness comes from it
    strata : (n,) labels; None for one stratum

    Returns
    -------
    (n,) row numbers, each once

    Raises
    ------
    DataError : there are not n labels

    Examples
    --------
    >>> permutation(6, np.random.default_rng(0), strata=["a", "a", "a", "b", "b", "b"]).tolist()
    [2, 0, 1, 5, 4, 3]
    """
    if strata is None:
        return generator.permutation(n)
    result = np.empty(n, dtype=np.int64)
    for rows in _members(strata, n):
        result[rows] = generator.permutation(rows)
    return result


def k_fold(
    n: int, k: int, generator: np.random.Generator, subjects: Labels | None = None
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """All other rows, and the rows of a fold, for k folds of about equal size; no subject is in two folds.

    Subjects come in random order, each into the fold that has the fewest rows so far.

    Parameters
    ----------
    n : how many rows there are
    k : how many folds
    generator : all randomness comes from it
    subjects : (n,) whose row it is; None where every row is a subject of its own, and folds differ by one row at most

    Returns
    -------
    (rows outside, rows inside) for every fold

    Raises
    ------
    SettingsError : k is not a whole number from 2 to the number of subjects
    DataError : there are not n labels

    Examples
    --------
    >>> [out.tolist() for _, out in k_fold(6, 3, np.random.default_rng(0), subjects=list("aabbcc"))]
    [[4, 5], [0, 1], [2, 3]]
    """
    members = _members(subjects, n)
    check_number("k", k, least=2, most=len(members), whole=True)  # one subject a fold at least
    size, fold = np.zeros(k, dtype=np.int64), np.empty(n, dtype=np.int64)
    for subject in generator.permutation(len(members)):
        smallest = int(size.argmin())
        fold[members[subject]] = smallest
        size[smallest] += len(members[subject])
    for item in range(k):
        yield np.flatnonzero(fold != item), np.flatnonzero(fold == item)


def stratified_folds(
    labels: np.ndarray, k: int, generator: np.random.Generator, subjects: Labels | None = None
) -> np.ndarray:
    """The fold of every row, classes spread evenly over k folds; no subject is in two folds.

    A subject whose rows are of several classes counts for the one most of them are of.

    Parameters
    ----------
    labels : (n,) class of each row, a whole number from 0
    k : how many folds
    generator : all randomness comes from it
    subjects : (n,) whose row it is; None where every row is a subject of its own

    Returns
    -------
    (n,) numbers from 0 to k - 1

    Raises
    ------
    SettingsError : k is not a whole number from 2 to the number of subjects
    DataError : there are not n labels

    Examples
    --------
    >>> stratified_folds(np.array([0, 0, 0, 0, 1, 1]), 2, np.random.default_rng(0)).tolist()
    [1, 0, 0, 1, 1, 0]
    """
    members = _members(subjects, len(labels))
    check_number("k", k, least=2, most=len(members), whole=True)  # one subject a fold at least
    own = np.array([int(np.bincount(labels[rows]).argmax()) for rows in members])
    result, dealt = np.empty(len(labels), dtype=np.int64), 0
    for item in np.unique(own):
        for subject in generator.permutation(np.flatnonzero(own == item)):
            result[members[subject]] = dealt % k
            dealt += 1
    return result


def _numbered(clusters: np.ndarray) -> tuple[np.ndarray, int]:
    """Whole numbers from 0 in their order without those that nothing has, and how many are left."""
    present = np.bincount(clusters) > 0
    return (np.cumsum(present) - 1)[clusters], int(present.sum())


def _members(labels: Labels | None, n: int) -> list[np.ndarray]:
    """The rows of each label, in order of first appearance."""
    if labels is None:
        return [np.array([row]) for row in range(n)]
    if len(labels) != n:
        raise DataError(f"There are {len(labels)} labels for {n} rows; each row needs one.")
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "biu":
        _, first, number = np.unique(labels, return_index=True, return_inverse=True)
        parts = np.split(np.argsort(number, kind="stable"), np.cumsum(np.bincount(number))[:-1])
        return [parts[i] for i in np.argsort(first)] if n else []
    result: dict[Hashable, list[int]] = {}
    for row, label in enumerate(labels.tolist() if isinstance(labels, np.ndarray) else labels):
        result.setdefault(label, []).append(row)
    return [np.array(rows) for rows in result.values()]


def number_units(clusters: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Clusters numbered by what their rows hold, so that where they stand in a table decides nothing.

    Parameters
    ----------
    clusters : (n,) a number that rows of one cluster share
    codes : (p, n) what the rows hold, sorted

    Returns
    -------
    (n,) numbers from 0

    Examples
    --------
    >>> number_units(np.array([5, 5, 2]), np.array([[0, 1, 0]])).tolist()
    [1, 1, 0]
    """
    rows = codes.astype(np.uint32)  # a missing answer, -1, is the largest
    order = np.argsort(clusters, kind="stable")
    ends = np.flatnonzero(np.diff(clusters[order])) + 1
    contents = [rows[:, own].T.tobytes() for own in np.split(order, ends)]
    number = np.empty(len(contents), dtype=np.int64)
    number[sorted(range(len(contents)), key=contents.__getitem__)] = np.arange(len(contents))
    return np.asarray(number[np.unique(clusters, return_inverse=True)[1]])

"""Two answers on different rows of one table: how often chance alone would make them differ as much.

Rows are dealt to two parts of the same sizes at random, the method is run on both, and the differences are taken again
(permutation of membership, as NetworkComparisonTest of van Borkulo et al. 2022 does for its networks): of single edges,
of the structure as a whole (the largest difference), and of overall strength (the difference of the sums). Rows that
belong together change parts together, or inside their subject where most subjects stand in both parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import resampling
from engine.data.checks import as_dataset
from engine.data.dataset import Dataset
from engine.data.preparing.numbers import Numbers
from engine.data.rows.subjects import FEWEST
from engine.errors import DataError
from engine.execution import Progress, as_progress, part, silent
from engine.methods.result import Result
from engine.words import count, p_value, subjects_of

if TYPE_CHECKING:
    import pandas as pd

Edge = tuple[str, frozenset[str]]
"""Title of a network, and the two ends of an edge of it whatever its direction."""
LARGEST, TOTAL = "largest difference of an edge", "difference of the summed strengths"
_ROUNDING = 1e-9
"""Differences that are as large but for rounding count as as large."""


@dataclass(frozen=True, eq=False)
class Chance:
    """What shuffled rows show of the differences of two answers.

    Attributes
    ----------
    edges : network, source, target, strength_a, strength_b, difference (of the sizes), reached (shuffles in which this
        edge differs as much), p (these and the real one, of all and the real one), corrected (p after Holm, over the
        edges that either answer has), p_of_all (the same where the largest difference of any edge is what is
        counted: it is corrected too, and can be small with few shuffles); NaN where a side gives an edge no strength
    overall : statistic, value, reached, p
    repeats, seed : shuffles, and what they came from
    rows : of both answers
    presence : whether strengths are 1 for an edge that is there, since the method gives none
    dealt : what was dealt anew, in words
    largest, total : (repeats,) what every shuffle shows of the two overall statistics
    """

    edges: pd.DataFrame
    overall: pd.DataFrame
    repeats: int
    seed: int
    rows: tuple[int, int]
    presence: bool
    dealt: str
    largest: np.ndarray
    total: np.ndarray

    def sentences(self) -> list[str]:
        """What may be said, in plain words; that two networks are alike is never said."""
        found = [f"{self.dealt}, {count(self.repeats, 'time')}, and both parts analysed with the same settings."]
        if not len(self.edges):
            return [*found, "Neither answer has an edge, so there is no difference to weigh."]
        for row in self.overall.itertuples():
            found.append(
                f"The {row.statistic} is {row.value:.3g}; one as large came up in {row.reached} of "
                f"{count(self.repeats, 'shuffle')} ({p_value(row.p)})."
            )
        clear = [row for row in self.edges.itertuples() if row.p_of_all <= 0.05]
        if not clear:
            found.append(
                "No single edge differs by more than chance shows somewhere in one of twenty shuffles. That does not "
                "make the networks alike: with few rows a real difference can stay unseen."
            )
        found += [
            f"{row.source} and {row.target} in {row.network}: {row.strength_a:.3g} against {row.strength_b:.3g}. As "
            f"large a difference of this edge came up in {row.reached} of {count(self.repeats, 'shuffle')}; against "
            f"the largest of any edge {p_value(row.p_of_all, corrected=True)}."
            for row in clear
        ]
        return found

    def tables(self) -> dict[str, pd.DataFrame]:
        """{title: table}, for a download."""
        return {"Edges": self.edges, "Overall": self.overall}

    def __repr__(self) -> str:
        said = ", ".join(f"{row.statistic} {p_value(row.p)}" for row in self.overall.itertuples())
        return f"<Chance of {count(self.repeats, 'shuffle')}: {said}>"


def compare_chance(
    a: Result,
    b: Result,
    data_a: Dataset,
    data_b: Dataset,
    *,
    repeats: int = 200,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = silent,
) -> Chance:
    """How often shuffled rows make two answers differ as much as they do.

    Parameters
    ----------
    a, b : answers of one method with the same settings
    data_a, data_b : what they were made from: different rows of one table (see `engine.by_group`); where it names a
        subject, whole subjects are dealt, or rows inside theirs where most stand in both
    repeats : how often the rows are dealt anew, from 1 up
    seed : all randomness comes from it
    jobs : processes to spread the shuffles over; equal bits whatever their number
    progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

    Returns
    -------
    `Chance`

    Raises
    ------
    DataError : the answers are of other methods, settings, data, variables or levels, of two tables, share rows, are
        about single patients or series, or cannot be asked again in the same way, or a part has too few subjects; the
        sentence says which
    SettingsError : repeats is no number of runs

    Examples
    --------
    >>> parts = engine.by_group(sample_data.dataset("two_hospitals"), "hospital").values()
    >>> a, b = (engine.LogLinear().run(part) for part in parts)
    >>> len(engine.compare_chance(a, b, *parts, repeats=5).edges) > 5
    True
    """
    progress = as_progress(progress)
    resampling.check_runs(repeats)
    check_comparable(a, b, data_a, data_b)
    pooled, second = _pooled(data_a, data_b)
    found = [_strengths(a), _strengths(b)]
    own = [_strengths(a.again(data_a)), _strengths(b.again(data_b))]
    if found != own:
        raise DataError(
            "These answers were changed after their run, so shuffled rows cannot be asked in the same way; compare "
            "answers as the method gave them."
        )
    presence = not any(np.isfinite(one) for held in found for one in held.values())
    once = partial(_shuffled, a, pooled, second)
    shuffles = resampling.repeat(once, repeats, seed, jobs=jobs, progress=part(progress, 0.0, 1.0), words="shuffles")
    sizes, dealt = (data_a.n_rows, data_b.n_rows), _dealt(pooled, second)
    both = _sized(found[0], presence), _sized(found[1], presence)
    return _told(both, shuffles, presence, seed, sizes, dealt, a.names)


def check_comparable(a: Any, b: Any, data_a: Any, data_b: Any) -> None:
    """Nothing where two answers can be compared by shuffling rows.

    Parameters
    ----------
    a, b, data_a, data_b : as `compare_chance` takes them

    Raises
    ------
    DataError : they cannot; the sentence says why
    """
    for one in (a, b):
        if not isinstance(one, Result):
            raise DataError(f"engine.compare_chance takes the results of two runs, not a {type(one).__name__}.")
    for one in (data_a, data_b):
        as_dataset(one, "engine.compare_chance(a, b, data_a, data_b)")
    if a.no_chance:
        raise DataError(a.no_chance)
    why = ""
    if type(a) is not type(b) or a.method != b.method:
        why = "The answers are of other methods or settings, so rows dealt anew would not make them comparable."
    elif data_a.names != data_b.names or dict(data_a.levels) != dict(data_b.levels):
        why = "The answers stand over other variables or levels; take both data sets out of one (engine.by_group)."
    elif dict(data_a.kinds) != dict(data_b.kinds) or dict(data_a.cuts) != dict(data_b.cuts):
        why = "The variables of the two data sets were prepared in other ways; take both out of one."
    elif "time" in data_a.roles.values() and data_a.steps is not None:
        why = "These data hold series: steps that follow each other are not dealt anew."
    elif data_a.whole != data_b.whole:
        why = (
            "The two answers come from two tables, or from one that was prepared twice, so there are no rows that "
            "could be dealt anew between them; take both data sets out of one (engine.by_group)."
        )
    elif set(data_a.origin.tolist()) & set(data_b.origin.tolist()):
        why = "The two answers share rows, so their difference has no chance of this kind; compare different rows."
    elif few := [one for one in (data_a, data_b) if one.subject_count is not None and one.subject_count.too_few]:
        why = (
            f"A part has {subjects_of(few[0].subject_column, _subjects(few[0]))}, and chance needs {FEWEST} in each: "
            "rows of one count together."
        )
    if why:
        raise DataError(why)
    a.check_data(data_a)
    b.check_data(data_b)


def _subjects(data: Dataset) -> int:
    """How many subjects there are, each row by itself where none shares one."""
    return data.n_rows if data.subject_count is None else data.subject_count.subjects


def _pooled(a: Dataset, b: Dataset) -> tuple[Dataset, np.ndarray]:
    """All rows of both, in the order of the table, and whether each is of the second."""
    origin = np.concatenate([a.origin, b.origin])
    codes = np.concatenate([a.codes, b.codes], axis=1)
    numbers = {name: _joined(a.numbers[name], b.numbers[name]) for name in a.numbers if name in b.numbers}
    steps = None
    if a.steps is not None and b.steps is not None:
        own, more = a.steps, b.steps
        each = zip((own.subject, own.owner, own.step), (more.subject, more.owner, more.step), strict=True)
        subject, owner, step = map(np.concatenate, each)
        steps = replace(own, subject=subject, owner=owner, step=step)
    whole = a.with_codes(codes, origin=origin, numbers=numbers, steps=steps)
    order = np.argsort(origin, kind="stable")
    return whole.rows(order), order >= a.n_rows


def _dealt(pooled: Dataset, second: np.ndarray) -> str:
    """What is dealt anew to the two parts, as the beginning of a sentence."""
    n, b = len(second), int(second.sum())
    if pooled.clusters is None:
        return f"The {n:,} rows were dealt anew to parts of {n - b:,} and {b:,}"
    units, name = resampling.units_of(second, pooled.clusters), pooled.subject_column
    if units.inside:
        return f"Inside each of {subjects_of(name, _subjects(pooled))} the rows were dealt anew to both parts"
    b = int(units.label.sum())
    return f"Whole {subjects_of(name, 2)[2:]} were dealt anew to parts of {len(units.label) - b:,} and {b:,}"


def _joined(a: Numbers, b: Numbers) -> Numbers:
    if a.values is b.values or np.array_equal(a.values, b.values, equal_nan=True):
        return Numbers(a.values, np.concatenate([a.places, b.places]))
    column = np.concatenate([a.column, b.column])
    known = np.unique(column[~np.isnan(column)])
    places = np.where(np.isnan(column), len(known), np.searchsorted(known, column))
    return Numbers(np.append(known, np.nan), places.astype(np.uint32))


def _shuffled(
    asked: Result, pooled: Dataset, second: np.ndarray, seed: np.random.SeedSequence
) -> tuple[dict[Edge, float], dict[Edge, float]]:
    """The strengths of all edges in both parts of one shuffle."""
    dealt = resampling.deal(second, np.random.default_rng(seed), pooled.clusters)
    return _strengths(asked.again(pooled.rows(~dealt))), _strengths(asked.again(pooled.rows(dealt)))


def _strengths(result: Result) -> dict[Edge, float]:
    """Edge -> size of its strength, infinite where the method gives none."""
    rows = result.edges()[["network", "source", "target", "strength"]].itertuples(index=False)
    return {
        (network, frozenset((source, target))): abs(strength) if np.isfinite(strength) else float("inf")
        for network, source, target, strength in rows
    }


def _sized(held: Mapping[Edge, float], presence: bool) -> dict[Edge, float]:
    """The sizes that are compared: 1 for every edge where the method gives none, NaN for a single one without."""
    if presence:
        return dict.fromkeys(held, 1.0)
    return {edge: size if np.isfinite(size) else np.nan for edge, size in held.items()}


def _difference(a: Mapping[Edge, float], b: Mapping[Edge, float], edges: list[Edge]) -> tuple[np.ndarray, float, float]:
    """Of every edge that is listed, the largest of any edge, and that of the sums.

    An edge whose strength is unknown on one side has no difference (NaN) and stands in neither of the two others. Which
    edges those are depends on the rows alone, so shuffles are as good a measure for it as for the rest.
    """
    every = sorted({*a, *b}, key=lambda edge: (edge[0], *sorted(edge[1])))
    apart = [abs(a.get(edge, 0.0) - b.get(edge, 0.0)) for edge in every]
    listed = np.array([abs(a.get(edge, 0.0) - b.get(edge, 0.0)) for edge in edges])
    sums = [sum(sorted(one for one in held.values() if np.isfinite(one))) for held in (a, b)]
    return listed, max((one for one in apart if np.isfinite(one)), default=0.0), abs(sums[0] - sums[1])


def holm(p: np.ndarray) -> np.ndarray:
    """p values corrected for being many: any false one among those below a level is as rare as that (Holm 1979).

    Parameters
    ----------
    p : (m,) from 0 to 1

    Returns
    -------
    (m,) in the same order

    Examples
    --------
    >>> from engine.project.chance import holm
    >>> holm(np.array([0.01, 0.5, 0.02])).tolist()
    [0.03, 0.5, 0.04]
    """
    order = np.argsort(p, kind="stable")
    found = np.empty(len(p))
    found[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)), 1.0)
    return found


def _told(
    found: tuple[dict[Edge, float], dict[Edge, float]],
    shuffles: list[tuple[dict[Edge, float], dict[Edge, float]]],
    presence: bool,
    seed: int,
    rows: tuple[int, int],
    dealt: str,
    names: tuple[str, ...],
) -> Chance:
    import pandas as pd

    place = {name: i for i, name in enumerate(names)}
    a, b = found
    ends = {edge: sorted(edge[1], key=lambda name: place.get(name, len(place))) for edge in {*a, *b}}
    edges = sorted(ends, key=lambda edge: (edge[0], [place.get(name, len(place)) for name in ends[edge]], ends[edge]))
    here, largest, total = _difference(a, b, edges)
    there = [_difference(_sized(one, presence), _sized(other, presence), edges) for one, other in shuffles]
    every = np.array([one[0] for one in there]).reshape(len(shuffles), len(edges))
    most, sums = np.array([one[1] for one in there]), np.array([one[2] for one in there])
    # where a shuffle gives no strength it counts as one that reached, so that no p is too small for want of one
    reached = (~(every < here - _ROUNDING)).sum(axis=0)
    of_all = (most[:, None] >= here - _ROUNDING).sum(axis=0)
    known = np.isfinite(here)
    p = np.where(known, (1 + reached) / (1 + len(shuffles)), np.nan)
    corrected = np.full(len(edges), np.nan)
    corrected[known] = holm(p[known])
    p_of_all = np.where(known, (1 + of_all) / (1 + len(shuffles)), np.nan)
    table = pd.DataFrame(
        [(edge[0], *ends[edge], a.get(edge, 0.0), b.get(edge, 0.0)) for edge in edges],
        columns=["network", "source", "target", "strength_a", "strength_b"],
    ).assign(difference=here, reached=reached, p=p, corrected=corrected, p_of_all=p_of_all)
    overall = []
    for name, value, shown in ((LARGEST, largest, most), (TOTAL, total, sums)):
        number = int((shown >= value - _ROUNDING).sum())
        overall.append((name, value, number, (1 + number) / (1 + len(shuffles))))
    columns = ["statistic", "value", "reached", "p"]
    return Chance(
        table.sort_values(["difference"], ascending=False, kind="stable", ignore_index=True),
        pd.DataFrame(overall, columns=columns),
        len(shuffles),
        seed,
        rows,
        presence,
        dealt,
        most,
        sums,
    )

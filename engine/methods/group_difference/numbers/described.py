"""Numbers in their own units: both groups' means, quartiles and histograms, by context, and differences of means."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.measures.mean_difference import mean_difference
from engine.methods.fitting import check_counts, check_shape, check_that
from engine.methods.group_difference.blocks import Blocks
from engine.methods.group_difference.numbers.equivalence import bound_of_numbers
from engine.methods.group_difference.rows.groups import Groups
from engine.methods.storing import storable

QUARTILES = (0.25, 0.5, 0.75)
USUAL_BINS, MOST_BINS = 30, 60
"""Bins of a histogram: about so many, and at most."""
_TAIL = 0.01
"""Share of the rows at either end that stand in the outer bins."""
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@storable
@dataclass(frozen=True, eq=False)
class ContextNumbers:
    """A number in both groups, in each context of some parents.

    Attributes
    ----------
    counts : (J, 2) rows with a value, in the order of the configurations of the blocks
    quartiles : (J, 2, 3) of the values, NaN where there are none
    means : (J, 2) likewise
    difference : of the means given the parents, second minus first, with its interval of 95 %: least squares with an
        effect of each block and the lines of the parents that are numbers
    """

    counts: np.ndarray
    quartiles: np.ndarray
    means: np.ndarray
    difference: tuple[float, float, float]

    def _check_read(self) -> None:
        check_counts(self.counts)
        check_shape(self.counts, None, 2)
        check_shape(self.quartiles, len(self.counts), 2, 3)
        check_shape(self.means, len(self.counts), 2)
        check_that(len(self.difference) == 3, "a difference has no interval")


@storable
@dataclass(frozen=True, eq=False)
class NumberSummary:
    """A number in both groups, the first group's part before the second's.

    Attributes
    ----------
    unit : of the number, "" where none is known
    present, missing : rows with a value and without
    means, deviations : (2,) of the values
    quartiles : (2, 3)
    ends : (2, 2) least and largest value
    edges, counts : (h + 1,), (2, h) histogram over common bins of a round width; tails stand in the outer ones
    likeliest, differing : over the likeliest parents, and over those where it differs
    alone : difference of the means, second minus first, with its interval of 95 %
    bound : the largest difference of the shares up to any cut point that all rows allow
    """

    unit: str
    present: tuple[int, int]
    missing: tuple[int, int]
    means: np.ndarray
    deviations: np.ndarray
    quartiles: np.ndarray
    ends: np.ndarray
    edges: np.ndarray
    counts: np.ndarray
    likeliest: ContextNumbers
    differing: ContextNumbers
    alone: tuple[float, float, float]
    bound: float

    def _check_read(self) -> None:
        check_counts(*self.present, *self.missing, self.counts)
        for numbers, *shape in ((self.means, 2), (self.deviations, 2), (self.quartiles, 2, 3), (self.ends, 2, 2)):
            check_shape(numbers, *shape)
        check_shape(self.counts, 2, len(self.edges) - 1)
        check_that(bool((np.diff(self.edges) > 0).all()), "bins of a histogram overlap")
        check_that(len(self.alone) == 3, "a difference has no interval")


def describe_numbers(
    groups: Groups,
    likeliest: Sequence[Blocks],
    differing: Sequence[Blocks],
    worth: Sequence[float],
    units: Mapping[str, str],
) -> dict[str, NumberSummary]:
    """Every number whose values both groups have.

    Parameters
    ----------
    groups : their rows and values
    likeliest, differing : the blocks of every variable over S* of either kind
    worth : what a row counts of each variable, below 1 where rows belong together
    units : name -> unit
    """
    result = {}
    for i, name in enumerate(groups.pooled.names):
        values = values_of(groups, name)
        if values is None:
            continue
        parts = [values[which][np.isfinite(values[which])] for which in (groups.inside, ~groups.inside)]
        if all(map(len, parts)):
            blocks = likeliest[i], differing[i]
            result[name] = _summary(groups, values, parts, units.get(name, ""), *blocks, worth[i])
    return result


def values_of(groups: Groups, name: str) -> np.ndarray | None:
    """(N,) the numbers of the pooled rows, NaN where missing; None where they are not at hand."""
    known = groups.pooled.numbers.get(name) if groups.pooled.kinds[name] == "continuous" else None
    return None if known is None or not groups.pooled.in_memory else known.column


def _summary(
    groups: Groups,
    values: np.ndarray,
    parts: list[np.ndarray],
    unit: str,
    likeliest: Blocks,
    differing: Blocks,
    worth: float,
) -> NumberSummary:
    edges = round_bins(np.concatenate(parts))
    present = len(parts[0]), len(parts[1])
    inside = int(groups.inside.sum())
    first = _by_context(groups, values, likeliest)
    return NumberSummary(
        unit=unit,
        present=present,
        missing=(inside - present[0], len(values) - inside - present[1]),
        means=np.array([part.mean() for part in parts]),
        deviations=np.array([_deviation(part) for part in parts]),
        quartiles=np.array([np.quantile(part, QUARTILES) for part in parts]),
        ends=np.array([(part.min(), part.max()) for part in parts]),
        edges=edges,
        counts=np.array([np.histogram(np.clip(part, edges[0], edges[-1]), edges)[0] for part in parts]),
        likeliest=first,
        differing=first if differing.parents == likeliest.parents else _by_context(groups, values, differing),
        alone=mean_difference(values, ~groups.inside, clusters=groups.cluster),
        bound=bound_of_numbers(values, groups.inside, worth),
    )


def _deviation(values: np.ndarray) -> float:
    """Of the values; squares of large numbers do not fit, so that it is worked out of smaller ones."""
    scale = float(np.abs(values).max()) or 1.0
    return float((values / scale).std(ddof=1)) * scale if len(values) > 1 else math.nan


def _by_context(groups: Groups, values: np.ndarray, blocks: Blocks) -> ContextNumbers:
    """Of the blocks of a variable, in their order."""
    strata, many = _strata(groups, blocks), len(blocks.configurations)
    quartiles, means = np.full((many, 2, 3), math.nan), np.full((many, 2), math.nan)
    counts = np.zeros((many, 2), dtype=np.int64)
    known = np.isfinite(values)
    for g, which in enumerate((groups.inside, ~groups.inside)):
        rows = np.flatnonzero(which & known)
        order = rows[np.argsort(strata[rows], kind="stable")]
        counts[:, g] = np.bincount(strata[rows], minlength=many)
        for j, part in enumerate(np.split(values[order], np.cumsum(counts[:-1, g]))):
            if len(part):
                quartiles[j, g], means[j, g] = np.quantile(part, QUARTILES), part.mean()
    numbers = (values_of(groups, groups.pooled.names[x]) for x in blocks.parents)
    lines = [column for column in numbers if column is not None]
    held = np.array(lines) if lines else None
    difference = mean_difference(values, ~groups.inside, strata, held, groups.cluster)
    return ContextNumbers(counts, quartiles, means, difference)


def _strata(groups: Groups, blocks: Blocks) -> np.ndarray:
    """(N,) the block of each pooled row."""
    if not blocks.parents:
        return np.zeros(groups.pooled.n_rows, dtype=np.int64)
    both = np.concatenate([blocks.configurations.T, groups.pooled.codes[list(blocks.parents)]], axis=1)
    place = np.unique(both, axis=1, return_inverse=True)[1].ravel()
    number = np.empty(place.max() + 1, dtype=np.int64)
    number[place[: len(blocks.configurations)]] = np.arange(len(blocks.configurations))
    return np.asarray(number[place[len(blocks.configurations) :]])


def round_bins(values: np.ndarray) -> np.ndarray:
    """Edges of common bins of a round width, about `USUAL_BINS`; whole numbers stand in the middle of theirs."""
    low, high = np.quantile(values, _TAIL, method="lower"), np.quantile(values, 1 - _TAIL, method="higher")
    width = (high - low) / USUAL_BINS
    whole = bool((values == np.round(values)).all())
    least = 1.0 if whole else 1e-12 * max(float(np.abs(values).max()), 1e-290)
    if not width > least:
        width = least
    power = 10.0 ** math.floor(math.log10(width))
    step = next(power * size for size in _STEPS if power * size >= width * (1 - 1e-9))
    step = max(1.0, float(np.ceil(step))) if whole else step
    begin = math.floor(low / step)
    end = min(max(math.floor(high / step) + 1, begin + 1), begin + MOST_BINS)
    edges: np.ndarray = np.arange(begin, end + 1) * step
    return edges - 0.5 if whole and step == 1.0 else edges

"""One row a pair of variables and pair of groups: both estimates, their difference, p, and a word."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np

from engine.comparison.difference import Differences
from engine.comparison.nodes import NodeTest
from engine.comparison.scales import MIXED, SCALES, Scale, correlation_difference
from engine.lazy import pd, special
from engine.methods.fitting import check_names, check_shape, check_that
from engine.methods.storing import storable
from engine.methods.verdicts import Verdict, verdict_of

COLUMNS = (
    *("source", "target", "a", "a_low", "a_high", "b", "b_low", "b_high"),
    *("difference", "low", "high", "p", "probability", "log_bayes_factor", "word", "what", "levels", "drawn"),
    *("visible", "group_a", "group_b", "scale", "p_any", "source_up", "target_up"),
)
_CONFIDENCE = 0.975


class LinkWord(StrEnum):
    """The kind of a difference; a group's label follows `STRONGER` and `ONLY`."""

    STRONGER = "stronger in"
    TURNS = "turns its sign"
    ONLY = "only in"

    def about(self, label: str) -> str:
        """The word with the group that it is about; `label` is "" where it is about none."""
        return f"{self} {label}" if label else str(self)


def kind_of(row: Any) -> tuple[LinkWord, str]:
    """The kind of the difference of a row of `links` that is called, and the label of the group that it is about."""
    known = ((word, label) for word in LinkWord for label in ("", row.group_a, row.group_b))
    return next((word, label) for word, label in known if word.about(label) == row.what)


@storable
@dataclass(frozen=True, eq=False)
class LinkTest:
    """The tested numbers of a comparison.

    Attributes
    ----------
    scale : name of the scale; of several that of counts
    variables : in alphabetical order
    pairs : (q, 2) places of the two variables that a number is of
    levels : what levels are set against each other, as words; "" for all in their order
    differences : the joint test
    constant : variables that do not vary in every group, so that nothing of them was tested
    upper : of variables with two levels without an order the level that counts as up, else ""
    units : of each group: rows, or subjects where rows belong together
    subject : what rows that belong together share; "" where none do
    scales : of each number; empty where all are on one
    recorded : sentences on numbers that groups recorded otherwise, and on gaps
    nodes : the test of nodes; None in comparisons of older versions
    numbers : the variables that are compared by their values
    slabs : (q,) standard deviations of differences where a link differs; those of the scales where empty
    """

    scale: str
    variables: tuple[str, ...]
    pairs: np.ndarray
    levels: tuple[str, ...]
    differences: Differences
    constant: tuple[str, ...]
    upper: tuple[str, ...] = ()
    units: tuple[int, ...] = ()
    subject: str = ""
    scales: tuple[str, ...] = ()
    recorded: tuple[str, ...] = ()
    nodes: NodeTest | None = None
    numbers: tuple[str, ...] = ()
    slabs: np.ndarray = field(default_factory=lambda: np.empty(0))

    @property
    def of(self) -> Scale:
        """The scale, or that of several."""
        return SCALES[MIXED if self.scales else self.scale]

    def scale_of(self, q: int) -> Scale:
        """The scale of one number."""
        return SCALES[self.scales[q] if self.scales else self.scale]

    @cached_property
    def log_bayes_factors(self) -> np.ndarray:
        """(r, q) of a difference, spike at 0 against slab N(0, slab^2); of several levels the mean over these."""
        found = self.differences
        own = [self.scale_of(q).slab for q in range(len(self.pairs))]
        slab = (self.slabs if len(self.slabs) else np.array(own)) ** 2
        shrunk = slab / (slab + found.error**2)
        factors = 0.5 * (np.log1p(-shrunk) + shrunk * found.z**2)
        largest = _over_pairs(np.maximum, self.pairs, factors)
        return np.asarray(largest + np.log(_over_pairs(np.add, self.pairs, np.exp(factors - largest)) / self._many))

    @cached_property
    def _many(self) -> np.ndarray:
        """(q,) how many numbers the pair of each has."""
        return _over_pairs(np.add, self.pairs, np.ones((1, len(self.pairs))))[0]

    def log_same(self, p_none: float) -> np.ndarray:
        """(q,) ln prior that a pair is the same: `p_none` spread over pairs as the error is."""
        share = _over_pairs(np.add, self.pairs, self.differences.share[None])[0]
        return np.asarray(math.log(p_none) * share / max(len(self.differences.pairs), 1))

    def probabilities(self, p_none: float) -> np.ndarray:
        """(r, q) P(differs)."""
        log_same = self.log_same(p_none)
        return np.asarray(special.expit(self.log_bayes_factors + np.log(-np.expm1(log_same)) - log_same))

    def _check_read(self) -> None:
        check_that({self.scale, *self.scales} <= set(SCALES), "there is no such scale of links")
        check_names(self.variables)
        check_that(set(self.numbers) <= set(self.variables), "its numbers are other variables")
        q = self.differences.value.shape[1]
        check_shape(self.pairs, q, 2)
        check_that(len(self.levels) == q, "its numbers have no levels")
        check_that(len(self.scales) in (0, q) and self.slabs.shape in ((0,), (q,)), "its numbers have no scales")
        check_that(len(self.upper) == len(self.variables), "its variables have no upper levels")
        check_that(len(self.units) == len(self.differences.value), "its groups have no units")
        check_that(self.pairs.size == 0 or 0 <= self.pairs.min() <= self.pairs.max() < len(self.variables), "a place")


def _over_pairs(sum_: np.ufunc, pairs: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(r, q) of every number the sum, or the largest, over all numbers of its pair of variables."""
    _, place = np.unique(pairs, axis=0, return_inverse=True)
    result = np.full((len(values), int(place.max(initial=-1)) + 1), 0.0 if sum_ is np.add else -np.inf)
    for row, own in zip(result, values, strict=True):
        sum_.at(row, place.ravel(), own)
    return np.asarray(result[:, place.ravel()])


def link_table(
    test: LinkTest,
    names: Sequence[str],
    labels: Sequence[str],
    drawn: Sequence[set[frozenset[str]]],
    p_none: float = 0.5,
) -> pd.DataFrame:
    """Every pair of variables for every two groups; of nominal ones the levels of least p."""
    result = test.differences
    place, upper = {name: i for i, name in enumerate(names)}, dict(zip(test.variables, test.upper, strict=False))
    frames, probabilities, prior = [], test.probabilities(p_none), -np.expm1(test.log_same(p_none))
    for row, (i, j) in enumerate(result.pairs):
        chosen = _least(test, row)
        ends = [_ordered(test, q, place) for q in chosen]
        every = _shown(test, row, (i, j))
        margin = np.array([test.scale_of(q).margin for q in range(len(test.pairs))])
        size = np.maximum(np.abs(every["low"]), np.abs(every["high"]))
        bounded = (_over_pairs(np.maximum, test.pairs, (size / margin)[None])[0] < 1)[chosen]
        part = {name: values[chosen] for name, values in every.items()}
        told = [
            verdict_of(*item) for item in zip(probabilities[row, chosen], prior[chosen], bounded, strict=True)
        ]  # fmt: skip
        kinds = _kinds(test, chosen, part, (labels[i], labels[j]))
        keys = [frozenset(end) for end in ends]
        frame = pd.DataFrame(
            {
                "source": [a for a, _ in ends],
                "target": [b for _, b in ends],
                **{name: part[name] for name in COLUMNS[2:12]},
                "probability": probabilities[row, chosen],
                "log_bayes_factor": test.log_bayes_factors[row, chosen],
                "word": [str(word) for word in told],
                "what": [kind if word.called else "" for word, kind in zip(told, kinds, strict=True)],
                "levels": [test.levels[q] for q in chosen],
                "drawn": [_drawn(key in drawn[i], key in drawn[j], labels[i], labels[j]) for key in keys],
                "visible": part["visible"],
                "group_a": labels[i],
                "group_b": labels[j],
                "scale": [test.scale_of(q).name for q in chosen],
                "p_any": _any(test)[test.pairs[chosen, 0], test.pairs[chosen, 1]],
                "source_up": [upper.get(a, "") for a, _ in ends],
                "target_up": [upper.get(b, "") for _, b in ends],
            }
        )
        frames.append(frame.assign(_z=part["z"]))
    whole = pd.concat(frames, ignore_index=True)
    called = whole["word"].isin([word for word in Verdict if word.called])
    order = np.lexsort((whole["target"], whole["source"], -whole["_z"], whole["p"], ~called))
    return whole.drop(columns="_z").iloc[order].reset_index(drop=True)


def _any(test: LinkTest) -> np.ndarray:
    """(p, p) least p of a pair of variables over all groups and levels."""
    least = np.full((len(test.variables),) * 2, np.nan)
    by_number = test.differences.p.min(axis=0) if test.differences.p.size else np.empty(0)
    for (u, v), p in zip(test.pairs, by_number, strict=True):
        least[u, v] = np.fmin(least[u, v], p)
    return least


def _least(test: LinkTest, row: int) -> np.ndarray:
    """Of each pair of variables the number of least p, and of those the largest |z|."""
    result = test.differences
    i, j = result.pairs[row]
    z = np.abs(result.value[i] - result.value[j]) / result.error[row]
    order = np.lexsort((-z, result.p[row], test.pairs[:, 1], test.pairs[:, 0]))
    first = np.ones(len(order), dtype=bool)
    first[1:] = (test.pairs[order[1:]] != test.pairs[order[:-1]]).any(axis=1)
    return np.asarray(order[first])


def _ordered(test: LinkTest, q: int, place: Mapping[str, int]) -> tuple[str, str]:
    """The two variables of a number, in the order in which they are shown."""
    first, second = (test.variables[x] for x in test.pairs[q])
    return (first, second) if place.get(first, 0) <= place.get(second, 0) else (second, first)


def _shown(test: LinkTest, row: int, groups: tuple[int, int]) -> dict[str, np.ndarray]:
    """Estimates, difference and p of one pair of groups, on the scale that is shown."""
    result = test.differences
    bounded = np.array([test.scale_of(q).correlations for q in range(len(test.pairs))], dtype=bool)
    own: dict[str, np.ndarray] = {}
    for letter, group in zip("ab", groups, strict=True):
        value, half = result.value[group], np.sqrt(result.variance[group])
        half = half * special.stdtrit(result.freedom[group], _CONFIDENCE)
        for name, numbers in ((letter, value), (f"{letter}_low", value - half), (f"{letter}_high", value + half)):
            own[name] = np.where(bounded, np.tanh(numbers), numbers)
    gap = result.value[groups[1]] - result.value[groups[0]]
    error, visible = result.error[row], result.visible[row]
    half = error * special.stdtrit(result.degrees[row], _CONFIDENCE)
    difference, low, high = gap, gap - half, gap + half
    if bounded.any():
        root = np.sqrt(result.variance[groups[0]] * result.variance[groups[1]])
        a_ends, b_ends = (np.stack([own[f"{item}_low"], own[f"{item}_high"]]) for item in "ab")
        ends = correlation_difference(own["b"], b_ends, own["a"], a_ends, result.covariance[row] / root)
        difference, low, high = (np.where(bounded, *item) for item in zip(ends, (difference, low, high), strict=True))
        middle = (result.value[groups[0]] + result.value[groups[1]]) / 2
        visible = np.where(bounded, np.tanh(middle + visible / 2) - np.tanh(middle - visible / 2), visible)
    found = {"difference": difference, "low": low, "high": high, "p": result.p[row], "visible": visible}
    return own | found | {"z": np.abs(gap) / error}


def _kinds(test: LinkTest, chosen: np.ndarray, part: Mapping[str, np.ndarray], labels: tuple[str, str]) -> list[str]:
    """The kind of each difference where it is called, by both intervals and the margin."""
    kinds = []
    for row, q in enumerate(chosen):
        a, a_low, a_high, b, b_low, b_high = (
            float(part[name][row]) for name in ("a", "a_low", "a_high", "b", "b_low", "b_high")
        )
        margin = test.scale_of(q).margin
        within = [max(abs(low), abs(high)) < margin for low, high in ((a_low, a_high), (b_low, b_high))]
        if not test.levels[q] and a_low * a_high > 0 and b_low * b_high > 0 and a * b < 0:
            kinds.append(str(LinkWord.TURNS))
        elif within[0] != within[1]:
            kinds.append(LinkWord.ONLY.about(labels[int(within[0])]))
        else:
            kinds.append(LinkWord.STRONGER.about(labels[0] if abs(a) > abs(b) else labels[1]))
    return kinds


def _drawn(in_a: bool, in_b: bool, a: str, b: str) -> str:
    return "both" if in_a and in_b else a if in_a else b if in_b else ""

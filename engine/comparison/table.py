"""One row a pair of variables and pair of groups: both estimates, their difference, p, and a word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.comparison.difference import LEVEL, Differences
from engine.comparison.scales import PARTIAL, SCALES, Scale
from engine.methods.fitting import check_names, check_shape, check_that
from engine.methods.storing import storable

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    *("source", "target", "a", "a_low", "a_high", "b", "b_low", "b_high"),
    *("difference", "low", "high", "p", "word", "levels", "drawn", "visible", "group_a", "group_b", "p_any"),
)
_CONFIDENCE = 0.975


class LinkWord(StrEnum):
    """What is said of a difference; a group's label follows `STRONGER` and `ONLY`."""

    AGREES = "agrees"
    STRONGER = "stronger in"
    TURNS = "turns its sign"
    ONLY = "only in"
    CANNOT_TELL = "cannot tell"

    def about(self, label: str) -> str:
        """The word with the group that it is about; `label` is "" where it is about none."""
        return f"{self} {label}" if label else str(self)


def word_of(row: Any) -> tuple[LinkWord, str]:
    """The word of a row of `links`, and the label of the group that it is about ("" for none)."""
    return next(
        (word, label) for word in LinkWord for label in ("", row.group_a, row.group_b) if word.about(label) == row.word
    )


@storable
@dataclass(frozen=True, eq=False)
class LinkTest:
    """The tested numbers of a comparison.

    Attributes
    ----------
    scale : name of the scale
    variables : in alphabetical order
    pairs : (q, 2) places of the two variables that a number is of
    levels : what levels are set against each other, as words; "" for all in their order
    differences : the joint test
    constant : variables that do not vary in every group, so that nothing of them was tested
    upper : of variables with two levels without an order the level that counts as up, else ""
    units : of each group: rows, or subjects where rows belong together
    subject : what rows that belong together share; "" where none do
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

    @property
    def of(self) -> Scale:
        """The scale."""
        return SCALES[self.scale]

    def _check_read(self) -> None:
        check_that(self.scale in SCALES, "there is no such scale of links")
        check_names(self.variables)
        q = self.differences.value.shape[1]
        check_shape(self.pairs, q, 2)
        check_that(len(self.levels) == q, "its numbers have no levels")
        check_that(len(self.upper) == len(self.variables), "its variables have no upper levels")
        check_that(len(self.units) == len(self.differences.value), "its groups have no units")
        check_that(self.pairs.size == 0 or 0 <= self.pairs.min() <= self.pairs.max() < len(self.variables), "a place")


def link_table(
    test: LinkTest, names: Sequence[str], labels: Sequence[str], drawn: Sequence[set[frozenset[str]]]
) -> pd.DataFrame:
    """Every pair of variables for every two groups; of nominal ones the levels of least p."""
    import pandas as pd

    result = test.differences
    place = {name: i for i, name in enumerate(names)}
    frames = []
    for row, (i, j) in enumerate(result.pairs):
        chosen = _least(test, row)
        ends = [_ordered(test, q, place) for q in chosen]
        part = _shown(test, row, (i, j), chosen)
        keys = [frozenset(end) for end in ends]
        frame = pd.DataFrame(
            {
                "source": [a for a, _ in ends],
                "target": [b for _, b in ends],
                **{name: part[name] for name in COLUMNS[2:12]},
                "word": _words(test.of, part, (labels[i], labels[j]), nominal=[bool(test.levels[q]) for q in chosen]),
                "levels": [test.levels[q] for q in chosen],
                "drawn": [_drawn(key in drawn[i], key in drawn[j], labels[i], labels[j]) for key in keys],
                "visible": part["visible"],
                "group_a": labels[i],
                "group_b": labels[j],
                "p_any": _any(test)[test.pairs[chosen, 0], test.pairs[chosen, 1]],
            }
        )
        frames.append(frame.assign(_z=part["z"]))
    whole = pd.concat(frames, ignore_index=True)
    order = np.lexsort((whole["target"], whole["source"], -whole["_z"], whole["p"]))
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
    chosen: np.ndarray = order[first]
    return chosen


def _ordered(test: LinkTest, q: int, place: Mapping[str, int]) -> tuple[str, str]:
    """The two variables of a number, in the order in which they are shown."""
    first, second = (test.variables[x] for x in test.pairs[q])
    return (first, second) if place.get(first, 0) <= place.get(second, 0) else (second, first)


def _shown(test: LinkTest, row: int, groups: tuple[int, int], chosen: np.ndarray) -> dict[str, np.ndarray]:
    """Estimates, difference and p of one pair of groups, on the scale that is shown."""
    from scipy.special import stdtrit

    result, scale = test.differences, test.of
    own: dict[str, np.ndarray] = {}
    for letter, group in zip("ab", groups, strict=True):
        value, half = result.value[group][chosen], np.sqrt(result.variance[group][chosen])
        half = half * stdtrit(result.freedom[group], _CONFIDENCE)
        own |= {letter: scale.shown(value), f"{letter}_low": scale.shown(value - half)}
        own[f"{letter}_high"] = scale.shown(value + half)
    gap = result.value[groups[0]][chosen] - result.value[groups[1]][chosen]
    error, visible = result.error[row][chosen], result.visible[row][chosen]
    if test.scale == PARTIAL:
        root = np.sqrt(result.variance[groups[0]][chosen] * result.variance[groups[1]][chosen])
        a_ends, b_ends = (np.stack([own[f"{item}_low"], own[f"{item}_high"]]) for item in "ab")
        difference, low, high = scale.difference(
            own["a"], a_ends, own["b"], b_ends, result.covariance[row][chosen] / root
        )
        middle = (result.value[groups[0]][chosen] + result.value[groups[1]][chosen]) / 2
        visible = np.tanh(middle + visible / 2) - np.tanh(middle - visible / 2)
    else:
        half = error * stdtrit(result.degrees[row][chosen], _CONFIDENCE)
        difference, low, high = gap, gap - half, gap + half
    p = result.p[row][chosen]
    return own | {
        "difference": difference,
        "low": low,
        "high": high,
        "p": p,
        "visible": visible,
        "z": np.abs(gap) / error,
    }


def _words(scale: Scale, part: Mapping[str, np.ndarray], labels: tuple[str, str], nominal: Sequence[bool]) -> list[str]:
    """What is said of each difference, by p, both intervals and the margin."""
    words = []
    for row in range(len(part["p"])):
        a, a_low, a_high, b, b_low, b_high, low, high, p = (
            float(part[name][row]) for name in ("a", "a_low", "a_high", "b", "b_low", "b_high", "low", "high", "p")
        )
        within = [max(abs(low_), abs(high_)) < scale.margin for low_, high_ in ((a_low, a_high), (b_low, b_high))]
        if p >= LEVEL:
            alike = max(abs(low), abs(high)) < scale.margin
            words.append(str(LinkWord.AGREES if alike else LinkWord.CANNOT_TELL))
        elif not nominal[row] and a_low * a_high > 0 and b_low * b_high > 0 and a * b < 0:
            words.append(str(LinkWord.TURNS))
        elif within[1] and not within[0]:
            words.append(LinkWord.ONLY.about(labels[0]))
        elif within[0] and not within[1]:
            words.append(LinkWord.ONLY.about(labels[1]))
        else:
            words.append(LinkWord.STRONGER.about(labels[0] if abs(a) > abs(b) else labels[1]))
    return words


def _drawn(in_a: bool, in_b: bool, a: str, b: str) -> str:
    return "both" if in_a and in_b else a if in_a else b if in_b else ""

"""One row a pair of variables and pair of groups: both estimates, their difference, p, and a word."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from engine import words
from engine.charts.labels import difference_name
from engine.comparison.difference import LEVEL, Differences
from engine.lazy import pd, special
from engine.methods.columns import TableDescription, described
from engine.methods.fitting import check_names, check_shape, check_that
from engine.methods.storing import storable

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
    known = ((word, label) for word in LinkWord for label in ("", row.group_a, row.group_b))
    return next((word, label) for word, label in known if word.about(label) == row.word)


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
    return np.asarray(order[first])


def _ordered(test: LinkTest, q: int, place: Mapping[str, int]) -> tuple[str, str]:
    """The two variables of a number, in the order in which they are shown."""
    first, second = (test.variables[x] for x in test.pairs[q])
    return (first, second) if place.get(first, 0) <= place.get(second, 0) else (second, first)


def _shown(test: LinkTest, row: int, groups: tuple[int, int], chosen: np.ndarray) -> dict[str, np.ndarray]:
    """Estimates, difference and p of one pair of groups, on the scale that is shown."""
    result, scale = test.differences, test.of
    own: dict[str, np.ndarray] = {}
    for letter, group in zip("ab", groups, strict=True):
        value, half = result.value[group][chosen], np.sqrt(result.variance[group][chosen])
        half = half * special.stdtrit(result.freedom[group], _CONFIDENCE)
        own |= {letter: scale.shown(value), f"{letter}_low": scale.shown(value - half)}
        own[f"{letter}_high"] = scale.shown(value + half)
    gap = result.value[groups[1]][chosen] - result.value[groups[0]][chosen]
    error, visible = result.error[row][chosen], result.visible[row][chosen]
    if test.scale == PARTIAL:
        root = np.sqrt(result.variance[groups[0]][chosen] * result.variance[groups[1]][chosen])
        a_ends, b_ends = (np.stack([own[f"{item}_low"], own[f"{item}_high"]]) for item in "ab")
        between = result.covariance[row][chosen] / root
        difference, low, high = scale.difference(own["b"], b_ends, own["a"], a_ends, between)
        middle = (result.value[groups[0]][chosen] + result.value[groups[1]][chosen]) / 2
        visible = np.tanh(middle + visible / 2) - np.tanh(middle - visible / 2)
    else:
        half = error * special.stdtrit(result.degrees[row][chosen], _CONFIDENCE)
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


# -- the two scales of a link -----------------------------------------------------------------------------------------

ODDS, PARTIAL = "odds", "partial"
"""Names of the scales, as `Result.link_scale` has them."""


@dataclass(frozen=True)
class Scale:
    """What the number of a link is, how large a difference matters, and how it is written.

    Attributes
    ----------
    name : `ODDS` or `PARTIAL`
    number, short : what the number is called, whole and in a column
    margin : the difference within which two links agree
    """

    name: str
    number: str
    short: str
    margin: float

    def shown(self, value: np.ndarray) -> np.ndarray:
        """Estimates as they are shown: log odds ratios as they are, Fisher's z as a correlation."""
        return np.tanh(value) if self.name == PARTIAL else np.asarray(value)

    def difference(
        self, a: np.ndarray, a_ends: np.ndarray, b: np.ndarray, b_ends: np.ndarray, between: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The difference of two correlations with its interval, from the two intervals (Zou 2007)."""
        low = (a - a_ends[0]) ** 2 + (b_ends[1] - b) ** 2 - 2 * between * (a - a_ends[0]) * (b_ends[1] - b)
        high = (a_ends[1] - a) ** 2 + (b - b_ends[0]) ** 2 - 2 * between * (a_ends[1] - a) * (b - b_ends[0])
        return a - b, a - b - np.sqrt(np.maximum(low, 0)), a - b + np.sqrt(np.maximum(high, 0))

    def text(self, value: float) -> str:
        """One estimate: '+.48', or an odds ratio '4.5'."""
        return signed(value) if self.name == PARTIAL else ratio(value)

    def interval(self, value: float, low: float, high: float) -> str:
        """An estimate with its interval: '+.48 (+.38 to +.57)'."""
        return f"{self.text(value)} ({self.text(low)} to {self.text(high)})"

    def order(self, a: str, b: str) -> str:
        """What a difference is of, the second less the first as everywhere: 'B − A', of odds ratios 'B : A'."""
        return difference_name(b, a) if self.name == PARTIAL else f"{b}{words.NO_BREAK}:{words.NO_BREAK}{a}"

    def size(self, difference: float) -> str:
        """How large a difference is: 'a difference of .30', 'odds ratios 2.5 times apart'."""
        if self.name == PARTIAL:
            return f"a difference of {signed(abs(difference)).lstrip('+')}"
        return f"odds ratios {ratio(abs(difference))} times apart"


SCALES = {
    ODDS: Scale(ODDS, "log odds ratio a step", "odds ratio", math.log(1.5)),
    PARTIAL: Scale(PARTIAL, "partial correlation given all others", "partial correlation", 0.1),
}


def signed(value: float) -> str:
    """A correlation as one reads it: '+.48', '−.51', '0'."""
    text = f"{abs(value):.2f}"
    text = text[1:] if text.startswith("0") else text
    return "0" if text == ".00" else f"{'−' if value < 0 else '+'}{text}"


def ratio(log_value: float) -> str:
    """exp(log_value) with two figures: '4.5', '0.22', 'above 100', 'below 0.01'."""
    if abs(log_value) > math.log(100):
        return "above 100" if log_value > 0 else "below 0.01"
    value = math.exp(log_value)
    return f"{value:.0f}" if value >= 9.95 else f"{value:.1f}" if value >= 0.95 else f"{value:.2f}"


TABLES: Mapping[str, TableDescription] = {
    "Links": TableDescription(
        "Every link that is drawn, the clearest difference first: signed estimates of both groups, their difference, p "
        "corrected over all pairs. Odds ratios stand as natural logarithms; a correlation is partial.",
        described(
            text="source: from; target: to; levels; drawn: drawn in; group_a: group A; group_b: group B",
            verdict="word: verdict",
            signed="a: A (95 %); a_low; a_high; b: B (95 %); b_low; b_high; difference: B − A (95 %); low; high; "
            "visible",
            p="p: p, corrected; p_any: p, corrected",
        ),
        keys=("source", "target", "group_a", "group_b"),
        ends={"a": ("a_low", "a_high"), "b": ("b_low", "b_high"), "difference": ("low", "high")},
        chart="difference",
        differing=(LinkWord.STRONGER, LinkWord.TURNS, LinkWord.ONLY),
        left_out=("visible", "p_any"),
        given_by="drawn_links",
    ),
    "Shared edges": TableDescription(
        "The edges of either network, and whether the other has them.",
        described(text="network; source: from; target: to; mark_a: in A; mark_b: in B; status; network_b"),
        keys=("source", "target"),
        left_out=("network", "network_b"),
    ),
    "Compared claims": TableDescription(
        "What both answers say of one thing.",
        described(
            text="about; kind; status",
            verdict="verdict_a: A says; verdict_b: B says",
            probability="probability_a: P in A; probability_b: P in B",
        ),
        keys=("about", "kind"),
    ),
    "Compared settings": TableDescription(
        "The settings of both answers.", described(text="setting; a: A; b: B; status"), keys=("setting",)
    ),
    "Compared rows": TableDescription(
        "Rows and preparation of both.", described(text="what; a: A; b: B; status"), keys=("what",)
    ),
}

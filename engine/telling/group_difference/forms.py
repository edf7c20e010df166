"""What differs of a variable, in words and its own unit: higher, varies more, between 7.2 and 9.1, more often "yes"."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from engine import words
from engine.data.spoken_levels import spoken_level
from engine.data.units import name_without_unit
from engine.lazy import special
from engine.methods.group_difference.effects import decisive, difference
from engine.methods.group_difference.evidence import GroupDifferenceEvidence
from engine.methods.group_difference.numbers.child_evidence import SHAPES, ChildEvidence, Segments
from engine.methods.group_difference.numbers.described import NumberSummary
from engine.methods.group_difference.verdicts import EVERYWHERE, SURE, Verdict, Where
from engine.telling.spoken import decimal, with_interval
from engine.text import Level, Name, Number, Share, Text, first, joined, told

HIGHER, LOWER = 0.9, 0.1
"""Posterior probability from which a segment of a scale is one in which the second group's share is higher, and up to
which it is lower."""
_SEEN = math.log(3)
"""ln Bayes factor of a common difference from which it may stand for what segments show."""
FORMS = {
    ("location", True): "higher",
    ("location", False): "lower",
    ("spread", True): "varies more",
    ("spread", False): "varies less",
    ("shape", True): "further from the middle",
    ("shape", False): "nearer to the middle",
}
"""Words for one common difference, by its shape and whether its effect is above 0."""


class Form(NamedTuple):
    """What differs of a variable.

    Attributes
    ----------
    kind : one of `FORMS`, "more often" or "less often"
    range : of a number or an ordered variable the values it is said of, in words, "" for all; of others the level
    block : the context it is said of, None for all
    ends : codes or values between which it is said, NaN for none
    """

    kind: str
    range: str = ""
    block: int | None = None
    ends: tuple[float, float] = (math.nan, math.nan)


def is_of_all_rows(result: GroupDifferenceEvidence, name: str) -> bool:
    """True where what is told of a variable is of all rows, or nothing is, and not of the context that decides."""
    form = form_of(result, result.names.index(name))
    called = Verdict(result.verdicts.at[name, "verdict"]).called
    return not called or (form is not None and form.block is None)


def form_of(result: GroupDifferenceEvidence, i: int) -> Form | None:
    """What differs of a variable, by the form that carries most of its evidence; None where nothing is told."""
    evidence, place, name = result.evidence_of(i), result.places[i], result.names[i]
    if place is None:
        return None
    block = None if place.context == EVERYWHERE else decisive(result.best_blocks[i])
    if evidence is None or not len(evidence.blocks):
        return Form("more often" if place.effect > 0 else "less often", _quoted(place.level), block)
    ordered = name in result.ordered
    if len(evidence.common) and _common_carries(result, name, evidence):
        k = int(np.argmax(evidence.common))
        if not ordered:  # of two, which mirror each other, the one that every figure is of
            spoken = spoken_level(result.levels[name])
            k = k if spoken is None else spoken
        up = bool(evidence.effects[k] > 0)
        if ordered and k < len(SHAPES):
            return Form(FORMS[SHAPES[k], up])
        level = result.missing.get(name, "") if ordered else result.levels[name][k]
        return Form("more often" if up else "less often", _quoted(level))
    j = int(np.argmax(evidence.blocks))
    block = j if len(evidence.blocks) > 1 else None
    if not evidence.segments:
        return Form("more often" if place.effect > 0 else "less often", _quoted(place.level), block)
    rows = evidence.segments[j].counts.sum(axis=1)
    if not rows.all() and name in result.missing:  # a group without any value
        return Form("more often" if rows[1] < rows[0] else "less often", _quoted(result.missing[name]), block)
    form = _of_segments(result, i, evidence, evidence.segments[j])
    return form._replace(block=None if _in_every_context(result, i, evidence, form) else block)


def _in_every_context(result: GroupDifferenceEvidence, i: int, evidence: ChildEvidence, form: Form) -> bool:
    """True where every context surely differs, and each is higher, or each lower, as all rows together are."""
    sign = {"higher": 1, "lower": -1}.get(form.kind, 0)
    same = float(result.log_priors[i]) / max(len(evidence.blocks), 1)  # ln P(a block is the same)
    odds = np.asarray(evidence.blocks) + math.log(-math.expm1(same)) - same
    if not sign or (odds < math.log(SURE / (1 - SURE))).any():
        return False
    counts = result.marginal[i].counts[0]
    means = counts @ np.arange(counts.shape[1]) / counts.sum(axis=1)
    kinds = {_of_segments(result, i, evidence, own).kind for own in evidence.segments}
    return kinds == {form.kind} and bool(sign * (means[1] - means[0]) > 0)


def _common_carries(result: GroupDifferenceEvidence, name: str, evidence: ChildEvidence) -> bool:
    """True where one common difference carries more of the evidence than differences of single contexts."""
    if name in result.ordered and not evidence.segments:
        return True  # where rows belong together nothing else is weighed
    common = float(special.logsumexp(evidence.common)) - math.log(len(evidence.common))
    none = float(result.log_priors[result.names.index(name)])
    same = none / max(len(evidence.blocks), 1)  # ln P(a block is the same)
    mixed = float(np.logaddexp(same, math.log(-math.expm1(same)) + evidence.blocks).sum())
    return common >= mixed + math.log(-math.expm1(min(none - mixed, -1e-300))) - math.log(-math.expm1(none))


def runs(segments: Segments) -> list[tuple[int, int, bool]]:
    """First and last cell of each run in which the second group's share is higher, or lower, and which of the two."""
    sign = (segments.higher >= HIGHER).astype(int) - (segments.higher <= LOWER)
    starts = np.flatnonzero(np.diff(sign, prepend=2))
    ends = np.append(starts[1:], len(sign)) - 1
    return [(int(a), int(b), bool(sign[a] > 0)) for a, b in zip(starts, ends, strict=True) if sign[a]]


def _of_segments(result: GroupDifferenceEvidence, i: int, evidence: ChildEvidence, segments: Segments) -> Form:
    """Higher or lower where the scale is cut once, varies more or less where twice, else the run that says most.

    The first two only where scores see as much: values that one group has more of in the middle are no less spread.
    """
    found = runs(segments)
    ups = [up for up, _ in groupby(up for _, _, up in found)]  # a cell that says nothing parts no run
    if ups in ([False, True], [True, False]) and evidence.common[0] >= _SEEN:
        return Form("higher" if ups[1] else "lower")
    if ups in ([True, False, True], [False, True, False]) and evidence.common[1] >= _SEEN:
        return Form("varies more" if ups[0] else "varies less")
    if not found:
        k = int(np.argmax(np.abs(segments.higher - 0.5)))
        found = [(k, k, bool(segments.higher[k] > 0.5))]
    shares = segments.counts / np.maximum(segments.counts.sum(axis=1, keepdims=True), 1)
    gaps = [abs(float((shares[1] - shares[0])[a : b + 1].sum())) for a, b, _ in found]
    a, b, up = found[int(np.argmax(gaps))]
    low, high = float(segments.lows[a]), float(segments.highs[b])
    return Form("more often" if up else "less often", _range(result, i, segments, a, b), None, (low, high))


def _quoted(level: str) -> Text:
    return told("“{}”", Level(level))


def _range(result: GroupDifferenceEvidence, i: int, segments: Segments, a: int, b: int) -> Text:
    """'between 7.2 and 9.1 mmol/L', 'at 9.1 and above', or levels."""
    summary, last = result.numbers.get(result.names[i]), len(segments.lows) - 1
    if summary is None:
        return levels_words(result.levels[result.names[i]], int(segments.lows[a]), int(segments.highs[b]))
    low, high = written(summary, [float(segments.lows[a]), float(segments.highs[b])])
    with_unit = [Number(f"{end} {summary.unit}".strip()) for end in (low, high)]
    if low == high:
        return told("at {}", with_unit[0])
    if a == 0 and b < last:
        return told("at {} and below", with_unit[1])
    if b == last and a:
        return told("at {} and above", with_unit[0])
    return told("between {} and {}", Number(low), with_unit[1])


def levels_words(levels: Sequence[str], first: int, last: int) -> Text:
    """'"mild"', or '"mild" to "severe"'."""
    return _quoted(levels[first]) if first == last else told("{} to {}", _quoted(levels[first]), _quoted(levels[last]))


def what(result: GroupDifferenceEvidence, i: int) -> Text:
    """'higher in South where severity = severe'; "" where nothing is told."""
    form = form_of(result, i)
    if form is None:
        return Text()
    between = told(" {}", form.range) if form.range else ""
    where = "" if form.block is None else told(" where {}", context_words(result, i, form.block))
    return told("{}{} in {}{}", told(form.kind), between, Level(result.group_names()[1]), where)


def context_words(result: GroupDifferenceEvidence, i: int, block: int) -> Text:
    """A context of S*: 'severity = severe, admission = night'."""
    blocks = result.best_blocks[i]
    return pairs_words(result, blocks.parents, blocks.configurations[block]) if blocks.parents else told("all rows")


def pairs_words(result: GroupDifferenceEvidence, variables: Sequence[int], codes: Sequence[int]) -> Text:
    """Values of variables: 'severity = severe, admission = night'."""
    names = [result.names[x] for x in variables]
    pairs = zip(names, codes, strict=True)
    return joined([told("{} = {}", Name(name), Level(result.levels[name][code])) for name, code in pairs], ", ")


def sentence(result: GroupDifferenceEvidence, i: int, probably: bool = False, first: bool = False) -> Text:
    """'Lactate is higher in South: median 3.2 (IQR 2.1 to 4.8) v 1.9 (1.2 to 2.7) mmol/L', without its end.

    "" of a variable that is no number; without a verb where it is the first of many.
    """
    form, summary = form_of(result, i), result.numbers.get(result.names[i])
    if form is None or summary is None or result.evidence_of(i) is None:
        return Text()
    figures = _figures(result, i, form, summary, brief=first and form.block is not None)
    name = Name(name_without_unit(result.names[i], summary.unit))
    if first:
        return told("{}, {}: {}", name, what(result, i), figures)
    return told("{} {}{}: {}", name, verb(form, probably), what(result, i), figures)


def verb(form: Form, probably: bool) -> Text:
    """The verb before a form: 'is ', 'is probably ', 'probably ', or nothing."""
    sure = told("probably ") if probably else ""
    return told("{}", sure) if form.kind.startswith("varies") else told("is {}", sure)


def medians(result: GroupDifferenceEvidence, i: int) -> Text:
    """'median 3.2 (IQR 2.1 to 4.8) in South v 1.9 (1.2 to 2.7) mmol/L in North'."""
    summary, (first, second) = result.numbers[result.names[i]], result.group_names()
    other, one = (written(summary, list(row)) for row in summary.quartiles)
    of_second, of_first = _median(one, "IQR "), _median(other, unit=summary.unit)
    return told("median {} in {} v {} in {}", of_second, Level(second), of_first, Level(first))


def _median(quartiles: Sequence[str], word: str = "", unit: str = "") -> Number:
    low, median, high = quartiles
    return Number(f"{median} ({word}{low} to {high}) {unit}".strip())


def difference_sentence(result: GroupDifferenceEvidence, name: str) -> Text:
    """The difference of a number's means given its parents, with its interval, in its unit."""
    i = result.names.index(name)
    given = result.numbers_of(i)
    where = given_words(result, i) if given is not None and len(given.counts) > 1 else told("over all rows")
    held = result.numbers[name].alone if given is None else given.difference
    return told("The mean is {}, {}.", mean_words(result, name, held), where)


def given_words(result: GroupDifferenceEvidence, i: int) -> Text:
    """'among rows alike in severity and sex', which are the likeliest parents of a variable."""
    return told("among rows alike in {}", first(map(Name, result.parents_of(i)[0]), 3))


def mean_words(result: GroupDifferenceEvidence, name: str, difference: tuple[float, float, float]) -> Text:
    """'0.6 mmol/L higher in South (95 %: 0.4 to 0.7)'."""
    effect, low, high = difference
    if math.isfinite(low) and math.isfinite(high):
        size, *both = with_interval(effect, low, high)
        ends: str = interval(" to ".join(both))
    else:
        size, ends = decimal([effect], 0.0)[0], told("(rows are too few for an interval)")
    size = Number(f"{size.removeprefix('−')} {result.numbers[name].unit}".strip())
    way = told("higher") if effect > 0 else told("lower")
    return told("{} {} in {} {}", size, way, Level(result.group_names()[1]), ends)


def interval(ends: str) -> Number:
    """'(95 %: 0.4 to 0.7)'."""
    return Number(f"(95 %: {ends})")


def shown_place(result: GroupDifferenceEvidence, i: int) -> Where | None:
    """The deciding context; over all rows where one common difference carries the evidence and these say the same."""
    place, form = result.places[i], form_of(result, i)
    if place is None or form is None or form.block is not None or place.context == EVERYWHERE:
        return place
    levels = result.levels[result.names[i]]
    k = next((k for k, level in enumerate(levels) if form.range == _quoted(level)), levels.index(place.level))
    effect, low, high = difference(result.marginal[i], k)
    if form.kind in ("more often", "less often") and (effect > 0) != (form.kind == "more often"):
        return place
    counts = result.marginal[i].counts[0]
    hits, n = (int(counts[0, k]), int(counts[1, k])), (int(counts[0].sum()), int(counts[1].sum()))
    missing = result.missing.get(result.names[i]) == levels[k]
    return Where(EVERYWHERE, levels[k], hits, n, effect, low, high, missing)


def rising_place(result: GroupDifferenceEvidence, i: int, form: Form) -> Where | None:
    """Of all rows, the level that the tables tell where it is the lowest or the highest and moves the way that is told;
    else one on the side that rises."""
    sign = {"higher": 1, "lower": -1}.get(form.kind, 0)
    if not sign or form.block is not None:
        return None
    counts, levels = result.marginal[i].counts[0], result.levels[result.names[i]]
    rows = counts.sum(axis=1)
    missing = result.missing.get(result.names[i])
    gaps = (counts[1] / rows[1] - counts[0] / rows[0]) * [level != missing for level in levels]
    k = levels.index(str(result.verdicts.at[result.names[i], "level"]))
    if (k, sign * float(np.sign(gaps[k]))) not in ((0, -1.0), (len(levels) - 1, 1.0)):  # it does not say the way
        k = int(np.argmax(gaps))
    effect, low, high = difference(result.marginal[i], k)
    return Where(
        EVERYWHERE, levels[k], (int(counts[0, k]), int(counts[1, k])), (int(rows[0]), int(rows[1])), effect, low, high
    )


def _figures(result: GroupDifferenceEvidence, i: int, form: Form, summary: NumberSummary, brief: bool = False) -> Text:
    """Both groups' figures for what is said, the second group's first, since it is the one that is named."""
    given = result.numbers_of(i)
    if form.range:
        segments = result.evidence_of(i).segments[form.block or 0]  # type: ignore[union-attr]
        inside = (segments.lows >= form.ends[0]) & (segments.highs <= form.ends[1])
        of_first, of_second = (
            Share(int(counts[inside].sum()), int(counts.sum()), written=words.in_percent(share))
            for counts, share in zip(segments.counts, shares_within(segments, inside), strict=True)
        )
        return told("{} v {}", of_second, of_first)
    quartiles = summary.quartiles if form.block is None or given is None else given.quartiles[form.block]
    other, one = (written(summary, list(row)) for row in quartiles)
    if form.kind.startswith(("varies", "further", "nearer")):
        spread = f"{other[0]} to {other[2]} {summary.unit}".strip()
        return told("IQR {} v {}", Number(f"{one[0]} to {one[2]}"), Number(spread))
    if brief:
        return told("median {} v {}", Number(one[1]), Number(f"{other[1]} {summary.unit}".strip()))
    return told("median {} v {}", _median(one, "IQR "), _median(other, unit=summary.unit))


def shares_within(segments: Segments, inside: np.ndarray | slice) -> np.ndarray:
    """(2,) the share of either group's rows in some cells of its scale."""
    return np.asarray(segments.counts[:, inside].sum(axis=1) / np.maximum(segments.counts.sum(axis=1), 1))


def written(summary: NumberSummary, numbers: Sequence[float]) -> list[str]:
    """Numbers of one variable with as many decimals as its spread has meaning for."""
    spread = float(np.nanmax(summary.quartiles[:, 2] - summary.quartiles[:, 0])) or float(np.nanmax(summary.deviations))
    return decimal(numbers, spread)


def means_of_groups(summary: NumberSummary) -> tuple[str, str]:
    """Both groups' '1.8 (0.4)', mean (SD)."""
    texts = written(summary, [*summary.means, *summary.deviations])
    return f"{texts[0]} ({texts[2]})", f"{texts[1]} ({texts[3]})"

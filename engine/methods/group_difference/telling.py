"""What differs of a variable, in words and its own unit: higher, varies more, between 7.2 and 9.1, more often "yes"."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine import words
from engine.data.units import name_without_unit
from engine.lazy import pd, special
from engine.methods.group_difference.numbers.child_evidence import SHAPES, ChildEvidence, Segments
from engine.methods.group_difference.verdicts import EVERYWHERE, Verdict, Where
from engine.telling.spoken import decimal, spoken_level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.methods.group_difference.numbers.described import ContextNumbers, NumberSummary
    from engine.methods.group_difference.result import GroupDifferenceResult

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
"""What one common difference is called, by its shape and whether its effect is above 0."""


class Told(NamedTuple):
    """What differs of a variable.

    Attributes
    ----------
    form : one of `FORMS`, "more often" or "less often"
    range : of a number or an ordered variable the values it is said of, in words, "" for all; of others the level
    block : the context it is said of, None for all
    ends : codes or values between which it is said, NaN for none
    """

    form: str
    range: str = ""
    block: int | None = None
    ends: tuple[float, float] = (math.nan, math.nan)


def evidence_of(result: GroupDifferenceResult, i: int) -> ChildEvidence | None:
    """The evidence over S* of a variable; None where levels alone were compared."""
    which = result.evidence_differing if result.differs_likelier(i) else result.evidence_likeliest
    return which[i] if which else None


def numbers_of(result: GroupDifferenceResult, i: int) -> ContextNumbers | None:
    """A number over S*, by context; None for what is no number."""
    summary = result.numbers.get(result.names[i])
    return None if summary is None else summary.differing if result.differs_likelier(i) else summary.likeliest


def told(result: GroupDifferenceResult, i: int) -> Told | None:
    """What differs of a variable, by the form that carries most of its evidence; None where nothing is told."""
    evidence, place, name = evidence_of(result, i), result._where[i], result.names[i]
    if place is None:
        return None
    block = None if place.context == EVERYWHERE else result._decisive(result._likeliest_blocks[i])
    if evidence is None or not len(evidence.blocks):
        return Told("more often" if place.effect > 0 else "less often", f'"{place.level}"', block)
    ordered = name in result.ordered
    if len(evidence.common) and _common_carries(result, name, evidence):
        k = int(np.argmax(evidence.common))
        if not ordered:  # of two, which mirror each other, the one that every figure is of
            spoken = spoken_level(result.levels[name])
            k = k if spoken is None else spoken
        up = bool(evidence.effects[k] > 0)
        if ordered and k < len(SHAPES):
            return Told(FORMS[SHAPES[k], up])
        level = result.missing.get(name, "") if ordered else result.levels[name][k]
        return Told("more often" if up else "less often", f'"{level}"')
    j = int(np.argmax(evidence.blocks))
    block = j if len(evidence.blocks) > 1 else None
    if not evidence.segments:
        return Told("more often" if place.effect > 0 else "less often", f'"{place.level}"', block)
    rows = evidence.segments[j].counts.sum(axis=1)
    if not rows.all() and name in result.missing:  # a group without any value
        return Told("more often" if rows[1] < rows[0] else "less often", f'"{result.missing[name]}"', block)
    return _of_segments(result, i, evidence, evidence.segments[j])._replace(block=block)


def _common_carries(result: GroupDifferenceResult, name: str, evidence: ChildEvidence) -> bool:
    """Whether one common difference carries more of the evidence than differences of single contexts."""
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


def _of_segments(result: GroupDifferenceResult, i: int, evidence: ChildEvidence, segments: Segments) -> Told:
    """Higher or lower where the scale is cut once, varies more or less where twice, else the run that says most.

    The first two only where scores see as much: values that one group has more of in the middle are no less spread.
    """
    found = runs(segments)
    ups = [up for _, _, up in found]
    if ups in ([False, True], [True, False]) and evidence.common[0] >= _SEEN:
        return Told("higher" if ups[1] else "lower")
    if ups in ([True, False, True], [False, True, False]) and evidence.common[1] >= _SEEN:
        return Told("varies more" if ups[0] else "varies less")
    if not found:
        k = int(np.argmax(np.abs(segments.higher - 0.5)))
        found = [(k, k, bool(segments.higher[k] > 0.5))]
    shares = segments.counts / np.maximum(segments.counts.sum(axis=1, keepdims=True), 1)
    gaps = [abs(float((shares[1] - shares[0])[a : b + 1].sum())) for a, b, _ in found]
    a, b, up = found[int(np.argmax(gaps))]
    low, high = float(segments.lows[a]), float(segments.highs[b])
    return Told("more often" if up else "less often", _range(result, i, segments, a, b), None, (low, high))


def _range(result: GroupDifferenceResult, i: int, segments: Segments, a: int, b: int) -> str:
    """'between 7.2 and 9.1 mmol/L', 'at 9.1 and above', or levels."""
    summary, last = result.numbers.get(result.names[i]), len(segments.lows) - 1
    if summary is None:
        levels = result.levels[result.names[i]][int(segments.lows[a]) : int(segments.highs[b]) + 1]
        return f'"{levels[0]}"' if len(levels) == 1 else f'"{levels[0]}" to "{levels[-1]}"'
    low, high = written(summary, [float(segments.lows[a]), float(segments.highs[b])])
    unit = f" {summary.unit}" if summary.unit else ""
    if low == high:
        return f"at {low}{unit}"
    if a == 0 and b < last:
        return f"at {high}{unit} and below"
    return f"at {low}{unit} and above" if b == last and a else f"between {low} and {high}{unit}"


def what(result: GroupDifferenceResult, i: int) -> str:
    """'higher in South where severity = severe', of a variable that is called; "" of others."""
    said = told(result, i)
    if said is None:
        return ""
    second = result.group_names()[1]
    between = f" {said.range}" if said.range else ""
    return f"{said.form}{between} in {second}{_where(result, i, said)}"


def _where(result: GroupDifferenceResult, i: int, said: Told) -> str:
    return "" if said.block is None else f" where {result._context(result._likeliest_blocks[i], said.block)}"


def sentence(result: GroupDifferenceResult, i: int, probably: bool = False, first: bool = False) -> str:
    """'Lactate is higher in South: median 3.2 (IQR 2.1 to 4.8) v 1.9 (1.2 to 2.7) mmol/L', without its end.

    "" of a variable that is no number; without a verb where it is the first of many.
    """
    said, summary = told(result, i), result.numbers.get(result.names[i])
    if said is None or summary is None or evidence_of(result, i) is None:
        return ""
    name, sure = name_without_unit(result.names[i], summary.unit), "probably " if probably else ""
    figures = _figures(result, i, said, summary, brief=first and said.block is not None)
    if first:
        return f"{name}, {what(result, i)}: {figures}"
    return f"{name} {'' if said.form.startswith('varies') else 'is '}{sure}{what(result, i)}: {figures}"


def medians(result: GroupDifferenceResult, i: int) -> str:
    """'median 3.2 (IQR 2.1 to 4.8) in South v 1.9 (1.2 to 2.7) mmol/L in North'."""
    summary, (first, second) = result.numbers[result.names[i]], result.group_names()
    other, one = (written(summary, list(row)) for row in summary.quartiles)
    unit = f" {summary.unit}" if summary.unit else ""
    text = f"median {one[1]} (IQR {one[0]} to {one[2]}) in {second}"
    return f"{text} v {other[1]} ({other[0]} to {other[2]}){unit} in {first}"


def difference_sentence(result: GroupDifferenceResult, name: str) -> str:
    """The difference of a number's means given its parents, with its interval, in its unit."""
    i = result.names.index(name)
    given = numbers_of(result, i)
    where = "given its parents" if given is not None and len(given.counts) > 1 else "over all rows"
    difference = result.numbers[name].alone if given is None else given.difference
    return f"The mean is {_difference(result, name, difference)}, {where}."


def overall_sentence(result: GroupDifferenceResult, name: str) -> str:
    """The same over all rows, whatever the other variables are."""
    return f"Overall the mean is {_difference(result, name, result.numbers[name].alone)}"


def _difference(result: GroupDifferenceResult, name: str, difference: tuple[float, float, float]) -> str:
    """'0.6 mmol/L higher in South (95 %: 0.4 to 0.7)'."""
    effect, low, high = difference
    if not math.isfinite(low) or not math.isfinite(high):
        size, ends = decimal([abs(effect)], 0.0)[0], "rows are too few for an interval"
    else:
        size, one, other = decimal([abs(effect), low, high], high - low)
        ends = f"95 %: {one} to {other}"
    unit = f" {result.numbers[name].unit}" if result.numbers[name].unit else ""
    return f"{size}{unit} {'higher' if effect > 0 else 'lower'} in {result.group_names()[1]} ({ends})"


def shown_place(result: GroupDifferenceResult, i: int) -> Where | None:
    """`result.where`; over all rows where one common difference carries the evidence and these say the same."""
    place, said = result._where[i], told(result, i)
    if place is None or said is None or said.block is not None or place.context == EVERYWHERE:
        return place
    levels = result.levels[result.names[i]]
    k = next((k for k, level in enumerate(levels) if said.range == f'"{level}"'), levels.index(place.level))
    effect, low, high = result._difference(result.marginal[i], k)
    if said.form in ("more often", "less often") and (effect > 0) != (said.form == "more often"):
        return place
    counts = result.marginal[i].counts[0]
    hits, n = (int(counts[0, k]), int(counts[1, k])), (int(counts[0].sum()), int(counts[1].sum()))
    missing = result.missing.get(result.names[i]) == levels[k]
    return Where(EVERYWHERE, levels[k], hits, n, effect, low, high, missing)


def rising_place(result: GroupDifferenceResult, i: int, said: Told) -> Where | None:
    """Of all rows, the level on the side that rises in the second group: a higher one where it is higher."""
    sign = {"higher": 1, "lower": -1}.get(said.form, 0)
    if not sign or said.block is not None:
        return None
    counts, levels = result.marginal[i].counts[0], result.levels[result.names[i]]
    rows = counts.sum(axis=1)
    missing = result.missing.get(result.names[i])
    gaps = (counts[1] / rows[1] - counts[0] / rows[0]) * [level != missing for level in levels]
    k = int(np.argmax(gaps))
    effect, low, high = result._difference(result.marginal[i], k)
    return Where(
        EVERYWHERE, levels[k], (int(counts[0, k]), int(counts[1, k])), (int(rows[0]), int(rows[1])), effect, low, high
    )


def _figures(result: GroupDifferenceResult, i: int, said: Told, summary: NumberSummary, brief: bool = False) -> str:
    """Both groups' figures for what is said, the second group's first, since it is the one that is named."""
    given = numbers_of(result, i)
    if said.range:
        segments = evidence_of(result, i).segments[said.block or 0]  # type: ignore[union-attr]
        rows = (segments.lows >= said.ends[0]) & (segments.highs <= said.ends[1])
        shares = segments.counts[:, rows].sum(axis=1) / np.maximum(segments.counts.sum(axis=1), 1)
        return f"{words.in_percent(shares[1])} v {words.in_percent(shares[0])}"
    quartiles = summary.quartiles if said.block is None or given is None else given.quartiles[said.block]
    unit = f" {summary.unit}" if summary.unit else ""
    other, one = (written(summary, list(row)) for row in quartiles)
    if said.form.startswith(("varies", "further", "nearer")):
        return f"IQR {one[0]} to {one[2]} v {other[0]} to {other[2]}{unit}"
    if brief:
        return f"median {one[1]} v {other[1]}{unit}"
    return f"median {one[1]} (IQR {one[0]} to {one[2]}) v {other[1]} ({other[0]} to {other[2]}){unit}"


def written(summary: NumberSummary, numbers: Sequence[float]) -> list[str]:
    """Numbers of one variable with as many decimals as its spread has meaning for."""
    spread = float(np.nanmax(summary.quartiles[:, 2] - summary.quartiles[:, 0])) or float(np.nanmax(summary.deviations))
    return decimal(numbers, spread)


def both_groups(result: GroupDifferenceResult, i: int, level: int) -> tuple[str, str]:
    """Each group as it is told over all rows: '1.8 [1.2, 2.7]' of a number, '381 (62 %)' of a level."""
    summary, counts = result.numbers.get(result.names[i]), result.marginal[i].counts[0]
    if summary is not None:
        first, second = (
            f"{median} [{low}, {high}]" for low, median, high in (written(summary, list(q)) for q in summary.quartiles)
        )
        return first, second
    first, second = (f"{int(row[level]):,} ({words.in_percent(row[level] / max(row.sum(), 1))})" for row in counts)
    return first, second


def of_level(result: GroupDifferenceResult, i: int, k: int) -> dict[str, float | str]:
    """The columns of a variable's row that are of one of its levels."""
    first, second = both_groups(result, i, k)
    held, alone = (result._difference(blocks, k) for blocks in (result._likeliest_blocks[i], result.marginal[i]))
    return {
        "first": first,
        "second": second,
        "level": result.levels[result.names[i]][k],
        **dict(zip(("effect", "low", "high"), held, strict=True)),
        **dict(zip(("effect_alone", "low_alone", "high_alone"), alone, strict=True)),
    }


def in_units(result: GroupDifferenceResult, i: int) -> dict[str, float | str]:
    """The columns of a variable's row that are in its unit; NaN where it is no number."""
    summary, given = result.numbers.get(result.names[i]), numbers_of(result, i)
    unknown = (math.nan,) * 3
    difference = unknown if given is None else given.difference
    overall = unknown if summary is None else summary.alone
    return {
        "unit": "" if summary is None else summary.unit,
        **dict(zip(("difference", "difference_low", "difference_high"), difference, strict=True)),
        **dict(zip(("overall", "overall_low", "overall_high"), overall, strict=True)),
    }


def contexts_in_units(result: GroupDifferenceResult, i: int) -> pd.DataFrame:
    """One row a context of a number's S*; see `GroupDifferenceResult.contexts_in_units`."""
    given = numbers_of(result, i)
    columns = ["context", "n_first", "n_second", "q1_first", "median_first", "q3_first"]
    columns += ["q1_second", "median_second", "q3_second", "difference_of_medians", "difference_of_means"]
    if given is None:
        return pd.DataFrame(columns=columns)
    blocks = result._likeliest_blocks[i]
    order = sorted(range(len(blocks.bayes)), key=lambda j: (not given.counts[j].all(), -blocks.bayes[j]))
    rows = [
        (
            result._context(blocks, j),
            *given.counts[j].tolist(),
            *given.quartiles[j].ravel().tolist(),
            float(given.quartiles[j, 1, 1] - given.quartiles[j, 0, 1]),
            float(given.means[j, 1] - given.means[j, 0]),
        )
        for j in order
    ]
    return pd.DataFrame(rows, columns=columns)


def segments_table(result: GroupDifferenceResult, i: int) -> pd.DataFrame:
    """One row a range of a number or an ordered variable; see `GroupDifferenceResult.segments`."""
    evidence, rows = evidence_of(result, i), []
    if evidence is not None and evidence.segments:
        said = told(result, i)
        block = said.block if said is not None and said.block is not None else int(np.argmax(evidence.blocks))
        item = evidence.segments[block]
        shares = item.counts / np.maximum(item.counts.sum(axis=1, keepdims=True), 1)
        for a, b, up in runs(item):
            inside = shares[:, a : b + 1].sum(axis=1)
            rows.append((float(item.lows[a]), float(item.highs[b]), *inside.tolist(), "higher" if up else "lower"))
    table = pd.DataFrame(rows, columns=["low", "high", "share_first", "share_second", "direction"])
    return table.astype(dict.fromkeys(table.columns[:4], float))  # also of no rows


CALLED = (Verdict.DIFFERS, Verdict.PROBABLY)


def likeliest_parents(row: pd.Series) -> list[str]:
    """Of S*, with its probability where it is known."""
    names = row["parents"] or "none"
    share = "" if math.isnan(row["p_parents"]) else f" ({words.probability(row['p_parents'], 'P')})"
    return [f"Likeliest parents: {names}{share}."]


def adding_up(parts: pd.Series) -> str:
    """How the contexts' parts make the variable's evidence."""
    terms = " ".join(words.with_sign(part, 1) for part in parts[:6]) + (
        f" and {len(parts) - 6} more" if len(parts) > 6 else ""
    )
    return (
        f"The contexts' parts add up: {terms} = {words.with_sign(parts.sum(), 1)} powers of ten against no difference."
    )

"""The verdict of one link in plain sentences, each with its doubt."""

from __future__ import annotations

import math

from engine import words
from engine.methods.instance_specific.answer import InstanceAnswer
from engine.methods.instance_specific.verdicts.links import (
    NOT_ASKED,
    NOTHING_SEEN,
    TURNED,
    Link,
)
from engine.methods.result import CANNOT_TELL
from engine.scores.instance import UNKNOWN


def points(share: float) -> str:
    """A difference of probabilities in points: '12', '-12', and 'under 1' rather than 0.

    Examples
    --------
    >>> from engine.methods.instance_specific.verdicts.told import points
    >>> points(0.123), points(-0.123), points(0.002), points(0.0)
    ('12', '-12', 'under 1', '0')
    """
    return "under 1" if 0 < share < 0.005 else f"{round(100 * share):d}"


def in_points(share: float) -> str:
    """The same with its unit: '12 points', '1 point'."""
    return f"{points(share)} {'point' if points(share) in ('1', '-1', 'under 1') else 'points'}"


def verdict(result: InstanceAnswer, link: Link) -> str:
    """What is said of one link, in a clause: 'with smoking = no, age no longer matters for cough'."""
    source, child = result.name(link.source), result.name(link.child)
    known = [f"{name} = {level}" for name, level in result.context_of(link).items()]
    given = f"with {words.listed(known)}, " if known else ""
    if link.word == TURNED:
        return f"{given}{source} matters for {child} the other way round"
    if link.told:
        return f"{given}{source} {link.word} for {child}"
    if link.word == NOTHING_SEEN:
        margin = points(result.method.margin)
        return f"{given}the effect of {source} on {child} differs from the others' by less than {margin} points"
    if link.word == NOT_ASKED:
        return f"whether {source} matters otherwise for {child} could not be asked"
    return f"{given}whether {source} matters otherwise for {child} cannot be told"


def doubt(result: InstanceAnswer, link: Link) -> str:
    """What a verdict rests on: 'Z = yes rather than no shifts X = yes by about 0 points (95 %: -4 to 5), ...'."""
    source, child = result.name(link.source), result.name(link.child)
    like = words.count(link.rows, "row")
    found = link.compared
    if found is None:
        if math.isnan(link.here.effect):
            return f"No two values of {source} occur among the {like} like this patient"
        shift, low, high = in_points(link.here.effect), points(link.here.low), points(link.here.high)
        who = f"Among the {like} like this patient" if result.context_of(link) else f"Among all {link.rows:,} rows"
        return f"{who} {source} shifts {child} by about {shift} (95 %: {low} to {high})"
    from_level, to_level = (result.levels[source][code] for code in (found.low_level, found.high_level))
    level = result.levels[child][found.level]
    units = f" of {words.count(found.units, 'subject')}" if found.units < link.rows else ""
    p = words.p_value(found.p, corrected=True)
    return (
        f"{source} = {to_level} rather than {from_level} shifts {child} = {level} by about {in_points(found.here)} "
        f"(95 %: {points(found.here_low)} to {points(found.here_high)}), among the others by about "
        f"{in_points(found.others)}. Difference {in_points(found.difference)} (95 %: {points(found.difference_low)} "
        f"to {points(found.difference_high)}), {p}; {like}{units} like this patient"
    )


def sentence(result: InstanceAnswer, link: Link) -> str:
    """Verdict, doubt, and how many rows would tell where it cannot be told."""
    if link.word == NOT_ASKED:
        return f"{capital(verdict(result, link))}: {why_not_asked(result, link)}. {doubt(result, link)}."
    return f"{capital(verdict(result, link))}. {rests_on(result, link)}"


def rests_on(result: InstanceAnswer, link: Link) -> str:
    """What stands behind the verdict of a link that was asked about: doubt, rows that would tell, probability."""
    said = [doubt(result, link)]
    if link.word == CANNOT_TELL:
        said.append(rows_wanted(result, link))
    if result.support is not None and link.weighed:
        said.append(
            f"Probability that this link applies as in the population: {words.percent(result.probability_of(link))}"
        )
    return ". ".join(said) + "."


def rows_wanted(result: InstanceAnswer, link: Link) -> str:
    """How many rows like the patient would show a difference of the margin."""
    margin, what = points(result.method.margin), "difference" if link.asked else "shift"
    if link.needed is None:
        return f"How many rows would show a {what} of {margin} points cannot be told either"
    return f"To see a {what} of {margin} points (4 times in 5) takes {link.needed:,} rows like this patient"


def why_not_asked(result: InstanceAnswer, link: Link) -> str:
    """Why nothing was asked of a link."""
    others = result.in_order(link.beside)
    if others and all(result.codes[name] == UNKNOWN for name in others):
        return f"the patient's {words.listed(others)} {'is' if len(others) == 1 else 'are'} unknown"
    return link.why_not


def capital(text: str) -> str:
    """The text with a capital first letter, unless it begins with a name that has none."""
    begins = ("with ", "whether ")
    return text[0].upper() + text[1:] if text.startswith(begins) else text

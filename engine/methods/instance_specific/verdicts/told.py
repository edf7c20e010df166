"""The verdict of one link in plain sentences, each with its doubt."""

from __future__ import annotations

import math

from engine import words
from engine.methods.instance_specific.answer import InstanceAnswer
from engine.methods.instance_specific.verdicts.links import (
    ALSO,
    APPLIES,
    DIFFERENTLY,
    LITTLE,
    NO_LONGER,
    NOT_ASKED,
    Link,
)
from engine.scores.instance import UNKNOWN


def points(share: float) -> str:
    """A difference of probabilities in points: '12', and 'under 1' rather than 0.

    Parameters
    ----------
    share : in probability

    Returns
    -------
    whole points

    Examples
    --------
    >>> from engine.methods.instance_specific.verdicts.told import points
    >>> points(0.123), points(0.002), points(0.0)
    ('12', 'under 1', '0')
    """
    return "under 1" if 0 < share < 0.005 else f"{100 * share:.0f}"


def verdict(result: InstanceAnswer, link: Link) -> str:
    """What is said of one link, in a clause: 'with smoking = no, age no longer matters for cough'.

    Parameters
    ----------
    result : the answer it belongs to
    link : one of its links

    Returns
    -------
    the clause
    """
    source, child = result.name(link.source), result.name(link.child)
    known = [f"{name} = {level}" for name, level in result.context_of(link).items()]
    given = f"with {words.listed(known)}, " if known else ""
    margin = points(result.method.margin)
    return given + {
        NO_LONGER: f"{source} no longer matters for {child}",
        DIFFERENTLY: f"{source} matters differently for {child}",
        ALSO: f"{source} also matters for {child}",
        APPLIES: f"{source} matters for {child}",
        LITTLE: f"{source} matters for {child} by less than {margin} points",
        NOT_ASKED: f"whether {source} matters for {child} was not asked",
    }.get(
        link.word, f"whether {source} {'still ' if link.status == 'dropped' else ''}matters for {child} cannot be told"
    )


def doubt(result: InstanceAnswer, link: Link) -> str:
    """What a verdict rests on: 'among the 41 rows like this patient, Z shifts X by at most 12 points (95 %: 0 to 31)'.

    Parameters
    ----------
    result : the answer it belongs to
    link : one of its links

    Returns
    -------
    the clause
    """
    source, child = result.name(link.source), result.name(link.child)
    if math.isnan(link.here.effect):
        return f"no two values of {source} occur among the {words.count(link.rows, 'row')} like this patient"
    who = (
        f"the {words.count(link.rows, 'row')} like this patient"
        if result.context_of(link)
        else f"all {link.rows:,} rows"
    )
    said = (
        f"among {who} {source} shifts {child} by at most "
        f"{points(link.here.effect)} points (95 %: {points(link.here.low)} to {points(link.here.high)})"
    )
    if link.word in (NO_LONGER, DIFFERENTLY) and not math.isnan(link.others):
        said += f", among the others by {points(link.others)}"
    if link.word == DIFFERENTLY:
        apart = link.difference
        said += f"; the two lie {points(apart.low)} to {points(apart.high)} points apart"
    return said


def sentence(result: InstanceAnswer, link: Link) -> str:
    """Verdict, doubt, and how many rows would tell where it cannot be told.

    Parameters
    ----------
    result : the answer it belongs to
    link : one of its links

    Returns
    -------
    one sentence
    """
    if link.word == NOT_ASKED:
        return f"{capital(verdict(result, link))}: {why_not_asked(result, link)}."
    return f"{capital(verdict(result, link))}: {rests_on(result, link)}"


def rests_on(result: InstanceAnswer, link: Link) -> str:
    """What stands behind the verdict of a link that was asked about: doubt, rows that would tell, probability.

    Parameters
    ----------
    result : the answer it belongs to
    link : one of its links

    Returns
    -------
    clauses and a full stop
    """
    said = doubt(result, link)
    if not link.told and link.word not in (APPLIES, LITTLE):
        said += f"; {rows_wanted(result, link)}"
    if result.support is not None and link.asked:
        said += (
            f". Probability that this link applies as in the population: {words.percent(result.probability_of(link))}"
        )
    return said + "."


def rows_wanted(result: InstanceAnswer, link: Link) -> str:
    """How many rows like the patient would show a shift of the margin.

    Parameters
    ----------
    result : the answer it belongs to
    link : one of its links

    Returns
    -------
    a clause
    """
    margin = points(result.method.margin)
    if link.needed is None:
        return f"how many rows would show a shift of {margin} points cannot be told either"
    return f"to see a shift of {margin} points (4 times in 5) takes {link.needed:,} rows like this patient"


def why_not_asked(result: InstanceAnswer, link: Link) -> str:
    """Why nothing was asked of a link.

    Parameters
    ----------
    result : the answer it belongs to
    link : one that was not asked about

    Returns
    -------
    a clause
    """
    source, child = result.name(link.source), result.name(link.child)
    choice = result.network.choices[link.child]
    if len(choice.population) < 2:
        return f"it is the only variable that {child} depends on, so there is no context in which it could be left out"
    if result.codes[source] == UNKNOWN:
        return f"the patient's {source} is unknown, and nothing else that is known can stand in for it"
    others = [result.name(x) for x in choice.population if x != link.source]
    if all(result.codes[name] == UNKNOWN for name in others):
        return f"the patient's {words.listed(others)} {'is' if len(others) == 1 else 'are'} unknown"
    return "what is known of the arcs asks for it"


def capital(text: str) -> str:
    """The text with a capital first letter, unless it begins with a name that has none."""
    begins = ("with ", "whether ")
    return text[0].upper() + text[1:] if text.startswith(begins) else text

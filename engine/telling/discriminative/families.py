"""Families in words: where the classes differ most in one, how far its parents shift it, and whether by chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.data.preparing.roles import propose_direction
from engine.lazy import pd
from engine.methods.discriminative.effect import SIGNIFICANCE, clear, more_in, turning_contrast, turns
from engine.methods.discriminative.evidence import DiscriminativeEvidence
from engine.methods.discriminative.families import cpt
from engine.text import Level, Name, Number, Text, joined, told
from engine.words import NO_BREAK, is_bare, p_value, short, shown_difference, with_minus

IN_WORDS, IN_SHORT = " percentage points", f"{NO_BREAK}pp"
"""Units of a shift."""


def families(result: DiscriminativeEvidence) -> pd.DataFrame:
    """The ranked families, with where the classes differ most and how far the parents shift the child, in words."""
    ranked = result.ranked
    keys = list(zip(ranked["network"], ranked["child"], strict=True))
    words = {name: [str(of(result, *key)) for key in keys] for name, of in (("where", where), ("shift", shift_words))}
    return ranked.assign(**words)


def where(result: DiscriminativeEvidence, title: str, child: str, *, other: bool = False) -> Text:
    """Of which level, or of two the other, and after what the largest difference is; empty where none is common."""
    c, net = result.place_of(title)
    network, i = result.learned[c].networks[net], result.variables_in_order.index(child)
    j, k = network.effects[i, 3:]
    if not np.isfinite(j):
        return told("")
    level = _is(child, result.levels[i][1 - int(k) if other else int(k)])
    given = result.configuration(network.parents[i], int(j))
    if not given:
        return level
    joint = "after" if result.series else "where"
    return told("{} {} {}", level, joint, joined((_is(*condition) for condition in given.items()), ", "))


def _is(name: str, level: str) -> Text:
    """'drug = yes'; a level of several words, such as an answer, in quotation marks, but for a range."""
    several = level.count(" ") > 1 and not any(map(str.isdigit, level))
    return told("{} = “{}”" if several else "{} = {}", Name(name), Level(level))


def shift_words(result: DiscriminativeEvidence, title: str, child: str) -> Text:
    """The shift of the child by each parent in either class, and in which the more; empty where it is not known."""
    c, net = result.place_of(title)
    network, titles = result.learned[c].networks[net], result.titles_of(c, net)
    i = result.variables_in_order.index(child)
    phrases = []
    for place, x in enumerate(network.parents[i]):
        shifts, parent = network.shifts[i, place], result.variables_in_order[x]
        if turns(shifts):
            phrases.append(turn_between(result, title, child, parent))
        elif np.isfinite(shifts[:, 0]).all():
            both = joined((_inside(*pair) for pair in zip(map(size_words, shifts[::-1]), titles, strict=True)), " and ")
            more = more_in(shifts)
            ahead = told("no clear difference in size") if more < 0 else told("more in {}", Level(titles[1 - more]))
            phrases.append(told("{} by up to {}: {}", Name(parent), both, ahead))
    return joined(phrases, "; ")


def _inside(size: Text, title: str) -> Text:
    return told("{} in {}", size, Level(title))


class Turn(NamedTuple):
    """A link that turns its direction: what is set against what, of which level, and the signed shifts."""

    contrast: Text
    level: Text
    shifts: Sequence[Sequence[float]]


def turn_words(result: DiscriminativeEvidence, title: str, child: str, parent: str) -> Turn | None:
    """Of a link that turns its direction the contrast, the level and signed shifts; None where it does not."""
    c, net = result.place_of(title)
    own, i = result.learned[c].networks[net], result.variables_in_order.index(child)
    parents = own.parents[i]
    place = parents.index(result.variables_in_order.index(parent))
    arity = np.array([len(result.levels[x]) for x in parents])
    contrast = turning_contrast(own.counts[i], arity, place) if turns(own.shifts[i, place]) else None
    if contrast is None:
        return None
    high, low = (result.configuration(parents, j) for j in contrast[:2])
    fixed = joined((told(", {}", _is(name, value)) for name, value in high.items() if name != parent), "")
    against = told("{} against {}{}", _is(parent, high[parent]), Level(low[parent]), fixed)
    return Turn(against, _is(child, result.levels[i][contrast[2]]), own.shifts[i, place, ::-1].tolist())


def turn_between(result: DiscriminativeEvidence, title: str, child: str, parent: str) -> Text:
    """A turn in one line; empty where the link does not turn."""
    turn, titles = turn_words(result, title, child, parent), result.titles_of(*result.place_of(title))
    if turn is None:
        return told("")
    sizes = (size_words(shift, signed=True) for shift in turn.shifts)
    both = joined((_inside(*pair) for pair in zip(sizes, titles, strict=True)), ", ")
    return told("{}: {} {}", turn.contrast, turn.level, both)


def size_words(shift: Sequence[float], *, signed: bool = False, unit: str = IN_WORDS) -> Text:
    """A shift in percentage points with its interval, where there is one; empty where it is not known."""
    size, low, high = shift
    if size != size:
        return told("")
    interval = "" if low != low else f" ({100 * low:.0f} to {100 * high:.0f})"
    return told("{}", Number(with_minus(f"{100 * size:{'+' if signed else ''}.0f}{unit}{interval}")))


def against_control(titles: tuple[str, str], classes: Sequence[str]) -> tuple[tuple[str, str], int]:
    """The class that is compared and that which it is compared with; -1 where that turns them.

    That is a control; where neither class is one, the first class, as on the page of group differences.
    """
    control = propose_direction(titles)[0]
    base = classes[0] if control is None else control[0]
    return (titles[::-1], -1) if base == titles[0] else (titles, 1)


def family_tables(result: DiscriminativeEvidence, row: Any) -> tuple[pd.DataFrame, str, str]:
    """The tables of a family, its difference that of a class less its control, and the names of both."""
    (one, base), sign = against_control(result.titles_of(*result.place_of(row["network"])), result.classes)
    table, names = cpt(result, row["network"], row["child"]), map(result.held_out.display_name, (one, base))
    table = table.assign(difference=sign * table["difference"])
    for title, name in zip((one, base), shown := tuple(names), strict=True):
        table = table.rename(columns={f"{what} {title}": f"{what} {name}" for what in ("share", "count")})
    return table, *shown


class Apart(NamedTuple):
    """Where the classes are farthest apart in a family, between which, by how much, and the ends of its interval."""

    place: Text
    classes: Sequence[Text]
    difference: Sequence[float]


def apart(result: DiscriminativeEvidence, row: Any) -> Apart:
    """The largest difference of a row of `ranked`; of two levels that which is more common in the first class."""
    compared, turned = against_control(result.titles_of(*result.place_of(row["network"])), result.classes)
    levels = result.levels[result.variables_in_order.index(row["child"])]
    other = len(levels) == 2 and turned * row["effect"] < 0
    difference = [(-turned if other else turned) * row[name] for name in ("effect", "low", "high")]
    if difference[0] == difference[0]:
        difference[0] = _as_shown(result, row, difference[0])
    classes = [in_class(result, title) for title in compared]
    return Apart(where(result, row["network"], row["child"], other=other), classes, difference)


def _as_shown(result: DiscriminativeEvidence, row: Any, difference: float) -> float:
    """A difference as the percents beside it have it, where it is that of rows and not of what subjects are like."""
    c, net = result.place_of(row["network"])
    network, i = result.learned[c].networks[net], result.variables_in_order.index(row["child"])
    j, k = map(int, network.effects[i, 3:])
    others, own = (counts[k] / max(counts.sum(), 1) for counts in network.counts[i][:, j])
    shown = shown_difference(own, others) / 100
    return math.copysign(shown, difference) if math.isclose(abs(own - others), abs(difference)) else difference


def in_class(result: DiscriminativeEvidence, title: str) -> Text:
    """'in ill', 'outside ill'; 'with relapse = yes' where the level alone would say nothing."""
    inside = title in result.classes
    level, target = title if inside else title.removeprefix("not "), Name(short(result.method.target, 40))
    if is_bare(level):
        return told("with {} {} {}", target, "=" if inside else "not", Level(level))
    return told("{} {}", "in" if inside else "outside", Level(short(level, 40)))


def family_sentence(row: Any, found: Apart) -> Text:
    """The verdict on a family, and how far the classes are apart in it; of a row of `ranked` and its difference."""
    by_levels = bool(row["parents"] and row["levels"])
    text, effect = _family_verdict(row, by_levels), _effect_words(found)
    if row["chance"] <= SIGNIFICANCE and effect and not by_levels and not clear(row["low"], row["high"]):
        text = told("{}, as a whole. Its largest single difference is inconclusive{}.", text, effect)
    else:
        text = told("{}{}.", text, effect)
    if by_levels:
        text = told("{} The levels of its variables separate the classes by themselves.", text)
    return text if row["used"] else told("{} Verdicts are made without it.", text)


def _family_verdict(row: Any, by_levels: bool) -> Text:
    """'Beyond chance (p = .005 after correction for all links)'; inconclusive where its levels do as much."""
    if row["chance"] != row["chance"]:
        if not row["parents"] and row["levels"]:
            return told("Beyond chance by itself")
        return told("Not tested" if row["parents"] else "By itself not tested")
    verdict = "beyond chance"
    if row["chance"] > SIGNIFICANCE:
        verdict = "not beyond chance"
    elif by_levels:
        verdict = "inconclusive"
    begins = verdict[0].upper() + verdict[1:] if row["parents"] else f"By itself {verdict}"
    return told("{} ({} for all links)", begins, Number(p_value(row["chance"], corrected=True)))


def _effect_words(found: Apart) -> Text:
    """': b = yes where a = no is 46 pp more common in ill than in well (95 %: 13 to 70)', of the largest difference."""
    if not found.place:
        return told("")
    size, more, ends = more_or_less(*found.difference)
    interval = told(" (95\u00a0%: {})", ends) if ends else told("")
    return told(": {} is {} pp {} common {} than {}{}", found.place, size, more, *found.classes, interval)


def more_or_less(effect: float, low: float, high: float) -> tuple[Number, str, Number | None]:
    """A signed difference as its points, "more" or "less", and the interval's ends in the same direction.

    Beyond 0 on the other side an end says so: '29 less to 14 more'; None without an interval.
    """
    word = "more" if effect >= 0 else "less"
    near, far = sorted((abs(low), abs(high)))
    ends = f"{100 * near:.0f} to {100 * far:.0f}"
    if min(low, high) < 0 < max(low, high):
        up, down = f"{100 * max(low, high):.0f} more", f"{100 * -min(low, high):.0f} less"
        ends = f"{down} to {up}"
    return Number(f"{100 * abs(effect):.0f}"), word, Number(ends) if low == low else None

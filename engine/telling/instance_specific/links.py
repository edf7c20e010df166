"""What is said of one link for one patient: the verdict, what it rests on, and why nothing was asked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from engine import words
from engine.methods.instance_specific.answer import InstanceAnswer
from engine.methods.instance_specific.links import Link, LinkWord
from engine.telling.charts.labels import difference_name
from engine.telling.spoken import level_words
from engine.telling.terms import SHOWN
from engine.text import Count, Level, Name, Number, People, Text, first, joined, listed, told


def margin_of(result: InstanceAnswer) -> Number:
    """The shift that matters, in points."""
    return points(result.method.margin)


def verdict_with_sizes(result: InstanceAnswer, link: Link) -> Text:
    """'With smoking = no, age no longer matters for cough: 0 pp (95 % −4 to 5), otherwise 44'."""
    said, sizes = verdict(result, link, begins=True), link.compared
    if sizes is None:
        return said
    here = told("{} (95 % {} to {})", in_points(sizes.here), points(sizes.here_low), points(sizes.here_high))
    return told("{}: {}, otherwise {}", said, here, points(sizes.others))


def other_values(context: Mapping[str, str], levels: Mapping[str, Sequence[str]]) -> Text:
    """Who the rows are that a context is compared with: 'with smoking = yes', or 'otherwise' where that is no level."""
    if len(context) == 1:
        [(name, level)] = context.items()
        rest = [other for other in levels[name] if other != level]
        if len(rest) == 1:
            return told("with {}", level_words(name, rest[0]))
    return told("otherwise")


def points(share: float) -> Number:
    """A difference of probabilities in points: '12', '−12', and 'under 1' rather than 0.

    Examples
    --------
    >>> from engine.telling.instance_specific.links import points
    >>> points(0.123), points(-0.123), points(0.002), points(0.0)
    ('12', '−12', 'under 1', '0')
    """
    return Number("under 1" if 0 < share < 0.005 else words.with_minus(f"{round(100 * share):d}"))


def in_points(share: float) -> Number:
    """The same with its unit: '12 pp', '1 pp'."""
    return Number(words.with_unit(points(share)))


def verdict(result: InstanceAnswer, link: Link, begins: bool = False) -> Text:
    """What is said of one link, in a clause: 'with smoking = no, age no longer matters for cough'.

    Where it begins a sentence its first word has a capital, unless that is a name.
    """
    with_, whether = ("With", "Whether") if begins else ("with", "whether")
    source, child = Name(result.name(link.source)), Name(result.name(link.child))
    given = given_words(result, link, with_)
    if link.word == LinkWord.TURNED:
        return told("{}{} matters for {} the other way round", given, source, child)
    if link.told:
        return told("{}{} {} for {}", given, source, str(link.word), child)
    if link.word == LinkWord.NOTHING_SEEN:
        return told(
            "{}the effect of {} on {} differs from the others' by less than {} percentage points",
            given,
            source,
            child,
            margin_of(result),
        )
    if link.word == LinkWord.NOT_ASKED:
        return told("{} the link {} differs for this patient could not be asked", whether, link_name(result, link))
    asked = "whether" if given else whether
    return told("{}{} the link {} differs is inconclusive", given, asked, link_name(result, link))


def link_name(result: InstanceAnswer, link: Link) -> Text:
    """'Sepsis → lactate', or with a dash where no row tells the direction."""
    ends = result.name(link.source), result.name(link.child)
    return told("{} → {}" if result.has_direction(*ends) else "{} – {}", *map(Name, ends))


def given_words(result: InstanceAnswer, link: Link, with_: str) -> Text:
    """'with smoking = no, ': the values among which a link is judged; "" where it has no other parent beside it."""
    known = [level_words(name, level) for name, level in result.context_of(link).items()]
    return told("{} {}, ", with_, listed(known)) if known else told("")


def doubt(result: InstanceAnswer, link: Link) -> Text:
    """What a verdict rests on: 'From Z = no to yes the share of X = yes changes by 0 pp (95 %: −4 to 5), ...'."""
    source, child = result.name(link.source), result.name(link.child)
    like, beside, compared = People(link.rows, "row"), _beside(result, link), link.compared
    if compared is None:
        if math.isnan(link.here.effect):
            return told("No two values of {} occur among the {}{}", Name(source), like, beside)
        who = told("Among all {} rows", People(link.rows))
        if result.context_of(link):
            who = told("Among the {}{}", like, beside)
        shift = _sized(link.here.effect, link.here.low, link.here.high)
        return told("{} {} shifts {} by about {}", who, Name(source), Name(child), shift)
    levels = result.levels[source]
    return told(
        "From {} to {} the share of {} changes by {}, {} by {}. {}: {}, {}; {}{}{}",
        level_words(source, levels[compared.low_level]),
        Level(levels[compared.high_level]),
        level_words(child, result.levels[child][compared.level]),
        _sized(compared.here, compared.here_low, compared.here_high),
        other_values(result.context_of(link), result.levels),
        in_points(compared.others),
        difference_name("Patient", "others"),
        _sized(compared.difference, compared.difference_low, compared.difference_high),
        Number(words.p_value(compared.p, corrected=True)),
        like,
        told(" of {}", People(compared.units, "subject")) if compared.units < link.rows else "",
        beside,
    )


def compared_words(result: InstanceAnswer, most: int = 3) -> Text:
    """'2 of 8 links could be compared with other rows: Sepsis → lactate inconclusive; ...', nearest misses first."""
    asked = [(link.compared.p, link) for link in result.links if link.compared is not None]
    parts = [
        told("{} {}", link_name(result, link), SHOWN.get(link.word, link.word))
        for _, link in sorted(asked, key=lambda pair: pair[0])
    ]
    many, every = Count(len(asked)), Count(len(result.links), "link")
    return told("{} of {} could be compared with other rows: {}.", many, every, first(parts, most, "; "))


def _beside(result: InstanceAnswer, link: Link) -> Text:
    """Which rows are like the patient for a link: ' with the patient's smoking'."""
    names = listed(map(Name, result.context_of(link)))
    return told(" with the patient's {}", names) if names else told(" like this patient")


def _sized(value: float, low: float, high: float) -> Text:
    """'12 pp (95 %: −4 to 5)'."""
    return told("{} (95 %: {} to {})", in_points(value), points(low), points(high))


def link_sentence(result: InstanceAnswer, link: Link) -> Text:
    """Verdict, doubt, and how many rows would decide what is inconclusive."""
    said = verdict(result, link, begins=True)
    if link.word == LinkWord.NOT_ASKED:
        return told("{}: {}. {}.", said, why_untested(result, link), doubt(result, link))
    return told("{}. {}", said, rests_on(result, link))


def rests_on(result: InstanceAnswer, link: Link) -> Text:
    """What stands behind the verdict of a link that was asked about: doubt, rows that would tell, probability."""
    said = [doubt(result, link)]
    if link.word == LinkWord.CANNOT_TELL:
        said.append(rows_wanted(result, link))
    if result.support is not None and link.weighed:
        said.append(
            told(
                "Probability that this patient has an arrow from {} to {}, whatever its size: {}",
                Name(result.name(link.source)),
                Name(result.name(link.child)),
                Number(words.probability(result.probability_of(link))),
            )
        )
    return told("{}.", joined(said, ". "))


def rows_wanted(result: InstanceAnswer, link: Link) -> Text:
    """How many rows like the patient would show a difference of the margin."""
    margin, noun = margin_of(result), "difference" if link.asked else "shift"
    if link.needed is None:
        return told("How many rows would show a {} of {} percentage points is not known either", noun, margin)
    return told(
        "{} rows{} would show a {} of {} percentage points 4 times in 5",
        *(Count(link.needed), _beside(result, link), noun, margin),
    )


def why_untested(result: InstanceAnswer, link: Link) -> Text:
    """Why nothing was asked of a link."""
    if not result.is_without_context(link):
        return told(link.why_not)
    others = result.in_order(link.beside)
    return told("the patient's {} {} unknown", listed(map(Name, others)), "is" if len(others) == 1 else "are")

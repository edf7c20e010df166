"""One patient's network in plain sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable

from engine import words
from engine.data.spoken_levels import spoken_level
from engine.lazy import pd
from engine.methods.instance_specific.evidence import FEW_CASES, InstanceEvidence
from engine.methods.instance_specific.links import ALONE, Link, LinkWord, nearest_misses
from engine.methods.instance_specific.parent_choices import NodeChoice
from engine.methods.instance_specific.patient_numbers import OUTER
from engine.methods.instance_specific.unusual import UNUSUAL
from engine.scores.instance import UNKNOWN
from engine.telling.instance_specific.links import (
    given_words,
    link_sentence,
    verdict_with_sizes,
    why_untested,
)
from engine.telling.instance_specific.numbers import beyond, farthest, number_words, share_beyond, written
from engine.telling.spoken import is_long, level_words
from engine.text import Count, Level, Name, Number, People, Share, Text, decapitalized, first, joined, listed, told

WARNING_PUBLISHED = told(
    "This is the search as the paper published it. It may turn links round, and where the patient's network and the "
    "population's point in different directions the same rows are counted twice: large ratios then say little, and on "
    "new patients this mode has predicted worse than the population's network. It is here for teaching and for "
    "comparison; for reading one patient, keep the order."
)
MOST_LINKS, MOST_NAMED = 4, 8
"""Links into one variable, and links in all, that sentences name."""
FAR_ENOUGH = 0.95
"""Share of rows beyond which a number is named beside the least expected one."""
EXTREME = told("Extreme: far out among all, or unlikely given the patient's other values.")
NOT_DANGER = told("Unexpected does not mean dangerous, nor expected harmless: extreme values can fit each other.")
SAME_SCORE = 0.005
"""Nats within which two searches reached the same score."""
NO_LINK_TEST = "Networks of single patients are not tested against each other: one patient is no group of rows."
NOT_CAUSAL = told(
    "An arrow is not a cause: it says what helps to predict what. Where equivalent networks disagree about a "
    "direction, the data cannot tell it; and the same rows chose the network and gave its numbers."
)
INTERVALS = told(
    "Intervals of differences and p allow for every patient of the table; a difference must show in percentage "
    "points and in odds ratios."
)
LEAST_OUTER = 3
"""Values among the highest or lowest from which on that is said."""
NAMED = 0.5
"""p from which no least expected value is named."""


def question(result: InstanceEvidence) -> Text:
    """'What is unusual in the patient of row 5?', or what is predicted."""
    row = result.table_row
    whose = told("a patient given by values") if row is None else told("the patient of row {}", Number(f"{row + 1:,}"))
    if result.target is None:
        return told("What is unusual in {}?", whose)
    return told("What will {} be in {}?", Name(result.target), whose)


def headline(result: InstanceEvidence) -> Text:
    """Extreme numbers first; else the prediction, a value that is unexpected, links that differ, the least expected."""
    if result.network.cpdag is not None:
        return _counted(result)
    if result.extremes:
        return _extreme_headline(result)
    differ = _sure_links(result)
    tested = [link for link in result.links if link.asked]
    if predicted := _predicted(result):
        forms = (_differing(differ, tested, result, brief=brief) for brief in (False, True))
        return min((told("{}; {}.", predicted, form) for form in forms), key=is_long) if tested else predicted + "."
    judged = _judged(result)
    if differ and not (judged["p"] < UNUSUAL).any():
        leader, more = verdict_with_sizes(result, differ[0]), _and_more(len(differ) - 1)
        return told("{}.", leader if is_long(leader + more) else leader + more)
    if judged.empty:
        links = _differing([], tested, result, brief=True) + "." if tested else none_compared(result)
        return told("No value of this patient can be judged: {}", decapitalized(links))
    if (outer := outer_words(result)) and not (judged["p"] < UNUSUAL).any():
        return told("{}; none is clearly unexpected given the others.", outer)
    return _least_expected(result, judged)


def _judged(result: InstanceEvidence) -> pd.DataFrame:
    """The values that have a p, the least expected first."""
    return result.unusual_values().dropna(subset="p")


def _least_expected(result: InstanceEvidence, judged: pd.DataFrame) -> Text:
    """The value that is least expected given the others: where it stands among all, and that it is unexpected."""
    name, least, others = str(judged.index[0]), judged.iloc[0], int((judged["p"] < UNUSUAL).sum()) - 1
    p = Number(words.p_value(float(least["p"])))
    if least["p"] < UNUSUAL:
        more = told("; so {} {}", "is" if others == 1 else "are", Count(others, "more value")) if others else ""
        stands = value_stands(result, name)
        return told("{}, is unexpected given the other values ({}){}.", stands, p, more)
    if least["p"] >= NAMED:
        return told("No value is clearly unexpected given this patient's other values.")
    return told(
        "No value is clearly unexpected given the others; least expected is {} ({}).", value_stands(result, name), p
    )


def _value(result: InstanceEvidence, name: str) -> Text:
    """'lactate 7.4 mmol/L', 'smoking = yes'."""
    number = next((number for number in result.numbers if number.name == name), None)
    return level_words(name, result.patient[name]) if number is None else written(number, 24)


def value_stands(result: InstanceEvidence, name: str) -> Text:
    """'lactate 7.4 mmol/L, higher than in 97 % of patients', 'smoking = yes, as in 12 % of patients'."""
    number = next((number for number in result.numbers if number.name == name), None)
    level = result.patient[name]
    if number is None:
        counts = result.counted[result.network_of_all.names.index(name)].counts.sum(axis=0)
        share = Share(counts[result.levels[name].index(level)], counts.sum())
        return told("{}, as in {} of {}", level_words(name, level), share, who(result))
    interval = told(" ({})", Level(level)) if math.isnan(number.given) else ""  # which is then what is judged
    return told("{}{}, {} of {}", written(number, 24), interval, beyond(number), who(result))


def who(result: InstanceEvidence) -> str:
    """What the rows of the table are: patients, where none has more than one."""
    return "rows" if result.divided_by > 1 else "patients"


def _extreme_headline(result: InstanceEvidence) -> Text:
    """'Extreme: lactate 17.4, higher than in 99.8 % of patients, and of patients like this one. Probability of ...'."""
    extremes, predicted = result.extremes, beyond_levels(result, brief=True) or _predicted(result)
    end = told(" {}.", predicted) if predicted else ""
    forms = [number_words(extremes[0], who(result), 24, clause=True)] if len(extremes) == 1 else []
    for most in (3, 2, 1):
        names = [written(number, 24) for number in extremes[:most]]
        many = len(extremes) - most
        which = told("{} and {} more", joined(names, ", "), Count(many)) if many > 0 else listed(names)
        if most <= len(extremes) <= most + 1 and all(number.far for number in extremes):
            template = "{}, each {}" if len(extremes) > 1 else "{}, {}"
            forms.append(told(template, which, farthest(extremes, who(result))))
        forms.append(which)
    said = [told("Extreme: {}.{}", form, end) for form in forms]
    return next((text for text in said if not is_long(text)), said[-1])


def outer_words(result: InstanceEvidence) -> Text:
    """'9 of 13 numbers and ratings are among the highest 15 % of patients', of most of the patient's; "" of fewer."""
    high, low, every = result.outer
    if max(high, low) < max(LEAST_OUTER, every / 2):
        return told("")
    return told("{} of {} numbers and ratings are {}", Count(max(high, low)), Count(every), outer_side(result))


def outer_side(result: InstanceEvidence) -> Text:
    """'among the highest 15 % of patients', of the values that are."""
    side = "highest" if result.outer[0] >= result.outer[1] else "lowest"
    return told("among the {} {} of {}", side, Number(words.in_percent(OUTER)), who(result))


def scale_sentences(result: InstanceEvidence) -> list[Text]:
    """'Mean of 12 items 2.4 (0 to 3), total 29: higher than in 96 % of patients', of each scale of the patient's."""
    said = []
    for scale in result.scales:
        side, rows = ("higher", scale.lower) if scale.lower >= scale.higher else ("lower", scale.higher)
        share = share_beyond(rows / scale.rows, scale.rows)
        mean, total = (Number(words.with_minus(f"{x:.3g}")) for x in (scale.total / len(scale.items), scale.total))
        template = "Mean of {} {} ({} to {}), total {}: {} than in {} of {}."
        many = Count(len(scale.items), "item")
        said.append(told(template, many, mean, *map(Count, scale.ends), total, side, share, who(result)))
        if scale.against:
            goes = "goes" if len(scale.against) == 1 else "go"
            which = first(map(Name, scale.against), 3)
            said.append(
                told("{} {} against the other items and {} left out.", which, goes, "is" if goes == "goes" else "are")
            )
    return said


def extreme_numbers(result: InstanceEvidence, most: int = 60) -> list[Text]:
    """'exercise 16.3: higher than in 99.8 % of patients, and of patients like this one', of each number that is
    extreme; at most so many letters of a name."""
    return [number_words(number, who(result), most) for number in result.extremes]


def beyond_levels(result: InstanceEvidence, brief: bool = False) -> Text:
    """That the networks know an extreme number by its level only, and what logistic regression says; "" without."""
    far = [number for number in result.numbers if number.far]
    if result.prediction is None or result.regressed is None or not far:
        return told("")
    level = reported_level(result)
    own = Number(words.in_percent(result.prediction.at[level, "instance"]))
    share = float(result.regressed[result.levels[str(result.target)].index(level)])
    other = Number("above 99.9 %" if share > 0.999 else "below 0.1 %" if share < 0.001 else words.in_percent(share))
    outcome = level_words(str(result.target), level)
    if brief:
        return told("Probability of {}: {} by levels, {} by logistic regression", outcome, own, other)
    return told(
        "The networks know {} as “{}” only, so {} is of that level; logistic regression on the numbers gives {} for "
        "{}.",
        written(far[0], 40),
        Level(result.patient.get(far[0].name, "unknown")),
        own,
        other,
        outcome,
    )


def none_compared(result: InstanceEvidence) -> Text:
    """That no link can be compared, and the commonest reason."""
    number = len(result.links)
    if not number:
        return told("The population's network has no links.")
    reason = _commonest_reason(result)
    if number == 1:
        return told("The population's one link cannot be compared: {}.", reason)
    return told("None of the population's {} links can be compared: {}.", Count(number), reason)


def _differing(differ: list[Link], tested: list[Link], result: InstanceEvidence, *, brief: bool) -> Text:
    """What is said of the links behind a prediction: 'age no longer matters for it, smoking matters more'.

    Two links into one variable share a clause, so that no name stands twice; `brief` leaves out what can be.
    """
    if not differ:
        unclear, number = sum(link.word == LinkWord.CANNOT_TELL for link in tested), Count(len(tested), "link")
        if unclear:
            return told("{} of {} asked about inconclusive", Count(unclear), number)
        return told("none of {} seen to differ", number)
    leader = differ[0]
    into = [link for link in differ if link.child == leader.child]
    second = into[1] if len(into) == 2 else None
    alike = second is not None and second.word == leader.word
    second = None if brief and not alike else second
    does, _, how = (leader.word.replace("matters", "matter") if alike else str(leader.word)).partition(" the ")
    return told(
        "{}{} {} for {}{}{}{}",
        given_words(result, leader, "with") if second is None and not brief else "",
        listed(Name(result.name(link.source)) for link in (into if alike else [leader])),
        does,
        "it" if result.name(leader.child) == result.target else Name(result.name(leader.child)),
        how and f" the {how}",
        "" if second is None or alike else told(", {} {}", Name(result.name(second.source)), str(second.word)),
        _and_more(len(differ) - (1 if second is None else 2)),
    )


def _and_more(others: int) -> Text:
    """That other links differ too: '; 2 more differ', "" where there are none."""
    return told("; {} more differs" if others == 1 else "; {} more differ", Count(others)) if others else told("")


def _sure_links(result: InstanceEvidence) -> list[Link]:
    """The links that are sure to differ, those into the outcome first."""
    return sorted(
        (link for link in result.links if link.told), key=lambda link: result.name(link.child) != result.target
    )


def _predicted(result: InstanceEvidence) -> Text:
    """What is predicted, as it begins: 'Probability of cough = yes: 11 % for this patient, 22 % of all rows'."""
    table = result.prediction
    if table is None:
        return told("")
    levels, level = result.levels[str(result.target)], reported_level(result)
    counts = result.counted[result.network_of_all.names.index(str(result.target))].counts.sum(axis=0)
    return told(
        "Probability of {}: {} for this patient, {} of all rows",
        level_words(str(result.target), level),
        Number(words.in_percent(table.at[level, "instance"])),
        Share(counts[levels.index(level)], counts.sum()),
    )


def reported_level(result: InstanceEvidence) -> str:
    """The level of the outcome that is reported: of two that which one speaks of, else the likeliest."""
    levels = result.levels[str(result.target)]
    spoken = spoken_level(levels)
    return str(result.foretold) if spoken is None else levels[spoken]


def which_network(result: InstanceEvidence) -> Text:
    """That the population's network predicts the outcome otherwise than the patient's own; "" where the two agree."""
    table = result.prediction
    if table is None:
        return told("")
    level = reported_level(result)
    own, population = (words.in_percent(table.at[level, which]) for which in ("instance", "population"))
    if own == population:
        return told("")
    return told(
        "Here {} has {}; by this patient's own network, as above, {}.",
        level_words(str(result.target), level),
        Number(population),
        Number(own),
    )


def _commonest_reason(result: InstanceEvidence) -> Text:
    reasons = [why_untested(result, link) for link in result.links]
    commonest = max(sorted(set(reasons)), key=reasons.count)
    many = reasons.count(commonest)
    reason = told("each" + ALONE.removeprefix("it")) if commonest == ALONE and many > 1 else commonest
    return reason if many == len(reasons) else told("of {} of {}, {}", Count(many), Count(len(reasons)), reason)


def _counted(result: InstanceEvidence) -> Text:
    """What the published search changes, counted."""
    statuses = result.arc_changes["status"].tolist()
    dropped, added, turned = (statuses.count(status) for status in ("dropped", "added", "reversed"))
    return told(
        "By the published search {} of {} fall away for this patient, {} come in and {} differ in direction.",
        Count(dropped),
        Count(len(statuses) - added, "link"),
        Count(added),
        Count(turned),
    )


def sentence(result: InstanceEvidence, choice: NodeChoice) -> Text:
    """What can be said of the links into one variable, what is different first."""
    name = Name(result.name(choice.child))
    if result.network.cpdag is not None:
        return _published_sentence(result, choice)
    links = sorted(
        (link for link in result.links if link.child == choice.child), key=lambda link: (not link.told, not link.asked)
    )
    if not links:
        return told("In the population's network {} depends on no other variable.", name)
    said = [link_sentence(result, link) for link in links[:MOST_LINKS]]
    if more := len(links[MOST_LINKS:]):
        said.append(told("{} into {} in the table.", Count(more, "more link"), name))
    return joined(said)


def _published_sentence(result: InstanceEvidence, choice: NodeChoice) -> Text:
    name, here, there = (
        Name(result.name(choice.child)),
        _or_nothing(result.in_order(choice.parents)),
        _or_nothing(result.in_order(choice.population)),
    )
    if not choice.changed:
        return told("In the patient's network {} depends on {}.", name, there)
    links = result.arc_changes
    differing = links[links["status"] != "kept"]
    if name not in {*differing["source"], *differing["target"]}:
        return told(
            "For {} no link changes; one of its links has no direction in the population's network, which the paper's "
            "score counts as an added parent.",
            name,
        )
    return told(
        "In the patient's network {} depends on {}; by the population's directed links it depends on {}.",
        name,
        here,
        there,
    )


def _or_nothing(names: Iterable[str]) -> Text:
    return listed(map(Name, names)) or told("nothing")


def notes(result: InstanceEvidence) -> list[str]:
    """What limits the answer for this patient: unknown values, levels never seen, thin evidence, rows that belong
    together."""
    said = list(result.not_known)
    unknown = [name for name in result.names if result.codes[name] == UNKNOWN and name != result.target]
    if len(unknown) == len(result.names) - (result.target is not None):
        said.append(
            told("No value of this patient is known, so nothing can differ from the population; fill in what you know.")
        )
    elif unknown:
        which = listed(map(Name, unknown)) if len(unknown) <= 5 else first(map(Name, unknown))
        said.append(told("Unknown and therefore in no context: {}.", which))
    for name in (name for name in result.names if name in result.unseen):
        value = level_words(name, result.levels[name][result.codes[name]])
        said.append(told("No row has {}, so nothing can be learned from cases like this in {}.", value, Name(name)))
    families = result.families()
    thin = [name for name in result.names if families.at[name, "changed"] and families.at[name, "few_cases"]]
    if thin:
        said.append(
            told(
                "Fewer than {} similar cases stand behind the patient's own links into {}: read with care.",
                Count(FEW_CASES),
                listed(map(Name, thin)),
            )
        )
    if result.target is not None and result.predicted is None:
        said.append(told("Too many linked values are unknown to work out the prediction; fill in some of them."))
    return [*said, *result.made.rows]


def how_sure(result: InstanceEvidence) -> list[str]:
    """What the other values say of the least expected one, what else is far out, and that neither says danger."""
    if result.network.cpdag is not None:
        return sentences(result)[:1]
    led = _judged(result).index[:1]
    far = [number for number in result.numbers if number.beyond >= FAR_ENOUGH and number.name not in led]
    said: list[str] = [*scale_sentences(result), *([EXTREME] if result.extremes else on_values(result))]
    if far and not result.extremes:
        most = sorted(far, key=lambda number: -number.beyond)
        named = (told("{} ({})", written(number, 24), beyond(number)) for number in most[:2])
        said.append(told("Far out among all {}: {}.", who(result), listed(named)))
    if (outer := outer_words(result)) and not headline(result).startswith(outer):
        said.insert(0, told("{}.", outer))
    elif outer and (others := len(result.patient) - result.outer[2]):
        verb = "has" if others == 1 else "have"
        said.append(
            told(
                "{} {} no order and {} not counted.",
                Count(others, "more value"),
                verb,
                "is" if verb == "has" else "are",
            )
        )
    return [*said, NOT_DANGER] if result.patient else said


def on_values(result: InstanceEvidence) -> list[str]:
    """The least expected value, where the headline has another, what the other values say of it, and its p."""
    judged = _judged(result)
    if judged.empty or result.extremes or result.network.cpdag is not None:
        return []
    least = _least_expected(result, judged)
    said = [] if least == headline(result) else [least]
    if said and judged.iloc[0]["p"] >= NAMED:
        return []
    p, many = float(judged.iloc[0]["p"]), Count(len(judged), "value")
    if said and (outer := outer_words(result)) and headline(result).startswith(outer):  # which says the rest
        stands = value_stands(result, str(judged.index[0]))
        said = [told("Least expected is {} ({}).", stands, Number(words.p_value(p)))]
    if p >= NAMED:  # which no headline has
        which = _value(result, str(judged.index[0]))
        both = Number(words.p_value(float(judged.iloc[0]["surprise"]))), Number(words.p_value(p, corrected=True))
        return [*said, told("The smallest p of {} is that of {}: {}, {}.", many, which, *both)]
    share = Number(words.probability(p) if p < 0.001 else f"up to {words.probability(p)}")
    return [*said, told("p allows for {}: chance makes one this unexpected in {} of {}.", many, share, who(result))]


def sentences(result: InstanceEvidence) -> list[str]:
    """What changes, and what that rests on."""
    method, changed = result.method, any(choice.changed for choice in result.network.choices)
    said: list[str] = [*(told("{}.", text) for text in extreme_numbers(result)), *filter(None, [beyond_levels(result)])]
    said += [told("{}.", outer)] if (outer := outer_words(result)) else []
    said += [
        *scale_sentences(result),
        *on_values(result),
        *(link_sentence(result, link) for link in _sure_links(result)[:MOST_NAMED]),
    ]
    said.append(
        told(
            "{}, with {} of {} values known, was compared with {}{}.",
            told("The patient")
            if result.table_row is None
            else told("The patient (row {} of the table)", Number(f"{result.table_row + 1:,}")),
            Count(len(result.patient)),
            Count(len(result.names)),
            told("{} rows", People(result.n_rows)),
            _left_out(result),
        )
    )
    ratio, gain = result.log_likelihood_ratio, result.held_out.gain
    if method.mode == "published":
        size = Number(f"{ratio:.1f} nats")
        said += [WARNING_PUBLISHED, told("The paper's ratio (equation 14) is {}.", size)]
    elif changed:
        odds = Number(words.odds_phrase(ratio, "about "))
        said.append(
            told("The patient's network explains the rows better by {} nats ({} it).", Number(f"{ratio:.1f}"), odds)
        )
    said += asked_words(result)
    if changed and math.isfinite(gain):
        how = told("as well as the population's")
        if abs(gain) >= 0.005:
            which = "better" if gain > 0 else "worse"
            how = told("{} than the population's, by {} nats", which, Number(f"{abs(gain):.2f}"))
        known = Count(result.held_out.variables)
        said.append(told("It foretells the patient's own {} known values {}.", known, how))
    return said


def _left_out(result: InstanceEvidence) -> str:
    """That the patient's own rows are none of those that a prediction is compared with."""
    if result.row is None or result.target is None:
        return ""
    return f", the patient's own {'rows' if result.divided_by > 1 else 'row'} left out"


def named_links(result: InstanceEvidence) -> list[Link]:
    """The links that the answer names: what is different, and where that is nothing the nearest misses."""
    return _sure_links(result)[:MOST_NAMED] or nearest_misses(result.links)


def asked_words(result: InstanceEvidence) -> list[str]:
    """How many links could be compared with the other rows, how many of them differ, and of how many it is open."""
    if result.network.cpdag is not None or not result.links:
        return []
    tested = [link for link in result.links if link.asked]
    if not tested:
        return [none_compared(result)]
    found = [link.word for link in tested]
    many = len(_sure_links(result)), found.count(LinkWord.NOTHING_SEEN), found.count(LinkWord.CANNOT_TELL)
    differ, alike, unclear = (Count(number) if number else told("none") for number in many)
    template = "{} of {} could be compared with the other rows: {} shown to differ, {} to be alike, {} inconclusive."
    return [told(template, Count(len(tested)), Count(len(result.links), "link"), differ, alike, unclear)]


def method_sentences(result: InstanceEvidence) -> list[Text]:
    """What verdicts of links rest on: their intervals, the search, and how sure the population's own links are."""
    return [*([INTERVALS] if any(link.asked for link in result.links) else []), *searched(result), *supported(result)]


def searched(result: InstanceEvidence) -> list[Text]:
    """Which search gave the population's network, and how far the others were from it."""
    population, many = result.network_of_all, Count(len(result.network_of_all.totals))
    if not population.totals:
        return [told("The population's network is that of GES, the paper's search, alone.")]
    if population.gap < SAME_SCORE:
        return [told("The population's network: all {} searches reached the same score.", many)]
    return [
        told(
            "The population's network is that of {}, the best of {} searches; the worst was {} nats short of it.",
            population.winner,
            many,
            Number(f"{population.gap:.1f}"),
        )
    ]


def supported(result: InstanceEvidence) -> list[Text]:
    """Where the probabilities of the population's links come from."""
    if result.network.cpdag is not None:
        return []
    if result.support is None:
        return [
            told(
                "P(arrow is there) takes the population's links as certain: how often they return in resampled rows "
                "was not worked out."
            )
        ]
    return [
        told(
            "Every probability of an arrow for this patient contains how sure the population's own link is: the root "
            "of the share of {} tables, their rows resampled from this one, in which it is found.",
            Count(result.support.runs),
        )
    ]

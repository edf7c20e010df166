"""One patient's network in plain sentences, and a document for other programs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine import words
from engine.methods import frames
from engine.methods.instance_specific.evidence import FEW_CASES, InstanceAnswer
from engine.methods.instance_specific.links import Link, LinkWord, nearest_misses
from engine.methods.instance_specific.parent_choices import NodeChoice
from engine.methods.instance_specific.patient_numbers import farthest
from engine.methods.instance_specific.unusual import UNUSUAL
from engine.scores.instance import UNKNOWN
from engine.telling.charts.labels import difference_name
from engine.telling.spoken import spoken_level

if TYPE_CHECKING:
    from engine.methods.instance_specific.cohort_result import CohortResult
    from engine.methods.instance_specific.result import InstanceSpecificResult

WARNING_PUBLISHED = (
    "This is the search as the paper published it. It may turn links round, and where the patient's network and the "
    "population's point in different directions the same rows are counted twice: large ratios then say little, and on "
    "new patients this mode has predicted worse than the population's network. It is here for teaching and for "
    "comparison; for reading one patient, keep the order."
)
MOST_LINKS, MOST_NAMED = 4, 8
"""Links into one variable, and links in all, that sentences name."""
SAME_SCORE = 0.005
"""Nats within which two searches reached the same score."""
NO_LINK_TEST = "Networks of single patients are not tested against each other: one patient is no group of rows."
NOT_CAUSAL = (
    "An arrow is not a cause: it says what helps to predict what. Where equivalent networks disagree about a "
    "direction, the data cannot tell it; and the same rows chose the network and gave its numbers."
)


def settings(result: InstanceSpecificResult | CohortResult) -> dict[str, Any]:
    """The settings by name; nothing here is random, so the seed says nothing."""
    return {name: value for name, value in result.method.shown().items() if name != "seed"}


_MOST_WORDS = 25
"""Of a headline; how many more links differ stands below it where that would be longer."""


def headline(result: InstanceSpecificResult) -> str:
    """Extreme numbers first; else the prediction, links that differ, a value that is unusual, or that none differs."""
    if result.network.cpdag is not None:
        return _counted(result)
    if result.extremes:
        return _extreme_headline(result)
    differ = _sure_links(result)
    tested = [link for link in result.links if link.asked]
    predicted = _predicted(result)
    if not tested:
        return f"{predicted}." if predicted else _unusual(result) or _none_unusual(result)
    if predicted:
        said = (f"{predicted}; {_differing(differ, tested, result, brief=brief)}." for brief in (False, True))
        return min(said, key=lambda text: len(text.split()) > _MOST_WORDS)
    number, margin = words.count(len(tested), "link"), points(result.method.margin)
    if differ:
        others, first = len(differ) - 1, verdict_with_sizes(result, differ[0])
        more = _and_more(others)
        return f"{first}{more if len(f'{first}{more}'.split()) <= _MOST_WORDS else ''}."
    if unusual := _unusual(result):
        return unusual
    open_ones = [entry for entry in tested if entry.word == LinkWord.CANNOT_TELL]
    if open_ones:
        many = f"{len(open_ones)} of the {number} asked about" if len(tested) > 1 else "the one link asked about"
        return f"Inconclusive for this patient: {many} may differ by {margin} percentage points or more."
    each = f"the {number} asked about differ" if len(tested) > 1 else "the one asked about differs"
    return f"No link is seen to differ for this patient: {each} by less than {margin} percentage points."


def verdict_with_sizes(result: InstanceAnswer, link: Link) -> str:
    """'With smoking = no, age no longer matters for cough: 0 pp (95 % −4 to 5), otherwise 44'."""
    said, sizes = verdict(result, link, begins=True), link.compared
    if sizes is None:
        return said
    here = f"{in_points(sizes.here)} (95 % {points(sizes.here_low)} to {points(sizes.here_high)})"
    return f"{said}: {here}, otherwise {points(sizes.others)}"


def other_values(context: Mapping[str, str], levels: Mapping[str, Sequence[str]]) -> str:
    """Who the rows are that a context is compared with: 'with smoking = yes', or 'otherwise' where that is no level."""
    if len(context) != 1:
        return "otherwise"
    [(name, level)] = context.items()
    rest = [other for other in levels[name] if other != level]
    return f"with {name} = {rest[0]}" if len(rest) == 1 else "otherwise"


def _unusual(result: InstanceSpecificResult) -> str:
    """The value that is least expected given the others, as a sentence; "" where none is unusual."""
    table = result.unusual_values()
    odd = table[table["p"] < UNUSUAL]
    if odd.empty:
        return ""
    name, first, others = odd.index[0], odd.iloc[0], len(odd) - 1
    more = f"; so {'is' if others == 1 else 'are'} {words.count(others, 'more value')}" if others else ""
    share, p = words.probability(float(first["probability"]), "P"), words.p_value(float(first["p"]), corrected=True)
    return f"{name} = {first['level']} is unusual for this patient: {share} given the others, {p}{more}."


def _none_unusual(result: InstanceSpecificResult) -> str:
    """That no value is unusual; where none could be judged, what the links are."""
    p = result.unusual_values()["p"].min()
    if p >= 0:
        return f"No value is seen to be unusual for this patient ({words.p_value(float(p), corrected=True)})."
    return f"No value of this patient can be judged. {none_compared(result)}"


def _extreme_headline(result: InstanceSpecificResult) -> str:
    """'Extreme: lactate 17.4, above 99.8 % of all rows, and of patients like this one; SBP 62. Probability of ...'."""
    extremes, predicted = result.extremes, beyond_levels(result, brief=True) or _predicted(result)
    end = f" {predicted}." if predicted else ""
    forms = [f"{extremes[0].words(24).replace(':', ',', 1)}"] if len(extremes) == 1 else []
    for most in (3, 2, 1):
        names = [item.written(24) for item in extremes[:most]]
        more = f" and {len(extremes) - most} more" if len(extremes) > most else ""
        listed = f"{', '.join(names)}{more}" if more else words.listed(names)
        if most <= len(extremes) <= most + 1 and all(item.far for item in extremes):
            forms.append(f"{listed}, {'each ' if len(extremes) > 1 else ''}{farthest(extremes)}")
        forms.append(listed)
    said = [f"Extreme: {text}.{end}" for text in forms]
    return next((text for text in said if len(text.split()) <= _MOST_WORDS), said[-1])


def extreme_numbers(result: InstanceSpecificResult, most: int = 60) -> list[str]:
    """'exercise 16.3: above 99.8 % of all rows, and of patients like this one', of each number that is extreme; at most
    so many letters of a name."""
    return [item.words(most) for item in result.extremes]


def extremes_brief(result: InstanceSpecificResult) -> str:
    """The most extreme number with its percentiles, and the names of the others; "" where there is none."""
    if not result.extremes:
        return ""
    names = [item.written(20) for item in result.extremes[1:]]
    return f"{result.extremes[0].words(20)}.{f' Also extreme: {words.first(names, 3)}.' if names else ''}"


def beyond_levels(result: InstanceSpecificResult, brief: bool = False) -> str:
    """That the networks know an extreme number by its level only, and what logistic regression says; "" without."""
    far = [item for item in result.numbers if item.far]
    if result.prediction is None or result.regressed is None or not far:
        return ""
    level = reported_level(result)
    own = words.in_percent(result.prediction.at[level, "instance"])
    share = float(result.regressed[result.levels[str(result.target)].index(level)])
    other = "above 99.9 %" if share > 0.999 else "below 0.1 %" if share < 0.001 else words.in_percent(share)
    if brief:
        return f"Probability of {result.target} = {level}: {own} by levels, {other} by logistic regression"
    known = f"{far[0].written(40)} as “{result.patient.get(far[0].name, 'unknown')}”"
    return (
        f"The networks know {known} only, so {own} is of that level; logistic regression on the numbers gives {other} "
        f"for {result.target} = {level}."
    )


def none_compared(result: InstanceSpecificResult) -> str:
    """That no link can be compared, and the commonest reason."""
    number = len(result.links)
    if not number:
        return "The population's network has no links."
    which = f"None of the population's {number} links" if number > 1 else "The population's one link"
    return f"{which} can{'' if number > 1 else 'not'} be compared: {_commonest_reason(result)}."


def _differing(differ: list[Link], tested: list[Link], result: InstanceSpecificResult, *, brief: bool) -> str:
    """What is said of the links behind a prediction: 'age no longer matters for it, smoking matters more'.

    Two links into one variable share a clause, so that no name stands twice; `brief` leaves out what can be.
    """
    if differ:
        first = differ[0]
        into = [link for link in differ if link.child == first.child]
        second = into[1] if len(into) == 2 else None
        alike = second is not None and second.word == first.word
        second = None if brief and not alike else second
        who = words.listed(result.name(link.source) for link in (into if alike else [first]))
        does, _, how = (first.word.replace("matters", "matter") if alike else str(first.word)).partition(" the ")
        child = "it" if result.name(first.child) == result.target else result.name(first.child)
        given = _given(result, first, "with") if second is None and not brief else ""
        other = f", {result.name(second.source)} {second.word}" if second is not None and not alike else ""
        more = _and_more(len(differ) - (1 if second is None else 2))
        return f"{given}{who} {does} for {child}{how and f' the {how}'}{other}{more}"
    number = words.count(len(tested), "link")
    open_ones = sum(entry.word == LinkWord.CANNOT_TELL for entry in tested)
    return f"{open_ones} of {number} asked about inconclusive" if open_ones else f"none of {number} seen to differ"


def _and_more(others: int) -> str:
    """That other links differ too: '; 2 more differ', "" where there are none."""
    return f"; {others} more differ{'s' if others == 1 else ''}" if others else ""


def _sure_links(result: InstanceSpecificResult) -> list[Link]:
    """The links that are sure to differ, those into the outcome first."""
    return sorted(
        (link for link in result.links if link.told), key=lambda link: result.name(link.child) != result.target
    )


def _predicted(result: InstanceSpecificResult) -> str:
    """What is predicted, as it begins: 'Probability of cough = yes: 11 % for this patient, 22 % of all rows'."""
    table = result.prediction
    if table is None:
        return ""
    levels, level = result.levels[str(result.target)], reported_level(result)
    here = words.in_percent(table.at[level, "instance"])
    counts = result.counted[result.network_of_all.names.index(str(result.target))].counts.sum(axis=0)
    everybody = words.in_percent(counts[levels.index(level)] / counts.sum())
    return f"Probability of {result.target} = {level}: {here} for this patient, {everybody} of all rows"


def reported_level(result: InstanceSpecificResult) -> str:
    """The level of the outcome that is reported: of two that which one speaks of, else the likeliest."""
    levels = result.levels[str(result.target)]
    spoken = spoken_level(levels)
    return str(result.foretold) if spoken is None else levels[spoken]


def which_network(result: InstanceSpecificResult) -> str:
    """That the population's network predicts the outcome otherwise than the patient's own; "" where the two agree."""
    table = result.prediction
    if table is None:
        return ""
    level = reported_level(result)
    own, population = (words.in_percent(table.at[level, which]) for which in ("instance", "population"))
    if own == population:
        return ""
    return (
        f"By the population network {result.target} = {level} has {population}; by this patient's own network, as "
        f"above, {own}."
    )


def _commonest_reason(result: InstanceSpecificResult) -> str:
    reasons = [why_untested(result, link) for link in result.links]
    commonest = max(sorted(set(reasons)), key=reasons.count)
    many = reasons.count(commonest)
    which = "" if many == len(reasons) else f"of {many} of {len(reasons)}, "
    return which + commonest.replace(
        "it is the only link", "each is the only link" if many > 1 else "it is the only link"
    )


def _counted(result: InstanceSpecificResult) -> str:
    """What the published search changes, counted."""
    statuses = result.arc_changes["status"].tolist()
    dropped, added, turned = (statuses.count(status) for status in ("dropped", "added", "reversed"))
    total = len(statuses) - added
    return (
        f"By the published search {dropped} of {words.count(total, 'link')} fall away for this patient, {added} come "
        f"in and {turned} differ in direction."
    )


def sentence(result: InstanceSpecificResult, choice: NodeChoice) -> str:
    """What can be said of the links into one variable, what is different first."""
    name = result.name(choice.child)
    if result.network.cpdag is not None:
        return _published_sentence(result, choice)
    links = sorted(
        (link for link in result.links if link.child == choice.child),
        key=lambda item: (not item.told, not item.asked),
    )
    if not links:
        return f"In the population's network {name} depends on no other variable."
    sentences = [link_sentence(result, link) for link in links[:MOST_LINKS]]
    if links[MOST_LINKS:]:
        sentences.append(f"{words.count(len(links[MOST_LINKS:]), 'more link')} into {name} in the table.")
    return " ".join(sentences)


def _published_sentence(result: InstanceSpecificResult, choice: NodeChoice) -> str:
    name = result.name(choice.child)
    if not choice.changed:
        return f"In the patient's network {name} depends on {_or_nothing(result.in_order(choice.population))}."
    if name not in _relinked(result):
        return (
            f"For {name} no link changes; one of its links has no direction in the population's network, which the "
            "paper's score counts as an added parent."
        )
    return (
        f"In the patient's network {name} depends on {_or_nothing(result.in_order(choice.parents))}; by the "
        f"population's directed links it depends on {_or_nothing(result.in_order(choice.population))}."
    )


def _or_nothing(names: Iterable[str]) -> str:
    return words.listed(names) or "nothing"


def _relinked(result: InstanceSpecificResult) -> set[str]:
    """The variables at which some link differs from the population's."""
    links = result.arc_changes
    differing = links[links["status"] != "kept"]
    return {*differing["source"], *differing["target"]}


def notes(result: InstanceSpecificResult) -> list[str]:
    """What limits the answer for this patient: unknown values, levels never seen, thin evidence, rows that belong
    together."""
    lines = list(result.not_known)
    unknown = [name for name in result.names if result.codes[name] == UNKNOWN and name != result.target]
    if len(unknown) == len(result.names) - (result.target is not None):
        lines.append(
            "No value of this patient is known, so nothing can differ from the population; fill in what you know."
        )
    elif unknown:
        listed = words.listed(unknown) if len(unknown) <= 5 else words.first(unknown)
        lines.append(f"Unknown and therefore in no context: {listed}.")
    for name in result.names:
        if name in result.unseen:
            level = result.levels[name][result.codes[name]]
            lines.append(f"No row has {name} = {level}, so nothing can be learned from cases like this in {name}.")
    families = result.families()
    thin = [name for name in result.names if families.at[name, "changed"] and families.at[name, "few_cases"]]
    if thin:
        lines.append(
            f"Fewer than {FEW_CASES} similar cases stand behind the patient's own links into {words.listed(thin)}: "
            "read with care."
        )
    if result.target is not None and result.predicted is None:
        lines.append("Too many linked values are unknown to work out the prediction; fill in some of them.")
    return [*lines, *result.row_notes()]


def sentences(result: InstanceSpecificResult) -> list[str]:
    """What changes, and what that rests on."""
    method = result.method
    who = "The patient" if result.table_row is None else f"The patient (row {result.table_row + 1:,} of the table)"
    changed = [choice for choice in result.network.choices if choice.changed]
    own = "rows" if result.divided_by > 1 else "row"
    left_out = f", the patient's own {own} left out" if result.row is not None and result.target is not None else ""
    sentences = [*(f"{text}." for text in extreme_numbers(result)), *filter(None, [beyond_levels(result)])]
    sentences += [link_sentence(result, link) for link in named_links(result)]
    sentences.append(
        f"{who}, with {len(result.patient)} of {len(result.names)} values known, was compared with {result.n_rows:,} "
        f"rows{left_out} (equivalent sample size {method.ess:g}, kappa {method.kappa:g}, {method.prior} prior)."
    )
    ratio, gain = result.log_likelihood_ratio, result.held_out.gain
    if method.mode == "published":
        sentences += [WARNING_PUBLISHED, f"The paper's ratio (equation 14) is {ratio:.1f} nats."]
    elif changed:
        odds = words.odds_phrase(ratio, "about ")
        sentences.append(f"The patient's network explains the rows better by {ratio:.1f} nats ({odds} it).")
    sentences += asked_words(result)
    sentences += [*searched(result), *supported(result)]
    if changed and math.isfinite(gain):
        sentences.append(
            f"It foretells the patient's own {result.held_out.variables} known values "
            + (
                "as well as the population's."
                if abs(gain) < 0.005
                else f"{'better' if gain > 0 else 'worse'} than the population's, by {abs(gain):.2f} nats."
            )
        )
    return sentences


def named_links(result: InstanceSpecificResult) -> list[Link]:
    """The links that the answer names: what is different, and where that is nothing the nearest misses."""
    return _sure_links(result)[:MOST_NAMED] or nearest_misses(result.links)


def asked_words(result: InstanceSpecificResult) -> list[str]:
    """What "different" rests on, and how many links could be asked about."""
    if result.network.cpdag is not None or not result.links:
        return []
    n_tested = sum(link.asked for link in result.links)
    if not n_tested:
        return [none_compared(result)]
    return [
        f"{n_tested} of {words.count(len(result.links), 'link')} could be asked about: is the shift here another than "
        "among rows with other values of what the variable depends on?",
        "Intervals of differences and p allow for every patient of the table; a difference must show in percentage "
        "points and in odds ratios.",
    ]


def searched(result: InstanceSpecificResult) -> list[str]:
    """Which search gave the population's network, and how far the others were from it."""
    population = result.network_of_all
    if not population.totals:
        return ["The population's network is that of GES, the paper's search, alone."]
    if population.gap < SAME_SCORE:
        return [f"The population's network: all {len(population.totals)} searches reached the same score."]
    return [
        f"The population's network is that of {population.winner}, the best of {len(population.totals)} searches; the "
        f"worst was {population.gap:.1f} nats short of it."
    ]


def supported(result: InstanceSpecificResult) -> list[str]:
    """Where the probabilities of the population's links come from."""
    if result.network.cpdag is not None:
        return []
    if result.support is None:
        return [
            "How sure the population's own links are was not worked out: probabilities of an arrow for this patient "
            "hold only if the population has it."
        ]
    return [
        "Every probability of an arrow for this patient contains how sure the population's own link is: the root of "
        f"the share of {result.support.runs} tables, their rows resampled from this one, in which it is found."
    ]


def document(result: InstanceSpecificResult) -> dict[str, Any]:
    """Settings, data, patient, networks and choices; natural logs."""
    families = result.families()
    held_out = result.held_out
    return {
        "settings": settings(result),
        "data": result.described_data(rows=result.n_rows),
        "patient": {"row": result.row, "values": result.patient, "target": result.target},
        "networks": {title: [list(arc) for arc in graph.edges] for title, graph in result.graphs().items()},
        "links": [frames.record(row) for row in result.arc_changes.to_dict("records")],
        "families": {name: frames.record(families.loc[name].to_dict()) for name in result.names},
        "distributions": {
            name: [frames.record(row) for row in result.distributions(name).to_dict("records")] for name in result.names
        },
        "log_likelihood_ratio": result.log_likelihood_ratio,
        "log_ratio_terms": result.log_ratio_terms.to_dict(),
        "log_ratio_parts": result.log_ratio_parts().to_dict(),
        "held_out": frames.record(
            {"instance": held_out.instance, "population": held_out.population, "variables": held_out.variables}
        ),
        "prediction": None if result.prediction is None else result.prediction.to_dict(),
        "logistic_regression": None if result.regressed is None else result.regressed.tolist(),
        "numbers": [frames.record({**vars(item), "extreme": item.extreme}) for item in result.numbers],
    }


def points(share: float) -> str:
    """A difference of probabilities in points: '12', '−12', and 'under 1' rather than 0.

    Examples
    --------
    >>> from engine.methods.instance_specific.wording import points
    >>> points(0.123), points(-0.123), points(0.002), points(0.0)
    ('12', '−12', 'under 1', '0')
    """
    return "under 1" if 0 < share < 0.005 else words.with_minus(f"{round(100 * share):d}")


def in_points(share: float) -> str:
    """The same with its unit: '12 pp', '1 pp'."""
    return words.with_unit(points(share))


def verdict(result: InstanceAnswer, link: Link, begins: bool = False) -> str:
    """What is said of one link, in a clause: 'with smoking = no, age no longer matters for cough'.

    Where it begins a sentence its first word has a capital, unless that is a name.
    """
    with_, whether = ("With", "Whether") if begins else ("with", "whether")
    source, child = result.name(link.source), result.name(link.child)
    given = _given(result, link, with_)
    if link.word == LinkWord.TURNED:
        return f"{given}{source} matters for {child} the other way round"
    if link.told:
        return f"{given}{source} {link.word} for {child}"
    if link.word == LinkWord.NOTHING_SEEN:
        margin = points(result.method.margin)
        return (
            f"{given}the effect of {source} on {child} differs from the others' by less than {margin} percentage points"
        )
    if link.word == LinkWord.NOT_ASKED:
        return f"{whether} {source} matters otherwise for {child} could not be asked"
    return f"{given}{'whether' if given else whether} {source} matters otherwise for {child} is inconclusive"


def _given(result: InstanceAnswer, link: Link, with_: str) -> str:
    """'with smoking = no, ': the values among which a link is judged; "" where it has no other parent beside it."""
    known = [f"{name} = {level}" for name, level in result.context_of(link).items()]
    return f"{with_} {words.listed(known)}, " if known else ""


def doubt(result: InstanceAnswer, link: Link) -> str:
    """What a verdict rests on: 'Z = yes rather than no shifts X = yes by about 0 pp (95 %: −4 to 5), ...'."""
    source, child = result.name(link.source), result.name(link.child)
    like = words.count(link.rows, "row")
    compared = link.compared
    if compared is None:
        if math.isnan(link.here.effect):
            return f"No two values of {source} occur among the {like} like this patient"
        shift, low, high = in_points(link.here.effect), points(link.here.low), points(link.here.high)
        who = f"Among the {like} like this patient" if result.context_of(link) else f"Among all {link.rows:,} rows"
        return f"{who} {source} shifts {child} by about {shift} (95 %: {low} to {high})"
    from_level, to_level = (result.levels[source][code] for code in (compared.low_level, compared.high_level))
    level = result.levels[child][compared.level]
    units = f" of {words.count(compared.units, 'subject')}" if compared.units < link.rows else ""
    p = words.p_value(compared.p, corrected=True)
    beside = other_values(result.context_of(link), result.levels)
    order = difference_name("Patient", "others")
    return (
        f"{source} = {to_level} rather than {from_level} shifts {child} = {level} by about {in_points(compared.here)} "
        f"(95 %: {points(compared.here_low)} to {points(compared.here_high)}), {beside} by about "
        f"{in_points(compared.others)}. {order}: {in_points(compared.difference)} (95 %: "
        f"{points(compared.difference_low)} to {points(compared.difference_high)}), {p}; {like}{units} like "
        "this patient"
    )


def link_sentence(result: InstanceAnswer, link: Link) -> str:
    """Verdict, doubt, and how many rows would decide what is inconclusive."""
    if link.word == LinkWord.NOT_ASKED:
        return f"{verdict(result, link, begins=True)}: {why_untested(result, link)}. {doubt(result, link)}."
    return f"{verdict(result, link, begins=True)}. {rests_on(result, link)}"


def rests_on(result: InstanceAnswer, link: Link) -> str:
    """What stands behind the verdict of a link that was asked about: doubt, rows that would tell, probability."""
    sentences = [doubt(result, link)]
    if link.word == LinkWord.CANNOT_TELL:
        sentences.append(rows_wanted(result, link))
    if result.support is not None and link.weighed:
        arc = f"an arrow from {result.name(link.source)} to {result.name(link.child)}"
        sentences.append(
            f"Probability that this patient has {arc}, whatever its size: "
            f"{words.probability(result.probability_of(link))}"
        )
    return ". ".join(sentences) + "."


def rows_wanted(result: InstanceAnswer, link: Link) -> str:
    """How many rows like the patient would show a difference of the margin."""
    margin, noun = points(result.method.margin), "difference" if link.asked else "shift"
    if link.needed is None:
        return f"How many rows would show a {noun} of {margin} percentage points is not known either"
    return f"To see a {noun} of {margin} percentage points (4 times in 5) takes {link.needed:,} rows like this patient"


def why_untested(result: InstanceAnswer, link: Link) -> str:
    """Why nothing was asked of a link."""
    others = result.in_order(link.beside)
    if others and all(result.codes[name] == UNKNOWN for name in others):
        return f"the patient's {words.listed(others)} {'is' if len(others) == 1 else 'are'} unknown"
    return link.why_not

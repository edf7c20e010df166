"""The sentences of class-discriminative networks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from engine.data.preparing.deciding.meaningful_names import known_late
from engine.lazy import pd
from engine.measures.comparing import compare_curves
from engine.methods.discriminative.baselines import SINGLE
from engine.methods.discriminative.classification import Classification, ClassShare
from engine.methods.discriminative.effect import SIGNIFICANCE, chance_of, clear
from engine.methods.discriminative.evaluation import Evaluation
from engine.methods.discriminative.evidence import DiscriminativeEvidence
from engine.methods.discriminative.families import beyond_chance, leading_family
from engine.methods.discriminative.points import FEWEST
from engine.telling.discriminative.accuracy import (
    INTERVAL,
    accuracy_words,
    against_alone,
    alone_above,
    alone_words,
    area_interval,
    ends_words,
    hidden_with,
    leading,
    leading_accuracy,
    level_of,
    name_of,
    plain_accuracy,
    share,
    single_name,
    singles,
)
from engine.telling.discriminative.families import (
    IN_SHORT,
    apart,
    in_class,
    more_or_less,
    size_words,
    turn_words,
)
from engine.telling.spoken import is_long
from engine.text import Count, Level, Name, Number, People, Share, Text, first, joined, listed, told
from engine.words import capital, in_percent, p_value, with_minus, with_sign

NOT_CAUSAL = told(
    "An arc says that one value helps to predict what follows or goes with it in a class; it is not a cause."
)
_OF_NOTE = 0.1
"""Accuracy above chance that a verdict of no separation leaves open where the interval reaches it."""
SPARSE = 5
"""Observations of a row of a table below which it says little."""
_PERSONS = told(
    "Every row counts as another person. Where one person has several rows, say so on the data page: all of them then "
    "stay in one fold."
)


def question(result: DiscriminativeEvidence) -> Text:
    """'drug v placebo: what separates them?'; of more than two classes their column is named."""
    target, classes = result.method.target, result.classes
    if len(classes) > 2:
        return told("What separates the classes of {}?", name_of(target))
    held_out = result.held_out
    names = map(held_out.display_name, sorted(classes, key=lambda name: name != held_out.case))
    return told("{} v {}: what separates them?", *map(Level, names))


def headline(result: DiscriminativeEvidence) -> Text:
    """How well the class of held-out rows is classified, against chance."""
    held_out = result.held_out
    if held_out.too_few:
        hits = People(held_out.hits)
        return told(
            "No verdict: {}. Of {} {} classified correctly.", too_few_words(held_out), _held_out(held_out), hits
        )
    chance, name = Number(in_percent(1 / len(held_out.classes))), name_of(result.method.target)
    what, begin, rest = leading(held_out), told(""), [alone_above(held_out), told("")]
    if len(held_out.null):
        high = (held_out.balanced_interval if held_out.leads_balanced else held_out.interval)[1]
        begin = told("Classification of {} is not seen to beat chance ({}): ", name, chance)
        if held_out.separates:
            begin = told("Classification of {} beats chance ({}): ", name, chance)
        elif held_out.p <= SIGNIFICANCE or high > 1 / len(held_out.classes) + _OF_NOTE:
            begin = told("Inconclusive whether classification of {} beats chance ({}): ", name, chance)
        if not held_out.as_well and held_out.p > SIGNIFICANCE:  # too few permutations to tell
            rest = [told("{}", _p(held_out))]
    else:
        what, rest = told(capital(what)), [rest[0], told("chance {}", chance)]
    size = accuracy_words(held_out, INTERVAL)
    figure, brief = told("{} {} on {}", what, size, _held_out(held_out)), told("held-out {} {}", what, size)
    shapes = (figure, brief) if begin and not rest[-1] else (figure,)
    forms = [told("{}{}; {}.", begin, shape, end) for end in rest if end for shape in shapes]
    forms += [] if rest[-1] else [told("{}{}.", begin, figure)]
    if alone_above(held_out) and (no_gain := _no_gain(held_out)):
        forms.insert(0, no_gain)
    return next((form for form in forms if not is_long(form)), forms[-1])


def _no_gain(evaluation: Evaluation) -> Text:
    """That one variable, more accurate than the networks, is better or that no gain over it is seen; else ""."""
    single, name, what = evaluation.compared[SINGLE], name_of(evaluation.method.target), leading(evaluation)
    balanced, one = evaluation.leads_balanced, single_name(evaluation)
    if evaluation.gain_over(SINGLE)[2] < 0:
        figures = accuracy_words(single, INTERVAL, balanced=balanced), accuracy_words(evaluation)
        worse = "{} alone classifies {} better than the networks: {} {} v {}."
        return told(worse, one if len(singles(evaluation)) == 1 else "One variable", name, what, *figures)
    if not evaluation.separates:
        return told("")
    figures = accuracy_words(evaluation), accuracy_words(single, balanced=balanced)
    beside = told("{} alone", one) if len(singles(evaluation)) == 1 else one
    which = told("{} better than {}: {} {} v {}.", name, beside, what, *figures)
    whole = told("Networks of all variables are not seen to classify {}", which)
    return told("Networks are not seen to classify {}", which) if is_long(whole) else whole


def beaten(evaluation: Evaluation) -> Text:
    """That chance is beaten, with p, where the headline is about the best single variable; else ""."""
    if not len(evaluation.null) or not evaluation.separates or not alone_above(evaluation):
        return told("")
    chance = Number(in_percent(1 / len(evaluation.classes)))
    return told("The networks beat chance ({}): {}.", chance, _p(evaluation))


def _p(evaluation: Evaluation) -> Number:
    """p of the whole procedure; of an evaluation with permutations."""
    return Number(p_value(evaluation.p, draws=len(evaluation.null)))


def _held_out(evaluation: Evaluation) -> People:
    return People(evaluation.n, f"held-out {evaluation.noun}")


def leading_sentence(result: DiscriminativeEvidence) -> Text:
    """The link or level that separates classes most, where that is beyond chance; else ""."""
    leading = leading_family(result)
    if leading is None:
        return told("")
    return _shift_words(result, leading) if leading["parents"] else _levels_words(result, leading)


def _shift_words(result: DiscriminativeEvidence, row: pd.Series) -> Text:
    """The shift of a child by its link in either class; of several parents the one that shifts it most."""
    (c, net), order = result.place_of(row["network"]), result.variables_in_order
    all_shifts = result.learned[c].networks[net].shifts[order.index(row["child"])]
    shifts = {name: all_shifts[place, ::-1].tolist() for place, name in enumerate(row["parents"])}
    name = max(row["parents"], key=lambda parent: np.nan_to_num(abs(shifts[parent][0][0])))
    own, other = shifts[name]
    ends, p = (name_of(name), name_of(row["child"])), Number(p_value(row["chance"], draws=result.method.shuffles))
    if not (clear(*own[1:]) or clear(*other[1:])):
        template = "{} → {} as a whole separates {} ({}); no single shift in it is clear."
        return told(template, *ends, name_of(result.method.target), p)
    inside = [in_class(result, title) for title in result.titles_of(c, net)]
    if turn := turn_words(result, row["network"], row["child"], name):
        sizes = (size_words(shift, signed=True, unit=IN_SHORT) for shift in turn.shifts)
        pairs = listed(joined(pair) for pair in zip(sizes, inside, strict=True))
        return told("{} → {} turns its direction: {} {}; {}.", *ends, turn.level, pairs, p)
    later = " a step later" if result.series else ""
    both = joined((joined((_size(shift), place)) for shift, place in zip((own, other), inside, strict=True)), ", by ")
    return told("{} shifts {}{} by up to {}; {}.", *ends, later, both, p)


def _levels_words(result: DiscriminativeEvidence, row: pd.Series) -> Text:
    """The level that occurs more often in one class than in the other, where levels alone separate them."""
    found = apart(result, row)
    size, more, ends = more_or_less(*found.difference)
    p = p_value(chance_of(result.chance_levels, row["worth"] - row["gain"]), draws=len(result.chance_levels))
    return told(
        "{} is {}\N{NO-BREAK SPACE}pp{} {} common {} than {}; {}.",
        found.place,
        size,
        told(" ({})", ends) if ends else "",
        more,
        *found.classes,
        Number(p),
    )


def _size(shift: Iterable[float]) -> Text:
    """'57 pp (24 to 78)', percentage points with the ends of their 95 % interval, where there is one."""
    return size_words(tuple(shift), unit=IN_SHORT) or told("an unknown amount")


def too_few_words(evaluation: Evaluation) -> Text:
    """Why there is no verdict on links or classes, as the end of a sentence; of an evaluation with too few subjects."""
    few = int(evaluation.subjects.argmin())
    if evaluation.subjects[few] >= FEWEST:
        uneven = level_of(evaluation.display_name(evaluation.uneven or ""))
        return told("a few subjects of class '{}' have nearly all its rows", uneven)
    noun = evaluation.noun if evaluation.clusters is None else "subject"
    target, name = name_of(evaluation.method.target), level_of(evaluation.classes[few])
    many = People(int(evaluation.subjects[few]), noun)
    return told("{} = {} has {}, and at least {} of each are needed", target, name, many, Count(FEWEST))


def class_sentence(of: Classification) -> Text:
    """How many are missed, specificity, area, predictive value; of more than two classes the sensitivity of each."""
    target = of.method.target
    if len(of.classes) > 2:
        parts = (
            _share_words(of.sensitivity(name), target, name, "" if i else INTERVAL) for i, name in enumerate(of.classes)
        )
        return told("Sensitivity {}.", joined(parts, ", "))
    name = of.case
    other = next(each for each in of.classes if each != name)
    found, well = of.sensitivity(name), _share_words(of.specificity(name), target, other)
    missed, many = People(found.of - found.hits), People(found.of)
    verb, hits = "is" if found.of - found.hits == 1 else "are", share(found.hits, found.of)
    return told(
        "{} of {} with {} {} missed: sensitivity {} ({}{}). Specificity {}; {}.{}",
        *(missed, many, _is(target, name), verb, hits, INTERVAL, ends_words(*found[2:]), well, area_words(of, name)),
        _precision_words(of, name),
    )


def _precision_words(of: Classification, name: str) -> Text:
    """The positive predictive value; "" where no call was made."""
    called = of.precision(name)
    if not called.of:
        return told("")
    size = f"{in_percent(called.value)} ({called.hits:,} of {called.of:,}; {ends_words(*called[2:])})"
    template = " Positive predictive value {}, at the share of {} in this table."
    return told(template, hidden_with(of, called, size), _is(of.method.target, name))


def _share_words(part: ClassShare, target: str, name: str, interval: str = "") -> Text:
    hits, of = share(part.hits, part.of), People(part.of)
    return told("{} ({}{}) on {} with {}", hits, interval, ends_words(*part[2:]), of, _is(target, name))


def _is(target: str, name: str) -> Text:
    return told("{} = {}", Name(target), Level(name))


def area_words(of: Classification, name: str) -> Text:
    """The area under the curve of a class with its interval; where that has no width, the curve says why."""
    area = of.auc(name)
    return told("over all thresholds {} ({})", _area(area.value), area_interval(area))


def _area(area: float) -> Text:
    return told("AUC {}", Number(f"{area:.2f}"))


def sentences(result: DiscriminativeEvidence) -> list[str]:
    """The links that are beyond chance, and what the answer rests on."""
    evaluation, target = result.held_out, result.method.target
    named = list(zip(evaluation.classes, evaluation.sizes.tolist(), evaluation.by_class.tolist(), strict=True))
    lines: list[str] = []
    if evaluation.too_few:
        correct = (told("{} of {} with {}", People(hits), People(n), _is(target, name)) for name, n, hits in named)
        lines.append(told("Classified correctly: {}.", listed(correct)))
    else:
        sure = [against_alone(evaluation), beaten(evaluation), leading_sentence(result), plain_accuracy(evaluation)]
        lines += filter(None, [joined(filter(None, sure)), alone_words(evaluation), class_sentence(evaluation)])
        if len(evaluation.null):
            lines.append(permuted_sentence(evaluation))
    lines.append(link_sentence(result))
    if turning := turning_sentence(result):
        lines.append(turning)
    sizes = listed(told("{} with {}", People(n), _is(target, name)) for name, n, _ in named)
    if not result.series:
        return [*lines, told("Learned from {} ({}).", People(evaluation.n, "row"), sizes)]
    lengths = evaluation.observations
    few, many = int(lengths.min()), int(lengths.max())
    each = Count(f"{few:,}" if few == many else f"{few:,} to {many:,}")
    steps, subjects = Count(int(lengths.sum()), "step"), People(evaluation.n, "subject")
    return [*lines, told("Learned from {} of {} ({}), {} each.", steps, subjects, sizes, each)]


def afterwards_words(result: DiscriminativeEvidence) -> Text:
    """What no permutation shows: a variable that is known only once the class is, as a name may tell."""
    target, late = name_of(result.method.target), known_late(result.names_of_table)
    if late:
        template = "{} may be known only after the class ({}), which flatters this accuracy: if so, leave {} out."
        return told(template, listed(map(name_of, late)), target, "it" if len(late) == 1 else "them")
    return told("What is known only after the class ({}) flatters this accuracy: you decide what that is.", target)


def what_it_is(evaluation: Evaluation) -> Text:
    """What networks of classes are, and how they classify."""
    fits = told("better" if len(evaluation.classes) == 2 else "best")
    template = (
        "Each class has a network of the other variables; a held-out {} goes to the class whose network fits it {}."
    )
    return told(template, evaluation.noun, fits)


def permuted_sentence(evaluation: Evaluation) -> Text:
    """In how many permutations of the class it is classified as accurately."""
    as_well, many = evaluation.as_well, len(evaluation.null)
    among = Count(as_well) if as_well else "none", Count(many, "permutation"), _p(evaluation)
    said = told("In {} of {} of the class, balanced accuracy was as high: {}.", *among)
    if evaluation.separates:
        return said
    reaches = "The accuracy's interval reaches chance: whether" if evaluation.p <= SIGNIFICANCE else "Whether"
    return told(f"{{}} {reaches} these classes can be separated is inconclusive.", said)


def link_sentence(result: DiscriminativeEvidence) -> Text:
    """The links that gain more than the permutations show."""
    linked = _linked(result)
    if not len(linked):
        return told("No network has a link.")
    families = Count(len(linked), "family", "families")
    if result.held_out.too_few:
        return told("No verdict on the {} with a link either.", families)
    if not len(result.chance):
        return told("No permutation test was run, so no p is given for the {}.", families)
    own, by_levels = _gaining_links(linked)
    if not len(own) and not len(by_levels):
        return told(
            "No link is supported: permuted classes often give one as strong as the best of {} with a link. "
            "That does not make the classes equivalent.",
            families,
        )
    text = [told("{}: {}.", _gaining(own, ""), _names(own))] if len(own) else []
    if len(by_levels):
        text += [
            told("{}: {}.", _gaining(by_levels, "more " if text else ""), _names(by_levels)),
            told(
                "That is inconclusive: the levels of {} variables separate the classes by themselves too.",
                "its" if len(by_levels) == 1 else "their",
            ),
        ]
    return joined(text)


def _linked(result: DiscriminativeEvidence) -> pd.DataFrame:
    """The families with a parent."""
    return result.ranked[result.ranked["parents"].map(len) > 0]


def turning_sentence(result: DiscriminativeEvidence) -> Text:
    """The links beyond chance that turn their direction between the classes; "" without one."""
    named = {
        told("{} → {} ({})", name_of(parent), name_of(row.child), turn.contrast): None
        for row in result.ranked[beyond_chance(result.ranked)].itertuples()
        for parent in row.parents
        if (turn := turn_words(result, row.network, row.child, parent))
    }
    if not named:
        return told("")
    many = Count(len(named), "link turns its direction", "links turn their direction")
    return told("{} between the classes: {}.", many, first(named, most=3, between="; "))


def links_in_short(result: DiscriminativeEvidence) -> Text:
    """The links that gain more than the permutations, and which gains most; "" where that was not tested."""
    linked = _linked(result)
    if not len(linked) or result.held_out.too_few or not len(result.chance):
        return told("")
    own, by_levels = _gaining_links(linked)
    if len(own):
        most = told("{} {}", ", most" if len(own) > 1 else ":", _named(next(own.itertuples())))
        return told("{} beyond chance{}.", Count(len(own), "link"), most)
    if len(by_levels):
        links = [
            told("{} → {}", joined(map(name_of, x.parents), ", "), name_of(x.child)) for x in by_levels.itertuples()
        ]
        verb = "is" if len(links) == 1 else "are"
        return told("{} {} inconclusive: levels alone separate the classes too.", first(links, most=1), verb)
    too = " Look at single variables first." if result.held_out.separates else ""
    return told(f"No single link of the class networks is supported: permuted classes often give one as strong.{too}")


def _gaining_links(linked: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The links that gain more than the permutations show, and those whose levels separate the classes too."""
    significant = linked[linked["chance"] <= SIGNIFICANCE]
    if not len(significant):
        return significant, significant
    clear_links = beyond_chance(significant)
    return significant[clear_links], significant[~clear_links]


def _gaining(links: pd.DataFrame, more: str) -> Text:
    many, best = Count(len(links), f"{more}link gains", f"{more}links gain"), Number(in_percent(1 - SIGNIFICANCE))
    return told("{} more than the best of at least {} of permutations", many, best)


def _names(links: pd.DataFrame) -> Text:
    return first(map(_named, links.itertuples()), most=3, between="; ")


def _named(row: Any) -> Text:
    return told("{} → {} ({})", joined(map(name_of, row.parents), ", "), name_of(row.child), level_of(row.network))


def notes(result: DiscriminativeEvidence) -> list[str]:
    """The limits of the answer, one sentence each."""
    evaluation, method = result.held_out, result.method
    lines: list[str] = [*result.words, *result.made.rows]
    if levels := levels_sentence(result):
        lines.append(told("{} The page Group differences asks of levels.", levels))
    big, small = int(evaluation.sizes.max()), int(evaluation.sizes.min())
    if evaluation.unequal:
        weigh = "they weigh alike here"
        if not method.balance:
            weigh = "they do not weigh alike here, which spoils what is learned"
        lines.append(
            told(
                "The classes are unequal ({} and {}): {}. Classifying all as the larger class would have an accuracy "
                "of {} and a sensitivity of {} for the smaller.",
                People(big),
                People(small),
                weigh,
                Share(big, evaluation.n),
                Number(in_percent(0)),
            )
        )
    thin, rows = thin_rows(result)
    if thin > 0.1 * rows:
        lines.append(
            told(
                "{} of {} rows of the tables used rest on fewer than {} observations in a class; fewer levels or "
                "parents would make them firmer.",
                Count(thin),
                Count(rows),
                Count(SPARSE),
            )
        )
    if result.series and int(np.median(evaluation.observations)) < 100:
        lines.append(
            told("Series of fewer than about 100 steps have little power; what is missed here may still be there.")
        )
    if small < 10:
        smallest = People(small, evaluation.noun)
        lines.append(told("With {} in the smallest class, one more classified correctly changes much.", smallest))
    if method.top_families is not None:
        used = max(int(network.used.sum()) for contrast in result.learned for network in contrast.networks)
        lines.append(told("Verdicts use the {} of each network.", Count(used, "best family", "best families")))
    return lines


def levels_sentence(result: DiscriminativeEvidence) -> Text:
    """Which variables separate the classes by their levels alone, a warning for their links; "" without one."""
    if not (levels := result.differing_levels):
        return told("")
    return told(
        "The levels of {} separate the classes by themselves; a link from or to such a variable may say no more than "
        "that.",
        first(map(name_of, levels)),
    )


def thin_rows(result: DiscriminativeEvidence) -> tuple[int, int]:
    """Rows of the tables that are used and rest on few observations in either class, and rows in all."""
    thin = rows = 0
    for contrast in result.learned:
        for network in contrast.networks:
            for child in np.flatnonzero(network.used):
                totals = network.counts[int(child)].sum(axis=2).min(axis=0)
                thin, rows = thin + int((totals < SPARSE).sum()), rows + len(totals)
    return thin, rows


def verdict_sentences(evaluation: Evaluation) -> list[Text]:
    """The way points were held out; of more than two classes, specificity and area of each."""
    folds, repeats = Count(len(np.unique(evaluation.folds[0]))), len(evaluation.scores)
    often = told("") if repeats == 1 else told(", {} times over", Count(repeats))
    given = evaluation.method.discretise == "given"
    cuts = "" if given else ", cut points included"
    result = [what_it_is(evaluation)]
    result += [told("Each of {} folds was classified by networks learned from the others{}{}.", folds, often, cuts)]
    if len(evaluation.null):
        result.append(told("For p the table itself counts as one more permutation, so p is never 0."))
    together = evaluation.noun == "subject" or evaluation.clusters is not None
    result.append(told("All data of a subject are in one fold.") if together else _PERSONS)
    if given:
        result.append(told("Cut points are those of the data page, which saw all subjects."))
    for name in evaluation.classes if len(evaluation.classes) > 2 else ():
        part = evaluation.specificity(name)
        figures = share(part.hits, part.of), ends_words(*part[2:]), People(part.of), area_words(evaluation, name)
        display = level_of(evaluation.display_name(name))
        result.append(told("{} against the others: specificity {} ({}) on {}, {}.", display, *figures))
    return result


def covariates_sentences(evaluation: Evaluation) -> list[Text]:
    """The accuracy of covariates alone, beside the networks; and whether the networks' score adds to them."""
    alone, added = evaluation.compared["covariates"], evaluation.compared["added"]
    names, of, balanced = evaluation.covariates, evaluation.case, evaluation.leads_balanced
    gap = evaluation.compare_areas(of, "covariates")
    more = compare_curves(added.score(of), alone.score(of), added.truth(of), clusters=added.clusters)
    figure = accuracy_words(alone, INTERVAL, balanced=balanced)
    begins, ours = listed([_capital(names[0]), *map(Name, names[1:])]), leading_accuracy(evaluation, balanced)
    areas = [_area(each.auc(of).value) for each in (alone, evaluation, added)]
    return [
        told("{} alone: {} {}, {}.", begins, leading(evaluation), figure, areas[0]),
        told("Class networks: {}, {}; difference of AUC {}, {}.", ours, areas[1], *_tested(gap.difference, gap.p)),
        told(
            "With the networks' score added to {}: {}; difference {}, {}.",
            listed(map(Name, names)),
            areas[2],
            *_tested(more.difference, more.p),
        ),
    ]


def _capital(name: str) -> Name:
    return Name(name[:1].upper() + name[1:])


def _tested(difference: float, p: float) -> tuple[Number, Text]:
    verdict = told("{}" if p <= SIGNIFICANCE else "{}: inconclusive", Number(p_value(p)))
    return Number(with_sign(difference, 2)), verdict


def external_headline(of: Classification, learned_from: Classification) -> Text:
    """The accuracy on a second table, beside that of the held-out points of the first."""
    balanced = of.leads_balanced or learned_from.leads_balanced
    return told(
        "{} {} on {} of the second table; held-out {}s of the first: {}.",
        "Balanced accuracy" if balanced else "Accuracy",
        accuracy_words(of, INTERVAL, balanced=balanced),
        People(of.n, of.noun),
        of.noun,
        accuracy_words(learned_from, balanced=balanced),
    )


def cost_sentence(evaluation: Evaluation, of: str, cost_missed: float, cost_false: float, prevalence: float) -> Text:
    """From which score up classifying as a class costs least, and what that does here and where it shall be used."""
    name = level_of(evaluation.display_name(of))
    at = evaluation.best_threshold(cost_missed, cost_false, prevalence, of)
    if not np.isfinite(at):
        return told("At these costs it is cheapest to classify nobody as {}.", name)
    calls = evaluation.called_from(at, of)
    return told(
        "Cheapest among these {}: classify as {} from a score of {} up; {} of {} found, {} of {} false positives. PPV "
        "where {} are {}: {}.",
        People(evaluation.n),
        name,
        Number(with_minus(f"{at:.3g}")),
        People(calls.found),
        People(calls.found + calls.missed),
        People(calls.alarms),
        People(calls.alarms + calls.spared),
        Number(in_percent(prevalence, 1)),
        name,
        Number(in_percent(evaluation.predictive_value(at, prevalence, of))),
    )

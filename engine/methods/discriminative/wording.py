"""The sentences of class-discriminative networks, and their document for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.measures.comparing import compare_curves
from engine.methods import frames
from engine.methods.discriminative.families import (
    SIGNIFICANCE,
    beyond_chance,
    chance_of,
    clear,
    differing_levels,
    families,
    leading_family,
    turn_words,
)
from engine.words import NO_BREAK, count, distinct, first, in_percent, is_bare, listed, p_value, with_minus, with_sign

if TYPE_CHECKING:
    import pandas as pd

    from engine.measures.curves import Auc
    from engine.methods.discriminative.classification import Classification, ClassShare
    from engine.methods.discriminative.evaluation import Evaluation
    from engine.methods.discriminative.external import ExternalValidation
    from engine.methods.discriminative.result import DiscriminativeResult

NOT_CAUSAL = "An arc says that one value helps to predict what follows or goes with it in a class; it is not a cause."
SPARSE = 5
"""Observations of a row of a table below which it says little."""


def headline(result: DiscriminativeResult) -> str:
    """What separates the classes most, where both are beyond chance; else the accuracy on held-out points."""
    leading = leading_family(result)
    if leading is None:
        return accuracy_sentence(result.held_out)
    return _shift_words(result, leading) if leading["parents"] else _levels_words(result, leading)


def _shift_words(result: DiscriminativeResult, row: pd.Series) -> str:
    """How far a link shifts its child in either class; of several parents the one that shifts it most."""
    child, edges = result.later(row["child"]), result.graphs()[row["network"]].edges
    shifts = {name: edges[result.earlier(name), child]["shifts"] for name in row["parents"]}
    name = max(row["parents"], key=lambda parent: np.nan_to_num(abs(shifts[parent][0][0])))
    own, other = shifts[name]
    p = p_value(row["chance"])
    if not (clear(*own[1:]) or clear(*other[1:])):
        link = f"{_cut(name)} → {_cut(row['child'])}"
        return f"{link} as a whole separates {_cut(result.method.target)} ({p}); no single shift in it is clear."
    if turn := turn_words(result, row["network"], row["child"], name):
        places = [_in_class(result, title) for title in result.titles_of(*result.place_of(row["network"]))]
        pairs = listed(f"{size} {place}" for size, place in zip(turn[2], places, strict=True))
        signed = pairs.replace(" percentage points", f"{NO_BREAK}pp")
        return f"{_cut(name)} → {_cut(row['child'])} turns its direction: {_cut(turn[1])} {signed}; {p}."
    later = " a step later" if result.series else ""
    inside = [_in_class(result, title) for title in result.titles_of(*result.place_of(row["network"]))]
    both = [f"{_size(size, low, high)} {place}" for (size, low, high), place in zip((own, other), inside, strict=True)]
    return f"{_cut(name)} shifts {_cut(row['child'])}{later} by up to {', by '.join(both)}; {p}."


def _levels_words(result: DiscriminativeResult, row: pd.Series) -> str:
    """How much more often a level occurs in one class than in the other, where levels alone separate them."""
    p = p_value(chance_of(result.chance_levels, row["worth"] - row["gain"]))
    sign = 1 if row["effect"] >= 0 else -1
    size = _size(sign * row["effect"], *sorted((sign * row["low"], sign * row["high"])))
    own, other = (_in_class(result, title) for title in result.titles_of(*result.place_of(row["network"])))
    return f"{_cut(row['where'], 100)}: {size} {'more' if sign > 0 else 'less'} often {own} than {other}; {p}."


def _in_class(result: DiscriminativeResult, title: str) -> str:
    """'in ill', 'outside ill'; 'with relapse = yes' where the level alone would say nothing."""
    inside = title in result.classes
    level = title if inside else title.removeprefix("not ")
    if is_bare(level):
        return f"with {_cut(result.method.target)} {'=' if inside else 'not'} {level}"
    return f"{'in' if inside else 'outside'} {_cut(level)}"


def _cut(name: str, most: int = 40) -> str:
    """A name that leaves a headline readable."""
    return distinct([name], most)[0]


def _size(size: float, low: float, high: float) -> str:
    """'57 pp (24 to 78)', percentage points with the ends of their 95 % interval, where there is one."""
    if size != size:
        return "an unknown amount"
    interval = f" ({100 * low:.0f} to {100 * high:.0f})" if low == low else ""
    return with_minus(f"{100 * size:.0f}{NO_BREAK}pp{interval}")


def accuracy_sentence(evaluation: Evaluation) -> str:
    """The accuracy on held-out points, beside chance; of unequal or several classes the balanced one."""
    held_out = count(evaluation.n, f"held-out {evaluation.noun}")
    if evaluation.too_few:
        return f"No verdict: {evaluation.too_few}. Of {held_out} {evaluation.hits:,} classified correctly."
    text = f"{_capital(leading_accuracy(evaluation, '95 % interval '))} on {held_out}"
    text += f"; chance {in_percent(1 / len(evaluation.classes))}"
    if evaluation.leads_balanced:
        text += f"; accuracy {share(evaluation.hits, evaluation.n)}"
    return f"{text}{chance_words(evaluation)}."


def _capital(text: str) -> str:
    """With a capital letter at its head."""
    return text[:1].upper() + text[1:]


def leading_accuracy(of: Classification, interval: str = "", *, balanced: bool | None = None) -> str:
    """The accuracy to look at, with its interval."""
    if of.leads_balanced if balanced is None else balanced:
        return f"balanced accuracy {in_percent(of.balanced_accuracy)} ({interval}{_ends(*of.balanced_interval)})"
    return f"accuracy {share(of.hits, of.n)} ({interval}{_ends(*of.interval)})"


def _ends(low: float, high: float) -> str:
    """Ends of an interval in percent."""
    return f"{100 * low:.0f} to {100 * high:.0f}"


def share(hits: int, n: int) -> str:
    """Hits of tries in percent, never rounded to all or none."""
    if 0 < hits < n and not 0.005 <= hits / n <= 0.995:
        return in_percent(hits / n, 1)
    return in_percent(hits / n)


def class_sentence(of: Classification) -> str:
    """Sensitivity, specificity and area of the rarest class; of more than two classes the sensitivity of each."""
    if len(of.classes) > 2:
        parts = [
            _share_words(of.sensitivity(name), f"{of.method.target} = {name}", "95 % interval " if not i else "")
            for i, name in enumerate(of.classes)
        ]
        return f"Sensitivity {', '.join(parts)}."
    name = of.rarest
    other = next(each for each in of.classes if each != name)
    ill, well = (f"{of.method.target} = {each}" for each in (name, other))
    return (
        f"Sensitivity {_share_words(of.sensitivity(name), ill, '95 % interval ')}, specificity "
        f"{_share_words(of.specificity(name), well)}; {area_words(of, name)}."
    )


def _share_words(part: ClassShare, name: str, interval: str = "") -> str:
    return f"{share(part.hits, part.of)} ({interval}{_ends(part.low, part.high)}) on {part.of:,} with {name[:60]}"


def area_words(of: Classification, name: str) -> str:
    """The area under the curve of a class with its interval; where that has no width, the curve says why."""
    area = of.auc(name)
    wide = area.low < area.high
    return f"AUC {area.value:.2f} ({f'{area.low:.2f} to {area.high:.2f}' if wide else 'no interval'})"


def chance_words(evaluation: Evaluation) -> str:
    """p of the whole procedure, as the end of a sentence; nothing without permutations."""
    if not len(evaluation.null):
        return ""
    if evaluation.p > SIGNIFICANCE:
        return f"; {p_value(evaluation.p)}, inconclusive"
    if not evaluation.separates:
        return f"; {p_value(evaluation.p)}, but the interval reaches chance: inconclusive"
    return f"; {p_value(evaluation.p)} ({len(evaluation.null):,} permutations)"


def sentences(result: DiscriminativeResult) -> list[str]:
    """The links that are beyond chance, and what the answer rests on."""
    evaluation = result.held_out
    sizes = listed(
        f"{n:,} with {result.method.target} = {name}"
        for name, n in zip(evaluation.classes, evaluation.sizes, strict=True)
    )
    by_class = listed(
        f"{hits:,} of {n:,} with {result.method.target} = {name}"
        for name, hits, n in zip(evaluation.classes, evaluation.by_class, evaluation.sizes, strict=True)
    )
    lines = [f"Classified correctly: {by_class}." if evaluation.too_few else class_sentence(evaluation)]
    if leading_family(result) is not None:
        lines.insert(0, accuracy_sentence(evaluation))
    if len(evaluation.null) and not evaluation.too_few:
        if evaluation.separates:
            lines.append("Permuted classes are rarely classified as well.")
        elif evaluation.p <= SIGNIFICANCE:
            lines.append(
                "Permuted classes are rarely classified as well, but the accuracy's interval reaches chance: whether "
                "these classes can be separated is inconclusive."
            )
        else:
            lines.append(permuted_sentence(evaluation))
    lines.append(link_sentence(result))
    if turning := turning_sentence(result):
        lines.append(turning)
    lengths = evaluation.observations
    if result.series:
        few, many = int(lengths.min()), int(lengths.max())
        each = f"{few:,}" if few == many else f"{few:,} to {many:,}"
        lines.append(
            f"Learned from {int(lengths.sum()):,} steps of {count(evaluation.n, 'subject')} ({sizes}), {each} each."
        )
    else:
        lines.append(f"Learned from {count(evaluation.n, 'row')} ({sizes}).")
    return lines


def permuted_sentence(evaluation: Evaluation) -> str:
    """How often permuted classes are classified as well, where p is above its limit."""
    as_well, many = evaluation.as_well, count(len(evaluation.null), "permutation")
    p = p_value(evaluation.p)
    if as_well > SIGNIFICANCE * len(evaluation.null):
        how = f"often classified as well ({as_well:,} of {many}, {p})"
    else:
        how = f"rarely classified as well ({as_well or 'none'} of {many}), yet {p}"
    return f"Permuted classes are {how}: whether these classes can be separated is inconclusive."


def link_sentence(result: DiscriminativeResult) -> str:
    """The links that gain more than the permutations show."""
    ranked = families(result)
    linked = ranked[ranked["parents"].map(len) > 0]
    if not len(linked):
        return "No network has a link."
    if result.held_out.too_few:
        return f"No verdict on the {count(len(linked), 'family', 'families')} with a link either."
    if not len(result.chance):
        return f"No permutation test was run, so no p is given for the {count(len(linked), 'family', 'families')}."
    own, by_levels = _gaining_links(linked)
    if not len(own) and not len(by_levels):
        return (
            f"Of {count(len(linked), 'family', 'families')} with a link none gains more than the best of the "
            "permutations; that alone does not make the classes equivalent."
        )
    text = [f"{_gaining(own, '')}: {_names(own)}."] if len(own) else []
    if len(by_levels):
        whose = "its variables" if len(by_levels) == 1 else "their variables"
        text += [
            f"{_gaining(by_levels, 'more ' if text else '')}: {_names(by_levels)}.",
            f"That is inconclusive: the levels of {whose} separate the classes by themselves too.",
        ]
    return " ".join(text)


def turning_sentence(result: DiscriminativeResult) -> str:
    """The links beyond chance that turn their direction between the classes; "" without one."""
    ranked = families(result)
    linked = ranked[beyond_chance(ranked)]
    named = {
        f"{parent[:40]} → {row.child[:40]} ({turn[0][:80]})": None
        for row in linked.itertuples()
        for parent in row.parents
        if (turn := turn_words(result, row.network, row.child, parent))
    }
    if not named:
        return ""
    many = count(len(named), "link turns its direction", "links turn their direction")
    return f"{many} between the classes: {first(named, most=3, between='; ')}."


def links_in_short(result: DiscriminativeResult) -> str:
    """How many links gain more than the permutations, with the one that gains most; "" where that was not tested."""
    ranked = families(result)
    linked = ranked[ranked["parents"].map(len) > 0]
    if not len(linked) or result.held_out.too_few or not len(result.chance):
        return ""
    own, by_levels = _gaining_links(linked)
    if len(own):
        most = f", most {_named(next(own.itertuples()))}" if len(own) > 1 else f": {_named(next(own.itertuples()))}"
        return f"{count(len(own), 'link')} beyond chance{most}."
    if len(by_levels):
        return f"{count(len(by_levels), 'link')} inconclusive: the levels separate the classes by themselves too."
    return "No link gains more than the permutations."


def _gaining_links(linked: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The links that gain more than the permutations show, and those whose levels separate the classes too."""
    significant = linked[linked["chance"] <= SIGNIFICANCE]
    if not len(significant):
        return significant, significant
    clear = beyond_chance(significant)
    return significant[clear], significant[~clear]


def _gaining(links: pd.DataFrame, more: str) -> str:
    many = count(len(links), f"{more}link gains", f"{more}links gain")
    return f"{many} more than the best of at least 95 % of permutations"


def _names(links: pd.DataFrame) -> str:
    return first((_named(row) for row in links.itertuples()), most=3, between="; ")


def _named(item: Any) -> str:
    return f"{', '.join(name[:40] for name in item.parents)} → {item.child[:40]} ({item.network[:40]})"


def notes(result: DiscriminativeResult) -> list[str]:
    """What limits the answer, one sentence each."""
    evaluation, method = result.held_out, result.method
    lines = [*result.words, *result.made.rows]
    if levels := levels_sentence(result):
        lines.append(f"{levels} The page Group differences asks of levels.")
    big, small = int(evaluation.sizes.max()), int(evaluation.sizes.min())
    if evaluation.unequal:
        weigh = (
            "they weigh alike here" if method.balance else "they do not weigh alike here, which spoils what is learned"
        )
        lines.append(
            f"The classes are unequal ({big:,} and {small:,}): {weigh}. Classifying all as the larger class would have "
            f"an accuracy of {in_percent(evaluation.majority)} and a sensitivity of {in_percent(0)} for the smaller."
        )
    thin, rows = thin_rows(result)
    if thin > 0.1 * rows:
        lines.append(
            f"{thin:,} of {rows:,} rows of the tables used rest on fewer than {SPARSE} observations in a class; fewer "
            "levels or parents would make them firmer."
        )
    if result.series and int(np.median(evaluation.observations)) < 100:
        lines.append("Series of fewer than about 100 steps have little power; what is missed here may still be there.")
    if small < 10:
        lines.append(
            f"With {count(small, evaluation.noun)} in the smallest class, one more classified correctly changes much."
        )
    used = [int(network.used.sum()) for item in result.learned for network in item.networks]
    if method.top_families is not None:
        lines.append(f"Verdicts use the {count(max(used), 'best family', 'best families')} of each network.")
    return lines


def levels_sentence(result: DiscriminativeResult) -> str:
    """Which variables separate the classes by their levels alone, a warning for their links; "" without one."""
    if not (levels := differing_levels(result)):
        return ""
    return (
        f"The levels of {first(name[:40] for name in levels)} separate the classes by themselves; a link from or to "
        "such a variable may say no more than that."
    )


def thin_rows(result: DiscriminativeResult) -> tuple[int, int]:
    """Rows of the tables that are used and rest on few observations in either class, and rows in all."""
    thin = rows = 0
    for item in result.learned:
        for network in item.networks:
            for child in np.flatnonzero(network.used):
                totals = network.counts[int(child)].sum(axis=2).min(axis=0)
                thin, rows = thin + int((totals < SPARSE).sum()), rows + len(totals)
    return thin, rows


def verdict_sentences(evaluation: Evaluation) -> list[str]:
    """How points were held out; of more than two classes, specificity and area of each."""
    folds = len(np.unique(evaluation.folds[0]))
    often = "" if len(evaluation.scores) == 1 else f", {len(evaluation.scores)} times over"
    given = evaluation.method.discretise == "given"
    cuts = "" if given else ", cut points included"
    result = [f"Each of {folds} folds was classified by networks learned from the others{often}{cuts}."]
    if evaluation.noun == "subject" or evaluation.clusters is not None:
        result.append("All data of a subject are in one fold.")
    else:
        result.append(
            "Every row counts as another person. Where one person has several rows, say so on the data page: all of "
            "them then stay in one fold."
        )
    if given:
        result.append("Cut points are those of the data page, which saw all subjects.")
    if len(evaluation.classes) > 2:
        for name in evaluation.classes:
            part = evaluation.specificity(name)
            result.append(
                f"{evaluation.display_name(name)[:40]} against the others: specificity {share(part.hits, part.of)} "
                f"({_ends(part.low, part.high)}) on {part.of:,}, {area_words(evaluation, name)}."
            )
    return result


def covariates_sentences(evaluation: Evaluation) -> list[str]:
    """What covariates alone give, beside the networks; and whether the networks' score adds to them."""
    alone, added = evaluation.compared["covariates"], evaluation.compared["added"]
    names, of, balanced = _capital(listed(evaluation.covariates)), evaluation.rarest, evaluation.leads_balanced
    gap = evaluation.compare_areas(of, "covariates")
    more = compare_curves(added.score(of), alone.score(of), added.truth(of), clusters=added.clusters)
    figures = leading_accuracy(alone, "95 % interval ", balanced=balanced)
    return [
        f"{names} alone: {figures}, AUC {alone.auc(of).value:.2f}.",
        f"Class networks: {leading_accuracy(evaluation, balanced=balanced)}, AUC {evaluation.auc(of).value:.2f}; "
        f"difference of AUC {with_sign(gap.difference, 2)}, {_tested(gap.p)}.",
        f"With the networks' score added to {listed(evaluation.covariates)}: AUC {added.auc(of).value:.2f}; difference "
        f"{with_sign(more.difference, 2)}, {_tested(more.p)}.",
    ]


def _ends_only(of: Classification, balanced: bool) -> str:
    return leading_accuracy(of, balanced=balanced).partition("accuracy ")[2]


def _tested(p: float) -> str:
    return p_value(p) if p <= SIGNIFICANCE else f"{p_value(p)}: inconclusive"


def external_headline(of: ExternalValidation) -> str:
    """The accuracy on a second table, beside that of the held-out points of the first."""
    balanced = of.leads_balanced or of.learned_from.leads_balanced
    figures = _capital(leading_accuracy(of, "95 % interval ", balanced=balanced))
    return (
        f"{figures} on {count(of.n, of.noun)} of the second table; held-out {of.noun}s of the first: "
        f"{_ends_only(of.learned_from, balanced)}."
    )


def cost_sentence(evaluation: Evaluation, of: str, cost_missed: float, cost_false: float, prevalence: float) -> str:
    """From which score up classifying as a class costs least, and what that does here and where it shall be used."""
    at, name = evaluation.best_threshold(cost_missed, cost_false, prevalence, of), evaluation.display_name(of)[:40]
    if not np.isfinite(at):
        return f"At these costs it is cheapest to classify nobody as {name}."
    calls = evaluation.called_from(at, of)
    value = evaluation.predictive_value(at, prevalence, of)
    return (
        f"Cheapest among these {evaluation.n:,}: classify as {name} from a score of {with_minus(f'{at:.3g}')} up; "
        f"{calls.found:,} of {calls.found + calls.missed:,} found, {calls.alarms:,} of "
        f"{calls.alarms + calls.spared:,} false positives. "
        f"PPV where {in_percent(prevalence, 1)} are {name}: {in_percent(value)}."
    )


def document(result: DiscriminativeResult) -> dict[str, Any]:
    """Settings, classes, families, verdicts."""
    evaluation = result.held_out
    ranked = [frames.record(row) for row in families(result).to_dict("records")]
    return {
        "settings": result.method.shown(),
        "data": result.described_data(
            classes={name: int(n) for name, n in zip(evaluation.classes, evaluation.sizes, strict=True)},
            series=result.series,
        ),
        "held_out": {
            "right": evaluation.hits,
            "of": evaluation.n,
            "interval": list(evaluation.interval),
            "balanced": evaluation.balanced_accuracy,
            "balanced_interval": list(evaluation.balanced_interval),
            "sensitivity": {name: _figures(evaluation.sensitivity(name)) for name in evaluation.classes},
            "specificity": {name: _figures(evaluation.specificity(name)) for name in evaluation.classes},
            "auc": {name: _figures(evaluation.auc(name)) for name in evaluation.classes},
            "largest_class": evaluation.majority,
            "p": None if not len(evaluation.null) else evaluation.p,
            "verdicts": [frames.record(row) for row in evaluation.table().to_dict("records")],
        },
        "boundary": [item.boundary.tolist() for item in result.learned],
        "families": ranked,
        "levels": {name: list(result.levels[i]) for i, name in enumerate(result.variables_in_order)},
    }


def _figures(of: ClassShare | Auc) -> dict[str, Any]:
    """A share or an area with its interval."""
    return frames.record({"value": of.value, "low": of.low, "high": of.high})


def family_sentence(row: Any) -> str:
    """Whether a family separates the classes, and how far they are apart in it; of a row of `families`."""
    by_levels = bool(row["parents"] and row["levels"])
    text, effect = _family_verdict(row, by_levels), _effect_words(row)
    if row["chance"] <= SIGNIFICANCE and effect and not by_levels and not clear(row["low"], row["high"]):
        text += f", as a whole. Its largest single difference is inconclusive{effect}."
    else:
        text += f"{effect}."
    if by_levels:
        text += " The levels of its variables separate the classes by themselves."
    return text if row["used"] else f"{text} Verdicts are made without it."


def _family_verdict(row: Any, by_levels: bool) -> str:
    """'Beyond chance (p = .005 after correction for all links)'; inconclusive where its levels do as much."""
    what = "" if row["parents"] else "Its own levels, no parent: "
    if row["chance"] != row["chance"]:
        if what and row["levels"]:
            return "Its own levels separate the classes beyond chance"
        return f"{what}not tested" if what else "Not tested"
    text = "not beyond chance" if row["chance"] > SIGNIFICANCE else "inconclusive" if by_levels else "beyond chance"
    return _capital(f"{what}{text} ({p_value(row['chance'], corrected=True)} for all links)")


def _effect_words(row: Any) -> str:
    """': b = yes where a = no, 46 pp more often in ill (95 %: 13 to 70)', of the largest difference of a share."""
    if not row["where"]:
        return ""
    sign = 1 if row["effect"] >= 0 else -1
    size, *ends = (with_minus(f"{100 * sign * row[name]:.0f}") for name in ("effect", "low", "high"))
    interval = f" (95{NO_BREAK}%: {' to '.join(ends[::sign])})" if row["low"] == row["low"] else ""
    return f": {row['where']}, {size} pp {'more' if sign > 0 else 'less'} often in {row['network']}{interval}"

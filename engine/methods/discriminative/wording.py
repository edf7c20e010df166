"""The sentences of class-discriminative networks, and their document for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.methods import report
from engine.methods.discriminative.families import SIGNIFICANCE, beyond_chance, differing_levels, families
from engine.words import count, first, listed, p_value

if TYPE_CHECKING:
    from engine.methods.discriminative.evaluation import Evaluation
    from engine.methods.discriminative.result import DiscriminativeResult

NOT_CAUSAL = "An arc says that one value helps to tell what follows or goes with it in a class; it is not a cause."
SPARSE = 5
"""Observations of a row of a table below which it says little."""


def headline(result: DiscriminativeResult) -> str:
    """The accuracy on held-out points, beside chance."""
    evaluation = result.held_out
    low, high = evaluation.interval
    if evaluation.too_few:
        return (
            f"No verdict: {evaluation.too_few}. Of {count(evaluation.n, 'held-out ' + evaluation.noun)} "
            f"{evaluation.hits:,} classified correctly."
        )
    text = (
        f"Accuracy {share(evaluation.hits, evaluation.n)} (95 % interval {100 * low:.0f} to {100 * high:.0f}) on "
        f"{count(evaluation.n, 'held-out ' + evaluation.noun)}"
    )
    if evaluation.unequal:
        balanced = f"{evaluation.balanced_accuracy:.0%}, chance {1 / len(evaluation.classes):.0%}"
        return f"{text}; balanced accuracy {balanced}{chance_words(evaluation)}."
    return f"{text}; the largest class alone gives {evaluation.majority:.0%}{chance_words(evaluation)}."


def share(hits: int, n: int) -> str:
    """Hits of tries in percent, never rounded to all or none."""
    if 0 < hits < n and not 0.005 <= hits / n <= 0.995:
        return f"{hits / n:.1%}"
    return f"{hits / n:.0%}"


def chance_words(evaluation: Evaluation) -> str:
    """p of the whole procedure, as the end of a sentence; nothing without shuffles."""
    if not len(evaluation.null):
        return ""
    return f"; {p_value(evaluation.p)} ({len(evaluation.null):,} permutations)"


def sentences(result: DiscriminativeResult) -> list[str]:
    """The links that are beyond chance, and what the answer rests on."""
    evaluation = result.held_out
    sizes = listed(f"{n:,} {name}" for name, n in zip(evaluation.classes, evaluation.sizes, strict=True))
    smallest = int(evaluation.sizes.argmin())
    by_class = listed(
        f"{hits:,} of {n:,} {name}"
        for name, hits, n in zip(evaluation.classes, evaluation.by_class, evaluation.sizes, strict=True)
    )
    matches = [
        f"Classified correctly: {by_class}; the smallest class is {evaluation.classes[smallest]} with "
        f"{evaluation.sizes[smallest]:,}."
    ]
    if len(evaluation.null) and not evaluation.too_few:
        if evaluation.p <= SIGNIFICANCE:
            matches.append("Classes dealt at random are rarely classified as well.")
        else:
            matches.append(
                f"Classes dealt at random are often classified as well ({p_value(evaluation.p)}): whether these "
                "classes can be separated is inconclusive."
            )
    matches.append(link_sentence(result))
    lengths = evaluation.observations
    if result.series:
        few, many = int(lengths.min()), int(lengths.max())
        each = f"{few:,}" if few == many else f"{few:,} to {many:,}"
        matches.append(
            f"Learned from {int(lengths.sum()):,} steps of {count(evaluation.n, 'subject')} ({sizes}), {each} each."
        )
    else:
        matches.append(f"Learned from {count(evaluation.n, 'row')} ({sizes}).")
    return matches


def link_sentence(result: DiscriminativeResult) -> str:
    """The links that gain more than the permutations show."""
    ranked = families(result)
    linked = ranked[ranked["parents"].map(len) > 0]
    if not len(linked):
        return "No network has a link."
    if result.held_out.too_few:
        return f"No verdict on the {count(len(linked), 'family', 'families')} with a link: {result.held_out.too_few}."
    if not len(result.chance):
        return f"No permutation test was run, so no p is given for the {count(len(linked), 'family', 'families')}."
    significant = linked[beyond_chance(linked)]
    if not len(significant):
        return (
            f"Of {count(len(linked), 'family', 'families')} with a link none gains more than the best of the "
            "permutations; that alone does not make the classes equivalent."
        )
    named = first((_named(row) for row in significant.itertuples()), most=3, between="; ")
    beyond = count(len(significant), "link gains", "links gain")
    return f"{beyond} more than the best of at least 95 % of permutations: {named}."


def _named(item: Any) -> str:
    return f"{', '.join(name[:40] for name in item.parents)} -> {item.child[:40]} ({item.network[:40]})"


def notes(result: DiscriminativeResult) -> list[str]:
    """What limits the answer, one sentence each."""
    evaluation, method = result.held_out, result.method
    matches = [*result.words, *result.made.rows]
    if levels := differing_levels(result):
        matches.append(
            f"The levels of {first(name[:40] for name in levels)} tell the classes apart by themselves; a link from or "
            "to such a variable may say no more than that. The page Group differences asks of levels."
        )
    big, small = int(evaluation.sizes.max()), int(evaluation.sizes.min())
    if evaluation.unequal:
        weigh = (
            "they weigh alike here" if method.balance else "they do not weigh alike here, which spoils what is learned"
        )
        matches.append(
            f"The classes are unequal ({big:,} and {small:,}): {weigh}. To tell all of the larger class would be right "
            f"in {evaluation.majority:.0%}, and find nobody of the smaller."
        )
    thin, rows = thin_rows(result)
    if thin > 0.1 * rows:
        matches.append(
            f"{thin:,} of {rows:,} rows of the tables used rest on fewer than {SPARSE} observations in a class; fewer "
            "levels or parents would make them firmer."
        )
    if result.series and int(np.median(evaluation.observations)) < 100:
        matches.append("Series of fewer than about 100 steps tell little; what is missed here may still be there.")
    if small < 10:
        matches.append(
            f"With {count(small, evaluation.noun)} in the smallest class one verdict more or less moves everything."
        )
    used = [int(network.used.sum()) for item in result.learned for network in item.networks]
    if method.top_families is not None:
        matches.append(f"Verdicts use the {count(max(used), 'best family', 'best families')} of each network.")
    return matches


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
    """How verdicts were come by, and the area under the curve."""
    folds = len(np.unique(evaluation.folds[0]))
    often = "" if len(evaluation.scores) == 1 else f", {len(evaluation.scores)} times over"
    cuts = "" if evaluation.method.discretise == "given" else ", cut points of numbers too"
    result = [f"Everything was learned anew without each of {folds} folds{often}{cuts}."]
    if evaluation.noun == "subject" or evaluation.clusters is not None:
        result.append("All data of a subject are in one fold.")
    else:
        result.append(
            "Every row is taken for a person of its own; where it is not, say so on the data page, or a person's rows "
            "end on both sides of a fold."
        )
    if evaluation.method.discretise == "given":
        result.append("Cut points are those of the data page, which saw all subjects.")
    rarest = evaluation.classes[int(evaluation.sizes.argmin())]
    for name in (rarest,) if len(evaluation.classes) == 2 else evaluation.classes:
        area = evaluation.auc(name)
        wide = area.low < area.high  # an interval without a width is no certainty, only too little to tell
        interval = (
            f"95 %: {area.low:.2f} to {area.high:.2f}" if wide else f"too few to give an interval: {evaluation.n:,}"
        )
        result.append(f"AUC for {name}: {area.value:.2f} ({interval}).")
    return result


def cost_sentence(evaluation: Evaluation, of: str, cost_missed: float, cost_false: float, prevalence: float) -> str:
    """From which score it is cheapest to tell a class, and what that does here and where it shall be used."""
    at, name = evaluation.best_threshold(cost_missed, cost_false, prevalence, of), evaluation.display_name(of)[:40]
    if not np.isfinite(at):
        return f"At these costs it is cheapest to call nobody {name}."
    calls = evaluation.called_from(at, of)
    value = evaluation.predictive_value(at, prevalence, of)
    return (
        f"Cheapest among these {evaluation.n:,}: call {name} from a score of {at:.3g} up; {calls.found:,} of "
        f"{calls.found + calls.missed:,} found, {calls.alarms:,} of {calls.alarms + calls.spared:,} false positives. "
        f"Of those so called where {prevalence:.1%} are {name}, {value:.0%} would be."
    )


def document(result: DiscriminativeResult) -> dict[str, Any]:
    """Settings, classes, families, verdicts."""
    evaluation = result.held_out
    ranked = [report.record(row) for row in families(result).to_dict("records")]
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
            "largest_class": evaluation.majority,
            "p": None if not len(evaluation.null) else evaluation.p,
            "verdicts": [report.record(row) for row in evaluation.table().to_dict("records")],
        },
        "boundary": [item.boundary.tolist() for item in result.learned],
        "families": ranked,
        "levels": {name: list(result.levels[i]) for i, name in enumerate(result.variables_in_order)},
    }


def family_sentence(row: Any, noun: str) -> str:
    """What a link gains, beside chance, whether folds find it again, and how far apart the classes are."""
    if not row["parents"]:
        text = f"No parent: its own levels are worth {row['worth']:.1f} (PACL)"
    else:
        text = f"The link gains {row['gain']:+.1f} (PACL over none, less {count(int(row['added']), 'parameter')})"
    if row["chance"] == row["chance"]:
        beyond = "more than chance shows" if row["chance"] <= SIGNIFICANCE else "no more than chance may show"
        text += f", {beyond}: {p_value(row['chance'], corrected=True)} for all links"
    text += "."
    if row["parents"] and row["levels"]:
        text += " The levels of its variables separate the classes too, so whether the link does is inconclusive."
    if row["recurrence"] == row["recurrence"]:
        text += f" Found again in {row['recurrence']:.0%} of the folds, which share most of their {noun}s."
    if row["where"]:
        low, high = 100 * row["low"], 100 * row["high"]
        interval = "" if low != low else f" (95 %, corrected for choosing it: {low:+.0f} to {high:+.0f})"
        text += f" Largest difference: {100 * row['effect']:+.0f} percentage points{interval} of {row['where']}."
    if row["shift"]:
        text += f" It is shifted by {row['shift']}."
    return text if row["used"] else f"{text} Not used for verdicts."

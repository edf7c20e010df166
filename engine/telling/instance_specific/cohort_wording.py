"""A cohort in plain sentences, and its patterns and clusters with their words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from engine import words
from engine.data.spoken_levels import spoken_level
from engine.data.units import name_without_unit
from engine.lazy import pd
from engine.methods import frames
from engine.methods.instance_specific.cohort_evidence import (
    ABSENT,
    ADDED,
    CHANGES,
    DROPPED,
    KEPT,
    REVERSED,
    CohortEvidence,
)
from engine.methods.instance_specific.links import LinkWord
from engine.scores.instance import UNKNOWN
from engine.telling.instance_specific.links import in_points, other_values
from engine.telling.instance_specific.wording import WARNING_PUBLISHED
from engine.telling.spoken import level_words
from engine.text import Count, Name, Number, People, Share, Text, first, told

UNCHANGED = "links as in the population"
CHANGE_WORDS = {DROPPED: "left out for", ADDED: "taken in for", REVERSED: "linked in another direction to"}
MOST_CHANCE = 0.05
"""How often an excess may be told where there is none."""


def question(result: CohortEvidence) -> Text:
    """The question of many patients."""
    return told("Many patients beside each other: which kinds are there?")


def headline(result: CohortEvidence) -> Text:
    """The difference that is seen in the most patients: which link, for whom, and by how much."""
    n, changed = len(result.patients), _different(result)
    if result.method.mode == "published":
        return told(
            "By the published search some link differs for {} patients; read the warning.", _of_patients(changed, n)
        )
    different, chance = _told_of(result), result.without_context
    if math.isnan(result.least_p):
        return _untested_headline(result)
    enough = chance is not None and 1 / (1 + len(chance.least)) <= MOST_CHANCE
    if chance is not None and enough and (chance.p(result.least_p) > MOST_CHANCE or different / n <= chance.mean):
        return told(
            "No effect is seen to differ between patients beyond chance: for {} of {}, {} without interaction.",
            Share(different, n),
            People(n),
            Number(words.in_percent(chance.mean)),
        )
    if not result.differences:
        few = _of_patients(different, n)
        return told("For {} patients ({}) the effect of some link differs.", few, Share(different, n))
    most = result.differences[0]
    context = {name: result.levels[name][code] for name, code in most.given.items()}
    known = first(level_words(name, level) for name, level in context.items())
    is_turned = most.word == LinkWord.TURNED
    return told(
        "For {} of {} patients{} {} {} for {}{}: {}, {}: {}.",
        Share(most.patients, n),
        People(n),
        told(" ({})", known) if known else "",
        Name(most.source),
        "matters" if is_turned else str(most.word),
        Name(most.child),
        " the other way round" if is_turned else "",
        in_points(most.here),
        other_values(context, result.levels),
        in_points(most.others),
    )


def _of_patients(many: int, n: int) -> People:
    """'12 of 300'."""
    return People(many, of=n, written=f"{many:,} of {n:,}")


def _untested_headline(result: CohortEvidence) -> Text:
    """What the networks say where no effect could be compared between patients."""
    n, links = People(len(result.patients), "patient"), len(result.population.edges)
    if not links:
        return told("The population's network has no links, and so has that of each of {}.", n)
    if different := _different(result):
        few = People(different, of=len(result.patients), written=f"{different:,}")
        return told("In {} of {} links are other than in the population's network; effects were not compared.", few, n)
    template = "No effect could be compared between the {}; all have the same network, with {}."
    return told(template, n, Count(links, "link"))


def excess(result: CohortEvidence) -> list[Text]:
    """Both halves of the headline: the share of the patients, and what tables without interaction say."""
    chance = result.without_context
    if result.method.mode == "published":
        return []
    if math.isnan(result.least_p):
        return [
            told(
                "No link could be compared: that takes a variable with arrows from two others, and enough rows with "
                "each of their values."
            )
        ]
    if chance is None:
        return []
    n, different = len(result.patients), _told_of(result)
    ends = [words.in_percent(end) for end in chance.span]
    average = told(", {} on average", Number(words.in_percent(chance.mean))) if len(set(ends)) > 1 else ""
    return [
        told(
            "Some effect is larger or smaller than among patients with other values for {} of {} patients. In {} "
            "without interaction: {}{} (strongest difference: {}).",
            Share(different, n),
            People(n),
            Count(len(chance.shares), "table"),
            Number(" to ".join(dict.fromkeys(ends))),
            average,
            Number(words.p_value(chance.p(result.least_p))),
        ),
        told("Without interaction: the parents' effects on a variable add up on the log odds, fitted to these rows."),
    ]


def _different(result: CohortEvidence) -> int:
    """Patients whose network is not the population's."""
    return int((~np.isin(result.status, (KEPT, ABSENT))).any(axis=1).sum())


def _told_of(result: CohortEvidence) -> int:
    """Patients for whom some link is sure to be another."""
    return int(result.told.any(axis=1).sum())


def other_links(result: CohortEvidence) -> Text:
    """How many patients have other links than the population, which is another count than that of the headline."""
    different = _different(result)
    if not different:
        return told("No patient's network has other links than the population's.")
    return told(
        "The networks of {} patients have other links than the population's ({} in all){}",
        _of_patients(different, len(result.patients)),
        Count(result.n_patterns, "pattern"),
        "; a link that stays may differ in size." if result.told.any() else ".",
    )


def sentences(result: CohortEvidence) -> list[str]:
    """The link dropped most often, what the networks foretell, and what the answer rests on."""
    n = len(result.patients)
    frequencies = result.arc_frequencies.sort_values("dropped", ascending=False, kind="stable")
    said: list[str] = [*excess(result), other_links(result)]
    if len(frequencies) and frequencies["dropped"].iloc[0] > 0:
        top = frequencies.iloc[0]
        said.append(
            told(
                "The link left out most often is {} to {}, for {} of them; it is seen to be different for {}.",
                Name(top.source),
                Name(top.target),
                Share(top.dropped * n, n),
                Share(top.told * n, n),
            )
        )
    gain = result.held_out_gains[np.isfinite(result.held_out_gains)]
    if len(gain):
        error = float(gain.std(ddof=1) / math.sqrt(len(gain))) if len(gain) > 1 else math.nan
        said.append(
            told(
                "On average their own networks predict the patients' held-out values by {} nats against the "
                "population's{}.",
                Number(words.with_sign(gain.mean(), 3)),
                told(" (standard error {})", Number(f"{error:.3f}")) if math.isfinite(error) else "",
            )
        )
    rests = People(n), People(result.n_rows), Count(len(result.names))
    said.append(told("{} patients, {} rows, {} variables.", *rests))
    return said


def notes(result: CohortEvidence) -> list[str]:
    """The warning of the published search, and rows that belong together."""
    return [*([WARNING_PUBLISHED] if result.method.mode == "published" else []), *result.made.rows]


def patterns(result: CohortEvidence) -> pd.DataFrame:
    """Equal networks grouped, commonest first.

    Returns
    -------
    pandas.DataFrame: pattern, patients, share, contexts in words, arcs added, dropped and reversed, cluster
    """
    pattern, distinct, counts = result.patterns_of_patients
    rows = [
        {
            "pattern": number + 1,
            "patients": int(counts[number]),
            "share": counts[number] / len(result.patients),
            "contexts": _contexts(result, row, pattern == number),
            **{word: int((row == code).sum()) for word, code in CHANGES.items()},
            "cluster": int(result.cluster_numbers[number]) + 1,
        }
        for number, row in enumerate(distinct)
    ]
    return frames.data_frame(rows)


def clusters(result: CohortEvidence) -> pd.DataFrame:
    """Patients with like networks: cluster, name (by its commonest contexts), values (those that set its patients
    apart, numbers by their medians), patients, share, patterns, means.

    The mean held-out gain is that of the patients who have one, NaN where none has.
    """
    pattern, distinct, counts = result.patterns_of_patients
    rows = []
    for cluster in range(int(result.cluster_numbers.max()) + 1):
        members = np.flatnonzero(result.cluster_numbers == cluster)
        inside = np.isin(pattern, members)
        gains = result.held_out_gains[inside & np.isfinite(result.held_out_gains)]
        rows.append(
            {
                "cluster": cluster + 1,
                "name": _contexts(result, distinct[members[0]], pattern == members[0]),
                "values": values_words(result, inside),
                "patients": int(counts[members].sum()),
                "share": counts[members].sum() / len(result.patients),
                "patterns": len(members),
                "mean_log_ratio": float(result.ratios[inside].mean()),
                "mean_held_out_gain": float(gains.mean()) if len(gains) else np.nan,
            }
        )
    return frames.data_frame(rows)


def _contexts(result: CohortEvidence, row: np.ndarray, inside: np.ndarray) -> str:
    """What sets one pattern apart, in words; `inside` (patients,) says who has it."""
    values = {name: result.values[inside, i] for i, name in enumerate(result.network_of_all.names)}
    return contexts(result.arcs, row, values, result.levels)


MOST_VALUES = 3
"""Values that describe a kind of patients."""
LEAST_SHIFT, LEAST_SHARE, FEWEST = 0.25, 0.1, 5
"""Interquartile ranges between medians, and difference of a share, from which a value is named; fewest patients."""


def values_words(result: CohortEvidence, inside: np.ndarray) -> str:
    """'lactate 3.2 mmol/L (1.9), died = yes in 40 % (12 %)': medians and shares of some patients that differ most from
    those of the others, which stand in brackets; "" where none does."""
    sizes: list[tuple[float, str]] = []
    if min(inside.sum(), (~inside).sum()) < FEWEST:
        return ""
    for place, name in enumerate(result.network_of_all.names):
        if name in result.numbers:
            sides = [result.numbers[name][which] for which in (inside, ~inside)]
            sides = [side[~np.isnan(side)] for side in sides]
            if min(map(len, sides)) < FEWEST:
                continue
            low, high = np.quantile(np.concatenate(sides), (0.25, 0.75))
            one, other = (float(np.median(side)) for side in sides)
            unit = result.units.get(name, "")
            shift = abs(one - other) / (high - low or 1.0)
            said = " ".join(filter(None, [name_without_unit(name, unit), words.with_minus(f"{one:.4g}"), unit]))
            sizes.append((shift if shift >= LEAST_SHIFT else 0.0, f"{said} ({words.with_minus(f'{other:.4g}')})"))
            continue
        levels, codes = result.levels[name], result.values[:, place]
        shares = [
            np.bincount(codes[which & (codes != UNKNOWN)], minlength=len(levels))
            / max((which & (codes != UNKNOWN)).sum(), 1)
            for which in (inside, ~inside)
        ]
        spoken = spoken_level(levels)
        k = int(np.argmax(shares[0] - shares[1])) if spoken is None else spoken
        apart, text = abs(shares[0][k] - shares[1][k]), [words.in_percent(share[k]) for share in shares]
        sizes.append((2 * apart if apart >= LEAST_SHARE else 0.0, f"{name} = {levels[k]} in {text[0]} ({text[1]})"))
    named = sorted((size for size in sizes if size[0]), key=lambda size: -size[0])[:MOST_VALUES]
    return ", ".join(text for _, text in named)


def contexts(
    arcs: Sequence[tuple[str, str]],
    row: np.ndarray,
    values: Mapping[str, np.ndarray],
    levels: Mapping[str, Sequence[str]],
) -> str:
    """What sets one pattern apart, in words: the values its patients share, and the links these switch off.

    Values are those of the parents that stay; levels that differ inside the pattern are joined by "or".
    """
    by_child: dict[str, dict[int, list[str]]] = {}
    for (source, target), code in zip(arcs, row.tolist(), strict=True):
        by_child.setdefault(target, {}).setdefault(code, []).append(source)
    parts = []
    for child, own in by_child.items():
        changes = [
            f"{words.listed(own[code])} {'is' if len(own[code]) == 1 else 'are'} {verb} {child}"
            for code, verb in CHANGE_WORDS.items()
            if code in own
        ]
        if not changes:
            continue
        given = [_values(source, values[source], levels[source]) for source in own.get(KEPT, [])]
        condition = f"{', '.join(given)}: " if given else ""
        parts.append(condition + ", ".join(changes))
    return "; ".join(parts) or UNCHANGED


def _values(name: str, codes: np.ndarray, levels: Sequence[str]) -> str:
    met = [levels[code] for code in np.unique(codes[codes != UNKNOWN]).tolist()]
    return f"{name} = {' or '.join(met) or 'unknown'}"

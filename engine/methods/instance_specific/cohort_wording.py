"""A cohort in plain sentences, and a document for other programs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import words
from engine.data.units import name_without_unit
from engine.methods import frames
from engine.methods.instance_specific import wording
from engine.methods.instance_specific.links import LinkWord
from engine.scores.instance import UNKNOWN
from engine.telling.spoken import spoken_level

if TYPE_CHECKING:
    from engine.methods.instance_specific.cohort_result import CohortResult

UNCHANGED = "links as in the population"
ABSENT, DROPPED, KEPT, ADDED, REVERSED = -1, 0, 1, 2, 3
"""Codes of `CohortResult.arc_matrix`."""
CHANGES = {"added": ADDED, "dropped": DROPPED, "reversed": REVERSED}
CHANGE_WORDS = {DROPPED: "left out for", ADDED: "taken in for", REVERSED: "linked in another direction to"}
MOST_CHANCE = 0.05
"""How often an excess may be told where there is none."""


def headline(result: CohortResult) -> str:
    """The difference that is seen in the most patients: which link, for whom, and by how much."""
    n = len(result.patients)
    different = int(result.told.any(axis=1).sum())
    if result.method.mode == "published":
        return (
            f"By the published search some link differs for {_different(result):,} of {n:,} patients; read the warning."
        )
    chance = result.without_context
    if math.isnan(result.least_p):
        return _untested_headline(result)
    enough = chance is not None and 1 / (1 + len(chance.least)) <= MOST_CHANCE
    if chance is not None and enough and (chance.p(result.least_p) > MOST_CHANCE or different / n <= chance.mean):
        share = f"for {words.in_percent(different / n)} of {n:,} patients the effect of a link differs"
        return f"No excess: {share}, {words.in_percent(chance.mean)} in tables without interaction."
    if not result.differences:
        return (
            f"For {different:,} of {n:,} patients ({words.in_percent(different / n)}) the effect of some link differs."
        )
    most = result.differences[0]
    known = words.first(f"{name} = {result.levels[name][code]}" for name, code in most.given.items())
    whom = f"{words.in_percent(most.patients / n)} of {n:,} patients{f' ({known})' if known else ''}"
    turned = most.word == LinkWord.TURNED
    verb = "matters" if turned else most.word
    way = " the other way round" if turned else ""
    context = {name: result.levels[name][code] for name, code in most.given.items()}
    others = f"{wording.other_values(context, result.levels)}: {wording.in_points(most.others)}"
    sizes = f"{wording.in_points(most.here)}, {others}"
    return f"For {whom} {most.source} {verb} for {most.child}{way}: {sizes}."


def _untested_headline(result: CohortResult) -> str:
    """What the networks say where no effect could be compared between patients."""
    n, links = words.count(len(result.patients), "patient"), words.count(len(result.population.edges), "link")
    if not result.population.edges:
        return f"The population's network has no links, and so has that of each of {n}."
    if different := _different(result):
        return f"{different:,} of {n} have other links than the population's network; effects were not compared."
    return f"The networks of all {n} have the population's {links}; effects were not compared between them."


def excess(result: CohortResult) -> list[str]:
    """Both halves of the headline: the share of the patients, and what tables without interaction wording."""
    chance = result.without_context
    if result.method.mode == "published":
        return []
    if math.isnan(result.least_p):
        return [
            "An effect is compared among patients with other values of another parent, where enough rows have both."
        ]
    if chance is None:
        return []
    n, different = len(result.patients), int(result.told.any(axis=1).sum())
    runs, ends = words.count(len(chance.shares), "table"), [words.in_percent(end) for end in chance.span]
    span = " to ".join(dict.fromkeys(ends))
    average = f", {words.in_percent(chance.mean)} on average" if len(set(ends)) > 1 else ""
    p = words.p_value(chance.p(result.least_p))
    return [
        f"Some effect is larger or smaller than among patients with other values for {words.in_percent(different / n)} "
        f"of {n:,} patients. In {runs} without interaction: {span}{average} (strongest difference: {p}).",
        "Without interaction: the parents' effects on a variable add up on the log odds, fitted to these rows.",
    ]


def _different(result: CohortResult) -> int:
    """Patients whose network is not the population's."""
    return int((~np.isin(result.status, (KEPT, ABSENT))).any(axis=1).sum())


def other_links(result: CohortResult) -> str:
    """How many patients have other links than the population, which is another count than that of the headline."""
    different, n = _different(result), len(result.patients)
    if not different:
        return "No patient's network has other links than the population's."
    sentence = (
        f"The networks of {different:,} of {n:,} patients have other links than the population's "
        f"({words.count(result.n_patterns, 'pattern')} in all)"
    )
    return sentence + ("; a link that stays may differ in size." if result.told.any() else ".")


def sentences(result: CohortResult) -> list[str]:
    """The link dropped most often, what the networks foretell, and what the answer rests on."""
    method = result.method
    frequencies = result.arc_frequencies.sort_values("dropped", ascending=False, kind="stable")
    text = [*excess(result), other_links(result)]
    if len(frequencies) and frequencies["dropped"].iloc[0] > 0:
        top = frequencies.iloc[0]
        text.append(
            f"The link left out most often is {top.source} to {top.target}, for {words.in_percent(top.dropped)} of "
            f"them; it is seen "
            f"to be different for {words.in_percent(top.told)}."
        )
    gain = result.held_out_gains[np.isfinite(result.held_out_gains)]
    if len(gain):
        error = float(gain.std(ddof=1) / math.sqrt(len(gain))) if len(gain) > 1 else math.nan
        spread = f" (standard error {error:.3f})" if math.isfinite(error) else ""
        text.append(
            f"On average their own networks predict the patients' held-out values by "
            f"{words.with_sign(gain.mean(), 3)} nats against "
            f"the population's{spread}."
        )
    text.append(
        f"{len(result.patients):,} patients, {result.n_rows:,} rows, {len(result.names)} variables (equivalent sample "
        f"size {method.ess:g}, kappa {method.kappa:g}, {method.prior} prior)."
    )
    return text


def document(result: CohortResult) -> dict[str, Any]:
    """Settings, patients and the status of every arc; natural logs."""
    return {
        "settings": wording.settings(result),
        "data": {"fingerprint": result.fingerprint, "variables": list(result.names), "rows": result.n_rows},
        "patients": list(result.patients),
        "population": [list(arc) for arc in result.population.edges],
        "arcs": [list(arc) for arc in result.arcs],
        "status": result.status.tolist(),
        "status_words": {"-1": "absent", "0": "dropped", "1": "kept", "2": "added", "3": "reversed"},
        "log_likelihood_ratio": result.ratios.tolist(),
        "held_out_gain": list(frames.record(dict(enumerate(result.held_out_gains.tolist()))).values()),
        "cluster": result.by_patient()["cluster"].tolist(),
        "without_interaction": None if result.without_context is None else result.without_context.shares.tolist(),
        "clusters": [frames.record(row) for row in result.clusters.to_dict("records")],
    }


MOST_VALUES = 3
"""Values that describe a kind of patients."""
LEAST_SHIFT, LEAST_SHARE, FEWEST = 0.25, 0.1, 5
"""Interquartile ranges between medians, and difference of a share, from which a value is named; fewest patients."""


def values_words(result: CohortResult, inside: np.ndarray) -> str:
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
    named = sorted((item for item in sizes if item[0]), key=lambda item: -item[0])[:MOST_VALUES]
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

"""One patient's network in plain sentences, and a document for other programs."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from engine import words
from engine.methods import report
from engine.methods.instance_specific.evidence import FEW_CASES, known_values
from engine.methods.instance_specific.numbers import InstanceNumbers
from engine.methods.instance_specific.order_kept import NodeChoice
from engine.methods.instance_specific.settings import InstanceSpecificSettings
from engine.scores.instance import UNKNOWN

WARNING_PUBLISHED = (
    "This is the search as the paper published it. It may turn links round, and where the patient's network and the "
    "population's point in different directions the same rows are counted twice: large ratios then say little, and on "
    "new patients this mode has predicted worse than the population's network. It is here for teaching and for "
    "comparison; for reading one patient, keep the order."
)
NOT_CAUSAL = (
    "An arrow is not a cause: it says what helps to predict what. Where equivalent networks disagree about a "
    "direction, the data cannot tell it; and the same rows chose the network and gave its numbers."
)


def settings(method: InstanceSpecificSettings) -> dict[str, Any]:
    """The settings by name; nothing here is random, so the seed says nothing."""
    return {name: value for name, value in method.shown().items() if name != "seed"}


def headline(result: InstanceNumbers) -> str:
    """What changes for this patient, counted."""
    statuses = result.arc_changes["status"].tolist()
    dropped, added, turned = (statuses.count(status) for status in ("dropped", "added", "reversed"))
    total = len(statuses) - added
    if not total:
        return "The population's network has no links, so there is nothing that could differ for this patient."
    if dropped:
        first = f"For this patient, {dropped} of {total} links {'does' if dropped == 1 else 'do'} not apply"
    elif total == 1:
        first = "For this patient, the one link of the population applies"
    else:
        first = f"For this patient, all {total} links of the population apply"
    more = [f"{added} further {'link does' if added == 1 else 'links do'}"] if added else []
    if turned:
        more.append(f"{turned} {'differs' if turned == 1 else 'differ'} in direction")
    return "; ".join([first, *more]) + "."


def sentence(result: InstanceNumbers, choice: NodeChoice) -> str:
    """What changes at one variable, with the values it rests on."""
    name = result.name(choice.child)
    if not choice.changed:
        group = result.in_order(choice.population)
        if not group:
            return f"For {name} nothing changes: it depends on no other variable, for this patient as for everybody."
        unknown = [x for x in group if result.codes[x] == UNKNOWN]
        said = f"For {name} nothing changes: it depends on {words.listed(group)}, as for everybody."
        if unknown:
            verb, them = ("is", "it") if len(unknown) == 1 else ("are", "them")
            said += f" The patient's {words.listed(unknown)} {verb} unknown, so no context can rest on {them}."
        return said
    if result.network.cpdag is not None:
        if name not in _relinked(result):
            return (
                f"For {name} no link changes; one of its links has no direction in the population's network, which the "
                "paper's score counts as an added parent."
            )
        return (
            f"In the patient's network {name} depends on {_or_nothing(result.in_order(choice.parents))}; by the "
            f"population's directed links it depends on {_or_nothing(result.in_order(choice.population))}."
        )
    dropped = result.in_order(set(choice.population) - set(choice.parents))
    added = result.in_order(set(choice.parents) - set(choice.population))
    given = words.listed(known_values(result, choice.parents))
    rests = words.listed(known_values(result, tuple(x for x in choice.parents if x in choice.population)))
    because = f"Because {rests}, " if rests else "For this patient "
    parts = []
    if dropped:
        matter = "matters" if len(dropped) == 1 else "matter"
        parts.append(f"{because}{words.listed(dropped)} no longer {matter} for {name}")
    if added:
        also = "also matters" if len(added) == 1 else "also matter"
        begin = because if not dropped else ""
        parts.append(f"{begin}{words.listed(added)} {also} for {name} (among cases with {given})")
    return "; ".join(parts) + "."


def _or_nothing(names: Iterable[str]) -> str:
    return words.listed(names) or "nothing"


def _relinked(result: InstanceNumbers) -> set[str]:
    """The variables at which some link differs from the population's."""
    links = result.arc_changes
    differing = links[links["status"] != "kept"]
    return {*differing["source"], *differing["target"]}


def notes(result: InstanceNumbers) -> list[str]:
    """What limits the answer for this patient, one sentence each."""
    found = list(result.not_known)
    unknown = [name for name in result.names if result.codes[name] == UNKNOWN and name != result.target]
    if len(unknown) == len(result.names) - (result.target is not None):
        found.append(
            "No value of this patient is known, so nothing can differ from the population; fill in what you know."
        )
    elif unknown:
        shown = words.listed(unknown) if len(unknown) <= 5 else words.first(unknown)
        found.append(f"Unknown and therefore in no context: {shown}.")
    for name in result.names:
        if name in result.unseen:
            level = result.levels[name][result.codes[name]]
            found.append(f"No row has {name} = {level}, so nothing can be learned from cases like this in {name}.")
    families = result.families()
    thin = [name for name in result.names if families.at[name, "changed"] and families.at[name, "few_cases"]]
    if thin:
        found.append(
            f"Fewer than {FEW_CASES} similar cases stand behind what changes for {words.listed(thin)}: read with care."
        )
    if result.target is not None and result.predicted is None:
        found.append("Too many unknown values hang together to work out the prediction; fill in some of them.")
    return found


def sentences(result: InstanceNumbers) -> list[str]:
    """What changes, and what that rests on."""
    method = result.method
    who = "The patient" if result.row is None else f"The patient (row {result.row}, counted from 0)"
    differing = _relinked(result)
    changed = [result.choice(name) for name in result.names if name in differing and result.choice(name).changed]
    left_out = ", the patient's own row left out" if result.row is not None and result.target is not None else ""
    said = [sentence(result, choice) for choice in changed[:8]]
    if len(changed) > 8:
        said.append(f"{len(changed) - 8} more variables change, as the families tell.")
    said.append(
        f"{who}, with {len(result.patient)} of {len(result.names)} values known, was compared with {result.n_rows:,} "
        f"rows{left_out} (equivalent sample size {method.ess:g}, kappa {method.kappa:g}, {method.prior} prior)."
    )
    ratio, gain = result.log_likelihood_ratio, result.held_out.gain
    if method.mode == "published":
        said += [WARNING_PUBLISHED, f"The paper's ratio (equation 14) is {ratio:.1f} nats."]
    elif changed:
        odds = words.odds(ratio, "about ")
        said.append(f"The patient's network explains the rows better by {ratio:.1f} nats ({odds} it).")
    if changed and math.isfinite(gain):
        said.append(
            f"It foretells the patient's own {result.held_out.variables} known values "
            + (
                "as well as the population's."
                if abs(gain) < 0.005
                else f"{'better' if gain > 0 else 'worse'} than the population's, by {abs(gain):.2f} nats."
            )
        )
    return said


def document(result: InstanceNumbers) -> dict[str, Any]:
    """Settings, data, patient, networks and choices; natural logs."""
    families = result.families()
    held_out = result.held_out
    return {
        "settings": settings(result.method),
        "data": {
            "fingerprint": result.fingerprint,
            "variables": list(result.names),
            "levels": {name: list(result.levels[name]) for name in result.names},
            "rows": result.n_rows,
        },
        "patient": {"row": result.row, "values": result.patient, "target": result.target},
        "networks": {title: [list(arc) for arc in graph.edges] for title, graph in result.graphs().items()},
        "links": [report.record(row) for row in result.arc_changes.to_dict("records")],
        "families": {name: report.record(families.loc[name].to_dict()) for name in result.names},
        "distributions": {
            name: [report.record(row) for row in result.distributions(name).to_dict("records")] for name in result.names
        },
        "log_likelihood_ratio": result.log_likelihood_ratio,
        "log_ratio_terms": result.log_ratio_terms.to_dict(),
        "log_ratio_parts": result.log_ratio_parts().to_dict(),
        "held_out": report.record(
            {"instance": held_out.instance, "population": held_out.population, "variables": held_out.variables}
        ),
        "prediction": None if result.prediction is None else result.prediction.to_dict(),
    }

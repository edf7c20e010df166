"""A log-linear analysis in plain sentences, and a document for other programs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import words
from engine.methods import report
from engine.methods.log_linear import tables
from engine.methods.log_linear.evidence.pair_screening import beyond_chance, rule_sentences
from engine.methods.log_linear.evidence.false_links import false_words
from engine.methods.log_linear.wording import p_words, pair_of, sentence, too_few
from engine.methods.log_linear.evidence.thin_tables import is_thin, strata
from engine.methods.log_linear.result import LogLinearModel
from engine.methods.log_linear.power import Margins, power_sentence
from engine.methods.log_linear.settings import WITH_ALPHA

FEW_ROWS = 30
NOT_CAUSAL = (
    "A link is not a cause: it says that two variables hang together beyond what the others explain. A missing link "
    "says that nothing more was found, not that there is nothing."
)


def headline(result: LogLinearModel) -> str:
    """How many links there are, how many of them chance alone could show, and between how many variables."""
    if result.undecided:
        return f"Inconclusive: no link can be judged. {too_few(result)}"
    edges, alone = result.chosen.n_edges, len(result.isolated)
    n = len(result.names)
    if not edges:
        return f"No link between any two of the {n:,} variables shows in {words.count(result.n_rows, 'row')}."
    links = "1 link connects" if edges == 1 else f"{edges:,} links connect"
    rest = f"; {alone:,} stand{'s' if alone == 1 else ''} alone" if alone else ""
    return f"{links} {n - alone:,} of the {n:,} variables directly{rest}.{_doubt(result)}"


def _doubt(result: LogLinearModel) -> str:
    """How many of the links are no more than chance shows among so many pairs."""
    doubtful = doubtful_links(result)
    if not doubtful:
        return ""
    if len(doubtful) == result.chosen.n_edges:
        return f" Chance alone could show {'it' if len(doubtful) == 1 else 'each of them'}."
    return f" Chance alone could show {len(doubtful):,} of them."


def doubtful_links(result: LogLinearModel) -> list[tuple[str, str]]:
    """The links whose p, times the number of pairs, is above `CHANCE`, weakest first; and those that have no p."""
    found = [
        pair
        for pair in result.worth
        if result.undecided
        or pair not in result.standings
        or not beyond_chance(result.standings[pair].log10_p, result.pairs)
    ]
    return found[::-1]


def sentences(result: LogLinearModel) -> list[str]:
    """The strongest link, the largest group, and what the answer rests on."""
    method, found = result.method, []
    known = [pair for pair, about in result.worth.items() if math.isfinite(about.evidence_bits)]
    if known and not result.undecided:
        a, b = known[0]
        stand, saved = result.standings[a, b], result.worth[a, b].evidence_bits
        found.append(
            f"The strongest is {a} with {b}: without it the message would be {saved:,.1f} bits longer; the rows are "
            f"{words.evidence(stand.log_bayes_factor, 'a link')}, {p_words(stand.log10_p)}."
        )
        if note := result.link_notes.get((a, b)):
            found.append(f"But of {a} and {b}: {note}")
    largest = result.cliques[0] if result.cliques else ()
    if len(largest) > 2:
        found.append(f"The largest group that hangs together whole has {len(largest)} variables: {', '.join(largest)}.")
    message = result.message["total"]
    found.append(
        f"{result.n_rows:,} rows, {len(result.names)} variables, criterion {method.criterion}"
        f"{' with two links at once' if method.joint else ''}; message length {message['no edges']:,.0f} bits without "
        f"links, {message['this model']:,.0f} with these."
    )
    return found


def row_notes(result: LogLinearModel) -> list[str]:
    """What rows that belong together are worth, and what may be said of the rows."""
    told = result.subject and not result.undecided  # of too few subjects nobody knows what the rows are worth
    about = (result.subject, result.n_rows, result.subjects, result.size, result.alone)
    return [*([words.together(*about)] if told else []), *result.made.rows]


def notes(result: LogLinearModel) -> list[str]:
    """What limits the answer."""
    method, found = result.method, [*rule_sentences(result.before.rules), *row_notes(result)]
    if result.size < FEW_ROWS:
        found.append(f"{words.count(result.n_rows, 'row')} are few: only very strong links could show.")
    if len(result.names) < 2:
        found.append("One variable has nothing to hang together with; choose more.")
    if (false := false_links_sentence(result)) and len(result.names) > 1:
        found.append(false)
    if power := power_sentence(_margins(result), result.n_rows, method.criterion, method.alpha):
        found.append(power)
    constant = [name for name, one in zip(result.sorted_names, result.singles, strict=True) if len(one.counts) < 2]
    if constant:
        found.append(f"Only one value occurs, which can tell nothing of a link: {words.first(constant)}.")
    if method.criterion in ("kl", "ah"):
        found.append(f"The criterion '{method.criterion}' finds links that are not there; it is for comparison.")
    if method.criterion in WITH_ALPHA:
        found += _thin_note(result)
    if given := result.begun.n_edges:
        found.append(
            f"{given} of the {result.chosen.n_edges} links {'was' if given == 1 else 'were'} given (forced, or to "
            "start from), not found by the search."
        )
    if result.filled:
        pairs = ", ".join(" - ".join(result.in_order(edge)) for edge in result.filled[:5])
        found.append(f"Added so that the model keeps a closed form: {pairs}.")
    return found


def false_links_sentence(result: LogLinearModel) -> str:
    """How often this criterion finds a link where there is none, in tables of about this size; "" where unknown."""
    levels = math.exp(float(np.log(np.maximum(result.arity, 1)).mean())) if len(result.arity) else 1.0
    method = result.method
    rows = max(round(result.size), 1)
    return false_words(method.criterion, method.joint, rows, len(result.names), levels)


def _thin_note(result: LogLinearModel) -> list[str]:
    """How p was found where cells are few."""
    thin = sum(is_thin(strata(step.table), result.effect) for step in result.accepted)
    if not thin:
        return []
    many = f"{thin} of the {len(result.accepted)} links rest on tables with few rows a cell"
    if result.method.thin_tables == "drawn":
        return [f"{many}; their p comes from tables drawn with the same margins."]
    return [f"{many}, where the published test finds links too easily; let p be drawn, or merge rare levels."]


def _margins(result: LogLinearModel) -> list[Margins]:
    """Every variable with its levels and how often each occurs, divided by the design effect."""
    return [
        (name, result.levels[name], one.dense(result.arity) / result.effect)
        for name, one in zip(result.sorted_names, result.singles, strict=True)
    ]


def independence(result: LogLinearModel, a: str, b: str) -> str:
    """What may be said of two variables."""
    return sentence(result, pair_of(result, a, b))


def document(result: LogLinearModel) -> dict[str, Any]:
    """Settings, model and story; lengths in bits."""
    return {
        "settings": result.method.shown(),
        "data": {
            "fingerprint": result.fingerprint,
            "variables": list(result.names),
            "levels": {name: list(result.levels[name]) for name in result.names},
            "rows": result.n_rows,
            **_clusters(result),
        },
        "formula": result.formula,
        "cliques": result.cliques,
        "separators": result.separators,
        "edges": [report.record(row) for row in tables.edges(result)],
        "start": [result.in_order(edge) for edge in result.begun.edges()],
        "filled_in": [result.in_order(edge) for edge in result.filled],
        "steps": [report.record(row) for row in tables.steps(result).to_dict("records")],
        "refused": [report.record(row) for row in tables.refused(result).to_dict("records")],
        "message_bits": {name: report.record(row) for name, row in result.message.to_dict("index").items()},
    }


def rows_table(result: LogLinearModel) -> dict[str, int]:
    """Facts of the rows for the table of settings."""
    found = {"rows": result.n_rows}
    if result.subjects:
        found |= {f"subjects ({result.subject})": result.subjects, "rows they are worth": max(round(result.size), 1)}
    return found


def _clusters(result: LogLinearModel) -> dict[str, Any]:
    """Which rows belong together, where some do."""
    if not result.subjects:
        return {}
    return {"subject": result.subject, "subjects": result.subjects, "design_effect": result.effect}

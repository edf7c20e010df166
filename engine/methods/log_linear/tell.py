"""A log-linear analysis in plain sentences, and a document for other programs."""

from __future__ import annotations

import math
from typing import Any

from engine import words
from engine.graphs.dag import bits
from engine.methods import report
from engine.methods.log_linear import tables
from engine.methods.log_linear.message import detectable_odds_ratio
from engine.methods.log_linear.model import LogLinearModel

FEW_ROWS = 30
FEW_PER_CELL = 5
NOT_CAUSAL = (
    "An edge is not a cause: it says that two variables hang together beyond what the others explain. A missing edge "
    "says that nothing more was found, not that there is nothing."
)


def headline(result: LogLinearModel) -> str:
    """How many links there are, and between how many variables."""
    edges, alone = result.chosen.n_edges, len(result.isolated)
    n = len(result.names)
    if not edges:
        return f"No two of the {n} variables hang together as far as {result.n_rows:,} rows can tell."
    links = "1 link connects" if edges == 1 else f"{edges} links connect"
    rest = f"; {alone} stand{'s' if alone == 1 else ''} alone" if alone else ""
    return f"{links} {n - alone} of the {n} variables directly{rest}."


def sentences(result: LogLinearModel) -> list[str]:
    """The strongest link, the largest group, and what the answer rests on."""
    method, found = result.method, []
    known = [(a, b, about) for a, b, about in result.graph.edges(data=True) if math.isfinite(about["evidence_bits"])]
    if known:
        a, b, about = max(known, key=lambda edge: edge[2]["evidence_bits"])
        found.append(
            f"The strongest is {a} with {b}: without it the message would be {about['evidence_bits']:,.1f} bits longer."
        )
    largest = result.cliques[0] if result.cliques else ()
    if len(largest) > 2:
        found.append(f"The largest group that hangs together whole has {len(largest)} variables: {', '.join(largest)}.")
    message = result.message["total"]
    found.append(
        f"{result.n_rows:,} rows, {len(result.names)} variables, criterion {method.criterion}"
        f"{' with two edges at once' if method.joint else ''}; message length {message['no edges']:,.0f} bits without "
        f"edges, {message['this model']:,.0f} with these."
    )
    return found


def notes(result: LogLinearModel) -> list[str]:
    """What limits the answer."""
    found = []
    if result.n_rows < FEW_ROWS:
        found.append(f"{result.n_rows} rows are few: only very strong links could show.")
    if len(result.names) < 2:
        found.append("One variable has nothing to hang together with; choose more.")
    odds = detectable_odds_ratio(result.n_rows, len(result.names))
    if math.isfinite(odds) and result.method.criterion == "mml":
        found.append(
            f"With {result.n_rows:,} rows and {len(result.names)} variables, a link between two even yes/no variables "
            f"shows from an odds ratio of about {odds:.2g} up."
        )
    constant = [name for name, one in zip(result.sorted_names, result.singles, strict=True) if len(one.counts) < 2]
    if constant:
        found.append(f"Only one value occurs, which can tell nothing of a link: {words.first(constant)}.")
    if result.method.criterion in ("kl", "ah"):
        found.append(f"The criterion '{result.method.criterion}' finds links that are not there; it is for comparison.")
    if result.method.criterion in ("smt", "chi2"):
        thin = [
            step for step in result.accepted if result.n_rows < FEW_PER_CELL * step.table.cells_possible(result.arity)
        ]
        if thin:
            found.append(
                f"The tests are approximate where cells are few: {len(thin)} of the {len(result.accepted)} links rest "
                f"on tables with fewer than {FEW_PER_CELL} rows a cell; merge rare levels or use 'mml'."
            )
    if given := result.begun.n_edges:
        found.append(
            f"{given} of the {result.chosen.n_edges} links {'was' if given == 1 else 'were'} given (forced, or to "
            "start from), not found by the search."
        )
    if result.filled:
        pairs = ", ".join(" - ".join(result.in_order(edge)) for edge in result.filled[:5])
        found.append(f"Added so that the model keeps a closed form: {pairs}.")
    return found


def independence(result: LogLinearModel, a: str, b: str) -> str:
    """What the model says of two variables."""
    result.edge(a, b)
    x, y = result.position(a), result.position(b)
    if result.chosen.has(x, y):
        about = result.graph.edges[a, b]
        bits_worth = about["evidence_bits"]
        if math.isfinite(bits_worth):
            return f"{a} and {b} hang together directly; the link is worth {bits_worth:,.1f} bits."
        return f"{a} and {b} hang together directly, in {about['cliques']} groups; the link cannot be taken away alone."
    neighbours = result.chosen.neighbours
    beyond = result.chosen.component(y, neighbours[x])
    touching = 0
    for z in bits(beyond):
        touching |= neighbours[z]
    given = result.in_order(bits(touching & neighbours[x]))
    if not given:
        return f"{a} and {b} are independent: nothing connects them."
    return f"{a} and {b} are independent given {', '.join(given)}."


def document(result: LogLinearModel) -> dict[str, Any]:
    """Settings, model and story; lengths in bits."""
    return {
        "settings": result.method.shown(),
        "data": {
            "fingerprint": result.fingerprint,
            "variables": list(result.names),
            "levels": {name: list(result.levels[name]) for name in result.names},
            "rows": result.n_rows,
        },
        "formula": result.formula,
        "cliques": result.cliques,
        "separators": result.separators,
        "edges": [report.record({"a": a, "b": b, **about}) for a, b, about in result.graph.edges(data=True)],
        "start": [result.in_order(edge) for edge in result.begun.edges()],
        "filled_in": [result.in_order(edge) for edge in result.filled],
        "steps": [report.record(row) for row in tables.steps(result).to_dict("records")],
        "refused": [report.record(row) for row in tables.refused(result).to_dict("records")],
        "message_bits": {name: report.record(row) for name, row in result.message.to_dict("index").items()},
    }

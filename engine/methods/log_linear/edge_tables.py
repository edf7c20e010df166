"""The edges of a log-linear result as tables: taken, in order, refused, claimed, of two models, and for programs."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import DataError
from engine.graphs.dag import bits
from engine.methods import report
from engine.methods.log_linear.counts import Margin
from engine.methods.log_linear.criteria import LN2
from engine.methods.log_linear.edge_support import MARGIN, largest_shift
from engine.methods.log_linear.pair_screening import beyond_chance
from engine.methods.result import CANNOT_TELL, CLAIMS, NO, YES

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from engine.methods.log_linear.result import LogLinearResult


def table(result: LogLinearResult, title: str) -> pd.DataFrame:
    """See `LogLinearResult.table`."""
    import pandas as pd

    if title == "Edges":
        columns = ["a", "b", "evidence_bits", "removable", "cliques", "entry_bits"]
        columns += ["note"] if result.link_notes else []
        return pd.DataFrame(edges(result), columns=columns).sort_values(
            "evidence_bits", ascending=False, kind="stable", ignore_index=True
        )
    if title == "Groups":
        return pd.DataFrame([(", ".join(g), len(g)) for g in result.cliques], columns=["variables", "size"])
    if title == "Message":
        return result.message.reset_index(names="model")
    if title == "Settings":
        rows = {"rows": result.n_rows}
        if result.subjects:
            rows |= {f"subjects ({result.subject})": result.subjects, "rows they are worth": max(round(result.size), 1)}
        return report.settings_table(result.settings(), rows, result.fingerprint, result.made.versions)
    return report.readable(result.steps if title == "Steps" else result.refused)


def variables(result: LogLinearResult) -> pd.DataFrame:
    """See `LogLinearResult.variables`."""
    import pandas as pd

    graph = result.graph
    groups = Counter(name for group in result.linked_cliques for name in group)
    return pd.DataFrame(
        {
            "levels": [len(result.levels[name]) for name in result.names],
            "links": [graph.degree[name] for name in result.names],
            "groups": [groups[name] for name in result.names],
        },
        index=pd.Index(result.names, name="variable"),
    )


def edges(result: LogLinearResult) -> list[dict[str, Any]]:
    """One row a link, with its note where any link has one."""
    notes = result.link_notes
    rows = [{"a": a, "b": b, **about} for a, b, about in result.graph.edges(data=True)]
    if notes:
        for row in rows:
            row["note"] = notes.get((row["a"], row["b"]), "")
    return rows


def steps(result: LogLinearResult) -> pd.DataFrame:
    """See `LogLinearResult.steps`."""
    import pandas as pd

    total = result.start_bits
    rows = []
    for number, (step, matches) in enumerate(zip(result.accepted, result.entries, strict=True), 1):
        total -= matches.saving_bits
        a, b = result.pair((step.a, step.b))
        rows.append(
            {
                "step": number,
                "a": a,
                "b": b,
                "saving_bits": matches.saving_bits,
                "graph_bits": -matches.message.graph / LN2,
                "parameter_bits": -matches.message.parameters / LN2,
                "data_bits": -matches.message.data / LN2,
                "total_bits": total,
                "separator": result.in_order(bits(step.separator)),
                "df": matches.degrees,
                "G": matches.statistic,
                "log10_p": result.support_of(step.table).log10_p,
                "joint": step.joint,
            }
        )
    columns = ["step", "a", "b", "saving_bits", "graph_bits", "parameter_bits", "data_bits", "total_bits"]
    return pd.DataFrame(rows, columns=[*columns, "separator", "df", "G", "log10_p", "joint"])


def refused(result: LogLinearResult) -> pd.DataFrame:
    """See `LogLinearResult.refused`."""
    import pandas as pd

    rows = []
    for item in result.declined:
        matches = result.evidence(item.step)
        a, b = result.pair((item.step.a, item.step.b))
        rows.append(
            {
                "a": a,
                "b": b,
                "separator": result.in_order(bits(item.step.separator)),
                "short_by_bits": -item.step.margin / LN2,
                "rows_factor": item.rows_factor,
                "saving_bits": matches.saving_bits,
                "df": matches.degrees,
                "G": matches.statistic,
                "log10_p": result.support_of(item.step.table).log10_p,
            }
        )
    columns = ["a", "b", "separator", "short_by_bits", "rows_factor", "saving_bits", "df", "G", "log10_p"]
    matches = pd.DataFrame(rows, columns=columns)
    factor = matches["rows_factor"].to_numpy(float)
    matches["rows_factor"] = pd.array(np.where(np.isfinite(factor), factor, 0), "Float64")
    matches.loc[~np.isfinite(factor), "rows_factor"] = pd.NA  # not known, or none that was tried would do
    return matches


def replay(result: LogLinearResult, step: int) -> nx.Graph:
    """See `LogLinearResult.replay`."""
    import networkx as nx

    if not 0 <= step <= len(result.accepted):
        raise DataError(f"There is no step {step}; steps are numbered 0 to {len(result.accepted)}.")
    graph = nx.Graph()
    graph.add_nodes_from(result.names)
    edges = [*result.begun.edges(), *((item.a, item.b) for item in result.accepted[:step])]
    graph.add_edges_from(result.pair(edge) for edge in edges)
    return graph


def directed(result: LogLinearResult) -> nx.DiGraph:
    """See `LogLinearResult.directed`."""
    import networkx as nx

    order = result.chosen.elimination_order() or []
    rank = {x: i for i, x in enumerate(reversed(order))}
    graph = nx.DiGraph()
    graph.add_nodes_from(result.names)
    for a, b in result.chosen.edges():
        first, second = (a, b) if rank[a] < rank[b] else (b, a)
        graph.add_edge(result.sorted_names[first], result.sorted_names[second])
    return graph


def compare(result: LogLinearResult, other: LogLinearResult) -> pd.DataFrame:
    """See `LogLinearResult.compare`."""
    import pandas as pd

    if result.names != other.names:
        raise DataError("The two models stand over different variables and cannot be compared.")
    ours, theirs = result.graph, other.graph
    place = {name: i for i, name in enumerate(result.names)}
    either = {tuple(sorted(edge, key=place.__getitem__)) for edge in (*ours.edges, *theirs.edges)}
    edges = sorted(either, key=lambda edge: (place[edge[0]], place[edge[1]]))
    rows = [
        {
            "a": a,
            "b": b,
            "in_this": ours.has_edge(a, b),
            "in_other": theirs.has_edge(a, b),
            "bits_here": ours.edges[a, b]["evidence_bits"] if ours.has_edge(a, b) else math.nan,
            "bits_there": theirs.edges[a, b]["evidence_bits"] if theirs.has_edge(a, b) else math.nan,
        }
        for a, b in edges
    ]
    return pd.DataFrame(rows, columns=["a", "b", "in_this", "in_other", "bits_here", "bits_there"])


def claims(result: LogLinearResult) -> pd.DataFrame:
    """See `LogLinearResult.claims`."""
    import pandas as pd

    pairs = [(pair, result.edge_table(pair), True) for pair in result.graph.edges]
    pairs += [(result.pair((item.step.a, item.step.b)), item.step.table, False) for item in result.declined]
    rows = [
        (f"{a} -- {b}", "linked", *_claim(result, table, linked=linked), result.n_rows)
        for (a, b), table, linked in pairs
    ]
    return pd.DataFrame(rows, columns=list(CLAIMS))


def _claim(
    result: LogLinearResult, table: Margin | None, *, linked: bool
) -> tuple[str, float, float, float, float, float, float]:
    """Verdict, log Bayes factor, probability, chance, effect, low and high of one pair."""
    nothing = math.nan
    if table is None or result.undecided:
        return CANNOT_TELL, nothing, nothing, nothing, nothing, nothing, nothing
    support = result.support_of(table)
    shift, high = largest_shift(table, result.sorted_names, result.method.seed, result.effect)
    beyond = beyond_chance(support.log10_p, result.pairs)
    verdict = CANNOT_TELL
    if linked and beyond:
        verdict = YES
    elif not linked and not beyond and high < MARGIN:
        verdict = NO
    chance = min(1.0, 10.0**support.log10_p * result.pairs)
    return verdict, support.log_bayes_factor, nothing, chance, shift, nothing, high


def document(result: LogLinearResult) -> dict[str, Any]:
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
        "edges": [report.record(row) for row in edges(result)],
        "start": [result.in_order(edge) for edge in result.begun.edges()],
        "filled_in": [result.in_order(edge) for edge in result.filled],
        "steps": [report.record(row) for row in steps(result).to_dict("records")],
        "refused": [report.record(row) for row in refused(result).to_dict("records")],
        "message_bits": {name: report.record(row) for name, row in result.message.to_dict("index").items()},
    }


def _clusters(result: LogLinearResult) -> dict[str, Any]:
    """Which rows belong together, where some do."""
    if not result.subjects:
        return {}
    return {"subject": result.subject, "subjects": result.subjects, "design_effect": result.effect}

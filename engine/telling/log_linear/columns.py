"""The tables of associations: what their columns are, their rows, and the document for other programs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engine.lazy import pd
from engine.methods import frames
from engine.methods.log_linear.edge_tables import refused, steps
from engine.methods.log_linear.evidence import LogLinearEvidence
from engine.methods.log_linear.pair_evidence import contrast_of, held_fixed
from engine.telling.log_linear.wording import contrast_brief, link_notes
from engine.telling.masking import Hidden
from engine.telling.tables import TableDescription, described, readable

TABLES: Mapping[str, TableDescription] = {
    "Edges": TableDescription(
        "Every link of the model: the level and the rows whose shares differ most, with 95 % intervals.",
        described(
            text="a; b; shares; note",
            number="evidence_bits: worth, bits; entry_bits: gain when it came, bits; partial_correlation: partial rank "
            "correlation (95 %); low; high",
            p="p",
            flag="removable: may be left out by itself",
            whole="cliques: in so many groups",
        ),
        keys=("a", "b"),
        ends={"partial_correlation": ("low", "high")},
        chart="evidence_bits",
        technical=("evidence_bits", "entry_bits", "removable", "cliques", "partial_correlation", "low", "high"),
    ),
    "Groups": TableDescription(
        "Variables that are all linked with each other, some perhaps only with others held fixed.",
        described(text="variables", whole="size"),
        keys=("variables",),
        apart=True,
    ),
    "Steps": TableDescription(
        "How the model was built, link by link.",
        described(
            text="a; b; separator: given",
            whole="step",
            number="saving_bits: saved, bits; graph_bits: graph, bits; parameter_bits: parameters, bits; "
            "data_bits: data, bits; total_bits: length, bits; df; G",
            log10_p="log10_p: p",
            flag="joint",
        ),
        keys=("step", "a", "b"),
    ),
    "Not taken": TableDescription(
        "The links that came nearest, and how far short they fell.",
        described(
            text="a; b; separator: given",
            number="short_by_bits: short by, bits; rows_factor: times the rows needed; saving_bits: saved, bits; df; G",
            log10_p="log10_p: p",
        ),
        keys=("a", "b"),
    ),
    "Message": TableDescription(
        "Lengths in bits.", described(text="model", number="graph; parameters; data; total"), keys=("model",)
    ),
}


def tables(result: LogLinearEvidence) -> dict[str, Callable[[], pd.DataFrame]]:
    """Title -> what makes that table."""
    return {
        "Edges": lambda: _edge_frame(result),
        "Steps": lambda: readable(steps(result)),
        "Not taken": lambda: readable(refused(result)),
        "Groups": lambda: frames.data_frame(
            [(", ".join(group), len(group)) for group in result.cliques], columns=["variables", "size"]
        ),
        "Message": lambda: result.message.reset_index(names="model"),
    }


def hidden_in(result: LogLinearEvidence, title: str, least: int) -> Hidden | None:
    """See `Result.hidden_in`: shares that stand in words would tell small counts, so none of them is shown.

    Parameters
    ----------
    title : one of `table_titles()`
    least : the smallest count that is shown

    Returns
    -------
    `engine.telling.masking.Hidden`; None where the columns of the table say it
    """
    if title != "Edges":
        return None
    return Hidden(least, derived={(row, "shares") for row in range(len(result.edge_values))})


def _edge_frame(result: LogLinearEvidence) -> pd.DataFrame:
    columns = ["a", "b", "shares", "p", "evidence_bits", "removable", "cliques", "entry_bits"]
    columns += ["partial_correlation", "low", "high"] if result.checks else []
    columns += ["note"] if link_notes(result) else []
    rows, held = [row | _told(result, row["a"], row["b"]) for row in edges(result)], held_fixed(result)
    rows.sort(key=lambda row: ((row["a"], row["b"]) in held, -np.nan_to_num(row["evidence_bits"], nan=-math.inf)))
    return frames.data_frame(rows, columns=columns)


def _told(result: LogLinearEvidence, a: str, b: str) -> dict[str, Any]:
    """The shares of a link in words, and its p; none of one that all rows do not show."""
    support, contrast = result.supports.get((a, b)), contrast_of(result, a, b)
    known = support is not None and not (contrast and contrast.alike)
    shares = "" if contrast is None else str(contrast_brief(result, a, b))
    return {"shares": shares, "p": 10.0**support.log10_p if support is not None and known else math.nan}


def edges(result: LogLinearEvidence) -> list[dict[str, Any]]:
    """One row a link, with its note and what the numbers say of it where any link has such."""
    notes, rows = link_notes(result), []
    for a, b, about in result.graph.edges(data=True):
        row, check = {"a": a, "b": b, **about}, result.number_check(a, b)
        if result.checks:
            sizes = (math.nan,) * 3 if check is None else (check.correlation, check.low, check.high)
            row |= zip(("partial_correlation", "low", "high"), sizes, strict=True)
        rows.append(row | ({"note": notes.get((a, b), "")} if notes else {}))
    return rows


def document(result: LogLinearEvidence) -> dict[str, Any]:
    """Model, steps, refused edges, message lengths, as other programs read them."""
    return {
        "formula": result.formula,
        "cliques": result.cliques,
        "separators": result.separators,
        "edges": [frames.record(row) for row in edges(result)],
        "start": [result.in_order(edge) for edge in result.begun.edges()],
        "filled_in": [result.in_order(edge) for edge in result.filled],
        "steps": [frames.record(row) for row in steps(result).to_dict("records")],
        "refused": [frames.record(row) for row in refused(result).to_dict("records")],
        "message_bits": {name: frames.record(row) for name, row in result.message.to_dict("index").items()},
    }

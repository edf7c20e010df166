"""What the columns of its tables are, for reports; see `engine.methods.columns`."""

from __future__ import annotations

from collections.abc import Mapping

from engine.methods.columns import TableDescription, described

TABLES: Mapping[str, TableDescription] = {
    "Edges": TableDescription(
        "Every link of the model, and how many bits longer the message would be without it. A note says where the "
        "table’s making, not the rows, ties the two.",
        described(
            text="a; b; note",
            number="evidence_bits: worth, bits; entry_bits: gain when it came, bits",
            flag="removable: can go alone",
            whole="cliques: groups",
        ),
        keys=("a", "b"),
    ),
    "Groups": TableDescription(
        "Variables that hang together whole.", described(text="variables", whole="size"), keys=("variables",)
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

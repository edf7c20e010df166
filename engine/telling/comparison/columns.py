"""The tables of a comparison: what their columns are."""

from __future__ import annotations

from collections.abc import Mapping

from engine.methods.verdicts import Verdict
from engine.telling.tables import TableDescription, described

TABLES: Mapping[str, TableDescription] = {
    "Links": TableDescription(
        "Every link that is drawn, the clearest difference first: signed estimates of both groups, their difference, p "
        "corrected over all pairs, P(differs). Odds ratios stand as natural logarithms.",
        described(
            text="source: from; source_up: from, up is; target: to; target_up: to, up is; what; levels; "
            "drawn: drawn in; group_a: group A; group_b: group B; scale",
            probability="probability: P(differs)",
            number="log_bayes_factor: ln Bayes factor",
            verdict="word: verdict",
            signed="a: A (95 %); a_low; a_high; b: B (95 %); b_low; b_high; difference: B − A (95 %); low; high; "
            "visible",
            p="p: p, corrected; p_any: p, corrected",
        ),
        keys=("source", "target", "group_a", "group_b"),
        ends={"a": ("a_low", "a_high"), "b": ("b_low", "b_high"), "difference": ("low", "high")},
        chart="difference",
        differing=(Verdict.DIFFERS, Verdict.PROBABLY),
        left_out=("visible", "p_any"),
        technical=("log_bayes_factor", "scale"),
        given_by="drawn_links",
    ),
    "Nodes": TableDescription(
        "Global strength, and strength and expected influence of every node, p corrected over nodes and both measures.",
        described(
            text="measure; node; group_a: group A; group_b: group B",
            signed="a: A (95 %); a_low; a_high; b: B (95 %); b_low; b_high; difference: B − A (95 %); low; high",
            p="p: p, corrected; p_permuted: p by permutation",
        ),
        keys=("measure", "node", "group_a", "group_b"),
        ends={"a": ("a_low", "a_high"), "b": ("b_low", "b_high"), "difference": ("low", "high")},
    ),
    "Shared edges": TableDescription(
        "The edges of either network, and whether the other has them.",
        described(text="network; source: from; target: to; mark_a: in A; mark_b: in B; status; network_b"),
        keys=("source", "target"),
        left_out=("network", "network_b"),
    ),
    "Compared claims": TableDescription(
        "What both answers say of one thing.",
        described(
            text="about; kind; status",
            verdict="verdict_a: A says; verdict_b: B says",
            probability="probability_a: P in A; probability_b: P in B",
        ),
        keys=("about", "kind"),
    ),
    "Compared settings": TableDescription(
        "The settings of both answers.", described(text="setting; a: A; b: B; status"), keys=("setting",)
    ),
    "Compared rows": TableDescription(
        "Rows and preparation of both.", described(text="what; a: A; b: B; status"), keys=("what",)
    ),
}

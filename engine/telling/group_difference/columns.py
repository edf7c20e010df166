"""The columns of its tables, for reports; see `engine.telling.tables`."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from engine.methods.group_difference.verdicts import Verdict
from engine.telling.charts.labels import difference_name
from engine.telling.tables import Column, TableDescription, described

EFFECTS = {
    "difference": ("difference_low", "difference_high"),
    "overall": ("overall_low", "overall_high"),
    "effect": ("low", "high"),
    "where_effect": ("where_low", "where_high"),
    "effect_alone": ("low_alone", "high_alone"),
}
"""Differences with the ends of their intervals."""
PAPER = described(
    text="favour: the odds favour",
    whole="contexts: contexts possible; contexts_with_rows",
    probability="p_different_published: P(different), published; p_different_common: P(different), common parents; "
    "p_different: P(different); tipping_prior",
    log10_odds="log10_odds: odds; log10_published: odds, published; log10_common: odds, common parents; "
    "marginal_log10_odds: odds alone; prior_log10_odds: prior odds",
    flag="few_rows: few rows; parents_differ",
)
"""The paper's own numbers."""
_DETAILS = (
    "error",
    "parents",
    "p_parents",
    "p_over_margin",
    "bound",
    "rows_needed",
    "log10_bayes_factor",
)
"""Columns that a reader of the report finds in the file of the table."""
GAP = TableDescription(
    "What explains the gap of an outcome, second group minus first: the share of each variable that differs and leads "
    "to it, the outcome’s own part, and what is not explained. The rows of one outcome add up to the observed gap.",
    described(
        text="outcome; level; group: second group; variable: comes with",
        points="share: share, pp (95 %); low; high",
        number="mean: share of a difference of means (95 %); mean_low; mean_high",
        probability="probability: P(differs and leads to it)",
    ),
    keys=("outcome", "variable"),
    ends={"share": ("low", "high"), "mean": ("mean_low", "mean_high")},
    estimates=("share", "low", "high", "mean", "mean_low", "mean_high", "probability"),
)
"""Of comparisons of two groups and of more."""
TABLES: Mapping[str, TableDescription] = {
    "Gap": GAP,
    "Variables": TableDescription(
        "What differs first. Both groups: mean (SD) of a number, median [quartiles] where means are left out, rows of "
        "“level” of others. Differences are second group minus first, of means or of the share of “level”; "
        "intervals hold for all levels of a variable at once, not for all variables. P(differs) is no p value.",
        PAPER
        | described(
            text="variable; what: what differs; unit; first: the first group; second: the second; through; "
            "where: where most evidence is; "
            "level; parents: likeliest parents; found: no difference overall, but where",
            verdict="verdict; alone: overall",
            number="difference: difference adjusted, of means or pp (95 %); difference_low; difference_high; "
            "overall: difference overall, of means or pp (95 %); overall_low; overall_high; error: Monte Carlo error",
            points="effect: difference within contexts, pp (95 %); low; high; where_effect: difference in "
            "these rows, pp (95 %); where_low; where_high; effect_alone: difference overall, pp (95 %); low_alone; "
            "high_alone; bound: largest difference that all rows allow, pp",
            whole="rows_needed: rows a group needed",
            p="p_alone: p overall (Holm)",
            probability="probability: P(differs); p_over_margin: P(difference over the margin in a context); "
            "p_parents: P(these parents); p_different: P(different), one order",
            log10_odds="log10_bayes_factor: Bayes factor",
        ),
        keys=("variable",),
        ends=EFFECTS,
        chart="effect_alone",
        within="where_effect",
        place="where",
        level="level",
        instead={"difference": "effect", "overall": "effect_alone"},
        differing=(Verdict.DIFFERS,),
        left_out=(*_DETAILS, *PAPER, "where", "where_effect"),
        technical=("what", "effect", "effect_alone", "alone", "p_alone", "through", "found", "unit"),
        totals_of="Distributions",
        totals=("alignment", "group", "level"),
        estimates=(
            *EFFECTS,
            *chain(*EFFECTS.values()),
            "p_alone",
            "marginal_log10_odds",
            "level",
            "first",
            "second",
            "found",
            "bound",
        ),
    ),
    "Links": TableDescription(
        "One row a pair of variables: the probability of a link, in either direction, in each group; “only A” is "
        "only in the first group, “only B” only in the second.",
        described(
            text="network; source: from; target: to; status",
            probability="probability_first: P(link) in the first group; probability_second: P(link) in the second; "
            "larger",
            number="error: Monte Carlo error",
        ),
        keys=("source", "target"),
        left_out=("error", "larger"),
        apart=True,
    ),
    "Paper": TableDescription(
        "The paper’s own numbers, under one order of the variables; its prior moves them and no verdict.",
        described(text="variable") | PAPER,
        keys=("variable",),
        left_out=("p_different_published", "p_different_common", "tipping_prior", "contexts_with_rows"),
    ),
    "Contexts": TableDescription(
        "The contexts of each variable’s parents, with the rows of both groups and what each adds to the evidence; "
        "what differs first. The parents are the likeliest of the average, or else those of the alignment of the "
        "settings.",
        described(
            text="variable; alignment; context",
            log_odds="log_bayes_factor: Bayes factor",
            number="part: part of the evidence",
            probability="posterior_different: P(different)",
            flag="few_rows: few rows",
        ),
        others=Column("", "count"),  # "n in <group>"
        keys=("variable", "alignment", "context"),
        sums=(("variable", "alignment"),),
        matrix=True,
        left_out=("alignment",),
        ordered_as="Variables",
        shown="alignment",
        apart=True,
    ),
    "Distributions": TableDescription(
        "How each variable is distributed in each context of its parents, by group; 95 % intervals. The parents "
        "are the likeliest of the average, or else those of the alignment of the settings.",
        described(
            text="variable; alignment; context; group; level",
            count="count: rows",
            share="share: share (95 %); low; high",
        ),
        keys=("variable", "alignment", "context", "group", "level"),
        ends={"share": ("low", "high")},
        sums=(
            ("variable", "alignment", "group", "context"),
            ("variable", "alignment", "group", "level"),
            ("variable", "alignment", "context", "level"),
        ),
        left_out=("alignment",),
        ordered_as="Variables",
        shown="alignment",
        parts_of="Contexts",
        apart=True,
    ),
}


def described_for(title: str, first: str, second: str) -> TableDescription:
    """The description of a table with the names of the two groups in place of the first and the second."""
    about, order = TABLES[title], difference_name(second, first)
    headers = {
        name: about.columns[name].header.replace("difference", order, 1) for name in EFFECTS if name in about.columns
    }
    if title == "Links":
        headers = {"probability_first": f"P(link) in {first}", "probability_second": f"P(link) in {second}"}
    if title == "Variables":
        headers |= {"first": first, "second": second}
    text = about.about.replace("second group minus first", order)
    return about.with_headers(headers, text.replace("the first group", first).replace("the second", second))

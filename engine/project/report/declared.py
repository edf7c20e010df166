"""Every table of every method, declared once; see `columns`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.methods.result import Result
from engine.project.report.columns import Column, Declared, described

if TYPE_CHECKING:
    import pandas as pd

_INTERVAL = {"effect": ("low", "high")}
_SETTINGS = Declared("", described(text="setting; value"), keys=("setting",))
_GROUPS = {
    "Variables": Declared(
        "One row a variable, what differs first. P(differs) is averaged over all orders of the variables; “where” is "
        "the context that carries most of the evidence; “alone” is without other variables, p corrected by Holm.",
        described(
            text="variable; verdict; where; level: level that differs most; where_level: level that differs most "
            "there; alone; parents: likeliest parents; favour: the odds favour",
            points="effect: difference within contexts, points (95 %); low; high; where_effect: difference "
            "there, points (95 %); where_low; where_high; effect_alone: difference alone, points (95 %); low_alone; "
            "high_alone",
            whole="rows_needed: rows a group needed; contexts: contexts possible; contexts_with_rows",
            p="p_alone: p alone, corrected",
            probability="probability: P(differs); p_over_margin: P(difference over the margin); "
            "p_parents: P(these parents); p_different_published: P(different), published; "
            "p_different_common: P(different), common parents; p_different: P(different), one order; tipping_prior",
            log10_odds="log10_bayes_factor: Bayes factor; log10_odds: odds; log10_published: odds, published; "
            "log10_common: odds, common parents; marginal_log10_odds: odds alone; prior_log10_odds: prior odds",
            number="error: Monte Carlo error",
            flag="few_rows: few rows; parents_differ",
        ),
        keys=("variable",),
        ends={
            "effect": ("low", "high"),
            "where_effect": ("where_low", "where_high"),
            "effect_alone": ("low_alone", "high_alone"),
        },
        left_out=(
            "error",
            "p_parents",
            "p_different",
            "p_different_published",
            "p_different_common",
            "log10_published",
            "log10_common",
            "log10_odds",
            "marginal_log10_odds",
            "prior_log10_odds",
            "tipping_prior",
            "favour",
            "parents_differ",
            "contexts_with_rows",
        ),
    ),
    "Links": Declared(
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
    ),
    "Paper": Declared(
        "The paper’s own numbers, under one order of the variables; its prior moves them and no verdict.",
        described(
            text="variable; favour: the odds favour",
            whole="contexts: contexts possible; contexts_with_rows",
            probability="p_different_published: P(different), published; p_different_common: P(different), common "
            "parents; p_different: P(different); tipping_prior",
            log10_odds="log10_odds: odds; log10_published: odds, published; log10_common: odds, common parents; "
            "marginal_log10_odds: odds alone; prior_log10_odds: prior odds",
            flag="few_rows: few rows; parents_differ",
        ),
        keys=("variable",),
        left_out=("p_different_published", "p_different_common", "tipping_prior", "contexts_with_rows"),
    ),
    "Contexts": Declared(
        "The contexts of each variable’s parents, with the rows of both groups and what each adds to the evidence; "
        "what differs first, in the alignment of the settings.",
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
    ),
    "Distributions": Declared(
        "How each variable is distributed in each context of its parents, by group; 95 % intervals; in the alignment "
        "of the settings.",
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
    ),
}
_PATIENT = {
    "Links": Declared(
        "Every link of the two networks and what is known of it for this patient. “Like this one” are rows that share "
        "the patient’s context.",
        described(
            text="source: from; target: to; status; context; verdict; word: in words",
            count="cases: rows in the context; like: rows like this one",
            whole="rows_needed",
            flag="directed; compelled: direction known; known: value known; asked",
            probability="probability: P(applies); in_population: P(in the population)",
            number="score_gain: gain, nats; kappa_cost: cost, nats; net: net, nats",
            log_odds="log_bayes_factor: Bayes factor",
            points="effect: shift, points (95 %); low; high; others: shift of the others, points; "
            "difference: apart, points (95 %); difference_low; difference_high",
        ),
        keys=("source", "target"),
        ends={**_INTERVAL, "difference": ("difference_low", "difference_high")},
        left_out=("directed", "compelled", "known", "asked", "score_gain", "kappa_cost", "net", "verdict", "cases"),
    ),
    "Families": Declared(
        "The parents of each variable in both networks, and what a change of them gains.",
        described(
            text="variable; population_parents; instance_parents: this patient’s parents; context; no_longer_matters; "
            "matters_differently; cannot_tell; not_asked",
            count="cases: rows in the context; rows",
            flag="changed; few_cases: few rows",
            number="score_gain: gain, nats; kappa_cost: cost, nats; net: net, nats",
            probability="probability: P(applies)",
        ),
        keys=("variable",),
        left_out=("score_gain", "kappa_cost", "rows"),
    ),
    "Distributions": Declared(
        "Each variable among all rows and among the rows in the patient’s context; 95 % intervals.",
        described(
            text="variable; who: among; level",
            count="rows: rows in all; count: rows",
            share="share: share (95 %); low; high",
        ),
        keys=("variable", "who", "level"),
        ends={"share": ("low", "high")},
        sums=(("variable", "who"),),
    ),
    "Strength": Declared(
        "How much better the patient’s network explains the rows, variable by variable.",
        described(text="variable", number="log_ratio: log ratio, nats"),
        keys=("variable",),
    ),
    "Prediction": Declared(
        "What the two networks foretell.",
        described(probability="instance: this patient’s network; population: the population’s"),
        others=Column("", "text"),
    ),
    "Patient": Declared("", described(text="variable; value"), keys=("variable",), persons=True),
}
_COHORT = {
    "Links": Declared(
        "Every link of any patient’s network, and for which part of the patients it is there.",
        described(
            text="source: from; target: to",
            flag="in_population: in the population",
            part="share: have it (95 %); kept; dropped; added; reversed: turned; told: sure to differ",
            share="low; high",
            probability="mean_probability: mean P(applies)",
        ),
        keys=("source", "target"),
        ends={"share": ("low", "high")},
    ),
    "Patients": Declared(
        "One row a patient.",
        described(
            text="patient",
            whole="pattern; cluster; added; dropped; reversed; told",
            number="log_likelihood_ratio: log ratio, nats; held_out_gain: held-out gain, nats",
        ),
        keys=("patient",),
        persons=True,
    ),
    "Patterns": Declared(
        "Equal networks grouped, the commonest first.",
        described(text="contexts", count="patients", whole="pattern; added; dropped; reversed; cluster", share="share"),
        keys=("pattern",),
        sums=((),),
    ),
    "Clusters": Declared(
        "Patients with like networks.",
        described(
            text="name",
            count="patients",
            whole="cluster; patterns",
            share="share",
            number="mean_log_ratio: mean log ratio, nats; mean_held_out_gain: mean held-out gain, nats",
        ),
        keys=("cluster",),
        sums=((),),
    ),
    "Changes": Declared(
        "How many patients have so many links added, dropped and turned.",
        described(count="patients", whole="added; dropped; reversed"),
        keys=("added", "dropped", "reversed"),
        sums=((),),
    ),
}
_LINKS = {
    "Edges": Declared(
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
    "Groups": Declared(
        "Variables that hang together whole.", described(text="variables", whole="size"), keys=("variables",)
    ),
    "Steps": Declared(
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
    "Not taken": Declared(
        "The links that came nearest, and how far short they fell.",
        described(
            text="a; b; separator: given",
            number="short_by_bits: short by, bits; rows_factor: times the rows needed; saving_bits: saved, bits; df; G",
            log10_p="log10_p: p",
        ),
        keys=("a", "b"),
    ),
    "Message": Declared(
        "Lengths in bits.", described(text="model", number="graph; parameters; data; total"), keys=("model",)
    ),
}
_CLASSES = {
    "Families": Declared(
        "Every variable with its parents in each class’s network: what they gain, p (how often shuffled classes gain "
        "as much somewhere), and the largest difference of a share between the classes.",
        described(
            text="network; child: variable; parents; where",
            number="gain; worth; pacl: PACL",
            whole="added: parameters added",
            flag="used; levels: levels tell alone",
            p="chance: p, corrected",
            share="recurrence: of folds",
            points="effect: difference, points (95 %); low; high",
        ),
        keys=("network", "child"),
        ends=_INTERVAL,
    ),
    "Links": Declared(
        "Every arc: which networks have it, and how far it shifts its target at most, in the class of its network and "
        "in the other; 95 % intervals, widened for the choice of the largest.",
        described(
            text="network; source: from; target: to; mark; status: in networks; more: shifts more in",
            number="strength: gain",
            points="shift_own: shift there, points (95 %); low_own; high_own; "
            "shift_other: in the other class, points (95 %); low_other; high_other",
        ),
        keys=("network", "source", "target"),
        ends={"shift_own": ("low_own", "high_own"), "shift_other": ("low_other", "high_other")},
        left_out=("mark",),
        given_by="links",
    ),
    "Held-out verdicts": Declared(
        "What every point was told to be by networks that had not seen it.",
        described(text="class; told", flag="right", whole="observations"),
        others=Column("", "number"),
        persons=True,
    ),
    "Confusion": Declared(
        "Rows: what points are. Columns: what they were told to be.",
        described(text="is"),
        others=Column("", "count"),
        keys=("is",),
        sums=((),),
        matrix=True,
    ),
}
_RATINGS = {
    "Edges": Declared(
        "Every link, the strongest first. The partial correlation is that of the hidden values once the later one’s "
        "other parents are known; p is corrected for the number of pairs.",
        described(
            text="source: from; target: to; mark",
            signed="partial: partial correlation (95 %); low; high; weight",
            log_odds="log_bayes_factor: Bayes factor",
            p="chance: p, corrected",
            share="share: of drawn tables (95 %); share_low; share_high; directed_share: this way; "
            "seeds_share: of seeds; half_share: of half samples; half_way: of these, this way",
        ),
        keys=("source", "mark", "target"),
        ends={"partial": ("low", "high"), "share": ("share_low", "share_high")},
    ),
    "Strength": Declared(
        "How often a link came back when the rows were drawn again.",
        described(text="source: from; target: to", share="share: share (95 %); low; high; directed: this way"),
        keys=("source", "target"),
        ends={"share": ("low", "high")},
    ),
    "Thresholds": Declared(
        "Where each variable is cut, in standard deviations of its hidden value.",
        described(text="variable; level", count="rows", share="share", signed="above; below"),
        keys=("variable", "level"),
        sums=(("variable",),),
        told_apart=("above", "below"),
    ),
    "Correlations": Declared(
        "Of the hidden values, as the network has them.",
        described(text="variable"),
        others=Column("", "signed"),
        keys=("variable",),
    ),
    "Rounds": Declared(
        "The rounds of the fit.", described(whole="draws; links", number="step; criterion"), keys=("draws",)
    ),
}
_COMPARED = {
    "Links": Declared(
        "Every link that is drawn, the clearest difference first: signed estimates of both groups, their difference, p "
        "corrected over all pairs. Odds ratios stand as natural logarithms; a correlation is partial.",
        described(
            text="source: from; target: to; word; levels; drawn: drawn in; group_a: group A; group_b: group B",
            signed="a: A (95 %); a_low; a_high; b: B (95 %); b_low; b_high; difference: A − B (95 %); low; high; "
            "visible",
            p="p: p, corrected; p_any: p, corrected",
        ),
        keys=("source", "target", "group_a", "group_b"),
        ends={"a": ("a_low", "a_high"), "b": ("b_low", "b_high"), "difference": ("low", "high")},
        left_out=("visible", "p_any"),
        given_by="drawn_links",
    ),
    "Shared edges": Declared(
        "The edges of either network, and whether the other has them.",
        described(text="network; source: from; target: to; mark_a: in A; mark_b: in B; status; network_b"),
        keys=("source", "target"),
        left_out=("network", "network_b"),
    ),
    "Compared claims": Declared(
        "What both answers say of one thing.",
        described(
            text="about; kind; verdict_a: A says; verdict_b: B says; status",
            probability="probability_a: P in A; probability_b: P in B",
        ),
        keys=("about", "kind"),
    ),
    "Compared settings": Declared(
        "The settings of both answers.", described(text="setting; a: A; b: B; status"), keys=("setting",)
    ),
    "Compared rows": Declared(
        "Rows and preparation of both.", described(text="what; a: A; b: B; status"), keys=("what",)
    ),
}
TABLES: dict[str, dict[str, Declared]] = {
    "GroupDifferenceResult": _GROUPS,
    "InstanceSpecificResult": _PATIENT,
    "CohortResult": _COHORT,
    "LogLinearResult": _LINKS,
    "DiscriminativeResult": _CLASSES,
    "OrdinalResult": _RATINGS,
    "ComparisonResult": _COMPARED,
}
"""Kind of result -> title of a table -> what it is."""


def declared(result: Result, title: str) -> Declared:
    """What one table of a result is; a table of a method that is not declared here is taken with care.

    Parameters
    ----------
    result : any answer
    title : one of its tables

    Returns
    -------
    the declaration
    """
    if title == "Settings":
        return _SETTINGS
    return TABLES.get(type(result).__name__, {}).get(title, Declared())


def table_of(result: Result, title: str) -> pd.DataFrame:
    """One table of a result as the report has it.

    Parameters
    ----------
    result : any answer
    title : one of its tables

    Returns
    -------
    the table, nothing hidden
    """
    about = declared(result, title)
    table: pd.DataFrame = getattr(result, about.given_by)() if about.given_by else result.table(title)
    return table

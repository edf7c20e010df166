"""What the columns of its tables are, for reports; see `engine.telling.tables`."""

from __future__ import annotations

from collections.abc import Mapping

from engine.methods.instance_specific.links import TOLD
from engine.telling.tables import Column, TableDescription, described

TABLES: Mapping[str, TableDescription] = {
    "Links": TableDescription(
        "Every link of the two networks and what is known of it for this patient. Shift: among rows like this one, of "
        "the level of “to” whose share changes most with “from”; the verdict is on patient − others.",
        described(
            text="source: from; target: to; status; context; verdict",
            verdict="word: verdict",
            count="cases: rows in the context; like: rows like this one",
            whole="rows_needed",
            flag="directed; compelled: direction known; known: value known; asked",
            probability="probability: P(arrow is there); in_population: P(in the population)",
            number="score_gain: gain, nats; kappa_cost: cost, nats; net: net, nats",
            log_odds="log_bayes_factor: Bayes factor",
            points="effect: shift, pp (95 %); low; high; others: shift of the others, pp; "
            "difference: patient − others, pp (95 %); difference_low; difference_high",
        ),
        keys=("source", "target"),
        ends={"effect": ("low", "high"), "difference": ("difference_low", "difference_high")},
        chart="difference",
        place="context",
        differing=TOLD,
        left_out=("directed", "compelled", "known", "asked", "score_gain", "kappa_cost", "net", "verdict", "cases"),
        technical=("in_population", "like", "rows_needed", "log_bayes_factor", "others"),
    ),
    "Families": TableDescription(
        "The parents of each variable in both networks, and what a change of them gains.",
        described(
            text="variable; population_parents; instance_parents: this patient’s parents; context; no_longer_matters; "
            "matters_differently; cannot_tell: inconclusive; not_asked",
            count="cases: rows in the context; rows",
            flag="changed; few_cases: few rows",
            number="score_gain: gain, nats; kappa_cost: cost, nats; net: net, nats",
            probability="probability: P(arrow is there)",
        ),
        keys=("variable",),
        left_out=("score_gain", "kappa_cost", "rows"),
    ),
    "Distributions": TableDescription(
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
    "Strength": TableDescription(
        "How much better the patient’s network explains the rows, variable by variable.",
        described(text="variable", number="log_ratio: log ratio, nats"),
        keys=("variable",),
    ),
    "Prediction": TableDescription(
        "What the two networks predict.",
        described(probability="instance: this patient’s network; population: the population’s"),
        others=Column("", "text"),
    ),
    "Unusual values": TableDescription(
        "p is how probable a value as rare is given all the patient’s other values, under the population’s network; "
        "corrected for as many values as are known.",
        described(
            text="variable; level: value; likeliest: likeliest level",
            probability="probability: P given the others",
            p="surprise: p, uncorrected; p: p, corrected",
        ),
        keys=("variable",),
        persons=True,
        left_out=("probability", "likeliest"),  # of a number the range, which it may lie in and be far out
    ),
    "Numbers": TableDescription(
        "Where each of the patient’s numbers lies among all rows, and among rows with all the patient’s other values "
        "(latent normal variables). p is two-sided, corrected for all numbers, both ways.",
        described(
            text="variable; unit",
            number="value",
            count="rows; as_far: rows as far out; ties: rows with this number",
            share="overall: share of rows below; given: share below, given the other values",
            p="p_overall: p among all; p_given: p given the others",
            flag="extreme",
        ),
        keys=("variable",),
        persons=True,
        left_out=("rows", "as_far", "ties"),
    ),
    "Patient": TableDescription("", described(text="variable; value"), keys=("variable",), persons=True),
}

COHORT_TABLES: Mapping[str, TableDescription] = {
    "Links": TableDescription(
        "Every link of any patient’s network, and for which part of the patients it is there.",
        described(
            text="source: from; target: to",
            flag="in_population: in the population",
            part="share: have it (95 %); kept; dropped; added; reversed: turned; told: differ beyond doubt",
            share="low; high",
            probability="mean_probability: mean P(arrow is there)",
        ),
        keys=("source", "target"),
        ends={"share": ("low", "high")},
        chart="share",
    ),
    "Patients": TableDescription(
        "One row a patient.",
        described(
            text="patient",
            whole="pattern; cluster; added; dropped; reversed; told",
            number="log_likelihood_ratio: log ratio, nats; held_out_gain: held-out gain, nats",
        ),
        keys=("patient",),
        persons=True,
    ),
    "Patterns": TableDescription(
        "Equal networks grouped, the commonest first.",
        described(text="contexts", count="patients", whole="pattern; added; dropped; reversed; cluster", share="share"),
        keys=("pattern",),
        sums=((),),
    ),
    "Clusters": TableDescription(
        "Patients with like networks.",
        described(
            text="name; values: values (others)",
            count="patients",
            whole="cluster; patterns",
            share="share",
            number="mean_log_ratio: mean log ratio, nats; mean_held_out_gain: mean held-out gain, nats",
        ),
        keys=("cluster",),
        sums=((),),
    ),
    "Changes": TableDescription(
        "How many patients have so many links added, dropped and turned.",
        described(count="patients", whole="added; dropped; reversed"),
        keys=("added", "dropped", "reversed"),
        sums=((),),
    ),
}

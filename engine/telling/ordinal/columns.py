"""The tables of ordinal networks: what their columns are."""

from __future__ import annotations

from collections.abc import Mapping

from engine.methods.ordinal.partial_network import MEASURES
from engine.telling.tables import Column, TableDescription, described

TABLES: Mapping[str, TableDescription] = {
    "Edges": TableDescription(
        "Every link, the strongest first. The partial correlation is that of the latent values once the later one’s "
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
        chart="partial",
        technical=("weight", "log_bayes_factor", "share", "directed_share", "seeds_share"),
    ),
    "Lines": TableDescription(
        "Every pair: the partial correlation of the latent values given all others. A line is clear where p, corrected "
        "for the number of pairs, is at most .05.",
        described(
            text="a; b",
            signed="partial: partial correlation (95 %); low; high",
            p="p: p, corrected",
            flag="clear; bridge: between scales",
        ),
        keys=("a", "b"),
        ends={"partial": ("low", "high")},
        chart="partial",
    ),
    "Inclusion": TableDescription(
        "How probable a line and an arrow link of every pair are, over drawn networks; approximate. Included from a "
        "Bayes factor of 10 on, excluded below 1/10.",
        described(
            text="a; b; line_state: line; arrow_state: arrow link",
            probability="line: P(line); arrow: P(adjacent); forward: P(a → b); backward: P(b → a)",
            number="line_bayes_factor: Bayes factor; arrow_bayes_factor: Bayes factor",
        ),
        keys=("a", "b"),
    ),
    "Centrality": TableDescription(
        "How central each variable is among the lines. Strength sums the sizes of the lines whose interval excludes 0, "
        "expected influence all partial correlations with their signs; bridges count links between scales.",
        described(
            text="variable; scale",
            share="explained: explained by all others (95 %); explained_low; explained_high",
            number="strength: strength (95 %); strength_low; strength_high; bridge_strength: bridge strength (95 %); "
            "bridge_strength_low; bridge_strength_high; closeness; betweenness",
            signed="expected_influence: expected influence (95 %); expected_influence_low; expected_influence_high; "
            "expected_influence_2: in two steps (95 %); expected_influence_2_low; expected_influence_2_high; "
            "bridge_expected_influence: bridge expected influence (95 %); bridge_expected_influence_low; "
            "bridge_expected_influence_high",
        ),
        keys=("variable",),
        ends={name: (f"{name}_low", f"{name}_high") for name in ("explained", *MEASURES)},
        chart="expected_influence",
        left_out=("closeness", "betweenness"),
    ),
    "Case dropping": TableDescription(
        "How the values of the nodes correlate with those of all rows after rows were dropped at random.",
        described(
            text="measure",
            share="dropped: rows dropped; passed: draws above .7",
            signed="correlation: correlation (95 % of draws); low; high",
        ),
        keys=("measure", "dropped"),
        ends={"correlation": ("low", "high")},
    ),
    "Strength": TableDescription(
        "How often a link came back when the rows were resampled.",
        described(text="source: from; target: to", share="share: share (95 %); low; high; directed: this way"),
        keys=("source", "target"),
        ends={"share": ("low", "high")},
    ),
    "Thresholds": TableDescription(
        "Where each variable is cut, in standard deviations of its latent value.",
        described(text="variable; level", count="rows", share="share", signed="above; below"),
        keys=("variable", "level"),
        sums=(("variable",),),
        reveals=("above", "below"),
    ),
    **{
        title: TableDescription(about, described(text="variable"), others=Column("", "signed"), keys=("variable",))
        for title, about in (
            (
                "Correlations",
                "Of the latent values, pair by pair: polychoric, polyserial by moments with a number, of two "
                "numbers that of their normal scores; with full information the mean over completed tables.",
            ),
            ("Implied correlations", "Of the latent values, as the arrows of the network imply them."),
        )
    },
    "Rounds": TableDescription(
        "The rounds of the fit.", described(whole="draws; links", number="step; criterion"), keys=("draws",)
    ),
}

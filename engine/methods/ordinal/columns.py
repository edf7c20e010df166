"""What the columns of its tables are, for reports; see `engine.methods.columns`."""

from __future__ import annotations

from collections.abc import Mapping

from engine.methods.columns import Column, TableDescription, described

TABLES: Mapping[str, TableDescription] = {
    "Edges": TableDescription(
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
    "Strength": TableDescription(
        "How often a link came back when the rows were drawn again.",
        described(text="source: from; target: to", share="share: share (95 %); low; high; directed: this way"),
        keys=("source", "target"),
        ends={"share": ("low", "high")},
    ),
    "Thresholds": TableDescription(
        "Where each variable is cut, in standard deviations of its hidden value.",
        described(text="variable; level", count="rows", share="share", signed="above; below"),
        keys=("variable", "level"),
        sums=(("variable",),),
        reveals=("above", "below"),
    ),
    "Correlations": TableDescription(
        "Of the hidden values, as the network has them.",
        described(text="variable"),
        others=Column("", "signed"),
        keys=("variable",),
    ),
    "Rounds": TableDescription(
        "The rounds of the fit.", described(whole="draws; links", number="step; criterion"), keys=("draws",)
    ),
}

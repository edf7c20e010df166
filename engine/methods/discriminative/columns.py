"""What the columns of its tables are, for reports; see `engine.methods.columns`."""

from __future__ import annotations

from collections.abc import Mapping

from engine.methods.columns import Column, TableDescription, described

TABLES: Mapping[str, TableDescription] = {
    "Families": TableDescription(
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
        ends={"effect": ("low", "high")},
    ),
    "Links": TableDescription(
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
    "Held-out verdicts": TableDescription(
        "What every point was told to be by networks that had not seen it.",
        described(text="class; told", flag="right", whole="observations"),
        others=Column("", "number"),
        persons=True,
    ),
    "Confusion": TableDescription(
        "Rows: what points are. Columns: what they were told to be.",
        described(text="is"),
        others=Column("", "count"),
        keys=("is",),
        sums=((),),
        matrix=True,
    ),
}

"""The tables of class networks: what their columns are, and the document for other programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.measures.curves import Auc
from engine.methods import frames
from engine.methods.discriminative.classification import ClassShare
from engine.methods.discriminative.evidence import DiscriminativeEvidence
from engine.telling.discriminative.families import families
from engine.telling.tables import Column, TableDescription, described

TABLES: Mapping[str, TableDescription] = {
    "Families": TableDescription(
        "Every variable with its parents in each class’s network; p is how often permuted classes gain as much "
        "somewhere. The share that differs most is that of the class of the network minus that of the other; its "
        "interval may hold 0 where p, of all of them together, is small.",
        described(
            text="network: in the network of; child: variable; parents; where",
            number="gain; worth; pacl: PACL",
            whole="added: parameters added",
            flag="used; levels: levels tell alone",
            p="chance: p, corrected",
            share="recurrence: of folds",
            points="effect: its class − the other, pp (95 %); low; high",
        ),
        keys=("network", "child"),
        ends={"effect": ("low", "high")},
        technical=("gain", "worth", "pacl", "added", "levels", "recurrence", "used"),
    ),
    "Links": TableDescription(
        "Every arc: which networks have it, and how far it shifts its target at most, in the class of its network and "
        "in the other; 95 % intervals, widened for the choice of the largest. Where a link turns its direction "
        "shifts have signs.",
        described(
            text="network; source: from; target: to; mark; status: in networks; more: shifts more in, or turns",
            number="strength: gain",
            points="shift_own: shift there, pp (95 %); low_own; high_own; "
            "shift_other: in the other class, pp (95 %); low_other; high_other",
        ),
        keys=("network", "source", "target"),
        ends={"shift_own": ("low_own", "high_own"), "shift_other": ("low_other", "high_other")},
        left_out=("mark",),
        apart=True,
        given_by="links",
    ),
    "Held-out verdicts": TableDescription(
        "The class that every point was classified as by networks that had not seen it.",
        described(text="class; classified as", flag="right", whole="observations"),
        others=Column("", "number"),
        persons=True,
        apart=True,
    ),
    "Confusion": TableDescription(
        "Rows: the class of each point. Columns: the class it was classified as.",
        described(text="class"),
        others=Column("", "count"),
        keys=("class",),
        sums=((),),
        matrix=True,
    ),
}


def sizes(result: DiscriminativeEvidence) -> dict[str, Any]:
    """The data in a document: how many points each class has, and whether they are series."""
    evaluation = result.held_out
    classes = {name: int(n) for name, n in zip(evaluation.classes, evaluation.sizes, strict=True)}
    return {"classes": classes, "series": result.series}


def document(result: DiscriminativeEvidence) -> dict[str, Any]:
    """Verdicts, boundary, families and levels, as other programs read them."""
    evaluation = result.held_out
    ranked = [frames.record(row) for row in families(result).to_dict("records")]
    return {
        "held_out": {
            "right": evaluation.hits,
            "of": evaluation.n,
            "interval": list(evaluation.interval),
            "balanced": evaluation.balanced_accuracy,
            "balanced_interval": list(evaluation.balanced_interval),
            "sensitivity": {name: _figures(evaluation.sensitivity(name)) for name in evaluation.classes},
            "specificity": {name: _figures(evaluation.specificity(name)) for name in evaluation.classes},
            "auc": {name: _figures(evaluation.auc(name)) for name in evaluation.classes},
            "largest_class": evaluation.majority,
            "p": None if not len(evaluation.null) else evaluation.p,
            "verdicts": [frames.record(row) for row in evaluation.table().to_dict("records")],
        },
        "boundary": [contrast.boundary.tolist() for contrast in result.learned],
        "families": ranked,
        "levels": {name: list(result.levels[i]) for i, name in enumerate(result.variables_in_order)},
    }


def _figures(of: ClassShare | Auc) -> dict[str, Any]:
    """A share or an area with its interval."""
    return frames.record({"value": of.value, "low": of.low, "high": of.high})

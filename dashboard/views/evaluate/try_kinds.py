"""What can be tried: a kind of truth, the method that looks for it, and what the forms show of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.evaluation.trials.group_difference import GROUP, GroupTrial
from engine.evaluation.trials.instance_specific import InstanceTrial
from engine.evaluation.trials.log_linear import AssociationTrial
from engine.methods.group_difference.method import GroupDifference
from engine.methods.instance_specific.method import InstanceSpecific
from engine.methods.log_linear.method import LogLinear
from engine.methods.log_linear.settings import CRITERIA


@dataclass(frozen=True)
class Kind:
    """One kind of try.

    Attributes
    ----------
    title : what the user chooses
    story : what is made up and looked for, in two sentences
    trial, method : the settings of truth and of search
    open_trial, open_method : fields drawn open, the others are folded
    closed : fields of the method that a trial sets itself or that make no sense for it
    given : values of closed fields
    second : the score compared with at first
    """

    title: str
    story: str
    trial: type[GroupTrial] | type[InstanceTrial] | type[AssociationTrial]
    method: type
    open_trial: tuple[str, ...]
    open_method: tuple[str, ...]
    closed: tuple[str, ...]
    second: str
    given: Mapping[str, Any] = field(default_factory=dict)
    words: Mapping[Any, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The slug of the method, for widgets and files."""
        return self.trial.slug


LEVELS = {"binary": "two each", "ternary": "three each", "mixed": "two to four"}

KINDS = (
    Kind(
        "Two groups",
        "A random network, and a second one that differs from it in a few variables. Rows are drawn from both; the "
        "method must tell which variables were changed.",
        GroupTrial,
        GroupDifference,
        ("variables", "kind", "draws", "rows", "seed"),
        ("p_same", "alignment"),
        ("group", "groups", "order", "seed"),
        "lasso",
        {"group": GROUP},
        LEVELS | {"parametric": "Probabilities (parametric)", "structural": "Links (structural)"},
    ),
    Kind(
        "Single patients",
        "A random network in which some situations switch links off. The method learns from a table, then looks at "
        "test patients one by one; it must tell which links do not hold for each.",
        InstanceTrial,
        InstanceSpecific,
        ("variables", "arcs", "rows", "patients", "contexts", "seed"),
        ("mode", "kappa"),
        ("seed",),
        "weak",
        words=LEVELS | {"order_kept": "Order kept", "published": "Published"},
    ),
    Kind(
        "Associations",
        "Variables that hang together in known groups. Rows are drawn from them; the method must tell which pairs are "
        "linked directly.",
        AssociationTrial,
        LogLinear,
        ("shape", "rows", "seed"),
        ("criterion",),
        ("forced", "forbidden", "start", "seed"),
        "chi-squared",
        words=LEVELS
        | dict(CRITERIA)
        | {
            "survey": "24 variables, clear links",
            "nine": "9 variables, weak links",
            "many": "150 variables, weak links",
            "none": "12 variables, no links",
        },
    ),
)

"""What the page of associations keeps beside its settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.methods.log_linear.result import LogLinearResult


@dataclass
class AssociationState:
    """Everything the views of the page keep.

    Attributes
    ----------
    clique : the group in the spotlight, None for the largest
    without : the link that its expected counts shall lack
    origin : the model that the ones below were made from by hand
    by_hand : those models, in order
    """

    clique: tuple[str, ...] | None = None
    without: tuple[str, str] | None = None
    origin: LogLinearResult | None = None
    by_hand: list[LogLinearResult] = field(default_factory=list)

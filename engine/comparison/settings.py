"""The settings of a comparison."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from engine.comparison.difference import DRAWS
from engine.methods.method import Settings
from engine.methods.setting import setting
from engine.methods.storing import storable


@storable
@dataclass(frozen=True)
class Compare(Settings):
    """How differences of links are tested.

    Attributes
    ----------
    draws : of the error of the estimates
    seed : all randomness comes from it
    """

    slug: ClassVar[str] = "compare"
    title: ClassVar[str] = "Comparison"
    question: ClassVar[str] = "Which links differ?"
    paper: ClassVar[str] = "influence draws, one correction over all pairs"

    draws: int = setting(
        DRAWS, label="Draws", help="Draws of the estimates' error behind each p.", minimum=99, maximum=99_999
    )
    seed: int = setting(0, label="Seed", help="All randomness comes from it.", minimum=0)

    def changed(self) -> dict[str, Any]:
        """The settings that are not the usual ones."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }

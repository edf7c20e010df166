"""What the page of ordinal networks keeps: how often links came back, beside the answer it belongs to."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dashboard.jobs.desk import method_key
from dashboard.session.session import session

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.ordinal.recurrence import EdgeStrength, SeedStability
    from engine.methods.ordinal.result import OrdinalResult


@dataclass
class OrdinalState:
    """Everything the views of the page keep.

    Attributes
    ----------
    strength, seeds : of which settings and data -> what was found
    shown : an answer, what was added to it, and the answer with it
    """

    strength: dict[Hashable, EdgeStrength] = field(default_factory=dict)
    seeds: dict[Hashable, SeedStability] = field(default_factory=dict)
    shown: tuple[OrdinalResult, EdgeStrength | None, SeedStability | None, OrdinalResult] | None = None


def kept_with(result: OrdinalResult, data: Dataset) -> OrdinalResult:
    """The answer with what was asked of it on the page since."""
    state, key = session().state(OrdinalState), method_key(result.method, data)
    strength, seeds = state.strength.get(key), state.seeds.get(key)
    if strength is not None and result.strength is not None and result.strength.runs >= strength.runs:
        strength = None
    if strength is None and seeds is None:
        return result
    if state.shown is None or any(
        one is not other for one, other in zip(state.shown, (result, strength, seeds), strict=False)
    ):
        found = result if strength is None else result.with_strength(strength)
        state.shown = (result, strength, seeds, found if seeds is None else found.with_seeds(seeds))
    return state.shown[-1]

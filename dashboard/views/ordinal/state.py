"""What the page of ordinal networks keeps: how often links came back, beside the answer it belongs to."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dashboard.jobs.job_queue import method_key
from dashboard.session.session import session
from engine.methods.ordinal.recurrence import HALVES

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.ordinal.recurrence import EdgeStrength, HalfSamples, SeedStability
    from engine.methods.ordinal.result import OrdinalResult


@dataclass
class OrdinalState:
    """Everything the views of the page keep.

    Attributes
    ----------
    strength, seeds : of which settings and data -> what was found
    enriched : an answer, what was added to it, and the answer with it
    """

    strength: dict[Hashable, EdgeStrength] = field(default_factory=dict)
    seeds: dict[Hashable, SeedStability] = field(default_factory=dict)
    enriched: (
        tuple[OrdinalResult, EdgeStrength | None, SeedStability | None, HalfSamples | None, OrdinalResult] | None
    ) = None


def halves_key(result: OrdinalResult, data: Dataset) -> Hashable:
    """The key of the job that learns halves of the rows."""
    return "halves", HALVES, *method_key(result.method, data)


def known_halves(result: OrdinalResult, data: Dataset) -> HalfSamples | None:
    """What halves of the rows gave, where that is there already."""
    job = session().job_queue.get(halves_key(result, data))
    half_samples: HalfSamples | None = None if job is None else job.result
    return half_samples


def with_recurrence(result: OrdinalResult, data: Dataset) -> OrdinalResult:
    """The answer with what was asked of it on the page since."""
    state, key = session().state(OrdinalState), method_key(result.method, data)
    strength, seeds = state.strength.get(key), state.seeds.get(key)
    if strength is not None and result.strength is not None and result.strength.runs >= strength.runs:
        strength = None
    halves = None if result.halves is not None else known_halves(result, data)
    if strength is None and seeds is None and halves is None:
        return result
    known = (result, strength, seeds, halves)
    if state.enriched is None or any(item is not other for item, other in zip(state.enriched, known, strict=False)):
        matches = result if strength is None else result.with_strength(strength)
        matches = matches if seeds is None else matches.with_seeds(seeds)
        state.enriched = (*known, matches if halves is None else matches.with_halves(halves))
    return state.enriched[-1]

"""Edges of the story: what one is worth, and one that was refused."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Worth:
    """What is known of an edge, in bits that it saves.

    Attributes
    ----------
    evidence_bits : what taking it away would cost; NaN where it cannot go alone
    removable : whether it can
    cliques : in how many it lies
    entry_bits : what it saved when it came; NaN for edges of the start
    """

    evidence_bits: float
    removable: bool
    cliques: int
    entry_bits: float

    @property
    def strength(self) -> float:
        """What it is worth: the evidence; of one that cannot go alone what it saved when it came, else 0."""
        known = (bits for bits in (self.evidence_bits, self.entry_bits) if math.isfinite(bits))
        return next(known, 0.0)

"""What Burge & Lane (2005) print of their simulations: few numbers, most of it is curves.

Numbers are those of the text of sections 4.2.2 and 5.1. Nothing is read off Figures 3 to 6. "CCL" is one thing there,
and how its search moves is not told, so each of ours stands beside the same number.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.papers.discriminative.plan import ALL, ANEW, DIFFERENCES, FORCED, NOISE, ROTATED, TIMES_ACL, Plan
from engine.evaluation.lessons.discriminative import BDE, ML, PAIRED, SINGLE

ML_PERFECT_FROM = 0.114
CCL_PERFECT_FROM = 0.13
CCL_LOST_FROM = 0.11
"""Where CCL's accuracy begins to fall dramatically."""
CCL_CHANCE_TO = 0.08
CHANCE = 0.5
NOISE_MATTERS_FROM = 80
"""rho from which CCL is said to be better than ACL-Mid."""
SLOWER, SLOWER_AT = 60.0, 40
"""CCL takes over 60 times as long as ACL with 40 variables."""
CCL = (SINGLE, PAIRED, *FORCED)

Printed = tuple[str, float, str, str, str, float]
"""Experiment, at, families, method, quantity and the printed number."""


def printed(plan: Plan) -> Iterator[Printed]:
    """The numbers of the text, for what a plan has."""
    for differences, noise in ((DIFFERENCES, NOISE), (ROTATED[DIFFERENCES], ROTATED[NOISE])):
        for c in plan.differences:
            yield differences, c, ALL, BDE, "accuracy", CHANCE
            if c >= ML_PERFECT_FROM:
                yield differences, c, ALL, ML, "accuracy", 1.0
            if c >= CCL_PERFECT_FROM or c <= CCL_CHANCE_TO:
                for method in CCL:
                    yield differences, c, ALL, method, "accuracy", 1.0 if c >= CCL_PERFECT_FROM else CHANCE
        for method in (ML, *CCL) if 0 in plan.noises else ():  # c = 0.17, where "both scoring methods" are perfect
            yield noise, 0, ALL, method, "accuracy", 1.0
    for method in (SINGLE, PAIRED) if SLOWER_AT in plan.timed_nodes else ():
        yield ANEW, SLOWER_AT, ALL, method, TIMES_ACL, SLOWER

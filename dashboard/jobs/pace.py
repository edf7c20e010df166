"""How long work still takes, by its reports alone; nothing wherever their pace does not say."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import pairwise

LEAST_DONE = 0.1
"""Share of the work that has to be done, of what there was at the first report."""
WINDOWS = (1.0, 1 / 3, 0.1)
"""The latest shares of what is done whose paces have to agree."""
AGREEMENT = 1.3
"""How many times slower than the quickest of them the slowest may be."""
COARSEST = 0.4
"""Share of what is done that a single report may make up: steps so coarse agree by chance."""
FIRST_SECOND = 1.0
"""Seconds of work before which nothing is said, and of silence that mean nothing."""
PATIENCE = 1.5
"""How many times the longest silence so far another one may last."""
_RISE = 0.001
"""Two reports that lie nearer to each other count as one, so that days of work do not fill the memory."""


@dataclass
class Pace:
    """The reports of a piece of work.

    Attributes
    ----------
    reports : (moment in seconds, share of the work done), both rising
    """

    reports: list[tuple[float, float]] = field(default_factory=list)

    def add(self, moment: float, done: float) -> None:
        """Take a report; one without progress says nothing of the pace."""
        if self.reports and done <= self.reports[-1][1]:
            return
        if len(self.reports) > 1 and done - self.reports[-2][1] < _RISE:
            self.reports.pop()
        self.reports.append((moment, done))

    def seconds_left(self, now: float) -> float | None:
        """Seconds left at the pace so far; None where that pace changed lately, or is not known yet."""
        reports = self.reports.copy()  # another thread may add to them
        if len(reports) < 2:
            return None
        (begun, start), (latest, done) = reports[0], reports[-1]
        work = done - start
        if now - begun < FIRST_SECOND or work < LEAST_DONE * (1.0 - start):
            return None
        silence = max(after - before for (before, _), (after, _) in pairwise(reports))
        rise = max(more - less for (_, less), (_, more) in pairwise(reports))
        if rise > COARSEST * work or now - latest > max(FIRST_SECOND, PATIENCE * silence):
            return None
        paces = [(latest - _moment(reports, done - share * work)) / (share * work) for share in WINDOWS]
        if max(paces) > AGREEMENT * min(paces):
            return None
        left = (1.0 - done) * math.prod(paces) ** (1 / len(paces)) - (now - latest)
        return left if left > 0 else None


def _moment(reports: list[tuple[float, float]], done: float) -> float:
    """When so much was done, between two reports at an even pace."""
    place = max(bisect_left(reports, done, key=lambda report: report[1]), 1)
    (before, less), (after, more) = reports[place - 1], reports[place]
    return before + (after - before) * (done - less) / (more - less)

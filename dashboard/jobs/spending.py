"""How much of a processor each user's jobs have taken in the last hour."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable

HOUR = 3600.0


class Spending:
    """Seconds of a processor by user.

    Parameters
    ----------
    clock : seconds
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._spent: dict[Hashable, deque[tuple[float, float]]] = {}

    def add(self, owner: Hashable, seconds: float) -> None:
        """A job of this user has ended that took so many."""
        self._spent.setdefault(owner, deque()).append((self._clock(), seconds))
        for other in list(self._spent):
            self.of(other)

    def of(self, owner: Hashable) -> float:
        """Seconds that this user has taken in the last hour; what was before is forgotten."""
        known = self._spent.get(owner, deque())
        while known and known[0][0] <= self._clock() - HOUR:
            known.popleft()
        if not known:
            self._spent.pop(owner, None)
        return sum(seconds for _, seconds in known)

    def free_in(self, owner: Hashable) -> float:
        """Seconds until the oldest of it counts no more; 0 where nothing was taken."""
        known = self._spent.get(owner)
        return max(known[0][0] + HOUR - self._clock(), 0.0) if known else 0.0

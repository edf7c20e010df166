"""What one user of a server that others share may take, and when a screen that nobody uses is blanked."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.words import count

CPU_MINUTES = 60.0
"""Of a processor that one user's analyses may take in an hour, where the command line says nothing."""
LONGEST_HOURS = 12.0
"""How long work is kept at most, where the command line says nothing."""
LOCK_SECONDS = 15 * 60.0


def in_minutes(seconds: float) -> str:
    """A span of time in whole minutes, the one that has begun included."""
    return count(math.ceil(seconds / 60), "minute")


@dataclass(frozen=True)
class UserLimits:
    """Limits of one user; a browser is a user where no proxy names one.

    Attributes
    ----------
    sessions : with a table or results
    jobs : that run or wait
    cpu_seconds : of analyses in an hour
    """

    sessions: int = 8
    jobs: int = 20
    cpu_seconds: float = 60 * CPU_MINUTES


@dataclass(frozen=True)
class Lock:
    """When a page shows nothing more, and by what it shows it again.

    Attributes
    ----------
    seconds : without an action
    token : of the server's link, which is asked for; "" where none is used
    proxied : the page is loaded anew, so that the proxy sees who asks
    """

    seconds: float = LOCK_SECONDS
    token: str = ""
    proxied: bool = False

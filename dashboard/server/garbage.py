"""Objects that hold one another are collected when a table is gone, and once a minute while somebody works.

Streamlit would look through all objects of the process after every run of a page: with the libraries loaded that takes
longer than most pages take to draw. What nothing holds goes at once, without any of this.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from contextlib import suppress

EVERY = 60.0
"""Seconds between two looks while pages are drawn."""


class Garbage:
    """When all objects are looked through."""

    def __init__(self) -> None:
        self._wanted = False
        self._last = time.monotonic()
        self._collections = _collections()

    def soon(self) -> None:
        """Something is gone that may hold user data: the next round looks."""
        self._wanted = True

    def collect(self, now: float | None = None) -> bool:
        """One round; whether anything was due. On a server that nobody uses nothing is, once its last table is gone."""
        instant = time.monotonic() if now is None else now
        if not self._wanted and (instant - self._last < EVERY or _collections() == self._collections):
            return False
        wanted, self._wanted, self._last = self._wanted, False, instant
        gc.collect()
        if wanted:
            give_back()
        self._collections = _collections()
        return True


def give_back() -> None:
    """Let the system have the memory that tables stood in: libraries keep what they no longer need for next time."""
    if "pyarrow" in sys.modules:
        sys.modules["pyarrow"].default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):  # only where the C library is that of GNU
        ctypes.CDLL(None).malloc_trim(0)


def _collections() -> int:
    """A count that grows with objects made: how often Python itself looked through the youngest."""
    return int(gc.get_stats()[0]["collections"])


_garbage = Garbage()


def garbage() -> Garbage:
    """The one of this server."""
    return _garbage

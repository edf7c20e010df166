"""CPU seconds of something short, on a clock with coarse steps and a machine with other work."""

from __future__ import annotations

import time
from collections.abc import Callable


def seconds(function: Callable[[], object], least: float = 0.1, rounds: int = 5) -> float:
    """The best of several rounds, each of as many calls as take `least` seconds of CPU.

    Parameters
    ----------
    function : what is measured; it is called once before
    least : seconds a round
    rounds : how many

    Returns
    -------
    CPU seconds a call
    """
    function()
    calls, best = 1, float("inf")
    while rounds:
        start = time.process_time()
        for _ in range(calls):
            function()
        taken = time.process_time() - start
        if taken < least:
            calls = calls * 2 if taken < least / 4 else int(calls * 1.2 * least / taken) + 1
            continue
        best, rounds = min(best, taken / calls), rounds - 1
    return best

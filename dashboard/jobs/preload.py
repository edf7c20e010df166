"""What the fork server of the jobs loads beforehand: the engine with its compiled kernels, so that jobs start at once.

The server itself does not import this file: it answers before any of it is loaded.
"""

from __future__ import annotations

import os
from multiprocessing import current_process
from typing import Any

import numpy as np

from dashboard.server.faults import log, trace
from engine import execution
from engine.counting import prepare_compiled
from engine.data.dataset import Dataset
from engine.methods import METHODS


def warm(progress: Any = None) -> None:
    """Load the engine and compile (or read from the cache) the kernels that every method needs."""
    try:
        data = tiny_table()
        with execution.using(1):  # a process that others are forked from must have no threads
            prepare_compiled()
            for method in METHODS.values():
                method.propose(data).run(data, *method.first_asked(data))
    except Exception as fault:  # a warm-up that fails costs time later, nothing else
        log.warning("Warming up failed\n%s", trace(fault))


def tiny_table() -> Dataset:
    """A table that any method answers in a moment."""
    codes = np.random.default_rng(0).integers(0, 2, (4, 60))
    return Dataset.from_codes(codes, [2] * 4, ["group", "a", "b", "c"])


if current_process().name == "MainProcess" and os.environ.get("DIPTYCH_PRELOAD") == "1":
    os.environ.pop("DIPTYCH_PRELOAD")
    warm()

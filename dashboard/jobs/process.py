"""What runs in the processes of jobs: the engine loaded with its compiled kernels, then one call for each job.

The server itself does not import this file: it answers before any of it is loaded.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dashboard.jobs.runner import BEGAN, RESULT
from dashboard.jobs.table_work import propose_for
from dashboard.server.faults import log
from engine import Dataset, GroupDifference, LogLinear, by_group, compare, execution
from engine.counting.backend import prepare_compiled
from engine.methods.registry import METHODS
from engine.worker.channel import Channel, trace


def call(payload: bytes, options: dict[str, Any], channel: Channel) -> None:
    """Unpickle (function, args), call it with `progress=`, send what it returns; the program says how many threads."""
    threads = [int(options["threads"])]
    arrays = [channel.receive_array() for _ in range(options["arrays"])]

    def change(number: bytes) -> None:
        threads[0] = int(number)

    channel.follow(change)
    execution.follow(lambda: threads[0])
    function, args = pickle.loads(payload, buffers=arrays)  # noqa: S301 - our own server pickled it
    channel.send_json(BEGAN, os.getpid())
    channel.send(RESULT, pickle.dumps(function(*args, progress=channel.progress), pickle.HIGHEST_PROTOCOL))


def warm(progress: Any = None, methods: Sequence[str] = ()) -> None:
    """Load the engine and compile (or read from the cache) the kernels of these methods, all if none is named."""
    try:
        data = tiny_table()
        with execution.using(1):  # a process that others are forked from must have no threads
            prepare_compiled()
            propose_for(pd.DataFrame({"x": ["a", "b"] * 3}), {})
            for method in [METHODS[slug] for slug in methods or METHODS]:
                method.propose(data).run(data, *method.first_asked(data))
                if method is GroupDifference:  # numbers, and rows that belong together, have kernels of their own
                    for roles in ({"subject": "identifier"}, {"subject": "subject"}):
                        GroupDifference(group="group").run(tiny_numbers(roles))
                if method is LogLinear:  # whose links have kernels of their own where two results are compared
                    parts = tuple(by_group(data, data.names[0]).values())
                    compare(*(LogLinear().run(part) for part in parts), data=parts).links()
    except Exception as fault:  # a warm-up that fails costs time later, nothing else
        log.warning("Warming up failed\n%s", trace(fault))


def tiny_table() -> Dataset:
    """A table that any method answers in a moment, with a link."""
    codes = np.random.default_rng(0).integers(0, 2, (4, 60))
    codes[2, 6:] = codes[1, 6:]
    return Dataset.from_codes(codes, [2] * 4, ["group", "a", "b", "c"])


def tiny_numbers(roles: Mapping[str, str]) -> Dataset:
    """A table of a group, two numbers, a rating, a word, and a subject with the role that is given."""
    generator = np.random.default_rng(0)
    columns: dict[str, object] = {name: generator.normal(size=60).round(3) for name in ("a", "b")}
    columns |= {"rating": generator.integers(1, 5, 60), "word": generator.choice(["u", "v", "w"], 60)}
    table = pd.DataFrame(columns | {"subject": np.arange(60) // 2, "group": np.repeat(["x", "y"], 30)})
    return Dataset.from_frame(table, kinds={"a": "continuous", "b": "continuous", "rating": "ordinal"}, roles=roles)

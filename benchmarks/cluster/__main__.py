"""What a cluster costs and from which size it pays: two workers on this machine against one process.

    python -m benchmarks.cluster --rows 1000000 --variables 50

The same rows are drawn part by part, in this process and on the workers. Wall seconds; CPU seconds of this process and
of the workers; rounds, and bytes sent and received, of each search. The planes are packed before the clock runs.
"""

from __future__ import annotations

import argparse
import logging
import pickle
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

import engine
from benchmarks.tables import SEED, Size, draw, names, random_network
from engine.counting.requests import level_counts
from engine.data.cluster.pieces import Answer
from engine.data.cluster.store import Rounds
from engine.execution import using

PART = 1 << 19
"""Rows of a part: a multiple of what a digest stands for, so that nothing moves."""


def codes_of(part: int, rows: int, variables: int) -> tuple[np.ndarray, np.ndarray]:
    """(p, m) codes of one part of the table, and the numbers of levels."""
    size = Size(rows, variables, 3 * variables // 2, (2, 4))
    network = random_network(size, np.random.default_rng(SEED))
    return draw(network, rows, np.random.default_rng([SEED, part])), network.arity


def table_of(part: int, rows: int, variables: int) -> pd.DataFrame:
    """The same as level names."""
    codes, arity = codes_of(part, rows, variables)
    columns = zip(names(variables), codes, arity.tolist(), strict=True)
    return pd.DataFrame({name: pd.Categorical.from_codes(own, [str(v) for v in range(r)]) for name, own, r in columns})


def sizes_of(rows: int) -> list[int]:
    """Rows of every part."""
    return [min(PART, rows - begin) for begin in range(0, rows, PART)]


SEARCHES: dict[str, Callable[[engine.Dataset], Any]] = {
    "hill climbing, BDeu": lambda data: engine.learn(data, engine.BDeu(1.0), "hill_climbing").edges,
    "thick thinning, K2": lambda data: engine.learn(data, engine.K2(), "thick_thinning").edges,
    "GES, BDeu": lambda data: engine.learn(data, engine.BDeu(1.0), "ges").edges,
    "log-linear": lambda data: engine.LogLinear().run(data).edges(),
}


def in_memory(rows: int, variables: int) -> engine.Dataset:
    """All rows in this process."""
    parts = [codes_of(k, size, variables) for k, size in enumerate(sizes_of(rows))]
    codes = np.concatenate([codes for codes, _ in parts], axis=1)
    codes.flags.writeable = False
    data = engine.Dataset.from_codes(codes, parts[0][1].tolist(), names(variables))
    data.planes  # noqa: B018  # packed before the clock runs
    return data


@contextmanager
def two_workers() -> Iterator[Any]:
    """A cluster of two processes with a thread each."""
    from distributed import Client, LocalCluster

    how = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": logging.ERROR}
    with LocalCluster(host="127.0.0.1", memory_limit=0, **how) as cluster, Client(cluster) as client:
        yield client


def on_workers(client: Any, rows: int, variables: int) -> engine.Dataset:
    """The same rows, made by the workers."""
    from dask import delayed

    make = delayed(table_of, pure=False)
    parts = [make(k, size, variables) for k, size in enumerate(sizes_of(rows))]
    _, arity = codes_of(0, 1, variables)
    recipe = engine.Dataset.from_codes(np.zeros((variables, 1), np.uint8), arity.tolist(), names(variables)).recipe
    return engine.Dataset.from_dask(parts, recipe, client)


class Traffic:
    """Counts the questions and answers of the rounds of a data set."""

    def __init__(self, rounds: Rounds) -> None:
        self.sent = self.received = 0
        self._rounds, self._first = rounds, rounds.asked
        self._ask = type(rounds)._counted
        rounds._counted = self._measured  # type: ignore[method-assign]

    @property
    def rounds(self) -> int:
        """How many rounds there were."""
        return self._rounds.asked - self._first

    def _measured(self, work: bytes) -> Answer:
        answer = self._ask(self._rounds, work)
        self.sent += len(work)
        self.received += len(pickle.dumps(answer.outcomes))
        return answer


def timed(work: Callable[[], Any], times: int) -> tuple[Any, float, float]:
    """The outcome, and the best wall and CPU seconds of several."""
    best, cpu = float("inf"), float("inf")
    for _ in range(times):
        start, busy = time.perf_counter(), time.process_time()
        found = work()
        best, cpu = min(best, time.perf_counter() - start), min(cpu, time.process_time() - busy)
    return found, best, cpu


def main() -> None:
    """Print one line a search and a way."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--rows", type=int, default=1_000_000)
    asked.add_argument("--variables", type=int, default=50)
    asked.add_argument("--times", type=int, default=3)
    asked.add_argument("--searches", nargs="*", default=list(SEARCHES), help=", ".join(SEARCHES))
    given = asked.parse_args()
    here = in_memory(given.rows, given.variables)
    found = {}
    for name in given.searches:
        for threads in (1, 2):
            with using(threads):
                SEARCHES[name](here)
                found[name], wall, cpu = timed(partial(SEARCHES[name], here), given.times)
            print(f"{name:22} {threads} thread(s)  wall {wall:8.3f}  cpu {cpu:8.3f}")
    del here
    with two_workers() as client:
        start = time.perf_counter()
        data = on_workers(client, given.rows, given.variables)
        print(f"made, coded and packed by two workers: {time.perf_counter() - start:.1f} s")
        _, wall, _ = timed(partial(level_counts, data.select(data.names[:1])), 300)
        print(f"a round that counts one variable: {1000 * wall:.1f} ms, the best of 300")
        for name in given.searches:
            same = list(SEARCHES[name](data)) == list(found[name])
            traffic = Traffic(data.store.rounds)
            busy = sum(client.run(time.process_time).values())
            _, wall, cpu = timed(partial(SEARCHES[name], data), given.times)
            busy = (sum(client.run(time.process_time).values()) - busy) / given.times
            rounds = traffic.rounds / given.times
            print(
                f"{name:22} 2 workers    wall {wall:8.3f}  cpu {cpu:8.3f} + workers {busy:8.3f}  rounds {rounds:6.0f}  "
                f"a round: {1000 * wall / rounds:.1f} ms, {traffic.sent / traffic.rounds:,.0f} bytes sent, "
                f"{traffic.received / traffic.rounds:,.0f} received; same: {same}"
            )


if __name__ == "__main__":
    main()

"""One library, one size, one search, in a process of its own: what `benchmarks.peers` starts.

Prints one line of JSON: CPU seconds of loading and of learning, arcs, peak memory in MiB, versions.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

Answer = dict[str, Any]
ROUNDS_UNDER = 1.0  # seconds: what is faster is repeated
LOOK, LOOKS, MOST_READY = 0.2, 5, 60  # seconds between two looks at the clock, looks, and rounds that are made ready


def stored(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """The codes and numbers of levels that `benchmarks.peers` left."""
    codes = np.load(path / "codes.npy")
    codes.flags.writeable = False  # handed over: a data set need not copy what nobody can write to
    return codes, np.load(path / "arity.npy")


def ours(path: Path, search: str) -> Answer:
    """Diptych with warm kernels; the planes are built again in every round."""
    import engine
    from benchmarks.tables import Size, dataset, draw, random_network
    from engine.counting.backend import prepare_compiled

    score = engine.K2() if search == "thick_thinning" else engine.BDeu(1.0)
    prepare_compiled()
    rng = np.random.default_rng(0)
    small = random_network(Size(500, 12, 20, (2, 4)), rng)
    engine.learn(dataset(draw(small, 500, rng), small.arity), score, search=search)
    before = peak_mib()
    # a new data set for every round, outside the timing: what has been counted once stays counted
    graph, seconds = timed(lambda: dataset(*stored(path)), lambda data: engine.learn(data, score, search=search))
    return {
        "load": 0.0,
        "learn": seconds,
        "arcs": sorted(map(list, graph.edges)),
        "before": before,
        "versions": {name: version(name) for name in ("numpy", "numba")},
    }


def pyagrum(path: Path, search: str) -> Answer:
    """pyAgrum's greedy hill climbing with BDeu, or its thick thinning with K2; one thread, levels declared."""
    import pyagrum as gum

    frame, levels = peer_frame(path)
    template = gum.BayesNet()
    for name in frame.columns:
        template.add(gum.LabelizedVariable(name, name, levels[name]))

    def load() -> Any:
        learner = gum.BNLearner(frame, template)
        learner.setNumberOfThreads(1)
        if search == "thick_thinning":
            learner.useScoreK2()
            learner.useGreedyThickThinning()
        else:
            learner.useScoreBDeu()
            learner.useGreedyHillClimbing()
        return learner

    _, loading = timed(lambda: None, lambda _: load())
    dag, learning = timed(load, lambda learner: learner.learnDAG())  # one that has learned remembers its counts
    arcs = [[frame.columns[a], frame.columns[b]] for a, b in dag.arcs()]
    versions = {"pyagrum": version("pyagrum")}
    return {"load": loading, "learn": learning, "arcs": sorted(arcs), "versions": versions}


def pgmpy(path: Path, search: str) -> Answer:
    """pgmpy's hill climbing with BDeu(1), its defaults otherwise."""
    from pgmpy.causal_discovery import HillClimbSearch  # type: ignore[import-untyped]
    from pgmpy.structure_score import BDeu  # type: ignore[import-untyped]

    if search != "hill_climbing":
        raise SystemExit("pgmpy has no thick thinning")
    frame, levels = peer_frame(path)
    start = time.process_time()
    score = BDeu(frame, equivalent_sample_size=1, state_names=levels)
    loading = time.process_time() - start

    # once only, and not another time to warm up: the score object remembers what it has counted
    start = time.process_time()
    climber = HillClimbSearch(scoring_method=score, return_type="dag", show_progress=False).fit(frame)
    seconds = time.process_time() - start
    arcs = sorted(map(list, climber.causal_graph_.edges()))
    return {"load": loading, "learn": seconds, "arcs": arcs, "versions": {"pgmpy": version("pgmpy")}}


def peer_frame(path: Path) -> tuple[Any, dict[str, list[str]]]:
    """The table as pandas text categories, which both peers take, and the levels of every column."""
    from benchmarks.tables import dataset

    data = dataset(*stored(path))
    return data.to_frame(), {name: list(data.levels[name]) for name in data.names}


def timed(prepare: Callable[[], Any], work: Callable[[Any], Any]) -> tuple[Any, float]:
    """The outcome and the CPU seconds of `work(prepare())`.

    The processor's clock steps by 4 ms on some machines, so what is quick is done many times between two looks at it;
    the median of these means counts. One round where it is slow.
    """
    start, begun = time.process_time(), time.perf_counter()
    outcome = work(prepare())
    first, wall = time.process_time() - start, time.perf_counter() - begun
    if first > ROUNDS_UNDER:
        return _once(prepare, work) if first < 3 * ROUNDS_UNDER else (outcome, first)
    many = max(1, min(MOST_READY, round(LOOK / max(wall, 1e-4))))
    means: list[float] = []
    spent = 0.0
    while len(means) < LOOKS or spent < ROUNDS_UNDER:
        ready = [prepare() for _ in range(many)]
        start = time.process_time()
        for one in ready:
            outcome = work(one)
        means.append((time.process_time() - start) / many)
        spent += max(means[-1] * many, LOOK / 10)
        del ready
    return outcome, statistics.median(means)


def _once(prepare: Callable[[], Any], work: Callable[[Any], Any]) -> tuple[Any, float]:
    ready = prepare()
    start = time.process_time()
    return work(ready), time.process_time() - start


def peak_mib() -> float:
    """Most memory this process has held so far."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20


def main() -> None:
    """Run one peer and print its answer."""
    parser = argparse.ArgumentParser()
    parser.add_argument("library", choices=["ours", "pyagrum", "pgmpy"])
    parser.add_argument("search", choices=["hill_climbing", "thick_thinning"])
    parser.add_argument("path", type=Path)
    parser.add_argument("seconds", type=int)
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CPU, (given.seconds, given.seconds + 5))
    answer = {"ours": ours, "pyagrum": pyagrum, "pgmpy": pgmpy}[given.library](given.path, given.search)
    print(json.dumps({**answer, "peak": peak_mib()}))


if __name__ == "__main__":
    main()
